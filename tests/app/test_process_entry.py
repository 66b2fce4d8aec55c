import resource
from collections.abc import Iterator

import pytest

from radio.app.process_entry import allow_all_files


@pytest.fixture
def few_files() -> Iterator[int]:
    """A process that may open few files, though the system would let it open more; the hard limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard // 2, hard))
    yield hard
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_relay_may_open_as_many_files_as_the_system_lets_it(few_files: int) -> None:
    allow_all_files()
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == (few_files, few_files)
