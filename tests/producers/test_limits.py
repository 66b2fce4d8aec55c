"""How long a source may take, against how long the scheduler waits for it."""

from pathlib import Path

import pytest

from radio.producers.feeds.feed_source import FeedSource
from radio.producers.host.host_source import HostSource
from radio.producers.programs.program_source import ProgramSource
from radio.producers.recordings.audio_source import AudioSource
from radio.producers.recordings.rerun_source import LATE_MS, RerunSource
from radio.producers.source import Source
from radio.producers.texts.text_source import TextSource
from radio.stations.service.plan import AHEAD_MS
from radio.stations.service.producer_processes import FIRST_SILENT_S, SILENT_S
from tests.producers.programs.test_program_source import brief


@pytest.mark.parametrize("kind", [AudioSource, FeedSource, HostSource, TextSource])
def test_a_source_hangs_by_its_own_limit_before_the_scheduler_ends_its_process(kind: type[Source]) -> None:
    assert kind.piece_within_s < SILENT_S
    assert kind.first_piece_within_s < FIRST_SILENT_S


def test_so_does_a_program_with_the_longest_limit_an_editor_may_set(tmp_path: Path) -> None:
    given = brief(tmp_path, "", within=75.0)
    assert not given.options.problem  # type: ignore[union-attr]
    source = ProgramSource(given, given.options)  # type: ignore[arg-type]
    assert source.first_piece_within_s < SILENT_S


def test_so_does_one_that_waits_for_the_archive() -> None:
    assert RerunSource.piece_within_s < SILENT_S
    assert RerunSource.piece_within_s + (AHEAD_MS + LATE_MS) / 1000 < FIRST_SILENT_S
