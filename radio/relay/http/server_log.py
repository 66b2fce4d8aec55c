"""The log of the HTTP server: faults of ours, and not what clients do.

aiohttp logs an error with a trace whenever a client speaks broken HTTP or leaves in the middle of a reply; so
anybody could fill the log.
"""

import logging
from typing import Final

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from radio.log import log_event

log = logging.getLogger(__name__)

_OF_CLIENTS: Final = (ConnectionError, HttpProcessingError, web.RequestPayloadError)


def is_ours(record: logging.LogRecord) -> bool:
    """Whether it tells of something else than a client's doing; that goes to the debug log, in short."""
    error = record.exc_info[1] if record.exc_info else None
    if not isinstance(error, _OF_CLIENTS):
        return True
    log.debug("a client broke off", extra=log_event("client.disconnected", error=type(error).__name__))
    return False


def server_log() -> logging.Logger:
    """The logger for aiohttp's server."""
    logger = logging.getLogger("aiohttp.server")
    if is_ours not in logger.filters:
        logger.addFilter(is_ours)
    return logger
