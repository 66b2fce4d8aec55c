"""An LLM behind an OpenAI-compatible server: llama-server, llama-cpp-python, Ollama, vLLM and others.

The model's name is the server's address: `http://127.0.0.1:8080/v1`, with the name of one of its models as
`#name` where it has several. A key, if the server wants one, comes from the environment alone.
"""

import json
import logging
import os
import re
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Any

import aiohttp
from yarl import URL

from radio.errors import BadInput, RadioError
from radio.log import log_event
from radio.producers.models.chat_model import Message, OnlyThoughts, PromptTooLong, Sampling

log = logging.getLogger(__name__)

KEY_VARIABLE = "RADIO_MODEL_KEY"
CONTEXT_TOKENS = 4096
"""Of a server that does not say."""
CONNECT_S = 10.0
SILENT_S = 90.0
"""Between two parts of an answer: a server reads a long prompt, or serves others first."""
MAX_CHARS_A_TOKEN = 40
"""An answer with more is not one of the tokens that were asked for."""
_SMALL = 1e9
_BYTES_A_TOKEN = 2
_TOKENS_A_MESSAGE = 12
"""Tokens cannot be counted here: so few bytes are one in any language, and so many are a turn's frame."""
_NO_THOUGHTS: dict[str, Any] = {
    "chat_template_kwargs": {"enable_thinking": False},
    "enable_thinking": False,
    "reasoning_effort": "none",
}
"""How servers are told that a model shall not think: vLLM, SGLang and llama-server, hosted Qwen, and Ollama.

Most pass over what they do not know. One that refuses it is asked without it from then on.
"""
_THOUGHTS = ("reasoning_content", "reasoning")
"""Under which names servers stream thoughts, apart from the answer."""
_UNKNOWN_KEYS = (400, 422)
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([bm])\b", re.IGNORECASE)


class ServerFailed(RadioError):
    """The model's server does not answer as it should."""


def is_server(name: str) -> bool:
    """Whether a model's name is the address of a server."""
    return name.startswith(("http://", "https://"))


class _KeysRefused(ServerFailed):
    """The server takes no request with these keys."""


class ServerModel:
    """See `chat_model.ChatModel`."""

    def __init__(self, base: URL, session: aiohttp.ClientSession, told: dict[str, Any]) -> None:
        self._base = base
        self._session = session
        self._id = str(told.get("id") or "")
        self.name = f"{self._id} at {base.host}"
        meta = told.get("meta") or {}
        self.context_tokens = int(meta.get("n_ctx") or told.get("max_model_len") or CONTEXT_TOKENS)
        self.is_small = _weights(meta, self._id) < _SMALL
        self._switches = _NO_THOUGHTS

    @classmethod
    async def open(cls, name: str) -> "ServerModel":
        """Ask the server which models it has.

        Raises:
            ServerFailed: it does not answer.
            BadInput: it has not that model.
        """
        url = URL(name)
        base = url.with_fragment(None) if url.path.rstrip("/") else url.with_fragment(None) / "v1"
        session = aiohttp.ClientSession(headers=_headers(), timeout=_timeout(), trust_env=False)
        try:
            models = (await _asked(session, base / "models")).get("data") or [{}]
            told = next((m for m in models if url.fragment in ("", m.get("id"))), None)
            if told is None:
                known = ", ".join(str(m.get("id")) for m in models[:10])
                raise BadInput(f"the server has no model {url.fragment!r}", hint=f"it has {known}")
            opened = cls(base, session, told)
        except BaseException:
            await session.close()
            raise
        log.info("model's server answers", extra=log_event("llm.server", model=opened.name))
        return opened

    async def tokens(self, chat: Sequence[Message], begun: str = "") -> int:
        """See `ChatModel`: an estimate that is not too low."""
        words = begun + "".join(message.content for message in chat)
        return len(words.encode()) // _BYTES_A_TOKEN + _TOKENS_A_MESSAGE * (len(chat) + 1)

    async def write(
        self, chat: Sequence[Message], begun: str, sampling: Sampling
    ) -> AsyncGenerator[str, None]:
        """See `ChatModel`."""
        if await self.tokens(chat, begun) + sampling.max_tokens > self.context_tokens:
            raise PromptTooLong(f"prompt and answer are longer than {self.context_tokens} tokens")
        length, request = 0, _request(self._id, chat, begun, sampling)
        async with (
            aclosing(self._without_thoughts(request)) as parts,
            aclosing(_without(begun.strip(), parts)) as rest,
        ):
            async for part in rest:
                length += len(part)
                if length > sampling.max_tokens * MAX_CHARS_A_TOKEN:
                    raise ServerFailed("the answer is longer than what was asked for")
                yield part

    async def close(self) -> None:
        await self._session.close()

    async def _without_thoughts(self, request: dict[str, Any]) -> AsyncGenerator[str, None]:
        """The answer, with thinking switched off where the server lets us."""
        try:
            async with aclosing(self._answer({**request, **self._switches})) as parts:
                async for part in parts:
                    yield part
            return
        except _KeysRefused:
            if not self._switches:
                raise
        async with aclosing(self._answer(request)) as parts:
            async for part in parts:
                yield part
        self._switches = {}

    async def _answer(self, request: dict[str, Any]) -> AsyncGenerator[str, None]:
        """The parts of the answer, as the server streams them. Raises `OnlyThoughts` if they are none."""
        was_said = was_thought = False
        async for delta in self._deltas(request):
            part = str(delta.get("content") or "")
            was_said = was_said or bool(part.strip())
            was_thought = was_thought or any(delta.get(name) for name in _THOUGHTS)
            yield part
        if was_thought and not was_said:
            raise OnlyThoughts(
                f"{self.name} spent its whole answer on thoughts",
                hint="switch thinking off at its server, or take a model that does not think",
            )

    async def _deltas(self, request: dict[str, Any]) -> AsyncGenerator[dict[str, Any], None]:
        try:
            url = self._base / "chat" / "completions"
            async with self._session.post(url, json=request, allow_redirects=False) as answer:
                if answer.status != 200:
                    raise _refused(answer.status, await answer.content.read(4096))
                async for line in answer.content:
                    if (data := line.strip().removeprefix(b"data:").strip()) == b"[DONE]":
                        return
                    if line.startswith(b"data:") and data:
                        yield _delta(data)
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as e:
            if isinstance(e, RadioError):
                raise
            raise ServerFailed(f"the model's server fails: {type(e).__name__}") from e


