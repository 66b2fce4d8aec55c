"""The jobs: which are open, and the watermark, whatever the order in which jobs and receipts are seen."""

from hypothesis import given
from hypothesis import strategies as st

from radio.narrator.cast.job_queue import Jobs


def test_jobs_are_open_in_the_order_they_came_each_cast_once() -> None:
    jobs = Jobs()
    for seq, cast in enumerate(["b", "a", "b"]):
        jobs.add(seq, cast)
    assert list(jobs.open.items()) == [("b", 2), ("a", 1)]
    assert jobs.watermark == 0


def test_a_receipt_finishes_all_jobs_of_its_cast_up_to_it() -> None:
    jobs = Jobs()
    for seq, cast in enumerate(["b", "a", "b", "b"]):
        jobs.add(seq, cast)
    jobs.finish("b", 2)
    assert list(jobs.open.items()) == [("a", 1), ("b", 3)]
    assert jobs.watermark == 1
    jobs.finish("a", 1)
    assert jobs.watermark == 3


def test_a_receipt_may_be_seen_before_its_job() -> None:
    jobs = Jobs()
    jobs.finish("a", 0)
    jobs.add(0, "a")
    assert (jobs.open, jobs.watermark) == ({}, 1)


def test_a_cast_that_is_submitted_anew_is_open_again() -> None:
    jobs = Jobs()
    jobs.add(0, "a")
    jobs.finish("a", 0)
    jobs.add(1, "a")
    assert jobs.open == {"a": 1}


steps = st.lists(st.tuples(st.booleans(), st.sampled_from("abc"), st.integers(0, 20)), max_size=40)


@given(steps)
def test_the_watermark_never_falls_and_all_below_it_is_finished(script: list[tuple[bool, str, int]]) -> None:
    jobs, last = Jobs(), 0
    added: list[str] = []
    receipts: dict[str, int] = {}
    for is_job, cast, job in script:
        if is_job:
            jobs.add(len(added), cast)
            added.append(cast)
        else:
            seen = min(job, len(added) - 1)
            jobs.finish(cast, seen)
            receipts[cast] = max(seen, receipts.get(cast, -1))
        assert jobs.watermark >= last
        last = jobs.watermark
        unfinished = [seq for seq, name in enumerate(added) if receipts.get(name, -1) < seq]
        assert list(jobs.unfinished) == unfinished
        assert jobs.watermark == (unfinished[0] if unfinished else len(added))
