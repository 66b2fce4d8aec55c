"""Commands of the operator over casts: what they write, and how they refuse."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest

from radio import casts
from radio.cli import main
from radio.cli.operator.casts import cast_of
from radio.clock import SystemClock
from radio.errors import BadInput
from radio.settings import Settings
from radio.streams import names, records
from radio.streams.contract import FromSeq, StreamNotFound, StreamStore
from radio.streams.stores.open_store import open_store

T = TypeVar("T")


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RADIO_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def on_store(data: Path, work: Callable[[StreamStore], Awaitable[T]]) -> T:
    data.mkdir(exist_ok=True)

    async def run() -> T:
        store = await open_store(Settings(data=data), SystemClock())
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(run())


async def submitted(store: StreamStore) -> str:
    return (await casts.submit(store, SystemClock(), text="Ships pass.", voice="af_heart")).cast


async def asked(store: StreamStore) -> list[tuple[str, str, str]]:
    try:
        page = await store.read(names.CONTROL, FromSeq(0))
    except StreamNotFound:
        return []
    found = [records.decode(records.CONTROL, record) for record in page.records]
    return [(r.what, r.target, r.detail) for r in found if isinstance(r, records.ControlRequest)]


def test_casts_are_paused_and_go_on(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    on_store(data, submitted)
    assert main(["casts", "pause"]) == 0
    assert "radio casts resume" in capsys.readouterr().out
    assert main(["casts", "resume"]) == 0
    assert on_store(data, asked) == [("pause", "casts", ""), ("resume", "casts", "")]


def test_the_operator_removes_a_cast_by_its_id_or_its_link(data: Path) -> None:
    cast = on_store(data, submitted)
    assert main(["casts", "remove", cast]) == 0
    assert main(["casts", "remove", f"http://127.0.0.1:8321/c/{cast}"]) == 0
    assert on_store(data, asked) == [("remove", cast, "operator")] * 2


@pytest.mark.parametrize(
    ("link", "cast"),
    [
        ("-bcdefghijk_", "-bcdefghijk_"), ("/casts/abcdefghijkl.mp3", "abcdefghijkl"),
        ("https://radio.example/c/abcdefghijkl#t=3", "abcdefghijkl"),
        ("https://radio.example/casts/abcdefghijkl/events?from=3", "abcdefghijkl"),
        ("https://radio.example/c/abcdefghijkl/", "abcdefghijkl"),
    ],
)  # fmt: skip
def test_a_link_names_its_cast(link: str, cast: str) -> None:
    assert cast_of(link) == cast


@pytest.mark.parametrize("link", ["", "short", "abcdefghijklm", "https://radio.example/s/harbor", "events"])
def test_what_names_no_cast_is_refused(link: str) -> None:
    with pytest.raises(BadInput, match="is no cast") as error:
        cast_of(link)
    assert error.value.hint


def test_an_id_may_begin_with_a_dash_and_one_that_is_unknown_changes_nothing(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    on_store(data, submitted)
    assert main(["casts", "remove", "--", "-bcdefghijk_"]) == 1
    assert "there is no cast -bcdefghijk_ in this store" in capsys.readouterr().err
    assert main(["casts", "remove", "https://radio.example/s/harbor"]) == 2
    assert on_store(data, asked) == []


@pytest.mark.parametrize("words", [("pause",), ("resume",), ("remove", "abcdefghijkl")])
def test_where_there_is_no_store_none_is_made(
    data: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    assert main(["casts", *words]) == 1
    assert "there is no store in" in capsys.readouterr().err
    assert not data.exists()
