from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radio.speech.text import writing_systems
from radio.speech.text.east_asian import numbers
from radio.speech.text.speech_text import speech_text

LANGUAGES: Mapping[str, Mapping[str, str]] = {
    "es": {
        "3,14 y 1.000,50": "3 coma 14 y 1000 coma 50",
        "3.14": "3 coma 14",
        "0,05": "0 coma 0 5",
        "25% de 2.000": "25 por ciento de 2000",
        "a las 9:30, 14:05 y 9:00": "a las 9 y 30, 14 y 5 y 9 en punto",
        "€5, 1 €, 3,50 €": "5 euros, un euro, 3 euros con 50",
        "€5 millones": "5 millones de euros",
        "-5 °C, 20 km/h, 1 km": "menos 5 grados Celsius, 20 kilómetros por hora, un kilómetro",
        "29/11/2026": "29 de noviembre de 2026",
        "10-20 años": "10 a 20 años",
        "Tom & Ana, a@b.es": "Tom y Ana, a arroba b punto es",
        "El Sr. López y la Dra. Ruiz, EE. UU., art. 5, etc.": (
            "El señor López y la doctora Ruiz, Estados Unidos, artículo 5, etcétera."
        ),
        "la 1.ª y el 3.er n.º 5": "la 1ª y el tercer número 5",
        "siglo XX, Felipe VI, Alfonso XIII": "siglo 20, Felipe 6º, Alfonso 13",
        "a la 1:30 y las 21:00": "a la una y 30 y las veintiuna en punto",
        "Llame al 900 123 456": "Llame al 9 0 0, 1 2 3, 4 5 6",
        "+34 91 123 45 67": "más 34, 91, 1 2 3, 45, 67",
        "de 2000-2010, 2 millones km²": "de 2000 a 2010, 2 millones de kilómetros cuadrados",
        "1/2 litro": "medio litro",
        "1º y 2ª, 1½": "1º y 2ª, 1 y medio",
        "21 personas, 200 casas, 1.250 vacas, 1 hora": (
            "veintiuna personas, doscientas casas, mil doscientas 50 vacas, una hora"
        ),
        "21 días, 31 km, 21 %, 21.000 €, 101 votos": (
            "veintiún días, 30 y un kilómetros, 21 por ciento, veintiún mil euros, ciento un votos"
        ),
        "en 2021 casas, 200 gramas, 300 días, el 21 les": "en 2021 casas, 200 gramas, 300 días, el 21 les",
        "3.400 M€, 300 k€": "3400 millones de euros, 300 mil euros",
        "1,5 M de euros": "1 coma 5 millones de euros",
        "$3.99, 0,50 €, 1,05 €, £0,20": (
            "3 dólares con 99, 50 céntimos, un euro con 5 céntimos, 20 peniques"
        ),
        "2,49 €/kg, 10 €/mes, 15 mil €": "2 euros con 49 por kilogramo, 10 euros por mes, 15 mil euros",
        "20 l/m², 98,5 MHz, 5 t": "20 litros por metro cuadrado, 98 coma 5 megahercios, 5 toneladas",
        "1/2 l, 3/4 kg, 1/2 taza, 2½ horas": (
            "medio litro, tres cuartos de kilogramo, media taza, 2 horas y media"
        ),
        "2/3 de la gente, 50/50, 2025/26": "2 tercios de la gente, 50 50, 2025 26",
        "el 15/08, el 03-02-2025, el 5/12/26": (
            "el 15 de agosto, el 3 de febrero de 2025, el 5 de diciembre de 2026"
        ),
        "A las 7 a.m. y a las 10:30 p.m. Luego": "A las 7 de la mañana y a las 10 y 30 de la noche. Luego",
        "(+34) 600 123 456": "más 34, 6 0 0, 1 2 3, 4 5 6",
        "de > 30 °C y < 5 %": "de más de 30 grados Celsius y menos de 5 por ciento",
        "A las 20h30": "A las 20 y 30",
        "Python 3.11, versión 2.0.1": "Python 3 punto 11, versión 2 punto 0 punto 1",
        "2 x 3 = 6, 10 x 15 cm": "2 por 3 igual a 6, 10 por 15 centímetros",
        "s. XXI, la II Guerra, el I Festival, Carlos V": (
            "siglo 21, la 2ª Guerra, el primer Festival, Carlos 5º"
        ),
        "C/ Mayor, Pza. Real, D. José, J. D. Salinger": "calle Mayor, plaza Real, don José, J. D. Salinger",
        "Tel.: 900 100 200; los 90's; minuto 90'": "teléfono 9 0 0, 1 0 0, 2 0 0; los 90; minuto 90",
        "de 16:00-20:00": "de 16 en punto a 20 en punto",
        "¿Qué? 🎉 2 + 2 = 4": "¿Qué? 2 más 2 igual a 4",
    },
    "fr": {
        "3,14 et 1 000,50": "3 virgule 14 et 1000 virgule 50",
        "25 %": "25 pour cent",
        "9h30, 9:30, 14h, 1h15": "9 heures 30, 9 heures 30, 14 heures, une heure 15",
        "5 €, 3,50 €, €5 millions": "5 euros, 3 euros 50, 5 millions d'euros",
        "1/5/2024": "premier mai 2024",
        "20 km/h": "20 kilomètres heure",
        "M. Dupont, Dr Li et Mme Roy": "monsieur Dupont, docteur Li et Mme Roy",
        "le 2e, la 71e, le 81e, au XXIe siècle": (
            "le deuxième, la soixante et onzième, le quatre-vingt-unième, au vingt et unième siècle"
        ),
        "Louis XIV, François Ier, n° 5": "Louis 14, François premier, numéro 5",
        "24h/24 et 7j/7": "24 heures sur 24 et 7 jours sur 7",
        "01 23 45 67 89": "01, 23, 45, 67, 89",
        "1 personne, 21 heures, 81 voix, 71 places": (
            "une personne, 20 et une heures, 80-une voix, 71 places"
        ),
        "3,4 Md€, 15 M€, 300 k€": "3 virgule 4 milliards d'euros, 15 millions d'euros, 300 mille euros",
        "à St. Louis, bd Voltaire": "à saint Louis, boulevard Voltaire",
        "à 9 h 05, 13 h 00, 9 h": "à 9 heures 5, 13 heures, 9 heures",
        "1/2 l, 3/4 l, 2/3 de": "un demi litre, trois quarts de litre, 2 tiers de",
        "la 1re, la 2nde, no 5, Me Roy, St-Denis": (
            "la première, la seconde, numéro 5, maître Roy, saint-Denis"
        ),
        "chapitre V, Charles V, 44 av. J.-C.": "chapitre 5, Charles 5, 44 avant Jésus-Christ.",
        "le 15/08, 2 c. à s., 8 p.m.": "le 15 août, 2 cuillères à soupe, 8 heures du soir.",
        "0,50 €, $3.99, 2,49 €/kg": "50 centimes, 3 dollars 99, 2 euros 49 par kilogramme",
        "16h-20h, 24h": "16 heures à 20 heures, 24 heures",
        "67 000 000 de gens": "67000000 de gens",
        "Tom & Ana": "Tom et Ana",
    },
    "it": {
        "3,14 e 1.000,50": "3 virgola 14 e 1000 virgola 50",
        "25%": "25 per cento",
        "alle 9:30": "alle 9 e 30",
        "€5, 1 $, 20 $": "5 euro, un dollaro, 20 dollari",
        "1 km/h, 20 km/h": "un chilometro orario, 20 chilometri orari",
        "29/11/2026": "29 novembre 2026",
        "Il sig. Rossi, la dott.ssa Re, n. 5, ecc.": (
            "Il signor Rossi, la dottoressa Re, numero 5, eccetera."
        ),
        "alle 9.30, ore 15.05, ma 9.30": "alle 9 e 30, ore 15 e 5, ma 9 virgola 30",
        "1 ora, 1 giorno, articolo 1 dice": "un'ora, un giorno, articolo 1 dice",
        "3,4 mld di euro, 15 mln €": "3 virgola 4 miliardi di euro, 15 milioni di euro",
        "-2° e 14° al nord, il 25° giorno, 3° posto": (
            "meno 2 gradi e 14 gradi al nord, il 25º giorno, 3º posto"
        ),
        "XXI secolo, Carlo V, la II guerra, atto I": "21º secolo, Carlo 5º, la 2ª guerra, atto 1",
        "l'On. Re, p.zza Dante, S. Pietro, al 90'": (
            "l'onorevole Re, piazza Dante, San Pietro, al 90º minuto"
        ),
        "1/2 tazza, 2/3 di, il 15/08": "mezza tazza, 2 terzi di, il 15 agosto",
        "alle 18.30-20.00": "alle 18 e 30 a 20 in punto",
        "100 mq, 1,05 €": "100 metri quadrati, un euro e 5 centesimi",
        "il 1° maggio, 20° C": "il 1º maggio, 20 gradi Celsius",
    },
    "pt-br": {
        "3,14 e 1.000,50": "3 vírgula 14 e 1000 vírgula 50",
        "25%": "25 por cento",
        "às 9:30, 10:00": "às 9 e 30, 10 horas",
        "R$ 1, R$ 3,50, R$ 5 milhões": "um real, 3 reais e 50, 5 milhões de reais",
        "29/11/2026": "29 de novembro de 2026",
        "às 9h30, 22h e 1h": "às 9 e 30, vinte e duas horas e uma hora",
        "O Sr. Silva, Pedro II, nº 5": "O senhor Silva, Pedro 2º, número 5",
        "10ºC": "10 graus Celsius",
        "2 pessoas, 22 horas, 221 vagas, 2.500 casas": (
            "duas pessoas, 20 e duas horas, duzentas e 20 e uma vagas, duas mil e quinhentas casas"
        ),
        "2 dias, 200 gramas, 12 vezes": "2 dias, 200 gramas, 12 vezes",
        "R$ 3,4 bi, R$ 15 mi, R$ 20 mil": "3 vírgula 4 bilhões de reais, 15 milhões de reais, 20 mil reais",
        "3 x 1, 2 x 5 = 10, aos 45', 15h15min": "3 a 1, duas vezes 5 igual a 10, aos 45 minutos, 15 e 15",
        "1½ xícara, 1/2 hora, 15/08": "uma xícara e meia, meia hora, 15 de agosto",
        "séc. XX, Pedro I, na R. Augusta, S. Paulo": "século 20, Pedro 1º, na rua Augusta, São Paulo",
        "R$ 0,50, R$ 2,49/kg": "50 centavos, 2 reais e 49 por quilograma",
        "(11) 91234-5678": "11, 9 1 2 3 4, 5 6 7 8",
    },
    "hi": {
        "३.१४ और 1,00,000": "3 दशमलव 1 4 और 100000",
        "२५%": "25 प्रतिशत",
        "9:30 और 9:00": "9 बजकर 30 मिनट और 9 बजे",
        "9:30 बजे, 9:00 बजे": "9 बजकर 30 मिनट, 9 बजे",
        "डॉ. शर्मा": "डॉक्टर शर्मा",
        "₹3.4 लाख करोड़, ₹12.50, Rs. 500": "3 दशमलव 4 लाख करोड़ रुपये, 12 रुपये 50 पैसे, 500 रुपये",
        "80 किमी/घंटा, 5 km²": "80 किलोमीटर प्रति घंटा, 5 वर्ग किलोमीटर",
        "1½ कप, 2½ घंटे, 3½ किलो": "डेढ़ कप, ढाई घंटे, साढ़े 3 किलो",
        "3-1 से हराया, 98765-43210": "3 1 से हराया, 9 8 7 6 5, 4 3 2 1 0",
        "3.30 बजे, रु. 50/-": "3 बजकर 30 मिनट, 50 रुपये",
        "स्व. राव, ई. पू. 44": "स्वर्गीय राव, ईसा पूर्व 44",
        "16:00-20:00": "16 बजे से 20 बजे",
        "₹500, ₹5 करोड़": "500 रुपये, 5 करोड़ रुपये",
        "Tom & Jerry": "Tom और Jerry",
    },
    "zh": {
        "3.14": "三点一四",
        "25%": "百分之二十五",
        "9:30": "九点三十分",
        "€5，¥100": "五欧元,一百元",
        "我有¥100": "我有一百元",
        "2026年11月29日": "二零二六年十一月二十九日",
        "2026-11-29": "二零二六年十一月二十九日",
        "-5°C": "负五摄氏度",
        "1,234个人": "一千二百三十四个人",
        "10-20人": "十到二十人",
        "21℃的水，960万km²": "二十一摄氏度的水,九百六十万平方公里",
        "在2000，1990": "在二千, 一千九百九十",
        "气温-5℃，价格-¥5": "气温负五摄氏度,价格负五元",
        "3:1获胜，1/2杯": "三比一获胜,二分之一杯",
        "2个人，2:00，有2km，12个，第2个": "两个人,两点整,有两公里,十二个,第二个",
        "电话400-123-4567": "电话四零零、一二三、四五六七",
        "拨打010-12345678，13812345678": "拨打零一零、一二三四五六七八, 一三八、一二三四、五六七八",
        "紧急拨110、120，拨打2次": "紧急拨一一零、一二零,拨打两次",
        "9:00-14:00，16:00～20:00，15:00整": "九点整到十四点整, 十六点整到二十点整, 十五点整",
        "2:05，10:00": "两点零五分, 十点整",
        "以3-1获胜，2-2平，3-4级": "以三比一获胜,二比二平,三到四级",
        "1914-1918年，2024/25赛季": "一九一四到一九一八年,二零二四到二五赛季",
        "5～10人，3月-5月，50%-60%": "五到十人,三月到五月,百分之五十到百分之六十",
        "2斤、2首、2秒、2等": "两斤、两首、两秒、二等",
        "￥100，HK$50，RMB 200，¥3.4万亿": "一百元,五十港元,二百元,三点四万亿元",
        "版本2.0.1，7x24小时": "版本二点零点一, 七乘二十四小时",
        "502房间，G101次列车，G20": "五零二房间,G一零一次列车,G二十",
        "-5～-2℃，12306热线，NO.1": "负五到负两摄氏度,一二三零六热线,第一",
        "5‰，1½杯": "千分之五,一又二分之一杯",
        "info@radio.cn或www.radio.cn。": "info at radio 点 cn或radio 点 cn。",
    },
    "ja": {
        "3.14": "サンテンイチヨン",
        "25%": "ニジューゴパーセント",
        "9:30": "クジサンジュップン",
        "14時、9時間": "ジューヨジ、クジカン",
        "€5、¥300": "ゴユーロ、サンビャク円",
        "2026年11月29日": "ニセンニジューロク年ジューイチガツニジューキューニチ",
        "1,234人": "センニヒャクサンジューヨニン",
        "9月1日、2026/4/20": "クガツツイタチ、ニセンニジューロクネンシガツハツカ",
        "3分、8本、6回、20歳、3か月": "サンプン、ハッポン、ロッカイ、ニジュッサイ、サンカゲツ",
        "1人、2人、14万人、3-5人": "ヒトリ、フタリ、ジューヨンマンニン、サンカラゴニン",
        "1日に、10日間、5分の1": "イチニチに、トーカカン、ゴ分のイチ",
        "21℃です、20%の": "ニジューイチ度です、ニジューパーセントの",
        "03-1234-5678へ": "ゼロサン、イチニサンヨン、ゴロクナナハチへ",
        "1/2カップ": "ニブンノイチカップ",
        "1つ、3つ、9つ": "ヒトツ、ミッツ、ココノツ",
        "4年生、2024年、2025年": "ヨネンセイ、ニセンニジューヨネン、ニセンニジューゴ年",
        "午前0時": "午前レイジ",
        "1階、3階、10階、1軒、3軒、3足": "イッカイ、サンガイ、ジュッカイ、イッケン、サンゲン、サンゾク",
        "1曲、8件、10か所、18世紀、2世、3世代": (
            "イッキョク、ハッケン、ジュッカショ、ジューハッセイキ、ニセイ、サン世代"
        ),
        "1泊2日、4泊、3勝2敗": "イッパクフツカ、ヨンパク、サンショーニハイ",
        "12月5日（土）20:30": "ジューニガツイツカ、土曜日、ニジュージサンジュップン",
        "5月4日（日・祝）は": "ゴガツヨッカ、日曜日は",
        "12/25(木)18:00": "ジューニガツニジューゴニチ、木曜日、ジューハチジ",
        "9:00～14:00、3月〜5月、20~25℃": "クジからジューヨジ、サンガツからゴガツ、ニジューからニジューゴ度",
        "巨人に3-1で勝った": "巨人にサンタイイチで勝った",
        "千代田区1-2-3、2.0.1": "千代田区イチノニノサン、ニテンゼロテンイチ",
        "2人前、4人前、-5～-2℃": "ニニンマエ、ヨニンマエ、マイナスゴからマイナスニ度",
        "〒100-0001、No.1": "郵便番号イチゼロゼロノゼロゼロゼロイチ、ナンバーイチ",
        "5G、G7": "ファイブジー、ジーセブン",
        "info@radio.jpへ": "info アット radio ドット jpへ",
        "￥100、1½カップ": "ヒャク円、イチと二分の一カップ",
    },
}
ALL = {
    f"{language}: {written}": (language, written, said)
    for language, cases in LANGUAGES.items()
    for written, said in cases.items()
}


