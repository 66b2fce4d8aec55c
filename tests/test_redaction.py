"""What a redaction takes out of records, how requests fold to it, and what a store then still holds."""

import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radio import control
from radio.clock import ManualClock
from radio.mp3.frames import FRAME_BYTES, SILENCE_FRAME
from radio.redaction import REDACT, RedactionLog, Redactions, erase, spell, stretch, veiled
from radio.streams import names, records
from radio.streams.contract import FromSeq, NewRecord, Record, StreamNotFound, StreamStore
from radio.streams.stores.memory import MemoryStore
from radio.streams.stores.sqlite.store import SqliteStore
from tests.relay.airing import Air, sound

SECRET = "The address is nine Quay Street."


def asked(seq: int, what: str, target: str, detail: str) -> Record:
    new = records.encode(records.ControlRequest(what=what, target=target, detail=detail))
    return Record(seq, 0, new.headers, new.body)


def folded(*stretches: tuple[int, int]) -> Redactions:
    found = [asked(seq, REDACT, "harbor", spell(*cut)) for seq, cut in enumerate(stretches)]
    redactions = Redactions()
    redactions.fold(found, len(found))
    return redactions


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 6)), max_size=8))
def test_a_record_is_redacted_if_any_request_held_it(asks: Sequence[tuple[int, int]]) -> None:
    stretches = [(first, first + more) for first, more in asks]
    redactions = folded(*stretches)
    for seq in range(60):
        wanted = any(first <= seq <= last for first, last in stretches)
        assert redactions.holds("harbor", seq) == wanted
        assert not redactions.holds("night", seq)
    united = redactions.of("harbor")
    assert all(before[1] + 1 < after[0] for before, after in pairwise(united))


def test_what_of_a_stretch_is_redacted_is_told_in_order() -> None:
    redactions = folded((30, 40), (5, 8), (9, 10))
    assert redactions.of("harbor") == ((5, 10), (30, 40))
    assert redactions.within("harbor", 8, 33) == ((8, 10), (30, 33))
    assert redactions.within("harbor", 11, 29) == ()


def test_requests_fold_once_in_any_pages_and_what_makes_no_sense_is_none() -> None:
    found = [
        asked(0, REDACT, "harbor", "4 6"), asked(1, "mute", "harbor", ""), asked(2, REDACT, "harbor", "9 7"),
        asked(3, REDACT, "harbor", "x 7"), asked(4, REDACT, "harbor", "7"), asked(5, REDACT, "night", "1 1"),
    ]  # fmt: skip
    for cut in range(len(found) + 1):
        redactions = Redactions()
        redactions.fold(found[:cut], cut)
        redactions.fold(found, len(found))
        assert (redactions.of("harbor"), redactions.of("night")) == (((4, 6),), ((1, 1),))
    assert stretch(spell(3, 3)) == (3, 3)


def record(event: records.AnyRecord, seq: int = 7) -> Record:
    new = records.encode(event)
    return Record(seq, 123, new.headers, new.body)


def audio(text: str = SECRET) -> records.Audio:
    return records.Audio(
        i=3, d=2016, t=text, pos=960, at=1_800_000_000_000, run="night@20270115T0800",
        src=records.ScriptPosition(1, 40), c=5, body=sound(1),
    )  # fmt: skip


