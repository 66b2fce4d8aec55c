"""The S2 store and its basin: opening, ids, what it hides and what it refuses. N4, R11, X7, D3, M7 to M9."""

import asyncio
from pathlib import Path

import pytest

from radio.clock import SystemClock
from radio.errors import BadInput, Unsupported
from radio.settings import Settings
from radio.streams import names
from radio.streams.contract import (
    Appendable,
    Fence,
    FromSeq,
    FromTail,
    NewRecord,
    Position,
    StoreError,
    StreamNotFound,
    Unavailable,
)
from radio.streams.stores.open_store import open_store
from radio.streams.stores.s2 import basin
from radio.streams.stores.s2.appending import BATCH_ID
from radio.streams.stores.s2.failures import CallFailed, Denied, NoBasin, Verdict
from radio.streams.stores.s2.retries import RetryingCalls
from radio.streams.stores.s2.sdk import BasinClient
from radio.streams.stores.s2.store import S2Store
from tests.contract.kit import data
from tests.contract.s2_kit import S2Kit
from tests.need import need
from tests.s2_server import S2Server, free_port, new_basin
from tests.streams.stores.s2.scripted import Scripted
from tests.waiting import until


@pytest.fixture
async def raw(s2: S2Kit) -> BasinClient:
    """The server as it is, without the store."""
    client = BasinClient(s2.place)
    close = s2.close

    async def close_both() -> None:
        await client.close()
        await close()

    s2.close = close_both  # type: ignore[method-assign]
    return client


async def test_M7_of_many_who_open_a_new_basin_at_once_all_get_one_id(s2_server: S2Server) -> None:
    place = s2_server.place(new_basin())
    stores = await asyncio.gather(*(S2Store.open(place) for _ in range(8)))
    ids = {await store.store_id() for store in stores}
    assert len(ids) == 1
    assert len(next(iter(ids))) == 32
    for store in stores:
        await store.close()


async def test_M7_two_basins_have_two_ids_and_each_keeps_its_own(s2: S2Kit) -> None:
    mine = await s2.store.store_id()
    other = await S2Kit(s2.server).open()
    assert await other.store.store_id() != mine
    await other.close()
    await s2.reopen()
    assert await s2.store.store_id() == mine


async def test_M7_a_basin_that_is_gone_is_made_anew_under_another_id(tmp_path: Path) -> None:
    need("s2")
    server = S2Server(tmp_path / "s2")
    await asyncio.to_thread(server.start)
    store = await S2Store.open(server.place(new_basin()))
    try:
        before = await store.store_id()
        await asyncio.to_thread(server.kill)
        (tmp_path / "s2").rename(tmp_path / "lost")
        await asyncio.to_thread(server.start)
        now = await store.store_id()
        assert now != before
        assert await store.store_id() == now
    finally:
        await store.close()
        await asyncio.to_thread(server.kill)


async def test_M8_a_basin_whose_id_is_none_is_refused_and_left_as_it_is(s2: S2Kit) -> None:
    await s2.store.delete(names.STORE)
    await s2.lab().put_anew(names.STORE, b"something else")
    with pytest.raises(Unsupported) as failed:
        await s2.another()
    assert failed.value.hint
    assert await s2.bodies(names.STORE) == [b"something else"]


async def test_M9_two_basins_are_two_stores(s2: S2Kit) -> None:
    other = await S2Kit(s2.server).open()
    await s2.store.append("a", data(b"x"), match_seq_num=0)
    await other.store.append("a", data(b"y"), match_seq_num=0)
    assert await s2.bodies("a") == [b"x"]
    await s2.store.delete("a")
    assert await other.bodies("a") == [b"y"]
    await other.close()


async def test_M1_it_says_what_an_acknowledged_append_survives(s2: S2Kit) -> None:
    assert isinstance(s2.store, S2Store)
    assert s2.store.durability == "power"


async def test_X7_a_new_basin_keeps_records_for_ever_and_makes_streams_by_appends_alone(
    s2: S2Kit, raw: BasinClient
) -> None:
    assert await raw.is_configured()


async def test_R11_a_basin_that_is_set_otherwise_is_set_right_when_it_is_opened(s2_server: S2Server) -> None:
    import s2_sdk

    place = s2_server.place(new_basin())
    endpoints = s2_sdk.Endpoints(s2_server.origin, s2_server.origin)
    async with s2_sdk.S2("none", endpoints=endpoints) as account:
        await account.create_basin(place.basin, config=s2_sdk.BasinConfig(create_stream_on_read=True))
        store = await S2Store.open(place)
        with pytest.raises(StreamNotFound):
            await store.read("a", FromSeq(0))
        config = await account.get_basin_config(place.basin)
        await store.close()
    assert (config.create_stream_on_append, config.create_stream_on_read) == (True, False)
    assert config.default_stream_config is not None
    assert config.default_stream_config.retention_policy == "infinite"


