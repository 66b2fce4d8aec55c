"""What Chinese and Japanese say in their own way: counted things, fractions, scores, phone numbers. Pure."""

import re
from typing import Final

from radio.speech.text.east_asian import japanese_counters
from radio.speech.text.east_asian.numbers import chinese, chinese_digits, kana, kana_digits
from radio.speech.text.european.short_forms import PHONE, Step

_COUNTED_IN_CHINESE: Final = (
    "[个名位只条件本张岁天杯勺家辆部万千亿倍块元周支场座集句种项起点米公斤双台匹门声颗粒片瓶碗盘袋包盒群幅封"
    "架艘首曲吨克毫厘步遍趟滴根串桶款轮把顿]|小时|分钟|升(?!级)|秒(?!杀)|对(?!\\d)|年(?!级)"
    "|次(?!元|方(?!案)|函数)|人(?!转(?![播发让会移机入身向到正乘])|世界)"
)
"""Before these two is 两, not 二."""
_TWO: Final = re.compile(rf"(?<![\d第/:-])(?<!\d[.,])2(?={_COUNTED_IN_CHINESE})")
_YEAR: Final = re.compile(r"(?<!\d)([12]\d{3})(?=年)")
_LASTED: Final = r"年(?:的?(?:历史|寿命)|以上|之久)"
_AGO: Final = r"年前(?![后夕半期])"
_LONG: Final = re.compile(
    r"(?<!\d)(?:(?:(?<=续了)|(?<=距今)|(?<=长达))[12]\d{3}(?=年)"
    rf"|(?:(?<=[有近约逾达])|(?<=超过))(?:[12]\d{{3}}(?={_LASTED})|[12]\d00(?={_AGO}))"
    rf"|(?<=早在)[12]\d00(?={_AGO})|1[0-8]00(?={_AGO})|[12]\d00(?={_LASTED}))"
)
"""A number of years, not the name of one."""
_ALL_DAY: Final = re.compile(r"(?<![\d/.,])24/7(?![\d/])")
_YEARS: Final = re.compile(r"(?<!\d)([12]\d{3}) ?[-–—~〜/至] ?((?:[12]\d)?\d\d)(?=年|赛季)")
_FRACTION: Final = re.compile(r"(?<![\d/])(?<!\d[.,])(\d{1,3})/(\d{1,3})(?![\d/])")
_SCORE: Final = re.compile(r"(?<![\d:])(?<!\d[.,])(\d{1,3}):(\d{1,3})(?![\d:])")
_RESULT: Final = r"(?<![\d:-])(?<!\d[.,])(\d{1,3}) ?[-–] ?(\d{1,3})"
_CHINESE_RESULT: Final = re.compile(
    rf"{_RESULT}(?=(?:的比分)?(?:获胜|战胜|击败|领先|落后|取胜|力克|[大险完惜]?[胜负败]|战?平|逆转|不敌))"
)
_JAPANESE_RESULT: Final = re.compile(rf"{_RESULT}(?=で?(?:[大快辛逆惜完]?[勝敗]|破|下し|引き分け))")
_TO: Final = {
    "zh": re.compile(
        r"(?<=\d)[~〜](?=-\d)|(?<=[年月日点分时元%度℃号岁人米])(?: ?[~〜] ?(?=-?\d)| ?[-–—] ?(?=\d))"
    ),
    "ja": re.compile(
        r"(?<=\d)[~〜](?=-\d)|(?<=[年月日時分点円%度℃歳人])(?: ?[~〜] ?(?=-?\d)| ?[-–—] ?(?=\d))"
    ),
}
_DOTTED: Final = re.compile(r"(?<![\d.])\d{1,4}(?:\.\d{1,4}){2,5}(?![\d.])")
_TIMES: Final = re.compile(r"(?<=\d) ?[xX] ?(?=\d)")
_CALLED: Final = re.compile(
    r"((?:拨打?|致电|热线|电话|号码)(?:是|为)?:? ?)(\d{3,12}(?:[、或和]\d{3,6}){0,4})"
    r"(?![\d个次分元年人场多余几万千百亿条名件-]|来[个次通]|家(?![人长里中属庭])|通(?![知过报])|位(?![于置])|部(?!门))"
)
_MOBILE: Final = re.compile(r"(?<![\dA-Za-z])(?<!\d[.,])1[3-9]\d{9}(?!\d)")
_ROOM: Final = re.compile(
    r"(?<!\d)(?<!\d[.,])(?:\d{3,5}(?=号房|次列车|次航班|热线)|\d{5}(?=客服)"
    r"|(?<![有共约近])(?<!超过|取消|全国|新增)\d{3,5}(?=房(?![客企产源屋东])|室(?![内外友])|航班|客服))"
)
"""Behind such words rooms and flights are counted."""
_CODE: Final = re.compile(
    r"(?<=[A-Z])(?<!RMB|USD|CNY|EUR|GBP|HKD|JPY|KRW|AUD|CAD|CHF|SGD|TWD|GDP|CPI|TOP)"
    r"\d{3,4}(?!\d|[.,]\d|[多余万亿千百元个名点强场兆]|人(?!员))"
)
_WEEKDAY: Final = re.compile(
    r"(?<=日)\(([月火水木金土日])(?:曜日?)?(?:[・,](?:祝日?|休))?\)(?=([、。,.のにかはがもま]?))"
)
_NUMBERED: Final = re.compile(r"(?<![A-Za-z0-9])(?:No|NO)\. ?(?=\d)")
_POSTCODE: Final = re.compile(r"〒 ?(\d{3})-(\d{4})(?!\d)")
_BLOCK: Final = re.compile(r"(?<![\d-])\d{1,4}(?:-\d{1,4}){2}(?![\d-])")
_ENGLISH_IN_JAPANESE: Final = {
    "G7": "ジーセブン", "G8": "ジーエイト", "G20": "ジートゥエンティー", "4G": "フォージー",
    "5G": "ファイブジー",    "2D": "ツーディー", "3D": "スリーディー",
}  # fmt: skip
"""Names whose number is said in English."""
_NAMES: Final = re.compile(rf"(?<![A-Za-z0-9.])(?:{'|'.join(_ENGLISH_IN_JAPANESE)})(?![A-Za-z0-9.])")


