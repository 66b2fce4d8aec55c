"""Whether a sentence is in another language than the host's: by its letters and its commonest words. Pure."""

from collections.abc import Mapping

from radio.producers.host.repetition import words_of

_COMMON: Mapping[str, str] = {
    "en": "the a an and or of to in on at is are was were it its that this with for as by from be have has "
    "not but you your we our i my they their he she his her there what when how so if can will would about",
    "de": "der die das und oder von zu im auf ist sind war es dass dieser mit für als bei aus sein haben "
    "nicht aber du wir ich sie er ihr ein eine einen dem den des auch wie nur noch nach wenn",
    "fr": "le la les et ou de du des un une est sont était dans sur que qui avec pour par ne pas mais vous "
    "nous je il elle ce cette au aux en plus se son sa ses",
    "es": "el la los las y o de del un una es son era en que con para por no pero usted nosotros yo él "
    "ella se su sus este esta como más al lo muy",
    "it": "il lo la gli le e o di del della un una è sono era in che con per non ma voi noi io lui lei si "
    "suo sua questo questa come più al nel alla",
    "pt": "o os as e ou de do da um uma é são era em no na que com para por não mas você nós eu ele ela se "
    "seu sua este esta como mais ao muito",
}
_WORDS = {language: frozenset(words.split()) for language, words in _COMMON.items()}
_SCRIPTS = {"ja": ("぀", "鿿"), "zh": ("一", "鿿"), "hi": ("ऀ", "ॿ")}
_FEWEST_WORDS = 5
_MOST_LETTERS = 0.2
"""Part of the letters that may be of another script: names, mostly."""


def is_foreign(sentence: str, language: str) -> bool:
    """Whether it is in another language than `language`, its first two letters."""
    letters = [char for char in sentence if char.isalpha()]
    own = sum(_is_of(char, language) for char in letters)
    if own < (1 - _MOST_LETTERS) * len(letters):
        return True
    words = words_of(sentence)
    if language not in _WORDS or len(words) < _FEWEST_WORDS:
        return False
    counts = {other: sum(word in common for word in words) for other, common in _WORDS.items()}
    return max(counts.values()) > counts[language] + 1


def _is_of(char: str, language: str) -> bool:
    if language in _SCRIPTS:
        first, last = _SCRIPTS[language]
        return first <= char <= last
    return char < "ɐ" or "Ḁ" <= char <= "ỿ"
