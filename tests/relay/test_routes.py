import re
from pathlib import Path

from radio.clock import ManualClock
from radio.errors import RadioError
from radio.relay.http import problems
from radio.relay.routes import ROUTES
from radio.streams.stores.memory import MemoryStore
from tests.relay.airing import Air, Narrated
from tests.relay.conftest import NOW
from tests.relay.serving import relay_on

API = Path("docs/api.md").read_text(encoding="utf-8")
SECTION = re.compile(r"^### `(?P<method>[A-Z]+) (?P<path>\S+)`\n(?P<body>.*?)(?=^##|\Z)", re.M | re.S)


def test_every_route_is_described_with_an_example_and_nothing_else_is() -> None:
    described = {(found["method"], found["path"]): found["body"] for found in SECTION.finditer(API)}
    assert set(described) == {(route.method, route.path.replace(":.+", "")) for route in ROUTES}
    for (method, path), body in described.items():
        begin = path.partition("{")[0]
        example = re.search(rf"^    \S.*http://127\.0\.0\.1:8321{re.escape(begin)}", body, re.M)
        assert example, f"{method} {path} has no example"


async def test_every_route_answers_get_and_head_with_the_same_status_and_type(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    seq = await air.say("Hello.")
    cast = await Narrated.submit(store, clock, "Ships pass.")
    await cast.start()
    await cast.say(0, "Ships pass.")
    await cast.end()
    names = {
        "{station}": "harbor",
        "{cast}": cast.cast,
        "{epoch}": "0",
        "{model}": "tts-1",
        "{n}": str(NOW // 6000 - 1),
        "{path:.+}": "style.css",
    }
    queries = {"replay": f"?from={seq}&to={seq}", "records": "?stream=pub/stations/harbor"}
    async with relay_on(store, clock) as served:
        for route in ROUTES:
            if route.method != "GET":
                continue
            path = route.path
            for name, value in names.items():
                path = path.replace(name, value)
            path += next((query for word, query in queries.items() if word in path), "")
            head = await served.raw(path, method="HEAD")
            assert await head.rest_of_head() == b""
            get = await served.raw(path)
            assert (path, head.status) == (path, get.status)
            assert get.status.split()[1] in {"200", "503" if path == "/readyz" else "200"}
            assert head.headers["content-type"] == get.headers["content-type"]


def test_every_error_of_the_table_is_reachable() -> None:
    for row, (kind, status) in enumerate(problems.STATUS):
        first = next(i for i, (other, _) in enumerate(problems.STATUS) if issubclass(kind, other))
        assert first == row, f"{kind.__name__} is hidden by an earlier row"
        assert 400 <= status < 600


def test_an_error_that_is_not_in_the_table_is_ours() -> None:
    assert problems.status_of(RadioError("what")) == 500
    assert b"what" not in bytes(problems.reply_to(RadioError("what")).body or b"")  # type: ignore[arg-type]
