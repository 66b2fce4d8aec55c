"""What publishing programs add to every item of a feed, and nobody wants to hear. Pure."""

import re

_CUT = re.compile(r"\s*\[\s*(?:…|\.{3}|&hellip;)\s*\]")
"""Where a summary was cut off."""
_ARROWS = r"\s*(?:…|\.{3}|»|›|→|>>?)?\s*\.?\s*"
_ANYWHERE = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\s*[(\[](?:images?|photos?|pictures?|video)(?: credit| by| courtesy of)?\s*:[^()\[\]]{0,120}[)\]]",
        r"\s*\[(?:link|comments|permalink)\]",
    )
)
_AT_THE_END = tuple(
    re.compile(pattern + "$", re.IGNORECASE)
    for pattern in (
        r"(?<!\w)The (?:post|article) .{1,300}? (?:appeared first on|first appeared on) .{1,120}",
        r"(?<!\w)(?:Read|Learn|See|View|Find out) more(?: (?:about|at|on|here|in|of)\b[^.!?]{0,120})?"
        + _ARROWS,
        r"(?<!\w)(?:Read|View) the (?:full|whole|entire|rest of (?:the|this)) [^.!?]{0,120}" + _ARROWS,
        r"(?<!\w)Continue reading\b[^.!?…]{0,200}" + _ARROWS,
        r"(?<!\w)Share (?:this|on|via)\b(?: \w+)?\s*:.{0,200}",
        r"(?<!\w)submitted by\b[^.!?]{0,120}",
    )
)
_STOPPED = re.compile(r"[.!?…。！？][\"'”’)]*$")
_LAST_STOP = re.compile(r".*[.!?。！？][\"'”’)]*(?=\s)", re.DOTALL)
_MOST_TIMES = 5


def without_boilerplate(text: str) -> str:
    """An item's summary, on one line, without "Read more" and its like; whole sentences if it was cut off."""
    for pattern in _ANYWHERE:
        text = pattern.sub("", text)
    for _ in range(_MOST_TIMES):
        shorter = text
        for pattern in _AT_THE_END:
            shorter = pattern.sub("", shorter).rstrip()
        if shorter == text:
            break
        text = shorter
    uncut = _CUT.sub("", text).strip()
    return _whole(uncut) if len(uncut) < len(text.strip()) else uncut


def _whole(text: str) -> str:
    """Up to its last whole sentence; if none is, it ends in a mark of omission."""
    if not text or _STOPPED.search(text):
        return text
    whole = _LAST_STOP.match(text)
    return whole[0] if whole else f"{text}…"
