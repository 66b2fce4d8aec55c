"""Japanese numbers with what they count, in kana: サンプン, not サン分. Pure.

Many counters change their sound or that of the number before them; the dictionary has them only behind digits
that it knows.
"""

import re
from collections.abc import Mapping
from typing import Final

from radio.speech.text.east_asian.numbers import kana

_FOUR: Final = {4: "ヨ"}
_HOURS: Final = {4: "ヨ", 7: "シチ", 9: "ク"}
_MONTHS: Final = {4: "シ", 7: "シチ", 9: "ク"}
_DAYS: Final = {
    2: "フツカ", 3: "ミッカ", 4: "ヨッカ", 5: "イツカ", 6: "ムイカ", 7: "ナノカ", 8: "ヨーカ", 9: "ココノカ",
    10: "トーカ", 14: "ジューヨッカ", 20: "ハツカ", 24: "ニジューヨッカ",
}  # fmt: skip
_THINGS: Final = (
    "ヒトツ", "フタツ", "ミッツ", "ヨッツ", "イツツ", "ムッツ", "ナナツ", "ヤッツ", "ココノツ",
)  # fmt: skip
_SHORT: Final = (
    ("イチ", "イッ"),
    ("ロク", "ロッ"),
    ("ハチ", "ハッ"),
    ("ジュー", "ジュッ"),
    ("ヒャク", "ヒャッ"),
    ("ビャク", "ビャッ"),
    ("ピャク", "ピャッ"),
)
"""How numbers end before a hard sound; after them, `h` becomes `p`."""
_NO_SIX: Final = tuple(pair for pair in _SHORT if pair[0] not in ("ロク", "ヒャク", "ビャク", "ピャク"))

_HARD: Final[Mapping[str, str]] = {
    "回": "カイ", "個": "コ", "か月": "カゲツ", "ヶ月": "カゲツ", "カ月": "カゲツ",
    "か国": "カコク", "カ国": "カコク", "ヶ国": "カコク", "か所": "カショ", "カ所": "カショ",
    "ヶ所": "カショ", "箇所": "カショ", "階": "カイ", "軒": "ケン", "件": "ケン", "曲": "キョク",
}  # fmt: skip
_HISSING: Final[Mapping[str, str]] = {
    "歳": "サイ", "才": "サイ", "冊": "サツ", "週間": "シューカン", "点": "テン", "世紀": "セイキ",
    "世": "セイ",
    "通": "ツー", "頭": "トー", "着": "チャク", "章": "ショー", "周年": "シューネン", "周": "シュー",
    "種類": "シュルイ", "社": "シャ", "丁目": "チョーメ", "席": "セキ", "勝": "ショー", "足": "ソク",
}  # fmt: skip
_BEHIND_THREE: Final[Mapping[str, str]] = {"階": "ガイ", "軒": "ゲン", "足": "ゾク"}
_BREATHED: Final[Mapping[str, tuple[str, str, str]]] = {
    "分": ("フン", "プン", "プン"),
    "本": ("ホン", "ボン", "ポン"),
    "杯": ("ハイ", "バイ", "パイ"),
    "匹": ("ヒキ", "ビキ", "ピキ"),
    "泊": ("ハク", "パク", "パク"),
    "敗": ("ハイ", "パイ", "パイ"),
    "票": ("ヒョー", "ビョー", "ピョー"),
    "歩": ("ホ", "ポ", "ポ"),
}
"""The counter, as it is behind three or thousands, and as it is behind a short end."""
_IN_WORDS: Final = ("世", "通", "足", "着")
"""Counters that are also the beginning of other words."""
_NUMBER: Final = r"\d{1,3}(?:,\d{3}){1,3}|\d{1,12}"
_SCALES: Final = {"万": "マン", "億": "オク"}
COUNTED: Final = re.compile(
    rf"(?<!\d)(?<!\d[.,])(?:(?P<from>{_NUMBER}) ?[-–—~〜] ?)?(?P<number>{_NUMBER})(?P<scale>[万億])?"
    rf"(?P<counter>時間?|{'|'.join([*_HARD, *(name for name in _HISSING if name not in _IN_WORDS)])}"
    r"|世(?![代帯界])|通(?!り)|足(?!ら|り)|着(?!目|陸)|月(?!間)|日間?|人前?|分(?!の\d)|本(?![社日部])|杯|匹|泊|敗|票|歩"
    r"|羽|(?<=[1-9])つ|(?<=4)年生?)"
)


