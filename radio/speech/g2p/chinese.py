"""Chinese to phonemes: jieba cuts words, pypinyin reads them, misaki's tables make IPA with tones as arrows.

A module of its own because its dictionaries take a second to load.
"""

import logging
import tempfile
import warnings
from typing import Final

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # spellings of patterns that newer Pythons complain of
    import jieba

from misaki.transcription import pinyin_to_ipa
from pypinyin import Style, lazy_pinyin

_TONES: Final = {
    "˧˩˧": "↓",
    "˧˥": "↗",
    "˥˩": "↘",
    "˥": "→",
    "\u027b\u0329": "ɨ",
    "\u0279\u0329": "ɨ",
    "\u032f": "",
}
_PUNCTUATION: Final = str.maketrans(
    {
        "、": ", ", "，": ", ", "。": ". ", "．": ". ", "！": "! ", "：": ": ", "；": "; ", "？": "? ",
        "《": ' "', "》": '" ', "「": ' "', "」": '" ', "『": ' "', "』": '" ', "【": ' "', "】": '" ',
        "（": " (", "）": ") ",
    }
)  # fmt: skip


class ChineseG2P:
    """Mandarin."""

    def __init__(self) -> None:
        self._words = jieba.Tokenizer()
        jieba.setLogLevel(logging.WARNING)
        with tempfile.TemporaryDirectory() as folder:  # never read a cache that other users could write
            self._words.tmp_dir = folder
            self._words.initialize()

    def phonemes(self, text: str) -> str:
        """See `G2P`."""
        words = self._words.lcut(text.translate(_PUNCTUATION), cut_all=False)
        spoken, before = "", False
        for word in words:
            is_read = any("\u3400" <= letter <= "\u9fff" or letter == "〇" for letter in word)
            if is_read and before:
                spoken += " "
            spoken += _word(word) if is_read else word
            before = is_read
        return " ".join(spoken.split())


def _word(word: str) -> str:
    syllables = lazy_pinyin(word, style=Style.TONE3, neutral_tone_with_five=True, errors="default")
    return "".join(map(_syllable, syllables))


def _syllable(pinyin: str) -> str:
    try:
        ipa = "".join(pinyin_to_ipa(pinyin)[0])
    except ValueError:  # an interjection such as m or ng, or a character without a reading
        return "".join(filter(str.isalpha, pinyin))
    for sound, symbol in _TONES.items():
        ipa = ipa.replace(sound, symbol)
    return ipa
