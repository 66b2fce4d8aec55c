"""A store that is not the one that the data folder had before is said to be another, once."""

import logging
from pathlib import Path

import pytest

from radio.clock import ManualClock
from radio.streams import names, records
from radio.streams.admin.copying import CopyRefused
from radio.streams.admin.store_identity import recognise
from radio.streams.stores.memory import MemoryStore


def others(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str]]:
    found = [r.__dict__ for r in caplog.records if r.__dict__.get("action") == "store.other"]
    return [(r["before"], r["store"]) for r in found]


async def test_the_first_store_and_the_same_store_are_no_news(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = MemoryStore(ManualClock())
    await recognise(store, tmp_path / "var")
    await recognise(store, tmp_path / "var")
    assert others(caplog) == []
    assert [path.name for path in (tmp_path / "var").iterdir()] == ["store.id"]


async def test_another_store_is_said_once_by_both_ids(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    old, new = MemoryStore(ManualClock()), MemoryStore(ManualClock())
    for store in (old, new, new):
        await recognise(store, tmp_path)
    assert others(caplog) == [(await old.store_id(), await new.store_id())]


async def test_half_a_copy_is_refused(tmp_path: Path) -> None:
    store = MemoryStore(ManualClock())
    await store.append(names.COPY, [records.encode(records.CopyBegun(source="another"))])
    with pytest.raises(CopyRefused, match="unfinished copy of another") as refused:
        await recognise(store, tmp_path)
    assert "radio store copy" in refused.value.hint
    done = records.CopyDone(source="another", streams=0, records=0, digest="")
    await store.append(names.COPY, [records.encode(done)])
    await recognise(store, tmp_path)
