"""Preparing a basin when a store is opened: it exists, is configured as the contract needs, and has an id."""

import logging
import re
import secrets
from typing import Protocol
from uuid import uuid4

from radio.errors import Unsupported
from radio.log import log_event
from radio.streams import names
from radio.streams.contract import FromSeq, NewRecord, SeqMismatch, StoreError, StreamNotFound
from radio.streams.stores.s2 import appending, reading
from radio.streams.stores.s2.address import S2Address
from radio.streams.stores.s2.failures import Denied, NoBasin
from radio.streams.stores.s2.retries import RetryingCalls

log = logging.getLogger(__name__)

OPEN_S = 20.0
"""How long to wait for a server that does not answer yet: S2 Lite recovers its log when it starts."""
_ID = re.compile(rb"[0-9a-f]{32}")
_PROBES = "meta/probe/"


class BasinServer(appending.AppendServer, Protocol):
    """The part of the client that making ready needs."""

    async def is_configured(self) -> bool: ...

    async def create_basin(self) -> None: ...

    async def configure_basin(self) -> None: ...

    async def delete(self, name: str) -> None: ...


async def prepare(server: BasinServer, line: RetryingCalls, place: S2Address) -> None:
    """Create the basin if it is missing, configure it if necessary, and check that a read creates nothing.

    Raises:
        Unavailable: the server does not answer.
        Denied: the token does not allow it.
        Unsupported: the basin cannot be configured as needed.
    """
    try:
        await _configure(server, line)
    except Denied as e:
        await _accept_as_it_is(server, line, place, e)
    await _probe(server, line, place)


async def _configure(server: BasinServer, line: RetryingCalls) -> None:
    try:
        is_configured = await line.patiently(server.is_configured, within_s=OPEN_S)
    except NoBasin:
        await _create(server, line)
        return
    if not is_configured:
        await line.patiently(server.configure_basin)
        log.info("basin configured", extra=log_event("store.basin_configured"))


async def _create(server: BasinServer, line: RetryingCalls) -> None:
    try:
        await line.patiently(server.create_basin)
    except StoreError as e:  # another process may have been faster
        try:
            await line.patiently(server.configure_basin)
        except StoreError:
            raise e from None
        return
    log.info("basin created", extra=log_event("store.basin_created"))


async def _accept_as_it_is(
    server: BasinServer, line: RetryingCalls, place: S2Address, denied: Denied
) -> None:
    """A token that may use the basin but not read its configuration is enough if the streams exist."""
    try:
        await line.patiently(lambda: server.check_tail(names.STORE))
    except StoreError as e:
        raise Denied(
            str(denied),
            hint=f"{denied.hint}. Or let someone who may do so create the basin {place.basin} with"
            " create_stream_on_append, without create_stream_on_read, and infinite retention",
        ) from e
    log.warning("basin not configurable: %s", denied, extra=log_event("store.basin_as_it_is"))


async def _probe(server: BasinServer, line: RetryingCalls, place: S2Address) -> None:
    """R11: reading a missing stream must not create it."""
    name = f"{_PROBES}{secrets.token_hex(8)}"
    try:
        await line.patiently(lambda: server.check_tail(name))
    except StreamNotFound:
        return
    await line.patiently(lambda: server.delete(name))
    raise Unsupported(
        f"the basin {place.basin} creates a stream whenever one is read",
        hint="set its create_stream_on_read to false",
    )


async def store_id(server: BasinServer, line: RetryingCalls) -> str:
    """The id that was given to this basin once (M7); the first process gives it."""
    try:
        return await _read_id(server, line)
    except StreamNotFound:
        mine = NewRecord(uuid4().hex.encode())
    try:
        await appending.append(
            server, line, appending.AppendRequest(names.STORE, (mine,), match_seq_num=0, fencing_token="")
        )
    except SeqMismatch:
        log.debug("another process gave the id", extra=log_event("store.id_given"))
    return await _read_id(server, line)


async def _read_id(server: BasinServer, line: RetryingCalls) -> str:
    request = reading.ReadRequest(
        name=names.STORE,
        start=FromSeq(0),
        max_records=1,
        max_bytes=1 << 10,
        include_commands=False,
        clamp=False,
        on_gap="skip",
    )
    result = await reading.read(server, line, request)
    if not result.records and result.next_seq == 0:
        raise StreamNotFound(names.STORE)  # the stream exists but is empty: no id was given yet
    if not result.records or not _ID.fullmatch(result.records[0].body):
        raise Unsupported(
            f"the basin's stream {names.STORE} holds no id of a radio",
            hint="choose another basin with --store",
        )
    return result.records[0].body.decode()
