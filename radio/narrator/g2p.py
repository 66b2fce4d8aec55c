"""Speech text to phonemes: misaki's dictionaries for English, espeak-ng for other words and languages.

Nothing here downloads, and torch is not needed. One thread at a time.
"""

import logging
import re
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Protocol

import spacy
from misaki import en

from radio.errors import RadioError, Unsupported
from radio.narrator.espeak import Espeak
from radio.narrator.ipa import to_kokoro

log = logging.getLogger(__name__)

_ENGLISH: Final = ("en-us", "en-gb")
_ESPEAK_VOICES: Final = {"es": "es", "fr": "fr-fr", "hi": "hi", "it": "it", "pt-br": "pt-br"}
_PIECES: Final = re.compile(r"[^;:,.!?…—\"“”()¡¿«»]+|[;:,.!?…—\"“”()]")
_DICTIONARY_FAULTS: Final = (AssertionError, AttributeError, IndexError, KeyError, TypeError, ValueError)
"""What misaki raises at texts that it was not made for."""


class G2PFailed(RadioError):
    """This text could not be turned into phonemes."""


class G2P(Protocol):
    """Text to the symbols of the voice model."""

    def phonemes(self, text: str, language: str) -> str:
        """Phonemes of `text`, which may be empty.

        Args:
            text: speech text: numbers and symbols in words.
            language: as of a voice.

        Raises:
            Unsupported: the language cannot be spoken in this installation.
            G2PFailed, EspeakFailed
        """
        ...

    def close(self) -> None:
        """End what runs beside this process. Safe to repeat."""
        ...


class Phonemiser:
    """The G2P of this radio. What a language needs is loaded when it is first spoken.

    Args:
        tagger: folder of spaCy's English model.
        espeak: what speaks the rest.
    """

    def __init__(self, tagger: Path, espeak: Espeak) -> None:
        self._espeak = espeak
        self._tagger = tagger
        self._nlp: Any = None
        self._english: dict[str, _English] = {}

    def phonemes(self, text: str, language: str) -> str:
        """See `G2P`."""
        if language in _ENGLISH:
            return self._speaks_english(language).phonemes(text)
        if language in _ESPEAK_VOICES:
            return self._by_espeak(text, language)
        raise Unsupported(
            f"the language {language!r} cannot be spoken in this installation",
            hint=f"Voices can speak {', '.join((*_ENGLISH, *_ESPEAK_VOICES))}.",
        )

    def close(self) -> None:
        """See `G2P`."""
        self._espeak.close()

    def _speaks_english(self, language: str) -> "_English":
        if language not in self._english:
            self._nlp = self._nlp or _load_tagger(self._tagger)
            self._english[language] = _English(language, self._nlp, self._espeak)
        return self._english[language]

    def _by_espeak(self, text: str, language: str) -> str:
        return _by_espeak(self._espeak, text, _ESPEAK_VOICES[language], language)


def _load_tagger(folder: Path) -> Any:
    """Only what tags words: the parser, the entity recogniser and the lemmatiser are not even read."""
    unused = ["parser", "ner", "lemmatizer", "attribute_ruler", "senter"]
    return spacy.load(folder, exclude=unused)


class _English:
    """English by dictionary and grammar; unknown words by espeak-ng."""

    def __init__(self, language: str, nlp: Any, espeak: Espeak) -> None:
        self._language = language
        self._espeak = espeak
        self._nlp = nlp
        self._misaki = _Misaki(nlp, british=language == "en-gb", fallback=self._word)
        self._ask = lru_cache(maxsize=4096)(self._unknown)

    def phonemes(self, text: str) -> str:
        try:
            with self._nlp.memory_zone():  # else every new word stays in memory for good
                spoken, _ = self._misaki(text, preprocess=False)
        except _DICTIONARY_FAULTS as fault:
            log.warning(
                "dictionary failed, espeak-ng speaks the sentence",
                extra={"action": "g2p_fallback", "fault": type(fault).__name__},
            )
            return _by_espeak(self._espeak, text, self._language, self._language)
        return str(spoken).strip()

    def _word(self, token: Any) -> tuple[str, int]:
        """misaki's interface of a fallback: a token to its phonemes and a rating."""
        return self._ask(str(token.text)), 2

    def _unknown(self, word: str) -> str:
        if not any(letter.isalnum() for letter in word):
            return ""
        return to_kokoro(self._espeak.phonemes(word, self._language), self._language)


class _Misaki(en.G2P):  # type: ignore[misc]
    """misaki's English G2P with the tagger handed in, so that nothing is looked for or downloaded."""

    def __init__(self, nlp: Any, *, british: bool, fallback: Any) -> None:
        self.version = None
        self.british = british
        self.nlp = nlp
        self.lexicon = en.Lexicon(british)
        self.fallback = fallback
        self.unk = ""


def _by_espeak(espeak: Espeak, text: str, voice: str, language: str) -> str:
    """Clause by clause, since espeak-ng drops the punctuation that the voice model wants."""
    said = ""
    for piece in _PIECES.findall(text):
        if any(letter.isalnum() for letter in piece):
            ipa = to_kokoro(espeak.phonemes(piece.strip(), voice), language)
            said += (" " if said and piece[:1].isspace() else "") + ipa
        elif not piece.isspace():
            said += piece
    return said
