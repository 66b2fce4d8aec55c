"""What each failure of the SDK means: may it have had an effect, be tried again, and in which words."""

import asyncio
import logging

import pytest
import s2_sdk
from s2_sdk import _exceptions as sdk

from radio import log
from radio.settings import Settings
from radio.streams.contract import (
    BeyondTail,
    FenceMismatch,
    Position,
    SeqMismatch,
    StoreError,
    StreamDeleting,
    StreamNotFound,
    Unavailable,
)
from radio.streams.stores.s2.address import S2Address
from radio.streams.stores.s2.call_tasks import CallTasks
from radio.streams.stores.s2.failures import CallFailed, Denied, NoBasin, Verdict
from radio.streams.stores.s2.sdk import BasinClient, SdkSession, judge, translate

PLACE = S2Address("radio-main", "http://127.0.0.1:4002", "http://127.0.0.1:4002", "very-secret-token")
SETTINGS = bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
"""An empty HTTP/2 frame, with which a server begins."""
REFUSED, UNKNOWN, FINAL = Verdict.REFUSED, Verdict.UNKNOWN, Verdict.FINAL


def server(status: int, code: str = "other") -> s2_sdk.S2ServerError:
    return s2_sdk.S2ServerError(code, "because", status)


def client(cause: Exception | None = None) -> s2_sdk.S2ClientError:
    """As the SDK raises it: its own message for what it refuses, the cause's for what broke below."""
    error = s2_sdk.S2ClientError(cause or "Invalid stream name")
    error.__cause__ = cause
    return error


def refused_connection() -> sdk.ConnectError:
    error = sdk.ConnectError("[Errno 111] Connect call failed")
    error.__cause__ = ConnectionRefusedError(111, "Connect call failed")
    return error


TABLE = [
    # the server refused for now, and promises that nothing happened
    (server(503, "unavailable"), REFUSED, Unavailable),
    (server(429, "rate_limited"), REFUSED, Unavailable),
    (server(429), REFUSED, Unavailable),
    (server(502, "hot_server"), REFUSED, Unavailable),
    (server(409, "transaction_conflict"), REFUSED, Unavailable),
    (sdk.ServerDrainingError("server_draining", "draining", 503), REFUSED, Unavailable),
    # no request had been sent
    (client(refused_connection()), REFUSED, Unavailable),
    (client(sdk.ConnectError("Connection to 127.0.0.1:4002 timed out")), REFUSED, Unavailable),
    (client(sdk.ConnectionRetiredError("Connection is retired")), REFUSED, Unavailable),
    # sent, and then silence: it may have been done
    (client(sdk.ReadTimeoutError("Request timed out")), UNKNOWN, Unavailable),
    (client(sdk.ConnectionClosedError("Connection closed by remote")), UNKNOWN, Unavailable),
    (client(sdk.ConnectionClosedError("recv_loop error: [Errno 104]")), UNKNOWN, Unavailable),
    (client(sdk.ProtocolError("Stream reset with error code 2", 2)), UNKNOWN, Unavailable),
    (client(ValueError("unreadable reply")), UNKNOWN, Unavailable),
    (client(OSError(104, "reset")), UNKNOWN, Unavailable),
    (sdk.AppendIndefiniteFailureError(server(503, "unavailable")), UNKNOWN, Unavailable),
    (TimeoutError(), UNKNOWN, Unavailable),
    (server(408), UNKNOWN, Unavailable),
    (server(500, "storage"), UNKNOWN, Unavailable),
    (server(500, "other"), UNKNOWN, Unavailable),
    (server(502), UNKNOWN, Unavailable),
    (server(503), UNKNOWN, Unavailable),
    (server(504), UNKNOWN, Unavailable),
    # an answer that will not change
    (sdk.SeqNumMismatchError("unknown", "mismatch", 412, expected_seq_num=7), FINAL, SeqMismatch),
    (sdk.FencingTokenMismatchError("unknown", "mismatch", 412, "e1.me"), FINAL, FenceMismatch),
    (sdk.ReadUnwrittenError("unknown", "416", 416, s2_sdk.StreamPosition(5, 9)), FINAL, BeyondTail),
    (server(404, "stream_not_found"), FINAL, StreamNotFound),
    (server(409, "stream_deletion_pending"), FINAL, StreamDeleting),
    (server(404, "basin_not_found"), FINAL, NoBasin),
    (server(409, "basin_deletion_pending"), FINAL, NoBasin),
    (server(409, "resource_already_exists"), FINAL, StoreError),
    (server(401, "authentication"), FINAL, Denied),
    (server(403, "permission_denied"), FINAL, Denied),
    (server(400, "bad_path"), FINAL, StoreError),
    (server(422, "invalid"), FINAL, StoreError),
    (server(501), FINAL, StoreError),
    (client(), FINAL, StoreError),
]


