import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radio.stations.definition.show import Show
from radio.stations.definition.station import Station
from radio.stations.timetable import timetable
from radio.stations.timetable.occurrences import Occurrence, occurrences
from tests.stations.samples import station

HOUR = 3_600_000
BERLIN = ZoneInfo("Europe/Berlin")
ZONES = (
    "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "Africa/Casablanca",
    "Asia/Kathmandu", "Asia/Kolkata", "Pacific/Apia", "Pacific/Chatham", "America/Havana", "UTC",
)  # fmt: skip
"""Among them: half an hour of summer time, clocks that change at midnight, a day that was skipped."""


def ms(text: str) -> int:
    """An instant in UTC."""
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


def runs(slots: list[timetable.Slot]) -> list[str]:
    return [slot.run for slot in slots]


def test_a_show_is_due_at_its_local_time_and_ends_after_its_length() -> None:
    harbor = station('id: brief, at: "07:00", days: mon-fri, length: 30m')
    (slot,) = harbor.timetable.due(ms("2026-12-01T00:00"), ms("2026-12-02T00:00"))
    assert (slot.run, slot.at, slot.until) == (
        "brief@20261201T0700",
        ms("2026-12-01T06:00"),
        ms("2026-12-01T06:30"),
    )


def test_intervals_are_half_open() -> None:
    harbor = station('id: a, at: "07:00", length: 1h', 'id: b, at: "08:00", length: 1h')
    seven, eight = ms("2026-12-01T06:00"), ms("2026-12-01T07:00")
    assert runs(harbor.timetable.due(seven, eight)) == ["a@20261201T0700"]
    assert harbor.timetable.show_at(seven - 1) is None
    now = harbor.timetable.show_at(eight)
    assert now is not None
    assert now.show.id == "b"


def test_the_weekday_is_the_start_s_when_a_show_crosses_midnight() -> None:
    harbor = station('id: night, at: "23:00", days: fri, length: 2h')
    on_air = harbor.timetable.show_at(ms("2026-12-04T23:30"))  # Saturday 00:30 in Berlin
    assert on_air is not None
    assert on_air.run == "night@20261204T2300"
    assert harbor.timetable.show_at(ms("2026-12-03T23:30")) is None


def test_a_show_may_last_for_days() -> None:
    harbor = station('id: fair, at: "08:00", days: fri, length: 2d12h')
    on_air = harbor.timetable.show_at(ms("2026-12-06T18:00"))
    assert on_air is not None
    assert on_air.run == "fair@20261204T0800"


def test_hours_say_start_and_end_and_with_every_the_span_of_starts() -> None:
    harbor = station("id: night, hours: 22:00-06:00", "id: wires, every: 4h, hours: 08:00-20:00, length: 20m")
    slots = harbor.timetable.due(ms("2026-12-01T00:00"), ms("2026-12-02T00:00"))
    assert runs(slots) == [
        "wires@20261201T0800", "wires@20261201T1200", "wires@20261201T1600", "night@20261201T2200",
    ]  # fmt: skip
    assert slots[-1].until - slots[-1].at == 8 * HOUR


def test_starts_after_midnight_belong_to_the_day_on_which_their_span_begins() -> None:
    harbor = station("id: wires, every: 2h, hours: 22:00-03:00, days: sun, length: 20m")
    slots = harbor.timetable.due(ms("2026-12-05T00:00"), ms("2026-12-12T00:00"))
    assert runs(slots) == ["wires@20261206T2200", "wires@20261207T0000", "wires@20261207T0200"]


def test_a_time_that_does_not_exist_airs_at_the_first_that_does() -> None:
    harbor = station('id: odd, at: "02:30", length: 1h')
    (slot,) = harbor.timetable.due(ms("2026-03-29T00:00"), ms("2026-03-29T12:00"))
    assert (slot.run, slot.at, slot.until) == (
        "odd@20260329T0230",
        ms("2026-03-29T01:00"),
        ms("2026-03-29T01:30"),
    )


def test_a_time_that_exists_twice_airs_once_at_the_first() -> None:
    harbor = station('id: odd, at: "02:30", length: 1h')
    (slot,) = harbor.timetable.due(ms("2026-10-24T12:00"), ms("2026-10-25T12:00"))
    assert (slot.at, slot.until) == (ms("2026-10-25T00:30"), ms("2026-10-25T02:30"))


def test_a_show_that_lies_in_the_missing_hour_does_not_air() -> None:
    harbor = station('id: odd, at: "02:10", length: 20m')
    assert harbor.timetable.due(ms("2026-03-29T00:00"), ms("2026-03-29T12:00")) == []


