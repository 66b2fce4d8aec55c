"""Stops, quotes and abbreviations of the languages that the voices speak."""

import pytest

from tests.sentences.cutting import cut, squeezed

PIECES = [
    ("es", ["La Sra. García y el Dr. López llegaron tarde.", "Nadie los vio."]),
    ("es", ["Mide 5 m. de largo y 2 km. de costa.", "El resto es arena."]),
    ("es", ["El tren sale a las 5 p. m. de hoy.", "Los demás salen mañana."]),
    ("es", ["Vive en EE. UU. desde mayo.", "Su casa está en la avda. Goya."]),
    ("es", ["Pablo, ¿adónde vas?", "¡¿Qué has visto?!", "—Nada —dijo él."]),
    ("es", ["Llegó el 5 de dic. 2026 al puerto.", "Nadie lo esperaba."]),
    ("fr-fr", ["M. Dupont et Mme. Durand sont partis.", "Ils reviennent demain."]),
    ("fr", ["Il a dit : « Je viens. »", "Elle sourit.", "« Vraiment ? » demanda-t-elle."]),
    ("fr", ["Où est le bateau\u202f?", "Personne ne le sait\u00a0!", "Voilà tout ce que je sais."]),
    ("fr", ["Quoi ? ! Personne n'est venu ?", "César est mort en 44 av. J.-C. à Rome."]),
    ("fr", ["Le mât mesure 5 m.", "Elle le mesure encore."]),
    ("hi", ["डॉ. शर्मा आज रात आए।", "क्या नाव तैयार है?", "हाँ, वह तैयार है॥"]),
    ("hi", ["ए. पी. वर्मा ने यह पत्र लिखा है।", "उन्होंने इसे कल भेजा था।"]),
    ("hi", ["वह घर आया है.", "वह अब सो रहा है."]),
    ("it", ["Il sig. Rossi arriva con il dott. Bianchi.", "Nessuno lo vede."]),
    ("it", ["Ecco l'Ing. Mengoni, arrivato dall'Avv. Serra.", "È tardi per tutti."]),
    ("it", ["Usa ad es. RAM e dischi, ecc. e poi basta.", "Il resto è a p. 5 del libro."]),
    ("ja", ["今日は天気がいいですね。", "明日も晴れるでしょう！", "そうですか？"]),
    ("ja", ["「行こう。」と彼は言った。", "「そうだね！」", "そして二人は港を出た。"]),
    ("ja", ["本は『走れ！メロス』です。", "とても面白いです。"]),
    ("ja", ["これは私の\n家ですから。"]),
    ("ja", ["Dr. Smithが３．５倍にした。", "OKですか?", "はい、大丈夫です!"]),
    ("pt-br", ["O Sr. Silva e a Dra. Costa chegaram tarde.", "Ninguém os viu."]),
    ("pt", ["Ele mora na av. Brasil, n.º 5, no 3.º andar.", "O D. Pedro mora ali."]),
    ("zh", ["你好，今天天气很好。", "我们去海边吧！"]),
    ("zh", ["他说：“你好。”", "然后他就走了。"]),
    ("zh", ["价格是3.5元.", "这个很便宜,对吧?", "我觉得不贵!"]),
    ("zh", ["他走了……然后又回来了。", "我们看《起航吧！水手》。"]),
    ("en", ["This is 中文句子。", "And this is English."]),
    ("en", ["She read 《起航》 aloud.", "它很好听，大家都喜欢。", "The end was near."]),
]


@pytest.mark.parametrize(("language", "pieces"), PIECES, ids=[f"{p[0]} {p[1][0]}" for p in PIECES])
def test_a_language_is_cut_by_its_own_rules(language: str, pieces: list[str]) -> None:
    gap = "" if language in ("ja", "zh") else " "
    found = cut(gap.join(pieces), language=language)
    assert found == pieces


def test_an_unknown_language_is_cut_like_english() -> None:
    assert cut("Dr. Lund is here. He is late.", language="xx") == cut("Dr. Lund is here. He is late.")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (
            "ja",
            "今日は天気がとても良くて風も穏やかだったので港まで歩いて行くことにしたのですが船はもう出た後でした"
            * 2,
        ),
        (
            "zh",
            "今天天气很好风也不大所以我们决定走到港口去看看可是船已经开走了我们只好坐在岸边等着下一班船回来"
            * 2,
        ),
    ],
)
def test_a_script_without_spaces_or_stops_is_cut_in_balance_and_never_before_a_small_sign(
    language: str, text: str
) -> None:
    pieces = cut(text, language=language)
    assert "".join(pieces) == text
    assert all(not piece.startswith(tuple("ゃゅょっーんの、。")) for piece in pieces)
    assert len(pieces[-1]) * 2 > len(pieces[-2])


@pytest.mark.parametrize(
    ("language", "text", "word"),
    [
        (
            "es",
            "El puerto estaba tranquilo esa noche y los marineros dormían en sus casas " * 3,
            "que y pero",
        ),
        (
            "fr",
            "Le port était calme cette nuit et les marins dormaient dans leurs maisons " * 3,
            "et qui dans",
        ),
        ("hi", "बंदरगाह आज रात शांत है और नाविक अपने घरों में सो रहे हैं " * 4, "और कि"),
        ("pt-br", "O porto estava calmo naquela noite e os marinheiros dormiam em casa " * 3, "e que"),
    ],
)
def test_a_long_sentence_breathes_before_a_joining_word(language: str, text: str, word: str) -> None:
    pieces = cut(text, language=language)
    assert any(piece.split()[0] in word.split() for piece in pieces[1:])
    assert squeezed("".join(pieces)) == squeezed(text)


def test_no_breath_is_taken_before_a_french_question_mark() -> None:
    text = "Est-ce que les marins du vieux port dorment encore dans leurs maisons blanches " * 2
    pieces = cut(text.strip() + " ? Oui, bien sûr, ils dorment tous encore.", language="fr")
    assert not any(piece.startswith("?") for piece in pieces)


def test_vowel_signs_and_joined_consonants_stay_with_their_letter() -> None:
    text = "क्षि" * 80
    pieces = cut(text, language="hi")
    assert "".join(pieces) == text
    assert all(piece.startswith("क्षि") for piece in pieces)


def test_parts_of_one_emoji_stay_together() -> None:
    assert all(piece.startswith("👍🏽") for piece in cut("👍🏽" * 300))
