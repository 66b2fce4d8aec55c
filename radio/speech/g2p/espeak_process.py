"""A separate program: reads words and answers with phonemes, using the espeak-ng library (GPL).

Started by `radio.speech.g2p.espeak` with the library's path and its data folder; imports nothing of the
radio.
One JSON object a line in, `{"voice", "text"}`; one out, `{"phonemes"}` or `{"error"}`. Ends with its input.
"""

import ctypes
import json
import sys

_SYNCHRONOUS, _DO_NOT_EXIT = 2, 0x8000
_UTF8 = 1
_IPA_TIED = 0x02 | 0x80 | ord("^") << 8
"""IPA, the letters of one sound joined by `^`."""


def main(library: str, data: str) -> int:
    """Serve until the input ends; returns 1 if espeak-ng does not start."""
    espeak = ctypes.CDLL(library)
    espeak.espeak_TextToPhonemes.restype = ctypes.c_char_p
    espeak.espeak_TextToPhonemes.argtypes = [ctypes.POINTER(ctypes.c_void_p), ctypes.c_int, ctypes.c_int]
    if espeak.espeak_Initialize(_SYNCHRONOUS, 0, data.encode(), _DO_NOT_EXIT) <= 0:
        return 1
    voice = ""
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        if asked["voice"] != voice:
            voice = asked["voice"] if _choose(espeak, asked["voice"].encode()) else ""
        answer = {"phonemes": _phonemes(espeak, asked["text"])} if voice else {"error": "no such voice"}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
    return 0


class _Voice(ctypes.Structure):
    """The library's description of a voice; fields that are zero do not matter."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("languages", ctypes.c_char_p),
        ("identifier", ctypes.c_char_p),
        ("kind", ctypes.c_ubyte * 4),
        ("score", ctypes.c_int),
        ("spare", ctypes.c_void_p),
    )


def _choose(espeak: ctypes.CDLL, name: bytes) -> bool:
    """Whether there is a voice of this name, or else of this language; it is then selected."""
    if espeak.espeak_SetVoiceByName(name) == 0:
        return True
    return bool(espeak.espeak_SetVoiceByProperties(ctypes.byref(_Voice(languages=name))) == 0)


def _phonemes(espeak: ctypes.CDLL, text: str) -> str:
    raw = ctypes.create_string_buffer(text.encode())
    rest = ctypes.c_void_p(ctypes.addressof(raw))
    clauses = []
    while rest.value:
        clauses.append(espeak.espeak_TextToPhonemes(ctypes.byref(rest), _UTF8, _IPA_TIED).decode())
    return " ".join(clauses)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
