"""What is read of a file: its words, without markup; and what is refused."""

import zipfile
from pathlib import Path

import pytest

from radio.errors import BadInput
from radio.producers.texts import books, epub
from radio.producers.texts.html_text import Block, blocks, plain

CONTAINER = (
    '<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
    '<rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
)
OPF = """<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf"><manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="two" href="text/two%20b.xhtml" media-type="application/xhtml+xml"/>
<item id="one" href="text/one.xhtml" media-type="application/xhtml+xml"/>
<item id="notes" href="notes.xhtml" media-type="application/xhtml+xml"/>
<item id="cover" href="cover.jpg" media-type="image/jpeg"/>
</manifest><spine><itemref idref="cover"/><itemref idref="nav"/><itemref idref="one"/><itemref idref="two"/>
<itemref idref="notes" linear="no"/><itemref idref="gone"/></spine></package>"""
PAGE = (
    '<?xml version="1.0"?><!DOCTYPE html><html><head><title>T</title><style>p {{}}</style></head>'
    "<body><h1>{title}</h1><p>{text} &amp; so&#160;on.</p><script>no()</script></body></html>"
)


def book(path: Path, **changes: str | bytes) -> Path:
    parts: dict[str, str | bytes] = {
        "META-INF/container.xml": CONTAINER,
        "OEBPS/book.opf": OPF,
        "OEBPS/text/one.xhtml": PAGE.format(title="First", text="One"),
        "OEBPS/text/two b.xhtml": PAGE.format(title="Second", text="Two"),
        **changes,
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in parts.items():
            archive.writestr(name, body)
    return path


def texts(paragraphs: list[books.Paragraph]) -> list[str]:
    return [paragraph.text for paragraph in paragraphs]


def test_paragraphs_are_read_on_one_line_each() -> None:
    read = books.paragraphs("\ufeffOne\r\nline.\r\n\r\n\n * * *\n\nTwo.", markdown=False)
    assert texts(read) == ["One line.", "Two."]
    assert [p.begins_chapter for p in read] == [True, False]


def test_a_paragraph_without_end_is_read_in_parts_and_nothing_is_lost() -> None:
    text = "\n".join(f"Line {n} of a very long book." for n in range(50_000))
    read = texts(books.paragraphs(text, markdown=False))
    assert max(map(len, read)) <= books.LONGEST
    assert all(part.endswith(".") for part in read)
    assert " ".join(read) == " ".join(text.split())
    wordless = books.paragraphs("a" * 20_000, markdown=False)
    assert "".join(texts(wordless)) == "a" * 20_000


@pytest.mark.parametrize(
    ("source", "read"),
    [
        ("# The Sea\n\nIt is *very* **big**.", ["The Sea.", "It is very big."]),
        ("Says [Ada](https://a.example) and [Bo][1].\n\n[1]: https://b.example", ["Says Ada and Bo."]),
        ("---\n\n> Quoted `text`.\n\n* * *\n", ["Quoted text."]),
        ("Title\n=====\n\nText.", ["Title.", "Text."]),
        ("# Why?\nBecause.", ["Why?", "Because."]),
        ("- one\n- two\n1. three", ["one", "two", "three"]),
        ("Before.\n\n```python\nno()\n\nno()\n```\n\nAfter.", ["Before.", "After."]),
        ("A <b>bold</b> word <!-- not\n\nthis --> and <https://a.example>.", ["A bold word and ."]),
        ("![A ship](ship.png) sails.", ["A ship sails."]),
        ("[![A ship](ship.png)](https://a.example/it_(the_ship)) sails.", ["A ship sails."]),
        ("---\ntitle: Sea\nauthor: Ada\n---\n\nText.", ["Text."]),
        ("+++\ntitle = 'Sea'\n+++\nText.", ["Text."]),
        ("---\n\nText: one.\n\n---\n\nTwo.", ["Text: one.", "Two."]),
        ("# The Sea {#intro .part}\n\nIt is [big]{.word} here.", ["The Sea.", "It is [big] here."]),
        ("Tides[^1] turn.\n\n[^1]: They do.\n    So they do.\n\nThey turn.", ["Tides turn.", "They turn."]),
        ("::: {.note}\nFog lifts.\n:::\n\n\\newpage\n\nSun.", ["Fog lifts.", "Sun."]),
        ("- [x] Sail\n- [ ] Row", ["Sail", "Row"]),
        ('[Kokoro](/x "t") speaks.', ["Kokoro speaks."]),
        ("[Kokoro](/x \"a (b) c)\") and [Bo](</x y> '(t') speak.", ["Kokoro and Bo speak."]),
        ("a nega-\ntive light-\nhouse", ["a negative lighthouse"]),
        ("snake_case and 2 * 3 * 4 stay", ["snake_case and 2 3 4 stay"]),
    ],
)
def test_markdown_is_read_without_its_marks(source: str, read: list[str]) -> None:
    assert texts(books.paragraphs(source, markdown=True)) == read


@pytest.mark.parametrize(
    "source", ["<!--", "[", "[a](", "[a\n", "![a](b) ", "```\n", "<a ", "*_", "# #", "\n ", "- "]
)
def test_any_markdown_is_read_in_bounded_time(source: str) -> None:
    assert isinstance(books.paragraphs(source * 300_000, markdown=True), list)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("a nega-\ntive answer", "a negative answer"),
        ("a one-to-\none talk", "a one-to-one talk"),
        ("the light-  \n  house", "the lighthouse"),
        ("a self-\nmade, well-\nknown man", "a self-made, well-known man"),
        ("A sea-wall. The sea-\nwall.", "A sea-wall. The sea-wall."),
        ("Baden-\nWürttemberg, 1914-\n1918", "Baden-Württemberg, 1914-1918"),
        ("Vor-\nund Nachteile", "Vor- und Nachteile"),
        ("He came -\nand went -\n", "He came - and went -"),
    ],
)
def test_words_that_are_divided_at_the_end_of_a_line_are_whole(text: str, read: str) -> None:
    assert texts(books.paragraphs(text, markdown=False)) == [read]


