"""The timetable as an iCalendar, read back by the rules of RFC 5545."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radio.clock import ManualClock
from radio.relay.archive.ical import escaped, folded
from radio.relay.http import plain_text
from radio.relay.live.disclosure import MADE_BY_MACHINE
from radio.streams.stores.memory import MemoryStore
from tests.relay.airing import Air, day
from tests.relay.serving import Served, relay_on
from tests.waiting import until

CALENDAR = "/stations/harbor/schedule.ics"
BERLIN = ZoneInfo("Europe/Berlin")


def unfolded(body: bytes) -> list[str]:
    """The content lines; every physical line must be short and end with CR LF."""
    assert body.endswith(b"\r\n")
    assert b"\n" not in body.replace(b"\r\n", b"")
    assert all(len(line) <= 75 for line in body.split(b"\r\n"))
    for line in body.split(b"\r\n"):
        line.decode()  # no character is cut in two
    return body.decode().replace("\r\n ", "").removesuffix("\r\n").split("\r\n")


def plain(value: str) -> str:
    """A TEXT value without its escapes."""
    out, chars = "", iter(value)
    for char in chars:
        out += {"n": "\n", "N": "\n"}.get(after := next(chars), after) if char == "\\" else char
    return out


def events(lines: list[str]) -> list[dict[str, str]]:
    found: list[dict[str, str]] = []
    for line in lines:
        name, _, value = line.partition(":")
        if line == "BEGIN:VEVENT":
            found.append({})
        elif found and name not in {"BEGIN", "END"}:
            assert name not in found[-1]
            found[-1][name] = value
    return found


def instant(value: str) -> datetime:
    return datetime.strptime(value, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)


async def told(served: Served) -> list[str]:
    async with served.http.get(served.at(CALENDAR)) as reply:
        assert reply.status == 200
        assert reply.headers["Content-Type"] == "text/calendar; charset=utf-8"
        return unfolded(await reply.read())


def local(*parts: int, fold: int = 0) -> int:
    return int(datetime(*parts, tzinfo=BERLIN, fold=fold).timestamp() * 1000)  # type: ignore[arg-type,misc]


async def test_shows_are_events_at_the_right_instants_on_the_days_when_clocks_are_set(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    days = (
        day("night@20270327T2200", "Night", local(2027, 3, 27, 22), local(2027, 3, 28, 6)),  # 7 hours
        day("brief@20270328T0700", "Brief", local(2027, 3, 28, 7), local(2027, 3, 28, 8)),
        day("night@20271030T2200", "Night", local(2027, 10, 30, 22), local(2027, 10, 31, 6)),  # 9 hours
        day("late@20271031T0230", "Late", local(2027, 10, 31, 2, 30, fold=1), local(2027, 10, 31, 3)),
    )
    await air.begin(days=days)
    async with relay_on(store, clock, base_url="https://radio.example") as served:
        lines = await told(served)
    assert lines[0] == "BEGIN:VCALENDAR"
    assert lines[-1] == "END:VCALENDAR"
    assert "VERSION:2.0" in lines
    assert "X-WR-TIMEZONE:Europe/Berlin" in lines
    found = events(lines)
    times = [(instant(one["DTSTART"]), instant(one["DTEND"])) for one in found]
    assert times == [
        (datetime(2027, 3, 27, 21, tzinfo=UTC), datetime(2027, 3, 28, 4, tzinfo=UTC)),
        (datetime(2027, 3, 28, 5, tzinfo=UTC), datetime(2027, 3, 28, 6, tzinfo=UTC)),
        (datetime(2027, 10, 30, 20, tzinfo=UTC), datetime(2027, 10, 31, 5, tzinfo=UTC)),
        (datetime(2027, 10, 31, 1, 30, tzinfo=UTC), datetime(2027, 10, 31, 2, tzinfo=UTC)),
    ]
    assert [one["UID"] for one in found] == [f"harbor:{planned['run']}" for planned in days]
    assert {one["URL"] for one in found} == {"https://radio.example/s/harbor"}
    assert plain(found[0]["DESCRIPTION"]) == f"Ships and small facts\n{MADE_BY_MACHINE}"
    assert instant(found[0]["DTSTAMP"]).timestamp() == clock.now_ms() // 1000


async def test_an_event_keeps_its_uid_when_its_show_is_renamed_or_moved(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    now = clock.now_ms()
    await air.begin(days=(day("brief@20270115T1000", "Brief", now, now + 60_000),))
    async with relay_on(store, clock) as served:
        [before] = events(await told(served))
        clock.advance(60)
        [same] = events(await told(served))
        assert same == before
        await air.card(days=(day("brief@20270115T1000", "News", now + 1000, now + 60_000),))
        station = await served.relay.stations.find("harbor")
        await until(lambda: station.card.days[0]["title"] == "News")
        [after] = events(await told(served))
        assert after["UID"] == before["UID"]
        assert after["DTSTAMP"] != before["DTSTAMP"]


async def test_a_station_without_shows_has_an_empty_calendar(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    async with relay_on(store, clock) as served:
        assert events(await told(served)) == []


@given(st.text(max_size=200))
def test_any_text_comes_through_whole_on_lines_that_are_short(text: str) -> None:
    [line] = unfolded(folded(f"SUMMARY:{escaped(text)}").encode())
    shown = plain(line.removeprefix("SUMMARY:"))
    assert shown == plain_text.plain(text)


@pytest.mark.parametrize("title", ["a;b,c\\d", "BEGIN:VEVENT\r\nUID:x", "🚢" * 60, "x\ny"])
async def test_no_title_breaks_out_of_its_line(
    air: Air, store: MemoryStore, clock: ManualClock, title: str
) -> None:
    now = clock.now_ms()
    await air.begin(days=(day("brief@20270115T1000", title, now, now + 60_000),), title=title)
    async with relay_on(store, clock) as served:
        [event] = events(await told(served))
    assert plain(event["SUMMARY"]) == title.replace("\r\n", "\n")
