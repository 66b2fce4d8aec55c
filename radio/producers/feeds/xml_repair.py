"""Makes a feed's bytes what its XML says they are: UTF-8, with ampersands that are escaped. Pure."""

import codecs
import re

READ_AS = "application/xml; charset=utf-8"
"""The content type of what `repaired` gives back as text."""
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DECLARED = re.compile(rb"^\s*<\?xml[^>]{0,200}?\bencoding\s*=\s*[\"']([A-Za-z0-9._:-]{1,40})[\"']")
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([A-Za-z0-9._:-]{1,40})", re.IGNORECASE)
_RAW_AMPERSAND = re.compile(r"&(?!(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)")
_CDATA, _CDATA_END = "<![CDATA[", "]]>"


def repaired(body: bytes, content_type: str) -> tuple[bytes, str]:
    """The feed, and the content type to read it by.

    Its encoding is that of its byte order mark, else the declared one if it decodes, else UTF-8 if that does,
    else the header's: servers say much of files that they do not know. What decodes as none stays as it is.
    """
    marked = next((encoding for bom, encoding in _BOMS if body.startswith(bom)), "")
    if not marked and b"\0" in body[:4]:
        return body, "application/xml"
    declared = _DECLARED.match(body[:400])
    charset = _CHARSET.search(content_type)
    named = (marked, declared[1].decode() if declared else "", "utf-8", charset[1] if charset else "")
    for encoding in filter(None, named):
        text = _decoded(body, encoding)
        if text is not None:
            return _escaped(text).encode("utf-8", "replace"), READ_AS
    return body, content_type


def _decoded(body: bytes, encoding: str) -> str | None:
    try:
        return body.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None


def _escaped(text: str) -> str:
    """With `&amp;` for ampersands that begin no reference; what is within CDATA stays."""
    parts, at = [], 0
    while (begin := text.find(_CDATA, at)) >= 0 and (end := text.find(_CDATA_END, begin)) >= 0:
        parts += [_RAW_AMPERSAND.sub("&amp;", text[at:begin]), text[begin:end]]
        at = end
    return "".join([*parts, _RAW_AMPERSAND.sub("&amp;", text[at:])])
