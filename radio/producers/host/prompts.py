"""What the host is asked, and the words that lead it into a topic. Pure.

A small model invents much and knows little. It is asked for one topic at a time, and each stretch of its talk
is begun for it: by a fact that the editor gave, which is said as it stands, or by an opener, half a sentence
that leads to harmless things. What it adds is short.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from radio.producer_kinds import Topic
from radio.producers.models.chat_model import Message
from radio.runs import Assignment

_OPENERS_A_SEGMENT = 3

_STRIDE = 7
"""Between the openers of stretches that follow each other; has no divisor in common with their numbers."""

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
    "My grandmother always said that",
    "One day I would like to",
    "By the window,",
    "Somewhere along the coast,",
    "After a long day,",
    "I have a friend who",
    "Walking home last week, I saw",
    "You can tell a lot about a place by",
    "It takes patience to",
    "With {topic}, the trick is to",
    "In a small kitchen,",
    "Nobody ever told me that",
    "I once spent a whole afternoon",
    "For a moment, imagine",
    "What makes {topic} worth our time is",
    "On a day like this one,",
    "It is a quiet kind of joy to",
)
AFTER_FACTS = (
    "I like that, because",
    "It makes me want to",
    "I think of that whenever",
    "To me, that is",
    "So the next time you",
    "I find that",
    "I was told that by someone who",
    "That is why I",
    "It is the kind of thing that",
    "Somehow that makes me feel",
    "I never get tired of",
    "You can see it for yourself when you",
    "Knowing that, I",
    "My father used to",
    "There is something in that which",
    "It must be lovely to",
    "I remember that whenever",
)


@dataclass(frozen=True, slots=True)
class LeadIn:
    """How a stretch of talk begins.

    Attributes:
        given: a sentence that is said as it stands; or "".
        begun: the first words of the sentence after it, which the model finishes; or "".
        sentences: so many may be the model's.
    """

    given: str
    begun: str
    sentences: int


@dataclass(frozen=True, slots=True)
class ModelReach:
    """What can be asked of a model.

    Attributes:
        is_led: each stretch is begun for it; else it is asked for a whole segment, facts and all.
        sentences: of one stretch that is not led.
        memory_tokens: of the prompt, for what the host said before.
    """

    is_led: bool
    sentences: int
    memory_tokens: int


def reach(context_tokens: int, *, is_small: bool) -> ModelReach:
    """A larger model is asked for more at once; a larger context remembers more."""
    if is_small:
        return ModelReach(is_led=True, sentences=2, memory_tokens=0)
    return ModelReach(is_led=False, sentences=10, memory_tokens=context_tokens // 3)


def system(assignment: Assignment) -> Message:
    """Who the host is."""
    persona = assignment.persona or "You are a calm radio host."
    about = persona if persona.lower().startswith("you are") else f"You are {persona}"
    return Message(
        "system",
        f"{about} You talk on the radio station {assignment.station_title}. "
        "You speak to the listener in short, warm, simple sentences.",
    )


def request(topic: Topic, manner: str, *, with_facts: bool, is_again: bool = False) -> Message:
    """What a segment is about. Facts that are about to lead are not told in it: they would come twice."""
    facts = " ".join(topic.facts) if with_facts else ""
    again = " Say something else about it than before." if is_again else ""
    text = f"Talk to the listeners about {topic.topic}.{again} {facts} {manner}"
    return Message("user", " ".join(text.split()))


def instructions(assignment: Assignment, manner: str) -> str:
    """What the model is told beside matter: none of it is ever said on air."""
    return f"{system(assignment).content} {manner}"


def leads(topic: Topic, reach: ModelReach, seg: int, facts: Sequence[str]) -> list[LeadIn]:
    """How the stretches of a segment begin.

    Args:
        seg: no two segments near each other begin alike.
        facts: of the topic, that are told now.
    """
    if not reach.is_led:
        return [LeadIn("", "", reach.sentences)]
    openers = [
        OPENERS[(seg * _OPENERS_A_SEGMENT + n) * _STRIDE % len(OPENERS)].format(topic=topic.topic)
        for n in range(_OPENERS_A_SEGMENT)
    ]
    if not facts:
        return [LeadIn("", opener, reach.sentences) for opener in openers]
    start = seg * len(facts)
    told = [
        LeadIn(fact, AFTER_FACTS[(start + n) * _STRIDE % len(AFTER_FACTS)], 1) for n, fact in enumerate(facts)
    ]
    return [LeadIn("", openers[0], 1), *told]


def known_words(assignment: Assignment, topic: Topic) -> Sequence[str]:
    """All words that the host was given: names and figures in its talk must stand among them."""
    given = (topic.topic, *topic.facts, assignment.station_title, assignment.title, assignment.persona)
    return " ".join(given).split()


def host_names(persona: str) -> tuple[str, ...]:
    """The names with which a persona begins: `Ada, a calm host` is `Ada`."""
    found = re.match(r"(?:You are )?((?:[A-ZÀ-Þ][\w'’-]*)(?: [A-ZÀ-Þ][\w'’-]*){0,2})\s*(?:,|\.|$)", persona)
    return (found[1],) if found else ()
