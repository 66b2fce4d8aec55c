"""espeak-ng, for words and languages that the dictionaries do not have.

It is GPL and not thread-safe, so it runs as a child process and is never loaded into this one. The child ends
when this process does, because its input closes; a crashed child is started again.
"""

import contextlib
import importlib.util
import json
import logging
import re
import selectors
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Protocol

from radio.errors import RadioError, Unsupported
from radio.log import log_event
from radio.speech.g2p.ipa import to_kokoro

log = logging.getLogger(__name__)

_TIMEOUT_S: Final = 10.0
_TRIES: Final = 2


class EspeakFailed(RadioError):
    """espeak-ng did not answer."""


class Espeak(Protocol):
    """Text to IPA. One call at a time."""

    def phonemes(self, text: str, voice: str) -> str:
        """IPA of `text`; letters of one sound joined by `^`, clauses by a space.

        Args:
            text: one line, without control characters.
            voice: espeak-ng's name of a language, as `en-us`.

        Raises:
            EspeakFailed: no such voice, a crash at this text, or no answer in time.
        """
        ...

    def close(self) -> None:
        """End the child. Safe to repeat; a later call starts it again."""
        ...


def open_espeak() -> Espeak:
    """The espeak-ng that was installed with the radio, or else the system's; it was tested with a word.

    Raises:
        Unsupported: there is none, or none that works.
    """
    packaged, program = _packaged(), shutil.which("espeak-ng")
    found: list[Espeak] = [EspeakChild(packaged)] if packaged else []
    found += [EspeakProgram(program)] if program else []
    for espeak in found:
        if _works(espeak):
            return espeak
    raise Unsupported(
        "espeak-ng is missing, which speaks words that the dictionary does not know",
        hint="Run: pip install espeakng-loader (or on Debian: apt install espeak-ng)",
    )


def _works(espeak: Espeak) -> bool:
    try:
        return bool(espeak.phonemes("radio", "en-us"))
    except EspeakFailed as failed:
        log.warning(
            "an installed espeak-ng does not work",
            extra=log_event("g2p.espeak_broken", what=type(espeak).__name__, reason=str(failed)),
        )
        espeak.close()
        return False


def _packaged() -> Sequence[str] | None:
    spec = importlib.util.find_spec("espeakng_loader")
    if spec is None or not spec.submodule_search_locations:
        return None
    folder = Path(spec.submodule_search_locations[0])
    names = ("libespeak-ng.so", "libespeak-ng.dylib")
    library = next((folder / name for name in names if (folder / name).exists()), None)
    if library is None or not (folder / "espeak-ng-data").is_dir():
        return None
    child = Path(__file__).with_name("espeak_process.py")
    return [sys.executable, "-I", "-S", str(child), str(library), str(folder / "espeak-ng-data")]


_CLAUSES: Final = re.compile(r"[^;:,.!?…—\"“”()¡¿«»]+|[;:,.!?…—\"“”()]")


def clauses(espeak: Espeak, text: str, voice: str, language: str) -> str:
    """Kokoro's symbols for `text`, clause by clause, because espeak-ng drops the punctuation that a voice
    needs.

    Args:
        espeak: called once for each clause.
        text: speech text.
        voice: espeak-ng's name of the language.
        language: as of a voice.

    Raises:
        EspeakFailed
    """
    said = ""
    for piece in _CLAUSES.findall(text):
        if any(letter.isalnum() for letter in piece):
            ipa = to_kokoro(espeak.phonemes(piece.strip(), voice), language)
            if not ipa:
                log.warning("a clause has no phonemes", extra=log_event("g2p.unread", letters=len(piece)))
            said += (" " if said and piece[0].isspace() else "") + ipa
        elif not piece.isspace():
            said += piece
    return said


class EspeakChild:
    """A long-lived child that holds the library.

    Args:
        command: starts the child, which speaks the protocol of `espeak_process`.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._child: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """The child's process id, None while there is none."""
        return self._child.pid if self._child else None

    def phonemes(self, text: str, voice: str) -> str:
        """See `Espeak`."""
        line = json.dumps({"voice": voice, "text": text}).encode() + b"\n"
        for _ in range(_TRIES):
            try:
                answer = json.loads(self._ask(line))
            except (OSError, ValueError) as failed:
                log.warning("espeak-ng ended, starting it again", extra=log_event("g2p.espeak_restarted"))
                self.close()
                reason = failed
                continue
            if "error" in answer:
                raise EspeakFailed(f"espeak-ng cannot speak {voice}: {answer['error']}")
            return str(answer["phonemes"])
        raise EspeakFailed(f"espeak-ng ended {_TRIES} times at the same text: {reason}")

    def close(self) -> None:
        """See `Espeak`."""
        child, self._child = self._child, None
        if child is None:
            return
        child.kill()
        child.wait()
        for pipe in (child.stdin, child.stdout):
            if pipe:
                with contextlib.suppress(BrokenPipeError):  # what the child did not read is lost with it
                    pipe.close()

    def _ask(self, line: bytes) -> bytes:
        child = self._started()
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(line)
        child.stdin.flush()
        with selectors.DefaultSelector() as ready:
            ready.register(child.stdout, selectors.EVENT_READ)
            if not ready.select(_TIMEOUT_S):
                raise TimeoutError(f"no answer within {_TIMEOUT_S:g} s")
        return child.stdout.readline()

    def _started(self) -> subprocess.Popen[bytes]:
        if self._child is None:
            self._child = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                process_group=0,
            )
        return self._child


class EspeakProgram:
    """The system's program, started anew for each text.

    Args:
        program: its path.
    """

    def __init__(self, program: str) -> None:
        self._program = program

    def phonemes(self, text: str, voice: str) -> str:
        """See `Espeak`."""
        command = [self._program, "-q", "--ipa", "--tie=^", "-b", "1", "-v", voice, "--stdin"]
        try:
            done = subprocess.run(
                command, input=text.encode(), capture_output=True, timeout=_TIMEOUT_S, check=True
            )
        except (OSError, subprocess.SubprocessError) as failed:
            raise EspeakFailed(f"espeak-ng did not speak {voice}: {failed}") from failed
        return " ".join(done.stdout.decode().split())

    def close(self) -> None:
        """Nothing to end: no process runs between calls."""