async def _asked(session: aiohttp.ClientSession, url: URL) -> dict[str, Any]:
    try:
        async with session.get(url, allow_redirects=False) as answer:
            if answer.status != 200:
                raise _refused(answer.status, b"")
            values = await answer.json(content_type=None)
    except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as e:
        if isinstance(e, RadioError):
            raise
        raise ServerFailed(
            f"no model's server answers at {url.host}:{url.port}: {type(e).__name__}",
            hint="start it, or mend `model`",
        ) from e
    if not isinstance(values, dict):
        raise ServerFailed("the model's server lists no models")
    return values


def _request(model: str, chat: Sequence[Message], begun: str, sampling: Sampling) -> dict[str, Any]:
    """With the answer's begin as the last turn: a server that can goes on with it, others may repeat it."""
    turns = [{"role": message.role, "content": message.content} for message in chat]
    if begun:
        turns.append({"role": "assistant", "content": begun})
    more = {"continue_final_message": True, "add_generation_prompt": False} if begun else {}
    return {
        "model": model,
        "messages": turns,
        "stream": True,
        "max_tokens": sampling.max_tokens,
        "temperature": sampling.temperature,
        "seed": sampling.seed & 0x7FFFFFFF,
        **({"stop": list(sampling.stop)} if sampling.stop else {}),
        **more,
    }


def _delta(data: bytes) -> dict[str, Any]:
    values = json.loads(data)
    if "error" in values:
        raise ServerFailed("the model's server breaks off with an error")
    choices = values.get("choices") or [{}]
    return choices[0].get("delta") or {}


async def _without(begun: str, parts: AsyncGenerator[str, None]) -> AsyncGenerator[str, None]:
    """The answer without its begin, if it says that again."""
    held, is_open = "", bool(begun)
    async for part in parts:
        if not is_open:
            yield part
            continue
        held += part
        said = held.lstrip()
        if len(said) < len(begun) and begun.startswith(said):
            continue
        is_open = False
        yield said[len(begun) :] if said.startswith(begun) else held
    if is_open and held.strip() != begun:
        yield held


def _refused(status: int, body: bytes) -> RadioError:
    if status == 400 and re.search(rb"context|too long|maximum.{0,20}tokens", body, re.IGNORECASE):
        return PromptTooLong("the model's server finds the prompt too long for its context")
    hint = f"set {KEY_VARIABLE}" if status in (401, 403) else ""
    if status in _UNKNOWN_KEYS:
        return _KeysRefused(f"the model's server answers {status}")
    return ServerFailed(f"the model's server answers {status}", hint=hint)


def _weights(meta: dict[str, Any], name: str) -> float:
    """How many weights a model has, as the server or its name says; very many if neither does."""
    if meta.get("n_params"):
        return float(meta["n_params"])
    found = _SIZE.search(name.replace("_", " ").replace("-", " "))
    return float(found[1]) * (1e9 if found[2] in "bB" else 1e6) if found else float("inf")


def _headers() -> dict[str, str]:
    key = os.environ.get(KEY_VARIABLE, "")
    return {"Authorization": f"Bearer {key}"} if key else {}


def _timeout() -> aiohttp.ClientTimeout:
    return aiohttp.ClientTimeout(total=None, connect=CONNECT_S, sock_read=SILENT_S)
