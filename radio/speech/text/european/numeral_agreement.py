"""Numerals that agree with what they count: una hora, doscientas personas, duas horas. Pure.

espeak-ng reads digits as one counts: uno, doscientos, dois. A number is written in words only if the noun
after it requires another form.
"""

import re
from collections.abc import Callable, Mapping
from typing import Final

Step = tuple[re.Pattern[str], Callable[[re.Match[str]], str]]

_ONE_OF: Final[Mapping[str, tuple[str, str]]] = {
    "es": (
        "día|mes|año|siglo|minuto|segundo|gol|punto(?! \\d)|paso|hombre|niño|hijo|voto|caso|muerto|"
        "herido|fallecido|lugar|"
        "diente|huevo|vaso|litro|kilo|metro|grado|país|millar|partido|set|litro|gramo|kilómetro|escaño|libro",
        "hora|semana|vez|persona|mujer|niña|hija|cucharada|cucharadita|taza|pizca|cebolla|unidad|noche|tonelada|"
        "libra|victoria|derrota|rebanada|copa|entrada|milla|familia|canción|zanahoria|hectárea",
    ),
    "fr": (
        "",
        "heure|minute|seconde|semaine|année|journée|fois|personne|femme|fille|tonne|victoire|défaite|tasse|cuillère|"
        "gousse|pincée|tranche|équipe|chanson|place|voix|voiture|maison|ville|école|victime|étape|médaille|question|"
        "page|entreprise|rencontre|nuit|famille|province|commune|carotte|pomme|feuille|boîte",
    ),
    "it": (
        "giorno|mese|anno|minuto|secondo|gol|punto(?! \\d)|uomo|bambino|voto|caso|morto|ferito|"
        "bicchiere|litro|chilo|metro|"
        "grado|paese|cucchiaio|cucchiaino|spicchio|uovo|secolo|euro|posto|limone",
        "ora|settimana|volta|persona|donna|bambina|tazza|cipolla|notte|tonnellata|vittoria|sconfitta|fetta|canzone|"
        "famiglia|carota|bustina|pagina|serata|partita",
    ),
    "pt-br": (
        "",
        "hora|semana|vez|pessoa|mulher|menina|filha|xícara|colher|pitada|cebola|unidade|noite|tonelada|libra|vitória|"
        "derrota|fatia|música|canção|família|cenoura|lata|vaga|entrada|milha|partida|morte|página",
    ),
}
"""What one of them is counted, masculine and feminine."""

