"""What a test reads out of a radio's streams, and the measure of "exactly once on air"."""

import time
from dataclasses import dataclass

from radio.sentences import Splitter
from radio.streams import names, records
from radio.streams.contract import FromSeq, StreamNotFound, StreamStore
from radio.streams.records import AnyRecord, Audio, Family, ScriptPosition, Skip
from tests.waiting import until

LEAD_MS = 20_000
"""Between a station's guard and its target: what a fault may take before anybody hears it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A record of a stream with its number, and the store's time of its append in epoch ms."""

    seq: int
    appended: int
    record: AnyRecord


async def entries(store: StreamStore, name: str, family: Family) -> list[Entry]:
    """All that stands in a stream now; nothing if there is no such stream."""
    found: list[Entry] = []
    seq = 0
    while True:
        try:
            result = await store.read(name, FromSeq(seq), clamp=True)
        except StreamNotFound:
            return []
        found += [Entry(r.seq, r.timestamp, records.decode(family, r)) for r in result.records]
        if result.next_seq == seq or not result.records:
            return found
        seq = result.next_seq


async def broadcast(store: StreamStore, station: str) -> list[Entry]:
    return await entries(store, names.broadcast(station), records.BROADCAST)


async def audio_of(store: StreamStore, station: str) -> list[tuple[Entry, Audio]]:
    """The sentences that were on air, or will be."""
    return [(e, e.record) for e in await broadcast(store, station) if isinstance(e.record, Audio)]


async def cast_audio(store: StreamStore, cast: str) -> list[tuple[Entry, Audio]]:
    """Every audio record of a cast, those that a restart made void too."""
    found = await entries(store, names.cast(cast), records.CAST)
    return [(e, e.record) for e in found if isinstance(e.record, Audio)]


async def has_lead(store: StreamStore, station: str) -> None:
    """Wait until `LEAD_MS` more stand than are heard."""

    async def stands() -> bool:
        made = await audio_of(store, station)
        return bool(made) and made[-1][1].until - time.time() * 1000 >= LEAD_MS

    await until(stands, within_s=180)


def runs(stream: list[Entry]) -> list[str]:
    """The runs in a broadcast, in order of their first sentence."""
    return list(
        dict.fromkeys(e.record.run for e in stream if isinstance(e.record, Audio | Skip) and e.record.run)
    )


def spoken(stream: list[Entry], run: str) -> list[Audio | Skip]:
    """The run's sentences in order, spoken or skipped."""
    return [e.record for e in stream if isinstance(e.record, Audio | Skip) and e.record.run == run]


def script_text(script: list[Entry], said: list[Audio | Skip]) -> str:
    """The run's script up to where it has been spoken, after its cuts.

    Of each cut, what lies between `keep` and the cut's own record is void, as far as it had not been spoken.
    """
    ends = [record.src for record in said if record.src is not None]
    pieces: list[tuple[ScriptPosition, bytes]] = []
    for entry in script:
        match entry.record:
            case records.Text(body=body):
                pieces.append((ScriptPosition(entry.seq, 0), body))
            case records.ScriptStart(keep=keep) | records.Cut(keep=keep):
                spoken_here = [end for end in ends if end.seq < entry.seq]
                pieces = _kept(pieces, max([keep, *spoken_here]))
    return b"".join(body for _, body in _kept(pieces, max(ends))).decode()


def _kept(
    pieces: list[tuple[ScriptPosition, bytes]], keep: ScriptPosition
) -> list[tuple[ScriptPosition, bytes]]:
    """The pieces up to a position."""
    kept = [(start, body) for start, body in pieces if start.seq < keep.seq]
    return kept + [(start, body[: keep.offset]) for start, body in pieces if start.seq == keep.seq]


def sentences(text: str) -> list[str]:
    """A text's sentences, cut as one."""
    splitter = Splitter()
    return [sentence.text for sentence in (*splitter.feed(text), *splitter.finish())]


async def is_exactly_once(store: StreamStore, station: str, run: str) -> None:
    """Assert the measure: captions in order are the script up to the last `src`, each sentence once."""
    stream = await broadcast(store, station)
    said = spoken(stream, run)
    assert said, f"nothing of {run} was spoken"
    positions = [record.src for record in said if record.src is not None]
    assert positions == sorted(set(positions)), "a place in the script was spoken twice, or out of order"
    assert [record.i for record in said] == list(range(len(said))), "a sentence is missing or there twice"
    script = await entries(store, names.script(station, run), records.SCRIPT)
    assert [record.t for record in said] == sentences(script_text(script, said))
