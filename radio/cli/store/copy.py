"""Moving a store to another, and saving it in a file."""

import asyncio
import dataclasses
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from radio.cli.options import as_json, with_store
from radio.cli.store.store_arguments import must_exist, nobody_else, settings_of, sqlite_file
from radio.cli.terminal import bar, counted, print_json
from radio.clock import SystemClock
from radio.errors import BadInput, NotFound, Unsupported
from radio.settings import Settings
from radio.streams.admin.copying import CopyReport, Progress, copy
from radio.streams.contract import StoreError, StreamStore
from radio.streams.listing import every_name
from radio.streams.ownership.members import ttl_of
from radio.streams.ownership.store_in_use import refuse_living
from radio.streams.stores.open_store import open_store
from radio.streams.stores.sqlite.backup import Saved, put_back, save


@click.command("copy")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
@with_store
@as_json
def copy_store(settings: Settings, source: str, target: str, as_json: bool) -> None:
    """Copy every stream of FROM to TO, an empty store: sqlite, sqlite:FOLDER or s2://BASIN.

    No radio may run on either. Interrupted, the same command goes on. It ends by comparing the two.
    """
    origin, copied = settings_of(source, settings), settings_of(target, settings)
    must_exist(origin)
    with nobody_else(origin, copied), _progress(quiet=as_json) as tell:
        report = asyncio.run(_copy(origin, copied, tell))
    if as_json:
        print_json(dataclasses.asdict(report))
        return
    click.echo(
        f"{counted(report.streams, 'stream')}, {counted(report.records, 'record')},"
        f" {report.size / 1e6:.1f} MB copied and compared; digest {report.digest[:16]}"
    )
    if report.moved:
        click.echo(
            f"{counted(report.moved, 'timestamp')} lie after the new store's clock and were bounded by it"
        )


async def _copy(origin: Settings, copied: Settings, tell: Progress) -> CopyReport:
    clock = SystemClock()
    async with AsyncExitStack() as opened:
        stores: list[StreamStore] = []
        for place in (origin, copied):
            stores.append(await open_store(place, clock))
            opened.push_async_callback(stores[-1].close)
            await refuse_living(stores[-1], clock, data=place.data, ttl_s=ttl_of(place.store))
        if not await every_name(stores[0]):
            raise NotFound(f"{origin.store} holds no stream", hint="is it the store that you meant?")
        return await copy(stores[0], stores[1], tell)


@contextmanager
def _progress(*, quiet: bool) -> Iterator[Progress]:
    """A bar for each stage, on a terminal."""
    bars: dict[str, Any] = {}

    def tell(stage: str, count: int, total: int) -> None:
        if not quiet:
            if stage not in bars:
                bars[stage] = bar(total, " records", stage)
            bars[stage].update(count)

    try:
        yield tell
    finally:
        for one in bars.values():
            one.close()


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@with_store
def backup(settings: Settings, file: Path) -> None:
    """Save the SQLite store in FILE, while the radio runs: all that was acknowledged before is in it."""
    _must_be_sqlite(
        settings, "S2 keeps its own: s2.dev by itself; for S2 Lite stop it and copy its folder whole"
    )
    must_exist(settings)
    with _size_bar() as tell:
        saved = save(sqlite_file(settings), file, tell)
    click.echo(_described(saved))


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@with_store
def restore(settings: Settings, file: Path) -> None:
    """Make FILE, which `backup` wrote, the SQLite store; the one that was there is put aside, not removed."""
    _must_be_sqlite(settings, "for S2 Lite stop it and put its folder back whole")
    moment = datetime.fromtimestamp(SystemClock().now_ms() / 1000, UTC)
    aside = settings.data / f"replaced-{moment:%Y%m%dT%H%M%S}"
    with nobody_else(settings):
        if sqlite_file(settings).exists():
            asyncio.run(_refuse_if_used(settings))
        saved = put_back(file, sqlite_file(settings), aside)
    click.echo(_described(saved))
    if aside.exists():
        click.echo(f"the store that was there lies in {aside}")


async def _refuse_if_used(settings: Settings) -> None:
    """Raises `StillRunning` if a member lives on the store that is to be replaced."""
    clock = SystemClock()
    try:
        store = await open_store(settings, clock)
    except (StoreError, Unsupported) as damaged:
        click.echo(f"the store that is there cannot be opened: {damaged}", err=True)
        return
    try:
        await refuse_living(store, clock, data=settings.data, ttl_s=ttl_of(settings.store))
    finally:
        await store.close()


def _must_be_sqlite(settings: Settings, hint: str) -> None:
    if settings.store != "sqlite":
        raise BadInput(f"the store {settings.store} is not a file", hint=hint)


def _described(saved: Saved) -> str:
    return (
        f"{counted(saved.streams, 'stream')}, {counted(saved.records, 'record')}, {saved.size / 1e6:.1f} MB,"
        f" read through and whole; store {saved.store_id}"
    )


@contextmanager
def _size_bar() -> Iterator[Callable[[int, int], None]]:
    shown: list[Any] = []

    def tell(done: int, total: int) -> None:
        if not shown:
            shown.append(bar(total, "B", "saving"))
        shown[0].update(done - shown[0].n)

    try:
        yield tell
    finally:
        for one in shown:
            one.close()
