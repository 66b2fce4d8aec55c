"""What voices of other languages than English say of counted things, years, codes and short words."""

from collections.abc import Mapping

import pytest

from radio.speech.text.speech_text import speech_text

KINDS: Mapping[str, Mapping[str, str]] = {
    "es": {
        "200 tarjetas, 200 recetas, 200 pesetas": (
            "doscientas tarjetas, doscientas recetas, doscientas pesetas"
        ),
        "200 entrevistas, 21 listas, 31 pistas": (
            "doscientas entrevistas, veintiuna listas, 30 y una pistas"
        ),
        "200 cremas, 200 ramas, 200 diademas": "doscientas cremas, doscientas ramas, doscientas diademas",
        "200 artistas, 200 atletas, 200 exoplanetas": "200 artistas, 200 atletas, 200 exoplanetas",
        "200 problemas, 200 programas, 200 ecosistemas": "200 problemas, 200 programas, 200 ecosistemas",
        "500 policías, 200 guardias civiles, 21 guías": "500 policías, 200 guardias civiles, veintiún guías",
        "200 síntomas, 200 idiomas, 200 demócratas": "200 síntomas, 200 idiomas, 200 demócratas",
        "Desde 1850 personas ilustres, en 1848 revueltas": "Desde 1850 personas ilustres, en 1848 revueltas",
        "En 1848 varias ciudades, en 1821 varios pueblos": "En 1848 varias ciudades, en 1821 varios pueblos",
        "hasta 1500 personas en 1200 escuelas": "hasta mil quinientas personas en mil doscientas escuelas",
        "En 1.250 escuelas y 2.021 casas": "En mil doscientas 50 escuelas y 2 mil veintiuna casas",
        "en mayo de 1850 tropas nuevas": "en mayo de 1850 tropas nuevas",
        "3 < 5, x>2": "3 es menor que 5, x es mayor que 2",
        "200 espías, 200 piratas, 21 monarcas": "200 espías, 200 piratas, veintiún monarcas",
        "≤ -5 °C": "menor o igual que menos 5 grados Celsius",
        "n <= 5, ≥ 10 %, a => 5": "n menor o igual que 5, mayor o igual que 10 por ciento, a igual a 5",
        "de > 30 y < 5, te quiero <3": "de más de 30 y menos de 5, te quiero 3",
        "El grupo D. España juega, vino D. Juan": "El grupo D. España juega, vino don Juan",
        "La vitamina D. Contiene": "La vitamina D. Contiene",
        "El 91 555 12 12, el 912 34 56 78, hay 12 345 678": (
            "El 91, 5 5 5, 12, 12, el 9 1 2, 34, 56, 78, hay 12345678"
        ),
        "200 nuevas viviendas": "doscientas nuevas viviendas",
    },
    "fr": {
        "La bd est sortie, une bd de Hergé": "La bd est sortie, une bd de Hergé",
        "5 bd Voltaire, Bd. de la Liberté, bd. des Capucines": (
            "5 boulevard Voltaire, boulevard de la Liberté, boulevard des Capucines"
        ),
        "le bd périphérique": "le boulevard périphérique",
        "le 4 x 100 m, le 4x400 m, 10 x 15 cm": (
            "le 4 fois 100 mètres, le 4 fois 400 mètres, 10 sur 15 centimètres"
        ),
        "1/2 heure, ½ page, ½ litre": "une demi heure, une demi page, un demi litre",
        "en 1/2 finale, 2 1/2 heures": "en demi-finale, 2 heures et demi",
    },
    "it": {
        "Aspetta 10 sec. e poi 1 sec. ancora": "Aspetta 10 secondi e poi un secondo ancora",
        "Aspetta 10 sec.": "Aspetta 10 secondi.",
        "nel sec. XX, nei sec. XV e XVI": "nel secolo XX, nei secoli XV e XVI",
        "20° C e 68° F": "20 gradi Celsius e 68 gradi Fahrenheit",
    },
    "ja": {
        "300本、600本、1000本、3000本": "サンビャッポン、ロッピャッポン、センボン、サンゼンボン",
        "300回、600個、800件、300冊": "サンビャッカイ、ロッピャッコ、ハッピャッケン、サンビャクサツ",
        "800匹、3000匹、1000杯、10000票": "ハッピャッピキ、サンゼンビキ、センバイ、イチマンビョー",
        "100本、3本、5本": "ヒャッポン、サンボン、ゴホン",
    },
    "zh": {
        "GDP1000亿，EUR500，A380，B777。": "GDP一千亿,五百欧元,A三八零,B七七七。",
        "TOP500强，CRH380，MH370人员": "TOP五百强,CRH三八零,MH三七零人员",
        "NBA100场，300房客，2人转播，1203房": "NBA一百场,三百房客,两人转播,一二零三房",
        "致电500家企业，电话100多个": "致电五百家企业,电话一百多个",
        "拨打电话200余次，拨打120家属": "拨打电话二百余次,拨打一二零家属",
        "有1500航班取消，共有1000房间": "有一千五百航班取消,共有一千房间",
        "取消1500航班，乘坐1500航班": "取消一千五百航班,乘坐一五零零航班",
        "全国12345热线，有10086客服": "全国一二三四五热线,有一零零八六客服",
        "2次元、2次方、2人转、2次、2人": "二次元、二次方、二人转、两次、两人",
        "有1000年历史，近2000年的历史": "有一千年历史,近两千年的历史",
        "2000年以上，1500年前，早在2000年前": "两千年以上,一千五百年前,早在两千年前",
        "2023年的历史，1990年前，2000年前后": "二零二三年的历史,一九九零年前,二零零零年前后",
        "24/7小时，1/2": "二十四七小时,二分之一",
        "如果x<5和3>1": "如果x小于五和三大于一",
        "x≤5和y>=3": "x小于等于五和y大于等于三",
    },
    "pt-br": {
        "2 revistas, 2 entrevistas, 2 bicicletas, 2 pistas": (
            "duas revistas, duas entrevistas, duas bicicletas, duas pistas"
        ),
        "2 idiomas, 2 sintomas, 2 diplomas, 2 democratas": "2 idiomas, 2 sintomas, 2 diplomas, 2 democratas",
        "2 artistas, 2 planetas, 2 problemas": "2 artistas, 2 planetas, 2 problemas",
        "Em 1822 muitas pessoas, em 1842 tropas": "Em 1822 muitas pessoas, em 1842 tropas",
        "até 1500 pessoas, em 1.222 cidades": (
            "até mil e quinhentas pessoas, em mil duzentas e 20 e duas cidades"
        ),
    },
}
ALL = {
    f"{language}: {written}": (language, written, said)
    for language, cases in KINDS.items()
    for written, said in cases.items()
}


@pytest.mark.parametrize(("language", "written", "said"), ALL.values(), ids=list(ALL))
def test_each_kind_is_said_as_people_of_the_language_say_it(language: str, written: str, said: str) -> None:
    assert speech_text(written, language) == said
