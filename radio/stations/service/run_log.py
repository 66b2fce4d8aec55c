"""A station's input stream and card on the store, as their owner writes them."""

import logging

from radio.runs import fallback_id
from radio.stations.definition.station import Station
from radio.stations.service import plan
from radio.stations.service.run_history import StationHistory
from radio.streams import names
from radio.streams.contract import Fence, StreamNotFound, StreamStore, Trim
from radio.streams.ownership.stream_owner import Look, Member, Ownership, free, take
from radio.streams.reading import known, pages
from radio.streams.records import (
    STATION_INPUT,
    Begin,
    Card,
    InputStart,
    RunEnd,
    encode,
)
from radio.streams.writer import CoalescingWriter, append_exact

log = logging.getLogger(__name__)

KEEP_MS = 2 * 86_400_000
"""Records of runs that were over so long ago may go."""


class RunLog:
    """The begins and ends of a station's runs. Owning it is the right to start them."""

    def __init__(
        self, store: StreamStore, station: str, member: Member, ownership: Ownership, history: StationHistory
    ) -> None:
        self.history = history
        self.owner = member.owner
        """As whom it was taken."""
        self._store = store
        self._station = station
        self._member = member
        self._epoch = ownership.epoch
        self._writer = CoalescingWriter(
            store, names.station_input(station), fencing_token=ownership.token, start_at=ownership.next_seq
        )
        self._card: Ownership | None = None

    @classmethod
    async def take(cls, store: StreamStore, station: str, member: Member) -> "RunLog":
        """Become the station's scheduler.

        Raises:
            Owned: another one is, and lives.
        """
        name = names.station_input(station)
        history = StationHistory()

        async def look() -> Look:
            nonlocal history
            history, tail = await _read_history(store, name)
            return Look(encode(InputStart(owner=member.owner)), tail)

        ownership = await take(store, name, member, look, lives=member.lives)
        return cls(store, station, member, ownership, history)

    async def begin(self, begin: Begin) -> None:
        """A run begins; it must not have begun before."""
        seq = self._writer.next_seq
        await self._writer.append(encode(begin))
        self.history.fold(seq, begin)

    async def begin_fallback(
        self, station: Station, now: int, *, rung: str, producer: str, until: int | None
    ) -> Begin:
        """A fallback run begins; its id is the seq of this very record."""
        run = fallback_id(self._writer.next_seq)
        begin = plan.fallback_begin(station, run, now, rung=rung, producer=producer, until=until)
        await self.begin(begin)
        return begin

    async def end(self, run: str, reason: str, now: int) -> None:
        """No more script comes for this run."""
        seq = self._writer.next_seq
        record = RunEnd(run=run, reason=reason, at=now)
        await self._writer.append(encode(record))
        self.history.fold(seq, record)

    async def write_card(self, card: Card) -> None:
        """Tell narrators and relays of the station, in a stream of the same owner; older cards go."""
        name = names.card(self._station)
        if self._card is None:
            self._card = await take(
                self._store, name, self._member, self._look_at_card, lives=self._member.lives
            )
        ack = await append_exact(
            self._store,
            name,
            [encode(card), Trim(self._card.next_seq)],
            match_seq_num=self._card.next_seq,
            fencing_token=self._card.token,
        )
        self._card = Ownership(self._card.token, self._card.epoch, ack.end.seq)

    async def _look_at_card(self) -> Look:
        start = encode(InputStart(owner=self._member.owner))
        try:
            return Look(start, (await self._store.check_tail(names.card(self._station))).seq)
        except StreamNotFound:
            return Look(start, 0)

    async def trim(self, now: int) -> None:
        """Let go of the records of runs that were over days ago."""
        first = self.history.first_needed(now - KEEP_MS)
        if first is not None:
            await self._writer.append(Trim(first))
            self.history.forget(first)

    async def give_up(self) -> None:
        """Leave the station to whoever wants it."""
        await self._writer.append(Fence(free(self._epoch)))
        await self._writer.close()
        if self._card is not None:
            card, self._card = self._card, None
            await append_exact(
                self._store,
                names.card(self._station),
                [Fence(free(card.epoch))],
                match_seq_num=card.next_seq,
                fencing_token=card.token,
            )

    async def close(self) -> None:
        await self._writer.close()


async def _read_history(store: StreamStore, name: str) -> tuple[StationHistory, int]:
    """All that stands, and the tail; nothing and 0 if there is no stream."""
    history, at = StationHistory(), 0
    async for page in pages(store, name):
        for record in page.records:
            if (event := known(STATION_INPUT, record, name)) is not None:
                history.fold(record.seq, event)
        at = page.next_seq
    return history, at
