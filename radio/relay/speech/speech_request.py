"""What a client of the speech API may ask, in that API's own words. Pure.

Its names for voices that Kokoro-82M has too mean those; its others have stand-ins, listed here and by
`GET /v1/audio/voices`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from radio import voices
from radio.casts import normal
from radio.errors import BadInput, NotFound

FIELDS: Final = (
    "model",
    "input",
    "voice",
    "response_format",
    "speed",
    "instructions",
    "stream_format",
)
MODELS: Final = ("kokoro", "tts-1", "tts-1-hd", "gpt-4o-mini-tts")
"""All are the one voice model of this radio; the others are what clients ask for by themselves."""
NAMED_AS_OURS: Final[Mapping[str, str]] = {
    "alloy": "af_alloy",
    "echo": "am_echo",
    "fable": "bm_fable",
    "nova": "af_nova",
    "onyx": "am_onyx",
}
STAND_INS: Final[Mapping[str, str]] = {
    "ash": "am_michael",
    "ballad": "bm_george",
    "cedar": "am_fenrir",
    "coral": "af_bella",
    "marin": "af_heart",
    "sage": "af_sarah",
    "shimmer": "af_aoede",
    "verse": "am_puck",
}
BORROWED: Final = {**NAMED_AS_OURS, **STAND_INS}
"""The API's names for voices, and who speaks here."""
CONTENT_TYPES: Final[Mapping[str, str]] = {"mp3": "audio/mpeg", "wav": "audio/wav", "pcm": "audio/pcm"}
"""Formats that are made here, and what they are sent as."""
EXAMPLE: Final = '{"model": "kokoro", "input": "…", "voice": "af_heart"}'


class BadParameter(BadInput):
    """A parameter is wrong; `param` is its name, `code` what a program may act on."""

    def __init__(self, message: str, *, param: str, hint: str = "", code: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.param, self.code = param, code


class UnknownSpeechModel(NotFound):
    """There is no such model."""

    def __init__(self, model: str) -> None:
        super().__init__(f"there is no model {model[:80]!r}", hint=f"models: {', '.join(MODELS)}")
        self.param, self.code = "model", "model_not_found"


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechRequest:
    """A text to be spoken: `voice` in canonical form, its speed included; `ignored` has no effect here."""

    text: str
    voice: str
    form: str
    ignored: tuple[str, ...]


def read(asked: Mapping[str, Any], *, voice: str, most_characters: int) -> SpeechRequest:
    """The request, checked.

    Args:
        asked: a JSON object with no other than `FIELDS`.
        voice: whose voice it is if none is named.

    Raises:
        BadParameter, UnknownModel
    """
    check_model(asked.get("model"))
    if asked.get("stream_format") not in (None, "audio"):
        raise BadParameter(
            "sound is streamed as sound", param="stream_format", hint="leave out stream_format"
        )
    instructions = asked.get("instructions")
    if not isinstance(instructions, str | None):
        raise BadParameter("instructions are text", param="instructions", hint="they have no effect here")
    return SpeechRequest(
        text=_text(asked.get("input"), most_characters),
        voice=_voice(asked.get("voice"), voice, _speed(asked.get("speed"))),
        form=_form(asked.get("response_format")),
        ignored=("instructions",) if instructions else (),
    )


def check_model(model: Any) -> None:
    """Raises `BadParameter` unless it is text or None, `UnknownSpeechModel` unless this radio has it."""
    if not isinstance(model, str | None):
        raise BadParameter("a model is named by text", param="model", hint=f"models: {', '.join(MODELS)}")
    if model is not None and model not in MODELS:
        raise UnknownSpeechModel(model)


def _text(text: Any, most: int) -> str:
    if not isinstance(text, str):
        raise BadParameter("there is no input", param="input", hint="it is the text that is to be spoken")
    if len(text) > most:
        raise BadParameter(
            f"the input has {len(text)} characters, the most is {most}",
            param="input", code="string_above_max_length", hint="send it in parts",
        )  # fmt: skip
    try:
        return normal(text)
    except BadInput as error:
        raise BadParameter(str(error), param="input", hint=error.hint) from error


def _voice(asked: Any, usual: str, speed: float | None) -> str:
    """By its name, or by an object with an `id`, as clients name voices of their own."""
    named = asked.get("id") if isinstance(asked, Mapping) else asked
    if named is None and asked is None:
        named = usual
    if not isinstance(named, str):
        raise BadParameter("a voice is text", param="voice", hint="voices: GET /v1/audio/voices")
    try:
        return voices.canonical(BORROWED.get(named.strip().lower(), named), speed)
    except BadInput as error:
        code = "voice_not_found" if isinstance(error, voices.UnknownVoice) else None
        hint = f"{error.hint} Voices: GET /v1/audio/voices".strip()
        raise BadParameter(str(error), param="voice", code=code, hint=hint) from error


def _speed(asked: Any) -> float | None:
    if asked is None:
        return None
    is_number = isinstance(asked, int | float) and not isinstance(asked, bool)
    if not is_number or not voices.MIN_SPEED <= asked <= voices.MAX_SPEED:
        span = f"{voices.MIN_SPEED:g} to {voices.MAX_SPEED:g}"
        raise BadParameter(
            f"speed is a number from {span} here", param="speed", hint="1 is the voice's own speed"
        )
    return float(asked)


def _form(asked: Any) -> str:
    if asked is None:
        return "mp3"
    if not isinstance(asked, str) or asked not in CONTENT_TYPES:
        shown = asked[:40] if isinstance(asked, str) else "that"
        raise BadParameter(
            f"{shown} is not made here", param="response_format", code="unsupported_format",
            hint=f"formats: {', '.join(CONTENT_TYPES)}",
        )  # fmt: skip
    return asked
