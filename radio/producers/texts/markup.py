"""Takes Markdown, stage directions, links and pictures out of text that is to be spoken. Pure.

`MarkupLines` judges lines by how they begin, one character at a time, so the result cannot depend on how the
text came in pieces; `inline` cleans one whole sentence. What is written stays as it is written; only what is
not speech goes.
"""

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Collection

from radio.producers.host.model_tags import VOID

_LABELS = (
    "host", "radio host", "narrator", "announcer", "presenter", "speaker", "dj", "anchor", "voice",
    "voiceover",
    "assistant", "answer", "script", "intro", "outro", "title", "segment", "response", "radio", "host 1",
    "host 2", "opening", "closing", "final answer", "output", "radio script", "introduction", "conclusion",
)  # fmt: skip
_OTHER_TURNS = ("user", "human", "listener", "caller", "question", "instruction", "prompt", "system", "input")
_OTHER_TURN = re.compile(rf"#+\s*(?:{'|'.join(_OTHER_TURNS)})\b", re.IGNORECASE)
_DIRECTION = re.compile(
    r"\b(?:music|jingle|sounds?|sfx|fad(?:e|es|ing)|pauses?|pausing|beat|laugh\w*|chuckl\w*|sigh\w*|smil\w*|"
    r"applause|clear\w* (?:\w+ )?throat|whisper\w*|softly|intro|outro|cue|transition|silence|background|"
    r"voice ?over|nods?|breath\w*|clap\w*|cheer\w*|theme|commercial|break|insert|end of|the end|to camera|"
    r"word count|\d+ words)\b",
    re.IGNORECASE,
)
_PLACEHOLDER = re.compile(
    r"\b(?:your|name|insert|station|date|time|location|city|host|title|topic|number|here)\b", re.IGNORECASE
)
_ADDRESS = re.compile(
    r"https?:|\bwww\.|\bftp:|[\w.+-]+@[\w-]+\.\w|"
    r"\b[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|fm|info|edu|gov|de|co\.uk|eu)\b",
    re.IGNORECASE,
)
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_SQUARE = re.compile(r"\[([^\]]*)\]")
_ROUND = re.compile(r"\(([^()]*)\)")
_STARRED = re.compile(r"(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])|(?<![\w_])_([^_\s][^_]*)_(?![\w_])")
_MARKS = re.compile(r"[*`~|\\#{}]+|(?<!\w)_+|_+(?!\w)")
_BEFORE_STOP = re.compile(r"\s+([,.;:!?…])")
_HOLDS_SENTENCE = re.compile(r"\w+\W+\w+\W+\w.*[.!?]")
_CODE = re.compile(
    r"\bdef \w+\(|\bfunction \w*\(|\bimport \w+(?:\.\w+)+|\w\(\)|=>|[=!]=|#include|\breturn\b[^.]*;|"
    r"[{};]\s*$|\\[a-z]+\{|\$[^$\d\s][^$]*\$|\bprint\(|\bSELECT .* FROM\b"
)
_CURLY = re.compile(r"\{[^{}]*\}")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_HASHTAG = re.compile(r"(?<!\w)[#@]\w+")
_FACE = re.compile(r"(?<!\w)[:;]['^]?-?[)(DPpO/](?!\w)|<3(?!\w)")
_JSON = re.compile(r'\{|\[\s*[{"\]]|"[\w ]{1,30}"\s*:')
_JSON_BEGUN = re.compile(r'(?:\[\s*|"[\w ]{0,30}"?\s*)\Z')
_ITEM = re.compile(r"(?:[-*+•–—]|\d{1,3}[.)])[ \t]")
_ITEM_BEGUN = re.compile(r"(?:[-*+•–—]|\d{1,3}[.)]?)\Z")
_HEADING = re.compile(r"#{1,6}[ \t]")
_HASHES = re.compile(r"#{1,6}\Z")
_BREAKS = "\n\r\x0b\x0c\x85\u2028\u2029"
_RULE = re.compile(r"([-*_=~`])\1*\Z")
_LONGEST_BOLD = 100
_KEPT_SYMBOLS = "°№"
_LONGEST_ASIDE = 300


