"""Commands about what is here: the voices, and all that a radio needs."""

import dataclasses

import click

from radio import voices as catalogue
from radio.cli.exit_status import FAILED, OK
from radio.cli.options import as_json, with_machine
from radio.cli.terminal import print_json, table
from radio.settings import Settings


@click.command()
@as_json
def voices(as_json: bool) -> None:
    """The voices, which may also be blended: af_heart(2)+bf_emma(1)."""
    rows = [(voice.name, voice.language, voice.gender) for voice in catalogue.VOICES.values()]
    if as_json:
        print_json([dict(zip(("name", "language", "gender"), row, strict=True)) for row in rows])
    else:
        click.echo(table(rows, ("VOICE", "LANGUAGE", "GENDER")))


@click.command()
@with_machine
@as_json
def doctor(settings: Settings, as_json: bool) -> int:
    """What this machine has of what the radio needs."""
    from radio.app.checks import settings_check
    from radio.app.checks.doctor import examine

    settings_check.check(settings)
    findings = []
    for finding in examine(settings):
        findings.append(finding)
        if not as_json:
            click.echo(f"{finding.verdict:<5} {finding.what:<12} {finding.says}")
    if as_json:
        print_json([dataclasses.asdict(finding) for finding in findings])
    return FAILED if any(finding.verdict == "fail" for finding in findings) else OK
