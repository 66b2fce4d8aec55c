from hypothesis import given
from hypothesis import strategies as st

from radio.stations.definition.station import Station
from radio.stations.fallback import ladder
from radio.stations.fallback.ladder import (
    AGAIN_MS,
    DONE,
    DRY,
    EMPTY_AGAIN_MS,
    FAILED,
    NOTHING,
    SILENT_MS,
    Rung,
    Try,
)
from tests.stations.samples import read, station

NOW = 1_800_000_000_000
FILE = "station: a\ntitle: A\ntimezone: UTC\nshows: []\nfallback: {fallback}\n"
TALKS = read(FILE.format(fallback="{producer: llm, topics: [calm]}"))
RERUNS = read(FILE.format(fallback="{producer: rerun}"))


def tries(*ended: tuple[Rung, str | None], apart_ms: int = 1000) -> list[Try]:
    """Tries that ended one after the other, the last one just now."""
    begun = NOW - apart_ms * len(ended)
    return [
        Try(f"fallback@{n}", rung, begun, end, begun + n * apart_ms) for n, (rung, end) in enumerate(ended)
    ]


def test_the_ladder_begins_with_what_the_file_says_and_ends_with_the_ident() -> None:
    assert ladder.rungs(TALKS) == (Rung.OWN, Rung.RERUN, Rung.IDENT)
    assert ladder.rungs(RERUNS) == (Rung.OWN, Rung.IDENT)
    assert ladder.rungs(station()) == ()


def test_the_first_rung_is_the_station_s_own() -> None:
    assert ladder.next_rung(TALKS, [], NOW) == Rung.OWN
    assert ladder.next_rung(station(), [], NOW) == Rung.SILENCE


def test_each_failure_leads_to_the_next_rung_and_at_last_to_silence() -> None:
    steps = [(Rung.OWN, DRY), (Rung.RERUN, NOTHING), (Rung.IDENT, FAILED)]
    reached = [ladder.next_rung(TALKS, tries(*steps[:n]), NOW) for n in range(4)]
    assert reached == [Rung.OWN, Rung.RERUN, Rung.IDENT, Rung.SILENCE]


def test_what_was_done_in_good_order_is_begun_again() -> None:
    assert ladder.next_rung(TALKS, tries((Rung.OWN, DONE)), NOW) == Rung.OWN
    assert ladder.next_rung(TALKS, tries((Rung.OWN, DRY), (Rung.RERUN, DONE)), NOW) == Rung.RERUN


def test_a_rung_that_failed_is_tried_again_after_a_while() -> None:
    failed = tries((Rung.OWN, DRY))
    assert ladder.next_rung(TALKS, failed, failed[0].ended_at + AGAIN_MS - 1) == Rung.RERUN
    assert ladder.next_rung(TALKS, failed, failed[0].ended_at + AGAIN_MS) == Rung.OWN


def test_a_rung_that_had_nothing_to_air_is_tried_again_soon() -> None:
    empty = tries((Rung.OWN, NOTHING))
    assert ladder.next_rung(RERUNS, empty, empty[0].ended_at + EMPTY_AGAIN_MS - 1) == Rung.IDENT
    assert ladder.next_rung(RERUNS, empty, empty[0].ended_at + EMPTY_AGAIN_MS) == Rung.OWN


def test_silence_does_not_last_where_something_might_work_again() -> None:
    failed = tries((Rung.OWN, DRY), (Rung.RERUN, DRY), (Rung.IDENT, FAILED))
    assert ladder.next_rung(TALKS, failed, failed[-1].ended_at + SILENT_MS - 1) == Rung.SILENCE
    assert ladder.next_rung(TALKS, failed, failed[-1].ended_at + SILENT_MS) == Rung.OWN


def test_a_better_rung_is_tried_beside_the_one_on_air() -> None:
    going = tries((Rung.OWN, DRY), (Rung.RERUN, None))
    assert ladder.better_rung(TALKS, going, NOW) is None
    assert ladder.better_rung(TALKS, going, going[0].ended_at + AGAIN_MS) == Rung.OWN
    both = [*going, Try("fallback@9", Rung.OWN, NOW)]
    assert ladder.better_rung(TALKS, both, going[0].ended_at + AGAIN_MS) is None
    assert ladder.better_rung(TALKS, [], NOW) is None


def test_a_rung_whose_run_ended_while_a_look_was_under_way_has_failed() -> None:
    failed = tries((Rung.OWN, DRY))
    assert ladder.next_rung(TALKS, failed, failed[0].ended_at - 20) == Rung.RERUN


def test_a_clock_that_was_set_back_makes_no_rung_wait_for_days() -> None:
    failed = tries((Rung.OWN, DRY))
    assert ladder.next_rung(TALKS, failed, NOW - 86_400_000) == Rung.OWN


@given(
    st.lists(
        st.tuples(
            st.sampled_from((Rung.OWN, Rung.RERUN, Rung.IDENT)), st.sampled_from((DRY, NOTHING, DONE, FAILED))
        ),
        max_size=8,
    ),
    st.sampled_from((TALKS, RERUNS)),
    st.integers(0, 2 * AGAIN_MS),
)
def test_a_rung_that_failed_lately_is_begun_only_where_all_have(
    ended: list[tuple[Rung, str | None]], of: Station, later: int
) -> None:
    so_far = tries(*ended)
    now = NOW + later
    rung = ladder.next_rung(of, so_far, now)
    newest = {one.rung: one for one in so_far}
    waits = {NOTHING: EMPTY_AGAIN_MS}
    lately = {
        r for r, one in newest.items()
        if one.has_failed and now - one.ended_at < waits.get(one.end or "", AGAIN_MS)
    }  # fmt: skip
    if rung in lately or rung == Rung.SILENCE:
        assert set(ladder.rungs(of)) <= lately
    else:
        assert set(ladder.rungs(of)[: ladder.rungs(of).index(rung)]) <= lately
