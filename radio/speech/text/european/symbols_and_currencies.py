"""What languages other than English say for numbers' marks, symbols, currencies and units. Tables only.

A name with two forms is written as `euro{|s}`: for one, and for more.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Locale:
    """Words of one language.

    Attributes:
        comma: the decimal mark as it is written.
        decimal: as it is said.
        cents: the word between units and cents of money.
        of: before a currency behind a magnitude.
        magnitudes: words that may come between number and currency.
        time: hour and minutes; `sharp`: the hour alone.
        date: day, month's name, year. Empty in Japanese, as the times are: counters say them.
        glue: between a number and what follows it.
        per: what a price is for.
        day_halves: words after the hour in the morning, at noon, in the afternoon, at night.
        minor: hundredths of money: of euros and most others, and of dollars.
        short_sizes: magnitudes as they are written short beside money.
    """

    comma: str
    decimal: str
    minus: str
    to: str
    percent: str
    mille: str
    cents: str
    of: str
    time: str
    sharp: str
    date: str
    first: str = "1"
    magnitudes: tuple[str, ...] = ()
    months: tuple[str, ...]
    currencies: Mapping[str, str]
    units: Mapping[str, str]
    symbols: Mapping[str, str]
    dot: str
    slash: str
    glue: str = " "
    per: str = ""
    day_halves: tuple[str, ...] = ()
    minor: tuple[str, str] = ("", "")
    short_sizes: Mapping[str, str] = field(default_factory=dict)
    halves: Mapping[str, str] = field(default_factory=dict)


def _months(names: str) -> tuple[str, ...]:
    return tuple(names.split(" "))


def _numbered(behind: str) -> tuple[str, ...]:
    return tuple(f"{month}{behind}" for month in range(1, 13))


SPANISH: Final = Locale(
    comma=",", decimal="coma", minus="menos ", to="a", percent="por ciento", mille="por mil",
    cents=" con ", of=" de ",
    time="{0} y {1}", sharp="{0} en punto", date="{0} de {1} de {2}",
    day_halves=("de la mañana", "del mediodía", "de la tarde", "de la noche"),
    per="por", minor=("céntimo{|s}", "centavo{|s}"),
    short_sizes={"M": "millones", "k": "mil", "mill.": "millones"},
    magnitudes=("mil millones", "millones", "millón", "billones", "billón", "mil"),
    months=_months(
        "enero febrero marzo abril mayo junio "
        "julio agosto septiembre octubre noviembre diciembre"
    ),
    currencies={
        "€": "euro{|s}", "$": "dólar{|es}", "US$": "dólar{|es}", "£": "libra{|s}", "¥": "yen{|es}",
        "₹": "rupia{|s}",
        "R$": "real{|es}",
    },
    units={
        "km/h": "kilómetro{|s} por hora", "m/s": "metro{|s} por segundo",
        "km²": "kilómetro{|s} cuadrado{|s}",
        "m²": "metro{|s} cuadrado{|s}", "km": "kilómetro{|s}", "cm": "centímetro{|s}", "mm": "milímetro{|s}",
        "m": "metro{|s}", "kg": "kilogramo{|s}", "mg": "miligramo{|s}", "g": "gramo{|s}",
        "ml": "mililitro{|s}",
        "l": "litro{|s}", "L": "litro{|s}", "°C": "grado{|s} Celsius", "°F": "grado{|s} Fahrenheit",
        "°": "grado{|s}",
        "MB": "megabyte{|s}", "GB": "gigabyte{|s}", "kW": "kilovatio{|s}", "h": "hora{|s}",
        "min": "minuto{|s}",
    },
    symbols={"&": "y", "@": "arroba", "+": "más", "=": "igual a", "×": "por", "÷": "entre", "±": "más menos",
             "≈": "aproximadamente", "%": "por ciento", "#": "número", "§": "sección", "©": "copyright"},
    dot="punto", slash="barra", halves={"½": "medio", "¼": "un cuarto", "¾": "tres cuartos"},
)  # fmt: skip
FRENCH: Final = Locale(
    comma=",", decimal="virgule", minus="moins ", to="à", percent="pour cent", mille="pour mille",
    cents=" ", of=" d'",
    time="{0} heures {1}", sharp="{0} heures", date="{0} {1} {2}", first="premier",
    day_halves=("du matin", "de l'après-midi", "de l'après-midi", "du soir"),
    per="par", minor=("centime{|s}", "cent{|s}"),
    short_sizes={"Md": "milliards", "Mds": "milliards", "M": "millions", "k": "mille"},
    magnitudes=("milliards", "milliard", "millions", "million", "mille"),
    months=_months("janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
    currencies={
        "€": "euro{|s}", "$": "dollar{|s}", "US$": "dollar{|s}", "£": "livre{|s}", "¥": "yen{|s}",
        "₹": "roupie{|s}",
        "R$": "réal",
    },
    units={
        "km/h": "kilomètre{|s} heure", "m/s": "mètre{|s} par seconde", "km²": "kilomètre{|s} carré{|s}",
        "m²": "mètre{|s} carré{|s}", "km": "kilomètre{|s}", "cm": "centimètre{|s}", "mm": "millimètre{|s}",
        "m": "mètre{|s}", "kg": "kilogramme{|s}", "mg": "milligramme{|s}", "g": "gramme{|s}",
        "ml": "millilitre{|s}",
        "l": "litre{|s}", "L": "litre{|s}", "°C": "degré{|s} Celsius", "°F": "degré{|s} Fahrenheit",
        "°": "degré{|s}",
        "Mo": "mégaoctet{|s}", "Go": "gigaoctet{|s}", "MB": "mégaoctet{|s}", "GB": "gigaoctet{|s}",
        "kW": "kilowatt{|s}",
        "min": "minute{|s}",
    },
    symbols={"&": "et", "@": "arobase", "+": "plus", "=": "égale", "×": "fois", "÷": "divisé par",
             "±": "plus ou moins", "≈": "environ", "%": "pour cent", "#": "numéro", "§": "paragraphe",
             "©": "copyright"},
    dot="point", slash="slash", halves={"½": "un demi", "¼": "un quart", "¾": "trois quarts"},
)  # fmt: skip
ITALIAN: Final = Locale(
    comma=",", decimal="virgola", minus="meno ", to="a", percent="per cento", mille="per mille",
    cents=" e ", of=" di ",
    time="{0} e {1}", sharp="{0} in punto", date="{0} {1} {2}", first="primo",
    day_halves=("del mattino", "di pomeriggio", "di pomeriggio", "di sera"),
    per="per", minor=("centesim{o|i}", "cent"),
    short_sizes={"mld": "miliardi", "mrd": "miliardi", "mln": "milioni", "M": "milioni", "k": "mila"},
    magnitudes=("miliardi", "miliardo", "milioni", "milione", "mila"),
    months=_months(
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"
    ),
    currencies={
        "€": "euro", "$": "dollar{o|i}", "US$": "dollar{o|i}", "£": "sterlin{a|e}", "¥": "yen",
        "₹": "rupi{a|e}",
        "R$": "real",
    },
    units={
        "km/h": "chilometr{o|i} orar{io|i}", "m/s": "metr{o|i} al secondo",
        "km²": "chilometr{o|i} quadrat{o|i}",
        "m²": "metr{o|i} quadrat{o|i}", "km": "chilometr{o|i}", "cm": "centimetr{o|i}",
        "mm": "millimetr{o|i}",
        "m": "metr{o|i}", "kg": "chilogramm{o|i}", "mg": "milligramm{o|i}", "g": "gramm{o|i}",
        "ml": "millilitr{o|i}",
        "l": "litr{o|i}", "L": "litr{o|i}", "°C": "grad{o|i} Celsius", "°F": "grad{o|i} Fahrenheit",
        "°": "grad{o|i}",
        "MB": "megabyte", "GB": "gigabyte", "kW": "chilowatt", "h": "or{a|e}", "min": "minut{o|i}",
    },
    symbols={"&": "e", "@": "chiocciola", "+": "più", "=": "uguale a", "×": "per", "÷": "diviso",
    "±": "più o meno",
             "≈": "circa", "%": "per cento", "#": "numero", "§": "paragrafo", "©": "copyright"},
    dot="punto", slash="barra", halves={"½": "mezzo", "¼": "un quarto", "¾": "tre quarti"},
)  # fmt: skip
PORTUGUESE: Final = Locale(
    comma=",", decimal="vírgula", minus="menos ", to="a", percent="por cento", mille="por mil",
    cents=" e ", of=" de ",
    time="{0} e {1}", sharp="{0} hora{|s}", date="{0} de {1} de {2}", first="primeiro",
    day_halves=("da manhã", "do meio-dia", "da tarde", "da noite"),
    per="por", minor=("centavo{|s}", "centavo{|s}"),
    short_sizes={"bi": "bilhões", "mi": "milhões", "tri": "trilhões", "M": "milhões", "k": "mil"},
    magnitudes=("trilhões", "trilhão", "bilhões", "bilhão", "milhões", "milhão", "mil milhões", "mil"),
    months=_months(
        "janeiro fevereiro março abril maio junho "
        "julho agosto setembro outubro novembro dezembro"
    ),
    currencies={
        "€": "euro{|s}", "$": "dólar{|es}", "US$": "dólar{|es}", "£": "libra{|s}", "¥": "iene{|s}",
        "₹": "rupia{|s}",
        "R$": "rea{l|is}",
    },
    units={
        "km/h": "quilômetro{|s} por hora", "m/s": "metro{|s} por segundo",
        "km²": "quilômetro{|s} quadrado{|s}",
        "m²": "metro{|s} quadrado{|s}", "km": "quilômetro{|s}", "cm": "centímetro{|s}",
        "mm": "milímetro{|s}",
        "m": "metro{|s}", "kg": "quilograma{|s}", "mg": "miligrama{|s}", "g": "grama{|s}",
        "ml": "mililitro{|s}",
        "l": "litro{|s}", "L": "litro{|s}", "°C": "grau{|s} Celsius", "°F": "grau{|s} Fahrenheit",
        "°": "grau{|s}",
        "MB": "megabyte{|s}", "GB": "gigabyte{|s}", "kW": "quilowatt{|s}", "h": "hora{|s}",
        "min": "minuto{|s}",
    },
    symbols={"&": "e", "@": "arroba", "+": "mais", "=": "igual a", "×": "vezes", "÷": "dividido por",
             "±": "mais ou menos", "≈": "cerca de", "%": "por cento", "#": "número", "§": "seção",
             "©": "copyright"},
    dot="ponto", slash="barra", halves={"½": "meio", "¼": "um quarto", "¾": "três quartos"},
)  # fmt: skip
HINDI: Final = Locale(
    comma=".", decimal="दशमलव", minus="माइनस ", to="से", percent="प्रतिशत", mille="प्रति हज़ार",
    cents=" ", of=" ",
    time="{0} बजकर {1} मिनट", sharp="{0} बजे", date="{0} {1} {2}",
    per="प्रति", minor=("सेंट", "सेंट"), short_sizes={"Cr": "करोड़", "crore": "करोड़", "lakh": "लाख"},
    magnitudes=("लाख करोड़", "हज़ार करोड़", "हजार करोड़", "अरब", "करोड़", "लाख", "हज़ार", "हजार"),
    months=_months("जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर"),
    currencies={"₹": "रुप{या|ये}", "$": "डॉलर", "US$": "डॉलर", "€": "यूरो", "£": "पाउंड", "¥": "येन",
                "Rs.": "रुप{या|ये}", "Rs": "रुप{या|ये}", "रु.": "रुप{या|ये}"},
    units={
        "km/h": "किलोमीटर प्रति घंटा", "m/s": "मीटर प्रति सेकंड", "km": "किलोमीटर", "cm": "सेंटीमीटर",
        "mm": "मिलीमीटर", "m": "मीटर", "kg": "किलोग्राम", "g": "ग्राम", "ml": "मिलीलीटर", "l": "लीटर",
        "L": "लीटर",
        "°C": "डिग्री सेल्सियस", "°F": "डिग्री फ़ारेनहाइट", "°": "डिग्री", "MB": "मेगाबाइट", "GB": "गीगाबाइट",
    },
    symbols={"&": "और", "@": "ऐट", "+": "प्लस", "=": "बराबर", "×": "गुणा", "÷": "भाग", "±": "प्लस माइनस",
             "≈": "लगभग", "%": "प्रतिशत", "#": "नंबर", "§": "धारा", "©": "कॉपीराइट"},
    dot="डॉट", slash="स्लैश", halves={"½": "आधा", "¼": "चौथाई", "¾": "तीन चौथाई"},
)  # fmt: skip
CHINESE: Final = Locale(
    comma=".", decimal="点", minus="负", to="到", percent="百分之", mille="千分之",
    cents="", of="",
    time="{0}点{1}分", sharp="{0}点整", date="{2}年{1}{0}日",
    magnitudes=("万亿", "千亿", "百亿", "千万", "百万", "亿", "万", "千"),
    months=_numbered("月"),
    currencies={
        "¥": "元", "$": "美元", "US$": "美元", "HK$": "港元", "A$": "澳元", "€": "欧元", "£": "英镑",
        "₹": "卢比",
        "RMB": "元", "CNY": "元", "USD": "美元", "EUR": "欧元",
    },
    units={
        "km/h": "公里每小时", "m/s": "米每秒", "km²": "平方公里", "m²": "平方米", "km": "公里",
        "cm": "厘米", "mm": "毫米",
        "m": "米", "kg": "公斤", "g": "克", "ml": "毫升", "l": "升", "L": "升", "°C": "摄氏度",
        "℃": "摄氏度",
        "°F": "华氏度", "°": "度", "MB": "兆字节", "GB": "吉字节",
    },
    symbols={"&": "和", "@": "at", "+": "加", "=": "等于", "×": "乘以", "÷": "除以", "±": "正负",
    "≈": "约等于",
             "%": "百分号", "#": "号", "§": "节", "©": "版权"},
    dot="点", slash="斜杠", glue="", halves={"½": "二分之一", "¼": "四分之一", "¾": "四分之三"},
)  # fmt: skip
JAPANESE: Final = Locale(
    comma=".", decimal="テン", minus="マイナス", to="から", percent="パーセント", mille="パーミル",
    cents="", of="",
    time="", sharp="", date="", magnitudes=("兆", "億", "万", "千"),
    months=_numbered("月"),
    currencies={
        "¥": "円", "$": "ドル", "US$": "ドル", "€": "ユーロ", "£": "ポンド", "₹": "ルピー",
        "USD": "ドル", "EUR": "ユーロ",
    },
    units={
        "km/h": "キロメートル毎時", "m/s": "メートル毎秒", "km²": "平方キロメートル", "m²": "平方メートル",
        "km": "キロメートル", "cm": "センチメートル", "mm": "ミリメートル", "m": "メートル",
        "kg": "キログラム",
        "g": "グラム", "ml": "ミリリットル", "l": "リットル", "L": "リットル", "°C": "度", "℃": "度",
        "°F": "度", "°": "度",
        "MB": "メガバイト", "GB": "ギガバイト",
    },
    symbols={"&": "アンド", "@": "アット", "+": "プラス", "=": "イコール", "×": "かける", "÷": "わる",
             "±": "プラスマイナス", "≈": "およそ", "%": "パーセント", "#": "ナンバー", "§": "セクション",
             "©": "コピーライト"},
    dot="ドット", slash="スラッシュ", glue="", halves={"½": "二分の一", "¼": "四分の一", "¾": "四分の三"},
)  # fmt: skip

LOCALES: Final[Mapping[str, Locale]] = {
    "es": SPANISH,
    "fr": FRENCH,
    "it": ITALIAN,
    "pt-br": PORTUGUESE,
    "hi": HINDI,
    "zh": CHINESE,
    "ja": JAPANESE,
}
