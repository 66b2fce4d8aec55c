"""EPUB files: what stands in their spine, in order. Bounded in all it reads; nothing is unpacked to disk."""

import lzma
import posixpath
import zipfile
import zlib
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

from radio.errors import BadInput
from radio.producers.texts.html_text import Block, blocks

MAX_FILE_BYTES = 256 << 20
"""Of the whole file: pictures are not read."""
MAX_MEMBERS = 20_000
MAX_MEMBER_BYTES = 16 << 20
MAX_XML_BYTES = 4 << 20
"""Of the parts that list the others."""
MAX_TEXT_BYTES = 64 << 20
"""Of all chapters together, unpacked."""
_CONTAINER = "META-INF/container.xml"
_TEXT_TYPES = ("application/xhtml+xml", "text/html", "application/x-dtbook+xml")


class _Book:
    """An open EPUB; counts what it unpacks."""

    def __init__(self, path: Path, archive: zipfile.ZipFile) -> None:
        self._path = path
        self._archive = archive
        self._left = MAX_TEXT_BYTES
        if len(archive.infolist()) > MAX_MEMBERS:
            raise BadInput(f"{path} has more than {MAX_MEMBERS} parts")

    def read(self, name: str, most: int = MAX_MEMBER_BYTES) -> str:
        limit = min(most, self._left)
        try:
            with self._archive.open(name) as member:
                data = member.read(limit + 1)
        except KeyError:
            raise BadInput(f"{self._path} has no part {name}") from None
        except (
            RuntimeError,
            NotImplementedError,
            zipfile.BadZipFile,
            zlib.error,
            lzma.LZMAError,
            EOFError,
        ) as e:
            raise BadInput(f"part {name} of {self._path} cannot be unpacked: {e}") from e
        if len(data) > limit:
            raise BadInput(f"{self._path} is too large when unpacked")
        self._left -= len(data)
        encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
        return data.decode(encoding, errors="replace")

    def xml(self, name: str) -> ElementTree.Element:
        text = self.read(name, MAX_XML_BYTES)
        if "<!ENTITY" in text or "<!entity" in text:
            raise BadInput(f"part {name} of {self._path} declares entities")
        try:
            return ElementTree.fromstring(text)
        except (ElementTree.ParseError, ValueError, LookupError) as e:
            raise BadInput(f"part {name} of {self._path} is not XML: {e}") from e


def read(path: Path) -> list[Block]:
    """The text of a book in reading order.

    Raises:
        BadInput: it is no EPUB, is protected, or is too large.
    """
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise BadInput(f"{path} is too large: more than {MAX_FILE_BYTES >> 20} MiB")
        with zipfile.ZipFile(path) as archive:
            book = _Book(path, archive)
            return [
                block for part in _spine(book, path) for block in blocks(_without_prolog(book.read(part)))
            ]
    except OSError as e:
        raise BadInput(f"cannot read {path}: {e.strerror or e}") from e
    except (zipfile.BadZipFile, ValueError) as e:
        if isinstance(e, BadInput):
            raise
        raise BadInput(f"{path} is no EPUB: {e}") from e


def _spine(book: _Book, path: Path) -> list[str]:
    """The names of its chapters, in reading order."""
    rootfile = book.xml(_CONTAINER).find(".//{*}rootfile")
    package = (rootfile.get("full-path") or "") if rootfile is not None else ""
    root = book.xml(package)
    base = posixpath.dirname(package)
    items = {item.get("id"): item for item in root.iterfind(".//{*}manifest/{*}item")}
    names = []
    for entry in root.iterfind(".//{*}spine/{*}itemref"):
        item = items.get(entry.get("idref"))
        if item is None or entry.get("linear") == "no" or "nav" in (item.get("properties") or "").split():
            continue
        if item.get("media-type") in _TEXT_TYPES and (href := item.get("href")):
            names.append(posixpath.normpath(posixpath.join(base, unquote(href))))
    if not names:
        raise BadInput(f"{path} has no chapters")
    if len(names) > MAX_MEMBERS:
        raise BadInput(f"{path} has more than {MAX_MEMBERS} chapters")
    return names


def _without_prolog(text: str) -> str:
    """Without the XML declaration, which HTML does not know."""
    return text[text.index("?>") + 2 :] if text.lstrip().startswith("<?xml") and "?>" in text else text
