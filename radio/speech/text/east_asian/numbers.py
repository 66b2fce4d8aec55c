"""Numbers in Chinese characters and in kana. Pure."""

from typing import Final

_CHINESE: Final = "零一二三四五六七八九"
_CHINESE_GROUPS: Final = ("", "万", "亿", "兆")
_KANA: Final = ("ゼロ", "イチ", "ニ", "サン", "ヨン", "ゴ", "ロク", "ナナ", "ハチ", "キュー")
_KANA_GROUPS: Final = ("", "マン", "オク", "チョー")
_KANA_PLACES: Final = ("", "ジュー", "ヒャク", "セン")
_SOUND_CHANGES: Final = {
    (3, 2): "サンビャク",
    (6, 2): "ロッピャク",
    (8, 2): "ハッピャク",
    (3, 3): "サンゼン",
    (8, 3): "ハッセン",
}
_MOST_DIGITS: Final = 16


def chinese(digits: str) -> str:
    """`1205` -> 一千二百零五; more than 16 digits, or a zero in front: digit by digit."""
    if len(digits) > _MOST_DIGITS or (len(digits) > 1 and digits[0] == "0"):
        return chinese_digits(digits)
    if not int(digits):
        return _CHINESE[0]
    said, gap = "", False
    for place, group in _groups(digits):
        words = _chinese_group(group)
        gap = gap or (bool(said) and group < 1000)
        if words:
            said += ("零" if gap and said else "") + words + _CHINESE_GROUPS[place]
            gap = False
    return said.removeprefix("一") if said.startswith("一十") else said


def chinese_digits(digits: str) -> str:
    """`2026` -> 二零二六, as years are said."""
    return "".join(_CHINESE[int(digit)] for digit in digits)


def _chinese_group(number: int) -> str:
    said, gap = "", False
    for place, name in ((3, "千"), (2, "百"), (1, "十"), (0, "")):
        digit = number // 10**place % 10
        if digit:
            said += ("零" if gap and said else "") + _CHINESE[digit] + name
        gap = not digit
    return said


def kana(digits: str) -> str:
    """`300` -> サンビャク; more than 16 digits, or a zero in front: digit by digit."""
    if len(digits) > _MOST_DIGITS or (len(digits) > 1 and digits[0] == "0"):
        return kana_digits(digits)
    if not int(digits):
        return _KANA[0]
    return "".join(
        _kana_group(group, is_large=place > 0) + _KANA_GROUPS[place]
        for place, group in _groups(digits)
        if group
    )


def kana_digits(digits: str) -> str:
    """`14` -> イチヨン, as behind a decimal point."""
    return "".join(_KANA[int(digit)] for digit in digits)


def _kana_group(number: int, *, is_large: bool) -> str:
    said = ""
    for place in (3, 2, 1, 0):
        digit = number // 10**place % 10
        if not digit:
            continue
        alone = digit == 1 and place and not (place == 3 and is_large)
        said += _SOUND_CHANGES.get((digit, place)) or ("" if alone else _KANA[digit]) + _KANA_PLACES[place]
    return said


def _groups(digits: str) -> list[tuple[int, int]]:
    """Groups of four digits from the largest on, each with its place."""
    number, groups = int(digits), list[tuple[int, int]]()
    while number:
        number, group = divmod(number, 10_000)
        groups.append((len(groups), group))
    return groups[::-1]
