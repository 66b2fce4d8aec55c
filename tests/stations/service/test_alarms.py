"""Alarms ring in the event loop."""

import asyncio
import logging
import threading
import time

import pytest

from radio.stations.service.alarms import Alarms


async def test_an_alarm_rings_in_the_event_loop_and_a_later_one_of_its_key_too(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.WARNING)
    rung, threads = asyncio.Event(), []

    def ring() -> None:
        threads.append(threading.get_ident())
        rung.set()

    async with Alarms() as alarms, asyncio.timeout(60):
        for _ in range(3):
            rung.clear()
            alarms.at("harbor", round(time.time() * 1000) - 1, ring)
            await rung.wait()
    assert threads == [threading.get_ident()] * 3
    assert [record.getMessage() for record in caplog.records] == []
