"""Recorded sound: decoded, equally loud, in pieces that join without a gap."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from numpy.typing import NDArray

from radio import producer_kinds
from radio.clock import ManualClock
from radio.errors import BadInput
from radio.mp3 import DELAY_SAMPLES, RATE, frames
from radio.producers.recordings import audio_source
from radio.producers.recordings.audio_source import PIECE_BYTES, loudness, pieces_of
from radio.producers.recordings.loudness import Meter
from radio.producers.recordings.resampling import Recording
from radio.producers.source import Brief, SoundPiece
from radio.settings import Settings
from tests.producers.samples import NOW, assignment
from tests.producers.texts.test_text_source import Told

WANTED = -21.0


def tone(seconds: float, level: float, rate: int = 44_100, hertz: float = 997.0) -> NDArray[np.float64]:
    return level * np.sin(2 * np.pi * hertz * np.arange(round(seconds * rate)) / rate)


def write(path: Path, samples: NDArray[np.float64], rate: int = 44_100, **more: Any) -> Path:
    soundfile.write(path, samples, rate, **more)
    return path


def decoded(mp3: bytes) -> NDArray[np.float32]:
    samples, rate = soundfile.read(io.BytesIO(mp3), dtype="float32")
    assert rate == RATE
    return np.asarray(samples, np.float32)


def lufs(samples: NDArray[np.float32]) -> float:
    meter = Meter()
    meter.add(samples)
    told = meter.lufs()
    assert told is not None
    return told


# --- loudness -----------------------------------------------------------------------------------------------


def test_the_standard_s_own_tone_has_the_loudness_that_the_standard_gives() -> None:
    """BS.1770: a full scale sine of 997 Hz in one channel is -3.01 LUFS; 20 dB softer, 20 LU less."""
    assert lufs(tone(20, 1.0, RATE).astype(np.float32)) == pytest.approx(-3.01, abs=0.05)
    assert lufs(tone(20, 0.1, RATE).astype(np.float32)) == pytest.approx(-23.01, abs=0.05)


def test_low_sound_counts_less_and_high_sound_more() -> None:
    low, middle, high = (lufs(tone(5, 0.5, RATE, hertz).astype(np.float32)) for hertz in (40, 997, 6000))
    assert low < middle - 3
    assert 2.5 < high - middle < 4.5


def test_pauses_do_not_make_sound_softer() -> None:
    sound = tone(10, 0.1, RATE).astype(np.float32)
    broken = np.concatenate([sound, np.zeros(RATE * 30, np.float32), sound * np.float32(0.01), sound])
    assert lufs(broken) == pytest.approx(lufs(sound), abs=0.15)


def test_how_sound_comes_makes_no_difference_and_silence_has_no_loudness() -> None:
    sound = (tone(23, 0.2, RATE) * np.linspace(0, 1, 23 * RATE)).astype(np.float32)
    parts = Meter()
    for part in np.array_split(sound, 37):
        parts.add(part)
    told = parts.lufs()
    assert told is not None
    assert told == pytest.approx(lufs(sound), abs=1e-6)
    silent = Meter()
    assert silent.lufs() is None
    silent.add(np.zeros(RATE, np.float32))
    assert silent.lufs() is None


# --- recordings ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("a.wav", {}), ("a.flac", {}), ("a.ogg", {}), ("a.mp3", {"format": "MP3"}), ("a.aiff", {}),
        ("a.opus", {"format": "OGG", "subtype": "OPUS", "rate": 48_000}), ("b.wav", {"subtype": "FLOAT"}),
    ],
)  # fmt: skip
def test_formats_are_read_as_mono_at_our_rate(tmp_path: Path, name: str, more: dict[str, Any]) -> None:
    rate = more.pop("rate", 44_100)
    stereo = np.stack([tone(3, 0.2, rate), tone(3, 0.2, rate)], axis=1)
    recording = Recording(write(tmp_path / name, stereo, rate, **more))
    samples = np.concatenate(list(recording.samples()))
    assert recording.seconds == pytest.approx(3, abs=0.2)
    assert samples.size == pytest.approx(3 * RATE, abs=0.2 * RATE)
    assert lufs(samples) == pytest.approx(-17, abs=0.5)


def test_a_title_is_what_the_file_says_else_its_name(tmp_path: Path) -> None:
    path = tmp_path / "the_lamp-song.flac"
    with soundfile.SoundFile(path, "w", 44_100, 1) as file:
        file.title, file.artist = "The Lamp", "Ada"
        file.write(tone(0.1, 0.1))
    assert Recording(path).title == "The Lamp, Ada"
    assert Recording(write(tmp_path / "the_lamp-song.wav", tone(0.1, 0.1))).title == "the lamp song"


@pytest.mark.parametrize("data", [b"", b"RIFF", b"\xff\xfb" * 50, b"no sound at all" * 100])
def test_what_is_no_sound_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.wav"
    path.write_bytes(data)
    with pytest.raises(BadInput, match="no sound"):
        Recording(path)


# --- pieces -------------------------------------------------------------------------------------------------


def test_pieces_are_of_our_format_and_join_without_a_gap(tmp_path: Path) -> None:
    made = list(pieces_of(Recording(write(tmp_path / "a.wav", tone(40, 0.2))), WANTED))
    assert [len(p.mp3) for p in made[:-1]] == [PIECE_BYTES] * 3
    assert [(p.n, p.is_last) for p in made] == [(0, False), (1, False), (2, False), (3, True)]
    for piece in made:
        assert list(frames(piece.mp3))
    samples = decoded(b"".join(p.mp3 for p in made))[DELAY_SAMPLES : DELAY_SAMPLES + 40 * RATE]
    ideal = tone(40, float(np.sqrt(2) * samples.std()), RATE)
    assert samples.size == 40 * RATE
    middle = slice(RATE, 39 * RATE)
    assert np.abs(samples[middle] - ideal[middle]).max() < 0.02 * ideal.max()


def test_who_goes_on_encodes_the_same_sound_from_there(tmp_path: Path) -> None:
    recording = Recording(write(tmp_path / "a.wav", tone(40, 0.2)))
    whole = list(pieces_of(recording, WANTED))
    rest = list(pieces_of(recording, WANTED, first=2))
    assert [(p.n, p.is_last, len(p.mp3)) for p in rest] == [(p.n, p.is_last, len(p.mp3)) for p in whole[2:]]
    joined = decoded(b"".join(p.mp3 for p in [*whole[:2], *rest]))
    straight = decoded(b"".join(p.mp3 for p in whole))
    assert np.abs(joined - straight).max() < 0.02 * straight.max()


@pytest.mark.parametrize("level", [0.03, 0.1, 0.9])
def test_all_comes_out_equally_loud(tmp_path: Path, level: float) -> None:
    noise = np.random.default_rng(1).normal(0, level / 3, 44_100 * 8).clip(-1, 1)
    mp3 = b"".join(p.mp3 for p in pieces_of(Recording(write(tmp_path / "a.wav", noise)), WANTED))
    assert lufs(decoded(mp3)[RATE // 2 : -RATE // 2]) == pytest.approx(WANTED, abs=0.7)


def test_what_is_very_soft_is_made_louder_by_twenty_decibels_at_most() -> None:
    assert audio_source.gain(-60, WANTED) == pytest.approx(10)
    assert audio_source.gain(-31, WANTED) == pytest.approx(10**0.5)
    assert audio_source.gain(None, WANTED) == 1


@pytest.mark.parametrize("seconds", [0.0, 0.001, 0.02, 11.9, 12.0, 12.2])
def test_sound_of_any_length_is_whole(tmp_path: Path, seconds: float) -> None:
    recording = Recording(write(tmp_path / "a.wav", tone(seconds, 0.2)))
    made = list(pieces_of(recording, WANTED))
    total = sum(len(p.mp3) for p in made) // 192 * 576
    assert total >= seconds * RATE + DELAY_SAMPLES - 1
    assert [p.is_last for p in made].count(True) == (1 if made else 0)


def test_silence_stays_silent(tmp_path: Path) -> None:
    recording = Recording(write(tmp_path / "a.wav", np.zeros(44_100)))
    assert loudness(recording) is None
    assert np.abs(decoded(b"".join(p.mp3 for p in pieces_of(recording, WANTED)))).max() < 1e-3


# --- the source ---------------------------------------------------------------------------------------------


def brief(files: list[Path], **more: Any) -> Brief:
    options = {key: more.pop(key) for key in ("loop", "shuffle", "resume") if key in more}
    return Brief(
        assignment=assignment(Path(), at=more.pop("at", NOW)),
        options=producer_kinds.AudioFiles(files=tuple(map(str, files)), **options),
        settings=Settings(),
        clock=ManualClock(),
        next_seg=more.pop("next_seg", 0),
        written="",
        heard_at=lambda: NOW,
        **more,
    )


async def told(given: Brief, count: int = 99) -> list[tuple[int, str, str]]:
    found: list[tuple[int, str, str]] = []
    stream = audio_source.open_source(given).pieces()
    async for sound in stream:
        assert isinstance(sound, SoundPiece)
        assert sound.mark is not None
        found.append((sound.seg, sound.caption, sound.mark.partition("/")[2]))
        if len(found) == count:
            break
    await stream.aclose()
    return found


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    lengths = {"a": 14.0, "b": 1.0, "c": 1.0}
    return [write(tmp_path / f"{name}.wav", tone(length, 0.2)) for name, length in lengths.items()]


async def test_files_are_aired_in_order_and_then_it_ends(files: list[Path]) -> None:
    assert await told(brief(files)) == [
        (0, "♪ a", "a.wav#0"), (0, "♪ a", "a.wav#last"), (1, "♪ b", "b.wav#last"), (2, "♪ c", "c.wav#last"),
    ]  # fmt: skip


async def test_after_a_crash_it_goes_on_with_the_next_piece(files: list[Path]) -> None:
    folder = files[0].parent.name
    given = brief(files, next_seg=1, marks=[f"{folder}/a.wav#0"])
    assert (await told(given))[0] == (1, "♪ a", "a.wav#last")
    given = brief(files, next_seg=2, marks=[f"{folder}/a.wav#0", f"{folder}/a.wav#last"])
    assert (await told(given))[0] == (2, "♪ b", "b.wav#last")


@pytest.mark.parametrize(
    ("mark", "first"), [("a.wav#0", "b"), ("a.wav#last", "b"), ("c.wav#last", "a"), ("x#0", "a")]
)
async def test_a_later_run_begins_with_the_next_file(files: list[Path], mark: str, first: str) -> None:
    heard = Told(f"{files[0].parent.name}/{mark}")
    assert (await told(brief(files, memory=heard), 1))[0][1] == f"♪ {first}"
    assert (await told(brief(files, memory=heard, resume=False), 1))[0][1] == "♪ a"


async def test_a_loop_goes_on_and_a_shuffle_is_the_same_all_day(files: list[Path]) -> None:
    assert [c for _, c, _ in await told(brief(files, loop=True), 6)] == [f"♪ {x}" for x in "aabcaa"]
    day = [await told(brief(files, shuffle=True)) for _ in range(2)]
    assert day[0] == day[1]
    others = [await told(brief(files, shuffle=True, at=NOW + n * 86_400_000), 1) for n in range(8)]
    assert len({order[0][1] for order in others}) > 1


async def test_a_broken_file_is_left_out_with_a_warning(
    files: list[Path], caplog: pytest.LogCaptureFixture
) -> None:
    files[1].write_bytes(b"broken")
    assert {caption for _, caption, _ in await told(brief(files))} == {"♪ a", "♪ c"}
    assert "sound left out" in caplog.text


async def test_without_any_sound_it_fails_instead_of_turning_for_ever(tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    path.write_bytes(b"broken")
    with pytest.raises(BadInput, match="there is no sound"):
        await told(brief([path], loop=True))


def test_a_file_that_claims_a_rate_of_no_sound_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "slow.wav", np.zeros(24_000), rate=1)
    with pytest.raises(BadInput, match="1 channels at 1 Hz"):
        Recording(path)
    assert Recording(write(tmp_path / "least.wav", np.zeros(24_000), rate=1000)).seconds == 24