_NUMBER: Final = r"(?<![\w.,:/+-])(?<!coma )(?<!vírgula )(?<!virgule )(\d{1,6}) "
_MASCULINE_A: Final = (
    r"(?:(?!(?:re|entre)?vistas|listas|(?:auto)?pistas|(?:re)?conquistas|aristas)\w{0,20}istas"
    r"|\w{0,20}(?:gramas|cratas|nautas|iatras|gmas)|\w{0,10}(?:atletas|planetas|dramas|panoramas|sistemas)"
    r"|(?:po|com|prof)etas|(?:probl|dil|embl|t|l|esqu|po|teor|cin|fon|ed|telefon)emas"
    r"|(?:homi|sui|geno|insecti|pesti|plagui|herbi)cidas"
    r"|(?:medio)?d[ií]as|mapas|s[ií]ntomas|idiomas|diplomas|aromas|axiomas|\w{2,12}(?:cinomas|matomas)"
    r"|cromoss?omas|climas|traumas|fantasmas|prismas|carismas|pijamas|colegas|camaradas|(?:com)?patriotas|"
    r"(?:jer|mon|olig|patri)arcas|terapeutas|indígenas|piratas|dálmatas|acróbatas|nómadas|belgas|croatas|celtas|"
    r"aztecas|mayas|incas|cineastas|gimnastas|ginastas|entusiastas|reclutas|recrutas|espías|"
    r"koalas|coalas|pandas|pumas|gorilas|paraguas|guardaespaldas|salvavidas|paracaídas|"
    r"policías|guardias|guardas|gu[ií]as|tranvías)\b"
)
"""Masculine nouns that end as feminine ones do; those of people are masculine where both may be meant."""
_SOME: Final = (
    r"(?:much[ao]s|vari[ao]s|numeros[ao]s|algun[ao]s|ciert[ao]s|divers[ao]s|muitas|várias|algumas|certas)\b"
)
"""Words that no number counts; a number after one of these is a year."""
_FEMININE: Final[Mapping[str, str]] = {
    "es": (
        rf"(?!{_MASCULINE_A}|{_SOME}|(?:las|más|mas|tras|apenas|mientras|además|quizás|atrás|ellas|estas|esas|todas)\b)"
        r"(?:\w{2,20}(?:as|ciones|siones|dades)|veces|mujeres|noches|tardes|calles|partes|clases|redes|luces|voces|"
        r"imágenes|flores|llaves|leyes|muertes|sedes|naves)\b"
    ),
    "pt-br": (
        rf"(?!{_MASCULINE_A}|{_SOME}|(?:das|nas|mas|às|elas|estas|essas|todas|apenas)\b)"
        r"(?:\w{2,20}(?:as|ções|dades)|vezes|mulheres|noites|tardes|partes|classes|vozes|flores|leis|colheres|"
        r"viagens|imagens|mensagens|mortes|versões|sessões|missões|pensões|redes|chaves|luzes)\b"
    ),
    "fr": rf"(?:(?:{_ONE_OF['fr'][1]})s?|\w{{2,20}}[st]ions?)\b",
}
_SPANISH_PLURAL: Final = (
    rf"(?!{_SOME})"
    r"(?!\w{0,20}mos\b|(?:las|los|más|menos|tras|antes|después|entonces|mientras|además|quizás|apenas|ellos|estos|esos|"
    r"todos|lunes|martes|miércoles|jueves|viernes|miles|cientos|nos|les|pues|tres|seis|sois|sus)\b)"
    r"(?:[a-záéíóúñ]{2,20}s\b|mil(?:es)?\b|millones\b)"
)
_SPANISH_HUNDREDS: Final = (
    "ciento doscient trescient cuatrocient quinient seiscient setecient ochocient novecient"
)
_PORTUGUESE_HUNDREDS: Final = "cento duzent trezent quatrocent quinhent seiscent setecent oitocent novecent"


_MONTHS: Final = (
    "enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|"
    "janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro"
)
_SINCE: Final = re.compile(rf"\b(?:[dD]esde|[aA]ños?|[aA]nos?|(?:{_MONTHS}) de) $")
_IN: Final = re.compile(r"\b[eE][nm] $")
_LONGEST_BEFORE: Final = 16
_GROUPED: Final = _NUMBER.replace(r"(\d{1,6})", r"([12]\.\d{3})")
"""With a stop it is no year."""


def quantities(language: str) -> tuple[Step, ...]:
    """Numbers with a stop that would be read as years without it; before stops are taken away."""
    if language not in _MANY or language == "fr":
        return ()
    return ((re.compile(rf"{_GROUPED}(?={_FEMININE[language]})"), _quantity(_MANY[language])),)


def steps(language: str) -> tuple[Step, ...]:
    """What goes last, over numbers that are plain digits by then."""
    if language not in _ONE_OF:
        return ()
    masculine, feminine = _ONE_OF[language]
    one = {"es": ("un", "una"), "fr": ("", "une"), "it": ("un", "una"), "pt-br": ("", "uma")}[language]
    first = _NUMBER.replace(r"\d{1,6}", "1")
    singles = tuple(
        (re.compile(rf"{first}(?=(?:{nouns})\b)"), _always(f"{word} "))
        for nouns, word in zip((masculine, feminine), one, strict=True)
        if nouns
    )
    if language == "it":
        return ((re.compile(rf"{first}(?=ora\b)"), _always("un'")), *singles)
    behind: tuple[Step, ...] = (
        (re.compile(rf"{_NUMBER}(?={_FEMININE[language]})"), _unless_year(_MANY[language])),
    )
    if language == "es":
        behind += ((re.compile(rf"{_NUMBER}(?={_SPANISH_PLURAL})"), _unless_year(_spanish_masculine)),)
    return singles + behind


