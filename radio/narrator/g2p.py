"""Speech text to phonemes, by language: dictionaries for English, espeak-ng for the others.

What a language needs is loaded when it is first spoken. One thread at a time.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from radio.errors import Unsupported
from radio.narrator.espeak import Espeak, clauses

if TYPE_CHECKING:
    from radio.narrator.g2p_english import English

_ENGLISH: Final = ("en-us", "en-gb")
_ESPEAK_VOICES: Final = {"es": "es", "fr": "fr-fr", "hi": "hi", "it": "it", "pt-br": "pt-br"}
LANGUAGES: Final = (*_ENGLISH, *_ESPEAK_VOICES)
"""Languages of voices that this radio can speak."""


class G2P(Protocol):
    """Text to the symbols of the voice model."""

    def phonemes(self, text: str, language: str) -> str:
        """Phonemes of `text`, which may be empty.

        Args:
            text: speech text: numbers and symbols in words.
            language: as of a voice.

        Raises:
            Unsupported: the language cannot be spoken in this installation.
            EspeakFailed
        """
        ...

    def close(self) -> None:
        """End what runs beside this process. Safe to repeat."""
        ...


class Phonemiser:
    """The G2P of this radio.

    Args:
        tagger: folder of spaCy's English model.
        espeak: what speaks unknown words and other languages.
    """

    def __init__(self, tagger: Path, espeak: Espeak) -> None:
        self._espeak = espeak
        self._tagger = tagger
        self._nlp: Any = None
        self._english: dict[str, English] = {}

    def phonemes(self, text: str, language: str) -> str:
        """See `G2P`."""
        if language in _ENGLISH:
            return self._speaks_english(language).phonemes(text)
        if language in _ESPEAK_VOICES:
            return clauses(self._espeak, text, _ESPEAK_VOICES[language], language)
        raise Unsupported(
            f"the language {language!r} cannot be spoken in this installation",
            hint=f"Voices can speak {', '.join(LANGUAGES)}.",
        )

    def close(self) -> None:
        """See `G2P`."""
        self._espeak.close()

    def _speaks_english(self, language: str) -> "English":
        if language not in self._english:
            from radio.narrator import g2p_english

            self._nlp = self._nlp or g2p_english.load_tagger(self._tagger)
            self._english[language] = g2p_english.English(language, self._nlp, self._espeak)
        return self._english[language]
