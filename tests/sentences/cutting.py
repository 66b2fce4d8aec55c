"""Text in, pieces out: what the tests of this room share."""

from collections.abc import Iterable

from hypothesis import strategies as st

from radio.sentences import MAX_CHARS, Sentence, Splitter

LANGUAGES = ("en-us", "en-gb", "es", "fr", "hi", "it", "ja", "pt-br", "zh")


def sentences(
    pieces: Iterable[str], *, max_chars: int = MAX_CHARS, first_max: int | None = None, language: str = "en"
) -> list[Sentence]:
    """Of text that comes in pieces."""
    splitter = Splitter(max_chars=max_chars, first_max=first_max, language=language)
    return [sentence for piece in pieces for sentence in splitter.feed(piece)] + splitter.finish()


def cut(
    text: str, *, max_chars: int = MAX_CHARS, first_max: int | None = None, language: str = "en"
) -> list[str]:
    found = sentences([text], max_chars=max_chars, first_max=first_max, language=language)
    return [sentence.text for sentence in found]


def squeezed(text: str) -> str:
    """Without white space: what must not be lost."""
    return "".join(text.split())


_LATIN = (
    "Dr. Mr. St. e.g. U.S. p.m. a.m. At 5 Inc. No. no. N°. 3.14 v1.0.0 9:30 example.com harbor Harbor The "
    "the "
    "I I. A J. K. War and, ships; (so) (So.) \"Why?\" 'Stop!' ... … . . . . [...] ! ? — – - * • ⁃ 1. 2) "
    "2. a) b. "
    "1.) iPhone Sept. 5 1987 etc. x end.[1] end.[1 ] ² 🎉 ! 🎉 👍🏽 é ́ BBC"
)
_OTHERS = (
    "Sra. D. ¿Qué? ¡Hola! ¡ EE. UU. «No.», n.º Lic. M. « » ? ! : l'Ing. ad es. J.-C. d.C. Exmo. av. dic. "
    "डॉ. है। है॥ । ॥ १२ ए. पी. वह नाव की ् "
    "今日は 天気 。 、 ！ ？ 「行こう。」 と って 『 』 《摔跤吧！ 爸爸》 《 》 “你好。” ３．１ ． １、 "
    "（一） ① ー ッ が 了 的 元. OK! … …… ｡"
)
_SPACES = [" ", " ", " ", " ", "", "\n", "\n\n", "  ", "\n \n", "\t", "\u00a0", "\u3000", "\u202f", "\u200b"]
_RARE = ["\r\n", "\u2028", "\u2029", "\f", " " * 63, " " * 64, "\n" + " " * 70]

words = (
    st.sampled_from(_LATIN.split())
    | st.sampled_from(_OTHERS.split())
    | st.text(alphabet="abAB.,!?» \n1\u00a0。、।", max_size=6)
    | st.text(max_size=3)
)
texts = st.lists(
    st.tuples(words, st.sampled_from(_SPACES) | st.sampled_from(_SPACES + _RARE)), max_size=60
).map(lambda parts: "".join(word + space for word, space in parts))
"""Of all scripts together, full of what is hard, and now and then of anything at all."""
anything = texts | st.text(max_size=200)
languages = st.sampled_from(LANGUAGES)
limits = st.sampled_from([1, 30, 60, 200])
