"""Commands of an editor: is what I wrote right?"""

from pathlib import Path

import click

from radio.cli.options import as_json
from radio.cli.status import FAILED, OK
from radio.cli.terminal import print_json
from radio.clock import SystemClock
from radio.errors import NotFound
from radio.settings import Settings, variable


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--schedules",
    envvar=variable("schedules"),
    type=click.Path(path_type=Path),
    default=Settings().schedules,
    show_default=True,
    show_envvar=True,
    help="Folder of station files, if no FILES are given.",
)
@as_json
def check(files: tuple[Path, ...], schedules: Path, as_json: bool) -> int:
    """Check station files: every fault with its line, or what will air in the next seven days."""
    from radio.stations import check as station_check
    from radio.stations import files as station_files

    paths = list(files) or station_files.find(schedules)
    if not paths:
        raise NotFound(f"no station files in {schedules}", hint="they end in .yaml; see --schedules")
    report = station_check.check(paths, SystemClock().now_ms())
    if as_json:
        faults = [{"file": str(f.file), "line": f.line, "message": f.message} for f in report.faults]
        print_json({"stations": [o.station.station for o in report.outlooks], "faults": faults})
    else:
        for line in station_check.lines(report):
            click.echo(line)
    return FAILED if report.faults else OK
