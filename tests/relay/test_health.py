import pytest

from radio.clock import ManualClock
from radio.streams.memory import MemoryStore
from tests.relay.airing import Air
from tests.relay.serving import relay_on
from tests.waiting import until


@pytest.mark.parametrize("path", ["/healthz", "/health"])
async def test_the_process_is_well_as_soon_as_it_answers(
    store: MemoryStore, clock: ManualClock, path: str
) -> None:
    async with relay_on(store, clock) as served:
        assert (await served.json(path))["status"] == "ok"
        async with served.http.head(served.at(path)) as reply:
            assert reply.status == 200
        async with served.http.get(served.at("/readyz")) as reply:
            assert reply.status == 503


async def test_the_radio_is_ready_while_every_station_that_should_be_heard_is(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    await Air(store, clock, "closed").begin(fallback="off")
    async with relay_on(store, clock) as served:
        await served.relay.stations.find("closed")
        async with served.http.get(served.at("/readyz")) as reply:
            assert reply.status == 503
        await air.say_many(3)
        station = await served.relay.stations.find("harbor")
        await until(lambda: len(list(station.spoken())) == 3)
        clock.advance(1)
        told = {one["station"]: one for one in (await served.json("/readyz"))["stations"]}
        assert told["closed"]["ready"]
        assert told["harbor"]["seconds_since_speech"] == 0
        assert told["harbor"]["lead_ms"] > 4000
        clock.advance(60)
        async with served.http.get(served.at("/readyz")) as reply:
            assert reply.status == 503
            told = {one["station"]: one for one in (await reply.json())["stations"]}
        assert not told["harbor"]["ready"]
        assert told["harbor"]["seconds_since_speech"] > 50
