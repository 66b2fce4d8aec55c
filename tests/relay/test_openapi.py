"""`/openapi.json` names every route and no other, and a running relay answers as it says.

Requests come from schemathesis: each operation is asked with what its description allows and with what it
forbids. Of replies without an end only the head is compared.
"""

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS

from radio.clock import ManualClock
from radio.relay.openapi import describe
from radio.relay.ops import stream_gateway
from radio.relay.routes import ROUTES
from radio.relay.speech import speech_routes
from radio.settings import Limits
from radio.streams.stores.memory import MemoryStore
from tests.relay.airing import Air, Narrated
from tests.relay.conftest import NOW
from tests.relay.serving import Served, relay_on

OPERATOR = "operator-token-0123456789"
ENOUGH = Limits(
    casts_per_client_hour=10**6, casts_per_hour=10**6, listeners_per_client=10**4, events_per_client=10**4,
    gateway_bytes_per_s=10**9,
)  # fmt: skip
"""So much that only what a request says decides its answer."""
CHECKED = (
    # 500 stands in no description, so that it fails the first
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
)


def operations() -> dict[str, Any]:
    schema = schemathesis.openapi.from_dict(describe())
    found: list[Any] = [result.ok() for result in schema.get_all_operations()]  # type: ignore[union-attr]
    return {operation.definition.raw["operationId"]: operation for operation in found}


OPERATIONS = operations()
ENDLESS = {"hearStation", "followStation", "followCast", "hearAgain", "hearCast", "readRecords", "speak"}
"""Some of their replies have no end: the body is not waited for."""

MUCH_TO_FORBID = {
    "submitCast",
    "speak",
    "controlStation",
    "controlCasts",
    "readRecords",
    "hearAgain",
    "showArchive",
}


def test_it_names_every_route_and_no_other_and_so_does_the_page_for_people() -> None:
    described = {
        (method.upper(), path) for path, methods in describe()["paths"].items() for method in methods
    }
    assert described == {(route.method, route.path.replace(":.+", "")) for route in ROUTES}
    page = Path("docs/api.md").read_text(encoding="utf-8")
    assert described == set(re.findall(r"^### `([A-Z]+) (\S+)`$", page, re.M))


def test_every_operation_declares_its_path_and_has_a_name_of_its_own() -> None:
    names = []
    for path, methods in describe()["paths"].items():
        for method in methods.values():
            names.append(method["operationId"])
            declared = {one["name"] for one in method.get("parameters", ()) if one["in"] == "path"}
            assert declared == set(re.findall(r"{(\w+)}", path))
            assert method["summary"]
    assert len(names) == len(set(names))


def test_every_schema_is_used() -> None:
    text = str(describe())
    for name in describe()["components"]["schemas"]:
        assert f"'#/components/schemas/{name}'" in text, name


async def scene(store: MemoryStore, clock: ManualClock) -> dict[str, list[Any]]:
    """A station with a run and casts of each kind; what a path may name, by parameter."""
    air = await Air(store, clock).begin()
    await air.show(air.run, "Night Book")
    seqs = await air.say_many(3)
    await air.archive("old@20270114T0800", "Old", [(seqs[0], seqs[1])])
    done, failed, queued = [await Narrated.submit(store, clock, f"Cast {n}.") for n in range(3)]
    await done.start()
    await done.say(0, "Cast 0.")
    await done.end()
    await failed.start()
    await failed.end("failed")
    return {
        "station": ["harbor"],
        "cast": [done.cast, failed.cast, queued.cast],
        "epoch": ["0"],
        "n": [str(NOW // 6000 - 1), str(NOW // 6000)],
        "model": ["tts-1"],
        "path": ["style.css"],
        "seq": seqs,
    }


def asker(
    served: Served, named: dict[str, list[Any]], examples: int
) -> Callable[[str, GenerationMode], None]:
    """What asks one operation so often and compares each answer, on a thread of its own."""
    session = requests.Session()

    def ask(case: Any, pick: int, is_known: bool, checks: list[Any]) -> None:
        if is_known:
            for name in case.path_parameters:
                values = named[name]
                case.path_parameters[name] = values[pick % len(values)]
        case.headers = {**case.headers, "Authorization": f"Bearer {OPERATOR}"}
        prepared = session.prepare_request(
            requests.Request(**case.as_transport_kwargs(base_url=served.url.rstrip("/")))
        )
        with session.send(prepared, stream=True, timeout=60, allow_redirects=False) as reply:
            is_sound = "json" not in reply.headers["Content-Type"] if reply.status_code != 304 else True
            is_endless = case.operation.definition.raw["operationId"] in ENDLESS and is_sound
            if is_endless:
                reply._content, reply._content_consumed = b"", True
                reply.raw.close()
            case.validate_response(
                reply, checks=[one for one in checks if not (is_endless and "schema" in one.__name__)]
            )

    def run(name: str, mode: GenerationMode) -> None:
        names = [*CHECKED, "response_schema_conformance"]
        checks = [CHECKS.get_one(check) for check in names]

        is_positive = mode is GenerationMode.POSITIVE

        @given(
            case=OPERATIONS[name].as_strategy(generation_mode=mode),
            pick=st.integers(0, 9),
            is_known=st.booleans() if is_positive else st.just(False),
        )
        @settings(
            max_examples=examples if is_positive else max(examples // 2, 2), deadline=None, database=None,
            derandomize=examples < 50, suppress_health_check=list(HealthCheck), phases=[Phase.generate],
        )  # fmt: skip
        def all_of_it(case: Any, pick: int, is_known: bool) -> None:
            ask(case, pick, is_known, checks)

        all_of_it()

    return run


async def ask_everything(
    store: MemoryStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, examples: int, wrongly: set[str]
) -> None:
    monkeypatch.setattr(stream_gateway, "MAX_WAIT_S", 0)
    monkeypatch.setattr(speech_routes, "FIRST_S", 0.01)
    named = await scene(store, clock)
    async with relay_on(store, clock, limits=ENOUGH, operator_token=OPERATOR) as served:
        run = asker(served, named, examples)
        for name in OPERATIONS:
            await asyncio.to_thread(run, name, GenerationMode.POSITIVE)
        refused = {name for name in wrongly if await asyncio.to_thread(forbidden, run, name)}
    assert refused >= MUCH_TO_FORBID


def forbidden(run: Callable[[str, GenerationMode], None], name: str) -> bool:
    """Ask for what the description forbids. Returns False if it forbids nothing."""
    try:
        run(name, GenerationMode.NEGATIVE)
    except Unsatisfiable:
        return False
    return True


async def test_a_relay_answers_as_it_says(
    store: MemoryStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await ask_everything(store, clock, monkeypatch, 3, MUCH_TO_FORBID)


@pytest.mark.soak
async def test_a_relay_answers_as_it_says_whatever_is_asked(
    store: MemoryStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await ask_everything(store, clock, monkeypatch, 100, set(OPERATIONS))
