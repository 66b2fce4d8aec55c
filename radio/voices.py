"""The 54 voices of Kokoro-82M, and how a voice is written: a name, a blend of names, a speed.

    af_heart                 one voice
    af_heart(2)+bf_emma(1)   a blend: two parts of the one, one of the other
    af_heart@1.20            spoken faster

Each voice has one canonical way to be written, because it is part of a cast's id.
"""

import difflib
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from radio.errors import BadInput

MIN_SPEED: Final = 0.5
MAX_SPEED: Final = 2.0
_MAX_PARTS: Final = 8
_MAX_SPEC: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """One voice of the model."""

    name: str
    language: str
    """As in `en-us`."""
    gender: str
    """`female` or `male`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Blend:
    """A voice as spoken: one or more voices with whole weights, and a speed."""

    parts: tuple[tuple[str, int], ...]
    """(name, weight), sorted by name, weights without a common factor."""
    speed: float = 1.0
    """0.5 to 2, in hundredths."""

    def __str__(self) -> str:
        names = "+".join(name if weight == 1 else f"{name}({weight})" for name, weight in self.parts)
        return names if self.speed == 1.0 else f"{names}@{self.speed:.2f}"


class UnknownVoice(BadInput):
    """There is no such voice."""


_LANGUAGES: Final = {
    "a": "en-us",
    "b": "en-gb",
    "e": "es",
    "f": "fr",
    "h": "hi",
    "i": "it",
    "j": "ja",
    "p": "pt-br",
    "z": "zh",
}
_GENDERS: Final = {"f": "female", "m": "male"}
_NAMES: Final = {
    "af": "alloy aoede bella heart jessica kore nicole nova river sarah sky",
    "am": "adam echo eric fenrir liam michael onyx puck santa",
    "bf": "alice emma isabella lily",
    "bm": "daniel fable george lewis",
    "ef": "dora",
    "em": "alex santa",
    "ff": "siwis",
    "hf": "alpha beta",
    "hm": "omega psi",
    "if": "sara",
    "im": "nicola",
    "jf": "alpha gongitsune nezumi tebukuro",
    "jm": "kumo",
    "pf": "dora",
    "pm": "alex santa",
    "zf": "xiaobei xiaoni xiaoxiao xiaoyi",
    "zm": "yunjian yunxi yunxia yunyang",
}

VOICES: Final[Mapping[str, Voice]] = {
    f"{kind}_{name}": Voice(name=f"{kind}_{name}", language=_LANGUAGES[kind[0]], gender=_GENDERS[kind[1]])
    for kind, names in _NAMES.items()
    for name in names.split()
}

_PART: Final = re.compile(r"(?P<name>[A-Za-z_]+)(?:\((?P<weight>\d{1,6}(?:\.\d{1,3})?)\))?")
_SPEED: Final = re.compile(r"\d{1,3}(?:\.\d{1,4})?")


def parse(spec: str) -> Blend:
    """The voice that `spec` names.

    Raises:
        UnknownVoice: no voice has this name; the hint gives the nearest.
        BadInput: wrong weights, speed or syntax.
    """
    if len(spec) > _MAX_SPEC:
        raise BadInput("a voice is not that long", hint=_FORM)
    names, at, speed = spec.strip().partition("@")
    parts = [_part(part) for part in names.split("+")]
    if len(parts) > _MAX_PARTS:
        raise BadInput(f"a blend has at most {_MAX_PARTS} parts", hint=_FORM)
    return Blend(parts=_reduced(parts), speed=_speed(speed) if at else 1.0)


def canonical(spec: str, speed: float | None = None) -> str:
    """The one way to write this voice: parts sorted, weights reduced, a speed only if it is not 1.

    Args:
        spec: as for `parse`.
        speed: instead of the one in `spec`.
    """
    blend = parse(spec)
    return str(blend if speed is None else Blend(parts=blend.parts, speed=_checked(speed)))


def language(spec: str) -> str:
    """The language of this voice: that of its heaviest part, in a tie the first in canonical order."""
    name, _ = max(parse(spec).parts, key=lambda part: part[1])
    return VOICES[name].language


_FORM: Final = "A voice is written as af_heart, af_heart(2)+bf_emma(1) or af_heart@1.20."


def _part(text: str) -> tuple[str, int]:
    found = _PART.fullmatch(text.strip())
    if not found:
        raise BadInput(f"{text.strip()!r} is not how a voice is written", hint=_FORM)
    name = found["name"].lower()
    if name not in VOICES:
        raise UnknownVoice(f"there is no voice {name!r}", hint=_nearest(name))
    weight = round(float(found["weight"] or 1) * 1000)
    if weight == 0:
        raise BadInput(f"the weight of {name} is 0", hint="Leave the voice out, or give it a weight above 0.")
    return name, weight


def _reduced(parts: list[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    """Parts by name, weights (thousandths here) of one voice added up, then without their common factor."""
    sums: dict[str, int] = {}
    for name, weight in parts:
        sums[name] = sums.get(name, 0) + weight
    factor = math.gcd(*sums.values())
    return tuple((name, weight // factor) for name, weight in sorted(sums.items()))


def _speed(text: str) -> float:
    if not _SPEED.fullmatch(text.strip()):
        raise BadInput(f"{text.strip()!r} is no speed", hint=_FORM)
    return _checked(float(text))


def _checked(speed: float) -> float:
    if not MIN_SPEED <= speed <= MAX_SPEED:
        raise BadInput(f"speed {speed:g} is out of range", hint=f"Speed is {MIN_SPEED} to {MAX_SPEED}.")
    return round(speed, 2)


def _nearest(name: str) -> str:
    near = difflib.get_close_matches(name, VOICES, n=3, cutoff=0.5)
    if not near:
        ends = {voice.partition("_")[2]: voice for voice in reversed(list(VOICES))}
        near = [ends[end] for end in difflib.get_close_matches(name.rpartition("_")[2], ends, n=3)]
    return f"Did you mean {', '.join(near)}?" if near else "`radio voices` lists all of them."
