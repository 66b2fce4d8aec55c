"""What is told to Prometheus: what is heard first; few labels, and nothing of who listens."""

import operator
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from radio import control
from radio.clock import ManualClock
from radio.relay.ops import figures
from radio.streams import names
from radio.streams.contract import Unavailable
from radio.streams.records import DeadJob, Heartbeat, encode
from radio.streams.stores.memory import MemoryStore
from tests.relay.airing import Air, Narrated
from tests.relay.serving import Served, relay_on
from tests.waiting import until

PAGE = Path("docs/operating.md").read_text(encoding="utf-8").partition("## Figures")[2]
LISTED = set(re.findall(r"`(radio_\w+)`", PAGE))
Labels = tuple[tuple[str, str], ...]


async def scraped(served: Served) -> dict[tuple[str, Labels], float]:
    async with served.http.get(served.at("/metrics")) as reply:
        assert (reply.status, reply.content_type) == (200, "text/plain")
        families = text_string_to_metric_families(await reply.text())
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in families
        for sample in family.samples
    }


def of(name: str, **labels: str) -> tuple[str, Labels]:
    return name, tuple(sorted(labels.items()))


@asynccontextmanager
async def on_air(air: Air, store: MemoryStore, clock: ManualClock) -> AsyncIterator[Served]:
    """Three sentences of 2 s, and 1 s of the first is heard."""
    ladder = {"rung": "rerun", "since": 1, "begun": {"rerun": 2, "ident": 1}}
    await air.begin(ladder=ladder)
    await air.say_many(3)
    async with relay_on(store, clock) as served:
        station = await served.relay.stations.find("harbor")
        await until(lambda: len(list(station.spoken())) == 3)
        clock.advance(1)
        yield served


