"""What the host is asked, and the words that lead it into a topic. Pure.

A small model invents much and knows little. It is asked for one topic at a time, and each stretch of its talk
is begun for it: by a fact that the editor gave, which is said as it stands, or by an opener, half a sentence
that leads to harmless things. What it adds is short.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from radio.kinds import Topic
from radio.producers.llama import Message
from radio.runs import Assignment

_MINUTE_MS = 60_000
_OPENERS_A_SEGMENT = 3
_IDENT_EVERY = 4
_NEXT_WITHIN_MS = 20 * _MINUTE_MS

OPENERS = (
    "When I think of {topic}, I think of",
    "The best thing about {topic} is",
    "There is a small pleasure in {topic}, and it is",
    "If you listen closely,",
    "On a quiet evening,",
    "Many of us remember",
    "What I like most about {topic} is",
    "An old friend once told me that",
    "Take a moment, and picture",
    "It is easy to forget that",
    "In the early morning,",
    "Perhaps you know the feeling when",
    "People who know {topic} well say that",
    "The first thing you notice is",
    "When the weather turns,",
    "Children understand {topic} better than we do, because",
    "There is something comforting about",
    "If I had an hour to spare, I would",
    "Late at night, {topic} can feel like",
    "My neighbour likes to say that",
    "You do not need much to enjoy {topic}, only",
    "Every season has its own way with {topic}, and",
    "Some things are better when they are slow, and",
    "The sound of it reminds me of",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Lead:
    """How a stretch of talk begins. `is_whole`: a sentence of its own, said as it stands."""

    text: str
    is_whole: bool
    sentences: int
    """The model may add so many, the lead's own not counted if it is whole."""


def messages(assignment: Assignment, topic: Topic, *, turn: int, manner: str) -> list[Message]:
    """The chat before the host's turn.

    Facts that are about to lead are not told in it: they would come twice.
    """
    persona = assignment.persona or "You are a calm radio host."
    about = persona if persona.lower().startswith("you are") else f"You are {persona}"
    system = (
        f"{about} You talk on the radio station {assignment.station_title}. "
        "You speak to the listener in short, warm, simple sentences."
    )
    facts = " ".join(topic.facts) if turn else ""
    request = f"Talk to the listeners about {topic.topic}. {facts} {manner}".strip()
    return [Message("system", system), Message("user", " ".join(request.split()))]


def instructions(assignment: Assignment, manner: str) -> str:
    """What the model is told beside matter: none of it is ever said on air."""
    system, _ = messages(assignment, Topic(topic=""), turn=0, manner="")
    return f"{system.content} {manner}"


def leads(topic: Topic, *, turn: int) -> list[Lead]:
    """How the stretches of a segment begin: facts the first time that a topic is told, openers later."""
    if turn == 0 and topic.facts:
        first = Lead(_opener(topic, len(topic.topic)), is_whole=False, sentences=1)
        return [first, *(Lead(fact, is_whole=True, sentences=1) for fact in topic.facts)]
    start = turn * _OPENERS_A_SEGMENT + len(topic.topic)
    return [
        Lead(_opener(topic, start + n * 5), is_whole=False, sentences=2) for n in range(_OPENERS_A_SEGMENT)
    ]


def _opener(topic: Topic, n: int) -> str:
    return OPENERS[n % len(OPENERS)].format(topic=topic.topic)


def bridge(assignment: Assignment, seg: int, heard_at: int) -> str:
    """What the host says by itself before a segment: who is speaking, the time, what comes next. Or nothing.

    Args:
        heard_at: about when it will be on air, in epoch ms.
    """
    if not assignment.language.startswith("en"):
        return ""
    zone = ZoneInfo(assignment.zone)
    if seg == 0:
        return _opening(assignment, heard_at, zone)
    if seg % _IDENT_EVERY:
        return ""
    if assignment.next_at and assignment.next_title and assignment.next_at - heard_at < _NEXT_WITHIN_MS:
        at = _clock(assignment.next_at, zone)
        return f"You are listening to {assignment.station_title}. At {at}: {assignment.next_title}."
    time = _clock(_rounded(heard_at), zone)
    idents = (
        f"This is {assignment.title}, and it is about {time}.",
        f"You are listening to {assignment.station_title}, and it is about {time}.",
        f"It is about {time}, and this is {assignment.station_title}.",
    )
    return idents[seg // _IDENT_EVERY % len(idents)]


def _opening(assignment: Assignment, heard_at: int, zone: ZoneInfo) -> str:
    is_on_time = abs(heard_at - assignment.at) < 90_000
    time = _clock(assignment.at, zone) if is_on_time else f"about {_clock(_rounded(heard_at), zone)}"
    hour = _local(heard_at, zone).hour
    names = ("Hello", "Good morning", "Good afternoon", "Good evening")
    greeting = names[sum(hour >= edge for edge in (5, 12, 18))]
    station = f"{greeting}. You are listening to {assignment.station_title}."
    return f"{station} It is {time}, and this is {assignment.title}."


def _local(ms: int, zone: ZoneInfo) -> datetime:
    return datetime.fromtimestamp(ms / 1000, UTC).astimezone(zone)


def _rounded(ms: int) -> int:
    return round(ms / (5 * _MINUTE_MS)) * 5 * _MINUTE_MS


def _clock(ms: int, zone: ZoneInfo) -> str:
    at = _local(ms, zone)
    if (at.hour, at.minute) in ((0, 0), (12, 0)):
        return "noon" if at.hour else "midnight"
    half = "a.m." if at.hour < 12 else "p.m."
    return f"{(at.hour - 1) % 12 + 1}:{at.minute:02} {half}"


def known_words(assignment: Assignment, topic: Topic) -> Sequence[str]:
    """All words that the host was given: names and figures in its talk must stand among them."""
    given = (topic.topic, *topic.facts, assignment.station_title, assignment.title, assignment.persona)
    return " ".join(given).split()