@pytest.mark.parametrize(("error", "verdict", "kind"), TABLE, ids=lambda v: str(v).replace("/", "_")[:60])
def test_each_failure_has_its_verdict_and_its_words(
    error: Exception, verdict: Verdict, kind: type[StoreError]
) -> None:
    assert judge(error) is verdict
    assert type(translate(error, PLACE, "a/b")) is kind


def test_the_facts_of_a_refusal_are_kept() -> None:
    fence = translate(sdk.FencingTokenMismatchError("unknown", "", 412, "e1.me"), PLACE, "a")
    place = translate(sdk.SeqNumMismatchError("unknown", "", 412, expected_seq_num=7), PLACE, "a")
    beyond = translate(sdk.ReadUnwrittenError("", "", 416, s2_sdk.StreamPosition(5, 9)), PLACE, "a")
    missing = translate(server(404, "stream_not_found"), PLACE, "a/b")
    assert isinstance(fence, FenceMismatch)
    assert isinstance(place, SeqMismatch)
    assert isinstance(beyond, BeyondTail)
    assert isinstance(missing, StreamNotFound)
    assert (fence.actual, place.actual, beyond.tail, missing.name) == ("e1.me", 7, Position(5, 9), "a/b")


def test_every_class_of_the_sdk_that_can_fail_a_call_is_in_the_table() -> None:
    tabled = {type(error) for error, _, _ in TABLE} | {type(error.__cause__) for error, _, _ in TABLE}
    abstract = {s2_sdk.S2Error, s2_sdk.AppendConditionError, sdk.TransportError}
    defined = {v for v in vars(sdk).values() if isinstance(v, type) and issubclass(v, Exception)}
    assert defined - abstract <= tabled


@pytest.mark.parametrize(
    "error",
    [
        server(401, "authentication"),
        client(ValueError("bad header b'Bearer very-secret-token'")),
        s2_sdk.S2ServerError("other", "token very-secret-token is unknown", 500),
    ],
    ids=["answer", "library", "server"],
)
def test_no_error_shows_the_token(error: Exception) -> None:
    translated = translate(error, PLACE, "a")
    assert "very-secret" not in f"{translated} {translated.hint} {translated!r} {PLACE} {PLACE!r}"


def test_a_page_of_a_proxy_is_cut_short() -> None:
    assert len(str(translate(s2_sdk.S2ServerError("unknown", "<p>" * 9999, 502), PLACE, "a"))) < 500


async def test_a_server_that_is_not_there_is_named_with_a_hint() -> None:
    from tests.s2_server import free_port

    origin = f"http://127.0.0.1:{free_port()}"
    nobody = BasinClient(S2Address("radio-main", origin, origin))
    try:
        with pytest.raises(CallFailed) as failed:
            await nobody.check_tail("a")
    finally:
        await nobody.close()
    assert failed.value.verdict is REFUSED
    assert origin in str(failed.value.error)
    assert "S2 Lite" in failed.value.error.hint


class Broken:
    """A session of the library that ends with an error."""

    def __init__(self, error: s2_sdk.S2Error) -> None:
        self._error = error

    async def __anext__(self) -> s2_sdk.ReadBatch:
        raise self._error

    async def close(self) -> None:
        """Nothing is open."""


@pytest.mark.parametrize(
    ("error", "verdict"),
    [(s2_sdk.S2ClientError("Session terminated"), UNKNOWN), (server(404, "stream_not_found"), FINAL)],
    ids=["the library's", "the server's"],
)
async def test_what_ends_a_session_ends_a_follow_only_if_the_server_says_so(
    error: s2_sdk.S2Error, verdict: Verdict
) -> None:
    session = SdkSession(Broken(error), CallTasks(), PLACE, "a")  # type: ignore[arg-type]  # as much as is used
    with pytest.raises(CallFailed) as failed:
        await session.next()
    assert failed.value.verdict is verdict
    await session.close()


async def test_the_log_never_shows_the_token_whatever_its_level(capfd: pytest.CaptureFixture[str]) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(SETTINGS)
        while not heard or b"\x01\x05" not in heard[-1][3:5]:  # until a request's headers came
            heard.append(await reader.read(1 << 16))
        writer.close()

    heard: list[bytes] = []
    listening = await asyncio.start_server(answer, "127.0.0.1", 0)
    origin = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    root = logging.getLogger()
    before = root.level, list(root.handlers)
    log.setup(Settings(log_level="debug"), "test")
    caller = BasinClient(S2Address("radio-main", origin, origin, "very-secret-token"))
    try:
        logging.getLogger("test").debug("heard")
        with pytest.raises(CallFailed):
            await caller.check_tail("a")
    finally:
        await caller.close()
        listening.close()
        root.setLevel(before[0])
        root.handlers[:] = before[1]
        logging.captureWarnings(False)
    said = capfd.readouterr().err
    assert "heard" in said
    assert "very-secret" not in said
    assert "header block" not in said  # which holds it in the code of HTTP/2
