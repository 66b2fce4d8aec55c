"""No piece is longer, once spelt, than the model can speak: in each language, of the densest text."""

from collections.abc import Iterator

import pytest

from radio import models
from radio.settings import Settings
from radio.speech.engines import MAX_PHONEMES
from radio.speech.g2p.espeak import open_espeak
from radio.speech.g2p.phonemiser import Phonemiser
from radio.speech.text.speech_text import speech_text
from tests.need import need
from tests.sentences.cutting import cut

pytestmark = pytest.mark.model

PROSE = {
    "en-us": "the old ferry would not come back before the morning when the captain had promised it ",
    "es": "el viejo transbordador no volvió antes de la mañana cuando el capitán lo había prometido a todos ",
    "fr": "le vieux bateau n'est pas revenu avant le matin alors que le capitaine l'avait promis à tous ",
    "hi": "कोई नहीं जानता कि पुरानी नाव सुबह से पहले वापस क्यों नहीं आई जबकि कप्तान ने सबको वचन दिया था ",
    "it": "il vecchio traghetto non è tornato prima del mattino come il capitano aveva promesso a tutti ",
    "pt-br": "a velha balsa não voltou antes da manhã quando o capitão havia prometido isso a todos eles ",
    "ja": "古い渡し船は朝になるまで戻って来ないと船長が皆に約束していたことを誰も覚えていなかったのです",
    "zh": "没有人知道为什么旧渡船在早上之前不会回来可是船长已经答应过港口里所有的人他今天晚上一定会回来",
}
DENSE = (
    "1987, 1777 ",
    "777,777 ",
    "7",
    "$97.77 €77,50 ",
    "WWW ",
    "W",
    "W.W.W. ",
    "% & @ + = ",
    "77 km/h 7 °C ",
    "½ ¾ ",
)
DENSEST = 450
PROSE_MOST = 240
"""About 12 s of speech, stress marks counted."""


@pytest.fixture(scope="module")
def g2p() -> Iterator[Phonemiser]:
    need("voice")
    phonemiser = Phonemiser(models.tagger(Settings()), open_espeak())
    yield phonemiser
    phonemiser.close()


@pytest.mark.parametrize("language", PROSE)
def test_no_piece_has_more_phonemes_than_the_model_takes(g2p: Phonemiser, language: str) -> None:
    def most(text: str) -> int:
        pieces = cut(text, language=language)[:2]
        return max(len(g2p.phonemes(speech_text(piece, language), language)) for piece in pieces)

    assert most(PROSE[language] * 6) <= PROSE_MOST
    assert max(most(dense * 60) for dense in DENSE) <= DENSEST < MAX_PHONEMES
