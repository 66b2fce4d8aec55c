"""How a language other than English says money, units, times, dates and addresses. Pure."""

import re
from collections.abc import Mapping
from typing import Final

from radio.speech.text.east_asian import japanese_counters, numbers
from radio.speech.text.european.rare_units import MORE_UNITS
from radio.speech.text.european.symbols_and_currencies import LOCALES, Locale

Match = re.Match[str]

_FORMS: Final = re.compile(r"\{([^|{}]*)\|([^|{}]*)\}")
_AND_A_HALF: Final = {"zh": "又", "ja": "と"}
_HOURS: Final[Mapping[str, Mapping[int, str]]] = {
    "es": {1: "una", 21: "veintiuna"},
    "it": {1: "una"},
    "pt-br": {1: "uma", 2: "duas", 21: "vinte e uma", 22: "vinte e duas"},
    "zh": {2: "两"},
}
"""Which hours are not said as the number is."""
_ONE: Final = {"es": ("un", "una"), "it": ("un", "una"), "pt-br": ("um", "uma")}
"""Before a name, where the numeral alone is another word."""


_THOUSANDS: Final = ("mil", "mille", "mila")
_PENCE: Final = {"es": "penique{|s}", "fr": "pence", "it": "pence", "pt-br": "pence", "hi": "पेंस"}


