"""What every test gets: no task may outlive its test. `need` says which real parts a test needs."""

import asyncio
import inspect
from collections.abc import AsyncIterator

import hypothesis
import pytest

from tests.need import need

__all__ = ["need"]

hypothesis.settings.register_profile("radio", deadline=None)  # nothing depends on speed
hypothesis.settings.load_profile("radio")


@pytest.fixture(autouse=True)
def _tasks_end_with_their_test(request: pytest.FixtureRequest) -> None:
    function = getattr(request, "function", None)
    if inspect.iscoroutinefunction(function):
        request.getfixturevalue("_no_leaked_tasks")


@pytest.fixture
async def _no_leaked_tasks() -> AsyncIterator[None]:
    before = asyncio.all_tasks()
    yield
    leaked = [
        task
        for task in asyncio.all_tasks() - before
        if not task.done() and task is not asyncio.current_task()
    ]
    assert not leaked, f"tasks outlived their test: {leaked}"
