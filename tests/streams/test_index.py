from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from radio.streams.index import Probe, Spot, first_where, newest_at


def probe_of(spots: list[Spot]) -> tuple[Probe, list[int]]:
    probes: list[int] = []

    async def probe(seq: int) -> Spot | None:
        probes.append(seq)
        return next((s for s in spots if s.seq >= seq), None)

    return probe, probes


def broadcast(gaps: list[tuple[int, int]], at: int = 1000) -> list[Spot]:
    spots, seq, pos = [], 0, 0
    for skip, size in gaps:
        seq += skip
        spots.append(Spot(seq, at, pos, size, "r", 0))
        seq, pos, at = seq + 1, pos + size, at + size // 8
    return spots


layouts = st.lists(
    st.tuples(st.integers(0, 3), st.integers(1, 40).map(lambda n: n * 192)), min_size=1, max_size=60
)


@given(layouts, st.integers(0, 400_000))
async def test_the_record_that_holds_a_byte_is_found_wherever_other_records_stand_between(
    gaps: list[tuple[int, int]], pos: int
) -> None:
    spots = broadcast(gaps)
    probe, probes = probe_of(spots)
    found = await first_where(probe, 0, spots[-1].seq + 1, lambda s: s.end_pos > pos)
    assert found == next((s for s in spots if s.pos <= pos < s.end_pos), None)
    assert len(probes) <= 10


@given(layouts, st.integers(0, 60_000))
async def test_the_record_on_air_at_an_instant_is_found(gaps: list[tuple[int, int]], at: int) -> None:
    spots = broadcast(gaps)
    probe, _ = probe_of(spots)
    found = await newest_at(probe, 0, spots[-1].seq + 1, at)
    assert found == next((s for s in spots if s.until > at), None)


@given(st.lists(layouts, min_size=1, max_size=4), st.integers(0, 3), st.integers(0, 30_000))
async def test_a_time_of_an_epoch_is_found_though_its_clock_was_behind_or_ahead_of_the_others(
    epochs: list[list[tuple[int, int]]], asked: int, at: int
) -> None:
    spots: list[Spot] = []
    for epoch, layout in enumerate(epochs):
        begin = spots[-1].seq + 2 if spots else 0
        step = [9000, 2000, 30_000, 1000][epoch]
        spots += [replace(s, seq=s.seq + begin, epoch=epoch) for s in broadcast(layout, at=step)]
    probe, _ = probe_of(spots)
    after = (asked, at)
    found = await first_where(probe, 0, spots[-1].seq + 1, lambda s: (s.epoch, s.until) > after)
    assert found == next((s for s in spots if s.epoch > asked or (s.epoch == asked and s.until > at)), None)


async def test_of_two_times_the_newer_one_is_found_after_the_clock_was_set_back() -> None:
    old = broadcast([(0, 960)] * 40, at=10_000)
    new = [
        Spot(s.seq + 40, s.at - 2000, s.pos, s.size, "r", 0) for s in broadcast([(0, 960)] * 40, at=10_000)
    ]
    probe, _ = probe_of(old + new)
    found = await newest_at(probe, 0, 80, 11_000)
    assert found is not None
    assert found.seq >= 40
    assert found.at <= 11_000 < found.until
