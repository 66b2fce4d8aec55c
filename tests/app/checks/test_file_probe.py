"""`radio check` opens what a station file names, and says what could not air."""

import io
from pathlib import Path

import numpy as np
import pytest
import soundfile

from radio.cli.entry import main

FILE = """\
station: harbor
title: Harbor FM
timezone: UTC
fallback: off
shows:
  - id: a
    title: A
    at: 07:00
    length: 1h
    {show}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    sound = io.BytesIO()
    soundfile.write(sound, np.zeros(800, dtype=np.float32), 8000, format="WAV")
    (tmp_path / "good.wav").write_bytes(sound.getvalue())
    (tmp_path / "bad.m4a").write_bytes(b"\0\0\0\x20ftypM4A nothing that is read here")
    (tmp_path / "song.mp3").write_bytes(b"ID3 no book")
    (tmp_path / "song.txt").write_bytes(b"ID3 no book")
    (tmp_path / "book.txt").write_text("A book. It is read.")
    (tmp_path / "model.gguf").write_bytes(b"none")
    for name, mode in (("runs", 0o755), ("rests", 0o644)):
        (tmp_path / name).write_text("#!/bin/sh\necho hi\n")
        (tmp_path / name).chmod(mode)
    return tmp_path


def checked(folder: Path, show: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    file = folder / "harbor.yaml"
    file.write_text(FILE.format(show=show))
    status = main(["check", str(file), "--models", str(folder / "models")])
    return status, capsys.readouterr().out.replace(f"{folder}/", "")


@pytest.mark.parametrize(
    ("show", "said"),
    [
        ("{producer: exec, exec: [./rests]}", "rests has no run bit; chmod +x"),
        ("{producer: exec, exec: [./gone]}", "there is no program"),
        ("{producer: exec, exec: [no-such-program-here]}", "no program no-such-program-here in PATH"),
        ("{producer: audio, files: [bad.m4a]}", "bad.m4a is no sound"),
        ("{producer: audio, files: [book.txt]}", "book.txt is no sound"),
        ("{producer: audio, files: ['*.wav', bad.m4a]}", "bad.m4a is no sound"),
        ("{producer: text, files: [song.mp3]}", "song.mp3 is no book: `text` reads .txt, .md"),
        ("{producer: text, files: [song.txt]}", "song.txt is no text, whatever its name says"),
        ("{producer: llm, topics: [x], model: /nowhere/m.gguf}", "there is no file /nowhere/m.gguf"),
        ("{producer: llm, topics: [x], model: 'localhost:8080/v1'}", "write http://localhost:8080/v1"),
    ],
)
def test_what_could_not_air_is_a_fault_with_its_place(
    folder: Path, capsys: pytest.CaptureFixture[str], show: str, said: str
) -> None:
    pairs = show.strip("{}").replace(", exec:", "\n    exec:").replace(", files:", "\n    files:")
    pairs = pairs.replace(", topics:", "\n    topics:").replace(", model:", "\n    model:")
    status, out = checked(folder, pairs, capsys)
    assert status == 1
    assert said in out
    assert out.startswith(("harbor.yaml:11:5: a:", "harbor.yaml:12:5: a:"))


@pytest.mark.parametrize(
    "show",
    [
        "producer: exec\n    exec: [./runs]",
        "producer: exec\n    exec: [sh, -c, echo hi]",
        "producer: audio\n    files: [good.wav]",
        "producer: text\n    files: [book.txt]",
        "producer: llm\n    topics: [x]\n    model: http://127.0.0.1:9/v1",
    ],
)
def test_what_can_air_is_right(folder: Path, capsys: pytest.CaptureFixture[str], show: str) -> None:
    status, out = checked(folder, show, capsys)
    assert (status, out.splitlines()[0].partition(",")[0]) == (0, "harbor: right")


def test_a_model_that_is_no_gguf_is_a_fault(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    show = f"producer: llm\n    topics: [x]\n    model: {folder}/model.gguf"
    assert "model.gguf is no GGUF" in checked(folder, show, capsys)[1]
