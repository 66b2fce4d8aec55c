"""What a cast is called: an id made from its content. Pure."""

import base64
import hashlib
import unicodedata

from radio import voices, writable_text
from radio.errors import BadInput


def normal(text: str) -> str:
    """The text as it is spoken and named: NFC, LF ends, no white space around it.

    Raises:
        BadInput: nothing to speak, or not valid Unicode.
    """
    text = writable_text.pasted(text)
    text = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n")).strip()
    if not text:
        raise BadInput("there is no text", hint="send the text that is to be spoken")
    return text


def cast_id(text: str, voice: str) -> str:
    """The id that this text has in this voice; the same on every radio."""
    spelt = f"{voices.canonical(voice)}\0{normal(text)}"
    return base64.urlsafe_b64encode(hashlib.sha256(spelt.encode()).digest()).decode()[:12]
