"""Commands of an editor: is what I wrote right?"""

from pathlib import Path

import click

from radio.cli.options import as_json
from radio.cli.status import FAILED, OK
from radio.cli.terminal import print_json
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
    """Check station files: every fault of every file, with its line."""
    from radio.stations import files as station_files

    paths = list(files) or station_files.find(schedules)
    if not paths:
        raise NotFound(f"no station files in {schedules}", hint="they end in .yaml; see --schedules")
    loaded = station_files.load(paths)
    if as_json:
        faults = [{"file": str(f.file), "line": f.line, "message": f.message} for f in loaded.faults]
        print_json({"stations": [s.station for s in loaded.stations.values()], "faults": faults})
    else:
        for fault in loaded.faults:
            click.echo(str(fault))
        for path, station in loaded.stations.items():
            click.echo(f"{path}: {station.station}, {len(station.shows)} shows, right")
    return FAILED if loaded.faults else OK
