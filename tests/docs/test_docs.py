"""Documents that name things of the code are compared with the code."""

import re
import tomllib
from pathlib import Path

import pytest

from radio.cli.entry import cli
from radio.cli.options import rows
from radio.settings import option, variable
from radio.streams import records

ROOT = Path(__file__).parents[2]
WORDS = (
    "station, card, show, run, run history, script, sentence, segment, fallback, ladder, dead air, "
    "phoneme, g2p, engine, speaker, cast, recipe, admission, job, receipt, cast cache, "
    "stream, record, seq, trim point, store, fence, index, broadcast, archive, replay, air time, "
    "member, heartbeat, peer, observer, owner, takeover, compute gate, supervisor, "
    "station service, ownership term, plan, run log, producer process, assignment, stall, "
    "lane, lane id, lane registry, lane scheduler, lead, company, suspect, editor request, "
    "fallback request, station feed, frame pump, fan-out, segment cutter, gateway, redacted store, "
    "rights, retention policy, disk quota, cast expiry, submitter, editor, operator, listener"
)
"""What classes and modules are named after."""


AT_THE_TOP = ("README.md", "CONTRIBUTING.md")


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def requirements() -> list[str]:
    """Every direct dependency, optional ones included."""
    project = tomllib.loads(read("pyproject.toml"))["project"]
    groups = (project["dependencies"], *project["optional-dependencies"].values())
    return [requirement for group in groups for requirement in group]


def first_cells(text: str) -> list[str]:
    """The first column of every table."""
    cells = [line.split("|")[1].strip() for line in text.splitlines() if line.startswith("|")]
    return [cell for cell in cells if cell and not set(cell) <= set("-: ")]


def test_each_word_of_the_design_is_in_the_glossary_once() -> None:
    words = [cell for cell in first_cells(read("docs/glossary.md")) if cell != "word"]
    assert sorted(words) == sorted(set(words))
    assert set(WORDS.split(", ")) - set(words) == set()


def test_each_word_of_the_glossary_has_one_plain_sentence() -> None:
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", read("docs/glossary.md"), re.MULTILINE)
    assert [word for word, meaning in rows if len(meaning) > 120 or meaning.endswith(".")] == []


def test_each_setting_is_documented_with_its_option_variable_and_default() -> None:
    table = {
        cells[1].strip(" `"): cells
        for line in read("docs/settings.md").splitlines()
        if line.startswith("|") and len(cells := line.split("|")) >= 5
    }
    for name, default in rows():
        assert option(name) in table, f"{option(name)} is not in docs/settings.md"
        assert table[option(name)][2].strip(" `") == variable(name)
        shown = "~/.cache/radio/models" if name == "models" else str(default)
        assert table[option(name)][3].strip(" `") == shown
    heads = {"option", "---"}
    assert set(table) - heads == {option(name) for name, _ in rows()}


def test_each_dependency_has_its_licence_noted() -> None:
    noted = read("docs/licences.md").lower()
    for requirement in requirements():
        name = re.split(r"[=<>\[; ]", requirement)[0].lower()
        assert re.search(rf"(?<![\w-]){name}(?![\w-])", noted), f"{name} is not in docs/licences.md"


def test_each_dependency_is_pinned() -> None:
    assert all(re.fullmatch(r"[a-z0-9-]+==[0-9][0-9a-z.]*", requirement) for requirement in requirements())


@pytest.mark.parametrize("command", sorted(set(cli.commands) - {"relay", "narrate", "schedule"}))
def test_each_command_is_in_the_readme(command: str) -> None:
    assert f"radio {command}" in read("README.md")


def test_the_readme_names_no_command_that_does_not_exist() -> None:
    named = set(re.findall(r"^(?:\.venv/bin/)?radio ([a-z][a-z0-9-]*)", read("README.md"), re.MULTILINE))
    assert named
    assert named <= set(cli.commands)


@pytest.mark.parametrize(
    "document", [*sorted(path.name for path in (ROOT / "docs").glob("*.md")), *AT_THE_TOP]
)
def test_links_between_documents_lead_somewhere(document: str) -> None:
    path = ROOT / document if document in AT_THE_TOP else ROOT / "docs" / document
    for target in re.findall(r"\]\(([^)#]+)", path.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (path.parent / target).exists(), f"{document} links to {target}"


def test_the_architecture_names_each_record_family() -> None:
    text = read("docs/architecture.md")
    for stream in (
        "in/stations/",
        "pub/stations/",
        "pub/casts/",
        "jobs",
        "control",
        "catalog/",
        "progress/done",
    ):
        assert f"`{stream}" in text
    assert records.VERSION == 1


@pytest.mark.parametrize(
    "document",
    [
        "CONTRIBUTING.md",
        *(
            f"docs/{name}.md"
            for name in ("architecture", "streams", "voice", "speech", "security", "sentences")
        ),
    ],
)
def test_each_path_that_is_named_is_there(document: str) -> None:
    named = re.findall(r"`((?:radio|tests|docs|native|web|bench|deploy)/[\w./-]*)`", read(document))
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_the_architecture_says_where_at_least_thirty_features_are() -> None:
    table = read("docs/architecture.md").partition("## Where to find what")[2]
    rows = [line for line in table.splitlines() if line.startswith("|") and "`radio/" in line]
    assert len(rows) >= 30


def test_documents_name_only_log_events_that_exist() -> None:
    events = set(re.findall(r"^\| `([a-z0-9_]+\.[a-z0-9_]+)` \|", read("docs/log-events.md"), re.MULTILINE))
    nouns = {event.partition(".")[0] for event in events}
    files = ("js", "id", "sqlite3")
    for name in ("streams", "operating", "s2", "stations", "speech", "voice"):
        named = re.findall(r"`([a-z0-9_]+)\.([a-z0-9_]+)`", read(f"docs/{name}.md"))
        of_the_log = {f"{noun}.{what}" for noun, what in named if noun in nouns and what not in files}
        assert of_the_log <= events, f"docs/{name}.md"