@pytest.mark.parametrize(("language", "written", "said"), ALL.values(), ids=list(ALL))
def test_numbers_and_symbols_are_said_in_the_language_of_the_voice(
    language: str, written: str, said: str
) -> None:
    assert speech_text(written, language) == said


WRITTEN = "$ € R$ 1 23 3.497 ,5 - – : / % ° C km h . a.b 9:30 ½ # + & é 🎉 日 に क मि म"
PIECES = st.sampled_from([*WRITTEN.split(), " "])


@pytest.mark.parametrize("language", list(LANGUAGES))
@given(parts=st.lists(PIECES | st.text(max_size=3), max_size=30))
def test_any_text_of_any_language_is_said_without_symbols(language: str, parts: list[str]) -> None:
    said = speech_text("".join(parts), language)
    assert not set(said) & set("$€£%°@&#*_=<>~^|\\{}[]½")
    assert not (language in ("zh", "ja") and any(letter in "0123456789" for letter in said))
    assert said == said.strip()


@pytest.mark.parametrize(
    ("number", "chinese", "kana"),
    [
        ("0", "零", "ゼロ"),
        ("10", "十", "ジュー"),
        ("110", "一百一十", "ヒャクジュー"),
        ("1205", "一千二百零五", "センニヒャクゴ"),
        ("10005", "一万零五", "イチマンゴ"),
        ("300", "三百", "サンビャク"),
        ("8800", "八千八百", "ハッセンハッピャク"),
        (
            "123456789",
            "一亿二千三百四十五万六千七百八十九",
            "イチオクニセンサンビャクヨンジューゴマンロクセンナナヒャクハチジューキュー",
        ),
        ("007", "零零七", "ゼロゼロナナ"),
    ],
)
def test_numbers_of_chinese_and_japanese(number: str, chinese: str, kana: str) -> None:
    assert numbers.chinese(number) == chinese
    assert numbers.kana(number) == kana


