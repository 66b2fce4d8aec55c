from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from radio.mp3.frames import FRAME_BYTES, FRAME_MS, SILENCE_FRAME
from radio.relay.live.frame_pump import AHEAD_FRAMES, BEHIND_FRAMES, FramePump

NOW = 1_800_000_000_000 // FRAME_MS * FRAME_MS
MONO = 500.0


def body(number: int, frames: int) -> bytes:
    return b"".join(bytes([number % 250 + 1, k % 256]).ljust(FRAME_BYTES, b"x") for k in range(frames))


def all_frames(pump: FramePump[int], start: int) -> list[bytes]:
    data = b"".join(part for part, _ in pump.read(start, pump.committed))
    return [data[i : i + FRAME_BYTES] for i in range(0, len(data), FRAME_BYTES)]


def test_a_record_is_heard_at_its_air_time_and_silence_fills_the_time_before() -> None:
    pump: FramePump[int] = FramePump(NOW, MONO)
    start = pump.committed
    placed = pump.place(NOW + 240, body(1, 5), 1)
    assert (placed.start - start, placed.frames, placed.lost) == (10, 5, 0)
    assert all_frames(pump, start) == [SILENCE_FRAME] * 10 + [
        body(1, 5)[i : i + 192] for i in range(0, 960, 192)
    ]
    assert pump.air_ms(placed.start) == NOW + 240


def test_a_record_that_came_after_its_time_was_committed_is_joined_in_progress() -> None:
    pump: FramePump[int] = FramePump(NOW, MONO)
    start = pump.committed
    pump.tick(MONO)
    placed = pump.place(NOW, body(1, AHEAD_FRAMES + 3), 1)
    assert (placed.frames, placed.lost) == (3, AHEAD_FRAMES)
    assert all_frames(pump, start)[AHEAD_FRAMES:] == [
        body(1, AHEAD_FRAMES + 3)[i * 192 : i * 192 + 192] for i in range(AHEAD_FRAMES, AHEAD_FRAMES + 3)
    ]


def test_a_record_that_came_wholly_too_late_loses_all_its_frames_and_moves_nothing() -> None:
    pump: FramePump[int] = FramePump(NOW, MONO)
    pump.tick(MONO)
    before = pump.committed
    placed = pump.place(NOW, body(1, 5), 1)
    assert (placed.frames, placed.lost, pump.committed) == (0, 5, before)


def test_what_is_long_heard_is_let_go() -> None:
    pump: FramePump[int] = FramePump(NOW, MONO)
    pump.place(NOW, body(1, 100), 1)
    pump.tick(MONO + (BEHIND_FRAMES + 200) * FRAME_MS / 1000)
    assert pump.first > pump.line(MONO) + 50
    assert pump.first <= pump.line(MONO + 200 * FRAME_MS / 1000)


def test_a_wall_clock_that_steps_without_an_epoch_changes_nothing() -> None:
    pump: FramePump[int] = FramePump(NOW, MONO)
    assert pump.line(MONO + 24) - pump.line(MONO) == 1000
    assert pump.air_ms(pump.line(MONO + 24)) == NOW + 24_000


def test_a_new_owners_clock_is_adopted_where_a_step_was_told_by_nobody_and_only_once() -> None:
    month = 30 * 86_400_000
    pump: FramePump[int] = FramePump(NOW, MONO)
    start = pump.committed
    pump.place(NOW + 240, body(1, 50), 1)
    pump.adopt(NOW + month, MONO)
    second = pump.place(NOW + month + 3_000, body(2, 5), 2)
    assert (second.start - start, second.lost) == (125, 0)
    pump.epoch(month, NOW + month, MONO)
    assert pump.place(NOW + month + 3_120, body(3, 5), 3).start == second.end


def test_a_new_owner_whose_clock_did_not_step_changes_nothing() -> None:
    pump: FramePump[int] = FramePump(NOW, MONO)
    pump.adopt(NOW + 10_400, MONO + 10)
    assert pump.epochs_between(0, pump.committed + 1) == []


def test_after_an_epoch_what_was_made_is_heard_first_and_the_next_record_follows_without_a_gap() -> None:
    pump: FramePump[int] = FramePump(NOW, MONO)
    start = pump.committed
    pump.place(NOW, body(1, 50), 1)
    pump.epoch(-3_600_000, NOW - 3_600_000 + 17, MONO)
    placed = pump.place(NOW + 50 * FRAME_MS - 3_600_000, body(2, 5), 2)
    assert (placed.start, placed.lost) == (start + 50, 0)
    assert pump.air_ms(start + 49) == NOW + 49 * FRAME_MS
    assert pump.air_ms(start + 50) == NOW + 50 * FRAME_MS - 3_600_000
    assert pump.epochs_between(start, start + 50) == [start + 50]


def test_an_epoch_of_another_machine_adopts_the_own_wall_clock() -> None:
    pump: FramePump[int] = FramePump(NOW, MONO)
    start = pump.committed
    pump.place(NOW, body(1, 50), 1)
    pump.epoch(60_000, NOW, MONO)
    assert pump.place(NOW + 100 * FRAME_MS, body(2, 5), 2).start == start + 100


def test_records_of_before_a_step_that_the_pump_did_not_see_stand_in_the_old_clock() -> None:
    pump: FramePump[int] = FramePump(NOW, MONO, shift_ms=-7_200_000)
    start = pump.committed
    pump.place(NOW - 7_200_000, body(1, 10), 1)
    pump.past_epoch(7_200_000)
    placed = pump.place(NOW + 240, body(2, 5), 2)
    assert (placed.start - start, placed.lost) == (10, 0)
    assert pump.air_ms(start) == NOW - 7_200_000
    assert pump.air_ms(placed.start) == NOW + 240


moves = st.lists(
    st.one_of(
        st.tuples(st.just("tick"), st.floats(0, 5)),
        st.tuples(st.just("place"), st.integers(-100, 400), st.integers(1, 300)),
    ),
    max_size=40,
)


@given(moves)
def test_the_sequence_has_no_gap_never_changes_and_never_runs_ahead_of_what_is_known(
    steps: list[tuple[Any, ...]],
) -> None:
    pump: FramePump[int] = FramePump(NOW, MONO)
    start = now = pump.committed
    mono, number, last_end = MONO, 0, start
    expected: dict[int, bytes] = {}
    for step in steps:
        before = pump.committed
        if step[0] == "tick":
            mono += step[1]
            now = pump.line(mono)
            pump.tick(mono)
            assert pump.committed == max(before, now + AHEAD_FRAMES)
        else:
            number += 1
            wanted = max(last_end, now + step[1])
            data = body(number, step[2])
            placed = pump.place(wanted * FRAME_MS, data, number)
            lost = min(max(before - wanted, 0), step[2])
            assert (placed.lost, placed.frames) == (lost, step[2] - lost)
            for k in range(lost, step[2]):
                expected[wanted + k] = data[k * 192 : k * 192 + 192]
            last_end = wanted + step[2]
        assert pump.committed >= before
    first = pump.first
    frames = all_frames(pump, first)
    assert len(frames) == pump.committed - first
    assert frames == [expected.get(first + k, SILENCE_FRAME) for k in range(len(frames))]
