"""Rules of splitting, in the order of pySBD's golden rules, with sentences of our own of the same kind.

A rule that does not hold here has a reason, and the pieces that are right for a radio.
"""

from dataclasses import dataclass

MERGED = "a very short piece is spoken with its neighbour"


@dataclass(frozen=True, slots=True)
class Rule:
    """What pySBD's rule of this name would cut `text` into, and what a radio does instead, if it differs."""

    name: str
    text: str
    pieces: tuple[str, ...]
    heard: tuple[str, ...] = ()
    reason: str = ""

    @property
    def holds(self) -> bool:
        return not self.heard


def _rule(name: str, *pieces: str, heard: tuple[str, ...] = (), reason: str = "") -> Rule:
    return Rule(name, " ".join(pieces), pieces, heard, reason)


def _joined(name: str, *pieces: str) -> Rule:
    """A rule of a script without spaces."""
    return Rule(name, "".join(pieces), pieces)


def _one(name: str, first: str, second: str) -> Rule:
    return _rule(name, first, second, heard=(f"{first} {second}",), reason=MERGED)


ENGLISH = (
    _rule("full stop", "The harbor sleeps.", "Our ferry leaves at dawn."),
    _rule("question mark", "Where is the ferry?", "It left an hour ago."),
    _one("exclamation mark", "Look at that!", "It sinks."),
    _rule("one initial", "The captain is Ruth M. Kelly."),
    _rule("abbreviation before a number", "The map is on p. 12."),
    _rule("abbreviation before a small letter", "Are Finn and co. on board yet?"),
    _rule("company in a sentence", "She signed with Lund, Berg & Co. at dawn."),
    _rule("abbreviation that ends", "We sailed with Finn and co.", "They were seasick."),
    _rule("company that ends", "She signed with Lund, Berg & Co.", "They paid at once."),
    _rule("place with its title", "We anchored below Mt. Erebus last night."),
    _rule("saint and street", "St. Brendan's Chapel is on 3rd st. by the pier."),
    _rule("possessive", "This is Joe Lund Jr.'s boat."),
    _rule("letters and a small letter", "We crossed the U.S.A. by train."),
    _rule("letters that end", "They ship to the E.U.", "Where do you ship?"),
    _rule("two letters that end", "The crew is from the U.S.", "Where are you from?"),
    _rule("two letters and a capital", "She serves in the U.S. Navy off Maine."),
    _rule("letters in the middle", "He sailed around the U.S. for two years."),
    _rule(
        "hours",
        "At 4 a.m. Mrs. Lund woke the crew.",
        "They were at sea by 5 P.M.",
        "Mrs. Lund then went to sleep.",
    ),
    _rule("money", "The ticket costs $12.50 in cash."),
    _rule("money that ends", "The ticket costs $12.50.", "Children sail for nothing."),
    _rule("sentence in brackets", "He knows ropes (He was a sailor for years.) and mends the nets."),
    _rule("address of mail", "Write to Ada.Lund@example.org.", "She answers every letter."),
    _rule(
        "address of a page",
        "It is on https://www.example.7.org/tide-table/high_water.html.",
        "Look there first.",
    ),
    _rule("single quotes inside", "He leant over and said, 'Cast off now.' she heard."),
    _rule("double quotes inside", 'He leant over and said, "Cast off now." she heard.'),
    _rule("double quotes that end", 'He leant over and said, "Cast off now."', "She let the rope go."),
    _one("two exclamation marks", "Ahoy!!", "A ship is in sight."),
    _one("two question marks", "Ahoy??", "Who goes there?"),
    _one("exclamation and question", "Ahoy!?", "Is that a light?"),
    _one("question and exclamation", "Ahoy?!", "Is that a light?"),
    _rule("list 1.) without stops", "1.) The long rope", "2.) The short rope"),
    _rule("list 1.) with stops", "1.) The long rope.", "2.) The short rope."),
    _rule("list 1) without stops", "1) The long rope", "2) The short rope"),
    _rule("list 1) with stops", "1) The long rope.", "2) The short rope."),
    _rule("list 1. without stops", "1. The long rope", "2. The short rope"),
    _rule("list 1. with stops", "1. The long rope.", "2. The short rope."),
    _rule("list with bullets and numbers", "• 9. The long rope", "• 10. The short rope"),
    _rule("list with hyphen bullets", "⁃9. The long rope", "⁃10. The short rope"),
    _rule("list of letters", "a. The long rope", "b. The short rope", "c. The third of the ropes"),
    _rule("number sign", "The chart has N°. 204.115.98.", "It shows all the reefs."),
    _rule("exclamation mark in a name", "He plays at Ahoy! on the north quay."),
    _rule("the word I and the initial I", "They leave at once, you and I.", "Has Ruth I. Kelly left yet?"),
    _rule(
        "spaced dots in quotes", "She wrote that, once the wind is down, “the sea forgives all of us. . . .”"
    ),
    _rule("omissions in brackets", '"Kelly [...] drew the line of the coast [...]" (Lund 12).'),
    _rule(
        "spaced dots and a stop", "The old log ends in the middle of a storm . . . .", "Nobody wrote more."
    ),
    _rule("four dots", "He would not say more....", "She closed the log."),
    _rule(
        "hesitation",
        "I could not ... well, what I saw...look . . . what I mean, it was . . . I saw no light.",
    ),
    _rule(
        "dots between sentences",
        "The tide . . . was the oldest of our clocks.",
        ". . . The clock was then forgotten. . . .",
        heard=("The tide . . . was the oldest of our clocks. . . .", "The clock was then forgotten. . . ."),
        reason="dots are silent: they stay with the sentence that they end, and begin no new one",
    ),
)

