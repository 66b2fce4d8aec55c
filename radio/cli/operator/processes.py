"""Commands that run processes of the radio."""

import sys
from collections.abc import Callable
from pathlib import Path

import click

from radio.cli.options import with_settings
from radio.settings import Settings


def _on_air(url: str) -> None:
    click.echo(f"radio: on air at {url}")


def _say_nothing(url: str) -> None:
    """The process that started this one speaks for it."""


def _relay_ready(url: str) -> None:
    click.echo(f"radio: relay at {url}")


@click.command()
@with_settings
def up(settings: Settings) -> None:
    """Run the whole radio: scheduler, narrator and relay, each a process, started again if it ends."""
    from radio.app.up import up

    up(settings, _flushed(_on_air))


@click.command()
@with_settings
def relay(settings: Settings) -> None:
    """Serve listeners, and take casts."""
    from radio.app import process_entry
    from radio.child_processes import is_child

    process_entry.relay(settings, _say_nothing if is_child() else _flushed(_relay_ready))


@click.command()
@with_settings
def narrate(settings: Settings) -> None:
    """Speak what stations and casts have to say."""
    from radio.app import process_entry

    process_entry.narrator(settings)


@click.command()
@with_settings
def schedule(settings: Settings) -> None:
    """Begin and end shows by the timetables, with a producer process for each."""
    from radio.app import process_entry

    process_entry.scheduler(settings)


@click.command("s2-lite")
@with_settings
def s2_lite(settings: Settings) -> None:
    """Run S2 Lite alone, for processes of the radio that are started one by one."""
    from radio.app import process_entry
    from radio.app.s2_lite.local_server import examine
    from radio.child_processes import is_child

    process_entry.s2_lite(settings, Path(settings.s2_lite_binary) if is_child() else examine(settings))


@click.command()
@click.argument("station", required=False)
@click.argument("show", required=False)
@click.option("--run", envvar="RADIO_RUN", help="The run's id; else the show's run that is due now or next.")
@click.option(
    "--assignment", type=click.Choice(["-"]), help="Read what to do from stdin, as the scheduler does."
)
@with_settings
def produce(
    settings: Settings, station: str | None, show: str | None, run: str | None, assignment: str | None
) -> None:
    """Write the script of one run of a station's show."""
    from radio import runs
    from radio.app import manual_assignment, process_entry
    from radio.child_processes import read_first_line
    from radio.clock import SystemClock

    if assignment is not None:
        task = runs.from_json(read_first_line())
    elif station is None or show is None:
        raise click.UsageError("say which STATION and SHOW")
    else:
        task = manual_assignment.assignment(settings, station, show, run, SystemClock().now_ms())
    process_entry.producer(settings, task)


def _flushed(say: Callable[[str], None]) -> Callable[[str], None]:
    """Say it at once even if stdout is a file or a pipe, which programs wait for."""

    def speak(url: str) -> None:
        say(url)
        sys.stdout.flush()

    return speak
