"""Moving a store to another, and saving it in a file."""

import asyncio
import dataclasses
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from typing import Any

import click

from radio.cli.options import as_json, with_store
from radio.cli.places import must_exist, nobody_else, settings_of
from radio.cli.terminal import bar, counted, print_json
from radio.clock import SystemClock
from radio.errors import NotFound
from radio.settings import Settings
from radio.streams.contract import StreamStore
from radio.streams.copying import Progress, Report, copy
from radio.streams.listing import every_name
from radio.streams.living import refuse_living
from radio.streams.members import ttl_of
from radio.streams.open import open_store


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


async def _copy(origin: Settings, copied: Settings, tell: Progress) -> Report:
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
