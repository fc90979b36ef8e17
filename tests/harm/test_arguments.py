"""Whatever is typed where a command takes a word, it ends with an answer or with a next step."""

import io
import sys
from collections.abc import Iterator

import click
import pytest

from clawgit.front.cli.root import run
from tests.conftest import Git
from tests.front.cli.test_cli import command_of
from tests.front.cli.test_hostile import ARGUMENTS, TALK
from tests.ready import python

ODD = {
    "not UTF-8": "\udcff\udcfe", "too long": "x" * 5000, "NUL": "a\0b",
    "half a sign": "\ud800", "control": "\x84", "escape": "\x1b[2Ja\r\n", "empty": "",
    "a large number": "9" * 30,
}  # fmt: skip

_STAY = ("serve", "fleet worker")
"""They stay until they are stopped, whatever they are given."""


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A workspace with something in it, which all of these tests share."""
    # What works off a queue starts in the background.
    monkeypatch.setattr("sys.executable", python())
    git = Git(tmp_path_factory.getbasetemp() / "odd/ws")
    if not git.root.exists():
        git.root.mkdir(parents=True)
        git("init", "-q")
        git.write("MEMORY.md", "# Memory\n\n- Ana leads Harbor.\n")
        git.write("SOUL.md", "# Soul\n\n- Be kind.\n")
        git.write("talk.jsonl", TALK)
        assert run(["init", str(git.root)]) == 0
    monkeypatch.chdir(git.root)


def places(name: str) -> Iterator[list[str]]:
    """Each way to give a command one odd word: its arguments, with a hole."""
    given = ARGUMENTS[name]
    for at, word in enumerate(given):
        if not word.startswith("-"):
            yield [*given[:at], _HOLE, *given[at + 1 :]]
    for param in command_of(name).params:
        if isinstance(param, click.Argument):
            yield [*given, _HOLE]
        elif _takes_a_word(param) and (not name or param.opts[-1] not in _SHARED):
            yield [*given, param.opts[-1], *[_HOLE] * param.nargs]


_HOLE = "HOLE"
_SHARED = ("-C", "--now", "--actor")
"""Those that each command has are tried once, without a command."""


def _takes_a_word(param: click.Parameter) -> bool:
    return isinstance(param, click.Option) and not (param.is_flag or param.count)


def fed(name: str, words: list[str], odd: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = run([*name.split(), *(odd if word is _HOLE else word for word in words)])
    said = "".join(capsys.readouterr())
    assert code in (0, 1, 2), said
    assert code == 0 or "next:" in said or '"hint"' in said or '"ok"' in said, said


NAMES = [name for name in ARGUMENTS if name not in _STAY and any(places(name))]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", NAMES)
def test_no_odd_word_is_a_bug(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One odd word for each place, in turn: `make test-slow` tries each at each."""
    turn = list(ODD.values())
    for number, words in enumerate(places(name), NAMES.index(name)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"{}")))
        fed(name, words, turn[number % len(turn)], capsys)


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
@pytest.mark.parametrize("name", NAMES)
def test_no_odd_word_at_any_place_is_a_bug(
    name: str, odd: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in places(name):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"{}")))
        fed(name, words, odd, capsys)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "words",
    [
        ["-C", "x" * 300, "status"],
        ["agent", "show", "\udcff"],
        ["corrections", "add", "--json", "\udcff\udcfe"],
        ["connect", "cursor", "--name", "\udc84"],
    ],
)
def test_an_odd_word_is_refused_with_a_next_step(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(words) == 2
    said = "".join(capsys.readouterr())
    assert "next:" in said or '"hint"' in said
