"""Which words end in a full stop that does not end a sentence. Tables alone; `look` and `breaths` read them.

Words are in lower case and without their last stop.
"""

from collections.abc import Mapping


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TITLES: Mapping[str, frozenset[str]] = {
    "en": _words(
        "dr mr mrs ms mx messrs prof gen col sgt capt lt cpl maj adm cmdr rev hon gov sen rep pres supt "
        "vs v approx ca cf viz eg ie e.g i.e c.f"
    ),
    "es": _words("sr sra srta dr dra ud uds d dña prof aprox p.ej"),
    "fr": _words("m mm mme mmes mlle mlles dr me pr ste cf p.ex"),
    "it": _words("sig sigg dott prof avv ing on es cfr"),
    "pt": _words("sr sra srs dr dra prof profa d ex aprox"),
}
"""Always belong to what follows, by the first two letters of the language."""

NUMBERED = _words("no nos nr op fig figs p pp vol vols ch sec eq art cap chap pág págs núm pag n")
"""Belong to a number that follows, and end a sentence where none does."""

NAMED = _words(
    "inc ltd co corp llc plc jr sr bros phd md esq st ste mt ft ave av blvd rd dept univ est al ed"
)
"""Stand beside a name; a sentence ends there only where a new one clearly begins."""

DATES = _words("jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun")
"""With a capital they belong to a number that follows."""

HOURS = frozenset(("a.m", "p.m"))
AFTER_HOURS = _words(
    "monday tuesday wednesday thursday friday saturday sunday eastern central pacific mountain "
    "et est edt ct cst cdt mt mst mdt pt pst pdt gmt bst utc cet cest wet eet ist jst aest"
)
"""What may follow an hour with a capital and still belongs to it."""

STARTERS = _words(
    "the a an this that these those there here it its he his she her they their we our you your i my "
    "but and or so yet then when while where what who why how if because although though after before since "
    "in on at by for from with without as to not yes now today tomorrow yesterday meanwhile however "
    "still also once perhaps maybe another some many most all each every one two both such"
)
"""Words that, with a capital after an abbreviation, begin a new sentence."""

JOINERS = _words(
    "and but or nor so yet which that who whom whose because although though while when where if unless "
    "until since before after with without than as for from into through "
    "y o pero que porque et ou mais qui e ma che"
)
"""Words before which a long sentence may take a breath."""
