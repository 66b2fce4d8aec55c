"""Speech text to phonemes: dictionaries for English, Chinese and Japanese, espeak-ng for the other languages.

What a language needs is loaded when it is first spoken. For one thread at a time.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from radio.errors import Unsupported
from radio.pronunciation import FIRST_MARK, LAST_MARK, Given
from radio.speech.g2p.espeak import Espeak, clauses
from radio.speech.text.writing_systems import runs

if TYPE_CHECKING:
    from radio.speech.g2p.chinese import ChineseG2P
    from radio.speech.g2p.english import EnglishG2P
    from radio.speech.g2p.japanese import JapaneseG2P

_ENGLISH: Final = ("en-us", "en-gb")
_ESPEAK_VOICES: Final = {"es": "es", "fr": "fr-fr", "hi": "hi", "it": "it", "pt-br": "pt-br"}
LANGUAGES: Final = (*_ENGLISH, *_ESPEAK_VOICES, "ja", "zh")
"""Languages that this radio can speak."""
_MARKS: Final = re.compile(f"([{FIRST_MARK}-{LAST_MARK}])")


class G2P(Protocol):
    """Text to the symbols of the voice model."""

    def phonemes(self, text: str, language: str, given: Mapping[str, Given] | None = None) -> str:
        """Phonemes of `text`, which may be empty.

        Args:
            text: speech text: numbers and symbols in words.
            language: as of a voice.
            given: phonemes of the marks in the text.

        Raises:
            Unsupported: this installation cannot speak the language.
            EspeakFailed
        """
        ...

    def close(self) -> None:
        """End its child processes. Safe to repeat."""
        ...


class Phonemiser:
    """The G2P of this radio.

    Args:
        tagger: folder of spaCy's English model.
        espeak: speaks unknown words and other languages.
    """

    def __init__(self, tagger: Path, espeak: Espeak) -> None:
        self._espeak = espeak
        self._tagger = tagger
        self._nlp: Any = None
        self._english: dict[str, EnglishG2P] = {}
        self._chinese: ChineseG2P | None = None
        self._japanese: JapaneseG2P | None = None

    def phonemes(self, text: str, language: str, given: Mapping[str, Given] | None = None) -> str:
        """See `G2P`."""
        if language not in LANGUAGES:
            raise Unsupported(
                f"the language {language!r} cannot be spoken in this installation",
                hint=f"Voices can speak {', '.join(LANGUAGES)}.",
            )
        said = [self._read(piece, reads, given or {}) for reads, piece in runs(text, language)]
        return " ".join(filter(None, map(str.strip, said)))

    def close(self) -> None:
        """See `G2P`."""
        self._espeak.close()

    def _read(self, text: str, language: str, given: Mapping[str, Given]) -> str:
        """A piece in one script."""
        if language in _ENGLISH:
            return self._speaks_english(language).phonemes(text, given)
        return "".join(
            given[part].phonemes if part in given else self._spaced(part, language)
            for part in _MARKS.split(text)
            if part
        )

    def _spaced(self, text: str, language: str) -> str:
        """The phonemes, with the spaces at the ends of a part."""
        before = " " if text[0].isspace() else ""
        after = " " if text[-1].isspace() else ""
        return before + self._plain(text.strip(), language) + after if text.strip() else " "

    def _plain(self, text: str, language: str) -> str:
        if language == "zh":
            return self._speaks_chinese().phonemes(text)
        if language == "ja":
            return self._speaks_japanese().phonemes(text)
        return clauses(self._espeak, text, _ESPEAK_VOICES[language], language)

    def _speaks_english(self, language: str) -> "EnglishG2P":
        if language not in self._english:
            from radio.speech.g2p import english

            self._nlp = self._nlp or english.load_tagger(self._tagger)
            self._english[language] = english.EnglishG2P(language, self._nlp, self._espeak)
        return self._english[language]

    def _speaks_chinese(self) -> "ChineseG2P":
        if self._chinese is None:
            from radio.speech.g2p.chinese import ChineseG2P

            self._chinese = ChineseG2P()
        return self._chinese

    def _speaks_japanese(self) -> "JapaneseG2P":
        if self._japanese is None:
            from radio.speech.g2p.japanese import JapaneseG2P

            self._japanese = JapaneseG2P()
        return self._japanese
