"""English to phonemes: misaki's dictionaries and grammar, spaCy's tagger, espeak-ng for unknown words.

A module of its own because it takes two seconds and some 100 MB to load. It downloads nothing, and needs no
torch.
"""

import logging
import re
import warnings
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import spacy
from misaki import en

from radio.log import log_event
from radio.pronunciation import Given
from radio.speech.g2p.espeak import Espeak, clauses
from radio.speech.g2p.ipa import to_kokoro

log = logging.getLogger(__name__)

_FAULTS: Final = (AssertionError, AttributeError, IndexError, KeyError, TypeError, ValueError)
"""The errors of misaki at texts that it was not made for."""
_WORDS_REMEMBERED: Final = 4096


def load_tagger(folder: Path) -> Any:
    """spaCy's pipeline, only what tags words: parser, entity recogniser and lemmatiser are not even read."""
    return spacy.load(folder, exclude=["parser", "ner", "lemmatizer", "attribute_ruler", "senter"])


class EnglishG2P:
    """One variety of English.

    Args:
        language: `en-us` or `en-gb`.
        nlp: from `load_tagger`; both varieties may share it.
        espeak: speaks words that the dictionary lacks.
    """

    def __init__(self, language: str, nlp: Any, espeak: Espeak) -> None:
        self._language = language
        self._espeak = espeak
        self._nlp = nlp
        self._misaki = _Misaki(nlp, british=language == "en-gb", fallback=self._word)
        self._ask = lru_cache(maxsize=_WORDS_REMEMBERED)(self._unknown)

    def phonemes(self, text: str, given: Mapping[str, Given]) -> str:
        """See `G2P`."""
        try:
            with self._nlp.memory_zone():  # otherwise every new word stays in memory
                spoken, _ = self._misaki(text, preprocess=lambda text: _with_given(text, given))
        except _FAULTS as fault:
            log.warning(
                "dictionary failed, espeak-ng speaks the sentence",
                extra=log_event("g2p.fallback", fault=type(fault).__name__),
            )
            return "".join(
                given[part].phonemes
                if part in given
                else clauses(self._espeak, part, self._language, self._language)
                for part in _parts(text, given)
            )
        return str(spoken).strip()

    def _word(self, token: Any) -> tuple[str, int]:
        """misaki's interface for a fallback: a token to its phonemes and a rating."""
        return self._ask(str(token.text)), 2

    def _unknown(self, word: str) -> str:
        if not any(letter.isalnum() for letter in word):
            return ""
        said = to_kokoro(self._espeak.phonemes(word, self._language), self._language)
        if not said:
            log.warning("a word has no phonemes", extra=log_event("g2p.unread", letters=len(word)))
        return said


def _with_given(text: str, given: Mapping[str, Given]) -> tuple[str, list[str], dict[int, str]]:
    """misaki's interface for a preprocessor: the text, its tokens, and features by token."""
    plain, tokens, features = "", list[str](), dict[int, str]()
    parts = _parts(text.lstrip(), given)
    for at, part in enumerate(parts):
        if part in given:
            owns = parts[at + 1 : at + 2] != [] and parts[at + 1].startswith("'s")
            features[len(tokens)] = "/" + given[part].phonemes + (_genitive(given[part]) if owns else "")
            part = given[part].word
            tokens.append(part)
        else:
            part = part.removeprefix("'s") if at and parts[at - 1] in given else part
            tokens += part.split()
        plain += part
    return (plain, tokens, features) if features else (plain, [], {})


def _genitive(word: Given) -> str:
    """How `'s` is pronounced after a word."""
    last = word.phonemes.rstrip("ːʰʲ")[-1]
    return "ᵻz" if last in "szʃʒʧʤ" else "s" if last in "ptkfθ" else "z"


def _parts(text: str, given: Mapping[str, Given]) -> list[str]:
    """The text between the words with given phonemes, and those words' marks."""
    if not given:
        return [text]
    return [part for part in re.split(f"([{''.join(given)}])", text) if part]


class _Misaki(en.G2P):  # type: ignore[misc]
    """misaki's English G2P with a given tagger, so that it searches and downloads nothing."""

    def __init__(self, nlp: Any, *, british: bool, fallback: Any) -> None:
        self.version = None
        self.british = british
        self.nlp = nlp
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # how it reads its own dictionary
            self.lexicon = en.Lexicon(british)
        self.fallback = fallback
        self.unk = ""
