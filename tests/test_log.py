import json
import logging
import sys
from collections.abc import Iterator

import pytest

from radio import log
from radio.errors import BadInput
from radio.settings import Settings


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    root = logging.getLogger()
    level, handlers = root.level, root.handlers[:]
    yield
    logging.captureWarnings(False)
    root.setLevel(level)
    root.handlers[:] = handlers


def record(message: str, **extra: object) -> logging.LogRecord:
    made = logging.getLogger("radio.test").makeRecord(
        "radio.test", logging.INFO, "f", 1, message, (), None, extra=extra
    )
    made.created = 1_796_000_000.125
    return made


def test_a_text_line_has_time_role_level_message_and_extras() -> None:
    line = log.TextFormat("narrator").format(
        record("took the station", action="taken", station="harbor", lead_s=2.5, cast=None)
    )
    time, role, level, rest = line.split(maxsplit=3)
    assert time.endswith(".125")
    assert (role, level) == ("narrator", "INFO")
    assert rest == "took the station action=taken station=harbor lead_s=2.5"


def test_a_text_line_stays_one_line_whatever_is_in_it() -> None:
    line = log.TextFormat("relay").format(record("two\nlines", title='a "b"\nc'))
    assert "\n" not in line
    assert line.endswith(r'two\nlines title="a \"b\"\nc"')


def test_a_json_line_holds_the_same_and_a_utc_time() -> None:
    line = json.loads(log.JsonFormat("relay").format(record("joined", action="join", station="harbor")))
    assert line == {
        "time": "2026-11-30T00:53:20.125+00:00",
        "role": "relay",
        "level": "info",
        "logger": "radio.test",
        "message": "joined",
        "action": "join",
        "station": "harbor",
    }


def test_an_exception_is_shown_in_both_formats() -> None:
    failed = record("failed")
    try:
        raise OSError("disk full")
    except OSError:
        failed.exc_info = sys.exc_info()
    assert "OSError: disk full" in log.TextFormat("relay").format(failed)
    assert "OSError: disk full" in json.loads(log.JsonFormat("relay").format(failed))["trace"]


def test_setup_writes_to_stderr_at_the_chosen_level(capsys: pytest.CaptureFixture[str]) -> None:
    log.setup(Settings(log_level="warning"), "relay")
    logging.getLogger("radio.x").info("quiet")
    logging.getLogger("radio.x").warning("loud")
    out, err = capsys.readouterr()
    assert out == ""
    assert "loud" in err
    assert "quiet" not in err


@pytest.mark.parametrize("settings", [Settings(log_level="shout"), Settings(log_format="xml")])
def test_a_wrong_level_or_format_says_what_is_possible(settings: Settings) -> None:
    with pytest.raises(BadInput) as refused:
        log.setup(settings, "relay")
    assert "one of" in refused.value.hint
