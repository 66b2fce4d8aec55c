"""Caption text to speech text: what a voice should say of what was written. Pure, and linear in time."""

import unicodedata


def speech_text(text: str, language: str) -> str:
    """`text` in words.

    Args:
        text: one sentence, as its caption shows it.
        language: as of a voice.
    """
    return " ".join(unicodedata.normalize("NFC", text).split())
