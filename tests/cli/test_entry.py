import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from radio.cli import entry
from radio.cli.entry import main, unknown_variables
from radio.errors import BadInput, NotFound, RadioError


def fail_with(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> int:
    def raise_it(**_: object) -> None:
        raise error

    monkeypatch.setattr(entry.cli, "main", raise_it)
    return main([])


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (RadioError("it broke", hint="mend it"), 1),
        (NotFound("nothing there", hint="mend it"), 1),
        (BadInput("nonsense", hint="mend it"), 2),
    ],
)
def test_an_error_is_one_line_and_a_hint(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: RadioError, status: int
) -> None:
    assert fail_with(monkeypatch, error) == status
    assert capsys.readouterr().err == f"radio: {error}\n       mend it\n"


def test_errors_of_tasks_are_reported_each(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    group = ExceptionGroup("tasks", [RadioError("one"), ExceptionGroup("inner", [RadioError("two")])])
    assert fail_with(monkeypatch, group) == 1
    assert capsys.readouterr().err == "radio: one\nradio: two\n"


def test_a_fault_of_ours_among_them_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ExceptionGroup):
        fail_with(monkeypatch, ExceptionGroup("tasks", [RadioError("one"), ZeroDivisionError()]))


@pytest.mark.parametrize(
    "argv", [["no-such-command"], ["up", "--port", "many"], ["produce"], ["voices", "--loud"]]
)
def test_wrong_use_is_status_2(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(argv) == 2
    assert "Error" in capsys.readouterr().err


def test_unknown_variables_are_named_with_the_nearest() -> None:
    assert unknown_variables({"RADIO_PROT": "1", "HOME": "/", "RADIO_PORT": "1"}) == [
        "RADIO_PROT is not a setting; did you mean RADIO_PORT?"
    ]
    assert unknown_variables({"RADIO_S2TOKEN": "1"}) == [
        "RADIO_S2TOKEN is not a setting; did you mean RADIO_S2_TOKEN?"
    ]


@pytest.mark.parametrize("name", ["RADIO_FOO", "RADIO_DIR", "RADIO_DEBUG"])
def test_no_setting_is_named_for_a_variable_that_is_like_none(name: str) -> None:
    assert unknown_variables({name: "1"}) == [f"{name} is not a setting"]


def test_help_answers_without_loading_any_room() -> None:
    program = (
        "import sys; from radio.cli import main; main(['--help']);"
        "heavy = {'numpy', 'onnxruntime', 'llama_cpp', 'spacy', 'radio.relay', 'radio.narrator'};"
        "print(', '.join(heavy & set(sys.modules)), file=sys.stderr, end='')"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "radio" in done.stdout


def test_a_reader_that_goes_away_ends_it_without_a_trace() -> None:
    command = f"{sys.executable} -m radio.cli voices | true"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")


@pytest.mark.parametrize(
    ("raised", "status", "last"),
    [
        ("RadioError('it broke')", 1, "radio: it broke"),
        ("BadInput('nonsense')", 2, "radio: nonsense"),
        ("ZeroDivisionError('a fault of ours')", 1, "ZeroDivisionError: a fault of ours"),
    ],
)
def test_the_process_ends_at_once_with_its_status_and_takes_nothing_apart(
    raised: str, status: int, last: str
) -> None:
    program = f"""
import atexit
from radio.cli import entry
from radio.errors import *
def main(**_):
    print("all of it")
    raise {raised}
atexit.register(print, "taken apart")
entry.cli.main = main
entry.run()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (status, "all of it\n")
    assert done.stderr.splitlines()[-1] == last


def test_the_command_that_is_installed_ends_that_way() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    assert project["project"]["scripts"] == {"radio": f"{entry.run.__module__}:{entry.run.__name__}"}
