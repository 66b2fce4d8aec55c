"""Who may do what, what every answer carries, how much anybody gets, and what no log says."""

import asyncio
import json
import logging
from pathlib import Path
from typing import Any

import pytest

from radio import casts
from radio.clock import ManualClock
from radio.errors import BadInput
from radio.log import JsonFormat, TextFormat
from radio.relay import app, context
from radio.relay.context import make_relay
from radio.relay.http import connection_limit
from radio.relay.routes import ROUTES
from radio.settings import Limits, Settings
from radio.streams import names
from radio.streams.contract import FromSeq, StreamNotFound
from radio.streams.records import CONTROL, ControlRequest, decode
from radio.streams.stores.memory import MemoryStore
from tests.relay.airing import Air, Narrated
from tests.relay.serving import Served, relay_on
from tests.waiting import until

OPERATOR = "operator-token-0123456789"
SUBMIT = "submit-token-0123456789"
MARK = "Quittenmarmelade"


def by(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def orders(store: MemoryStore) -> list[tuple[str, str, str]]:
    try:
        page = await store.read(names.CONTROL, FromSeq(0))
    except StreamNotFound:
        return []
    asked = [decode(CONTROL, record) for record in page.records]
    return [(one.what, one.target, one.detail) for one in asked if isinstance(one, ControlRequest)]


async def order(served: Served, path: str, body: Any, **headers: str) -> tuple[int, Any]:
    async with served.http.post(served.at(path), json=body, headers=headers) as reply:
        return reply.status, await reply.json()


async def test_stations_are_controlled_with_the_operators_token_and_by_nobody_else(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    path = "/stations/harbor/control"
    async with relay_on(store, clock, operator_token=OPERATOR, submit_token=SUBMIT) as served:
        for headers in ({}, by("x"), by(SUBMIT), by(OPERATOR + "0"), {"Authorization": OPERATOR}):
            async with served.http.post(served.at(path), json={"ask": "skip"}, headers=headers) as reply:
                assert (reply.status, reply.headers["WWW-Authenticate"]) == (401, "Bearer")
        assert (await order(served, path + f"?token={OPERATOR}", {"ask": "skip"}))[0] == 401
        assert await orders(store) == []
        said = {"ask": "say", "text": "The bridge is open again, after a week. Drive with care, it is wet."}
        status, told = await order(served, path, said, **by(OPERATOR))
        assert (status, told["ask"], told["station"]) == (202, "say", "harbor")
        for ask in ("skip", "mute", "unmute"):
            assert (await order(served, path, {"ask": ask}, **by(OPERATOR)))[0] == 202
        wanted = [("say", "harbor", sentence) for sentence in said["text"].split(". ", 1)]
        wanted[0] = ("say", "harbor", "The bridge is open again, after a week.")
        assert await orders(store) == [*wanted, *((ask, "harbor", "") for ask in ("skip", "mute", "unmute"))]
        for wrong, status in (
            ({"ask": "say"}, 400), ({"ask": "dry"}, 400), ({}, 400), ({"ask": "skip", "text": "a"}, 400),
            ({"ask": "say", "text": " "}, 400), ({"ask": "say", "text": "a" * 5001}, 400), ({"ask": []}, 400),
            ({"ask": "skip", "station": "x"}, 400), ([], 400), ({"ask": "say", "text": "\ud800 a."}, 400),
        ):  # fmt: skip
            assert (await order(served, path, wrong, **by(OPERATOR)))[0] == status
        assert (await order(served, "/stations/nowhere/control", {"ask": "skip"}, **by(OPERATOR)))[0] == 404
        foreign = {**by(OPERATOR), "Origin": "http://elsewhere.example"}
        assert (await order(served, path, {"ask": "skip"}, **foreign))[0] == 403


async def test_a_radio_without_an_operator_token_takes_no_orders(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    async with relay_on(store, clock) as served:
        for path, body in (
            ("/stations/harbor/control", {"ask": "skip"}),
            ("/casts/control", {"ask": "pause"}),
        ):
            for token in ("", "anything-at-all-0123"):
                status, told = await order(served, path, body, **by(token))
                assert (status, "operator token" in told["hint"]) == (403, True)
        assert await orders(store) == []


async def test_casts_are_paused_and_resumed_with_the_operators_token(
    store: MemoryStore, clock: ManualClock
) -> None:
    async with relay_on(store, clock, operator_token=OPERATOR) as served:
        assert (await order(served, "/casts/control", {"ask": "pause"}))[0] == 401
        assert (await order(served, "/casts/control", {"ask": "pause"}, **by(OPERATOR)))[0] == 202
        await until(lambda: served.relay.stations.are_casts_paused)
        assert (await order(served, "/casts", {"text": "One."}))[0] == 503
        assert (await order(served, "/casts/control", {"ask": "resume"}, **by(OPERATOR)))[0] == 202
        await until(lambda: not served.relay.stations.are_casts_paused)
        assert (await order(served, "/casts", {"text": "One."}))[0] == 201
        assert (await order(served, "/casts/control", {"ask": "skip"}, **by(OPERATOR)))[0] == 400


async def test_a_cast_is_removed_by_its_submitter_or_for_good_by_the_operator(
    store: MemoryStore, clock: ManualClock
) -> None:
    mine, other = [await Narrated.submit(store, clock, text) for text in ("Mine.", "Other.")]
    async with relay_on(store, clock, operator_token=OPERATOR) as served:

        async def removed(cast: str, **headers: str) -> int:
            async with served.http.delete(served.at(f"/casts/{cast}"), headers=headers) as reply:
                return reply.status

        assert await removed(mine.cast) == 401
        assert await removed(mine.cast, **by(other.token)) == 403
        async with served.http.delete(served.at(f"/casts/{mine.cast}?token={mine.token}")) as reply:
            assert reply.status == 401
        assert await orders(store) == []
        assert await removed(mine.cast, **by(mine.token)) == 202
        assert await removed(other.cast, **by(OPERATOR)) == 202
    assert await orders(store) == [
        ("remove", mine.cast, "submitter"),
        ("remove", other.cast, casts.OPERATOR),
    ]


async def test_texts_are_taken_with_the_submit_token_where_there_is_one(
    store: MemoryStore, clock: ManualClock
) -> None:
    async with relay_on(store, clock, operator_token=OPERATOR, submit_token=SUBMIT) as served:
        assert (await order(served, "/casts", {"text": "One."}))[0] == 401
        status, told = await order(served, "/v1/audio/speech", {"input": "One."}, **by("sk-another-key-000"))
        assert (status, told["error"]["code"]) == (401, "invalid_api_key")
        assert (await store.list(names.CATALOG)).items == ()
        assert (await order(served, "/casts", {"text": "One."}, **by(SUBMIT)))[0] == 201
        assert (await order(served, "/casts", {"text": "Two."}, **by(OPERATOR)))[0] == 201


def test_tokens_come_from_files_and_one_that_could_be_guessed_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(f"{OPERATOR}\n")
    relay = _relay(operator_token="of-the-environment-0123", operator_token_file=str(file))
    assert relay.rights.operator == OPERATOR
    assert OPERATOR not in repr(relay.rights) + repr(relay.settings)
    file.write_text("short")
    for settings in (
        {"operator_token_file": str(file)}, {"submit_token": "short"}, {"submit_token": "with a space in it"},
        {"submit_token_file": str(tmp_path / "none")},
    ):  # fmt: skip
        with pytest.raises(BadInput) as refused:
            _relay(**settings)
        assert "short" not in str(refused.value).replace("too short", "")


def _relay(**settings: Any) -> Any:
    clock = ManualClock(1_800_000_000_000)
    return make_relay(Settings(**settings), MemoryStore(clock), clock, store_id="x", pages=Path("web"))


async def test_every_answer_carries_a_strict_policy_and_tells_nothing_of_what_serves_it(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    await air.say("Hello.")
    paths = [
        route.path.replace("{station}", "harbor").replace("{path:.+}", "style.css")
        for route in ROUTES
        if route.method == "GET"
    ]
    async with relay_on(store, clock) as served:
        for method, path in [("HEAD", path) for path in paths] + [
            ("GET", "/nothing"), ("GET", "/stations/nowhere"), ("PUT", "/casts"), ("OPTIONS", "/casts"),
            ("POST", "/casts"), ("POST", "/v1/audio/speech"), ("DELETE", "/casts/aaaaaaaaaaaa"),
            ("GET", "/../../etc/passwd"), ("GET", "/s2/records?stream=jobs"),
        ]:  # fmt: skip
            async with served.http.request(method, served.at(path)) as reply:
                policy = reply.headers["Content-Security-Policy"]
                assert "default-src 'self'" in policy or "default-src 'none'" in policy, path
                assert ("unsafe" in policy, "*" in policy.split("frame-ancestors")[0]) == (False, False), path
                assert reply.headers["X-Content-Type-Options"] == "nosniff"
                assert reply.headers["Referrer-Policy"] == "no-referrer"
                assert reply.headers["Server"] == "radio"
                assert "Set-Cookie" not in reply.headers
        tag = (await served.http.head(served.at("/web/style.css"))).headers["ETag"]
        unchanged = {"If-None-Match": tag}
        async with served.http.get(served.at("/web/style.css"), headers=unchanged) as reply:
            assert (reply.status, reply.headers["X-Content-Type-Options"]) == (304, "nosniff")


async def test_who_comes_when_all_connections_are_taken_is_told_so(
    store: MemoryStore, clock: ManualClock
) -> None:
    async with relay_on(store, clock, limits=Limits(connections=2)) as served:
        kept = [await served.raw("/healthz"), await served.raw("/healthz")]
        full = await served.raw("/healthz")
        assert full.status == "HTTP/1.1 503 Service Unavailable"
        assert (full.headers["retry-after"], full.headers["connection"]) == ("30", "close")
        assert json.loads(await full.take(int(full.headers["content-length"])))["status"] == 503
        await kept[0].close()
        await until(lambda: served.relay.connections < 2)
        assert (await served.raw("/healthz")).status == "HTTP/1.1 200 OK"


async def test_a_connection_that_does_not_ask_to_the_end_is_closed(
    store: MemoryStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "KEEP_ALIVE_S", 0.2)
    async with relay_on(store, clock) as served:
        for begun in (b"", b"GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow: "):
            reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
            writer.write(begun)
            async with asyncio.timeout(60):
                assert await reader.read() == b""
            writer.close()


async def test_who_sends_many_texts_at_once_is_refused_the_rest_and_others_are_not(
    store: MemoryStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(context, "TEXTS_PER_CLIENT", 3)
    half = ("Content-Type: text/plain", "Content-Length: 100", "X-Forwarded-For: 10.0.0.1")
    async with relay_on(store, clock, trusted_hops=1) as served:
        begun: list[asyncio.StreamWriter] = []
        for _ in range(3):
            _, writer = await asyncio.open_connection("127.0.0.1", served.port)
            writer.write(
                "\r\n".join(("POST /casts HTTP/1.1", "Host: 127.0.0.1", *half, "", "half of it")).encode()
            )
            begun.append(writer)
        await until(lambda: served.relay.sending["10.0.0.1"] == 3)
        refused = await served.raw("/casts", *half, method="POST")
        assert refused.status == "HTTP/1.1 503 Service Unavailable"
        assert (await order(served, "/casts", {"text": "One."}, **{"X-Forwarded-For": "10.0.0.2"}))[0] == 201
        for writer in begun:
            writer.transport.abort()
        await until(lambda: served.relay.sending.total() == 0)


async def test_nothing_of_a_text_is_waited_for_that_comes_without_the_token(
    store: MemoryStore, clock: ManualClock
) -> None:
    half = ("Content-Type: application/json", "Content-Length: 100")
    async with relay_on(store, clock, submit_token=SUBMIT) as served:
        for path in ("/casts", "/v1/audio/speech"):
            assert (await served.raw(path, *half, method="POST")).status == "HTTP/1.1 401 Unauthorized"


async def test_events_and_waiting_reads_have_a_limit_for_each_client(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    cast = await Narrated.submit(store, clock, "Waiting.")
    records = "/s2/records?stream=pub/stations/harbor"
    async with relay_on(store, clock, limits=Limits(events_per_client=2), trusted_hops=1) as served:
        await served.raw("/stations/harbor/events", "X-Forwarded-For: 10.0.0.1")
        kept = await served.raw(f"/casts/{cast.cast}/events", "X-Forwarded-For: 10.0.0.1")
        sse = "Accept: text/event-stream"
        for path, *more in (("/stations/harbor/events",), (records + "&wait=9",), (records, sse)):
            raw = await served.raw(path, "X-Forwarded-For: 10.0.0.1", *more)
            assert raw.status == "HTTP/1.1 503 Service Unavailable", path
        assert (await served.raw(records, "X-Forwarded-For: 10.0.0.1")).status == "HTTP/1.1 200 OK"
        assert (await served.raw(records, "X-Forwarded-For: 10.0.0.2", sse)).status == "HTTP/1.1 200 OK"
        await kept.close()
        await until(lambda: served.relay.following["10.0.0.1"] == 1)


async def test_no_log_line_and_no_error_tells_a_text_a_title_or_a_token(
    air: Air, store: MemoryStore, clock: ManualClock, caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    caplog.set_level(logging.DEBUG)
    await air.begin()
    told: list[str] = []
    marked = {"text": f"{MARK}. Two.", "title": MARK}
    async with relay_on(store, clock, operator_token=OPERATOR, limits=Limits(cast_characters=60)) as served:

        async def ask(method: str, path: str, **options: Any) -> None:
            async with served.http.request(method, served.at(path), **options) as reply:
                told.append(f"{dict(reply.headers)}{await reply.text()}" if reply.status >= 400 else "")

        cast = await Narrated.submit(store, clock, f"{MARK}. Three.")
        await cast.start()
        await cast.say(0, f"{MARK}.")
        await cast.end("failed")
        for body in (
            {**marked, "voice": "nobody"}, {**marked, "speed": 9}, {"text": MARK * 20}, {"text": [MARK]},
            {"text": MARK, "title": [MARK]}, marked,
        ):  # fmt: skip
            await ask("POST", "/casts", json=body)
            await ask("POST", "/v1/audio/speech", json={"input": body["text"], "voice": "nobody"})
        await ask("POST", "/casts", data=f'{{"text": "{MARK}', headers={"Content-Type": "application/json"})
        await ask("POST", "/casts", data=MARK.encode("utf-16"), headers={"Content-Type": "text/plain"})
        await ask("POST", "/casts", data=MARK * 9, headers={"Content-Type": "text/plain"})
        await ask("GET", f"/casts/{cast.cast}.mp3")
        await ask("DELETE", f"/casts/{cast.cast}", headers=by(f"{MARK}-and-{cast.token}"))
        await ask("POST", "/stations/harbor/control", json={"ask": MARK, "text": MARK}, headers=by(OPERATOR))
        await ask("POST", "/stations/harbor/control", json={"ask": "say", "text": MARK}, headers=by(MARK * 2))

        def broken(*_: Any, **__: Any) -> Any:
            raise RuntimeError("a fault of ours")

        monkeypatch.setattr(casts, "submit", broken)
        await ask("POST", "/casts", json={"text": f"{MARK} again."})
    assert sum(map(bool, told)) >= 15
    logged = [form("relay").format(record) for form in (JsonFormat, TextFormat) for record in caplog.records]
    assert any("a fault of ours" in line for line in logged)
    for line in (*told, *logged):
        assert not {word for word in (MARK, OPERATOR, cast.token) if word in line}, line[:2000]


def test_what_is_sent_to_whom_there_is_no_room_for_is_whole() -> None:
    head, _, body = connection_limit._FULL.partition(b"\r\n\r\n")
    assert f"Content-Length: {len(body)}".encode() in head
    assert json.loads(body)["hint"]
