"""LLMs behind OpenAI-compatible servers: one of the test's own, and llama-cpp-python's with a real model."""

import asyncio
import json
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from radio import models
from radio.errors import BadInput
from radio.producers.models import openai_server
from radio.producers.models.chat_model import Message, OnlyThoughts, PromptTooLong, Sampling
from radio.producers.models.model_cache import ModelCache
from radio.producers.models.openai_server import ServerFailed, ServerModel
from radio.settings import Settings
from tests.need import need
from tests.waiting import until

CHAT = (Message("system", "You are Ada."), Message("user", "Talk about tea."))
SAMPLING = Sampling(max_tokens=20, temperature=0.5, seed=1 << 40, stop=("END",))


class Fake:
    """A server that says what the test tells it to."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.models: object = {"data": [{"id": "big-7b"}, {"id": "small-135m"}]}
        self.parts: list[str] = ["Tea ", "is warm."]
        self.status = 200
        self.body = b""
        self.hangs = False
        self.thoughts: dict[str, str] = {}
        self.refuses: tuple[str, ...] = ()
        self.is_left = asyncio.Event()
        self.url = ""

    async def list(self, request: web.Request) -> web.StreamResponse:
        self.keys.append(request.headers.get("Authorization"))
        return web.json_response(self.models, status=self.status)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.requests.append(await request.json())
        if self.status != 200:
            return web.Response(status=self.status, body=self.body)
        if any(key in self.requests[-1] for key in self.refuses):
            return web.Response(status=422, text="extra inputs are not permitted")
        out = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await out.prepare(request)
        if self.thoughts:
            thought = {"choices": [{"delta": self.thoughts}]}
            await out.write(b"data: " + json.dumps(thought).encode() + b"\n\n")
        for part in self.parts:
            event = {"choices": [{"delta": {"content": part}}]}
            await out.write(b": ping\n\ndata: " + json.dumps(event).encode() + b"\n\n")
        try:
            while self.hangs:
                await out.write(b": still here\n\n")
                await asyncio.sleep(0.02)
        finally:
            self.is_left.set()
        await out.write(self.body or b"data: [DONE]\n\n")
        return out


@pytest.fixture
async def fake() -> AsyncIterator[Fake]:
    made = Fake()
    app = web.Application()
    app.router.add_get("/v1/models", made.list)
    app.router.add_post("/v1/chat/completions", made.answer)
    running = TestServer(app)
    await running.start_server()
    made.url = str(running.make_url("/v1"))
    yield made
    await running.close()


async def said(fake: Fake, begun: str = "", chat: tuple[Message, ...] = CHAT, name: str = "") -> str:
    model = await ServerModel.open(fake.url + name)
    try:
        return "".join([part async for part in model.write(chat, begun, SAMPLING)])
    finally:
        await model.close()


async def whole(model: ServerModel, chat: tuple[Message, ...] = CHAT) -> list[str]:
    return [part async for part in model.write(chat, "", SAMPLING)]


async def test_the_answer_comes_as_it_is_made(fake: Fake) -> None:
    assert await said(fake) == "Tea is warm."
    [request] = fake.requests
    assert request["messages"] == [
        {"role": "system", "content": "You are Ada."},
        {"role": "user", "content": "Talk about tea."},
    ]
    asked = (
        request["max_tokens"],
        request["temperature"],
        request["stop"],
        request["stream"],
        request["model"],
    )
    assert asked == (20, 0.5, ["END"], True, "big-7b")
    assert 0 <= request["seed"] < 1 << 31


@pytest.mark.parametrize(
    "parts", [[" warm."], ["Tea ", "is warm."], ["T", "ea is", " warm."], ["", "\nTea is", " warm."]]
)
async def test_an_answer_that_is_begun_does_not_say_its_begin_again(fake: Fake, parts: list[str]) -> None:
    fake.parts = parts
    assert await said(fake, begun="Tea is") == " warm."
    assert fake.requests[0]["messages"][-1] == {"role": "assistant", "content": "Tea is"}


@pytest.mark.parametrize(("parts", "left"), [(["Te"], "Te"), (["Tea is"], ""), (["Team"], "Team"), ([], "")])
async def test_what_only_looks_like_its_begin_is_said(fake: Fake, parts: list[str], left: str) -> None:
    fake.parts = parts
    assert await said(fake, begun="Tea is") == left


async def test_a_model_is_chosen_by_name_and_known_by_its_size(fake: Fake) -> None:
    small, big = [await ServerModel.open(f"{fake.url}{name}") for name in ("#small-135m", "")]
    assert (small.is_small, big.is_small) == (True, False)
    assert small.name == "small-135m at 127.0.0.1"
    assert small.context_tokens == openai_server.CONTEXT_TOKENS
    await small.close()
    await big.close()
    with pytest.raises(BadInput, match="no model 'none'"):
        await ServerModel.open(f"{fake.url}#none")


async def test_what_the_server_says_of_its_model_counts(fake: Fake) -> None:
    fake.models = {"data": [{"id": "x", "meta": {"n_params": 3e9, "n_ctx": 8192}}]}
    model = await ServerModel.open(fake.url.removesuffix("/v1"))
    assert (model.context_tokens, model.is_small) == (8192, False)
    await model.close()


async def test_the_key_comes_from_the_environment(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    await said(fake)
    monkeypatch.setenv(openai_server.KEY_VARIABLE, "secret")
    await said(fake)
    assert fake.keys == [None, "Bearer secret"]


@pytest.mark.parametrize("name", ["reasoning", "reasoning_content"])
async def test_an_answer_of_thoughts_alone_is_an_error_with_a_hint(fake: Fake, name: str) -> None:
    fake.thoughts, fake.parts = {name: "The user wants"}, []
    fake.body = b'data: {"choices": [{"delta": {}, "finish_reason": "length"}]}\n\ndata: [DONE]\n\n'
    with pytest.raises(OnlyThoughts, match=r"big-7b.* thoughts") as failed:
        await said(fake)
    assert failed.value.hint
    fake.parts, fake.body = ["Tea."], b""
    assert await said(fake) == "Tea."


async def test_thinking_is_switched_off_where_the_server_can(fake: Fake) -> None:
    await said(fake)
    [request] = fake.requests
    assert request["chat_template_kwargs"] == {"enable_thinking": False}
    assert (request["enable_thinking"], request["reasoning_effort"]) == (False, "none")


@pytest.mark.parametrize("refused", ["chat_template_kwargs", "enable_thinking", "reasoning_effort"])
async def test_a_server_that_knows_no_such_switch_is_asked_without(fake: Fake, refused: str) -> None:
    fake.refuses = (refused,)
    model = await ServerModel.open(fake.url)
    assert await whole(model) == ["Tea ", "is warm."]
    assert await whole(model) == ["Tea ", "is warm."]
    assert [refused in request for request in fake.requests] == [True, False, False]
    await model.close()


async def test_a_prompt_that_is_too_long_is_not_sent(fake: Fake) -> None:
    with pytest.raises(PromptTooLong):
        await said(fake, chat=(Message("user", "x" * 3 * openai_server.CONTEXT_TOKENS),))
    assert fake.requests == []


@pytest.mark.parametrize(
    ("status", "body", "error", "message"),
    [
        (400, b'{"error": "exceeds the available context size"}', PromptTooLong, "too long"),
        (400, b"bad", ServerFailed, "answers 400"),
        (401, b"", ServerFailed, "answers 401"),
        (500, b"", ServerFailed, "answers 500"),
        (302, b"", ServerFailed, "answers 302"),
    ],
)
async def test_a_refusal_is_an_error(
    fake: Fake, status: int, body: bytes, error: type[Exception], message: str
) -> None:
    model = await ServerModel.open(fake.url)
    fake.status, fake.body = status, body
    with pytest.raises(error, match=message):
        await whole(model)
    await model.close()


@pytest.mark.parametrize(
    "body", [b'data: {"error": {"message": "x"}}\n\n', b"data: no json\n\n", b"data: " + b"x" * 300_000]
)
async def test_an_answer_that_breaks_off_is_an_error(fake: Fake, body: bytes) -> None:
    fake.body = body
    with pytest.raises(ServerFailed):
        await said(fake)


async def test_an_answer_without_end_is_an_error(fake: Fake) -> None:
    fake.parts = ["word " * 100] * 100
    with pytest.raises(ServerFailed, match="longer"):
        await said(fake)


async def test_a_server_that_falls_silent_is_an_error(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai_server, "SILENT_S", 0.2)

    async def silent(request: web.Request) -> web.StreamResponse:
        out = web.StreamResponse()
        await out.prepare(request)
        await asyncio.sleep(30)
        return out

    app = web.Application()
    app.router.add_get("/v1/models", fake.list)
    app.router.add_post("/v1/chat/completions", silent)
    running = TestServer(app)
    await running.start_server()
    model = await ServerModel.open(str(running.make_url("/v1")))
    with pytest.raises(ServerFailed, match="Timeout"):
        await whole(model)
    await model.close()
    await running.close()


async def test_closing_the_answer_ends_the_server_s_work(fake: Fake) -> None:
    fake.hangs = True
    model = await ServerModel.open(fake.url)
    async with aclosing(model.write(CHAT, "", SAMPLING)) as parts:
        assert await anext(parts) == "Tea "
    async with asyncio.timeout(60):
        await fake.is_left.wait()
    await model.close()


async def test_nobody_there_is_an_error_with_a_hint() -> None:
    with pytest.raises(ServerFailed, match="no model's server answers") as failed:
        await ServerModel.open("http://127.0.0.1:1/v1")
    assert failed.value.hint


async def test_an_operator_s_model_may_be_a_server(fake: Fake) -> None:
    model_cache = ModelCache()
    model = await model_cache.model(Settings(model=fake.url), "default")
    assert isinstance(model, ServerModel)
    assert await model_cache.model(Settings(model=fake.url), "default") is model
    await model_cache.close()


# --- the real server ----------------------------------------------------------------------------------------


@pytest.fixture
async def real(tmp_path: Path) -> AsyncIterator[str]:
    """llama-cpp-python's own server with the shipped model, as a process of its own."""
    need("llm")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    argv = ["--model", str(models.llm(Settings())), "--n_ctx", "2048", "--n_threads", "1"]
    with (tmp_path / "server.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "llama_cpp.server", *argv, "--host", "127.0.0.1", "--port", str(port),
            stdout=log, stderr=log,
        )  # fmt: skip
    url = f"http://127.0.0.1:{port}/v1"
    try:
        await until(lambda: _answers(url), within_s=120)
        yield url
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def _answers(url: str) -> bool:
    try:
        async with aiohttp.ClientSession() as session, session.get(f"{url}/models") as answer:
            return answer.status == 200
    except aiohttp.ClientError:
        return False


@pytest.mark.model
async def test_llama_cpp_python_s_server_tells_about_tea(real: str) -> None:
    model = await ServerModel.open(real)
    chat = (Message("user", "Say one short sentence about tea."),)
    parts = [part async for part in model.write(chat, "", Sampling(max_tokens=40, temperature=0.2, seed=1))]
    assert len(parts) > 3
    assert "tea" in "".join(parts).lower()
    with pytest.raises(PromptTooLong):
        await whole(model, (Message("user", "tea " * 2500),))
    async with aclosing(
        model.write(chat, "", Sampling(max_tokens=400, temperature=0.2, seed=1))
    ) as broken_off:
        await anext(broken_off)
    again = [part async for part in model.write(chat, "", Sampling(max_tokens=5, temperature=0.2, seed=1))]
    assert again
    await model.close()
