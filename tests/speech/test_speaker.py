from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
import psutil
import pytest
from numpy.typing import NDArray

from radio.errors import BadInput, RadioError, Unsupported
from radio.mp3 import FRAME_BYTES, FRAME_MS, frames
from radio.pronunciation import Given, from_entries
from radio.settings import Settings
from radio.speech.engines import MAX_PHONEMES, EngineFailed
from radio.speech.g2p.espeak import EspeakFailed
from radio.speech.speaker import Speaker, Spoken, Unspeakable, Utterance, VoiceSpeaker, load_speaker
from radio.speech.splitting import split
from radio.voices import Blend
from tests.hearing import hear, samples, word_error_rate
from tests.need import need

Sound = NDArray[np.float32]


class Voice:
    """An engine whose sounds the test chooses."""

    name = "test voice"

    def __init__(self, make: Callable[[str], Sound]) -> None:
        self.make = make
        self.said: list[str] = []

    def synthesise(self, phonemes: str, blend: Blend) -> Sound:
        self.said.append(phonemes)
        return self.make(phonemes)


class Letters:
    """A G2P that gives the text itself."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.closed = 0

    def phonemes(self, text: str, language: str, given: Mapping[str, Given] | None = None) -> str:
        self.asked.append(text)
        if text == "fails":
            raise EspeakFailed("it fails")
        if language == "ja":
            raise Unsupported("no Japanese here", hint="none")
        return text

    def close(self) -> None:
        self.closed += 1


def beep(phonemes: str) -> Sound:
    wave: Sound = (0.3 * np.sin(np.arange(len(phonemes) * 1200) * 0.1)).astype(np.float32)
    return wave


def speaks(make: Callable[[str], Sound] = beep) -> tuple[VoiceSpeaker, Voice, Letters]:
    voice, letters = Voice(make), Letters()
    return (
        VoiceSpeaker(voice, letters, lambda symbol: symbol != "~" and not symbol.isdigit(), "af_heart"),
        voice,
        letters,
    )


def test_a_sentence_becomes_one_record_of_whole_frames() -> None:
    made, _, _ = speaks()
    spoken = made.speak("It is five o'clock.", "af_heart")
    assert len(spoken.mp3) == spoken.frames * FRAME_BYTES
    assert len(list(frames(spoken.mp3))) == spoken.frames
    assert spoken.frames * FRAME_MS > len("It is five o'clock.") * 50
    assert spoken.phonemes == made.units("It is five o'clock.", "af_heart") == len("It is five o'clock.")
    assert spoken.gen_ms > 0


def test_the_voice_gets_words_not_the_captions_digits() -> None:
    made, voice, _ = speaks()
    made.speak("It costs $5.", "af_heart")
    assert voice.said == ["It costs five dollars."]


def test_the_g2p_is_asked_once_for_units_and_speech() -> None:
    made, _, letters = speaks()
    made.units("Hello.", "af_heart")
    made.speak("Hello.", "af_heart")
    made.speak("Hello.", "am_adam@1.5")
    assert letters.asked == ["Hello."]
    made.units("Hello.", "bf_emma")
    assert letters.asked == ["Hello.", "Hello."]


def test_it_remembers_only_so_many_sentences() -> None:
    made, _, letters = speaks()
    for number in range(200):
        made.units("x" * (number + 1), "af_heart")
    assert len(made._spelt) == 64
    made.units("x", "af_heart")
    assert len(letters.asked) == 201


def test_symbols_without_a_sound_are_left_out_logged_and_counted(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    made, voice, letters = speaks()
    monkeypatch.setattr(letters, "phonemes", lambda text, language, given=None: "a~b.")
    assert made.speak("whatever", "af_heart").phonemes == 3
    assert voice.said == ["ab."]
    made.speak("another", "af_heart")
    told = [r for r in caplog.records if getattr(r, "action", "") == "g2p.symbols_dropped"]
    assert [(r.symbols, r.left_out, r.since_start) for r in told] == [("~", 1, 1), ("~", 1, 2)]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "make", "reason"),
    [
        ("", beep, "empty"),
        (" \n", beep, "empty"),
        ("🎉", beep, "no phonemes"),
        ("...", beep, "no phonemes"),
        ("Hello.", lambda _: np.zeros(24_000, np.float32), "silent"),
        ("Hello.", lambda _: np.zeros(0, np.float32), "silent"),
        ("A whole sentence that is long.", lambda _: beep("x")[:400], "too short"),
        ("Hello.", lambda _: np.full(24_000, np.nan, np.float32), "engine"),
        ("fails", beep, "engine"),
    ],
)
def test_what_cannot_be_spoken_says_why(text: str, make: Callable[[str], Sound], reason: str) -> None:
    made, _, _ = speaks(make)
    with pytest.raises(Unspeakable) as raised:
        made.speak(text, "af_heart")
    assert raised.value.reason == reason
    assert text not in ("fails",) or "it fails" in str(raised.value)


def test_a_failing_engine_makes_a_text_unspeakable_and_the_next_is_spoken() -> None:
    def fails(phonemes: str) -> Sound:
        if "bad" in phonemes:
            raise EngineFailed("out of order")
        return beep(phonemes)

    made, _, _ = speaks(fails)
    with pytest.raises(Unspeakable, match="out of order"):
        made.speak("A bad one.", "af_heart")
    assert made.speak("A good one.", "af_heart").frames


class Choir(Voice):
    """An engine that takes several sentences at once, and none that has `bad` in it."""

    at_once = 4

    def __init__(self) -> None:
        super().__init__(beep)
        self.groups: list[list[str]] = []

    def synthesise_together(self, sentences: Sequence[tuple[str, Blend]]) -> list[Sound | RadioError]:
        self.groups.append([phonemes for phonemes, _ in sentences])
        return [EngineFailed("out of order") if "bad" in text else beep(text) for text, _ in sentences]


def test_an_engine_for_several_sentences_is_given_them_together_with_each_in_its_place() -> None:
    choir = Choir()
    made = VoiceSpeaker(choir, Letters(), lambda _: True, "af_heart")
    assert made.at_once == 4
    long = "word " * 150 + "end."
    texts = ["A good one.", "A bad one.", "", long, "fails", "A good one."]
    results = made.speak_all([Utterance(text, "af_heart") for text in texts])
    assert choir.groups == [["A good one.", "A bad one.", *split(long)]]
    assert choir.said == []
    reasons = [result.reason if isinstance(result, Unspeakable) else None for result in results]
    assert reasons == [None, "engine", "empty", None, "engine", None]
    for place in (0, 3, 5):
        alone, result = made.speak(texts[place], "af_heart"), results[place]
        assert isinstance(result, Spoken)
        assert (result.mp3, result.phonemes) == (alone.mp3, alone.phonemes)


class Stumbling(Letters):
    """It fails at its first text."""

    def phonemes(self, text: str, language: str, given: Mapping[str, Given] | None = None) -> str:
        first = not self.asked
        return super().phonemes("fails" if first else text, language, given)


def test_what_could_not_be_read_with_its_company_is_spoken_alone() -> None:
    choir = Choir()
    made = VoiceSpeaker(choir, Stumbling(), lambda _: True, "af_heart")
    results = made.speak_all([Utterance("A good one.", "af_heart"), Utterance("Another.", "af_heart")])
    assert all(isinstance(result, Spoken) for result in results)
    assert (choir.groups, choir.said) == ([["Another."]], ["A good one."])


def test_the_time_of_what_is_spoken_together_is_shared_out_by_length(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = VoiceSpeaker(Choir(), Letters(), lambda _: True, "af_heart")
    monkeypatch.setattr("radio.speech.speaker.time.perf_counter", iter(range(100)).__next__)
    results = made.speak_all(
        [Utterance("short one", "af_heart"), Utterance("a longer one. " * 5, "af_heart")]
    )
    spoken = [result for result in results if isinstance(result, Spoken)]
    assert sum(one.gen_ms for one in spoken) == pytest.approx(5000)  # a second for each look at the clock
    assert spoken[0].gen_ms / spoken[1].gen_ms == pytest.approx(spoken[0].frames / spoken[1].frames)


def test_an_engine_for_one_sentence_is_given_one_after_the_other() -> None:
    made, voice, _ = speaks()
    assert made.at_once == 1
    spoken, refused = made.speak_all([Utterance("One.", "af_heart"), Utterance("text", "af_nobody")])
    assert voice.said == ["One."]
    assert isinstance(spoken, Spoken)
    assert isinstance(refused, BadInput)


def test_a_language_that_is_not_spoken_here_is_named_with_a_hint() -> None:
    made, _, _ = speaks()
    with pytest.raises(Unspeakable) as raised:
        made.speak("text", "jf_alpha")
    assert (raised.value.reason, raised.value.hint) == ("language", "none")


def test_an_unknown_voice_is_bad_input_not_an_unspeakable_text() -> None:
    made, _, _ = speaks()
    with pytest.raises(BadInput):
        made.speak("text", "af_nobody")


def test_a_long_text_is_spoken_whole_in_pieces() -> None:
    made, voice, _ = speaks()
    text = " ".join(f"word{'x' * (i % 7)}," for i in range(300))
    spoken = made.speak(text, "af_heart")
    assert " ".join(voice.said) == text
    assert all(len(piece) <= MAX_PHONEMES for piece in voice.said)
    assert spoken.frames * FRAME_MS > len(text) * 40


@pytest.mark.parametrize(
    "phonemes",
    [
        "a",
        "a" * 510,
        "ab " * 170,
        "ab " * 171,
        "ab, " * 500,
        "a" * 511,
        "a" * 5000,
        "a. " + "b" * 600,
        "ab " * 400 + "c" * 700,
    ],
)
def test_pieces_fit_the_model_are_even_and_lose_nothing(phonemes: str) -> None:
    pieces = split(phonemes.strip())
    assert all(1 <= len(piece) <= MAX_PHONEMES for piece in pieces)
    assert "".join(pieces).replace(" ", "") == phonemes.replace(" ", "")
    assert len(pieces) <= -(-len(phonemes) // MAX_PHONEMES) + 2


def test_pieces_of_plain_words_are_about_equally_long() -> None:
    sizes = [len(piece) for piece in split("ab " * 400)]
    assert max(sizes) - min(sizes) < 30


def test_close_closes_the_g2p() -> None:
    made, _, letters = speaks()
    made.close()
    assert letters.closed == 1


def test_the_tone_needs_no_model_and_speaks_everything(tmp_path: object) -> None:
    made = load_speaker(Settings(engine="tone", models=Settings().models / "none"))
    made.warm_up()
    assert made.name == "tone"
    assert 0.7 <= made.speak("ten chars.", "jf_alpha").frames * FRAME_MS / 1000 <= 1.3
    made.close()


def test_without_models_the_error_says_what_to_run() -> None:
    from radio.models import ModelMissing

    with pytest.raises(ModelMissing) as raised:
        load_speaker(Settings(models=Settings().models / "none"))
    assert "radio models pull" in raised.value.hint


@pytest.mark.model
def test_without_espeak_no_voice_is_loaded_and_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    need("voice")
    monkeypatch.setattr("radio.speech.g2p.espeak.importlib.util.find_spec", lambda _: None)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(Unsupported, match="espeak-ng is missing") as raised:
        load_speaker(Settings())
    assert "pip install espeakng-loader" in raised.value.hint


def test_a_pronunciation_list_changes_what_is_said_and_is_told_apart(
    caplog: pytest.LogCaptureFixture,
) -> None:
    made, voice, letters = speaks()
    made.speak("Kyoto", "af_heart")
    made.speak("Kyoto", "af_heart", from_entries({"Kyoto": "Kee oh toe"}))
    made.speak("Kyoto", "af_heart")
    assert voice.said == ["Kyoto", "Kee oh toe", "Kyoto"]
    assert letters.asked == ["Kyoto", "Kee oh toe"]


# --- the real voice


@pytest.fixture(scope="module")
def real() -> Iterator[Speaker]:
    need("voice", "ffmpeg")
    made = load_speaker(Settings())
    made.warm_up()
    yield made
    made.close()


@pytest.mark.model
def test_a_record_is_as_long_as_its_frames_and_silent_at_its_ends(real: Speaker) -> None:
    spoken = real.speak("Hi!", "af_heart")
    heard = samples(spoken.mp3)
    assert heard.size == spoken.frames * 576
    assert np.abs(heard[: 50 * 24]).max() < 1e-4
    assert np.abs(heard[-40 * 24 :]).max() < 1e-3
    assert 300 < spoken.frames * FRAME_MS < 2500


@pytest.mark.model
def test_a_text_longer_than_the_model_takes_is_spoken_to_its_last_word(real: Speaker) -> None:
    text = (
        "When the storm had passed the fishermen walked down to the water to see what was left of their "
        "boats and found that three of them had been carried over the wall into the garden of the school "
        "where the children were already sitting inside them and playing at being captains while their "
        "teacher who had sailed around the world in her youth showed them how to tie a rope and how to "
        "find the north by the "
        "stars and promised that on the first calm morning of spring they would all go out together to look "
        "at the whales and the seals and the long green island behind the lighthouse"
    )
    voice = "af_heart@1.30"
    assert real.units(text, voice) > MAX_PHONEMES
    heard = hear(real.speak(text, voice).mp3)
    assert word_error_rate(heard, text) <= 0.15, heard
    assert "lighthouse" in heard[-20:]


@pytest.mark.model
@pytest.mark.parametrize("voice", ["ef_dora", "ff_siwis", "hf_alpha", "if_sara", "pf_dora"])
def test_other_languages_are_spoken(real: Speaker, voice: str) -> None:
    text = "नमस्ते दुनिया" if voice.startswith("h") else "La radio, 25."
    assert real.speak(text, voice).frames * FRAME_MS > 700


@pytest.mark.model
def test_memory_stays_flat(real: Speaker) -> None:
    process = psutil.Process()
    texts = [f"Ship {n} is {'very ' * (n % 7)}zq{n}." for n in range(21)]
    for text in texts[:7]:
        real.speak(text, "af_heart")
    before = process.memory_info().rss
    for text in texts[7:]:
        real.speak(text, "af_heart")
    assert process.memory_info().rss - before < 40 << 20
