"""What a station's owner reads while it owns it: the runs that begin and end, their scripts, and the card."""

import asyncio
import logging
from collections.abc import Callable

from radio.errors import BadInput
from radio.log import log_event
from radio.narrator.station.broadcast import RunProgress
from radio.narrator.station.run_reader import RunReader
from radio.narrator.station.takeover import TakenStation
from radio.pronunciation import NONE, from_entries
from radio.runs import Run, RunHistory
from radio.streams import names, records
from radio.streams.contract import FromSeq, FromTail, Record, StreamStore
from radio.streams.reading import known

log = logging.getLogger(__name__)


class StationInputs:
    """Starts from what was read when the station was taken; `start` follows what comes.

    Attributes:
        readers: the open runs, by planned air time.
        card: the station's newest card; None until one is read.
        pronounce: the card's list of words that are said differently from the rules.

    Args:
        place: tells how far a run got.
        changed: set whenever something was read.
    """

    def __init__(
        self,
        store: StreamStore,
        station: str,
        taken: TakenStation,
        place: Callable[[str], RunProgress],
        changed: asyncio.Event,
    ) -> None:
        self.readers: list[RunReader] = taken.readers
        self.card: records.Card | None = None
        self.pronounce = NONE
        self._store = store
        self._station = station
        self._history: RunHistory = taken.history
        self._history_at = taken.history_at
        self._voice = taken.voice
        self._place = place
        self._changed = changed
        self._tails: asyncio.TaskGroup | None = None
        self._followed: dict[str, asyncio.Task[None]] = {}
        if taken.card is not None:
            self._take_card(taken.card)

    @property
    def open_runs(self) -> list[str]:
        """The ids of the open runs, by planned air time."""
        return [reader.run.id for reader in self.readers]

    @property
    def begun(self) -> dict[str, int]:
        """The runs that are known, each with the seq of its `begin`."""
        return {run.id: run.seq for run in self._history.runs.values()}

    def reader(self, run: str | None) -> RunReader | None:
        """The open run with that id."""
        return next((reader for reader in self.readers if reader.run.id == run), None)

    def start(self, tails: asyncio.TaskGroup) -> None:
        """Follow all inputs in tasks of this group. They end only by an error or by cancellation."""
        self._tails = tails
        tails.create_task(self._follow_runs(), name=f"{self._station} history")
        tails.create_task(self._follow_card(), name=f"{self._station} card")
        for reader in self.readers:
            self._follow(reader, tails)

    def drop(self, reader: RunReader) -> None:
        """Stop reading a run that is over."""
        self.readers.remove(reader)
        if (task := self._followed.pop(reader.run.id, None)) is not None:
            task.cancel()

    async def _follow_runs(self) -> None:
        name = names.station_input(self._station)
        async with self._store.follow(name, FromSeq(self._history_at), await_stream=True) as tail:
            async for result in tail:
                for record in result.records:
                    await self._on_input(record)
                self._changed.set()

    async def _on_input(self, record: Record) -> None:
        event = known(records.STATION_INPUT, record, names.station_input(self._station))
        run = None if event is None else self._history.fold(record.seq, event, record.timestamp)
        if run is None:
            return
        reader = next((r for r in self.readers if r.run is run), None)
        if run.is_ended:
            if reader is not None:
                await reader.end()
        elif reader is None and self._tails is not None:
            self._open(run, self._tails)

    def _open(self, run: Run, tails: asyncio.TaskGroup) -> None:
        voices = [self._voice] if self.card is None else [self.card.voice, self._voice]
        place = self._place(run.id)
        reader = RunReader(self._store, self._station, run, place, self._changed, other_voices=voices)
        self.readers.append(reader)
        self.readers.sort(key=lambda r: (r.run.plan.at, r.run.seq))
        self._follow(reader, tails)

    def _follow(self, reader: RunReader, tails: asyncio.TaskGroup) -> None:
        run = reader.run.id
        self._followed[run] = tails.create_task(reader.follow(), name=f"{self._station} {run}")

    async def _follow_card(self) -> None:
        async with self._store.follow(names.card(self._station), FromTail(8), await_stream=True) as tail:
            async for result in tail:
                for record in result.records:
                    card = known(records.CARD, record, names.card(self._station))
                    if isinstance(card, records.Card):
                        self._take_card(card)
                self._changed.set()

    def _take_card(self, card: records.Card) -> None:
        try:
            if self.card is None or card.pronounce != self.card.pronounce:
                self.pronounce = from_entries(card.pronounce)
        except BadInput as error:  # a list that another version of the radio wrote
            log.warning(
                "pronunciation list refused: %s",
                error,
                extra=log_event("pronounce.refused", station=self._station),
            )
            self.pronounce = NONE
        self.card = card
