import asyncio
import base64
from urllib.parse import quote

import pytest

from radio.clock import ManualClock
from radio.relay.http.problems import Forbidden
from radio.relay.ops.stream_gateway import public
from radio.settings import Limits
from radio.streams import names
from radio.streams.contract import NewRecord, StreamStore
from radio.streams.stores.memory import MemoryStore
from tests.relay.airing import Air
from tests.relay.serving import events_of, relay_on
from tests.waiting import until

RECORDS = "/s2/records"
PRIVATE = (
    "catalog/abcdefghijkl",
    "jobs",
    "jobs/_cursor",
    "control",
    "in/stations/harbor",
    "member/x",
    "meta/store",
)


async def test_records_of_a_public_stream_are_told_as_s2_tells_them(
    air: Air, any_store: StreamStore, clock: ManualClock
) -> None:
    air.store = any_store
    await air.begin()
    seq = await air.say("Hello, «ships».")
    async with relay_on(any_store, clock) as served:
        told = await served.json(f"{RECORDS}?stream=pub/stations/harbor&seq_num={seq}")
        [record] = told["records"]
        assert record["seq_num"] == seq
        assert base64.b64decode(record["body"]) == air.said[0][1].body
        assert ["e", "audio"] in record["headers"]
        assert ["t", "Hello, «ships»."] in record["headers"]
        assert told["tail"]["seq_num"] == seq + 1
        fence = (await served.json(f"{RECORDS}?stream=pub/stations/harbor&count=1"))["records"]
        assert [one["headers"] for one in fence] == [[["", "fence"]]]


SPELLINGS = [
    *PRIVATE,
    *(f"pub/../{name}" for name in PRIVATE),
    *(f"pub/stations/../../{name}" for name in PRIVATE),
    "pub/./stations", "pub//stations", "/pub/stations/harbor", "pub", "pub/", "", "PUB/stations/harbor",
    "pub/..%2fjobs", "pub%2f..%2fjobs", "pub\\..\\jobs", "pub/stations/harbor\0", "pub/stations/harbor\n",
    "pub/ü",
    "publish/jobs", "pub/" + "x" * 600, "pub/stations/harbor/..", "..", "./pub/stations/harbor",
]  # fmt: skip


@pytest.mark.parametrize("name", SPELLINGS)
async def test_nothing_outside_of_the_public_streams_is_read_however_it_is_spelt(
    air: Air, store: MemoryStore, clock: ManualClock, name: str
) -> None:
    await air.begin()
    for private in PRIVATE:
        await store.append(private, [NewRecord(b"secret")])
    async with relay_on(store, clock) as served:
        once = quote(name, safe="")
        for spelt in (once, quote(once, safe=""), quote(name, safe="/%.")):
            raw = await served.raw(f"{RECORDS}?stream={spelt}")
            assert raw.status.split()[1] == "403", spelt
            assert b"secret" not in await raw.take(int(raw.headers["content-length"]))
        events = await served.raw(f"{RECORDS}?stream={once}", "Accept: text/event-stream")
        assert events.status.split()[1] == "403"


def test_only_clean_names_below_pub_are_public() -> None:
    for name in (
        names.broadcast("harbor"),
        names.shows("harbor"),
        names.card("harbor"),
        names.cast("Zm9v_-123456"),
    ):
        assert public(name) == name
    with pytest.raises(Forbidden):
        public("pub/../jobs")


async def test_a_read_waits_for_what_comes(air: Air, any_store: StreamStore, clock: ManualClock) -> None:
    air.store = any_store
    await air.begin()
    seq = await air.say("Hello.")
    async with relay_on(any_store, clock) as served:
        path = f"{RECORDS}?stream=pub/stations/harbor&seq_num={seq + 1}"
        assert (await served.json(path))["records"] == []
        async with asyncio.TaskGroup() as group:
            pending = group.create_task(served.json(f"{path}&wait=30"))
            await until(lambda: bool(served.relay.tails.watched()))
            later = await air.say("Later.")
        assert [one["seq_num"] for one in pending.result()["records"]] == [later]
        assert served.relay.tails.watched() == []


async def test_counts_starts_and_waits_have_limits(air: Air, store: MemoryStore, clock: ManualClock) -> None:
    await air.begin()
    numbers = await air.say_many(5)
    async with relay_on(store, clock) as served:
        base = f"{RECORDS}?stream=pub/stations/harbor"
        two = await served.json(f"{base}&seq_num={numbers[0]}&count=2")
        assert [one["seq_num"] for one in two["records"]] == numbers[:2]
        assert two["next"] == numbers[2]
        last = await served.json(f"{base}&tail_offset=1")
        assert [one["seq_num"] for one in last["records"]] == numbers[4:]
        assert len((await served.json(f"{base}&timestamp=0"))["records"]) == 7
        assert len((await served.json(f"{base}&count=99999"))["records"]) == 7
        expected = [
            ("count=0", 400), ("count=x", 400), ("seq_num=-1", 400), ("seq_num=1&tail_offset=1", 400),
            ("seq_num=999", 416), ("seq_num=99999999999999999999999", 400),
        ]  # fmt: skip
        for query, status in expected:
            async with served.http.get(served.at(f"{base}&{query}")) as reply:
                assert (query, reply.status) == (query, status)
        async with served.http.get(served.at(f"{RECORDS}?stream=pub/stations/nowhere")) as reply:
            assert reply.status == 404


async def test_each_client_has_a_rate(
    air: Air, store: MemoryStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await air.begin()
    await air.say_many(4)
    async with relay_on(store, clock, limits=Limits(gateway_bytes_per_s=10_000)) as served:
        path = f"{RECORDS}?stream=pub/stations/harbor"
        assert len((await served.json(path))["records"]) == 6
        monkeypatch.setattr(served.relay.store, "read", None)  # who owes costs no read
        async with served.http.get(served.at(path)) as reply:
            assert reply.status == 429
            wait = int(reply.headers["Retry-After"])
        monkeypatch.undo()
        clock.advance(wait)
        assert len((await served.json(path))["records"]) == 6


async def test_events_follow_a_stream_and_go_on_after_the_last_id(
    air: Air, any_store: StreamStore, clock: ManualClock
) -> None:
    air.store = any_store
    await air.begin()
    first = await air.say("One.")
    path = f"{RECORDS}?stream=pub/stations/harbor&seq_num=0"
    async with relay_on(any_store, clock) as served:
        async with events_of(served, path, Accept="text/event-stream") as events:
            kind, data, event_id = await events.next()
            assert (kind, event_id) == ("batch", str(first))
            assert [one["seq_num"] for one in data["records"]] == [0, 1, first]
            second = await air.say("Two.")
            assert [one["seq_num"] for one in (await events.next("batch"))[1]["records"]] == [second]
        async with events_of(served, path, Accept="text/event-stream", Last_Event_ID=str(first)) as events:
            assert [one["seq_num"] for one in (await events.next("batch"))[1]["records"]] == [second]