class MoneyAndMeasures:
    """What one language says, each method for one kind of match."""

    def __init__(self, language: str) -> None:
        self.words: Locale = LOCALES[language]
        self.units: Mapping[str, str] = {**self.words.units, **MORE_UNITS.get(language, {})}
        self._language = language

    def whole(self, digits: str) -> str:
        if self._language == "zh":
            return numbers.chinese(digits)
        return numbers.kana(digits) if self._language == "ja" else digits

    def number(self, text: str) -> str:
        """A number as it was written, with groups and a decimal mark."""
        whole, mark, part = self._parts(text)
        if not mark:
            return self.whole(whole)
        return self.words.glue.join((self.whole(whole), self.words.decimal, self._behind_the_mark(part)))

    def _parts(self, text: str) -> tuple[str, str, str]:
        if self.words.comma == "," and re.fullmatch(r"0\.\d+|\d+\.(?:\d{1,2}|\d{4,})|\d{4,}\.\d+", text):
            text = text.replace(".", ",")
        whole, mark, part = text.partition(self.words.comma)
        return re.sub(r"\D", "", whole), mark, part

    def _behind_the_mark(self, digits: str) -> str:
        if self._language in ("zh", "ja"):
            return (numbers.chinese_digits if self._language == "zh" else numbers.kana_digits)(digits)
        is_number = len(digits) <= 2 and digits[0] != "0" and self._language != "hi"
        return digits if is_number else " ".join(digits)

    def _sign(self, found: Match) -> str:
        return self.words.minus if found["sign"] else ""

    def named(self, number: str, name: str) -> str:
        """A number and what it counts, in the right form."""
        form = form_of(name, is_one=number == "1")
        if number == "1" and self._language in _ONE:
            first = form.partition(" ")[0]
            return f"{_ONE[self._language][first.endswith('a') and not first.endswith('grama')]} {form}"
        if number == "2" and self._language == "zh":
            return f"两{form}"
        return self.number(number) + self.words.glue + form

    def money(self, found: Match) -> str:
        name, number = self.words.currencies[found["currency"]], found["number"]
        size = found["size"]
        if size:
            of = self.words.of
            of = of if of != " d'" or name[0] in "aeiouéh" else " de "
            size = self.words.short_sizes.get(size, size)
            of = " " if size in _THOUSANDS else of
            amount = self.words.glue.join((self._sign(found) + self.number(number), size))
            return amount + of + form_of(name, is_one=False) + self._per(found)
        whole, mark, part = self._parts(number)
        if not mark or len(part) != 2 or not self.words.cents:
            return self._sign(found) + self.named(number, name) + self._per(found)
        return self._sign(found) + self._with_cents(whole, part, found["currency"]) + self._per(found)

    def _with_cents(self, whole: str, part: str, currency: str) -> str:
        units, cents = self.named(whole, self.words.currencies[currency]), part.removeprefix("0")
        if part == "00":
            return units
        minor = "पैसे" if self._language == "hi" and "रु" in units else self.words.minor["$" in currency]
        if currency == "£" and self._language in _PENCE:
            minor = _PENCE[self._language]
        if whole == "0":
            return self.named(cents, minor)
        is_named = part[0] == "0" or self._language == "hi"
        return f"{units}{self.words.cents}{self.named(cents, minor) if is_named else cents}"

    def _per(self, found: Match) -> str:
        for_what = found["per"]
        if not for_what:
            return ""
        return f" {self.words.per} {form_of(self.units.get(for_what, for_what), is_one=True)}"

    def short_size(self, found: Match) -> str:
        return f"{self.number(found[1])} {self.words.short_sizes[found[2]]}"

    def _span(self, found: Match) -> str:
        """A number, or from where to where."""
        begin = f"{self.number(found['from'])} {self.words.to} " if found["from"] else ""
        return (begin if self.words.glue else begin.replace(" ", "")) + self.number(found["number"])

    def percent(self, found: Match) -> str:
        if found["mark"] == "‰":
            mille = self.words.mille
            return self._sign(found) + (
                mille + self._span(found) if self._language == "zh" else f"{self._span(found)} {mille}"
            )
        if self._language == "zh":
            return self._sign(found) + self.words.percent + self._span(found)
        return self._sign(found) + self._span(found) + self.words.glue + self.words.percent

    def unit(self, found: Match) -> str:
        name, size = self.units[found["unit"]], found["size"]
        if size:
            of = " de " if self.words.of == " d'" else self.words.of
            of = " " if size in _THOUSANDS else of
            return (
                self._sign(found)
                + self._span(found)
                + self.words.glue
                + size
                + of
                + form_of(name, is_one=False)
            )
        if found["from"]:
            return self._sign(found) + self._span(found) + self.words.glue + form_of(name, is_one=False)
        return self._sign(found) + self.named(found["number"], name)

    def time(self, found: Match) -> str:
        return self._time(found[1], found[2])

    def time_range(self, found: Match) -> str:
        until = self._time(found[3], found[4])
        return self.words.glue.join((self._time(found[1], found[2]), self.words.to, until))

    def _time(self, hours: str, minutes: str | None) -> str:
        number, minute = int(hours), int(minutes or 0)
        hour = _HOURS.get(self._language, {}).get(number) or self.whole(str(number))
        if self._language == "ja":
            minutes = japanese_counters.counted(minute, "分") if minute else ""
            return japanese_counters.counted(number, "時") + minutes
        if self._language == "fr" and hour in ("0", "1"):
            return f"{hour} heure {minute or ''}".strip()
        return (
            self.words.time.format(hour, self._minute(minute))
            if minute
            else form_of(self.words.sharp, is_one=number == 1).format(hour)
        )

    def _minute(self, minute: int) -> str:
        before = "零" if self._language == "zh" and minute < 10 else ""
        return before + self.whole(str(minute))

    def time_of_half(self, found: Match) -> str:
        hours, minutes, half = int(found[1]), int(found[2] or 0), found[3].lower()
        hour = _HOURS.get(self._language, {}).get(hours) or str(hours)
        if self._language == "fr":
            hour = f"{'une' if hours == 1 else hours} heure{'' if hours == 1 else 's'}"
        said = f"{hour} {self.words.symbols['&']} {minutes}" if minutes else hour
        if self._language == "fr" and minutes:
            said = f"{hour} {minutes}"
        morning, noon, afternoon, evening = self.words.day_halves
        if half == "a":
            return f"{said} {evening if hours == 12 else morning}"
        return f"{said} {noon if hours == 12 else afternoon if hours < 8 else evening}"

    def dotted(self, number: str) -> str:
        return f" {self.words.dot} ".join(number.split("."))

    def day_and_month(self, found: Match) -> str:
        return self._date(int(found[1]), int(found[2]), "").removesuffix(" de ").strip()

    def month_and_day(self, found: Match) -> str:
        return f"{int(found[1])}月{int(found[2])}日"

    def day_first(self, found: Match) -> str:
        year = found[3]
        return self._date(int(found[1]), int(found[2]), f"20{year}" if len(year) == 2 else year)

    def day_first_of(self, found: Match) -> str:
        return self._date(int(found[1]), int(found[3]), found[4])

    def year_first(self, found: Match) -> str:
        return self._date(int(found[3]), int(found[2]), found[1])

    def _date(self, day: int, month: int, year: str) -> str:
        if self._language == "zh":
            year = numbers.chinese_digits(year)
        elif self._language == "ja":
            counted = japanese_counters.counted
            return f"{self.whole(year)}ネン{counted(month, '月')}{counted(day, '日', is_date=True)}"
        name = self.words.months[month - 1]
        name = re.sub(r"\d+", lambda found: self.whole(found[0]), name)
        return self.words.date.format(self.words.first if day == 1 else self.whole(str(day)), name, year)

    def range(self, found: Match) -> str:
        glue = self.words.glue
        return self.number(found[1]) + glue + self.words.to + glue + self.number(found[2])

    def plain(self, found: Match) -> str:
        return self._sign(found) + self.number(found["number"])

    def half(self, found: Match) -> str:
        joint = _AND_A_HALF.get(self._language) or f" {self.words.symbols['&']} "
        return (self.whole(found[1]) + joint if found[1] else "") + self.words.halves[found[2]]

    def part(self, found: Match) -> str:
        return self.words.halves[{"1/2": "½", "1/4": "¼", "3/4": "¾"}[found[1]]]

    def symbol(self, found: Match) -> str:
        return f" {self.words.symbols[found[0]]} "

    def lone_currency(self, found: Match) -> str:
        return f" {form_of(self.words.currencies[found[0]], is_one=False)} "

    def address(self, found: Match) -> str:
        plain = re.sub(r"^https?://|\bwww\.", "", found[0]).rstrip("/")
        spelt = plain.replace(".", f" {self.words.dot} ").replace("/", f" {self.words.slash} ")
        return spelt.replace("-", " ").replace("_", " ").replace("@", f" {self.words.symbols['@']} ")


def form_of(name: str, *, is_one: bool) -> str:
    return _FORMS.sub(lambda found: found[1 if is_one else 2], name)
