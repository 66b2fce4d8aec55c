"""Cutting the phonemes of a sentence into pieces that fit the model. Pure."""

from collections.abc import Sequence

from radio.speech.engines import MAX_PHONEMES


def split(phonemes: str) -> Sequence[str]:
    """Pieces that fit the model, of about equal length; cut between words, preferably after punctuation.

    Nothing is lost but spaces at the cuts. A word that is too long for the model is cut.
    """
    pieces = []
    while phonemes:
        count = -(-len(phonemes) // MAX_PHONEMES)
        at = _cut(phonemes, -(-len(phonemes) // count)) if count > 1 else len(phonemes)
        pieces.append(phonemes[:at].strip())
        phonemes = phonemes[at:].strip()
    return pieces


def _cut(phonemes: str, wanted: int) -> int:
    """Where to cut near `wanted`, at most `MAX_PHONEMES`: after punctuation, or else at a space, or else
    anywhere."""
    reach = min(MAX_PHONEMES, wanted + wanted // 4)
    spaces = [at for at in range(1, reach + 1) if phonemes[at : at + 1] == " "]
    stops = [at for at in spaces if phonemes[at - 1] in ".!?…;:,—" and at > wanted // 2]
    near = stops or spaces
    return min(near, key=lambda at: abs(at - wanted)) if near else min(wanted, MAX_PHONEMES)