def test_a_veiled_sentence_is_as_long_where_it_was_and_says_nothing() -> None:
    was = audio()
    shown = veiled(record(was))
    told = records.decode(records.BROADCAST, shown)
    assert isinstance(told, records.Audio)
    assert told.body == SILENCE_FRAME * (len(was.body) // FRAME_BYTES)
    assert told.t == ""
    for kept in ("i", "d", "pos", "at", "run", "src", "c"):
        assert getattr(told, kept) == getattr(was, kept)
    assert (shown.seq, shown.timestamp) == (7, 123)
    assert veiled(shown) == shown


def test_the_words_of_a_sentence_that_could_not_be_spoken_go_and_other_records_stay() -> None:
    skip = records.Skip(i=1, t=SECRET, reason="silent", run="x", src=records.ScriptPosition(1, 2))
    told = records.decode(records.BROADCAST, veiled(record(skip)))
    assert isinstance(told, records.Skip)
    assert (told.t, told.reason, told.src) == ("", "silent", records.ScriptPosition(1, 2))
    show = record(records.ShowBegin(run="x", show="x", title="Night Book", at=1))
    fence = Record(4, 1, (), b"e1.narrator", "fence")
    assert veiled(show) == show
    assert veiled(fence) == fence


def test_of_a_record_of_a_newer_radio_nothing_is_left_but_its_kind() -> None:
    newer = Record(7, 1, ((b"e", b"audio"), (b"v", b"99"), (b"t", SECRET.encode())), b"words")
    assert veiled(newer) == Record(7, 1, ((b"e", b"audio"), (b"v", b"99")), b"")


# --- in the store -------------------------------------------------------------------------------------------


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(1_800_000_000_000)


@pytest.fixture(params=["memory", "sqlite"])
async def store(
    request: pytest.FixtureRequest, clock: ManualClock, tmp_path: Path
) -> AsyncIterator[StreamStore]:
    made: StreamStore = MemoryStore(clock)
    if request.param == "sqlite":
        made = await SqliteStore.open(tmp_path / "radio.sqlite3", clock)
    yield made
    await made.close()


async def test_a_ledger_reads_on_from_where_it_was(store: StreamStore) -> None:
    ledger = RedactionLog(store)
    assert (await ledger.read()).of("harbor") == ()
    await control.ask(store, REDACT, "harbor", [spell(1, 2)])
    assert (await ledger.read()).of("harbor") == ((1, 2),)
    await control.ask(store, REDACT, "harbor", [spell(8, 9)] * 1)
    assert (await ledger.read()).of("harbor") == ((1, 2), (8, 9))
    assert ledger.folded.next_seq == 2


async def test_records_are_written_over_and_all_others_are_as_they_were(
    store: StreamStore, clock: ManualClock
) -> None:
    air = await Air(store, clock).begin()
    said = await air.say_many(90, seconds=0.2)
    name = names.broadcast("harbor")
    before = (await store.read(name, FromSeq(0), include_commands=True)).records
    tail = await store.check_tail(name)
    assert await erase(store, "harbor", said[10], said[80]) is True
    after = (await store.read(name, FromSeq(0), include_commands=True)).records
    assert len(after) == len(before)
    for old, new in zip(before, after, strict=True):
        assert new == (veiled(old) if said[10] <= old.seq <= said[80] else old)
    assert await store.check_tail(name) == tail
    assert await store.fencing_token(name) == "e1.narrator"
    await air.say("It goes on.")


async def test_commands_and_what_is_trimmed_are_left_alone(store: StreamStore, clock: ManualClock) -> None:
    air = await Air(store, clock).begin()
    said = await air.say_many(4)
    name = names.broadcast("harbor")
    await store.trim(name, said[2], fencing_token="e1.narrator")
    assert await erase(store, "harbor", 0, said[3]) is True
    page = await store.read(name, FromSeq(0), include_commands=True)
    assert [(r.seq, r.kind) for r in page.records] == [(4, "data"), (5, "data"), (6, "trim")]
    with pytest.raises(StreamNotFound):
        await store.overwrite("pub/stations/none", page.records)  # type: ignore[attr-defined]


async def test_nothing_of_what_was_said_is_left_in_the_files_of_sqlite(
    tmp_path: Path, clock: ManualClock
) -> None:
    path = tmp_path / "radio.sqlite3"
    store = await SqliteStore.open(path, clock)
    other = await SqliteStore.open(path, clock)  # as the radio's processes, while the operator redacts
    air = await Air(other, clock).begin()
    kept = await air.say("This may be heard.")
    seq = await air.say(SECRET, seconds=6.0)
    loud = sound(1, 6.0)[FRAME_BYTES * 100 : FRAME_BYTES * 110]
    assert any(SECRET.encode() in held and loud in held for held in contents(tmp_path))
    assert await erase(store, "harbor", seq, seq) is True
    assert not any(SECRET.encode() in held or loud in held for held in contents(tmp_path))
    page = await other.read(names.broadcast("harbor"), FromSeq(kept))
    assert [len(r.body) for r in page.records] == [len(sound(0)), len(sound(1, 6.0))]
    await other.close()
    await store.close()


async def test_while_an_older_state_is_read_the_log_may_still_hold_it_and_that_is_said(
    tmp_path: Path, clock: ManualClock
) -> None:
    path = tmp_path / "radio.sqlite3"
    store = await SqliteStore.open(path, clock)
    air = await Air(store, clock).begin()
    seq = await air.say(SECRET)
    with closing(sqlite3.connect(path)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM record").fetchone()
        assert await erase(store, "harbor", seq, seq) is False
    assert await erase(store, "harbor", seq, seq) is True
    assert not any(SECRET.encode() in held for held in contents(tmp_path))
    await store.close()


def contents(folder: Path) -> list[bytes]:
    """All that lies there, file by file; the database and its log as one."""
    base = b"".join(path.read_bytes() for path in sorted(folder.glob("radio.sqlite3*")))
    return [base]


async def test_a_store_that_keeps_every_record_says_so(clock: ManualClock) -> None:
    class AppendOnly:
        """A store that has the contract and no more."""

        def __init__(self, inner: StreamStore) -> None:
            self.inner = inner

        def __getattr__(self, name: str) -> object:
            if name == "overwrite":
                raise AttributeError(name)
            return getattr(self.inner, name)

    inner = MemoryStore(clock)
    await inner.append(names.broadcast("harbor"), [NewRecord(b"x")])
    assert await erase(AppendOnly(inner), "harbor", 0, 0) is None  # type: ignore[arg-type]
