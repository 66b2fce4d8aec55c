"""WebVTT: captions beside a finite or growing recording. No I/O here."""

from typing import Final

from radio.relay.http.plain_text import one_line

HEAD: Final = "WEBVTT\n\n"


def stamp(ms: int) -> str:
    """`00:01:02.345`."""
    seconds, rest = divmod(ms, 1000)
    minutes, second = divmod(seconds, 60)
    hour, minute = divmod(minutes, 60)
    return f"{hour:02}:{minute:02}:{second:02}.{rest:03}"


def cue(start_ms: int, duration_ms: int, caption: str, *, note: str = "") -> str:
    """One cue, with a note before it. The caption is plain text, whatever it holds."""
    told = one_line(caption).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    before = f"NOTE {note}\n\n" if note else ""
    return f"{before}{stamp(start_ms)} --> {stamp(start_ms + duration_ms)}\n{told}\n\n"