@pytest.mark.parametrize(
    "source",
    ["[^1", "[^1]: a\n", "{#a", "{a=b ", "---\na:\n", ":::", "a-\n", "\\a{", '[a](b "', "[a](<", "[a]((b)"],
)
def test_any_extension_is_read_in_bounded_time(source: str) -> None:
    assert isinstance(books.paragraphs(source * 100_000, markdown=True), list)


def test_headings_begin_chapters_and_two_in_a_row_begin_one() -> None:
    read = books.paragraphs("# Book\n\n## One\n\nText.\n\n## Two\n\nText.", markdown=True)
    assert [p.text for p in read if p.begins_chapter] == ["Book.", "Two."]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("Grüße.".encode(), "Grüße."),
        (b"\xef\xbb\xbfGr\xc3\xbc\xc3\x9fe.", "Grüße."),
        ("Grüße.".encode("utf-16"), "Grüße."),
        ("Grüße, “Ada”.".encode("cp1252"), "Grüße, “Ada”."),
    ],
)
def test_text_is_read_in_its_encoding(tmp_path: Path, data: bytes, text: str) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(data)
    assert texts(books.read(path)) == [text]


def test_latin_1_is_read_with_a_warning(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("Grüße.".encode("latin-1"))
    books.read(path)
    assert "not UTF-8" in caplog.text


def test_what_is_no_text_or_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"\x7fELF\0\0\0")
    with pytest.raises(BadInput, match="no text"):
        books.read(path)
    monkeypatch.setattr(books, "MAX_BYTES", 3)
    with pytest.raises(BadInput, match="too large"):
        books.read(path)


