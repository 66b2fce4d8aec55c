from radio.clock import ManualClock
from radio.relay.archive.table_of_contents import TableOfContents
from radio.streams import names
from radio.streams.records import RunOver, encode
from radio.streams.stores.memory import MemoryStore
from tests.relay.airing import TOKEN, Air, day
from tests.relay.conftest import NOW
from tests.relay.serving import Served, relay_on

HOUR = 3_600_000


async def test_the_archive_lists_what_can_be_heard_again_newest_first(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    await air.show("brief@20270115T0800", "The Brief")
    brief = await air.say_many(2)
    await air.end()
    await air.archive("brief@20270115T0800", "The Brief", [(brief[0], brief[1])])
    await air.show("wires@20270115T0900", "The Wires")
    wires = await air.say_many(3)
    await air.end()
    await air.archive("wires@20270115T0900", "The Wires", [(wires[0], wires[2])])
    await air.show("night@20270115T1000", "Night Book")
    night = await air.say_many(2)
    clock.advance((air.said[5][1].at or 0) / 1000 - NOW / 1000 + 0.1)
    async with relay_on(store, clock) as served:
        told = await served.json("/stations/harbor/archive")
        assert [run["run"] for run in told["runs"]] == [
            "night@20270115T1000", "wires@20270115T0900", "brief@20270115T0800",
        ]  # fmt: skip
        on_air, done, _ = told["runs"]
        assert (on_air["finished"], on_air["from"], on_air["to"]) == (False, night[0], None)
        size = len(air.bytes_of(wires[0], wires[2]))
        assert done == {
            "run": "wires@20270115T0900", "show": "wires", "title": "The Wires", "at": air.said[2][1].at,
            "until": air.said[4][1].until, "from": wires[0], "to": wires[2], "bytes": size, "sentences": 3,
            "audio_ms": size // 8, "finished": True,
            "urls": {
                "mp3": "/stations/harbor/replay.mp3?run=wires@20270115T0900",
                "vtt": "/stations/harbor/replay.vtt?run=wires@20270115T0900",
                "download": "/stations/harbor/replay.mp3?run=wires@20270115T0900&download=1",
            },
        }  # fmt: skip
        async with served.http.head(served.at(done["urls"]["mp3"])) as reply:
            assert reply.headers["Content-Length"] == str(size)


async def test_a_run_is_saved_under_its_name(air: Air, store: MemoryStore, clock: ManualClock) -> None:
    await air.begin()
    await air.show("brief@20270115T0800", "The Brief")
    said = await air.say_many(2)
    await air.archive("brief@20270115T0800", "The Brief", [(said[0], said[1])])
    async with relay_on(store, clock) as served:
        [run] = (await served.json("/stations/harbor/archive"))["runs"]
        for query, how in (("download", "attachment"), ("mp3", "inline")):
            async with served.http.get(served.at(run["urls"][query])) as reply:
                named = reply.headers["Content-Disposition"]
                assert named.startswith(f'{how}; filename="Harbor FM - The Brief.mp3"')
                assert await reply.read() == air.bytes_of(said[0], said[1])
        async with served.http.get(served.at(run["urls"]["vtt"] + "&download=1")) as reply:
            assert reply.headers["Content-Disposition"].startswith("attachment;")
        part = {"Range": "bytes=0-191"}
        async with served.http.get(served.at(run["urls"]["download"]), headers=part) as reply:
            assert (reply.status, reply.headers["Content-Length"]) == (206, "192")


async def test_the_table_of_contents_is_read_on_and_not_anew(air: Air, store: MemoryStore) -> None:
    await air.begin()
    said = await air.say_many(2)
    contents = TableOfContents(store)
    assert await contents.of("harbor") == {}
    await air.archive("brief@20270115T0800", "The Brief", [(said[0], said[0])])
    assert list(await contents.of("harbor")) == ["brief@20270115T0800"]
    await store.trim(names.shows("harbor"), 1)
    await air.archive("wires@20270115T0900", "The Wires", [(said[1], said[1])])
    assert list(await contents.of("harbor")) == ["brief@20270115T0800", "wires@20270115T0900"]


async def test_the_timetable_is_told_in_the_stations_own_time(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin(days=(day("brief@20270115T1000", "The Brief", NOW + HOUR, NOW + 2 * HOUR),))
    async with relay_on(store, clock) as served:
        assert await served.json("/stations/harbor/schedule") == {
            "station": "harbor",
            "zone": "Europe/Berlin",
            "more": False,
            "shows": [
                {
                    "run": "brief@20270115T1000", "show": "brief", "title": "The Brief", "at": NOW + HOUR,
                    "until": NOW + 2 * HOUR, "local_start": "2027-01-15T10:00:00", "offset": "+01:00",
                }
            ],
        }  # fmt: skip


async def test_a_station_that_was_never_on_air_has_an_empty_archive(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.card()
    async with relay_on(store, clock) as served:
        nothing = {"station": "harbor", "runs": [], "more": False, "oldest_at": None}
        assert await served.json("/stations/harbor/archive") == nothing
        async with served.http.get(served.at("/stations/harbor/replay.mp3?from=0")) as reply:
            assert reply.status == 404


async def test_finished_runs_are_listed_while_they_are_kept_whole_and_then_gone(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    numbers = {}
    for run in ("brief@20270115T0800", "wires@20270115T0830"):
        await air.show(run, run)
        numbers[run] = await air.say_many(4)
        await air.end()
        await air.archive(run, run, [(numbers[run][0], numbers[run][-1])])
    brief, wires = numbers.values()
    async with relay_on(store, clock) as served:
        told = await served.json("/stations/harbor/archive")
        assert [run["run"] for run in told["runs"]] == ["wires@20270115T0830", "brief@20270115T0800"]
        await store.trim(names.broadcast("harbor"), brief[1], fencing_token=TOKEN)
        told = await served.json("/stations/harbor/archive")
        assert [run["run"] for run in told["runs"]] == ["wires@20270115T0830"]
        await _is_gone(served, "run=brief@20270115T0800", oldest=brief[1])
        await _is_gone(served, f"from={brief[0]}", oldest=brief[1])
        await _is_gone(served, f"from={brief[0]}&to={wires[0]}", oldest=brief[1])
        await store.trim(names.broadcast("harbor"), wires[0], fencing_token=TOKEN)
        await store.trim(names.shows("harbor"), 1)
        assert len((await served.json("/stations/harbor/archive"))["runs"]) == 1
    async with relay_on(store, clock) as served:  # one that never saw the entry
        assert len((await served.json("/stations/harbor/archive"))["runs"]) == 1
        await _is_gone(served, "run=brief@20270115T0800", oldest=wires[0])
        await _is_gone(served, f"at={NOW - HOUR}", oldest=wires[0])
        async with served.http.get(served.at("/stations/harbor/replay.mp3?run=brief@20270301T0800")) as reply:
            assert reply.status == 404


async def _is_gone(served: Served, query: str, *, oldest: int) -> None:
    for kind in ("mp3", "vtt"):
        async with served.http.get(served.at(f"/stations/harbor/replay.{kind}?{query}")) as reply:
            assert reply.status == 410, await reply.text()
            assert reply.content_type == "application/problem+json"
            told = await reply.json()
            assert told["oldest"] == oldest
            assert str(oldest) in told["hint"]


async def test_a_run_on_air_whose_begin_is_not_kept_is_listed_and_heard_from_where_it_is(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    await air.show("night@20270115T0900", "Night Book")
    said = await air.say_many(8)
    clock.advance(1)
    async with relay_on(store, clock) as served:
        told = await served.json("/stations/harbor/archive")
        assert told["runs"][0]["from"] == said[0]
        await store.trim(names.broadcast("harbor"), said[3], fencing_token=TOKEN)
        [run] = (await served.json("/stations/harbor/archive"))["runs"]
        assert (run["run"], run["from"], run["finished"]) == ("night@20270115T0900", said[3], False)
        async with served.http.get(served.at(run["urls"]["mp3"])) as reply:
            want = air.bytes_of(said[3], said[5])
            assert await reply.content.readexactly(len(want)) == want


async def test_entries_of_what_is_not_kept_take_no_memory(air: Air, store: MemoryStore) -> None:
    await air.begin()
    said = await air.say_many(2)
    await air.archive("brief@20270115T0800", "The Brief", [(said[0], said[0])])
    await air.archive("wires@20270115T0900", "The Wires", [(said[1], said[1])])
    await store.append(names.shows("harbor"), [encode(RunOver(run="fallback@7"))])
    contents = TableOfContents(store)
    assert len(await contents.of("harbor")) == 2
    assert list(await contents.of("harbor", oldest=said[1])) == ["wires@20270115T0900"]
    assert list(await contents.of("harbor")) == ["wires@20270115T0900"]