def _always(word: str) -> Callable[[re.Match[str]], str]:
    return lambda _: word


def _quantity(say: Callable[[int], str]) -> Callable[[re.Match[str]], str]:
    return lambda found: f"{say(int(found[1].replace('.', '')))} "


def _unless_year(say: Callable[[int], str]) -> Callable[[re.Match[str]], str]:
    def said(found: re.Match[str]) -> str:
        number = int(found[1])
        is_plain = found[1][0] == "0" or number < 2 or _is_year(number, found)
        return found[0] if is_plain else f"{say(number)} "

    return said


def _is_year(number: int, found: re.Match[str]) -> bool:
    """Whole hundreds behind `en` are rather counted: en 1500 ciudades."""
    if not 1100 <= number < 2100 or number == 2000:
        return False
    before = found.string[max(0, found.start() - _LONGEST_BEFORE) : found.start()]
    return number >= 1900 or bool(_SINCE.search(before) or (number % 100 and _IN.search(before)))


def _spanish_feminine(number: int) -> str:
    return _spanish(number, "una")


def _spanish_masculine(number: int) -> str:
    ends = (number % 100, number // 1000 % 100)
    agrees = any(end % 10 == 1 and end != 11 for end in ends) and number // 1000 != 1
    return _spanish(number, "ún") if agrees or number % 100 in (1, 21) else str(number)


def _spanish(number: int, one: str) -> str:
    """Digits, but for what agrees."""
    thousands, rest = divmod(number, 1000)
    said = "" if not thousands else "mil" if thousands == 1 else f"{_spanish(thousands, one)} mil"
    return " ".join(filter(None, (said, _spanish_group(rest, one))))


def _spanish_group(number: int, one: str) -> str:
    hundreds, rest = divmod(number, 100)
    is_feminine, ends_in_one = one == "una", rest % 10 == 1 and rest != 11
    said = str(rest) if rest else ""
    if ends_in_one:
        lone = one if is_feminine else "un"
        said = lone if rest == 1 else f"veinti{one}" if rest == 21 else f"{rest - 1} y {lone}"
    if not hundreds:
        return said
    if not (ends_in_one or (is_feminine and hundreds > 1)):
        return str(number)
    name = _SPANISH_HUNDREDS.split()[hundreds - 1]
    if hundreds == 1:
        return f"{name} {said}"
    return f"{name}{'as' if is_feminine else 'os'} {said}".strip()


def _portuguese_feminine(number: int) -> str:
    thousands, rest = divmod(number, 1000)
    if not thousands:
        return _portuguese_group(rest)
    said = "mil" if thousands == 1 else f"{_portuguese_group(thousands)} mil"
    if not rest:
        return said
    return f"{said}{' e ' if rest <= 100 or rest % 100 == 0 else ' '}{_portuguese_group(rest)}"


def _portuguese_group(number: int) -> str:
    hundreds, rest = divmod(number, 100)
    tens, ones = divmod(rest, 10)
    said = str(rest) if rest else ""
    if ones in (1, 2) and tens != 1:
        said = (f"{tens * 10} e " if tens else "") + ("uma", "duas")[ones - 1]
    if not hundreds:
        return said
    if number == 100:
        return "100"
    name = _PORTUGUESE_HUNDREDS.split()[hundreds - 1] + ("as" if hundreds > 1 else "")
    return f"{name} e {said}" if said else name


def _french_feminine(number: int) -> str:
    tens = number % 100
    if number % 10 != 1 or tens in (11, 71, 91):
        return str(number)
    if tens == 1:
        return f"{number - 1} une"
    return f"{number - 1}-une" if tens == 81 else f"{number - 1} et une"


_MANY: Final[Mapping[str, Callable[[int], str]]] = {
    "es": _spanish_feminine,
    "fr": _french_feminine,
    "pt-br": _portuguese_feminine,
}
