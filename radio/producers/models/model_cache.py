"""The LLMs of one producer process: each is opened once, however often the host begins anew."""

import asyncio
from contextlib import AsyncExitStack

from radio import models
from radio.producers.models.chat_model import ChatModel
from radio.producers.models.openai_server import ServerModel, is_server
from radio.settings import Settings


class ModelCache:
    """Opens models by name and keeps them. Closed by who made it."""

    def __init__(self) -> None:
        self._open: dict[str, ChatModel] = {}

    async def model(self, settings: Settings, name: str) -> ChatModel:
        """The model of this name: `default`, a listed one, the path of a GGUF, or the address of a server.

        Raises:
            ModelMissing, UnknownModel, BadInput, Unsupported, ServerFailed
        """
        if name not in self._open:
            self._open[name] = await _opened(settings, name)
        return self._open[name]

    async def close(self) -> None:
        async with AsyncExitStack() as stack:
            for model in self._open.values():
                stack.push_async_callback(model.close)
            self._open.clear()


async def _opened(settings: Settings, name: str) -> ChatModel:
    name = settings.model if name == "default" else name
    if is_server(name):
        return await ServerModel.open(name)
    from radio.producers.models.llama import LlamaModel  # loads llama.cpp, which a text needs not

    path = models.llm(settings, name)
    return await asyncio.to_thread(LlamaModel, path, settings)
