"""A station's fallbacks: a desk and a store, producers of the test's own, and what a narrator would ask."""

from pathlib import Path
from typing import Any

import pytest

from radio.clock import ManualClock
from radio.stations.fallback import ladder
from radio.stations.fallback.fallback_runs import FallbackRequest
from radio.stations.service.station_service import StationService
from radio.streams import names
from radio.streams.records import CARD, Audio, Card, ScriptPosition, encode
from radio.streams.stores.memory import MemoryStore
from tests.stations.samples import read
from tests.stations.service.test_station_service import SEVEN, Stage
from tests.waiting import until

PIER = read(
    "station: harbor\ntitle: Pier Radio\ndescription: Talk and tales.\ntimezone: Europe/Berlin\n"
    "fallback: {producer: llm, topics: [calm]}\nshows:\n"
    '  - {id: brief, title: The Brief, at: "07:00", length: 30m, producer: llm, topics: [x]}\n'
)


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    clock = ManualClock(SEVEN - 3_600_000)
    return Stage(tmp_path, MemoryStore(clock), clock)


async def on_rung(stage: Stage, rung: str, count: int) -> str:
    """Wait for the n-th producer, of this rung; its run."""
    producer = await stage.producer(count)
    await until(lambda: _tells(stage, rung))
    return producer.assignment.run


async def _tells(stage: Stage, rung: str | None) -> bool:
    return bool((await card(stage))["rung"] == rung)


async def card(stage: Stage) -> dict[str, Any]:
    cards = [r for r in await stage.records(names.card("harbor"), CARD) if isinstance(r, Card)]
    return dict(cards[-1].ladder or {}) if cards else {"rung": None}


async def test_a_rung_that_is_dry_again_is_followed_by_the_next_down_to_the_ident(stage: Stage) -> None:
    async with stage.service(PIER) as service:
        service.ask(FallbackRequest("dry"))
        own = await on_rung(stage, "own", 1)
        await stage.write(own, 1, "A word. ")
        service.ask(FallbackRequest("dry", own))
        rerun = await on_rung(stage, "rerun", 2)
        assert stage.producers[0].was_stopped
        assert stage.producers[1].assignment.producer == "rerun"
        service.ask(FallbackRequest("dry", rerun))
        ident = await on_rung(stage, "ident", 3)
        assert stage.producers[2].assignment.options["text"] == (
            "You are listening to Pier Radio. Talk and tales. Next, at 07:00, comes The Brief."
        )
        service.ask(FallbackRequest("fed", ident))
        await until(lambda: _tells(stage, None))
        assert [line for line in await stage.runs() if line.startswith("end")] == [
            f"end {own} dry", f"end {rerun} nothing", f"end {ident} fed",
        ]  # fmt: skip
        assert (await card(stage))["begun"] == {"ident": 1, "own": 1, "rerun": 1}


async def test_a_rung_that_ends_with_nothing_is_followed_by_the_next_at_once(stage: Stage) -> None:
    async with stage.service(PIER) as service:
        service.ask(FallbackRequest("dry"))
        own = await on_rung(stage, "own", 1)
        await stage.write(own, 1)
        await stage.seal(own, "done")
        stage.producers[0].exit(0)
        await on_rung(stage, "rerun", 2)
        assert f"end {own} nothing" in await stage.runs()


async def test_a_rung_whose_producer_failed_for_good_is_followed_by_the_next_at_once(stage: Stage) -> None:
    async with stage.service(PIER) as service:
        service.ask(FallbackRequest("dry"))
        own = await on_rung(stage, "own", 1)
        await stage.write(own, 1)
        await stage.seal(own, "failed")
        stage.producers[0].exit(1)
        await on_rung(stage, "rerun", 2)


async def test_a_script_that_is_complete_is_heard_before_another_begins(stage: Stage) -> None:
    async with stage.service(PIER) as service:
        service.ask(FallbackRequest("dry"))
        own = await on_rung(stage, "own", 1)
        await stage.write(own, 1, "All there is. ")
        await stage.seal(own, "done")
        stage.producers[0].exit(0)
        await stage.advance(11)
        await stage.has(f"begin {own}")
        service.ask(FallbackRequest("dry"))
        again = (await stage.producer(2)).assignment
        assert (again.show, again.producer) == ("fallback", "llm")
        await stage.has(f"begin {own}", f"end {own} done", f"begin {again.run}")


async def test_a_script_that_ended_with_a_failure_is_heard_and_its_rung_has_failed(stage: Stage) -> None:
    async with stage.service(PIER) as service:
        service.ask(FallbackRequest("dry"))
        own = await on_rung(stage, "own", 1)
        await stage.write(own, 1, "A word. ")
        await stage.seal(own, "exit 1")
        stage.producers[0].exit(0)
        service.ask(FallbackRequest("dry"))
        assert (await stage.producer(2)).assignment.producer == "rerun"
        assert f"end {own} failed" in await stage.runs()


async def test_a_narrator_that_asks_before_the_scheduler_saw_that_nothing_came_changes_nothing(
    stage: Stage,
) -> None:
    async with stage.service(PIER) as service:
        service.ask(FallbackRequest("dry"))
        own = await on_rung(stage, "own", 1)
        await stage.write(own, 1)
        await stage.seal(own, "done")
        service.ask(FallbackRequest("dry"))
        assert (await stage.producer(2)).assignment.producer == "rerun"
        assert f"end {own} nothing" in await stage.runs()


