"""`radio store info` and `trim`: what is in the store, and letting some of it go."""

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from radio.app.s2_lite.local_server import FOLDER as S2_FOLDER
from radio.cli.exit_status import FAILED, OK
from radio.cli.options import as_json, with_store
from radio.cli.store.store_arguments import must_exist, sqlite_file
from radio.cli.terminal import bar, counted, print_json, table
from radio.clock import SystemClock
from radio.errors import BadInput
from radio.settings import Settings
from radio.streams import disk, names
from radio.streams.admin.info import Amount, FamilyInfo, StoreMeasure, measure
from radio.streams.admin.trimming import Doomed, doomed
from radio.streams.admin.trimming import trim as let_go
from radio.streams.contract import StreamStore
from radio.streams.ownership.members import ttl_of
from radio.streams.stores.open_store import open_store
from radio.streams.stores.sqlite import version
from radio.streams.stores.sqlite.schema import SCHEMA_VERSION

PER_DAY = 24


@click.command()
@with_store
@as_json
def info(settings: Settings, as_json: bool) -> None:
    """Streams, records, bytes and rates by family, the room they take, and what kind of store it is."""
    must_exist(settings)
    facts, families = asyncio.run(_look(settings, quiet=as_json))
    if as_json:
        print_json({**facts, "families": [_row(family) for family in families]})
        return
    whole = sum((family.measure for family in families), start=StoreMeasure())
    streams = sum(family.streams for family in families)
    rows = [*families, FamilyInfo("all", streams, whole)]
    head = ("FAMILY", "STREAMS", "RECORDS", "BYTES", "A DAY (LAST DAY)", "A DAY (LAST HOUR)")
    click.echo(table([_cells(family) for family in rows], head))
    for line in _said(facts, is_estimated=whole.is_estimated):
        click.echo(line)


@click.command()
@click.argument("stream")
@click.argument("seq", type=click.IntRange(min=1))
@click.option("--yes", "is_meant", is_flag=True, help="Do it; without this, only say what would go.")
@with_store
def trim(settings: Settings, stream: str, seq: int, is_meant: bool) -> int:
    """Let the records of STREAM below SEQ go, for ever. Its owner, if it has one, may not be running."""
    must_exist(settings)
    if stream == names.CONTROL:
        raise BadInput(
            "control holds what is redacted, muted and paused; without it that is heard again",
            hint="narrators keep it short by themselves, and nothing of that goes",
        )
    return asyncio.run(_trim(settings, stream, seq, is_meant=is_meant))


async def _trim(settings: Settings, stream: str, seq: int, *, is_meant: bool) -> int:
    clock = SystemClock()
    store = await open_store(settings, clock)
    try:
        going = await doomed(store, stream, seq)
        click.echo(_farewell(going))
        if not going.records:
            return OK
        if not is_meant:
            click.echo("nothing was trimmed; say --yes to do it", err=True)
            return FAILED
        await let_go(store, clock, stream, seq, data=settings.data, ttl_s=ttl_of(settings.store))
        click.echo("trimmed")
        return OK
    finally:
        await store.close()


def _farewell(going: Doomed) -> str:
    stays = f"{counted(going.stays, 'record')} {'stays' if going.stays == 1 else 'stay'}"
    if not going.records:
        return f"{going.name}: nothing below that number stands; {stays}"
    about = "about " if going.is_estimated else ""
    return (
        f"{going.name}: {counted(going.records, 'record')}, {going.first} to {going.end - 1},"
        f" {about}{_bytes(going.size)}, {_moment(going.since)} to {_moment(going.until)}; {stays}"
    )


def _moment(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


async def _look(settings: Settings, *, quiet: bool) -> tuple[dict[str, Any], Sequence[FamilyInfo]]:
    clock = SystemClock()
    store = await open_store(settings, clock)
    progress: list[Any] = []

    def tell(more: int, total: int) -> None:
        if not quiet:
            if not progress:
                progress.append(bar(total, " streams", "reading"))
            progress[0].update(more)

    try:
        families = await measure(store, clock.now_ms(), tell)
        return await _facts(settings, store), families
    finally:
        for shown in progress:
            shown.close()
        await store.close()


async def _facts(settings: Settings, store: StreamStore) -> dict[str, Any]:
    """What kind of store it is. What is not known of it is left out."""
    facts: dict[str, Any] = {
        "store": settings.store,
        "id": await store.store_id(),
        "durability": getattr(store, "durability", None),
    }
    if settings.store == "sqlite":
        facts |= {
            "file": str(sqlite_file(settings)),
            "schema": SCHEMA_VERSION,
            "sqlite": version.described(),
            **_room(_files(settings), settings.data),
        }
    elif settings.disk_folder:  # set where S2 Lite is this machine's own
        folder = settings.data / S2_FOLDER
        facts |= {"file": str(folder), **_room(folder.rglob("*"), settings.data)}
    return {key: value for key, value in facts.items() if value is not None}


def _room(files: Iterable[Path], folder: Path) -> dict[str, int]:
    """Bytes that these files take, those that are gone meanwhile left out, and what is free beside them."""
    taken = 0
    for path in files:
        with suppress(FileNotFoundError):
            taken += path.stat().st_size
    return {"disk_bytes": taken, "free_bytes": disk.free_bytes(folder)}


def _files(settings: Settings) -> list[Path]:
    """SQLite's own files of the store."""
    file = sqlite_file(settings)
    return [file, file.with_name(f"{file.name}-wal")]


def _said(facts: dict[str, Any], *, is_estimated: bool) -> list[str]:
    kept = {"power": "power loss", "process": "the end of a process", "none": "nothing"}.get(
        facts.get("durability", ""), "what the server promises"
    )
    lines = [f"store {facts['store']}, id {facts['id']}; what is acknowledged survives {kept}"]
    if "file" in facts:
        taken, free = _bytes(facts["disk_bytes"]), _bytes(facts["free_bytes"])
        lines.append(f"{facts['file']}: {taken} on disk, {free} free")
    if "sqlite" in facts:
        lines.append(f"schema {facts['schema']}, SQLite {facts['sqlite']}")
    if is_estimated:
        lines.append("~ reckoned from the newest records of long streams; bytes of sound are exact")
    return lines


def _cells(info: FamilyInfo) -> tuple[str, ...]:
    about = "~" if info.measure.is_estimated else ""
    rates = (info.measure.day.size, info.measure.hour.size * PER_DAY)
    sizes = (info.measure.all.size, *rates)
    return (
        info.family,
        f"{info.streams}",
        f"{info.measure.all.records}",
        *(about + _bytes(s) for s in sizes),
    )


def _row(info: FamilyInfo) -> dict[str, Any]:
    measured = info.measure
    return {
        "family": info.family,
        "streams": info.streams,
        **_amount(measured.all),
        "last_day": _amount(measured.day),
        "last_hour": _amount(measured.hour),
        "bytes_estimated": measured.is_estimated,
    }


def _amount(amount: Amount) -> dict[str, int]:
    return {"records": amount.records, "bytes": amount.size}


def _bytes(size: int) -> str:
    for unit, of in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= of:
            return f"{size / of:.1f} {unit}"
    return f"{size} B"