def test_a_show_on_a_day_that_was_skipped_does_not_air() -> None:
    apia = station('id: noon, at: "12:00", length: 1h', zone="Pacific/Apia")
    slots = apia.timetable.due(ms("2011-12-29T12:00"), ms("2011-12-31T12:00"))
    assert runs(slots) == ["noon@20111229T1200", "noon@20111231T1200"]


def test_a_station_without_shows_has_no_boundary() -> None:
    assert station().timetable.next_boundary(ms("2026-12-01T00:00")) is None


DATES = (
    "2026-03-29",
    "2026-10-25",
    "2026-11-01",
    "2026-12-24..2026-12-26",
    "2027-02-28",
    "2011-12-29..2011-12-31",
)


@st.composite
def start_of_a_show(draw: st.DrawFn, quarter: int) -> str:
    """Daily at this quarter of an hour, or on some days by one of the ways in which an editor says so."""
    hour, minute = quarter // 4, quarter % 4 * 15
    cron_days = draw(st.sampled_from(("* * *", "1,15 * *", "* * mon-fri", "13 * 5", "L * *", "* 3,10,11 7")))
    at = f'at: "{hour:02}:{minute:02}"'
    return draw(
        st.sampled_from(
            (
                at,
                f"{at}, days: sat-sun",
                f"{at}, date: [{', '.join(DATES)}]",
                f'cron: "{minute} {hour} {cron_days}"',
            )
        )
    )


@st.composite
def stations(draw: st.DrawFn) -> Station:
    """A station without overlap whose shows lie anywhere in the day, each day or on some, with exceptions."""
    edges = sorted(draw(st.sets(st.integers(0, 95), min_size=2, max_size=8)))
    shows = ["id: feast"]
    for n, (start, end) in enumerate(zip(edges, [*edges[1:], edges[0] + 96], strict=True)):
        minutes = draw(st.integers(1, (end - start) * 15))
        begins = draw(start_of_a_show(start))
        skipped, replaced = draw(st.permutations(DATES))[:2] if begins.startswith("at") and n else ("", "")
        if skipped and "days" not in begins and "date" not in begins:
            begins += f", skip: [{skipped}], instead: {{{replaced}: feast}}"
        elif n == 0:
            begins = f'at: "{start // 4:02}:{start % 4 * 15:02}", instead: {{2026-11-30: feast}}'
        shows.append(f"id: s{n}, {begins}, length: {minutes}m")
    return station(*shows, zone=draw(st.sampled_from(ZONES)))


moments = st.one_of(
    st.integers(ms("2026-01-01T00:00"), ms("2028-01-01T00:00")),
    st.builds(
        lambda change, minutes: ms(change) + minutes * 60_000,
        st.sampled_from(
            [
                "2026-03-29T01:00",
                "2026-10-25T01:00",
                "2026-03-08T07:00",
                "2026-11-01T06:00",
                "2026-04-04T15:00",
                "2026-10-03T15:30",
                "2026-04-05T03:00",
                "2026-09-06T04:00",
                "2026-02-15T02:00",
                "2011-12-30T10:00",
                "2026-03-08T05:00",
                "2026-11-01T05:00",
            ]
        ),
        st.integers(-300, 300),
    ),
)


@settings(deadline=None)
@given(stations(), moments)
def test_what_does_not_overlap_on_the_wall_never_overlaps_in_fact(harbor: Station, now: int) -> None:
    slots = harbor.timetable.upcoming(now, days=3)
    assert all(one.until <= other.at for one, other in pairwise(slots))
    assert len({slot.run for slot in slots}) == len(slots)


@settings(deadline=None)
@given(stations(), moments)
def test_show_at_agrees_with_due_and_changes_only_at_boundaries(harbor: Station, now: int) -> None:
    on_air = harbor.timetable.show_at(now)
    started = [slot for slot in harbor.timetable.due(now - 48 * HOUR, now + 1) if slot.until > now]
    assert started == ([on_air] if on_air else [])
    boundary = harbor.timetable.next_boundary(now)
    assert boundary is not None
    assert boundary > now
    assert harbor.timetable.show_at(boundary - 1) == on_air


@settings(deadline=None)
@given(stations(), moments, st.integers(0, 72), st.integers(0, 72))
def test_due_of_two_spans_is_due_of_both(harbor: Station, since: int, first: int, second: int) -> None:
    middle, until = since + first * HOUR, since + (first + second) * HOUR
    whole = harbor.timetable.due(since, until)
    assert whole == harbor.timetable.due(since, middle) + harbor.timetable.due(middle, until)


