import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from radio.errors import Unsupported
from radio.speech.g2p import espeak
from radio.speech.g2p.espeak import Espeak, EspeakChild, EspeakFailed, EspeakProgram, clauses, open_espeak
from tests.need import need


@pytest.fixture(params=["child", "program"])
def speaks(request: pytest.FixtureRequest) -> Iterator[Espeak]:
    """Both ways to run espeak-ng, which must say the same."""
    if request.param == "program":
        need("espeak")
        yield EspeakProgram(str(shutil.which("espeak-ng")))
        return
    opened = open_espeak()
    yield opened
    opened.close()


@pytest.fixture
def child() -> Iterator[EspeakChild]:
    opened = open_espeak()
    assert isinstance(opened, EspeakChild)
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("voice", "text", "ipa"),
    [
        ("en-us", "goat", "ɡˈo^ʊt"),
        ("en-gb", "goat", "ɡˈə^ʊt"),
        ("es", "hola", "ˈola"),
        ("fr-fr", "monde", "mˈɔ̃d"),
        ("hi", "नमस्ते", "nəmˈʌsteː"),
        ("it", "pizza", "pˈit^sːa"),
        ("pt-br", "não", "nˈɐ̃^ʊ̃"),
    ],
)
def test_words_of_every_language_become_ipa(speaks: Espeak, voice: str, text: str, ipa: str) -> None:
    assert speaks.phonemes(text, voice) == ipa


def test_a_voice_that_does_not_exist_is_an_error_and_the_next_word_is_spoken(speaks: Espeak) -> None:
    with pytest.raises(EspeakFailed):
        speaks.phonemes("word", "xx-none")
    assert speaks.phonemes("cat", "en-us") == "kˈæt"


@pytest.mark.parametrize("text", ["", "...", "\n", "a" * 5000, "{}\\\"'", "word\nnext"])
def test_odd_texts_get_an_answer(speaks: Espeak, text: str) -> None:
    assert isinstance(speaks.phonemes(text, "en-us"), str)
    assert speaks.phonemes("cat", "en-us") == "kˈæt"


def test_a_child_that_was_killed_is_started_again(child: EspeakChild) -> None:
    child.phonemes("cat", "en-us")
    first = child.pid
    assert first
    os.kill(first, signal.SIGKILL)
    assert child.phonemes("cat", "en-us") == "kˈæt"
    assert child.pid != first


def test_a_text_that_ends_every_child_is_an_error() -> None:
    crashing = EspeakChild([sys.executable, "-c", "input()"])
    with pytest.raises(EspeakFailed, match="2 times"):
        crashing.phonemes("cat", "en-us")
    assert crashing.pid is None


def test_a_child_that_does_not_answer_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(espeak, "_TIMEOUT_S", 0.05)
    hanging = EspeakChild([sys.executable, "-c", "import time; time.sleep(600)"])
    with pytest.raises(EspeakFailed):
        hanging.phonemes("cat", "en-us")
    assert hanging.pid is None


def test_close_ends_the_child_and_may_be_repeated(child: EspeakChild) -> None:
    child.phonemes("cat", "en-us")
    child.close()
    child.close()
    assert child.pid is None
    assert child.phonemes("cat", "en-us") == "kˈæt"


PARENT = """
import sys
from radio.speech.g2p.espeak import open_espeak
speaks = open_espeak()
speaks.phonemes("cat", "en-us")
print(speaks.pid, flush=True)
sys.stdin.read()
"""


def test_the_child_ends_with_its_parent_even_if_that_is_killed() -> None:
    command = [sys.executable, "-c", PARENT]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        pid = int(parent.stdout.readline())
        assert Path(f"/proc/{pid}").exists()
        parent.kill()
    deadline = time.monotonic() + 30
    while _runs(pid):
        assert time.monotonic() < deadline, "the child outlived its parent"
        time.sleep(0.01)


def _runs(pid: int) -> bool:
    """Whether the process still runs; one that only waits to be reaped does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_the_library_is_never_loaded_into_this_process(child: EspeakChild) -> None:
    child.phonemes("cat", "en-us")
    assert "libespeak" not in Path("/proc/self/maps").read_text()
    assert "espeakng_loader" not in sys.modules


def test_without_espeak_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("radio.speech.g2p.espeak.importlib.util.find_spec", lambda _: None)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(Unsupported) as raised:
        open_espeak()
    assert "pip install espeakng-loader" in raised.value.hint


def test_a_packaged_library_that_does_not_start_is_said_and_the_program_stands_in(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    need("espeak")
    monkeypatch.setattr(espeak, "_packaged", lambda: [sys.executable, "-c", ""])
    assert isinstance(open_espeak(), EspeakProgram)
    assert "g2p.espeak_broken" in {getattr(record, "action", "") for record in caplog.records}


def test_the_systems_program_stands_in_for_a_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    need("espeak")
    monkeypatch.setattr("radio.speech.g2p.espeak.importlib.util.find_spec", lambda _: None)
    assert isinstance(open_espeak(), EspeakProgram)


def test_clauses_keep_the_punctuation_that_the_voice_wants(child: EspeakChild) -> None:
    assert clauses(child, "¡Hola! Sí, es el momento...", "es", "es") == "ˈola! sˈi, ˈes el momˈɛnto..."
    assert clauses(child, "¿?", "es", "es") == "?"
    assert clauses(child, "", "es", "es") == ""


class Mute:
    """An espeak-ng that knows no sound of anything."""

    def phonemes(self, text: str, voice: str) -> str:
        return ""

    def close(self) -> None:
        """Nothing runs."""


def test_a_clause_without_a_sound_is_told(caplog: pytest.LogCaptureFixture) -> None:
    assert clauses(Mute(), "hola, sí", "es", "es") == ", "
    told = [r for r in caplog.records if getattr(r, "action", "") == "g2p.unread"]
    assert len(told) == 2
    assert not any("hola" in r.getMessage() for r in told)
