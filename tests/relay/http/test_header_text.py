import pytest
from hypothesis import given
from hypothesis import strategies as st

from radio.relay.http.header_text import MAX_HEADER, attachment, fold


@pytest.mark.parametrize(
    ("name", "folded"),
    [
        ("Harbor FM", "Harbor FM"),
        ("Łódź’s “Night” – Café", 'Lodz\'s "Night" - Cafe'),
        ("Radio\r\nSet-Cookie: a=b", "Radio Set-Cookie: a=b"),
        ("🎙 Straße ", "Strasse"),
        ("日本", "radio"),
        ("", "radio"),
        ("\ud800x", "x"),
    ],
)
def test_a_name_is_folded(name: str, folded: str) -> None:
    assert fold(name, "radio") == folded


@given(st.text(alphabet=st.characters(), max_size=400))
def test_whatever_the_name_is_the_header_is_short_printable_ascii(name: str) -> None:
    folded = fold(name, "radio")
    assert folded
    assert len(folded) <= MAX_HEADER
    assert folded.isascii()
    assert folded.isprintable()
    assert folded == folded.strip()


@given(st.text(alphabet=st.characters(), max_size=400))
def test_an_attachment_name_cannot_leave_its_quotes_or_name_a_folder(name: str) -> None:
    header = attachment(name, ".mp3")
    assert header.isascii()
    assert header.isprintable()
    quoted = header.split('"')
    assert len(quoted) == 3
    assert quoted[1].endswith(".mp3")
    assert "/" not in quoted[1]
    assert "\\" not in quoted[1]
    assert "/" not in quoted[2]


def test_what_is_to_be_saved_is_an_attachment_by_the_same_name() -> None:
    shown, saved = (attachment("Ärger: live", ".mp3", download=d) for d in (False, True))
    assert shown.startswith("inline; filename=")
    assert saved == shown.replace("inline;", "attachment;", 1)
