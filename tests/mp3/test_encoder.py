import subprocess
import threading

import numpy as np
import pytest
from numpy.typing import NDArray

from radio.mp3 import (
    FRAME_BYTES,
    FRAME_SAMPLES,
    LEAD_SAMPLES,
    RATE,
    SILENCE_FRAME,
    TAIL_SAMPLES,
    encode,
    frames,
    main_data_begin,
)
from radio.mp3.encoder import EncoderFailed
from tests.need import need

Samples = NDArray[np.float32]


def tone(n: int, hertz: float = 440.0, level: float = 0.5) -> Samples:
    wave: Samples = (level * np.sin(np.arange(n) * (2 * np.pi * hertz / RATE))).astype(np.float32)
    return wave


def decode(mp3: bytes) -> Samples:
    """Every sample a decoder makes of these frames, its delay included; any complaint of ffmpeg fails."""
    need("ffmpeg")
    command = ["ffmpeg", "-v", "warning", "-xerror", "-f", "mp3", "-i", "-", "-f", "f32le", "-ac", "1", "-"]
    done = subprocess.run(command, input=mp3, capture_output=True, check=True, timeout=60)
    complaints = [line for line in done.stderr.decode().splitlines() if "Estimating duration" not in line]
    assert not complaints
    return np.frombuffer(done.stdout, np.float32)


@pytest.mark.parametrize("n", [0, 1, 46, 47, 48, 575, 576, 577, 1151, 1153, 24_000, 100_001])
def test_a_record_is_whole_frames_that_stand_alone(n: int) -> None:
    record = encode(tone(n))
    count = len(record) // FRAME_BYTES
    assert [main_data_begin(frame) for frame in frames(record)] == [0] * count
    assert b"Xing" not in record
    assert b"Info" not in record
    assert not record.startswith(b"ID3")
    assert count == -(-(LEAD_SAMPLES + n) // FRAME_SAMPLES) + 2


@pytest.mark.player
@pytest.mark.parametrize("n", [1, 577, 24_000, 50_003])
def test_what_is_decoded_is_as_long_as_its_frames_and_lies_where_it_should(n: int) -> None:
    record = encode(tone(n))
    heard = decode(record)
    assert heard.size == len(record) // FRAME_BYTES * FRAME_SAMPLES
    assert np.abs(heard[: 2 * FRAME_SAMPLES]).max() == 0.0
    assert np.abs(heard[-TAIL_SAMPLES + FRAME_SAMPLES :]).max() < 0.01
    assert np.abs(heard[-90:]).max() == 0.0
    if n > RATE // 2:
        inner = slice(LEAD_SAMPLES + 600, LEAD_SAMPLES + n - 600)
        assert np.corrcoef(heard[inner], tone(n)[600 : n - 600])[0, 1] > 0.999


def test_both_ends_are_frames_without_sound() -> None:
    parts = list(frames(encode(tone(RATE))))
    without_sound = [_audio_bits(frame) == 0 for frame in parts]
    assert without_sound[:2] == [True, True]
    assert without_sound[-2:] == [True, True]
    assert not any(without_sound[5:-5])


def test_the_silent_frame_is_what_the_encoder_makes_of_silence() -> None:
    assert set(frames(encode(np.zeros(5000, np.float32)))) == {SILENCE_FRAME}


@pytest.mark.player
def test_many_records_join_without_an_error_and_without_a_click() -> None:
    lengths = [700 + 1913 * i for i in range(40)]
    records = [encode(tone(n, 200.0 + 10 * i)) for i, n in enumerate(lengths)]
    heard = decode(b"".join(records))
    assert heard.size == sum(map(len, records)) // FRAME_BYTES * FRAME_SAMPLES
    alone = np.concatenate([decode(record) for record in records])
    np.testing.assert_array_equal(heard, alone)


@pytest.mark.player
def test_any_frame_is_a_legal_start_and_silence_fits_anywhere() -> None:
    record = list(frames(encode(tone(2 * RATE))))
    mixed = [*record[7:20], *[SILENCE_FRAME] * 5, *record[31:]]
    assert decode(b"".join(mixed)).size == len(mixed) * FRAME_SAMPLES


def test_the_same_samples_give_the_same_record() -> None:
    assert encode(tone(9000)) == encode(tone(9000))


def test_too_loud_samples_are_clipped_not_wrapped() -> None:
    assert encode(tone(9000, level=0.5) * 8) == encode(np.clip(tone(9000, level=0.5) * 8, -1, 1))


def test_samples_in_another_layout_are_encoded_alike() -> None:
    wide = np.repeat(tone(9000), 2)
    assert encode(wide[::2]) == encode(tone(9000))


@pytest.mark.parametrize("samples", [np.zeros((2, 9), np.float32), np.full(9, np.nan, np.float32)])
def test_what_is_no_sound_is_refused(samples: Samples) -> None:
    with pytest.raises(EncoderFailed):
        encode(samples)


def test_two_threads_may_encode_at_once() -> None:
    wanted = {hertz: encode(tone(30_000, hertz)) for hertz in (300.0, 500.0)}
    made: dict[float, list[bytes]] = {hertz: [] for hertz in wanted}

    def work(hertz: float) -> None:
        made[hertz] += [encode(tone(30_000, hertz)) for _ in range(5)]

    threads = [threading.Thread(target=work, args=(hertz,)) for hertz in wanted]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert made == {hertz: [record] * 5 for hertz, record in wanted.items()}


def _audio_bits(frame: bytes) -> int:
    """`part2_3_length` of an MPEG-2 mono frame: 12 bits behind main_data_begin (8) and a private bit (1)."""
    return int.from_bytes(frame[4:8], "big") >> (32 - 8 - 1 - 12) & 0xFFF
