"""All streams of a store, page by page."""

from radio.streams.contract import StreamInfo, StreamStore


async def every_stream(store: StreamStore, prefix: str = "") -> list[StreamInfo]:
    """All streams whose names begin with `prefix`, in order."""
    found: list[StreamInfo] = []
    while True:
        page = await store.list(prefix, start_after=found[-1].name if found else "")
        found += page.items
        if not page.has_more:
            return found


async def every_name(store: StreamStore, prefix: str = "") -> list[str]:
    return [info.name for info in await every_stream(store, prefix)]