async def test_a_station_is_told_by_what_is_heard_of_it(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    async with on_air(air, store, clock) as served:
        told = await scraped(served)
        assert told[of("radio_station_lead_seconds", station="harbor")] == pytest.approx(5, abs=0.5)
        assert told[of("radio_station_speech_age_seconds", station="harbor")] == 0
        assert told[of("radio_station_silence_ratio", station="harbor")] == 0
        assert told[of("radio_station_late_seconds_total", station="harbor")] == 0
        assert told[of("radio_station_rung", station="harbor", rung="rerun")] == 1
        assert told[of("radio_station_rung", station="harbor", rung="own")] == 0
        assert told[of("radio_station_fallbacks", station="harbor", rung="rerun")] == 2
        assert told[of("radio_station_state", station="harbor", state="on_air")] == 1
        clock.advance(20)
        told = await scraped(served)
        assert told[of("radio_station_lead_seconds", station="harbor")] == 0
        assert told[of("radio_station_speech_age_seconds", station="harbor")] == pytest.approx(15, abs=1)
        assert told[of("radio_station_silence_ratio", station="harbor")] == pytest.approx(0.71, abs=0.03)
        served.relay.stations.all()[0].step(clock.monotonic())
        await air.say("Much too late.")
        await until(lambda: served.relay.stations.all()[0].late_frames > 0)
        told = await scraped(served)
        assert told[of("radio_station_late_seconds_total", station="harbor")] == pytest.approx(2, abs=0.3)
        clock.advance(300)
        await until(lambda: not list(served.relay.stations.all()[0].spoken()))
        assert (await scraped(served))[of("radio_station_silence_ratio", station="harbor")] == 1
        await control.ask(store, control.MUTE, "harbor")
        await until(lambda: served.relay.stations.all()[0].is_muted)
        assert (await scraped(served))[of("radio_station_muted", station="harbor")] == 1


async def test_every_figure_of_a_station_is_there_before_it_ever_spoke(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    await air.say("Hello.")
    mute = Air(store, clock, "mute")
    await mute.card()  # nobody has begun to speak it
    async with relay_on(store, clock) as served:
        await until(lambda: len(served.relay.stations.all()) == 2)
        clock.advance(20)
        told = await scraped(served)
        assert names_of(told, "mute") == names_of(told, "harbor")
        assert told[of("radio_station_speech_age_seconds", station="mute")] == pytest.approx(20, abs=1)
        assert told[of("radio_station_silence_ratio", station="mute")] == 1


def names_of(told: dict[tuple[str, Labels], float], station: str) -> set[str]:
    return {name for name, labels in told if ("station", station) in labels}


@pytest.mark.parametrize(("seconds", "state"), [(20.0, "starting"), (400.0, "silent")])
async def test_the_advised_alarms_see_a_station_that_never_spoke_and_no_other(
    store: MemoryStore, clock: ManualClock, seconds: float, state: str
) -> None:
    await Air(store, clock, "mute").begin()
    await Air(store, clock, "closed").begin(fallback="off")
    well = await Air(store, clock, "well").begin()
    async with relay_on(store, clock) as served:
        await until(lambda: len(served.relay.stations.all()) == 3)
        clock.advance(seconds)
        well.at = clock.now_ms()
        await well.say("Hello.", seconds=60.0)
        await until(lambda: bool(list(served.relay.stations.all()[2].spoken())))
        clock.advance(30)
        told = await scraped(served)
        assert told[of("radio_station_state", station="mute", state=state)] == 1
        seen = {rule["alert"]: firing(rule["expr"], told) for rule in alarms()}
    of_stations = {name: stations for name, stations in seen.items() if name.startswith("Station")}
    assert len(of_stations) == 4
    assert set(map(frozenset, of_stations.values())) == {frozenset({"mute"})}
    assert seen["NobodySpeaks"] == {""}
    assert seen["StoreAway"] == set()


def alarms() -> list[dict[str, str]]:
    """The rules that the page for operators advises."""
    [group] = yaml.safe_load(PAGE.partition("```yaml\n")[2].partition("```")[0])["groups"]
    rules: list[dict[str, str]] = group["rules"]
    return rules


def firing(rule: str, told: dict[tuple[str, Labels], float]) -> set[str]:
    """The stations, or "", for which a rule of the page is true: comparisons, and `unless on (station)`."""
    holds, *but = (compared(part, told) for part in rule.split(" unless on (station) "))
    return holds.difference(*but)


def compared(part: str, told: dict[tuple[str, Labels], float]) -> set[str]:
    spelt = re.fullmatch(r'(\w+)(?:\{(\w+)=~?"([\w|]+)"\})? (==|>|<) ([\d.]+)', part)
    assert spelt is not None, part
    name, label, value, sign, limit = spelt.groups()
    holds = {"==": operator.eq, ">": operator.gt, "<": operator.lt}[sign]
    return {
        dict(labels).get("station", "")
        for (sample, labels), found in told.items()
        if sample == name and holds(found, float(limit))
        and (label is None or re.fullmatch(value, dict(labels)[label]))
    }  # fmt: skip


async def test_casts_and_narrators_are_told(store: MemoryStore, clock: ManualClock) -> None:
    for n in range(2):
        await Narrated.submit(store, clock, f"Cast {n}.")
    beat = Heartbeat(
        role="narrator", host="board", xrt=3.5, live=1, leads={"station harbor": 9.0, "cast abc": 1.0},
        engine="native avx2, 2 threads",
    )  # fmt: skip
    await store.append(names.member("aaaaaaaa"), [encode(beat)])
    await store.append(names.member("bbbbbbbb"), [encode(Heartbeat(role="relay", host="board"))])
    await store.append(names.JOBS_DEAD, [encode(DeadJob(cast="x", job=0, reason="silent"))])
    async with relay_on(store, clock) as served:
        told = await scraped(served)
        assert told[of("radio_casts_queued")] == 2
        assert told[of("radio_casts_admitted")] == 1
        assert told[of("radio_casts_failed_total")] == 1
        assert told[of("radio_casts", state="on")] == 1
        assert told[of("radio_narrators")] == 1
        who = {"host": "board", "engine": "native avx2, 2 threads", "number": "0"}
        assert told[of("radio_narrator_xrt", **who)] == 3.5
        assert told[of("radio_narrator_live_stations", **who)] == 1
        assert told[of("radio_store_up")] == 1
        clock.advance(60)
        told = await scraped(served)
        assert told[of("radio_narrators")] == 0
        assert told[of("radio_relay_requests_total", route="/metrics", status="2xx")] == 1


async def test_a_store_that_does_not_answer_is_told_and_stations_are_told_without_it(
    air: Air, store: MemoryStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: object) -> object:
        raise Unavailable("the store is away")

    async with on_air(air, store, clock) as served:
        monkeypatch.setattr(served.relay.observer, "peers", away)
        told = await scraped(served)
        assert told[of("radio_store_up")] == 0
        assert of("radio_station_lead_seconds", station="harbor") in told
        assert of("radio_narrators") not in told


async def test_labels_are_bounded_and_hold_nothing_of_who_asks(
    air: Air, store: MemoryStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figures, "MOST_STATIONS", 2)
    for n in range(4):
        await Air(store, clock, f"station{n}").begin()
    async with relay_on(store, clock, trusted_hops=1) as served:
        await until(lambda: len(served.relay.stations.all()) == 4)
        before = len(await scraped(served))
        for n in range(30):
            headers = {"X-Forwarded-For": f"10.9.8.{n}", "User-Agent": f"agent-{n}"}
            for path in (f"/nothing/{n}", f"/stations/none{n}", f"/casts/aaaaaaaaaa{n:02}"):
                async with served.http.get(served.at(path), headers=headers) as reply:
                    assert reply.status == 404
        told = await scraped(served)
        assert len(told) <= before + 4
        assert {labels[0][1] for name, labels in told if name == "radio_station_listeners"} == {
            "station0",
            "station1",
        }
        assert not re.search(r"10\.9\.8|agent-|none1", str(told))


async def test_every_figure_stands_in_the_page_for_operators(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    beat = Heartbeat(role="narrator", host="board", xrt=1.0)
    await store.append(names.member("aaaaaaaa"), [encode(beat)])
    async with on_air(air, store, clock) as served:
        await scraped(served)
        told = {name for name, _ in await scraped(served) if name.startswith("radio_")}
    assert {name for name in LISTED - told if not name.startswith("radio_disk")} == set()
    assert told - LISTED == set()
