"""Every stream name is one that every store takes, and says whose it is by its beginning."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radio.streams import call_checks, names

stations = st.from_regex(names.STATION_ID, fullmatch=True)
shows = st.from_regex(names.SHOW_ID, fullmatch=True)
casts = st.from_regex(names.CAST_ID, fullmatch=True)


@given(stations, shows)
def test_names_of_a_station_are_legal_and_distinct(station: str, show: str) -> None:
    run = f"{show}@20261129T0700"
    made = [
        names.station_input(station),
        names.script(station, run),
        names.broadcast(station),
        names.shows(station),
        names.card(station),
    ]
    for name in made:
        call_checks.check_name(name)
    assert len(set(made)) == len(made)


@given(casts)
def test_names_of_a_cast_are_legal_and_only_its_output_is_public(cast: str) -> None:
    call_checks.check_name(names.cast(cast))
    call_checks.check_name(names.catalog(cast))
    assert names.cast(cast).startswith(names.PUBLIC)
    assert not names.catalog(cast).startswith(names.PUBLIC)


@pytest.mark.parametrize(
    ("name", "spelt"),
    [
        (names.station_input("harbor"), "in/stations/harbor"),
        (names.script("harbor", "brief@20261129T0700"), "in/stations/harbor/brief@20261129T0700"),
        (names.broadcast("harbor"), "pub/stations/harbor"),
        (names.shows("harbor"), "pub/stations/harbor/shows"),
        (names.card("harbor"), "pub/stations/harbor/card"),
        (names.cast("Zm9vYmFyYmF6"), "pub/casts/Zm9vYmFyYmF6"),
        (names.catalog("Zm9vYmFyYmF6"), "catalog/Zm9vYmFyYmF6"),
        (names.member("a1b2c3d4"), "member/a1b2c3d4"),
        (names.JOBS_CURSOR, "jobs/_cursor"),
        (names.JOBS_DEAD, "jobs/dead"),
        (names.CONTROL, "control"),
        (names.DONE, "progress/done"),
    ],
)
def test_names_are_spelt_as_stored_radios_have_them(name: str, spelt: str) -> None:
    assert name == spelt
    call_checks.check_name(name)


def test_shared_streams_are_not_public() -> None:
    shared = [names.JOBS, names.JOBS_CURSOR, names.JOBS_DEAD, names.CONTROL, names.DONE, names.STORE]
    assert [name for name in shared if name.startswith(names.PUBLIC)] == []
