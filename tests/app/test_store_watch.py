import asyncio
import dataclasses
import sys
from pathlib import Path

import pytest

from radio.app import store_watch
from radio.app.process import Frame, with_store
from radio.child_processes import spawn
from radio.clock import ManualClock
from radio.errors import RadioError, Unsupported
from radio.settings import Settings
from radio.streams.contract import NewRecord, StoreError, StreamStore, Unavailable
from radio.streams.stores.memory import MemoryStore
from radio.streams.stores.open_store import SQLITE_FILE, open_store
from tests.waiting import until


class Ended(Exception):
    """The process would have ended."""


@pytest.fixture(autouse=True)
def ends(monkeypatch: pytest.MonkeyPatch) -> None:
    def end() -> None:
        raise Ended

    monkeypatch.setattr(store_watch, "LOOK_S", 0.0)
    monkeypatch.setattr(store_watch, "end_at_once", end)


class OneOf(MemoryStore):
    """A store whose id is what a server answers next: an id, or an error."""

    def __init__(self, *answers: str | RadioError) -> None:
        super().__init__(ManualClock())
        self.answers = list(answers)

    async def store_id(self) -> str:
        answer = self.answers.pop(0)
        if isinstance(answer, RadioError):
            raise answer
        return answer


SERVER = Settings(store="s2://radio-main")


async def test_a_server_that_answers_with_another_store_ends_the_process() -> None:
    store = OneOf("one", "one", Unavailable("away"), "one", "another")
    was = await store_watch.standing(SERVER, store)
    with pytest.raises(Ended):
        await store_watch.end_when_replaced(was, store)
    assert store.answers == []


async def test_a_server_that_answers_with_an_error_is_not_another_store_and_is_looked_at_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    refused, odd = StoreError("401 the token is expired"), Unsupported("no id of a radio")
    store = OneOf("one", refused, refused, odd, "one", refused, Unavailable("away"), refused, "another")
    was = await store_watch.standing(SERVER, store)
    with pytest.raises(Ended):
        await store_watch.end_when_replaced(was, store)
    assert store.answers == []
    told = [r.args for r in caplog.records if getattr(r, "action", "") == "store.no_id"]
    assert told == [(refused,), (odd,), (refused,)]


@pytest.mark.parametrize("is_replaced", [True, False])
async def test_a_file_that_is_gone_or_another_ends_the_process(tmp_path: Path, is_replaced: bool) -> None:
    settings = Settings(data=tmp_path)
    store = await open_store(settings, ManualClock())
    was = await store_watch.standing(settings, store)
    await store.append("a", [NewRecord(b"x")])
    assert not was.is_file_replaced()
    file = tmp_path / SQLITE_FILE
    if is_replaced:
        (tmp_path / "other").write_bytes(file.read_bytes())
        (tmp_path / "other").replace(file)
    else:
        file.unlink()
    assert was.is_file_replaced()
    with pytest.raises(Ended):
        await store_watch.end_when_replaced(was, store)
    await store.close()


async def test_work_that_fails_since_the_store_was_replaced_ends_the_process_too(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def opened(*_: object) -> OneOf:
        return OneOf("one", "one", "another")

    async def fail(_: StreamStore) -> None:
        raise StoreError("no basin")

    monkeypatch.setattr("radio.streams.stores.open_store.open_store", opened)
    monkeypatch.setattr(store_watch, "LOOK_S", 3600.0)
    frame = Frame(settings=replaced_settings(tmp_path), clock=ManualClock(), stop=asyncio.Event())
    with pytest.raises(Ended):
        await with_store(frame, fail)


@pytest.mark.parametrize("answer", ["one", Unavailable("away")])
async def test_work_that_fails_on_the_same_store_fails_as_it_did(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, answer: str | RadioError
) -> None:
    async def opened(*_: object) -> OneOf:
        return OneOf("one", "one", answer)

    async def fail(_: StreamStore) -> None:
        raise StoreError("no basin")

    monkeypatch.setattr("radio.streams.stores.open_store.open_store", opened)
    monkeypatch.setattr(store_watch, "LOOK_S", 3600.0)
    frame = Frame(settings=replaced_settings(tmp_path), clock=ManualClock(), stop=asyncio.Event())
    with pytest.raises(ExceptionGroup) as failed:
        await with_store(frame, fail)
    assert [str(error) for error in failed.value.exceptions] == ["no basin"]


def replaced_settings(folder: Path) -> Settings:
    return Settings(data=folder, store="s2://radio-main")


def remove_store(folder: Path) -> None:
    for file in folder.glob(f"{SQLITE_FILE}*"):
        file.unlink()


PROCESS = """
import asyncio
from pathlib import Path
from radio.app import process
from radio.settings import Settings

async def body(frame):
    async def work(store):
        (frame.settings.data / "up").touch()
        await asyncio.sleep(600)
    await process.with_store(frame, work)

process.run(Settings(data=Path({!r})), "test", body)
"""


async def test_a_process_ends_by_itself_and_takes_no_file_of_the_new_store_away(tmp_path: Path) -> None:
    child = await spawn([sys.executable, "-c", PROCESS.format(str(tmp_path))], name="test")
    try:
        await until((tmp_path / "up").exists)
        remove_store(tmp_path)
        new = await open_store(dataclasses.replace(Settings(), data=tmp_path), ManualClock())
        await new.append("a", [NewRecord(b"x")])
        assert await child.wait() == store_watch.REPLACED_STATUS
        assert (tmp_path / f"{SQLITE_FILE}-wal").exists()
        assert (await new.check_tail("a")).seq == 1
        await new.close()
    finally:
        child.kill()
