"""Commands of a listener: what is on, and the sound itself."""

import asyncio
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import aclosing, closing, contextmanager
from pathlib import Path
from typing import BinaryIO, Protocol
from urllib.parse import urlencode

import click

from radio.cli.client import Json, RadioClient, RadioSilent
from radio.cli.options import as_json, url
from radio.cli.terminal import bar, print_json, table

BYTES_PER_S = 8000
"""MP3 of a constant 64 kb/s."""
STDOUT = "-"
OFF = "off"
BEGINS = "Radio-Begins"
"""Header of a replay that begins after the time asked for: when."""


class Sink(Protocol):
    """Takes sound."""

    def write(self, data: bytes, /) -> object: ...

    def flush(self) -> object: ...


@click.command()
@url
@as_json
def stations(url: str, as_json: bool) -> None:
    """What every station has on air now."""
    answer = asyncio.run(_get(url, "stations"))
    if as_json:
        print_json(answer)
        return
    rows = [_row(url, station) for station in answer["stations"]]
    click.echo(
        table(rows, ("STATION", "TITLE", "STATE", "NOW", "NEXT", "LIVE")) if rows else "no station yet"
    )


def _row(url: str, station: Json) -> tuple[str, ...]:
    now, upcoming = station.get("now") or {}, station.get("next") or {}
    live = RadioClient(url).address(station["urls"]["live"])
    names = (station["station"], station["title"], station["state"])
    on_air = "" if station["state"] == OFF else now.get("title") or ""
    return (*names, on_air, upcoming.get("title") or "", live)


async def _get(url: str, path: str) -> Json:
    async with RadioClient(url) as client:
        return await client.get(path)


@click.command()
@click.argument("station")
@click.option("--from", "from_seq", type=click.IntRange(min=0), help="Replay from this record on.")
@click.option("--at", help="Replay from this time on: 2026-11-29T07:00+01:00, or epoch milliseconds.")
@click.option("--run", help="Replay this run.")
@click.option(
    "--for", "seconds", type=click.FloatRange(min=0, min_open=True), help="Seconds of sound to take."
)
@click.option("--out", help="File to write, - for stdout; else stdout unless that is a terminal.")
@url
def listen(
    url: str,
    station: str,
    from_seq: int | None,
    at: str | None,
    run: str | None,
    seconds: float | None,
    out: str | None,
) -> None:
    """The MP3 of a station, live or from an earlier moment: radio listen harbor | mpv -"""
    asked = {key: value for key, value in (("from", from_seq), ("at", at), ("run", run)) if value is not None}
    if len(asked) > 1:
        raise click.UsageError("--from, --at and --run are three ways to say one thing; give one of them")
    path = f"stations/{station}/replay.mp3?{urlencode(asked)}" if asked else f"stations/{station}/live.mp3"
    with sink(out) as file:
        try:
            taken = asyncio.run(_listen(url, path, seconds, file, station))
        except KeyboardInterrupt:
            return
    if seconds is not None and taken < bytes_of(seconds):
        click.echo(f"radio: it ended after {taken / BYTES_PER_S:.1f} s", err=True)


def bytes_of(seconds: float) -> int:
    """Bytes of so much sound."""
    return round(seconds * BYTES_PER_S)


async def _listen(url: str, path: str, seconds: float | None, file: Sink, label: str) -> int:
    limit = None if seconds is None else bytes_of(seconds)
    async with RadioClient(url) as client:
        chunks = client.stream(path, _tell_beginning)
        return await save(_till_off(client, chunks, label), file, limit, label)


def _tell_beginning(headers: Mapping[str, str]) -> None:
    if begins := headers.get(BEGINS):
        click.echo(f"radio: nothing was on air then; it begins at {begins}", err=True)


async def _till_off(client: RadioClient, chunks: AsyncIterator[bytes], station: str) -> AsyncIterator[bytes]:
    """The chunks, and no fault if no more come because the station is off the air."""
    try:
        async with aclosing(chunks) as stream:  # type: ignore[type-var]
            async for chunk in stream:
                yield chunk
    except RadioSilent:
        if (await client.get(f"stations/{station}"))["state"] != OFF:
            raise
        click.echo(f"radio: {station} is off the air, and this is all there is", err=True)


async def save(chunks: AsyncIterator[bytes], file: Sink, limit: int | None, label: str) -> int:
    """Write chunks to a file, at most `limit` bytes, with a bar; how many were written."""
    taken = 0
    with bar(limit, "B", label) as progress:
        async with aclosing(chunks) as stream:  # type: ignore[type-var]
            async for chunk in stream:
                part = chunk if limit is None else chunk[: limit - taken]
                file.write(part)
                file.flush()
                taken += len(part)
                progress.update(len(part))
                if taken == limit:
                    break
    return taken


class _LateFile:
    """A file that is created, or overwritten, when its first bytes come."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: BinaryIO | None = None

    def write(self, data: bytes) -> None:
        if self._file is None:
            self._file = self._path.open("wb")
        self._file.write(data)

    def flush(self) -> None:
        if self._file is not None:
            self._file.flush()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()


@contextmanager
def sink(out: str | None) -> Iterator[Sink]:
    """Where sound goes; a file is not touched before sound comes.

    Raises `UsageError` if that is a terminal, `FileError` if it cannot be written.
    """
    if out is not None and out != STDOUT:
        try:
            with closing(_LateFile(Path(out))) as file:
                yield file
        except OSError as refused:
            raise click.FileError(out, refused.strerror or "cannot be written") from refused
    elif sys.stdout.isatty():
        raise click.UsageError("sound does not belong on a terminal; say --out FILE, or pipe it: … | mpv -")
    else:
        yield sys.stdout.buffer
