"""Words that English reads irregularly: acronyms, names with numerals, nouns after prices."""

from collections.abc import Mapping
from typing import Final

ACRONYMS: Final[Mapping[str, str]] = {
    "EPAM": "Epam",
    "HAL": "Hal",
    "IEEE": "I triple E",
    "IKEA": "Ikea",
    "INTERPOL": "Interpol",
    "JPG": "jaypeg",
    "JSON": "Jason",
    "MoMA": "Moma",
    "NOAA": "Noah",
    "ONNX": "onyx",
    "TOML": "tommel",
    "YAML": "yammel",
    "ASAP": "as soon as possible",
    "FAQ": "F.A.Q.",
    "LED": "L.E.D.",
    "WHO": "W.H.O.",
}
"""Acronyms that the dictionary would read wrongly. It has NASA and NATO as words, and spells those that it
does not have, such as FBI."""

AFTER_THE: Final = frozenset({"WHO", "LED"})
"""Words when they stand alone in capitals, names only behind an article."""

REFERENCES: Final[Mapping[str, str]] = {
    "Vol": "Volume",
    "vol": "volume",
    "Ch": "Chapter",
    "ch": "chapter",
    "Fig": "Figure",
    "fig": "figure",
    "Sec": "Section",
    "sec": "section",
    "p": "page",
    "Art": "Article",
    "Pt": "Part",
    "Ep": "Episode",
    "ep": "episode",
    "Apt": "Apartment",
    "Rt": "Route",
    "Rte": "Route",
    "Ste": "Suite",
    "nos": "numbers",
    "Nos": "Numbers",
    "Op": "Opus",
    "op": "opus",
    "Cat": "Category",
    "Rm": "Room",
    "Pg": "Page",
    "pg": "page",
    "para": "paragraph",
    "ext": "extension",
    "Ext": "Extension",
    "Figs": "Figures",
    "figs": "figures",
    "Hwy": "Highway",
    "Bldg": "Building",
    "Sc": "Scene",
    "pop": "population",
}
"""Abbreviations before a number."""

PRICED: Final = (
    "bill|note|coin|ticket|house|home|deal|budget|prize|fee|fine|loan|tip|gift|deposit|contract|project|plan|"
    "investment|question|millionaire|donation|grant|fund|bonus|bond|stamp|share|lottery|jackpot|check|cheque|"
    "bet|charge|discount|voucher|debt|salary|car|meal|bottle|game|item|product|subscription|settlement|"
    "lawsuit|award|bridge|program|programme|package|industry|company|business|market|increase|raise|cut|drop"
)
"""Nouns before which a price is an adjective: a twenty dollar bill."""

KINGS: Final = (
    "Henry|Louis|George|Edward|Charles|Elizabeth|William|James|Richard|Philip|Napoleon|Catherine|Nicholas|"
    "Pius|Benedict|Leo|John Paul|Frederick|Alexander|Ivan|Peter|Gregory|Innocent|Clement|Urban|Boniface|"
    "Ramesses|Ramses|Rameses|Ptolemy|Cleopatra|Darius|Xerxes|Harald|Christian|Gustav|Carl|Felipe|Juan Carlos|"
    "Alfonso|Afonso|Umberto|Victor Emmanuel|Vittorio Emanuele|Ferdinand|Francis|Baldwin|Amenhotep|Thutmose|"
    "Seti|Mithridates|Antiochus|Constantine|Theodosius|Justinian|Basil|Sixtus|Julius|Paul|Adrian|Eugene|"
    "Callixtus|Ladislaus|Sigismund|Casimir|Kenneth|Abdullah|Hassan|Pedro|Manuel|Maximilian|Rudolf|Albert|"
    "Rainier|Baudouin|Willem|Erik|Eric|Magnus|Valdemar|Canute|Stephen|Edmund|Nicolas|"
    "Franz|Leopold|Otto|Wilhelm|Mehmed|Selim|Murad|Haakon|Olav|Margrethe|Robert"
)
TITLES: Final = "King|Queen|Pope|Emperor|Empress|Tsar|Czar|Kaiser|Sultan|Pharaoh|Prince|Duke"
NUMBERED_BY_ROMANS: Final = (
    "World War|Chapter|Part|Volume|Book|Act|Scene|Phase|Type|Section|Episode|Super Bowl|Rocky|Rambo|"
    "Final Fantasy|Appendix|Article|Canto|Grade|Level|Class|Stage|Table|Figure|Title|"
    "Vatican|Saturn|Mark|Schedule"
)
COUNTED: Final = (
    "people|users|viewers|listeners|subscribers|followers|fans|views|downloads|streams|copies|jobs|workers|"
    "voters|votes|deaths|died|cases|doses|tonnes|tons|barrels|children|adults|homes|households|refugees|"
    "migrants|visitors|customers|shares|euros|pounds|dollars|years"
)
"""Nouns after which m means millions, not metres."""
BOOKS: Final = (
    "Genesis|Exodus|Leviticus|Deuteronomy|Joshua|Samuel|Chronicles|Job|Psalms?|Proverbs|Ecclesiastes|"
    "Isaiah|Jeremiah|Ezekiel|Daniel|Hosea|Micah|Matthew|Mark|Luke|John|Acts|Romans|Corinthians|Galatians|"
    "Ephesians|Philippians|Colossians|Timothy|Hebrews|James|Revelation|Surah|Quran"
)
"""Names after which two numbers are a chapter and a verse."""
SOFTWARE: Final = (
    "Python|Java|Node|Ubuntu|Debian|Fedora|Android|iOS|macOS|Windows|Linux|Kernel|HTML|USB|HTTP|TLS|SSL|"
    "Bluetooth|Firefox|Chrome|Rust|Go|Ruby|PHP|Perl|Swift|Kotlin|GCC|Clang|GPT|Release|release"
)
"""Names after which a number with a stop is a version."""
FILE_ENDINGS: Final = (
    "py|md|txt|rs|js|ts|cpp|hpp|html|css|json|yaml|yml|toml|csv|xml|pdf|zip|gz|sh|png|jpg|jpeg|gif|mp3|wav|"
    "flac|exe|log|ini|cfg|doc|docx|xls|xlsx|epub|java|sql"
)
STATES: Final = (
    "AL|AK|AZ|AR|CA|CO|CT|DE|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND|"
    "OH|OK|OR|PA|RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY|DC|PR"
)
"""Words after which five digits are a postcode."""
