"""Whether a sentence of the host may be said: not twice, not about itself, and nothing made up. Pure."""

import re
from collections.abc import Iterable

from radio.producers.host.language_check import is_foreign
from radio.producers.host.repetition import SaidSentences, stutters, words_of

_NAME = re.compile(r"(?<![.!?…:\"“]\s)(?<!^)(?<=\s)[A-ZÀ-Þ][\w'’-]*")
_FEWEST_WORDS = 3
_MOST_WORDS = 70
"""A longer sentence is a loop, or a list without an end."""
_OPENING = 3
_OPENINGS = 6
"""So many sentences of the host after each other begin with different words."""

_PREAMBLE = re.compile(
    r"^(sure|certainly|of course|absolutely|okay|ok|alright|great|got it|no problem|here(?:'s| is| are)|"
    r"i(?:'m| am) (?:sorry|glad|happy|here|ready) (?:to|for|but|that|if)|i(?:'m| am) sorry|"
    r"let me (?:tell|share|start|begin|give|introduce|know|write|explain)|i'?d (?:be happy|love) to|"
    r"thank you for|thanks for|i apologi[sz]e|apologies|sorry|unfortunately, i|as (?:an|your) ai|"
    r"as a (?:radio )?(?:host|dj|presenter)|what a (?:great|wonderful|lovely) (?:question|topic|idea)|"
    r"(?:great|good) (?:question|idea|choice)|below is|the following|in this (?:segment|script|episode))\b",
    re.IGNORECASE,
)
_SELF = re.compile(
    r"\b(as an ai|language model|ai assistant|virtual assistant|chatbot|the prompt|the user|"
    r"(?:this|the) (?:script|segment|essay|paragraph|article|passage|transcript)|"
    r"your (?:question|request|prompt|instructions)|my (?:instructions|training|programming)|"
    r"word count|in conclusion|in summary|to summari[sz]e|hope this helps|i cannot|i can't (?:assist|help)|"
    r"feel free to (?:ask|adjust|edit|change)|if you have any (?:other |more |further )?questions|"
    r"what can i do for you|how (?:can|may) i (?:help|assist)|(?:happy|glad|excited) to have you|"
    r"the listeners|the radio station|talking to you|"
    r"(?:i|you|we)(?:'m|'re| am| are) on the (?:radio|air)|"
    r"(?:happy|glad|pleased|love|lovely|like|pleasure|here|ready|excited) to "
    r"(?:talk|share|help|speak|tell|discuss|assist|chat|introduce|present)|"
    r"let me know (?:if|what)|smollm|hugging face|openai|chatgpt|anthropic)\b",
    re.IGNORECASE,
)
_SIGN_OFF = re.compile(
    r"\b(good ?bye|farewell|signing off|sign off|until (?:next time|then|tomorrow)|"
    r"(?:thanks|thank you)(?: so much| all)? for (?:listening|tuning|joining|being)|"
    r"that(?:'s| is) (?:all|it) for (?:today|now|tonight|this)|see you (?:next|tomorrow|soon|again)|"
    r"join us (?:next|again|tomorrow)|tune in (?:next|again|tomorrow)|stay tuned|"
    r"have a (?:great|good|nice|lovely|wonderful) (?:day|night|evening|weekend|morning|afternoon)|"
    r"we'?ll be (?:right )?back|after (?:the|this|a short) break|"
    r"good night,? (?:everyone|all|listeners|folks))\b",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"^(?:(?:hello|hi|hey|greetings|welcome|good (?:morning|afternoon|evening))\b|"
    r"(?:dear|ladies|my dear) (?:listeners?|friends?|and gentlemen)\b|"
    r"(?:my name is|i'?m your host|i am your host|this is your host)\b|you(?:'re| are) listening to\b)",
    re.IGNORECASE,
)
_STATION = re.compile(
    r"\b(?:[KW][A-Z]{2,3}\b|\d{2,3}\.\d\s*(?:FM|MHz)|Radio [A-Z]\w+|[A-Z]\w+ (?:FM|Radio)\b)"
)
_ALWAYS_KNOWN = frozenset(
    {
        *("i", "i'm", "i'll", "i'd", "i've", "god", "earth", "moon", "sun", "english", "monday", "tuesday"),
        *("wednesday", "thursday", "friday", "saturday", "sunday", "january", "february", "march", "april"),
        *("may", "june", "july", "august", "september", "october", "november", "december", "christmas"),
    }
)
_PATTERNS = (
    ("preamble", _PREAMBLE),
    ("about itself", _SELF),
    ("sign-off", _SIGN_OFF),
    ("greeting", _GREETING),
)


class SentenceGuard:
    """Remembers what was said.

    Args:
        station: names of stations other than this one are not said.
        language: of the host; talk in another one is not said.
        told: sentences that the model is told; it shall not say them.
        aired: captions that aired before this run. What an editor gives may be said all the same.
    """

    def __init__(
        self, station: str, language: str = "en", *, told: Iterable[str] = (), aired: Iterable[str] = ()
    ) -> None:
        self._station = station.lower()
        self._language = language[:2]
        self._before = SaidSentences([*told, *aired])
        self._run = SaidSentences()
        self._openings: list[tuple[str, ...]] = []

    def remember(self, sentence: str) -> None:
        """It was said in this run."""
        self._run.remember(sentence)
        self._openings.append(words_of(sentence)[:_OPENING])

    def mark(self) -> int:
        """For `rewind`."""
        return len(self._run)

    def rewind(self, mark: int) -> None:
        """What was remembered since was not said after all."""
        self._run.rewind(mark)
        del self._openings[mark:]

    def fault_of_given(self, sentence: str) -> str | None:
        """The same for a sentence of the editor's: in a run it is said about once an hour at most."""
        return "repeated" if self._run.said_lately(words_of(sentence)) else None

    def fault_of(
        self, sentence: str, *, begun: str = "", known: Iterable[str] = (), is_strict: bool = True
    ) -> str | None:
        """Why it may not be said; None: it may.

        Args:
            begun: its first words, if they are not the model's: they may come again.
            known: words that the host was given.
            is_strict: names and figures must stand among them.
        """
        words = words_of(sentence)
        if is_foreign(sentence, self._language):
            return "other language"
        if not self._is_speech(words):
            return "fragment"
        if len(words) > _MOST_WORDS or stutters(words):
            return "loop"
        for fault, pattern in _PATTERNS:
            if pattern.search(sentence):
                return fault
        if any(match[0].lower() not in self._station for match in _STATION.finditer(sentence)):
            return "other station"
        first = words_of(begun)
        if self._run.repeats(words, begun=first) or self._before.repeats(words, begun=first):
            return "repeated"
        if self._run.repeats_phrase(words, begun=first):
            return "same phrase"
        if not begun and words[:_OPENING] in self._openings[-_OPENINGS:]:
            return "same opening"
        return _invention(sentence, known) if is_strict else None

    def _is_speech(self, words: tuple[str, ...]) -> bool:
        """Languages that are written without spaces have no words here."""
        least = 1 if self._language in ("ja", "zh") else _FEWEST_WORDS
        return len(words) >= least


def _invention(sentence: str, known: Iterable[str]) -> str | None:
    """A figure or a name that nobody gave to the host."""
    given = {form for word in known for form in words_of(word)} | _ALWAYS_KNOWN
    if any(any(map(str.isdigit, word)) and word not in given for word in words_of(sentence)):
        return "figure"
    names = (form for match in _NAME.finditer(sentence) for form in words_of(match[0]))
    if any(name.removesuffix("'s") not in given for name in names):
        return "name"
    return None
