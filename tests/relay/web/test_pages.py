import gzip
from pathlib import Path

import pytest

from radio.clock import ManualClock
from radio.relay.web.pages import FOLDER, FRAMED, SECURITY
from radio.streams.stores.memory import MemoryStore
from tests.relay.serving import relay_on

PAGES = {"/": "index", "/s/x": "station", "/e/x": "embed", "/c/y": "cast", "/submit": "submit"}


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    folder = tmp_path / "web"
    (folder / "icons").mkdir(parents=True)
    for name in ("index", "station", "embed", "cast", "submit"):
        (folder / f"{name}.html").write_text(f"<title>{name}</title>")
    (folder / "app.js").write_text("export {};")
    (folder / "icons" / "mark.svg").write_text("<svg/>")
    (folder / "notes.md").write_text("not for the web")
    (tmp_path / "secret.js").write_text("secret")
    return folder


async def test_each_page_is_a_file_under_a_strict_policy(
    store: MemoryStore, clock: ManualClock, pages: Path
) -> None:
    async with relay_on(store, clock, pages=pages) as served:
        for path, title in PAGES.items():
            async with served.http.get(served.at(path)) as reply:
                assert await reply.text() == f"<title>{title}</title>"
                assert reply.content_type == "text/html"
                assert reply.headers["Content-Security-Policy"].startswith("default-src 'self';")
                assert "unsafe" not in reply.headers["Content-Security-Policy"]
                framed = FRAMED if title == "embed" else SECURITY
                assert framed.items() <= dict(reply.headers).items()
                tag = reply.headers["ETag"]
            async with served.http.get(served.at(path), headers={"If-None-Match": tag}) as reply:
                assert reply.status == 304
        for path, kind in (("/web/app.js", "text/javascript"), ("/web/icons/mark.svg", "image/svg+xml")):
            async with served.http.get(served.at(path)) as reply:
                assert (reply.status, reply.content_type) == (200, kind)


@pytest.mark.parametrize(
    "path",
    [
        "/web/../secret.js", "/web/%2e%2e/secret.js", "/web/..%2fsecret.js", "/web//etc/passwd",
        "/web/notes.md",
        "/web/%2fetc%2fpasswd", "/web/icons", "/web/none.js", "/web/a%00.js", "/web/icons/../../secret.js",
    ],
)  # fmt: skip
async def test_nothing_but_the_folder_is_served(
    store: MemoryStore, clock: ManualClock, pages: Path, path: str
) -> None:
    async with relay_on(store, clock, pages=pages) as served:
        raw = await served.raw(path)
        assert raw.status.split()[1] == "404"
        assert b"secret" not in await raw.take(int(raw.headers["content-length"]))


def test_the_pages_lie_where_they_are_looked_for() -> None:
    assert (FOLDER / "index.html").is_file()


async def test_what_is_text_is_sent_packed_to_who_takes_that(
    store: MemoryStore, clock: ManualClock, pages: Path
) -> None:
    script = "export const words = 1;\n" * 200
    (pages / "app.js").write_text(script)
    (pages / "mark.png").write_bytes(b"picture" * 100)
    async with relay_on(store, clock, pages=pages) as served:
        plain = await served.raw("/web/app.js")
        packed = await served.raw("/web/app.js", "Accept-Encoding: gzip, br")
        assert "content-encoding" not in plain.headers
        assert packed.headers["content-encoding"] == "gzip"
        assert plain.headers["vary"] == packed.headers["vary"] == "Accept-Encoding"
        assert plain.headers["etag"] != packed.headers["etag"]
        body = await packed.take(int(packed.headers["content-length"]))
        assert gzip.decompress(body).decode() == script
        assert len(body) < len(script) / 10
        picture = await served.raw("/web/mark.png", "Accept-Encoding: gzip")
        assert "content-encoding" not in picture.headers