@settings(deadline=None)
@given(st.sampled_from(ZONES), moments, st.integers(0, 100_000))
def test_resolving_keeps_order_and_is_exact_where_the_time_exists(
    zone_name: str, now: int, later: int
) -> None:
    zone = ZoneInfo(zone_name)
    local = timetable.local_time(now // 1000 * 1000, zone)
    resolved = timetable.instant(local.replace(tzinfo=None, fold=0), zone)
    assert resolved <= now
    assert timetable.local_time(resolved, zone).replace(tzinfo=None) == local.replace(tzinfo=None)
    naive = local.replace(tzinfo=None)
    assert timetable.instant(naive + timedelta(seconds=later), zone) >= timetable.instant(naive, zone)


@pytest.mark.parametrize("zone_name", ZONES)
def test_a_daily_show_airs_once_each_day_for_two_years(zone_name: str) -> None:
    harbor = station('id: odd, at: "02:15", length: 2h', zone=zone_name)
    start = datetime(2026, 1, 1)
    slots = harbor.timetable.due(
        timetable.instant(start, harbor.zone), timetable.instant(datetime(2028, 1, 1), harbor.zone)
    )
    assert runs(slots) == [f"odd@{start + timedelta(days=n):%Y%m%d}T0215" for n in range(730)]


def changes(zone_name: str) -> list[int]:
    """Each change of the clocks within two years (epoch ms)."""
    zone, hour = ZoneInfo(zone_name), HOUR
    hours = range(ms("2026-01-01T00:00"), ms("2028-01-01T00:00"), hour)
    offsets = [(at, timetable.local_time(at, zone).utcoffset()) for at in hours]
    return [after for (_, one), (after, other) in pairwise(offsets) if one != other]


@pytest.mark.parametrize("zone_name", ZONES)
def test_around_each_change_of_the_clocks_a_time_is_the_first_instant_at_which_it_is_reached(
    zone_name: str,
) -> None:
    zone = ZoneInfo(zone_name)
    for change in changes(zone_name):
        minutes = range(change - 5 * HOUR, change + 5 * HOUR, 60_000)
        walls = [(at, timetable.local_time(at, zone).replace(tzinfo=None)) for at in minutes]
        latest, reached = datetime.min, dict[datetime, int]()
        for at, wall in walls:
            if wall > latest:  # all times on the wall from the one before to this one are reached now
                steps = 1 if latest == datetime.min else (wall - latest) // timedelta(minutes=1)
                reached |= {wall - timedelta(minutes=n): at for n in range(steps)}
                latest = wall
        assert {wall: timetable.instant(wall, zone) for wall in reached} == reached


@pytest.mark.parametrize("zone_name", ZONES)
@pytest.mark.parametrize("length", [15, 10])
def test_around_each_change_of_the_clocks_cron_lines_air_once_and_never_at_once(
    zone_name: str, length: int
) -> None:
    harbor = station(f'id: quarter, cron: "*/15 * * * *", length: {length}m', zone=zone_name)
    for change in changes(zone_name):
        since, until = change - 6 * HOUR, change + 6 * HOUR
        slots = harbor.timetable.due(since, until)
        assert all(one.until <= other.at for one, other in pairwise(slots))
        assert len({slot.run for slot in slots}) == len(slots)
        stretches = harbor.timetable.programme(since, until)
        assert (stretches[0].at, stretches[-1].until) == (since, until)
        assert all(one.until == other.at for one, other in pairwise(stretches))
        if length == 15:
            assert all(stretch.slot is not None for stretch in stretches)


@settings(deadline=None)
@given(stations(), moments, st.integers(1, 80))
def test_all_of_the_time_is_in_one_stretch_and_says_what_is_on_air(
    harbor: Station, since: int, hours: int
) -> None:
    stretches = harbor.timetable.programme(since, since + hours * HOUR)
    assert (stretches[0].at, stretches[-1].until) == (since, since + hours * HOUR)
    assert all(one.until == other.at for one, other in pairwise(stretches))
    for stretch in stretches:
        assert stretch.at < stretch.until
        middle = (stretch.at + stretch.until) // 2
        assert harbor.timetable.show_at(middle) == stretch.slot


def computed_anew(harbor: Station, since: int, until: int) -> list[timetable.Slot]:
    """All slots of so many days around a span that what is on air within it, or next to it, is among them."""
    shows, zone = harbor.shows, harbor.zone
    first, last = (timetable.local_time(at, zone).date() for at in (since, until))
    found = [
        timetable.Slot(
            show=entry.show,
            local_start=entry.start,
            at=timetable.instant(entry.start, zone),
            until=timetable.instant(entry.end, zone),
            instead_of=entry.instead_of,
        )
        for entry in occurrences(shows, first - timedelta(days=10), last + timedelta(days=4))
    ]
    return sorted((slot for slot in found if slot.at < slot.until), key=lambda slot: (slot.at, slot.until))


@st.composite
def busy_stations(draw: st.DrawFn) -> Station:
    """Shows every few minutes, by day or through the night, beside one that lasts up to a week, or none."""
    step = draw(st.sampled_from((1, 2, 7, 30)))
    hours = draw(st.sampled_from(("", "hours: 06:00-09:30, ", "hours: 22:00-04:00, ")))
    length = draw(st.integers(1, step))
    days = draw(st.sampled_from(("", "days: sun, ", "date: 2026-10-25, ")))
    often = f"id: often, every: {step}m, {hours}{days}length: {length}m"
    long = ['id: long, at: "11:15", days: mon, length: 5d12h'] if days == "days: sun, " else []
    return station(often, *long, zone=draw(st.sampled_from(ZONES)))


@settings(deadline=None)
@given(
    st.one_of(stations(), busy_stations()),
    moments,
    st.lists(st.integers(-3 * 24 * 60, 3 * 24 * 60), min_size=1, max_size=5),
)
def test_what_is_kept_of_earlier_questions_changes_no_answer(
    harbor: Station, start: int, minutes: list[int]
) -> None:
    """The same timetable is asked about one instant after the other, as by a clock that steps."""
    for now in (start + minute * 60_000 for minute in minutes):
        anew = computed_anew(harbor, now, now + 3 * 24 * HOUR)
        edges = sorted({edge for slot in anew for edge in (slot.at, slot.until) if edge > now})
        on_air = [slot for slot in anew if slot.at <= now < slot.until]
        assert harbor.timetable.show_at(now) == next(iter(on_air), None)
        for span in (1, 60_000, 30 * HOUR, 3 * 24 * HOUR):
            due = [slot for slot in anew if now <= slot.at < now + span]
            assert harbor.timetable.due(now, now + span) == due
            assert harbor.timetable.upcoming(now, days=span / 24 / HOUR) == [
                slot for slot in anew if slot.at < now + span and slot.until > now
            ]
        boundary = harbor.timetable.next_boundary(now)
        assert boundary == replace(harbor).timetable.next_boundary(now)
        assert boundary == edges[0] if edges else boundary is None or boundary > now + 3 * 24 * HOUR


def test_a_day_is_computed_once_for_all_the_looks_of_that_day(monkeypatch: pytest.MonkeyPatch) -> None:
    computed: list[date] = []

    def counted(shows: Sequence[Show], first: date, last: date) -> Iterator[Occurrence]:
        computed.append(first)
        return occurrences(shows, first, last)

    monkeypatch.setattr(timetable, "occurrences", counted)
    often = station("id: often, every: 1m, length: 1m", zone="UTC").timetable
    for second in range(0, 24 * 3600, 10):
        now = ms("2026-12-01T00:00") + second * 1000
        assert often.next_boundary(now) == now // 60_000 * 60_000 + 60_000
        assert len(often.upcoming(now, days=1 / 1440)) == 1 + (now % 60_000 > 0)
    assert sorted(computed) == [date(2026, 12, 1), date(2026, 12, 2)]


def test_runs_are_the_same_on_every_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    harbor = station('id: night, cron: "30 23 * * fri", length: 3h', 'id: day, at: "07:00", length: 1h')
    told = []
    for zone in ("UTC", "Pacific/Chatham", "America/New_York"):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        told.append(harbor.timetable.due(ms("2026-10-20T00:00"), ms("2026-11-05T00:00")))
    monkeypatch.undo()
    time.tzset()
    assert told[0] == told[1] == told[2]
    assert len(told[0]) == 18


def test_a_show_airs_instead_of_another_for_as_long_as_that_would() -> None:
    harbor = station(
        "id: carols",
        'id: brief, at: "07:00, 12:00", length: 30m, skip: 2026-12-25, instead: {2026-12-24: carols}',
    )
    slots = harbor.timetable.due(ms("2026-12-23T12:00"), ms("2026-12-26T08:00"))
    assert runs(slots) == [
        "carols@20261224T0700", "carols@20261224T1200", "brief@20261226T0700",
    ]  # fmt: skip
    assert {slot.until - slot.at for slot in slots} == {HOUR // 2}
    assert [slot.instead_of for slot in slots] == ["brief", "brief", None]


def test_a_show_of_one_date_has_its_boundary_however_far_it_is() -> None:
    harbor = station('id: eve, date: 2031-12-24, at: "18:00", length: 1h')
    start = ms("2031-12-24T17:00")
    assert harbor.timetable.next_boundary(ms("2026-12-01T00:00")) == start
    assert harbor.timetable.next_boundary(start) == start + HOUR
    assert harbor.timetable.next_boundary(start + HOUR) is None
    leap = station('id: leap, cron: "0 7 29 feb *", length: 1h')
    assert leap.timetable.next_boundary(ms("2096-03-01T00:00")) == ms("2104-02-29T06:00")
