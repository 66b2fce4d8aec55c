"""Commands of an editor: is what I wrote right, and what airs when?"""

import json
import re
from collections.abc import Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any

import click

from radio.cli.exit_status import FAILED, OK
from radio.cli.options import as_json, build, rows, with_models
from radio.cli.terminal import print_json, table
from radio.clock import SystemClock
from radio.errors import NotFound
from radio.settings import Settings, variable

_MOST_DAYS = 366
_DAYS = 7
in_schedules = click.option(
    "--schedules",
    envvar=variable("schedules"),
    type=click.Path(path_type=Path),
    default=Settings().schedules,
    show_default=True,
    show_envvar=True,
    help="Folder of station files.",
)
for_days = click.option(
    "--days",
    type=click.IntRange(1, _MOST_DAYS),
    default=_DAYS,
    show_default=True,
    help="How far to look ahead.",
)


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@in_schedules
@with_models
@click.option(
    "--days", type=click.IntRange(1, _MOST_DAYS),
    help=f"How far to look ahead; else the first day is shown, and the costs are those of {_DAYS} days.",
)  # fmt: skip
@click.option("--schema", is_flag=True, help="Print the JSON schema of station files, for editors, instead.")
@as_json
def check(
    files: tuple[Path, ...], schedules: Path, models: Path, days: int | None, schema: bool, as_json: bool
) -> int:
    """Check station files: every fault with its place, or what will air, and what that costs."""
    from radio.app.checks import file_probe
    from radio.speech.g2p.phonemiser import LANGUAGES
    from radio.stations.definition.json_schema import station_schema
    from radio.stations.timetable import report as station_check

    if schema:
        click.echo(json.dumps(station_schema(), indent=2))
        return OK
    settings = build({**dict(rows()), "models": models})
    report = station_check.check(
        list(files) or _found(schedules),
        SystemClock().now_ms(),
        days=days or _DAYS,
        weigh=lambda model: _weigh(settings, model),
        is_spoken=lambda language: language in LANGUAGES,
        probe=lambda station, folder: file_probe.problems(station, folder, settings),
    )
    if as_json:
        print_json(_as_json(report))
    else:
        for line in station_check.lines(report, days or 1):
            click.echo(line)
        if report.outlooks and days is None:
            click.echo(f"the first day of {_DAYS}; --days {_DAYS} shows all")
    return FAILED if report.faults else OK


def _found(schedules: Path) -> list[Path]:
    from radio.stations.definition import loading as station_files

    paths = station_files.find(schedules)
    if not paths:
        raise NotFound(f"no station files in {schedules}", hint="they end in .yaml; see --schedules")
    return paths


def _weigh(settings: Settings, model: str) -> int:
    from radio import models

    return models.llm(settings, model).stat().st_size


def _as_json(report: Any) -> dict[str, Any]:
    return {
        "stations": [one.station.station for one in report.outlooks],
        "costs": [
            {
                "station": one.station.station,
                "bytes_per_day": one.bytes_per_day,
                "models": [_shown(model) for model in one.models],
                "unspoken": list(one.unspoken),
            }
            for one in report.outlooks
        ],
        "weights": {_shown(model): weight for model, weight in report.weights.items()},
        "faults": [
            {"file": str(f.file), "line": f.line, "column": f.column, "message": f.message}
            for f in report.faults
        ],
    }


def _shown(model: str) -> str:
    """A model's name; of a server's address nobody needs to see the user and the password."""
    return re.sub(r"^(https?://)[^/?#]*@", r"\1…@", model)


@click.command()
@click.argument("station", required=False)
@in_schedules
@click.option("--from", "first", metavar="DATE", help="First day, by the station's clock; else from now on.")
@for_days
@as_json
def timetable(station: str | None, schedules: Path, first: str | None, days: int, as_json: bool) -> int:
    """All runs of the stations, or of one, as they are planned."""
    from radio.stations.definition import loading as station_files

    loaded = station_files.load(_found(schedules))
    for fault in loaded.faults:
        click.echo(f"radio: {fault}", err=True)
    found = [one for one in loaded.stations.values() if station in (None, one.station)]
    if not found and station is not None:
        known = ", ".join(one.station for one in loaded.stations.values()) or "none"
        raise NotFound(f"no station {station!r} in {schedules}", hint=f"there is {known}")
    day = _date(first)
    runs = [run for one in found for run in _runs(one, day, days)]
    if as_json:
        print_json({"runs": runs})
    elif runs:
        click.echo(table([list(run.values()) for run in runs], [key.upper() for key in runs[0]]))
    return FAILED if loaded.faults and station is None else OK


def _date(text: str | None) -> date | None:
    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise click.BadParameter(f"{text!r} is not a date; write 2026-12-24", param_hint="--from") from None


def _runs(station: Any, first: date | None, days: int) -> list[Mapping[str, str]]:
    from radio.stations.timetable import timetable as times

    since = SystemClock().now_ms()
    until = since + days * 86_400_000
    if first is not None:
        since = times.start_of_day(first, station.zone)
        until = times.start_of_day(first, station.zone, days_later=days)
    slots = station.timetable.upcoming(since, (until - since) / 86_400_000)
    return [
        {
            "station": station.station,
            "run": slot.run,
            "show": slot.show.id,
            "title": slot.show.title,
            "producer": slot.show.options.producer,
            "at": _told(times.local_time(slot.at, station.zone)),
            "until": _told(times.local_time(slot.until, station.zone)),
        }
        for slot in slots
    ]


def _told(moment: datetime) -> str:
    return moment.isoformat(timespec="minutes")
