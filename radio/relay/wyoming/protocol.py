"""The events of the Wyoming protocol: read within bounds, and spelt. No other module knows its library."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.error import Error
from wyoming.event import Event, Eventable, async_write_event
from wyoming.info import Attribution, Describe, Info, TtsProgram, TtsVoice
from wyoming.ping import Ping, Pong
from wyoming.tts import (
    Synthesize,
    SynthesizeChunk,
    SynthesizeStart,
    SynthesizeStop,
    SynthesizeStopped,
    SynthesizeTextFormat,
    SynthesizeVoice,
)

from radio import __version__, voices
from radio.errors import BadInput
from radio.mp3.decoder import SAMPLE_BYTES
from radio.mp3.frames import RATE

MAX_LINE: Final = 64 * 1024
"""Bytes of an event's head."""
_MONO: Final = 1
_LANGUAGES: Final = {"zh": "zh-CN", "pt-br": "pt-BR", "en-us": "en-US", "en-gb": "en-GB"}
"""As Home Assistant names those of our languages that it names otherwise."""
_OURS: Final = Attribution(name="radio", url="")
_MODEL: Final = Attribution(name="hexgrad", url="https://huggingface.co/hexgrad/Kokoro-82M")


@dataclass(frozen=True, slots=True)
class WyomingRequest:
    """What a client wants: `describe`, `ping`, `say` a text, or `begin`, `piece` and `finish` of a stream.

    Attributes:
        text: of `say`, `piece` and `ping`.
        voice: of `say` and `begin`, its name; None: none in particular.
        language: where no voice is named.
    """

    what: str
    text: str = ""
    voice: str | None = None
    language: str | None = None


Outgoing = Eventable
"""An event that is sent."""
OTHER: Final = WyomingRequest("other")
"""An event that is none of ours: the protocol has them dropped."""


async def read(reader: asyncio.StreamReader, *, most_bytes: int) -> WyomingRequest | None:
    """The next event; None: the client is gone.

    Raises:
        BadInput: this is no event, or larger than is taken. Nothing after it makes sense.
    """
    try:
        line = await reader.readuntil(b"\n")
        head = json.loads(line)
        more = json.loads(await _more(reader, head.get("data_length"), most_bytes) or b"{}")
        data = {**_members(head.get("data") or {}), **_members(more)}
        await _more(reader, head.get("payload_length"), most_bytes)
        return _asked(Event(str(head["type"]), data))
    except (asyncio.IncompleteReadError, OSError):
        return None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, asyncio.LimitOverrunError) as e:
        raise BadInput("that is no event of the Wyoming protocol", hint="a JSON object a line") from e


def _members(data: Any) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise TypeError
    return data


async def _more(reader: asyncio.StreamReader, length: Any, most: int) -> bytes:
    if length is None:
        return b""
    if not isinstance(length, int) or not 0 <= length <= most:
        raise BadInput("an event is larger than is taken", hint=f"{most} bytes at most")
    return await reader.readexactly(length)


def _asked(event: Event) -> WyomingRequest:
    kind = event.type
    if Describe.is_type(kind):
        return WyomingRequest("describe")
    if Ping.is_type(kind):
        return WyomingRequest("ping", _text(event.data.get("text") or ""))
    if Synthesize.is_type(kind):
        wanted = Synthesize.from_event(event)
        _check(wanted.text_format)
        return _voiced("say", _text(wanted.text), wanted.voice)
    if SynthesizeStart.is_type(kind):
        begun = SynthesizeStart.from_event(event)
        _check(begun.text_format)
        return _voiced("begin", "", begun.voice)
    if SynthesizeChunk.is_type(kind):
        return WyomingRequest("piece", _text(SynthesizeChunk.from_event(event).text))
    return WyomingRequest("finish") if SynthesizeStop.is_type(kind) else OTHER


def _check(form: object) -> None:
    if form not in (None, SynthesizeTextFormat.TEXT):
        raise BadInput("only plain text is spoken", hint="text_format: text")


def _voiced(what: str, text: str, voice: SynthesizeVoice | None) -> WyomingRequest:
    name, language = (voice.name, voice.language) if voice is not None else (None, None)
    for value in (name, language):
        if value is not None:
            _text(value)
    return WyomingRequest(what, text, name, language)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    value.encode()  # JSON can spell what no text holds
    return value


def info() -> Eventable:
    """What this radio speaks with: every voice, and that it takes text as it is written."""
    told = [
        TtsVoice(
            name=name,
            attribution=_MODEL,
            installed=True,
            description=f"{name.partition('_')[2].title()} ({voice.gender})",
            version=None,
            languages=[_LANGUAGES.get(voice.language, voice.language)],
        )
        for name, voice in voices.VOICES.items()
    ]
    program = TtsProgram(
        name="radio",
        attribution=_OURS,
        installed=True,
        description="The voice of this radio",
        version=__version__,
        voices=told,
        supports_synthesize_streaming=True,
    )
    return Info(tts=[program])


def speaker(language: str | None, otherwise: str) -> str:
    """The voice of who asks for a language: the radio's own, if it speaks that, else the first that does."""
    if language is None:
        return otherwise
    asked = language.lower().replace("_", "-")
    own = voices.language(otherwise)
    for whole in (True, False):
        for name, known in ((otherwise, own), *((n, v.language) for n, v in voices.VOICES.items())):
            if asked in _spellings(known) if whole else asked[:2] == known[:2]:
                return name
    raise BadInput("no voice of this radio speaks that language", hint="describe lists the voices")


def _spellings(language: str) -> tuple[str, str]:
    return language, _LANGUAGES.get(language, language).lower()


def began() -> Eventable:
    """Sound begins."""
    return AudioStart(rate=RATE, width=SAMPLE_BYTES, channels=_MONO)


def sound(pcm: bytes) -> Eventable:
    """A piece of it."""
    return AudioChunk(rate=RATE, width=SAMPLE_BYTES, channels=_MONO, audio=pcm)


def ended() -> Eventable:
    """Sound ends."""
    return AudioStop()


def finished() -> Eventable:
    """All of a stream was spoken."""
    return SynthesizeStopped()


def pong(text: str) -> Eventable:
    """To a ping."""
    return Pong(text=text)


def wrong(error: Mapping[str, str]) -> Eventable:
    """What went wrong: `text` and `code`."""
    return Error(text=error["text"], code=error["code"])


async def write(writer: asyncio.StreamWriter, event: Eventable) -> None:
    """Raises `ConnectionError` when the client is gone."""
    await async_write_event(event.event(), writer)
