from radio.stations.service.run_history import ALWAYS_KEPT, folded
from radio.streams.records import Begin, InputStart, RunEnd


def begin(run: str, until: int = 2000) -> Begin:
    return Begin(run=run, show="a", title="A", voice="v", producer="text", at=1000, until=until)


def test_a_run_is_open_from_its_begin_to_its_end() -> None:
    history = folded(
        [
            (0, InputStart(owner="x")),
            (1, begin("a@1")),
            (2, begin("a@2")),
            (3, RunEnd(run="a@1", reason="until")),
        ]
    )
    assert [b.run for b in history.open] == ["a@2"]
    assert history.has_begun("a@1")
    assert not history.is_open("a@1")


def test_the_open_fallback_is_known() -> None:
    history = folded([(1, begin("a@1")), (2, begin("fallback@2"))])
    assert [begin.run for begin in history.fallbacks] == ["fallback@2"]


def test_what_is_open_or_was_over_lately_is_needed() -> None:
    ends = [(4, RunEnd(run="old@1", reason="until")), (5, RunEnd(run="new@1", reason="until"))]
    history = folded(
        [(1, begin("old@1", 1500)), (2, begin("new@1", 3000)), (3, begin("open@1", 1200)), *ends]
    )
    assert history.first_needed(before=2000) == 1
    assert folded([]).first_needed(before=2000) is None
    newer = [(100 + n, begin(f"newer@{n}", 1500)) for n in range(ALWAYS_KEPT)]
    ends = [*ends, *((200 + n, RunEnd(run=f"newer@{n}", reason="until")) for n in range(ALWAYS_KEPT))]
    runs = [(1, begin("old@1", 1500)), (2, begin("new@1", 3000)), (3, begin("open@1", 1200))]
    assert folded([*runs, *newer, *ends]).first_needed(before=2000) == 2
    assert folded([*runs, *newer, *ends]).first_needed(before=4000) == 3


def test_a_clock_that_is_years_ahead_forgets_no_more_than_the_older_runs() -> None:
    runs = [(n, begin(f"run@{n}", 1500)) for n in range(100)]
    ends = [(100 + n, RunEnd(run=f"run@{n}", reason="until")) for n in range(100)]
    assert folded([*runs, *ends]).first_needed(before=1 << 50) == 100 - ALWAYS_KEPT


def test_fallbacks_are_counted_by_rung_and_stay_counted() -> None:
    runs = [(n, begin(f"fallback@{n}")) for n in range(3)]
    history = folded([*runs, *((9 + n, RunEnd(run=f"fallback@{n}", reason="fed")) for n in range(3))])
    history.fold(20, begin("fallback@1"))
    history.forget(2)
    assert (list(history.begun), history.begin_of("fallback@1")) == (["fallback@2"], None)
    assert history.fallbacks_begun == {"own": 3}