def test_an_epub_is_read_in_the_order_of_its_spine(tmp_path: Path) -> None:
    read = books.read(book(tmp_path / "a.epub"))
    assert texts(read) == ["First.", "One & so on.", "Second.", "Two & so on."]
    assert [p.begins_chapter for p in read] == [True, False, True, False]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"OEBPS/book.opf": "<package/>"}, "no chapters"),
        ({"OEBPS/book.opf": "<package"}, "not XML"),
        ({"META-INF/container.xml": "<container/>"}, "no part"),
        ({"OEBPS/book.opf": '<!DOCTYPE x [<!ENTITY a "aa">]><package>&a;</package>'}, "declares entities"),
        ({"OEBPS/text/one.xhtml": b"x" * (epub.MAX_MEMBER_BYTES + 1)}, "too large when unpacked"),
        ({"OEBPS/book.opf": b"<a/>" * (epub.MAX_XML_BYTES // 4 + 1)}, "too large when unpacked"),
        (
            {"OEBPS/book.opf": OPF.replace("</spine>", '<itemref idref="one"/>' * 30_000 + "</spine>")},
            "chapters",
        ),
    ],
)
def test_a_broken_or_hostile_epub_is_refused(
    tmp_path: Path, changes: dict[str, str | bytes], message: str
) -> None:
    with pytest.raises(BadInput, match=message):
        books.read(book(tmp_path / "a.epub", **changes))


def test_chapters_that_are_too_large_together_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(epub, "MAX_TEXT_BYTES", 1100)
    with pytest.raises(BadInput, match="too large when unpacked"):
        books.read(book(tmp_path / "a.epub"))


def test_a_file_that_is_no_zip_is_no_epub(tmp_path: Path) -> None:
    path = tmp_path / "a.epub"
    path.write_bytes(b"PK\x03\x04 not a zip")
    with pytest.raises(BadInput, match="no EPUB"):
        books.read(path)


def test_a_part_that_is_damaged_is_an_error_that_names_it(tmp_path: Path) -> None:
    path = book(tmp_path / "a.epub")
    data = bytearray(path.read_bytes())
    at = data.index(b"OEBPS/text/one.xhtml") + len(b"OEBPS/text/one.xhtml") + 4
    data[at : at + 8] = b"\xff" * 8
    path.write_bytes(bytes(data))
    with pytest.raises(BadInput, match="cannot be unpacked"):
        books.read(path)


@pytest.mark.parametrize(
    ("packing", "flaw"), [(zipfile.ZIP_LZMA, 9), (zipfile.ZIP_BZIP2, 4), (zipfile.ZIP_DEFLATED, 0)]
)
def test_so_is_one_that_is_damaged_in_any_packing(tmp_path: Path, packing: int, flaw: int) -> None:
    name, path = "OEBPS/text/one.xhtml", tmp_path / "a.epub"
    with zipfile.ZipFile(book(tmp_path / "whole.epub")) as whole, zipfile.ZipFile(path, "w", packing) as made:
        for part in whole.namelist():
            made.writestr(part, whole.read(part))
    data = bytearray(path.read_bytes())
    at = data.index(name.encode()) + len(name) + flaw
    data[at : at + 12] = b"\xff" * 12
    path.write_bytes(bytes(data))
    with pytest.raises(BadInput, match=r"a\.epub"):
        books.read(path)


def test_an_epub_in_utf_16_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.epub"
    with zipfile.ZipFile(book(tmp_path / "whole.epub")) as whole, zipfile.ZipFile(path, "w") as made:
        for part in whole.namelist():
            text = whole.read(part).decode().partition("?>")
            head = '<?xml version="1.0" encoding="utf-16"?>'
            made.writestr(part, (head + (text[2] or text[0])).encode("utf-16"))
    assert texts(books.read(path)) == texts(books.read(tmp_path / "whole.epub"))


def test_html_is_read_block_by_block() -> None:
    html = (
        "<h2>News</h2>text<p>One<br/>two</p><ul><li>three</ul><script>no()</script><pre>no</pre>&lt;tag&gt;"
    )
    assert blocks(html) == [
        Block("News", is_heading=True), Block("text"), Block("One"), Block("two"),
        Block("three"), Block("<tag>"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("html", "text"),
    [
        (
            '<p>Tides<a epub:type="noteref" href="#n">1</a> turn '
            '<span role="doc-pagebreak">42</span>slowly.</p>'
            '<aside epub:type="footnote" id="n"><div>Notes.</div><p>More.</p></aside>',
            "Tides turn slowly.",
        ),
        ('<section role="doc-endnotes"><section>One.</section>Two.</section>Text.', "Text."),
        ('a <span epub:type="pagebreak" title="3"/>b', "a b"),
        ("10<sup>6</sup> litres", "10⁶ litres"),
        ("2<sup>10</sup>, 10<sup>-3</sup>", "2¹⁰, 10⁻³"),
        ("x<sup>2</sup>, (a)<sup>2</sup>, 5 km<sup>2</sup>", "x², (a)², 5 km²"),
        ("<i>x</i><sup><b>2</b></sup>", "x²"),
        ("H<sub>2</sub>O, x<sub>i</sub>", "H₂O, xi"),
        ("The tides<sup>3</sup> turn on the 1<sup>st</sup>.", "The tides turn on the 1st."),
        ('<!DOCTYPE html [<!ELEMENT x ANY> <!ATTLIST x y CDATA "z">]><p>Text.</p>', "Text."),
        ('<?xml version="1.0"?>\n<!doctype html><p>Text.</p>', "Text."),
        ("<ruby>港<rt>みなと</rt></ruby>へ", "みなとへ"),
        ("<ruby>港<rp>(</rp><rt>みなと</rt><rp>)</rp></ruby>へ", "みなとへ"),
        ("<ruby>東<rt>とう</rt>京<rt>きょう</rt></ruby>と<ruby>港<rt></rt></ruby>", "とうきょうと港"),
    ],
)
def test_html_is_read_as_it_is_meant(html: str, text: str) -> None:
    assert plain(html) == text


@pytest.mark.parametrize(
    "html",
    [
        "<sup>" * 50_000,
        "1<sup>2</sup>" * 50_000,
        "<ruby>a<rt>b" * 50_000,
        "<!DOCTYPE [" * 50_000,
        '<p role="doc-footnote">' * 50_000,
        "<p" * 50_000,
        "<div>" * 50_000,
        "</p>" * 50_000,
        "<!--" * 50_000,
        "<!-- x -->" * 50_000,
        "<a b=" * 50_000,
        "<pre>" * 100_000 + "</nav>" * 300_000,
        "&" * 10_000,
    ],
)
def test_any_html_is_read_in_bounded_time(html: str) -> None:
    assert isinstance(plain(html), str)