async def test_an_old_wish_changes_nothing(stage: Stage) -> None:
    async with stage.service(PIER) as service:
        service.ask(FallbackRequest("dry"))
        own = await on_rung(stage, "own", 1)
        service.ask(FallbackRequest("dry", "fallback@999"))
        await stage.advance(11)
        service.ask(FallbackRequest("dry"))
        await stage.advance(11)
        await stage.has(f"begin {own}")


async def test_a_better_rung_is_tried_again_beside_and_takes_over_once_it_writes(stage: Stage) -> None:
    async with stage.service(PIER) as service:
        service.ask(FallbackRequest("dry"))
        own = await on_rung(stage, "own", 1)
        service.ask(FallbackRequest("dry", own))
        rerun = await on_rung(stage, "rerun", 2)
        await stage.write(rerun, 1, "An old word. ")
        await stage.advance(ladder.AGAIN_MS / 1000)
        second = (await stage.producer(3)).assignment
        assert (second.producer, stage.producers[1].was_stopped) == ("llm", False)
        await stage.write(second.run, 1, "A word. ")
        await stage.advance(11)
        await until(lambda: stage.producers[1].was_stopped)
        assert f"end {rerun} relieved" in await stage.runs()
        assert await _tells(stage, "own")


async def test_a_better_rung_that_writes_nothing_leaves_the_other_on_air(stage: Stage) -> None:
    async with stage.service(PIER) as service:
        service.ask(FallbackRequest("dry"))
        own = await on_rung(stage, "own", 1)
        service.ask(FallbackRequest("dry", own))
        rerun = await on_rung(stage, "rerun", 2)
        await stage.write(rerun, 1, "An old word. ")
        await stage.advance(ladder.AGAIN_MS / 1000)
        second = (await stage.producer(3)).assignment.run
        await stage.advance(61)
        await until(lambda: stage.producers[2].was_stopped)
        assert f"end {second} dry" in await stage.runs()
        assert not stage.producers[1].was_stopped
        await stage.advance(11)
        assert len(stage.producers) == 3


async def test_who_takes_over_goes_on_with_the_rung_that_is_on_air(stage: Stage) -> None:
    async with stage.service(PIER) as service:
        rung = await _at_the_ident(stage, service)
        await stage.write(rung, 1, "You are. ")
    async with stage.service(PIER) as service:
        again = (await stage.producer(4)).assignment
        assert (again.run, again.attempt, again.producer) == (rung, 2, "text")
        assert again.options["text"].startswith("You are listening to Pier Radio.")


async def _at_the_ident(stage: Stage, service: StationService) -> str:
    service.ask(FallbackRequest("dry"))
    service.ask(FallbackRequest("dry", await on_rung(stage, "own", 1)))
    service.ask(FallbackRequest("dry", await on_rung(stage, "rerun", 2)))
    return await on_rung(stage, "ident", 3)


async def test_an_ident_that_was_spoken_once_is_aired_again_by_seq(stage: Stage) -> None:
    async with stage.service(PIER) as service:
        ident = await _at_the_ident(stage, service)
        text = stage.producers[2].assignment.options["text"]
        await stage.write(ident, 1, text)
        await stage.seal(ident, "done")
        stage.producers[2].exit(0)
        first, last = await _air(stage, ident, text)
        service.ask(FallbackRequest("dry"))
        again = (await stage.producer(4)).assignment
        assert again.producer == "rerun"
        assert (again.options["seqs"], again.options["loop"]) == ([[first, last]], True)


async def test_an_ident_announces_nothing_that_has_begun(stage: Stage) -> None:
    stage.clock.advance(3600 - 100)
    async with stage.service(PIER) as service:
        first = await _at_the_ident(stage, service)
        told = stage.producers[2].assignment
        assert told.until == SEVEN
        await stage.write(first, 1, told.options["text"])
        await stage.advance(80)
        brief = await stage.producer(4)
        assert brief.assignment.show == "brief"
        service.ask(FallbackRequest("dry"))
        again = (await stage.producer(5)).assignment
        assert f"end {first} done" in await stage.runs()
        assert again.until > SEVEN + 60_000


async def _air(stage: Stage, run: str, text: str) -> tuple[int, int]:
    """The narrator speaks the text, sentence by sentence."""
    sentences = [f"{part}." for part in text.split(". ")]
    sentences[-1] = sentences[-1].removesuffix(".")
    at = stage.clock.now_ms()
    common: dict[str, Any] = {"d": 2400, "run": run, "body": b"x"}
    records = [
        encode(Audio(i=i, t=t, pos=i, at=at + i * 2400, src=ScriptPosition(1, i), **common))
        for i, t in enumerate(sentences)
    ]
    ack = await stage.store.append(names.broadcast("harbor"), records)
    return ack.start.seq, ack.end.seq - 1


async def test_a_fallback_whose_day_is_over_is_followed_before_it_ends(stage: Stage) -> None:
    harbor = read(
        "station: harbor\ntitle: Pier\ntimezone: UTC\nfallback: {producer: llm, topics: [calm]}\nshows: []\n"
    )
    async with stage.service(harbor) as service:
        service.ask(FallbackRequest("dry"))
        own = await on_rung(stage, "own", 1)
        await stage.write(own, 1, "A word. " * 500)
        await stage.advance(86_400 - 20)
        service.ask(FallbackRequest("dry"))
        second = (await stage.producer(2)).assignment
        assert (second.show, second.producer) == ("fallback", "llm")
        assert f"end {own} done" in await stage.runs()
