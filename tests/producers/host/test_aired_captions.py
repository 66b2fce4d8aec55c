"""What a station had on air before a run, in words."""

import pytest

from radio import control
from radio.clock import ManualClock
from radio.producers.host import aired_captions
from radio.redaction import REDACT, spell
from radio.streams import names
from radio.streams.records import ArchivedRun, Audio, Epoch, ScriptPosition, encode
from radio.streams.stores.memory import MemoryStore
from tests.producers.samples import NOW, RUN, STATION

YESTERDAY = "night@20270114T0900"


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore(ManualClock(NOW))


async def air(store: MemoryStore, run: str, *captions: str) -> tuple[int, int]:
    """Append audio with these captions; the first and last seq."""
    audio = [
        Audio(i=n, d=24, t=t, pos=0, at=NOW, run=run, src=ScriptPosition(n, 0), body=b"")
        for n, t in enumerate(captions)
    ]
    ack = await store.append(names.broadcast(STATION), [encode(record) for record in audio])
    return ack.start.seq, ack.end.seq - 1


async def archive(store: MemoryStore, run: str, show: str, span: tuple[int, int]) -> None:
    entry = ArchivedRun(run=run, show=show, title="x", spans=(span,), at=NOW, until=NOW, size=0, sentences=1)
    await store.append(names.shows(STATION), [encode(entry)])


async def captions(store: MemoryStore) -> tuple[str, ...]:
    return await aired_captions.captions(store, STATION, "night", but_not=RUN)


async def test_a_new_station_had_nothing_on_air(store: MemoryStore) -> None:
    assert await captions(store) == ()


async def test_the_newest_captions_are_known_but_not_those_of_the_run_itself(store: MemoryStore) -> None:
    await air(store, YESTERDAY, "One.", "Two.")
    await store.append(names.broadcast(STATION), [encode(Epoch(step=24))])
    await air(store, RUN, "Mine.")
    assert await captions(store) == ("One.", "Two.")


async def test_the_same_show_s_last_run_is_known_however_long_ago(
    store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(aired_captions, "RECORDS", 2)
    await archive(store, "night@20270113T0900", "night", await air(store, "night@20270113T0900", "Older."))
    await archive(store, YESTERDAY, "night", await air(store, YESTERDAY, "One.", "Two.", "Three."))
    await archive(store, "other@1", "other", await air(store, "other@1", "A.", "B.", "C."))
    assert await captions(store) == ("Two.", "Three.", "B.", "C.")


async def test_what_is_redacted_is_never_told_to_a_host(store: MemoryStore) -> None:
    first, _ = await air(store, YESTERDAY, "One.", "Two.", "Three.")
    await control.ask(store, REDACT, STATION, [spell(first + 1, first + 1)])
    await control.ask(store, REDACT, "another", [spell(first, first + 2)])
    assert await captions(store) == ("One.", "Three.")


async def test_no_caption_comes_twice(store: MemoryStore) -> None:
    await archive(store, YESTERDAY, "night", await air(store, YESTERDAY, "One.", "Two."))
    await archive(store, RUN, "night", await air(store, RUN, "Mine."))
    assert await captions(store) == ("One.", "Two.")
