"""Commands of an editor: preview a show; and say, skip, mute, unmute while a station is on air.

The latter write into the radio's own store.
"""

import asyncio
import difflib
import time
from collections.abc import Sequence

import click

from radio import control
from radio.cli.listener.listen import sink
from radio.cli.options import with_settings, with_store
from radio.cli.store.own_store import own_store
from radio.errors import NotFound
from radio.settings import Settings
from radio.streams.contract import StreamStore
from radio.streams.station_list import stations


@click.command()
@click.argument("station")
@click.argument("show")
@click.option(
    "--for", "seconds", type=click.FloatRange(min=0, min_open=True), default=60.0, show_default=True,
    help="Seconds of sound to make, to the end of a sentence.",
)  # fmt: skip
@click.option("--out", help="File to write, - for stdout; else stdout unless that is a terminal.")
@with_settings
def preview(settings: Settings, station: str, show: str, seconds: float, out: str | None) -> None:
    """Write and speak the first minute of a show, for you alone: radio preview harbor morning | mpv -"""
    from radio.app import preview as previewing

    begun = time.monotonic()
    with sink(out) as file:

        def hear(caption: str, mp3: bytes) -> None:
            click.echo(f"{time.monotonic() - begun:6.1f} s  {caption}", err=True)
            file.write(mp3)
            file.flush()

        made_s = previewing.preview(settings, station, show, seconds, hear)
    click.echo(f"radio: {made_s:.1f} s of {show}, not aired", err=True)


@click.command()
@click.argument("station")
@click.argument("text")
@with_store
def say(settings: Settings, station: str, text: str) -> None:
    """Have a text spoken on a station, after what is made already (about half a minute)."""
    sentences = control.sentences_of(text)
    _ask(settings, control.SAY, station, sentences)
    click.echo(
        f"{station} will say it: {len(sentences)} " + ("sentence" if len(sentences) == 1 else "sentences")
    )


@click.command()
@click.argument("station")
@with_store
def skip(settings: Settings, station: str) -> None:
    """End the segment that a station is in, after what is made already (about half a minute)."""
    _ask(settings, control.SKIP, station)
    click.echo(f"{station} goes on with the next segment")


@click.command()
@click.argument("station")
@with_store
def mute(settings: Settings, station: str) -> None:
    """Give a station's listeners silence, at once; it goes on being made and archived."""
    _ask(settings, control.MUTE, station)
    click.echo(f"{station} is muted; players may still have ten seconds. radio unmute {station} ends it")


@click.command()
@click.argument("station")
@with_store
def unmute(settings: Settings, station: str) -> None:
    """Let a muted station be heard again."""
    _ask(settings, control.UNMUTE, station)
    click.echo(f"{station} is heard again")


def _ask(settings: Settings, what: str, station: str, details: Sequence[str] = ("",)) -> None:
    asyncio.run(_append(settings, what, station, details))


async def _append(settings: Settings, what: str, station: str, details: Sequence[str]) -> None:
    async with own_store(settings) as store:
        await check_station(store, station)
        await control.ask(store, what, station, details)


async def check_station(store: StreamStore, station: str) -> None:
    """Raises `NotFound`, with the nearest that is there, if there is no such station."""
    known = await stations(store)
    if station not in known:
        near = difflib.get_close_matches(station, known, n=1)
        hint = f"did you mean {near[0]}?" if near else "stations: " + (", ".join(known) or "none yet")
        raise NotFound(f"no station {station[:40]!r} in this store", hint=hint)
