"""What --help shows: the options of every day, and with --all the others too."""

import click
import pytest

from clawgit.cli.command_table import EVERYDAY
from clawgit.cli.lazy import every_row
from clawgit.cli.quiet import show_everything
from clawgit.cli.root import COMMANDS, cli, run
from tests.each import for_each

SHARED = ("-C", "--json", "--now", "--actor")
PATHS = [path for path, row in every_row(COMMANDS) if row.is_listed]
MOST = 8
"""Options that the help of an everyday command shows."""


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert run([*words]) == 0
    return capsys.readouterr().out


def options_of(text: str) -> list[str]:
    """The rows of the options, by the first word of each."""
    section = text.partition("Options:\n")[2].partition("\n\n")[0]
    return [line.split()[0].rstrip(",") for line in section.splitlines() if line[2:3] == "-"]


def helps(path: str) -> tuple[list[click.Option], str, str]:
    """The options of a command, its help, and its help with --all."""
    command: click.Command | None = cli
    context = click.Context(cli, info_name="clawgit", **cli.context_settings)
    for word in path.split():
        assert isinstance(command, click.Group)
        command = command.get_command(context, word)
    assert command is not None
    below = click.Context(command, info_name=path, parent=context)
    brief = command.get_help(below)
    show_everything(below)
    return (
        [one for one in command.params if isinstance(one, click.Option)],
        brief,
        (command.get_help(below)),
    )


def test_an_everyday_command_shows_few_options(capsys: pytest.CaptureFixture[str]) -> None:
    everyday = [name for name, row in COMMANDS.items() if row.title == EVERYDAY]
    counts = {name: len(options_of(printed(capsys, name, "--help"))) for name in everyday}
    assert [name for name, count in counts.items() if count > MOST] == []


@for_each("path", PATHS)
def test_help_names_each_option_and_with_all_shows_it(path: str) -> None:
    options, brief, whole = helps(path)
    longest = [max(option.opts, key=len) for option in options if not option.hidden]
    assert [name for name in longest if name not in brief.replace(",", " ").split()] == []
    rows = whole.partition("Options:\n")[2].partition("\n\n")[0].replace(",", " ").split()
    assert [name for name in longest if name not in rows] == []


@pytest.mark.parametrize("columns", [40, 50, 60])
def test_help_is_no_wider_than_the_terminal(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    pages = {path: helps(path)[1:] for path in PATHS}
    over = [
        line
        for texts in pages.values()
        for text in texts
        for line in text.splitlines()
        if len(line) > columns
    ]
    assert over == []


@pytest.mark.parametrize("words", [("search", "--help"), ("soul", "--help"), ("help", "add")])
def test_shared_options_are_only_named(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    text = printed(capsys, *words)
    more = " ".join(text.partition("More, shown by --help --all: ")[2].split())
    assert more.startswith(", ".join(SHARED))
    assert not set(SHARED) & set(options_of(text))


def test_the_top_level_shows_them(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "--help")
    assert set(SHARED) < set(options_of(text))
    assert "--help --all" not in text


@pytest.mark.parametrize(
    "words",
    [
        ("search", "--help", "--all"),
        ("search", "--all", "--help"),
        ("search", "--all", "-h"),
        ("help", "search", "--all"),
    ],
)
def test_all_shows_every_option(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, *words)
    assert {"--min-score", "--session", *SHARED} < set(options_of(text))
    assert "More, shown by" not in text


def test_what_a_command_calls_all_is_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    """`log --all` has a meaning; with --help it is that of the help."""
    assert "--now" in options_of(printed(capsys, "log", "--all", "--help"))
    assert "--now" not in options_of(printed(capsys, "log", "--help"))


def test_behind_two_dashes_all_is_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["triage", "--", "--help", "--all"]) == 2
    assert "--all" in capsys.readouterr().err


@pytest.mark.parametrize(("short", "words"), [("add", "memory add"), ("blame", "soul blame")])
def test_the_help_of_a_short_form_calls_the_command_as_it_was_typed(
    short: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert f"clawgit {words}" not in printed(capsys, short, "--help")
    assert f"Example: clawgit {short}" in printed(capsys, short, "--help")
    assert f"Example: clawgit {words}" in printed(capsys, *words.split(), "--help")
