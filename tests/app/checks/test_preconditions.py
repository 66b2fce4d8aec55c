from pathlib import Path

import pytest

from radio.app import up
from radio.app.checks import preconditions
from radio.app.checks.preconditions import ClockNotSet, DataFolderUnusable
from radio.cli.entry import main
from radio.clock import SystemClock
from radio.models import ModelMissing
from radio.settings import Settings


def test_a_data_folder_that_cannot_be_made_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("up", "narrate", "schedule"):
        assert main([command, "--engine", "tone", "--data", "/proc/nowhere"]) == 1
        lines = capsys.readouterr().err.splitlines()
        assert [line for line in lines if "the data folder /proc/nowhere cannot be used" in line]
        assert not [line for line in lines if "Traceback" in line]


def test_a_data_folder_in_which_no_file_can_be_made_is_refused(
    tmp_path: Path,
) -> None:
    """The system lets root write everywhere, but in `/proc`."""
    with pytest.raises(DataFolderUnusable):
        preconditions.make_data_folder(Path("/proc/self"))
    preconditions.make_data_folder(tmp_path / "new")
    assert list((tmp_path / "new").iterdir()) == []


def test_models_that_were_cut_short_are_said_before_anything_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    folder = tmp_path / "models"
    (folder / "kokoro").mkdir(parents=True)
    (folder / "kokoro" / "model.onnx").write_bytes(b"cut")
    settings = Settings(data=tmp_path / "data", models=folder)
    with pytest.raises(ModelMissing, match="kokoro is not complete"):
        up.up(settings, print)
    assert not settings.data.exists()


def test_a_clock_that_was_never_set_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SystemClock, "now_ms", lambda self: 86_400_000)
    with pytest.raises(ClockNotSet, match="1970-01-02 00:00 UTC"):
        up.up(Settings(data=tmp_path / "data", engine="tone"), print)
    assert not (tmp_path / "data").exists()
