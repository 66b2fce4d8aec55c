import pytest

from radio.mp3 import (
    BYTES_PER_MS,
    FRAME_BYTES,
    FRAME_MS,
    FRAME_SAMPLES,
    RATE,
    SILENCE_FRAME,
    BadFrame,
    duration_ms,
    frames,
    main_data_begin,
)


def test_the_format_converts_between_time_and_bytes_by_integers() -> None:
    assert FRAME_SAMPLES * 1000 == FRAME_MS * RATE
    assert FRAME_BYTES == FRAME_MS * BYTES_PER_MS
    assert FRAME_BYTES * 8 * RATE == FRAME_SAMPLES * 64_000


def test_a_silent_frame_stands_alone() -> None:
    assert len(SILENCE_FRAME) == FRAME_BYTES
    assert main_data_begin(SILENCE_FRAME) == 0
    assert list(frames(SILENCE_FRAME * 3)) == [SILENCE_FRAME] * 3


def test_no_data_has_no_frames() -> None:
    assert list(frames(b"")) == []
    assert duration_ms(b"") == 0


def test_duration_is_frames_times_24_ms() -> None:
    assert duration_ms(SILENCE_FRAME * 250) == 6000


@pytest.mark.parametrize(
    "data",
    [
        SILENCE_FRAME[:-1],
        SILENCE_FRAME + b"\xff",
        b"ID3\x04" + bytes(FRAME_BYTES - 4),
        b"\xff\xfb\x84\xc4" + SILENCE_FRAME[4:],
        SILENCE_FRAME[:3] + b"\x44" + SILENCE_FRAME[4:],
        SILENCE_FRAME[:4] + b"\x01" + SILENCE_FRAME[5:],
    ],
    ids=["short", "rest", "ID3", "MPEG-1", "stereo", "reservoir"],
)
def test_what_is_no_frame_of_ours_is_refused(data: bytes) -> None:
    with pytest.raises(BadFrame):
        list(frames(data))


def test_a_broken_length_has_no_duration() -> None:
    with pytest.raises(BadFrame):
        duration_ms(SILENCE_FRAME[1:])