@pytest.mark.parametrize(
    ("text", "language", "pieces"),
    [
        (
            "the song 夜に駆ける by 日本",
            "en-us",
            [("en-us", "the song "), ("ja", "夜に駆ける "), ("en-us", "by "), ("ja", "日本")],
        ),
        ("in 北京 now", "es", [("es", "in "), ("zh", "北京 "), ("es", "now")]),
        ("我用iPhone手机", "zh", [("zh", "我用"), ("en-us", "iPhone"), ("zh", "手机")]),
        ("私はiPhone", "ja", [("ja", "私は"), ("en-us", "iPhone")]),
        ("नमस्ते friends", "hi", [("hi", "नमस्ते friends")]),
        ("say नमस्ते!", "en-gb", [("en-gb", "say "), ("hi", "नमस्ते!")]),
        ("...", "en-us", [("en-us", "...")]),
        ("", "en-us", []),
    ],
)
def test_each_script_is_read_by_who_can_read_it(
    text: str, language: str, pieces: list[tuple[str, str]]
) -> None:
    assert list(writing_systems.runs(text, language)) == pieces


@given(st.text(max_size=60), st.sampled_from(["en-us", "es", "hi", "ja", "zh"]))
def test_no_letter_is_lost_between_scripts(text: str, language: str) -> None:
    assert "".join(piece for _, piece in writing_systems.runs(text, language)).strip() == text.strip()


@pytest.mark.parametrize(
    ("written", "said"),
    {
        "Привет, мир!": "Privet, mir!",
        "καλημέρα": "kalimera",
        "안녕하세요": "annyeonghaseyo",
        "Hello 日本 мир": "Hello 日本 mir",
        "the sign \U00014400 and \U00013000 end": "the sign and a end",
        "Ⲋ": "",
    }.items(),
)
def test_scripts_that_no_voice_reads_are_written_in_latin_letters(written: str, said: str) -> None:
    assert speech_text(written, "en-us") == said
