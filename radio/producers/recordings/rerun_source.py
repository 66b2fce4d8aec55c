"""Airs earlier runs of the station again: by seq, without synthesis; their captions come along.

Which runs there are is in the archive, which holds no fallbacks. A segment is a run, a piece a stretch of it,
so that a later run of the show goes on within a run of which not all was heard.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import dataclass

from radio import producer_kinds
from radio.mp3 import BYTES_PER_MS
from radio.producers.source import Brief, Over, Stretch
from radio.runs import is_fallback
from radio.streams import names
from radio.streams.contract import BeyondTail, FromSeq, StreamNotFound, StreamStore, Trimmed
from radio.streams.reading import all_events
from radio.streams.records import ARCHIVE, ArchivedRun

STRETCH = 24
"""Records of a piece: some two or three minutes."""
LOOK_S = 2.0
"""Between two looks for something to air, while a show has nothing."""
LATE_MS = 20_000
"""So long after its start a show waits for something to air."""
_END = "end"
_SEQS = "seqs"
"""What stretches go by that the editor names."""
_MS_A_RECORD = 5_000


@dataclass(frozen=True, slots=True)
class EarlierRun:
    """An earlier run, or what the editor named instead; `ms` of sound altogether."""

    run: str
    show: str
    spans: Sequence[tuple[int, int]]
    ms: int

    def stretches(self, after: int, seg: int) -> Iterator[Stretch]:
        """Its pieces, from the record after seq `after` on."""
        records = sum(last - first + 1 for first, last in self.spans)
        parts = [part for first, last in self.spans for part in _parts(max(first, after + 1), last)]
        for n, (first, last) in enumerate(parts, 1):
            mark = f"{self.run}#{_END if n == len(parts) else last}"
            yield Stretch(seg, first, last, self.ms * (last - first + 1) // records, mark)


def _parts(first: int, last: int) -> Iterator[tuple[int, int]]:
    return ((at, min(at + STRETCH - 1, last)) for at in range(first, last + 1, STRETCH))


class RerunSource:
    """The earlier runs of one run."""

    piece_within_s = 60.0

    def __init__(self, brief: Brief, options: producer_kinds.Rerun) -> None:
        assert brief.store is not None
        self._store: StreamStore = brief.store
        self._clock = brief.clock
        self._task = brief.assignment
        self._wait_until = min(self._task.until, max(self._task.at, self._clock.now_ms()) + LATE_MS)
        self.first_piece_within_s = self.piece_within_s + self._patience_s
        self._options = options
        self._seg = brief.next_seg
        self._written = list(brief.marks)
        self._marks = [*(heard.mark for heard in brief.memory.heard), *brief.marks]
        """Up to where runs were aired again, the latest last."""

    async def pieces(self) -> AsyncGenerator[Stretch, None]:
        """Each chosen run once, and, if it loops, again for as long as there is one.

        A show waits for something to air: the run before it is entered in the archive when it is over.
        A fallback does not, for the next rung may have something.

        Raises:
            Over: there is none.
        """
        done = {run for run, place in map(_parsed, self._written) if place == _END}
        if done and self._options.loop:
            done &= {run for run, _ in map(_parsed, self._written[-1:])}
        while True:
            chosen = [old for old in await self._chosen() if old.run not in done]
            if not chosen and not self._written and self._patience_s > 0:
                await asyncio.sleep(LOOK_S)
                continue
            if not chosen and (not done or not self._options.loop):
                break
            if not chosen:
                done.clear()
                continue
            async for piece in self._again(chosen[0]):
                yield piece
            done.add(chosen[0].run)
        if not self._written:
            raise Over("nothing to air again")

    @property
    def _patience_s(self) -> float:
        """For how long something may come that can still be aired."""
        return 0.0 if is_fallback(self._task.run) else (self._wait_until - self._clock.now_ms()) / 1000

    async def _again(self, old: EarlierRun) -> AsyncGenerator[Stretch, None]:
        for stretch in old.stretches(self._place_in(old), self._seg):
            assert stretch.mark is not None
            self._written.append(stretch.mark)
            self._marks.append(stretch.mark)
            yield stretch
        self._seg += 1

    def _place_in(self, old: EarlierRun) -> int:
        """After which seq it goes on: it was the latest, and not heard to its end; else -1."""
        marks = self._marks if self._options.order == "unplayed" else self._written
        run, place = _parsed(marks[-1]) if marks else ("", "")
        return int(place) if run == old.run and place.isdecimal() else -1

    async def _chosen(self) -> list[EarlierRun]:
        """In order; only what is kept whole."""
        found = await self._archived()
        if self._options.seqs:
            found = [EarlierRun(_SEQS, "", self._options.seqs, _ms(self._options.seqs))]
        kept = [old for old in found if await self._is_kept(old)]
        newest = kept[-self._options.newest :]
        if self._options.order == "newest":
            newest.reverse()
        if self._options.order == "unplayed":
            latest = {_parsed(mark)[0]: n for n, mark in enumerate(self._marks)}
            begun = _parsed(self._marks[-1]) if self._marks else ("", _END)
            newest.sort(key=lambda old: (old.run != begun[0] or begun[1] == _END, latest.get(old.run, -1)))
        return newest

    async def _archived(self) -> list[EarlierRun]:
        """The archive's runs that the editor means, oldest first."""
        events = all_events(self._store, ARCHIVE, names.shows(self._task.station))
        return [_old(run) async for _, run in events if isinstance(run, ArchivedRun) and self._is_meant(run)]

    def _is_meant(self, run: ArchivedRun) -> bool:
        if is_fallback(run.run) or not run.spans:
            return False
        return run.show in self._options.shows if self._options.shows else run.show != self._task.show

    async def _is_kept(self, old: EarlierRun) -> bool:
        name, first = names.broadcast(self._task.station), min(first for first, _ in old.spans)
        try:
            await self._store.read(name, FromSeq(first), max_records=1, on_gap="raise")
        except (Trimmed, BeyondTail, StreamNotFound):
            return False
        return True


def _old(run: ArchivedRun) -> EarlierRun:
    return EarlierRun(run.run, run.show, run.spans, run.size // BYTES_PER_MS)


def _ms(spans: Sequence[tuple[int, int]]) -> int:
    return sum(last - first + 1 for first, last in spans) * _MS_A_RECORD


def _parsed(mark: str) -> tuple[str, str]:
    """A mark's run and place."""
    run, _, place = mark.rpartition("#")
    return run, place


def open_source(brief: Brief) -> RerunSource:
    assert isinstance(brief.options, producer_kinds.Rerun)
    return RerunSource(brief, brief.options)
