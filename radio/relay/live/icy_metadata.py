"""ICY metadata: titles inside the bytes of a live stream, at an exact distance. No I/O here."""

from typing import Final

from radio.mp3.frames import BYTES_PER_MS
from radio.relay.http.plain_text import one_line

METAINT: Final = 16_000
"""Bytes of audio between two blocks: 2 s. The header and the real distance both come from here."""
MAX_BLOCK: Final = 255 * 16
CHANGE_BYTES: Final = 10_000 * BYTES_PER_MS
"""A title changes at most once in this much audio (10 s)."""
_FRAME: Final = "StreamTitle='{}';"
_ROOM: Final = MAX_BLOCK - len(_FRAME.format(""))


def escape(title: str) -> str:
    """The title as it may stand between single quotes: no quote, no control character, cut to fit."""
    told = one_line(title).replace("'", "\N{RIGHT SINGLE QUOTATION MARK}")
    return told.encode()[:_ROOM].decode(errors="ignore")


def block(title: str) -> bytes:
    """Length byte in units of 16, then the padded text."""
    text = _FRAME.format(escape(title)).encode()
    units = -(-len(text) // 16)
    return bytes([units]) + text.ljust(units * 16, b"\0")


class Injector:
    """Puts blocks into the audio of one connection; the first one always carries the title."""

    def __init__(self, metaint: int = METAINT) -> None:
        self._metaint = metaint
        self._until_block = metaint
        self._sent = 0
        self._title: str | None = None
        self._changed_at = 0

    def feed(self, audio: bytes, title: str) -> bytes:
        """The audio with what blocks fall into it; `title` is what this audio should be called."""
        if len(audio) < self._until_block:
            self._until_block -= len(audio)
            self._sent += len(audio)
            return audio
        out = bytearray()
        while len(audio) >= self._until_block:
            out += audio[: self._until_block]
            self._sent += self._until_block
            audio = audio[self._until_block :]
            self._until_block = self._metaint
            out += self._block(title)
        self._until_block -= len(audio)
        self._sent += len(audio)
        return bytes(out + audio)

    def _block(self, title: str) -> bytes:
        too_soon = self._title is not None and self._sent - self._changed_at < CHANGE_BYTES
        if title == self._title or too_soon:
            return b"\0"
        self._title, self._changed_at = title, self._sent
        return block(title)
