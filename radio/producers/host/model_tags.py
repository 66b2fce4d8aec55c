"""Takes out of a model's output what was never meant to be read: thoughts, turns and special tokens. Pure.

One character at a time, so the result cannot depend on how the output came in pieces.
"""

import re
from collections import Counter

VOID = "\x18"
"""In the result: all that came before it in this segment is void (it proved to be the model's thoughts)."""

_OPENERS = {"<": ">", "[": "]", "◁": "▷", "\x1b": ""}
_LONGEST = {"<": 64, "[": 14, "◁": 16, "\x1b": 16}
_LONGEST_COMMENT = 2000
_SQUARE_WORDS = ("think", "inst", "reasoning", "thought", "analysis")
_THOUGHTS = frozenset(
    {
        "think",
        "thinking",
        "thought",
        "thoughts",
        "reasoning",
        "reason",
        "reflection",
        "reflections",
        "analysis",
        "scratchpad",
        "rationale",
        "monologue",
        "inner_monologue",
        "inner_thoughts",
        "thought_process",
    }
)
_HIDDEN = frozenset(
    {
        "script",
        "style",
        "tool_call",
        "tool_calls",
        "tool_response",
        "function_call",
        "function",
        "svg",
        "title",
    }
)
"""What stands between such a tag and its end is not for reading, and what stood before is not touched."""
_TURN_ENDS = frozenset(
    {
        "im_end",
        "endoftext",
        "eot_id",
        "eom_id",
        "eot",
        "return",
        "end_of_text",
        "end_of_turn",
        "end_of_sentence",
        "eos",
        "/s",
        "im_start",
        "start_header_id",
        "start_of_turn",
        "user",
        "inst",
        "/inst",
        "system",
        "fim_prefix",
    }
)
"""After any of these comes another turn, which the model made up."""
_LINE_BREAKS = frozenset({"br", "p", "div", "li", "tr", "h1", "h2", "h3"})
_EDGE = re.compile(r"(?:begin_of_|start_of_|start_|begin_|seed:)")
_CLOSE_EDGE = re.compile(r"(?:/|end_of_|end_|/seed:)")


class ModelTags:
    """A streaming filter; feed it a segment, then finish it. What it drops it counts in `discarded`."""

    def __init__(self, discarded: Counter[str]) -> None:
        self._discarded = discarded
        self._mode = "text"
        """`text`; `thought`: dropped; `header`: dropped up to a message; `over`: all is dropped."""
        self._header = ""
        self._held = ""
        self._is_hidden = False
        """What is dropped are no thoughts but parts of a page or a call."""

    @property
    def is_in_thoughts(self) -> bool:
        """Thoughts were begun, and are not over."""
        return self._mode == "thought" and not self._is_hidden

    def feed(self, text: str) -> str:
        return "".join(map(self._step, text))

    def finish(self) -> str:
        """What was held because it might have begun a tag."""
        held, self._held = self._held, ""
        if held[:2] in ("<|", "<!") or held[:1] == "\x1b":
            self._discarded["markup"] += 1
            return ""
        return "".join(map(self._put, held))

    def _step(self, char: str) -> str:
        if char == VOID or self._mode == "over":
            return ""
        if not self._held:
            if char not in _OPENERS:
                return self._put(char)
            self._held = char
            return ""
        self._held += char
        if _is_whole(self._held):
            tag, self._held = self._held, ""
            return self._act(tag)
        return "" if _may_be_tag(self._held) else self._release()

    def _release(self) -> str:
        """What is held begins no tag: its first character is text, the rest is looked at anew."""
        held, self._held = self._held, ""
        return self._put(held[0]) + "".join(map(self._step, held[1:]))

    def _put(self, char: str) -> str:
        if self._mode == "header":
            self._header += char
        return char if self._mode == "text" else ""

    def _act(self, tag: str) -> str:
        if tag[0] == "\x1b" or tag.startswith("<!"):
            self._discarded["markup"] += 1
            return ""
        inner = tag[1:-1].strip("|｜").lower().replace("▁", "_").strip()
        word = (inner.split() or [""])[0].rstrip("/")
        is_special = tag[1] in "|｜"
        closing = _CLOSE_EDGE.match(word)
        bare = _EDGE.sub("", word[closing.end() :] if closing else word, count=1)
        if bare in _THOUGHTS:
            return self._thought(is_closing=closing is not None, is_empty=inner.endswith("/"))
        if bare in _HIDDEN:
            return self._hidden(is_closing=closing is not None)
        if is_special and word in ("channel", "start", "end"):
            self._mode, self._header = "header", ""
            return ""
        if is_special and word == "message":
            self._mode = "thought" if self._header.strip()[:8] in ("analysis", "commenta") else "text"
            return ""
        if word in _TURN_ENDS and (is_special or tag[0] == "[" or word in ("/s", "eos") or "_of_" in word):
            self._mode = "over"
            self._discarded["turn"] += 1
            return ""
        if tag[0] == "[":
            return "".join(map(self._put, tag))
        self._discarded["markup"] += 1
        return self._put("\n") if word.strip("/") in _LINE_BREAKS else ""

    def _thought(self, *, is_closing: bool, is_empty: bool) -> str:
        if is_empty:
            return ""
        if not is_closing:
            self._mode, self._is_hidden = "thought", False
            self._discarded["thoughts"] += 1
            return ""
        was_text = self._mode == "text"
        self._mode = "text"
        self._discarded["thoughts"] += was_text
        return VOID if was_text else ""

    def _hidden(self, *, is_closing: bool) -> str:
        self._discarded["markup"] += not is_closing
        self._is_hidden = not is_closing
        self._mode = "text" if is_closing else "thought"
        return ""


def _is_whole(held: str) -> bool:
    if held[0] == "\x1b":
        return len(held) > 2 and held[-1].isalpha()
    if held.startswith("<!--"):
        return held.endswith("-->") and len(held) >= 7
    return held[-1] == _OPENERS[held[0]]


def _may_be_tag(held: str) -> bool:
    if held.startswith("<!--"):
        return len(held) <= _LONGEST_COMMENT
    if len(held) > _LONGEST[held[0]] or "\n" in held:
        return False
    if held[0] == "\x1b":
        return held[1] == "["
    if held[0] == "[":
        word = held[1:].lstrip("/").lower()
        return any(known.startswith(word) for known in _SQUARE_WORDS)
    return held[0] != "<" or _is_name(held[1])


def _is_name(char: str) -> bool:
    return char.isalpha() or char in "/|｜_!"
