"""The one fold of a station's input stream."""

from radio.runs import RunHistory
from radio.streams.records import Begin, InputStart, RunEnd


def begin(run: str, at: int = 1000, until: int = 2000) -> Begin:
    return Begin(run=run, show="a", title="A", voice="v", producer="text", at=at, until=until)


def test_a_run_is_open_from_its_begin_to_its_end() -> None:
    end = RunEnd(run="a@1", reason="until")
    history = RunHistory.of([(0, InputStart(owner="x")), (1, begin("a@1")), (2, begin("a@2")), (3, end)])
    assert [run.id for run in history.open] == ["a@2"]
    assert (history.has_begun("a@1"), history.is_open("a@1"), history.is_open("a@2")) == (True, False, True)
    assert not history.has_begun("a@3")


def test_each_record_that_begins_or_ends_a_run_says_which() -> None:
    history = RunHistory()
    begun = history.fold(4, begin("a@1"), 77)
    assert begun is not None
    assert (begun.id, begun.seq, begun.begun_ms, begun.is_ended) == ("a@1", 4, 77, False)
    assert history.fold(5, InputStart(owner="x"), 78) is None
    assert history.fold(6, RunEnd(run="b@1", reason="done"), 79) is None, "it never began"
    assert history.fold(7, RunEnd(run="a@1", reason="done"), 80) is begun
    assert begun.is_ended


def test_a_run_that_began_is_not_begun_again() -> None:
    history = RunHistory.of([(1, begin("a@1")), (2, RunEnd(run="a@1", reason="done"))])
    assert history.fold(3, begin("a@1", until=9000)) is None
    run = history.runs["a@1"]
    assert (run.seq, run.plan.until, run.is_ended) == (1, 2000, True)


def test_runs_stand_by_air_time_and_then_as_they_began() -> None:
    history = RunHistory.of([(1, begin("late@1", at=3000)), (2, begin("b@2")), (3, begin("fallback@3"))])
    assert [run.id for run in history.by_air_time()] == ["b@2", "fallback@3", "late@1"]
    assert [run.id for run in history.open if run.is_fallback] == ["fallback@3"]


def test_what_ended_long_ago_can_be_forgotten_and_what_is_open_cannot() -> None:
    history = RunHistory.of(
        [(1, begin("open@1")), (2, begin("old@1")), (3, begin("new@1")), (4, RunEnd(run="old@1", reason="x"))]
    )
    history.fold(5, RunEnd(run="new@1", reason="x"))
    history.forget(3)
    assert list(history.runs) == ["open@1", "new@1"]
    assert [run.id for run in history.open] == ["open@1"]
