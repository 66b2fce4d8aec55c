"""Units that one hears less often, in languages other than English. A table only.

A name with two forms is written as in `symbols_and_currencies`. Japanese and Chinese have one form.
"""

from collections.abc import Mapping
from typing import Final

_LANGUAGES: Final = ("es", "fr", "it", "pt-br", "hi", "ja", "zh")
_TABLE: Final = """
cl = centilitro{|s} = centilitre{|s} = centilitr{o|i} = centilitro{|s} = सेंटीलीटर = \
センチリットル = 厘升
dl = decilitro{|s} = décilitre{|s} = decilitr{o|i} = decilitro{|s} = डेसीलीटर = デシリットル = 分升
t = tonelada{|s} = tonne{|s} = tonnellat{a|e} = tonelada{|s} = टन = トン = 吨
ha = hectárea{|s} = hectare{|s} = ettar{o|i} = hectare{|s} = हेक्टेयर = ヘクタール = 公顷
mg = miligramo{|s} = milligramme{|s} = milligramm{o|i} = miligrama{|s} = मिलीग्राम = ミリグラム = \
毫克
m³ = metro{|s} cúbico{|s} = mètre{|s} cube{|s} = metr{o|i} cub{o|i} = metro{|s} cúbico{|s} = \
घन मीटर = 立方メートル = 立方米
km² = kilómetro{|s} cuadrado{|s} = kilomètre{|s} carré{|s} = chilometr{o|i} quadrat{o|i} = \
quilômetro{|s} quadrado{|s} = वर्ग किलोमीटर = 平方キロメートル = 平方公里
m² = metro{|s} cuadrado{|s} = mètre{|s} carré{|s} = metr{o|i} quadrat{o|i} = \
metro{|s} quadrado{|s} = वर्ग मीटर = 平方メートル = 平方米
cm² = centímetro{|s} cuadrado{|s} = centimètre{|s} carré{|s} = centimetr{o|i} quadrat{o|i} = \
centímetro{|s} quadrado{|s} = वर्ग सेंटीमीटर = 平方センチメートル = 平方厘米
l/m² = litro{|s} por metro cuadrado = litre{|s} par mètre carré = litr{o|i} al metro quadrato = \
litro{|s} por metro quadrado = लीटर प्रति वर्ग मीटर = リットル毎平方メートル = 升每平方米
Hz = hercio{|s} = hertz = hertz = hertz = हर्ट्ज़ = ヘルツ = 赫兹
kHz = kilohercio{|s} = kilohertz = chilohertz = quilohertz = किलोहर्ट्ज़ = キロヘルツ = 千赫
MHz = megahercio{|s} = mégahertz = megahertz = megahertz = मेगाहर्ट्ज़ = メガヘルツ = 兆赫
GHz = gigahercio{|s} = gigahertz = gigahertz = gigahertz = गीगाहर्ट्ज़ = ギガヘルツ = 吉赫
W = vatio{|s} = watt{|s} = watt = watt{|s} = वाट = ワット = 瓦
kW = kilovatio{|s} = kilowatt{|s} = chilowatt = quilowatt{|s} = किलोवाट = キロワット = 千瓦
MW = megavatio{|s} = mégawatt{|s} = megawatt = megawatt{|s} = मेगावाट = メガワット = 兆瓦
GW = gigavatio{|s} = gigawatt{|s} = gigawatt = gigawatt{|s} = गीगावाट = ギガワット = 吉瓦
kWh = kilovatio{|s} hora = kilowatt-heure{|s} = chilowattora = quilowatt{|s} hora = किलोवाट घंटा = \
キロワットジ = 千瓦时
hPa = hectopascal{|es} = hectopascal{|s} = ettopascal = hectopasca{l|is} = हेक्टोपास्कल = \
ヘクトパスカル = 百帕
mbar = milibar{|es} = millibar{|s} = millibar = miliba{r|res} = मिलीबार = ミリバール = 毫巴
TB = terabyte{|s} = téraoctet{|s} = terabyte = terabyte{|s} = टेराबाइट = テラバイト = 太字节
kB = kilobyte{|s} = kilooctet{|s} = kilobyte = kilobyte{|s} = किलोबाइट = キロバイト = 千字节
dB = decibelio{|s} = décibel{|s} = decibel = decibé{l|is} = डेसिबल = デシベル = 分贝
kcal = kilocaloría{|s} = kilocalorie{|s} = chilocalori{a|e} = quilocaloria{|s} = किलोकैलोरी = \
キロカロリー = 千卡
"""


def _units() -> Mapping[str, Mapping[str, str]]:
    units: dict[str, dict[str, str]] = {language: {} for language in _LANGUAGES}
    for line in _TABLE.strip().splitlines():
        unit, *names = line.split(" = ")
        for language, name in zip(_LANGUAGES, names, strict=True):
            units[language][unit] = name
    return units


_OWN: Final[Mapping[str, Mapping[str, str]]] = {
    "fr": {"h": "heure{|s}", "To": "téraoctet{|s}"},
    "it": {"mq": "metr{o|i} quadrat{o|i}", "kmq": "chilometr{o|i} quadrat{o|i}"},
    "hi": {
        "h": "घंटे", "min": "मिनट", "किमी": "किलोमीटर", "किमी/घंटा": "किलोमीटर प्रति घंटा", "सेमी": "सेंटीमीटर",
        "मिमी": "मिलीमीटर", "किग्रा": "किलोग्राम", "kmph": "किलोमीटर प्रति घंटा",
    },
    "ja": {"mm/h": "ミリメートル毎時"},
}  # fmt: skip
MORE_UNITS: Final[Mapping[str, Mapping[str, str]]] = {
    language: {**names, **_OWN.get(language, {})} for language, names in _units().items()
}
