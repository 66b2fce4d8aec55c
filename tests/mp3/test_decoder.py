"""MP3 back to samples: as long as its frames, and without a seam where records join."""

import io
import wave

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from radio import mp3
from radio.errors import BadInput
from radio.mp3 import decoder


def tone(samples: int, hertz: float, level: float = 0.3) -> NDArray[np.float32]:
    at = np.arange(samples) / mp3.RATE
    return (level * np.sin(2 * np.pi * hertz * at)).astype(np.float32)


def heard(data: bytes) -> NDArray[np.int32]:
    return np.frombuffer(data, "<i2").astype(np.int32)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 60_000))
def test_a_record_is_as_long_as_its_frames_to_the_sample(samples: int) -> None:
    record = mp3.encode(tone(samples, 330))
    frames = sum(1 for _ in mp3.frames(record))
    assert len(decoder.pcm(record)) == frames * mp3.FRAME_SAMPLES * 2 == decoder.pcm_bytes(len(record))


def test_records_decoded_one_by_one_join_as_if_decoded_at_once() -> None:
    records = [mp3.encode(tone(9_000 + 1_111 * k, 220 + 60 * k)) for k in range(6)]
    by_one = heard(b"".join(map(decoder.pcm, records)))
    at_once = heard(decoder.pcm(b"".join(records)))
    assert by_one.size == at_once.size
    assert np.abs(by_one - at_once).max() <= 1  # the least step of 16 bits


def test_what_was_spoken_comes_back_where_it_was() -> None:
    spoken = tone(12_000, 440)
    back = heard(decoder.pcm(mp3.encode(spoken))) / 32_767
    inner = back[mp3.LEAD_SAMPLES + 1_000 : mp3.LEAD_SAMPLES + 11_000]
    assert np.sqrt(np.mean((inner - spoken[1_000:11_000]) ** 2)) < 0.02
    assert np.abs(back[: mp3.FRAME_SAMPLES]).max() < 0.001


def test_the_loudest_sound_is_cut_off_and_never_turns_over() -> None:
    square = np.sign(tone(12_000, 200)).astype(np.float32)
    back = heard(decoder.pcm(mp3.encode(square)))
    inner = back[mp3.LEAD_SAMPLES + 1_000 : mp3.LEAD_SAMPLES + 11_000]
    assert np.abs(inner).max() == 32_767
    assert np.mean(np.sign(inner) == np.sign(square[1_000:11_000])) > 0.95


def test_a_wav_of_known_length_says_so_and_one_of_unknown_length_is_read_to_its_end() -> None:
    samples = decoder.pcm(mp3.encode(tone(5_000, 300)))
    for head in (decoder.wav_head(len(samples)), decoder.wav_head()):
        assert len(head) == decoder.WAV_HEAD_BYTES
        with wave.open(io.BytesIO(head + samples)) as file:
            assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, mp3.RATE)
            assert file.readframes(10_000_000) == samples
    with wave.open(io.BytesIO(decoder.wav_head(len(samples)) + samples)) as file:
        assert file.getnframes() == len(samples) // 2


def test_a_length_that_no_wav_can_state_is_left_open() -> None:
    assert decoder.wav_head(1 << 33) == decoder.wav_head()


def test_what_is_no_sound_is_refused() -> None:
    with pytest.raises(BadInput, match="no sound"):
        decoder.pcm(b"no sound at all" * 40)
