"""Tells the items of RSS and Atom feeds, each once over all runs of the show.

An item is claimed in the show's memory before its first word is written, so that no other run tells it; one
that this run claimed and did not write before it died is written first. A segment is an item. The host tells
it in its own words; where it may not, or there is no host that can, title and summary are read.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from pathlib import Path

from radio import producer_kinds
from radio.errors import RadioError, first_of
from radio.log import log_event
from radio.producers.feeds import fetching, parser_process
from radio.producers.feeds.feed_parser import Item
from radio.producers.feeds.gathering import Gathering, SmallestFirst
from radio.producers.host.sentence_guard import SentenceGuard
from radio.producers.host.topic_segment import SegmentWriter, WentWrong
from radio.producers.source import Brief, Over, TakeBack, Words
from radio.sentences import Splitter

log = logging.getLogger(__name__)

_HOUR_MS = 3_600_000
_FACTS = 4
"""Sentences of an item that the host is given."""
_STOPS = (".", "!", "?", "…", "。", "！", "？")


class FeedSource:
    """The items of one run."""

    first_piece_within_s = 300.0
    """Feeds are fetched, and a model is loaded."""
    piece_within_s = 180.0

    def __init__(self, brief: Brief, options: producer_kinds.Feed) -> None:
        self._brief = brief
        self._options = options
        self._seg = brief.next_seg
        self._source = ""
        self._written = {key for mark in brief.marks for key in mark.split()}
        self._segments: SegmentWriter | None = None
        self._is_opened = False
        self._parsing = SmallestFirst(2)
        """Feeds come at once, and few are parsed at once: each takes memory."""

    async def pieces(self) -> AsyncGenerator[Words | TakeBack, None]:
        """Each item that was not told, the newest first, until there is none."""
        try:
            async with asyncio.TaskGroup() as tasks:
                gathering = Gathering(self._options.feeds, self._feed, tasks)
                async with aclosing(self._told(gathering)) as pieces:
                    async for piece in pieces:
                        yield piece
                gathering.end()
        except BaseExceptionGroup as group:
            raise first_of(group) from None

    async def _told(self, gathering: Gathering) -> AsyncGenerator[Words | TakeBack, None]:
        told = len(self._brief.marks)
        await self._renew(found := await gathering.look(self._has_news))
        while waiting := self._untold(found):
            for item in waiting:
                if self._options.items and told >= self._options.items:
                    return
                await self._claim(item)
                async with aclosing(self._item(item)) as words:
                    async for piece in words:
                        yield piece
                told += 1
                self._seg += 1
            found = await gathering.look(self._has_news)
        if told == 0:
            raise Over("no feed answers" if gathering.has_failed else "no news")

    # --- which items ---

    async def _feed(self, name: str) -> list[Item] | None:
        try:
            fetched = await self._fetched(name)
            async with self._parsing.turn(len(fetched.body)):
                return await parser_process.items(fetched.body, fetched.content_type)
        except RadioError as e:
            where = fetching.host_of(name) if "://" in name else Path(name).name
            log.warning("feed left out: %s", e, extra=log_event("feed.left_out", feed=where))
            return None

    async def _fetched(self, name: str) -> fetching.Fetched:
        if "://" not in name:
            return fetching.read_file(Path(name))
        cache = fetching.Cache(self._brief.settings.data / "feeds")
        now, contact = self._brief.clock.now_ms(), self._brief.settings.contact
        return await fetching.fetch(name, cache, now, every_s=self._options.refresh, contact=contact)

    def _has_news(self, found: list[Item]) -> bool:
        return bool(self._untold(found))

    def _untold(self, found: Sequence[Item]) -> list[Item]:
        """What this run claimed and did not write, then what nobody claimed, the newest first."""
        mine, others = self._claims()
        self._brief.discarded["told before"] = sum(item.id in others for item in found)
        resumed = [item for item in found if item.id in mine - self._written]
        fresh: dict[str, Item] = {}
        for item in found:
            if not {item.id, item.words} & (mine | others) and self._is_young(item):
                fresh.setdefault(item.words, item)
        return [*resumed, *sorted(fresh.values(), key=lambda item: -(item.at or 0))]

    def _claims(self) -> tuple[set[str], set[str]]:
        """What this run claimed, and what others did."""
        mine: set[str] = set()
        others: set[str] = set()
        for heard in self._brief.memory.heard:
            (mine if heard.run == self._brief.assignment.run else others).update(heard.mark.split())
        return mine, others

    async def _renew(self, found: Sequence[Item]) -> None:
        """What was told long ago and still stands in a feed must not be forgotten for what others bring."""
        there = {item.id for item in found}
        for heard in self._brief.memory.aging:
            if heard.mark.partition(" ")[0] in there:
                await self._brief.memory.renew(heard)

    def _is_young(self, item: Item) -> bool:
        if not self._options.max_age or item.at is None:
            return True
        return self._brief.clock.now_ms() - item.at < self._options.max_age * _HOUR_MS

    async def _claim(self, item: Item) -> None:
        if item.id not in self._claims()[0]:
            await self._brief.memory.add(_mark(item))
        self._written |= {item.id, item.words}

    # --- in which words ---

    async def _item(self, item: Item) -> AsyncGenerator[Words | TakeBack, None]:
        is_told = False
        try:
            async with aclosing(self._host(item)) as sentences:
                async for sentence in sentences:
                    yield Words(self._seg, f"{sentence} ", mark=None if is_told else _mark(item))
                    is_told = True
        except RadioError as e:
            self._refused(e)
            if is_told:
                yield TakeBack(self._seg)
                is_told = False
        if is_told:
            yield Words(self._seg, "\n\n")
        else:
            yield Words(self._seg, self._read(item), mark=_mark(item))

    def _refused(self, error: RadioError) -> None:
        if isinstance(error, WentWrong):
            self._brief.discarded[f"segment, {error}"] += 1
        else:
            self._brief.discarded["host failed"] += 1
            log.warning("the host fails, an item is read: %s", error, extra=log_event("feed.host_failed"))

    def _read(self, item: Item) -> str:
        """Title and summary, after the name of the feed where that changes."""
        source, self._source = self._source, item.source
        named = item.source if item.source != source else ""
        return " ".join(_stopped(text) for text in (named, item.title, item.summary) if text) + "\n\n"

    async def _host(self, item: Item) -> AsyncGenerator[str, None]:
        """What the host says about it; nothing if there is none, or one with a small model, that cannot.

        Raises:
            RadioError: the host failed, or its words may not be said.
        """
        segments = await self._open_segments() if self._options.tell == "llm" else None
        if segments is None:
            return
        facts = _sentences(item.summary, self._brief.assignment.language)[:_FACTS]
        topic = producer_kinds.Topic(topic=item.title.rstrip("."), facts=facts)
        segment = segments.segment(topic, self._seg, is_first=True, said=[], attempt=0)
        async with aclosing(segment) as sentences:
            async for sentence in sentences:
                yield sentence

    async def _open_segments(self) -> SegmentWriter | None:
        """The host, opened once; None if its model is small."""
        if not self._is_opened:
            brief, task = self._brief, self._brief.assignment
            model = await brief.model_cache.model(brief.settings, task.model)
            self._is_opened = True
            if model.is_small:
                small = log_event("feed.small_model", run=task.run, model=model.name)
                log.info("items are read, for the model is small", extra=small)
                return None
            options = producer_kinds.Llm(topics=(), prompt=self._options.prompt)
            guard = SentenceGuard(task.station_title, task.language, aired=brief.aired)
            self._segments = SegmentWriter(model, guard, task, options, brief.discarded, says_facts=False)
        return self._segments


def _mark(item: Item) -> str:
    return f"{item.id} {item.words}"


def _stopped(text: str) -> str:
    return text if text.endswith(_STOPS) else text + "."


def _sentences(text: str, language: str) -> tuple[str, ...]:
    splitter = Splitter(max_chars=4000, language=language)
    return tuple(sentence.text for sentence in [*splitter.feed(text), *splitter.finish()])


def open_source(brief: Brief) -> FeedSource:
    assert isinstance(brief.options, producer_kinds.Feed)
    return FeedSource(brief, brief.options)