class MarkupLines:
    """Drops code, tables, headings and rules; takes the marks of items and quotes, and speakers' labels.

    Args:
        discarded: what is dropped is counted here.
        names: of the host, which may be a label as well.
    """

    def __init__(self, discarded: Counter[str], names: Collection[str] = ()) -> None:
        self._discarded = discarded
        self._labels = (*_LABELS, *(name.lower() for name in names))
        self._is_over = False
        """What follows is another turn, which the model made up."""
        self._head: str | None = ""
        """The begin of a line while it may mean something; None once it does not."""
        self._drops = False
        self._is_code = False
        self._is_item = False
        self._is_heading = False
        self._last = ""

    def feed(self, text: str) -> str:
        return "".join(map(self._step, text))

    def finish(self) -> str:
        """What was held because it might have been a mark."""
        return self._end_line()

    def _step(self, char: str) -> str:
        if char == VOID:
            self._head, self._drops, self._is_code, self._is_over = "", False, False, False
            return VOID
        if self._is_over:
            return ""
        if char in _BREAKS:
            return self._end_line() + "\n\n"
        if self._drops:
            self._head = (self._head or "") + char if self._is_heading else self._head
            return ""
        if self._head is None:
            self._last = char if not char.isspace() else self._last
            return char
        self._head += char
        return self._judge(self._head.lstrip(" \t>"))

    def _judge(self, head: str) -> str:
        """Look at the begin of the line once more."""
        if head.startswith(("```", "~~~")):
            self._is_code, self._drops = not self._is_code, True
            self._discarded["code"] += self._is_code
        elif head.startswith("**") and head.strip("*"):
            return self._judge_bold(head)
        elif _RULE.match(head):
            return ""
        elif self._is_code:
            self._drops = True
        elif (kind := _line_kind(head)) is not None:
            self._drops, self._is_heading = True, kind == "heading"
            self._discarded[kind] += 1
        elif _ITEM.match(head):
            self._head, self._is_item = "", True
        elif self._is_label(head):
            self._take_label(head)
        elif not self._may_mean(head):
            return self._release()
        return ""

    def _judge_bold(self, head: str) -> str:
        """`**Title**` alone is a heading, `**Host:**` a label; other bold text is text."""
        inner, closed, after = head[2:].partition("**")
        if not closed:
            return self._release() if len(head) > _LONGEST_BOLD else ""
        if inner.rstrip().endswith(":") or after == ":":
            self._take_label(f"{inner.rstrip().rstrip(':')}:")
            return ""
        return self._release() if after.strip() else ""

    def _release(self) -> str:
        head, self._head = (self._head or "").lstrip(" \t>"), None
        self._last = head.rstrip()[-1:] or self._last
        return head

    def _end_line(self) -> str:
        head = (self._head or "").strip(" \t>")
        is_title = head.startswith("**") and head.rstrip(": ").endswith("**") and len(head) > 4
        keeps = not self._drops and not self._is_code and not _RULE.match(head) and not is_title
        self._discarded["heading"] += is_title
        self._is_over = self._is_heading and _OTHER_TURN.match(head) is not None
        self._discarded["turn"] += self._is_over
        out = self._release() if keeps else ""
        if self._is_item and self._last.isalnum():
            out = out.rstrip() + "."
        self._head, self._drops, self._is_item, self._last = "", False, False, ""
        self._is_heading = False
        return out

    def _is_label(self, head: str) -> bool:
        return head.endswith(":") and head[:-1].strip("*_ ").lower() in (*self._labels, *_OTHER_TURNS)

    def _take_label(self, head: str) -> None:
        self._head = None
        self._is_over = head[:-1].strip("*_ ").lower() in _OTHER_TURNS
        self._discarded["turn" if self._is_over else "label"] += 1

    def _may_mean(self, head: str) -> bool:
        """Whether more of the line may show that its begin is a mark."""
        if not head or _HASHES.match(head) or _ITEM_BEGUN.match(head) or _JSON_BEGUN.match(head):
            return True
        word = head.lower()
        return any(label.startswith(word) for label in (*self._labels, *_OTHER_TURNS))


def _line_kind(head: str) -> str | None:
    """Of a line that is dropped as a whole."""
    if head.startswith("|"):
        return "table"
    if _HEADING.match(head):
        return "heading"
    return "json" if _JSON.match(head) else None


def is_open(text: str) -> bool:
    """Whether an aside is open at its end, so that its rest belongs to it."""
    if len(text) > _LONGEST_ASIDE:
        return False
    return text.count("(") > text.count(")") or text.count("[") > text.count("]")


def inline(sentence: str, discarded: Counter[str]) -> tuple[str, str | None]:
    """The sentence without what is not speech, "" if nothing is left; and why it may not be said without it.

    What is taken out is counted in `discarded`.
    """
    text = _TAG.sub("", html.unescape(_LINK.sub(r"\1", sentence)))
    if _CURLY.search(text) or any(_PLACEHOLDER.search(match[1]) for match in _SQUARE.finditer(text)):
        return "", "placeholder"
    if _CODE.search(text):
        return "", "code"
    text = _SQUARE.sub(lambda match: match[1] if _HOLDS_SENTENCE.search(match[1]) else "", text)
    text = _ROUND.sub(lambda match: "" if _is_aside(match[1]) else match[0], text)
    text = _STARRED.sub(_unstarred, text)
    discarded["stage direction"] += _letters(text) < _letters(sentence) and "](" not in sentence
    if _ADDRESS.search(text):
        return "", "address"
    text = _MARKS.sub("", _FACE.sub("", _HASHTAG.sub("", text))).replace("_", " ")
    spoken = "".join(char for char in text if is_speech(char))
    discarded["symbols"] += len(spoken) < len(text)
    text = _BEFORE_STOP.sub(r"\1", " ".join(spoken.split()))
    if text.count('"') % 2:
        text = text.replace('"', "")
    return text.lstrip(" ,;:!?.-–—") if any(char.isalnum() for char in text) else "", None


def _letters(text: str) -> int:
    return sum(map(str.isalnum, html.unescape(text)))


def _is_aside(inner: str) -> bool:
    """A stage direction, an address, or nothing that can be said."""
    is_direction = _DIRECTION.search(inner) is not None and len(inner.split()) <= 12
    return is_direction or _ADDRESS.search(inner) is not None or not any(map(str.isalnum, inner))


def _unstarred(match: re.Match[str]) -> str:
    inner = match[1] or match[2] or ""
    return "" if _DIRECTION.search(inner) and len(inner.split()) <= 6 else inner


def is_speech(char: str) -> bool:
    if char in _KEPT_SYMBOLS or char.isspace():
        return True
    return unicodedata.category(char) not in ("So", "Sk", "Cs", "Co", "Cn", "Cf", "Cc")
