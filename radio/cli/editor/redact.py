"""`radio redact`: take records of a broadcast out, for everybody and for good.

It writes into the radio's store: who can write in the data folder, or has the token of the S2 store, may use
it, and nobody else.
"""

import asyncio
from dataclasses import dataclass, field
from datetime import datetime
from zoneinfo import ZoneInfo

import click

from radio import control
from radio.cli.editor.on_air import check_station
from radio.cli.options import with_store
from radio.cli.store.own_store import own_store
from radio.errors import BadInput
from radio.settings import Settings
from radio.streams import names
from radio.streams.contract import MAX_BATCH_RECORDS, FromSeq, StreamStore
from radio.streams.index import Index
from radio.streams.reading import all_events
from radio.streams.records import BROADCAST, Audio
from radio.streams.station_list import newest_card

_ERASED = {
    True: "what stood there is erased from the store; reruns of it are silent too, and stay till trimmed",
    False: "what stood there is erased; the store's log holds it until it is next emptied: say it once more",
    None: "this store keeps every record as it was: the radio gives it to nobody, who reads the store can",
}


_DIGITS = 18
"""More are no number of a record."""


@dataclass(slots=True)
class _Taken:
    """What a redaction takes out.

    Attributes:
        firsts: what of it was heard again: the numbers under which it was heard first.
    """

    firsts: set[int] = field(default_factory=set)
    sentences: int = 0
    ms: int = 0
    begins: int | None = None
    until: int = 0


@click.command()
@click.argument("station")
@click.argument("begin", metavar="FROM")
@click.argument("end", metavar="TO")
@with_store
def redact(settings: Settings, station: str, begin: str, end: str) -> None:
    """Silence in place of what a station said, and no text, also where it is heard again: for good.

    FROM and TO are record numbers, both inclusive, or times at which it was on air (2026-11-29T07:41:03).
    """
    taken, zone, is_erased = asyncio.run(_redact(settings, station, begin, end))
    click.echo(f"{station}: {_told(taken, zone)}; players may still have ten seconds of it")
    if taken.firsts:
        click.echo(f"of reruns: {len(taken.firsts)} taken out where they were heard first as well")
    click.echo(_ERASED[is_erased])


async def _redact(
    settings: Settings, station: str, begin: str, end: str
) -> tuple[_Taken, ZoneInfo, bool | None]:
    from radio.redaction import stretches_of

    async with own_store(settings) as store:
        await check_station(store, station)
        zone = await _zone(store, station)
        first = await _number(store, station, begin, zone)
        last = await _number(store, station, end, zone, is_end=True)
        await _check_stand(store, station, first, last)
        taken = await _look(store, station, first, last)
        return taken, zone, await _take_out(store, station, [(first, last), *stretches_of(taken.firsts)])


async def _take_out(store: StreamStore, station: str, stretches: list[tuple[int, int]]) -> bool | None:
    """Ask for it, then erase it; as `erase` tells of the last: the log is one for all."""
    from radio.redaction import REDACT, erase, spell

    for at in range(0, len(stretches), MAX_BATCH_RECORDS):
        details = [spell(*stretch) for stretch in stretches[at : at + MAX_BATCH_RECORDS]]
        await control.ask(store, REDACT, station, details)
    return [await erase(store, station, *stretch) for stretch in stretches][-1]


async def _number(
    store: StreamStore, station: str, spelt: str, zone: ZoneInfo, *, is_end: bool = False
) -> int:
    """A record by its number, or the one that was on air at a time; in a pause the next one, or, at the end
    of a stretch, the one before.

    Raises:
        BadInput: it is neither, or nothing is made for that time yet.
    """
    if spelt.isdecimal() and len(spelt) < _DIGITS:
        return int(spelt)
    try:
        moment = datetime.fromisoformat(spelt)
    except ValueError:
        raise BadInput(
            f"{spelt[:40]!r} is neither a record's number nor a time", hint="120, or as 2026-11-29T07:41:03"
        ) from None
    local = moment if moment.tzinfo else moment.replace(tzinfo=zone)
    air_ms = int(local.timestamp() * 1000)
    spot = await Index(store, names.broadcast(station)).at(air_ms)
    if spot is None:
        raise BadInput(f"{spelt} was not on air yet", hint="what is to come has no number")
    return spot.seq - 1 if is_end and spot.at > air_ms else spot.seq


async def _check_stand(store: StreamStore, station: str, first: int, last: int) -> None:
    """Raises `BadInput` unless something of it stands, and nothing of it is still to come."""
    if last < first:
        raise BadInput(f"{last} lies before {first}", hint="radio redact STATION FROM TO")
    bounds = await Index(store, names.broadcast(station)).bounds()
    if last >= bounds.next or last < bounds.oldest:
        here = f"{bounds.oldest} to {bounds.next - 1}" if bounds.next > bounds.oldest else "none"
        raise BadInput(
            f"{station} has no records {first} to {last}",
            hint=f"there are {here}; captions and the archive tell the numbers",
        )


async def _look(store: StreamStore, station: str, first: int, last: int) -> _Taken:
    taken = _Taken()
    events = all_events(store, BROADCAST, names.broadcast(station), FromSeq(first), end=last + 1)
    async for _, audio in events:
        if isinstance(audio, Audio) and audio.at is not None:
            taken.begins = audio.at if taken.begins is None else taken.begins
            taken.sentences, taken.ms, taken.until = taken.sentences + 1, taken.ms + audio.d, audio.until
            taken.firsts |= {audio.of} if audio.of is not None else set()
    return taken


async def _zone(store: StreamStore, station: str) -> ZoneInfo:
    """The station's own, as its card says; UTC before it has one."""
    card = await newest_card(store, station)
    return ZoneInfo(card.zone if card is not None else "UTC")


def _told(taken: _Taken, zone: ZoneInfo) -> str:
    if taken.begins is None:
        return "nothing is spoken there; what could not be spoken is redacted"
    begins, until = (datetime.fromtimestamp(ms / 1000, zone) for ms in (taken.begins, taken.until))
    what = "1 sentence" if taken.sentences == 1 else f"{taken.sentences} sentences"
    return f"{what}, {taken.ms / 1000:.1f} s, on air from {begins:%Y-%m-%d %H:%M:%S} to {until:%H:%M:%S}"
