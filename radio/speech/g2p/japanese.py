"""Japanese to phonemes: Janome's dictionary gives the reading in kana, a table the sounds of kana.

A module of its own because its dictionary takes a second to load. Pitch is left to the voice.
"""

from typing import Final

from janome.tokenizer import Token, Tokenizer

_ROWS: Final = {
    "": "アイウエオ", "k": "カキクケコ", "ɡ": "ガギグゲゴ", "s": "サシスセソ", "z": "ザジズゼゾ",
    "t": "タチツテト",
    "d": "ダヂヅデド", "n": "ナニヌネノ", "h": "ハヒフヘホ", "b": "バビブベボ", "p": "パピプペポ",
    "m": "マミムメモ",
    "ɾ": "ラリルレロ",
}  # fmt: skip
_VOWELS: Final = "aiɯeo"
_OWN_SOUNDS: Final = {
    "シ": "ɕi", "ジ": "ʥi", "チ": "ʨi", "ヂ": "ʥi", "ツ": "ʦɨ", "ヅ": "zɨ", "ス": "sɨ", "ズ": "zɨ",
    "フ": "ɸɯ", "ヒ": "çi",
    "ニ": "ɲi", "ザ": "ʣa", "ゼ": "ʣe", "ゾ": "ʣo", "ヤ": "ja", "ユ": "jɯ", "ヨ": "jo", "ワ": "βa",
    "ヲ": "o", "ヰ": "i",
    "ヱ": "e", "ヴ": "vɯ", "ン": "ɴ", "ッ": "ʔ", "ー": "ː", "ァ": "a", "ィ": "i", "ゥ": "ɯ", "ェ": "e",
    "ォ": "o", "ャ": "ja",
    "ュ": "jɯ", "ョ": "jo", "ヮ": "βa", "ヵ": "ka", "ヶ": "ke",
}  # fmt: skip
_SOFT: Final = {"シ": "ɕ", "ジ": "ʥ", "チ": "ʨ", "ヂ": "ʥ", "ニ": "ɲ", "ヒ": "ç"}
_GLIDES: Final = {"ャ": "a", "ュ": "ɨ", "ョ": "o", "ェ": "e"}
_SMALL: Final = {"ァ": "a", "ィ": "i", "ゥ": "ɯ", "ェ": "e", "ォ": "o", "ュ": "ɨ"}
_BEFORE_SMALL: Final = {
    "フ": "ɸ",
    "ツ": "ʦ",
    "ウ": "β",
    "ヴ": "v",
    "テ": "t",
    "デ": "d",
    "ト": "t",
    "ド": "d",
    "ク": "kβ",
    "グ": "ɡβ",
}
_PUNCTUATION: Final = str.maketrans(
    {
        "、": ",", "，": ",", "。": ".", "．": ".", "！": "!", "：": ":", "；": ";", "？": "?",
        "「": '"', "」": '"',
        "『": '"', "』": '"', "（": "(", "）": ")", "・": " ", "〜": "—", "～": "—",
    }
)  # fmt: skip


def _sounds() -> dict[str, str]:
    table = {
        kana: head + vowel for head, row in _ROWS.items() for kana, vowel in zip(row, _VOWELS, strict=True)
    }
    soft = {kana: _SOFT.get(kana, head + "ʲ") for head, row in _ROWS.items() if head for kana in row[1]}
    table |= {kana: sound + "i" for kana, sound in soft.items()} | _OWN_SOUNDS
    table |= {kana + glide: sound + vowel for kana, sound in soft.items() for glide, vowel in _GLIDES.items()}
    return table | {
        kana + small: sound + vowel
        for kana, sound in _BEFORE_SMALL.items()
        for small, vowel in _SMALL.items()
    }


_SOUNDS: Final = _sounds()


class JapaneseG2P:
    """Standard Japanese."""

    def __init__(self) -> None:
        self._reader = Tokenizer()

    def phonemes(self, text: str) -> str:
        """See `G2P`."""
        spoken, before = "", False
        for token in self._reader.tokenize(text.translate(_PUNCTUATION)):
            assert isinstance(token, Token), "it is not asked for surfaces alone"
            said = sounds(_katakana(token.surface if token.phonetic in ("*", "") else token.phonetic))
            kind = token.part_of_speech
            joins = kind.startswith(("助詞", "助動詞", "記号")) or "接尾" in kind or _is_mark(said)
            spoken += (" " if before and not joins else "") + said
            before = bool(said) and not said.isspace()
        return " ".join(spoken.split())


def sounds(kana: str) -> str:
    """The phonemes of katakana; other characters stay as they are."""
    said, at = "", 0
    while at < len(kana):
        two = kana[at : at + 2]
        step = 2 if len(two) == 2 and two in _SOUNDS else 1
        said += _SOUNDS.get(kana[at : at + step], kana[at : at + step])
        at += step
    return said


def _katakana(text: str) -> str:
    return "".join(chr(ord(letter) + 0x60) if "ぁ" <= letter <= "ゖ" else letter for letter in text)


def _is_mark(text: str) -> bool:
    return not any(map(str.isalnum, text))
