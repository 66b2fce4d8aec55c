import sys
from collections.abc import Iterator

import pytest

from radio import models
from radio.errors import Unsupported
from radio.models import KokoroFiles
from radio.pronunciation import SYMBOLS, Given
from radio.settings import Settings
from radio.speech.engines.model_inputs import vocabulary
from radio.speech.g2p import english as g2p_english
from radio.speech.g2p.espeak import open_espeak
from radio.speech.g2p.ipa import to_kokoro
from radio.speech.g2p.phonemiser import LANGUAGES, Phonemiser
from tests.need import need
from tests.speech.g2p.test_espeak import Mute

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def files() -> KokoroFiles:
    need("voice")
    return models.kokoro(Settings())


@pytest.fixture(scope="module")
def g2p(files: KokoroFiles) -> Iterator[Phonemiser]:
    phonemiser = Phonemiser(models.tagger(Settings()), open_espeak())
    yield phonemiser
    phonemiser.close()


@pytest.mark.parametrize(
    ("language", "text", "phonemes"),
    [
        ("en-us", "The harbor is calm.", "ðə hˈɑɹbəɹ ɪz kˈɑm."),
        ("en-gb", "The harbour is calm.", "ðə hˈɑːbə ɪz kˈɑːm."),
        ("en-us", "gryzzk", "ɡɹˈɪzk"),
        ("en-us", "a button", "ɐ bˈʌtn"),
        ("es", "¡Hola! Sí.", "ˈola! sˈi."),
        ("it", "pizza e caffè", "pˈiʦːa e kaffˈɛ"),
        ("fr", "le monde", "lə mˈɔ̃d"),
        ("es", "25 por ciento", "bˌAntiθˈinko poɾ θjˈɛnto"),
        ("zh", "今天天气很好。", "ʨi→ntʰjɛ→ntʰjɛ→nʨʰi↘ xə↓n xau↓."),
        ("zh", "我用iPhone手机", "wo↓jʊ↘ŋ ˈIfˌOn ʂou↓ʨi→"),
        ("ja", "私は東京へ行きました。", "βataɕiβa toːkʲoːe ikʲimaɕita."),
        ("ja", "iPhoneを買った", "ˈIfˌOn o kaʔta"),
        ("en-us", "the song さくら", "ðə sˈɔŋ sakɯɾa"),
        ("en-us", "Say नमस्ते", "sˈA nəmˈʌsteː"),
    ],
)
def test_text_becomes_phonemes(g2p: Phonemiser, language: str, text: str, phonemes: str) -> None:
    assert g2p.phonemes(text, language) == phonemes


@pytest.mark.parametrize(
    "word", ["specified", "Neurokinin", "nyan", "gryzzk", "pio", "zqxwv", "Brzęczyszczykiewicz"]
)
def test_no_word_is_skipped_because_the_dictionary_lacks_it(g2p: Phonemiser, word: str) -> None:
    alone = g2p.phonemes(f"So {word}.", "en-us")
    assert len(alone.removeprefix("sˌO ").removeprefix("sˈO ")) > 3


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "text",
    [
        "Button kitten gryzzk, weird Dvořák café; naïve — jalapeño!",
        "goat boat bird hair near",
        "今天 ちょっと नमस्ते pingüino",
    ],
)
def test_every_symbol_is_one_that_the_voice_knows(
    g2p: Phonemiser, files: KokoroFiles, language: str, text: str
) -> None:
    strange = set(g2p.phonemes(text, language)) - set(vocabulary(files.config))
    assert strange == set()


@pytest.mark.parametrize(
    "text", ["", " ", "...", "!?", "—", "'", "(((", "[a](/b/)", "a" * 200, "- " * 300, "😀"]
)
def test_odd_texts_do_not_fail(g2p: Phonemiser, text: str) -> None:
    for language in ("en-us", "es", "zh", "ja"):
        assert isinstance(g2p.phonemes(text, language), str)


@pytest.mark.parametrize(
    ("language", "text", "phonemes"),
    [
        ("en-us", "the \ue000 is closed.", "ði ˈOʃən ɪz klˈOzd."),
        ("en-us", "\ue000's boat", "ˈOʃənz bˈOt"),
        ("en-us", "so (\ue000)!", "sˌO (ˈOʃən)!"),
        ("es", "el \ue000, sí", "ˈel ˈOʃən, sˈi"),
        ("zh", "我\ue000你", "wo↓ˈOʃənni↓"),
    ],
)
def test_given_phonemes_are_said_in_the_place_of_their_mark(
    g2p: Phonemiser, language: str, text: str, phonemes: str
) -> None:
    assert g2p.phonemes(text, language, {"\ue000": Given("Oceyn", "ˈOʃən")}) == phonemes


def test_a_listener_cannot_write_phonemes_of_their_own(g2p: Phonemiser) -> None:
    assert g2p.phonemes("[cat](/dˈɔɡ/)", "en-us") != "dˈɔɡ"


@pytest.mark.parametrize("language", ["xx", "ko"])
def test_a_language_that_is_not_installed_is_an_error_with_those_that_are(
    g2p: Phonemiser, language: str
) -> None:
    with pytest.raises(Unsupported, match="cannot be spoken in this installation") as raised:
        g2p.phonemes("text", language)
    assert "en-us" in raised.value.hint


def test_words_are_forgotten_again(g2p: Phonemiser) -> None:
    g2p.phonemes("Warm up.", "en-us")
    strings = g2p._nlp.vocab.strings
    before = len(strings)
    for number in range(50):
        g2p.phonemes(f"The zq{number}xk is new.", "en-us")
    assert len(strings) == before


def test_torch_and_phonemizer_are_not_needed(g2p: Phonemiser) -> None:
    g2p.phonemes("Hello.", "en-us")
    assert not {"torch", "transformers", "phonemizer", "espeakng_loader"} & set(sys.modules)


@pytest.mark.parametrize(
    ("ipa", "language", "symbols"),
    [
        ("bˈʌʔn\u0329", "en-us", "bˈʌtᵊn"),
        ("ɡˈo^ʊt", "en-us", "ɡˈOt"),
        ("ɡˈə^ʊt", "en-gb", "ɡˈQt"),
        ("bˈɜːd", "en-us", "bˈɜɹd"),
        ("bˈɜːd", "en-gb", "bˈɜːd"),
        ("t^ʃˈe^ɪnd^ʒ", "en-gb", "ʧˈAnʤ"),
        ("(^e^n)fˈʊtbɔːl(^f^r)", "fr", "fˈʊtbɔːl"),
        ("", "es", ""),
    ],
)
def test_ipa_becomes_the_voices_own_symbols(ipa: str, language: str, symbols: str) -> None:
    assert to_kokoro(ipa, language) == symbols


def test_the_symbols_of_a_pronunciation_list_are_those_of_the_model(files: KokoroFiles) -> None:
    assert set(vocabulary(files.config)) == SYMBOLS


def test_a_word_without_a_sound_is_told(caplog: pytest.LogCaptureFixture, g2p: Phonemiser) -> None:
    silent = g2p_english.EnglishG2P(
        "en-us", g2p._nlp or g2p_english.load_tagger(models.tagger(Settings())), Mute()
    )
    assert silent.phonemes("So zqxwv.", {}) == "sˌO ."
    assert "g2p.unread" in {getattr(record, "action", "") for record in caplog.records}


def test_a_character_without_a_reading_is_left_for_the_count_of_unknown_symbols(g2p: Phonemiser) -> None:
    assert "\U00030000" in g2p.phonemes("好\U00030000", "zh")
