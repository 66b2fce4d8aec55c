"""`radio models`: which model files there are, fetch them, check them."""

import dataclasses
import sys
from pathlib import Path

import click

from radio.cli.exit_status import FAILED, OK
from radio.cli.options import as_json, with_models
from radio.cli.terminal import counted, print_json, table
from radio.settings import Settings


@click.group()
def models() -> None:
    """The model files: which there are, fetch them, check them."""


@models.command(name="list")
@with_models
@as_json
def list_models(models: Path, as_json: bool) -> None:
    """Each model: what it is for, its size, and where it is."""
    from radio.models import listing

    found = listing(Settings(models=models))
    if as_json:
        print_json([dataclasses.asdict(model) for model in found])
        return
    rows = [
        (
            m.name,
            m.kind,
            f"{m.size / 1e6:.0f} MB",
            m.license,
            (m.where or "absent") + " (default)" * m.is_default,
        )
        for m in found
    ]
    click.echo(table(rows, ("MODEL", "KIND", "SIZE", "LICENSE", "WHERE")))


@models.command()
@click.argument("names", nargs=-1)
@with_models
def pull(names: tuple[str, ...], models: Path) -> None:
    """Fetch NAMES, or without any all that a radio needs; what is there and right is left alone."""
    from radio.models import progress_on
    from radio.models import pull as fetch

    fetch(names, Settings(models=models), progress_on(sys.stderr))


@models.command()
@with_models
@as_json
def verify(models: Path, as_json: bool) -> int:
    """Compare every file with its SHA-256."""
    from radio.models import verify as check

    checked = check(Settings(models=models))
    wrong = [file for file in checked if file.state != "right"]
    if as_json:
        print_json([dataclasses.asdict(file) for file in checked])
    else:
        for file in wrong:
            click.echo(f"{file.state}: {file.model}, {file.file}")
        right = len(checked) - len(wrong)
        click.echo(f"{right} of {counted(len(checked), 'file')} {'is' if right == 1 else 'are'} right")
    return FAILED if wrong else OK
