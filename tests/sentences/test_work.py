"""The work grows with the text, not with its square, and what is held is small: cases 15, 33. Not timed."""

import pytest

from radio.sentences import MAX_CHARS, Splitter, boundaries, sentence_end
from tests.sentences.cutting import cut, squeezed

FLOODS = {
    "words": "harbor lights ",
    "one word": "x",
    "digits": "7",
    "decimals": "3.14 and v1.0 ",
    "titles": "Dr. Lund met Mr. Berg ",
    "initials": "a.b.",
    "stops": ".",
    "spaced stops": ". ",
    "exclamations": "! ",
    "closing quotes": '."',
    "opening brackets": "(",
    "names of works": "《起！",
    "list": "1) one 2) ",
    "dashes": "- ",
    "capitals": "W.W.",
    "kanji": "今日",
    "marks": "e\u0301\u0302",
    "emoji": "👍🏽",
    "lines": "\n",
    "lines of letters": "a\n",
    "invisible": ".\u200b",
    "footnotes": ".[1]",
    "French stops": " ? !",
}


class Counter:
    """Counts the characters that are looked at, and the stops that are weighed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.work = 0
        whole, ends = sentence_end._Look.__init__, boundaries.Borders._ends

        def count_text(self_: sentence_end._Look, text: str, *args: object, **kwargs: object) -> None:
            self.work += len(text)
            whole(self_, text, *args, **kwargs)  # type: ignore[arg-type]

        def count_stop(self_: boundaries.Borders, *args: object) -> bool | None:
            self.work += 20
            return ends(self_, *args)  # type: ignore[arg-type]

        monkeypatch.setattr(sentence_end._Look, "__init__", count_text)
        monkeypatch.setattr(boundaries.Borders, "_ends", count_stop)

    def of(self, text: str, size: int) -> float:
        """Work for a character of a text that comes in pieces of this size."""
        self.work, splitter, held = 0, Splitter(), 0
        for at in range(0, len(text), size):
            splitter.feed(text[at : at + size])
            held = max(held, len(splitter._text)) if size < MAX_CHARS else 0
        splitter.finish()
        assert held <= 4 * MAX_CHARS
        return self.work / len(text)


@pytest.mark.parametrize("size", [8, 1 << 30], ids=["in pieces", "whole"])
@pytest.mark.parametrize("unit", FLOODS.values(), ids=FLOODS.keys())
def test_the_work_for_a_character_does_not_grow_with_the_text(
    unit: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    counter = Counter(monkeypatch)
    short, long = (counter.of((unit * n)[:n], size) for n in (1_000, 4_000))
    assert long <= 1.5 * short + 10


@pytest.mark.parametrize("gap", [" ", "\n", "\t ", "\u3000"], ids=["spaces", "lines", "tabs", "wide spaces"])
@pytest.mark.parametrize("before", ["Hello", "Hello there, my friends.", "Hi.", "Dr.", "今日は。"])
def test_white_space_without_end_is_not_held(before: str, gap: str, monkeypatch: pytest.MonkeyPatch) -> None:
    counter = Counter(monkeypatch)
    short, long = (counter.of(before + gap * (n // len(gap)), 8) for n in (1_000, 4_000))
    assert long <= 1.5 * short + 10


@pytest.mark.parametrize("unit", ["x", "7", "harbor ", "今", "Dr. ", "👍"], ids=str)
def test_a_long_text_without_sentences_is_cut_and_kept(unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    counter, text = Counter(monkeypatch), unit * (20_000 // len(unit))
    assert squeezed("".join(cut(text))) == squeezed(text)
    assert counter.work < 100 * len(text)


@pytest.mark.soak
@pytest.mark.parametrize("unit", FLOODS.values(), ids=FLOODS.keys())
def test_a_million_characters_are_cut_and_kept(unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    counter, text = Counter(monkeypatch), (unit * 1_000_000)[:1_000_000]
    assert squeezed("".join(cut(text))) == squeezed(text)
    assert counter.work < 1_000 * len(text)
