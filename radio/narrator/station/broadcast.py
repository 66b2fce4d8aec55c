"""The state of a broadcast: where its air time and its bytes end, and how far each run got.

`BroadcastState` folds records in order. `look_back` reads as few records as needed, backwards from the tail,
as a broadcast never ends.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from radio.narrator.station.editor_requests import EDITOR
from radio.streams import names, records
from radio.streams.contract import FromSeq, StreamStore
from radio.streams.reading import all_records, known, tail_of
from radio.streams.records import SCRIPT_START, AnyRecord, ScriptPosition

_FIRST_LOOK = 32
_LOOK_GROWTH = 4


@dataclass(frozen=True, slots=True)
class RunProgress:
    """How far a run got: where its last sentence ends in the script, and the index of its next one.

    Attributes:
        is_skipping: the editor skipped the segment that `src` lies in.
    """

    src: ScriptPosition = SCRIPT_START
    next_i: int = 0
    is_skipping: bool = False


@dataclass(slots=True)
class BroadcastState:
    """A broadcast up to some record.

    Attributes:
        end: epoch ms at which its last audio ends, after the steps of the clock since; None if there is none.
        pos: how many bytes of audio it has.
        run: the run whose audio comes next, by the last `show`.
        places: how far each run got, of the runs seen.
        heard: runs with audio, of the runs seen.
        ended: runs with an `end`.
        tries: `try` of the last `start`; None if there is none.
        has_sentence: whether an `audio` or `skip` follows that `start`.
        newest_ms: timestamp of its newest record.
        sentences: seq of each run's newest sentence, of the runs seen.
        words: seq of each run's newest record that tells whether its segment is skipped. A sentence that the
            editor asked for does not tell, so a run with only such sentences is not in here.
        audio: seq of the newest audio.
        epoch: seq of the newest `epoch`; None if there is none.
    """

    end: int | None = None
    pos: int = 0
    run: str | None = None
    places: dict[str, RunProgress] = field(default_factory=dict)
    heard: set[str] = field(default_factory=set)
    ended: set[str] = field(default_factory=set)
    tries: int | None = None
    has_sentence: bool = False
    newest_ms: int | None = None
    sentences: dict[str, int] = field(default_factory=dict)
    words: dict[str, int] = field(default_factory=dict)
    audio: int | None = None
    epoch: int | None = None

    def fold(self, seq: int, record: AnyRecord) -> None:
        match record:
            case records.BroadcastStart():
                self.tries, self.has_sentence = record.tries, False
            case records.ShowBegin():
                self.run = record.run
            case records.Audio():
                self.end, self.pos, self.audio = record.until, record.pos + len(record.body), seq
                self.epoch = record.epoch
                if record.run is not None:
                    self.heard.add(record.run)
                self._spoken(seq, record)
            case records.Skip():
                self._spoken(seq, record)
            case records.Epoch():
                self.end = None if self.end is None else self.end + record.step
                self.epoch = seq
            case records.BroadcastEnd():
                self.ended.add(record.run)

    def _spoken(self, seq: int, record: records.Audio | records.Skip) -> None:
        self.has_sentence = True
        if record.run is not None and record.src is not None:
            self.run, self.sentences[record.run] = record.run, seq
            is_skipping = self.place(record.run).is_skipping
            if record.c is None or _is_skipping(record):  # else it is not from the script
                self.words[record.run], is_skipping = seq, _is_skipping(record)
            self.places[record.run] = RunProgress(record.src, record.i + 1, is_skipping)

    def place(self, run: str) -> RunProgress:
        return self.places.get(run, RunProgress())

    def needed(self, runs: Iterable[str]) -> list[int]:
        """The seqs of the records from which a successor learns how far these open runs got."""
        return [found[run] for run in runs for found in (self.sentences, self.words) if run in found]


def _is_skipping(record: records.Audio | records.Skip) -> bool:
    return isinstance(record, records.Skip) and record.reason == EDITOR


async def newest_audio_ms(store: StreamStore, station: str) -> int | None:
    """The timestamp of the broadcast's newest audio; None if there is none."""
    name = names.broadcast(station)
    end, step = await tail_of(store, name), _FIRST_LOOK
    while end > 0:
        first, newest = max(0, end - step), None
        async for record in all_records(store, name, FromSeq(first), end=end):
            if records.event_of(record) == records.Audio.EVENT:
                newest = record.timestamp
        if newest is not None:
            return newest
        end, step = first, step * _LOOK_GROWTH
    return None


async def look_back(
    store: StreamStore, station: str, wanted: Mapping[str, int]
) -> tuple[BroadcastState, int]:
    """The state of the broadcast, and its tail.

    The last `start` may be weeks back. Then `tries` is None, and a sentence follows that `start`.

    Args:
        wanted: runs whose progress or end must be known, each with the timestamp (ms) of its `begin`: no
            record of it is older.
    """
    name = names.broadcast(station)
    tail = await tail_of(store, name)
    first, step, kept = tail, _FIRST_LOOK, list[_Seen]()
    while True:
        lower = max(0, first - step)
        page = await _page(store, name, lower, first)
        kept, first, step = page + kept, lower, step * _LOOK_GROWTH
        on_air = BroadcastState()
        for seen in kept:
            on_air.fold(seen.seq, seen.content)
        oldest_ms = kept[0].ms if kept else None
        if first == 0 or _is_enough(on_air, wanted, oldest_ms):
            on_air.newest_ms = kept[-1].ms if kept else None
            return on_air, tail


def _is_enough(on_air: BroadcastState, wanted: Mapping[str, int], oldest_ms: int | None) -> bool:
    if on_air.end is None or oldest_ms is None:
        return False
    known = on_air.words.keys() | on_air.ended
    return all(run in known or begun_ms > oldest_ms for run, begun_ms in wanted.items())


@dataclass(frozen=True, slots=True)
class _Seen:
    """A record: its seq, its timestamp, what it says."""

    seq: int
    ms: int
    content: AnyRecord


async def _page(store: StreamStore, name: str, first: int, end: int) -> list[_Seen]:
    """The records there. Only the last audio keeps its body: it alone says where the bytes end."""
    page: list[_Seen] = []
    heavy: tuple[int, records.Audio] | None = None
    async for record in all_records(store, name, FromSeq(first), end=end):
        content = known(records.BROADCAST, record, name)
        if content is None:
            continue
        if isinstance(content, records.Audio):
            if heavy is not None:
                page[heavy[0]] = replace(page[heavy[0]], content=replace(heavy[1], body=b""))
            heavy = len(page), content
        page.append(_Seen(record.seq, record.timestamp, content))
    return page