SPANISH = (
    _rule("inverted question", "¿Dónde está el barco?", "Espero que llegue pronto."),
    _rule("inverted exclamation", "¡Hola, capitana!", "Espero que llegue pronto."),
    _rule("titles", "Hola Srta. Molina.", "Buenas tardes, soy el Lic. Tomás Vega, y ella es la Dra. Vega."),
    _rule(
        "money and per cent",
        "¡El barco vale $90.250.000,00!",
        "¡Qué barbaridad!",
        "Se espera una subida del 8.5% este verano.",
    ),
    _rule("guillemets that go on", "«Ningún mar es tranquilo para siempre.», dijo la capitana."),
)
FRENCH = (
    _rule("elision", "Après l'hiver, le port s'est réveillé.", "L'équipage, parti hier, revient demain."),
    _rule("quotation and its speaker", '"La marée sera haute demain matin", a-t-elle dit.'),
    _rule(
        "spaced colon and guillemets",
        "À 8 heures, il restait deux bateaux : ceux du quai nord (Brest), dont l’un est à vendre.",
        "Elle dit que cela « ne changera rien au départ ».",
    ),
    _rule(
        "letters in guillemets", "Cette carte porte le signe « N.S.E.O. » pour la « rose des vents » du port."
    ),
    _rule("company", "Les cartes de Lund Ltd. sont à bord."),
)
HINDI = (
    _rule(
        "danda",
        "नाव आज रात बंदरगाह में है।",
        "हो सकता है कि वह कल सुबह, या फिर परसों, समुद्र में जाए।",
    ),
)
ITALIAN = (
    _rule("title", "Buonasera Sig.ra Lunari!", "Dov'è la nave?"),
    _rule("guillemets that end", "Il foglio comincia così «Il/la capitano/a.»."),
    _rule("money", "La nave costa 90.250.000,00€!"),
)
JAPANESE = (
    _joined("kuten", "これは船です。", "あれは港です。"),
    _joined("question mark", "船はどこですか？", "港の中ですか？"),
    _joined("exclamation mark", "船が来たぞ、みんな！", "すごいでしょう！"),
    _joined(
        "quotation and wide decimals",
        "船長は、「風は３．５メートルになる」と話していて、明日の朝に港を出ることにしています。",
        "２日後には島に着く見込みです。",
    ),
)
CHINESE = (
    _joined(
        "ideographic full stop",
        "船今天晚上停在港口，船长说风太大，大家都不出海。",
        "她来自北方，去年才到这里工作。",
    ),
    Rule(
        "exclamation mark in the name of a work",
        "今晚我们一起听《起航吧！水手》好不好？好！",
        ("今晚我们一起听《起航吧！水手》好不好？", "好！"),
        ("今晚我们一起听《起航吧！水手》好不好？好！",),
        MERGED,
    ),
)
PORTUGUESE = (
    _rule("titles", "O Sr. Lima e a Dra. Rocha chegaram.", "O Exmo. Prof. Dias já estava a bordo."),
    _rule("number and street", "O farol fica na av. Atlântica, n.º 40.", "Fecha às 18h30."),
    _rule("quotation and its speaker", "“O mar nunca está calmo.”, disse o comandante."),
    _rule("centuries", "O porto é do séc. II a.C. e ainda serve.", "Nada mudou desde então."),
)
"""Our own: pySBD has none."""

RULES = {
    "en": ENGLISH,
    "es": SPANISH,
    "fr": FRENCH,
    "hi": HINDI,
    "it": ITALIAN,
    "ja": JAPANESE,
    "pt": PORTUGUESE,
    "zh": CHINESE,
}
"""By language."""