def said(found: re.Match[str]) -> str:
    """What `COUNTED` matches, in kana."""
    number, scale, counter = found["number"].replace(",", ""), found["scale"], found["counter"]
    begin = f"{kana(found['from'].replace(',', ''))}カラ" if found["from"] else ""
    if scale:
        return begin + kana(number) + _SCALES[scale] + _plain(counter)
    is_date = found.string[found.start() - 1 : found.start()] == "月"
    return begin + counted(int(number), counter, is_date=is_date)


def _plain(counter: str) -> str:
    if counter in _BREATHED:
        return _BREATHED[counter][1]
    names = {"人": "ニン", "人前": "ニンマエ", "時": "ジ", "時間": "ジカン", "月": "ツキ", "日": "ニチ",
    "日間": "ニチカン",
             "羽": "ワ", "つ": "ツ", "年": "ネン", "年生": "ネンセイ"}  # fmt: skip
    return names.get(counter) or _HARD.get(counter) or _HISSING[counter]


def counted(number: int, counter: str, *, is_date: bool = False) -> str:
    """`3`, `分` -> サンプン.

    Args:
        is_date: behind a month; the first day has a name of its own there.
    """
    if counter == "つ":
        return _THINGS[number - 1] if 0 < number < 10 else kana(str(number)) + "ツ"
    if counter == "人前":
        return _ending(number, _FOUR) + "ニンマエ"
    if counter in ("年", "年生", "羽"):
        if counter == "羽":
            return kana(str(number)) + "ワ"
        return _ending(number, _FOUR) + ("ネン" if counter == "年" else "ネンセイ")
    if counter == "時" and not number:
        return "レイジ"
    if counter in ("時", "時間"):
        return _ending(number, _HOURS) + ("ジ" if counter == "時" else "ジカン")
    if counter == "月":
        return (_MONTHS.get(number) or kana(str(number))) + "ガツ"
    if counter in ("日", "日間"):
        return _days(number, is_date=is_date) + ("カン" if counter == "日間" else "")
    if counter == "人":
        return {1: "ヒトリ", 2: "フタリ"}.get(number) or _ending(number, _FOUR) + "ニン"
    if counter in _BREATHED:
        return _breathed(kana(str(number)), *_BREATHED[counter])
    pairs = _SHORT if counter in _HARD else _NO_SIX
    if counter in _BEHIND_THREE and number % 10 == 3:
        return kana(str(number)) + _BEHIND_THREE[counter]
    return _shortened(kana(str(number)), pairs) + (_HARD.get(counter) or _HISSING[counter])


def _ending(number: int, names: Mapping[int, str]) -> str:
    """The number with a name of its own for the last digit."""
    tens, last = divmod(number, 10)
    if last not in names:
        return kana(str(number))
    return (kana(str(tens * 10)) if tens else "") + names[last]


def _days(number: int, *, is_date: bool) -> str:
    if number == 1 and is_date:
        return "ツイタチ"
    return _DAYS.get(number) or kana(str(number)) + "ニチ"


def _shortened(number: str, pairs: tuple[tuple[str, str], ...]) -> str:
    for end, short in pairs:
        if number.endswith(end):
            return number.removesuffix(end) + short
    return number


def _breathed(number: str, plain: str, behind_three: str, behind_short: str) -> str:
    short = _shortened(number, _SHORT)
    if short != number:
        return short + behind_short
    is_hard = number.endswith(("サン", "セン", "ゼン", "マン")) or (
        number.endswith("ヨン") and behind_three[0] in "プパ"
    )
    return number + (behind_three if is_hard else plain)
