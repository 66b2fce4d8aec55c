"""Words that end in a full stop that does not end a sentence, by language. Only tables.

Words are in lower case and without their last stop. Those known everywhere are in each language, because
names and titles occur in all of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


@dataclass(frozen=True, slots=True)
class Abbreviations:
    """The abbreviations of one language, and the words that tell whether a sentence continues after one."""

    titles: frozenset[str]
    """Always belong to what follows; one-letter ones only as a capital."""
    named: frozenset[str]
    """Used with a name; a sentence ends there only where a new one clearly begins."""
    dates: frozenset[str]
    """With a capital they belong to a following number."""
    starters: frozenset[str]
    """Words that, with a capital after an abbreviation, begin a new sentence."""
    numbered: frozenset[str] = frozenset()
    """Belong to a following number, and end a sentence if none follows."""


_TITLES = _words("dr mr mrs ms mx messrs prof st vs cf eg ie e.g i.e c.f")
_NUMBERED = _words("no nos nr n n° nº op fig figs p pp vol vols ch sec eq art cap chap pag pág págs núm")
_NAMED = _words(
    "inc ltd co corp llc plc jr sr bros phd md esq ste mt ft ave av blvd rd dept univ est al ed s.a s.p.a"
)

_ENGLISH = Abbreviations(
    titles=_TITLES
    | _words("gen col sgt capt lt cpl maj adm cmdr rev hon gov sen rep pres supt v approx ca viz"),
    numbered=_NUMBERED,
    named=_NAMED | _words("st"),
    dates=_words(
        "jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun"
    ),
    starters=_words(
        "the a an this that these those there here it its he his she her they their we our you your i my "
        "but and or so yet then when while where what who why how if because although though after before "
        "since in on at by for from with without as to not yes now today tomorrow yesterday meanwhile "
        "however still also once perhaps maybe another some many most all each every one two both such did "
        "do does is are was were have has had can could will would should"
    ),
)
_ENGLISH = replace(_ENGLISH, titles=_ENGLISH.titles - _words("st"))

_SPANISH = Abbreviations(
    titles=_TITLES
    | _words(
        "sr sra srta sres sras dra dres d dña ud uds vd vds lic ing arq profa gral cnel cap tte sto sta fr "
        "excmo excma ilmo ilma aprox p.ej admón dpto depto ee jj avda pza ctra cra urb"
    ),
    numbered=_NUMBERED
    | _words("tel tfno ext párr párrf párrs arts caps pags ene feb abr ago sept set dic aprox máx mín")
    | _words("lun mié jue vie sáb dom"),
    named=_NAMED | _words("uu cía hnos hs a.c d.c"),
    dates=_words("mar may jun jul oct nov"),
    starters=_words(
        "el la los las lo un una unos unas este esta estos estas ese esa esos esas esto eso aquel aquella "
        "y e "
        "o u pero si cuando donde mientras aunque porque como para por con sin en de del al a desde hasta "
        "entre no sí ya hoy ayer mañana ahora luego después entonces también además yo tú él ella ellos "
        "ellas "
        "nosotros usted ustedes se su sus mi mis tu tus qué quién cómo cuándo dónde cuál todos cada otro "
        "otra "
        "hay había fue es era"
    ),
)

_FRENCH = Abbreviations(
    titles=_TITLES
    | _words("m mm mme mmes mlle mlles me mgr pr ste sts p.ex ex env apr bd boul cie st-é ll aa ii rr"),
    numbered=_NUMBERED
    | _words("tél poste janv févr fév avr juil août sept oct nov déc lun mer jeu ven sam dim env arr"),
    named=_NAMED | _words("j.-c éd cie ets"),
    dates=_words("mar"),
    starters=_words(
        "le la les l un une des du de ce cet cette ces ça c il elle ils elles on nous vous je j tu et ou "
        "mais "
        "or donc car ni si quand lorsque où comme pour par avec sans dans en sur sous à au aux depuis entre "
        "pendant après avant alors puis ensuite aussi oui non hier demain maintenant son sa ses mon ma mes "
        "notre votre leur leurs qui que quoi quel quelle comment pourquoi tout tous chaque"
    ),
)

_ITALIAN = Abbreviations(
    titles=_TITLES
    | _words(
        "sig sigg sigra sig.ra sig.na sig.re dott dott.ssa prof.ssa avv ing arch geom rag on es ad.es cfr "
        "dir "
        "gent gent.mo gent.ma egr spett ill ill.mo mons don col gen cap ten mar magg amm psicol prot"
    )
    - _words("don col mar"),
    numbered=_NUMBERED
    | _words("tel pagg artt gen feb apr mag giu lug ago set sett ott nov dic lun mar mer gio ven sab dom"),
    named=_NAMED | _words("f.lli c.so v.le p.za a.c d.c"),
    dates=frozenset(),
    starters=_words(
        "il lo la i gli le l un uno una questo questa questi queste quello quella e ed o ma però se quando "
        "dove mentre anche perché come per con senza in nel nella da dal dalla di del della a al alla su sul "
        "sulla tra fra non sì no ora oggi ieri domani poi dopo allora io tu lui lei noi voi loro egli "
        "ella si "
        "suo sua suoi sue mio mia chi che cosa quale tutti ogni altro altra è era c"
    ),
)

_PORTUGUESE = Abbreviations(
    titles=_TITLES
    | _words(
        "sr sra sras srs srta dra dras drs d dom profa profª eng arq exmo exma ilmo v.exa v.ex.ª ex p.ex "
        "aprox "
        "gen cel cap ten sgto sto sta pe fr trav"
    )
    - _words("dom"),
    numbered=_NUMBERED
    | _words(
        "séc sécs tel ramal págs arts jan fev abr mai jun jul ago set out nov dez seg ter qua qui sex sáb dom"
    ),
    named=_NAMED | _words("cia ltda r a.c d.c"),
    dates=_words("mar"),
    starters=_words(
        "o a os as um uma uns umas este esta estes estas esse essa isso isto aquele aquela e ou mas se "
        "quando "
        "onde enquanto embora porque como para por com sem em no na nos nas de do da dos das ao à desde até "
        "entre não sim já hoje ontem amanhã agora depois então também além eu tu ele ela eles elas nós você "
        "vocês seu sua seus suas meu minha que quem qual cada todos outro outra há é era foi"
    ),
)

_HINDI = replace(
    _ENGLISH,
    titles=_ENGLISH.titles | _words("डॉ डा प्रो श्री कु सुश्री पं मि मो स्व रा उदा"),
    numbered=_NUMBERED | _words("सं क्र पृ अ दू"),
    named=_ENGLISH.named | _words("ए बी सी डी एफ एच जे एल एम एन आर एस टी यू वी लि प्रा कं"),
    starters=_ENGLISH.starters
    | _words(
        "वह वे यह ये मैं हम तुम आप और या लेकिन पर मगर फिर तब जब अब यदि अगर क्योंकि इसलिए उस इस उन इन उसने "
        "इसने "
        "उन्होंने इन्होंने उनके इनके उसके इसके क्या कौन कब कहाँ क्यों कैसे कल आज एक दो सब हर कोई कुछ"
    ),
)

_BY_LANGUAGE: Mapping[str, Abbreviations] = {
    "en": _ENGLISH,
    "es": _SPANISH,
    "fr": _FRENCH,
    "hi": _HINDI,
    "it": _ITALIAN,
    "pt": _PORTUGUESE,
}


def of(language: str) -> Abbreviations:
    """Those of a language by its first two letters, as in `pt-br`; the English ones if it has none."""
    return _BY_LANGUAGE.get(language[:2].lower(), _ENGLISH)


HOURS = frozenset(("a.m", "p.m"))
AFTER_HOURS = _words(
    "monday tuesday wednesday thursday friday saturday sunday eastern central pacific mountain "
    "et est edt ct cst cdt mt mst mdt pt pst pdt gmt bst utc cet cest wet eet ist jst aest"
)
"""What may follow an hour, with a capital, and still belong to it."""

NUMBERED_BY_I = _words("war part act scene book volume chapter class phase type title article section")
"""After these, `I` is the number one, not the initial of a name."""
