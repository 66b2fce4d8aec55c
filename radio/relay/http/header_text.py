"""Names of editors and submitters, made safe for HTTP headers. No I/O here.

Players read ICY headers as ASCII or worse, and a control character or a non-Latin letter in one has silenced
whole stations; so names are folded to ASCII before they are cut.
"""

import re
import unicodedata
from typing import Final
from urllib.parse import quote

from radio.relay.http.plain_text import one_line

MAX_HEADER: Final = 128
_SPELT: Final = str.maketrans(
    {
        "ß": "ss", "Æ": "AE", "æ": "ae", "Ø": "O", "ø": "o", "Œ": "OE", "œ": "oe", "Ł": "L", "ł": "l",
        "Đ": "D", "đ": "d", "Þ": "Th", "þ": "th", "Ð": "D", "ð": "d", "ı": "i",
        "‘": "'", "’": "'", "‚": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"',
        "–": "-", "—": "-", "−": "-", "…": "...", "·": "-", "•": "-",
    }
)  # fmt: skip
_UNSAFE_IN_NAME: Final = re.compile(r"[^A-Za-z0-9._ -]+")


def fold(name: str, otherwise: str = "") -> str:
    """Printable ASCII, at most 128 characters, no blanks at its edges; `otherwise` if nothing is left."""
    spaced = "".join(" " if unicodedata.category(c)[0] in "CZ" else c for c in name.translate(_SPELT))
    ascii_only = unicodedata.normalize("NFKD", spaced).encode("ascii", "ignore").decode()
    one_line = " ".join("".join(c for c in ascii_only if c.isprintable()).split())
    return one_line[:MAX_HEADER].strip() or otherwise


def attachment(name: str, extension: str, *, download: bool = False) -> str:
    """A `Content-Disposition` that offers `name` with `extension` (with its dot) in ASCII and in UTF-8.

    Args:
        download: to be saved, where it could be shown or played.
    """
    clean = one_line(name).replace("/", "-").strip()[:100] or "radio"
    plain = " ".join(_UNSAFE_IN_NAME.sub(" ", fold(clean)).split()) or "radio"
    spelt = quote((clean + extension).encode(errors="replace"), safe="")
    how = "attachment" if download else "inline"
    return f"{how}; filename=\"{plain}{extension}\"; filename*=UTF-8''{spelt}"
