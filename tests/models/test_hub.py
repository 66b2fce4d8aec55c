"""The hub, played by a server of the test's own: it answers as the hub does where our code asks."""

import hashlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from radio import models
from radio.errors import Unsupported
from radio.models import WrongHash, hub, hub_models
from radio.models.catalog import HubFile
from radio.models.hub import HubFailed
from radio.settings import Settings

CONTENT = b"GGUF" + bytes(1000)
DIGEST = hashlib.sha256(CONTENT).hexdigest()
FILE = HubFile(repository="owner/repo", path="small.gguf")
COMMIT = "0123456789abcdef0123456789abcdef01234567"

pytest.importorskip("huggingface_hub")


class _Hub(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    sent = CONTENT

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def do_GET(self) -> None:
        self._answer(body=True)

    def _answer(self, *, body: bool) -> None:
        known = self.path == "/owner/repo/resolve/main/small.gguf"
        self.send_response(200 if known else 404)
        if known:
            self.send_header("X-Repo-Commit", COMMIT)
            self.send_header("X-Linked-Etag", f'"{DIGEST}"')
            self.send_header("X-Linked-Size", str(len(CONTENT)))
            self.send_header("ETag", f'"{DIGEST}"')
        else:
            self.send_header("X-Error-Code", "EntryNotFound")
        self.send_header("Content-Length", str(len(self.sent) if known else 0))
        self.end_headers()
        if body and known:
            self.wfile.write(self.sent)

    def log_message(self, format: str, *args: object) -> None:
        """Not into the test's output."""


@pytest.fixture
def endpoint() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Hub)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def settings(tmp_path: Path, endpoint: str, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings of a radio whose hub is the test's server."""
    stated, download = hub.sha256, hub.download
    monkeypatch.setattr(hub, "sha256", lambda file: stated(file, endpoint))
    monkeypatch.setattr(hub, "download", lambda file, into: download(file, into, endpoint))
    return Settings(models=tmp_path / "models")


def test_the_hub_states_sha256_and_size(endpoint: str) -> None:
    assert hub.sha256(FILE, endpoint) == (DIGEST, len(CONTENT))


def test_a_file_comes_from_the_hub(endpoint: str, tmp_path: Path) -> None:
    assert hub.download(FILE, tmp_path, endpoint).read_bytes() == CONTENT


def test_what_the_hub_has_not_is_an_error_that_names_it(endpoint: str, tmp_path: Path) -> None:
    absent = HubFile(repository="owner/repo", path="absent.gguf")
    with pytest.raises(HubFailed, match=r"absent\.gguf"):
        hub.sha256(absent, endpoint)
    with pytest.raises(HubFailed, match=r"absent\.gguf"):
        hub.download(absent, tmp_path, endpoint)


def test_a_model_pulled_by_its_hub_name_is_listed_found_and_verified(settings: Settings) -> None:
    assert models.pull(["hf:owner/repo/small.gguf"], settings) == ["small.gguf"]
    assert models.llm(settings, "small").read_bytes() == CONTENT
    assert models.default_llm(settings).name == "small.gguf"
    assert ("small", "right") in {(check.model, check.state) for check in models.verify(settings)}
    assert models.pull(["small"], settings) == []


def test_what_the_hub_sends_must_be_what_it_stated(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_Hub, "sent", b"GGUF" + b"\1" * 1000)
    with pytest.raises(WrongHash):
        models.pull(["hf:owner/repo/small.gguf"], settings)
    assert not (settings.models / "small.gguf").exists()


def test_a_file_in_the_hubs_cache_is_found_without_network(tmp_path: Path) -> None:
    repository = tmp_path / "models--owner--repo"
    snapshot = repository / "snapshots" / COMMIT
    snapshot.mkdir(parents=True)
    (snapshot / "small.gguf").write_bytes(CONTENT)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(COMMIT)
    assert hub.cached(FILE, tmp_path) == snapshot / "small.gguf"
    assert hub.cached(HubFile(repository="owner/repo", path="other.gguf"), tmp_path) is None


def test_without_the_extra_nothing_is_cached_and_a_pull_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("radio.models.hub.importlib.util.find_spec", lambda _: None)
    assert hub.cached(FILE) is None
    with pytest.raises(Unsupported) as raised:
        models.pull(["hf:owner/repo/small.gguf"], Settings(models=tmp_path))
    assert "radio[hub]" in raised.value.hint
    assert hub_models.read(tmp_path) == {}