def steps(language: str) -> tuple[Step, ...]:
    """What goes before money, units and plain numbers, in this order; nothing in other languages."""
    if language == "zh":
        return (
            (_NUMBERED, lambda _: "第"),
            (_LONG, lambda found: chinese(found[0]).replace("二千", "两千")),
            (_YEARS, lambda found: f"{chinese_digits(found[1])}到{chinese_digits(found[2])}"),
            (_YEAR, lambda found: chinese_digits(found[1])),
            (_TWO, lambda found: "两"),
            (_CALLED, lambda found: found[1] + _each_digit(found[2])),
            (
                _MOBILE,
                lambda found: "、".join(map(chinese_digits, (found[0][:3], found[0][3:7], found[0][7:]))),
            ),
            (_ROOM, lambda found: chinese_digits(found[0])),
            (_CODE, lambda found: chinese_digits(found[0])),
            (_ALL_DAY, lambda _: "二十四七"),
            (_FRACTION, lambda found: f"{chinese(found[2])}分之{chinese(found[1])}"),
            (_CHINESE_RESULT, lambda found: f"{chinese(found[1])}比{chinese(found[2])}"),
            (_SCORE, lambda found: f"{chinese(found[1])}比{chinese(found[2])}"),
            (PHONE, lambda found: "、".join(map(chinese_digits, re.findall(r"\d+", found[0])))),
            (_DOTTED, lambda found: "点".join(map(chinese, found[0].split(".")))),
            (_TO["zh"], lambda _: "到"),
            (_TIMES, lambda _: "乘"),
        )
    if language == "ja":
        return (
            (_WEEKDAY, lambda found: f"、{found[1]}曜日" + ("" if found[2] else "、")),
            (_NUMBERED, lambda _: "ナンバー"),
            (_POSTCODE, lambda found: f"郵便番号{kana_digits(found[1])}ノ{kana_digits(found[2])}"),
            (_NAMES, lambda found: _ENGLISH_IN_JAPANESE[found[0]]),
            (_FRACTION, lambda found: f"{kana(found[2])}ブンノ{kana(found[1])}"),
            (_JAPANESE_RESULT, lambda found: f"{kana(found[1])}タイ{kana(found[2])}"),
            (_SCORE, lambda found: f"{kana(found[1])}タイ{kana(found[2])}"),
            (PHONE, lambda found: "、".join(map(kana_digits, re.findall(r"\d+", found[0])))),
            (_BLOCK, lambda found: "ノ".join(map(kana, found[0].split("-")))),
            (_DOTTED, lambda found: "テン".join(map(kana, found[0].split(".")))),
            (_TO["ja"], lambda _: "から"),
            (_TIMES, lambda _: "かける"),
            (japanese_counters.COUNTED, japanese_counters.said),
        )
    return ()


def _each_digit(text: str) -> str:
    return re.sub(r"\d+", lambda found: chinese_digits(found[0]), text)