async def test_N4_the_id_of_a_batch_is_stored_and_never_shown(s2: S2Kit, raw: BasinClient) -> None:
    headers = ((b"e", b"1"), (b"e", b"2"))
    batch: list[Appendable] = [Fence("t"), NewRecord(b"x", headers), NewRecord(b"y")]
    await s2.store.append("a", batch, match_seq_num=0)
    stored = (await raw.read("a", FromSeq(0), 10)).records
    assert stored[1].headers[0][0] == BATCH_ID
    assert stored[1].headers[1:] == headers
    assert stored[2].headers == ()
    assert [record.headers for record in await s2.everything("a")] == [headers, ()]
    async with s2.store.follow("a", FromSeq(0)) as tail:
        assert [record.headers for record in (await anext(tail)).records] == [headers, ()]
        await s2.store.append("a", [NewRecord(b"z", headers)], match_seq_num=3)
        assert [record.headers for record in (await anext(tail)).records] == [headers]


async def test_D3_the_stores_own_stream_is_not_listed(s2: S2Kit) -> None:
    assert (await s2.store.list()).items == ()
    await s2.put("meta/other", b"x")
    await s2.put("n", b"x")
    assert [item.name for item in (await s2.store.list("meta/")).items] == ["meta/other"]
    page = await s2.store.list(limit=2)
    assert ([item.name for item in page.items], page.has_more) == (["meta/other", "n"], False)


async def test_D3_a_prefix_that_no_name_can_have_finds_nothing(s2: S2Kit) -> None:
    await s2.put("a", b"x")
    for prefix in ("\0", "ü", "a b", "a\0"):
        assert (await s2.store.list(prefix)).items == ()
    assert [item.name for item in (await s2.store.list(start_after="\0")).items] == ["a"]


async def test_R5_a_start_before_the_tail_has_a_gap_if_it_was_trimmed(s2: S2Kit) -> None:
    await s2.put("a", b"0", b"1", b"2")
    await s2.store.trim("a", 1000)

    async def is_gone() -> bool:
        return (await s2.store.read("a", FromTail(2))).gap

    await until(is_gone, within_s=90)
    result = await s2.store.read("a", FromTail(2))
    assert (result.records, result.next_seq) == ((), 4)


async def test_opening_by_settings_finds_the_basin(s2_server: S2Server, tmp_path: Path) -> None:
    settings = Settings(store=f"s2://{new_basin()}", s2_endpoint=s2_server.origin, data=tmp_path)
    store = await open_store(settings, SystemClock())
    again = await open_store(settings, SystemClock())
    assert await store.store_id() == await again.store_id()
    await store.close()
    await again.close()


async def test_a_server_that_is_not_there_is_unavailable_with_a_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(basin, "OPEN_S", 0.3)
    origin = f"http://127.0.0.1:{free_port()}"
    with pytest.raises(Unavailable) as failed:
        await open_store(Settings(store="s2://radio-main", s2_endpoint=origin), SystemClock())
    assert origin in str(failed.value)
    assert "--s2-lite" in failed.value.hint


async def test_a_bad_name_is_refused_before_anything_is_asked() -> None:
    with pytest.raises(BadInput):
        await open_store(Settings(store="s2://x", s2_endpoint="http://127.0.0.1:1"), SystemClock())


class Account(Scripted):
    """A server that answers about its basin as a test says."""

    def __init__(
        self, *, config: StoreError | bool = True, denies: bool = False, eager: bool = False
    ) -> None:
        super().__init__()
        self.config = config
        self.denies = denies
        self.eager = eager
        self.deleted: list[str] = []
        self.done: list[str] = []

    async def is_configured(self) -> bool:
        if isinstance(self.config, StoreError):
            raise CallFailed(Verdict.FINAL, self.config)
        return self.config

    async def create_basin(self) -> None:
        self._change("create")

    async def configure_basin(self) -> None:
        self._change("configure")

    async def delete(self, name: str) -> None:
        self.deleted.append(name)

    async def check_tail(self, name: str) -> Position:
        if (name == names.STORE and self.records) or self.eager:
            return await super().check_tail(name)
        raise CallFailed(Verdict.FINAL, StreamNotFound(name))

    def _change(self, what: str) -> None:
        if self.denies:
            raise CallFailed(Verdict.FINAL, Denied("403 permission_denied"))
        self.done.append(what)


async def prepare(server: Account) -> None:
    await basin.prepare(server, RetryingCalls(), S2Server(Path("unused")).place("radio-main"))


async def test_a_basin_is_created_or_configured_only_if_need_be() -> None:
    cases: list[tuple[StoreError | bool, list[str]]] = [
        (True, []),
        (False, ["configure"]),
        (NoBasin("radio-main"), ["create"]),
    ]
    for config, expected in cases:
        server = Account(config=config)
        await prepare(server)
        assert server.done == expected


async def test_a_token_that_may_not_create_the_basin_is_told_what_it_lacks() -> None:
    with pytest.raises(Denied) as failed:
        await prepare(Account(config=NoBasin("radio-main"), denies=True))
    assert "create the basin radio-main" in failed.value.hint


async def test_a_token_for_streams_alone_will_do_in_a_basin_that_is_in_use() -> None:
    server = Account(config=Denied("403 permission_denied"), denies=True)
    server.apply([NewRecord(b"id")])
    await prepare(server)
    assert server.done == []


async def test_R11_a_basin_that_creates_streams_by_reads_is_refused_and_the_probe_removed() -> None:
    server = Account(eager=True)
    with pytest.raises(Unsupported, match="read") as failed:
        await prepare(server)
    assert "create_stream_on_read" in failed.value.hint
    assert len(server.deleted) == 1
