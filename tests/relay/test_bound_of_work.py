"""No route holds up the radio, however large a station is and however many ask at once."""

import asyncio
import threading
from collections.abc import Callable
from typing import Final

import pytest

from radio.clock import ManualClock, SystemClock
from radio.relay.archive import archive_routes, ical
from radio.relay.http import shared_answers
from radio.relay.http.problems import TooFast
from radio.relay.http.shared_answers import Answer, SharedAnswers
from radio.relay.routes import ROUTES
from radio.streams import names
from radio.streams.contract import Appendable
from radio.streams.records import ArchivedRun, encode
from radio.streams.stores.memory import MemoryStore
from tests.relay.airing import Air, card, day
from tests.relay.serving import Served, relay_on
from tests.waiting import until

CLIENTS: Final = 40
MINUTE: Final = 60_000
FINITE: Final = [
    route.path.replace("{station}", "harbor")
    .replace("{path:.+}", "style.css")
    .replace("{cast}", "aaaaaaaaaaaa")
    for route in ROUTES
    if route.method == "GET" and not route.path.endswith(("/events", "live.mp3"))
]


async def large(store: MemoryStore, clock: SystemClock | ManualClock, runs: int = 20_000) -> Air:
    """A station with a show each minute of a week, and an archive of so many runs."""
    begun = clock.now_ms()
    days = tuple(
        day(f"tick@{n}", f"Minute {n}", begun + n * MINUTE, begun + (n + 1) * MINUTE) for n in range(10_080)
    )
    air = await Air(store, clock).begin(days=days)
    seqs = await air.say_many(10, seconds=6.0)
    done: list[Appendable] = [
        encode(ArchivedRun(
            run=f"old@{n}", show="old", title=f"Old {n}", spans=((seqs[0], seqs[1]),), at=n, until=n + 1,
            size=64, sentences=1,
        ))
        for n in range(runs)
    ]  # fmt: skip
    for begin in range(0, runs, 500):
        await store.append(names.shows("harbor"), done[begin : begin + 500])
    return air


async def test_forty_clients_ask_every_route_at_once_and_live_and_health_go_on() -> None:
    clock = SystemClock()
    store = MemoryStore(clock)
    await large(store, clock)
    async with relay_on(store, clock) as served:
        await served.relay.stations.find("harbor")
        live = await served.raw("/stations/harbor/live.mp3")
        asked = asyncio.gather(*(crowd(served, path) for path in FINITE))
        answers = 0
        while not asked.done():
            assert (await served.raw("/healthz")).status == "HTTP/1.1 200 OK"
            await live.take(8)
            answers += 1
        await asked
        assert answers > 5, "the loop served others meanwhile"
        assert served.relay.stations.all()[0].fanout.dropped == 0


async def crowd(served: Served, path: str) -> None:
    async def one() -> int:
        async with served.http.get(served.at(path)) as reply:
            await reply.read()
            return reply.status

    statuses = await asyncio.gather(*(one() for _ in range(CLIENTS)))
    assert not [status for status in statuses if status >= 500 and status != 503], path


@pytest.mark.parametrize("path", ["schedule", "schedule.ics", "podcast.xml", "archive"])
async def test_what_takes_work_is_made_once_beside_the_loop_and_kept_until_it_changes(
    store: MemoryStore, clock: ManualClock, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    air = await large(store, clock, runs=700)
    threads: list[int] = []
    made = shared_answers._made

    def counted(make: Callable[[], bytes]) -> tuple[bytes, str]:
        threads.append(threading.get_ident())
        return made(make)

    monkeypatch.setattr(shared_answers, "_made", counted)
    async with relay_on(store, clock) as served:
        station = await served.relay.stations.find("harbor")
        await crowd(served, f"/stations/harbor/{path}")
        assert len(threads) == 1
        assert threads[0] != threading.get_ident()
        async with served.http.get(served.at(f"/stations/harbor/{path}")) as reply:
            etag, body = reply.headers["ETag"], await reply.read()
        known = {"If-None-Match": etag}
        async with served.http.get(served.at(f"/stations/harbor/{path}"), headers=known) as reply:
            assert (reply.status, await reply.read()) == (304, b"")
        assert len(body) < 1 << 20
        first = air.said[0][0]
        await air.archive("new@1", "New", [(first, first + 1)])
        await air.card(title="Another", days=())
        await until(lambda: station.card.title == "Another")
        async with served.http.get(served.at(f"/stations/harbor/{path}"), headers=known) as reply:
            assert (reply.status, reply.headers["ETag"] != etag) == (200, True)
        assert len(threads) == 2


async def test_a_client_who_has_many_answers_made_is_refused_and_another_is_not(clock: ManualClock) -> None:
    answers = SharedAnswers(clock)

    async def ask(n: int, client: str) -> Answer:
        return await answers.get(n, 1, lambda: b"body", client=client)

    for n in range(shared_answers.BURST):
        assert (await ask(n, "a")).body == b"body"
    with pytest.raises(TooFast):
        await ask(-1, "a")
    await ask(shared_answers.BURST - 1, "a")  # it is there
    await ask(-1, "b")
    clock.advance(1)
    await ask(-2, "a")


async def test_what_is_made_is_kept_within_bounds(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_answers, "KEPT_BYTES", 100)
    answers = SharedAnswers(clock)
    for n in range(10):
        await answers.get(n, 1, lambda: b"x" * 30, client="a")
    assert sum(len(one.body) for one in answers._kept.values()) <= 100


def test_a_timetable_is_told_in_so_many_rows(clock: ManualClock) -> None:
    days = tuple(day(f"tick@{n}", "Minute", n * MINUTE, (n + 1) * MINUTE) for n in range(10_080))
    told = card("harbor", days=days)
    assert archive_routes.planned("harbor", told).count(b'"run"') == archive_routes.MOST_SHOWS
    spelt = ical.spell("harbor", told, page="http://a/", now_ms=0)
    assert spelt.count("BEGIN:VEVENT") == archive_routes.MOST_SHOWS
