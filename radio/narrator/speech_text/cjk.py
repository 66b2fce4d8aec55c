"""What Chinese and Japanese say in their own way: counted things, fractions, scores, phone numbers. Pure."""

import re
from typing import Final

from radio.narrator.speech_text import spoken_counters
from radio.narrator.speech_text.short import PHONE, Step
from radio.narrator.speech_text.spoken_cjk import chinese, chinese_digits, kana, kana_digits

_COUNTED_IN_CHINESE: Final = (
    "[个名位只条件本张次岁天杯勺家辆部人万千亿倍块元周支场座集句种项起点米公]|小时|分钟|年(?!级)"
)
"""Before these two is 两, not 二."""
_TWO: Final = re.compile(rf"(?<![\d第/:-])(?<!\d[.,])2(?={_COUNTED_IN_CHINESE})")
_YEAR: Final = re.compile(r"(?<!\d)([12]\d{3})(?=年)")
_FRACTION: Final = re.compile(r"(?<![\d/])(?<!\d[.,])(\d{1,3})/(\d{1,3})(?![\d/])")
_SCORE: Final = re.compile(r"(?<![\d:])(?<!\d[.,])(\d{1,3}):(\d{1,3})(?![\d:])")


def steps(language: str) -> tuple[Step, ...]:
    """What goes before money, units and plain numbers, in this order; nothing in other languages."""
    if language == "zh":
        return (
            (_YEAR, lambda found: chinese_digits(found[1])),
            (_TWO, lambda found: "两"),
            (_FRACTION, lambda found: f"{chinese(found[2])}分之{chinese(found[1])}"),
            (_SCORE, lambda found: f"{chinese(found[1])}比{chinese(found[2])}"),
            (PHONE, lambda found: "、".join(map(chinese_digits, re.findall(r"\d+", found[0])))),
        )
    if language == "ja":
        return (
            (_FRACTION, lambda found: f"{kana(found[2])}ブンノ{kana(found[1])}"),
            (_SCORE, lambda found: f"{kana(found[1])}タイ{kana(found[2])}"),
            (PHONE, lambda found: "、".join(map(kana_digits, re.findall(r"\d+", found[0])))),
            (spoken_counters.COUNTED, spoken_counters.said),
        )
    return ()
