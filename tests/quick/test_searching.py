"""A plain search or write by the quick way: it is read, answered and refused as click does it."""

import subprocess
import sys

import click
import pytest

from clawgit.cli.given import Options, running
from clawgit.cli.memory import adding, search
from clawgit.cli.root import cli
from clawgit.quick.entry import plain
from clawgit.quick.here import asked_for, fact_of
from tests.conftest import Git
from tests.each import for_each

READ = (
    "search tea",
    "memory search who drinks tea",
    "search tea -n 3 green",
    "search --top 200 tea",
    "search --top=7 -n 07 tea",
    "--json search tea",
    "-C a search tea -C b --json",
    "--actor bot memory search tea --actor=cat",
)
WRITTEN = (
    "memory add tea",
    "--actor bot memory add tea --json",
    "memory add --tag event tea --tag=skill --to memory/a.md",
    "memory add tea --source explicit --session s --evidence a --evidence=b",
)
REFUSED = (
    "search tea -n 0",
    "search tea -n 201",
    "search tea -n 00000000201",
    f"search tea -n 000000001{'9' * 5000}",
    "search tea -n x",
    "search -n 1 tea -n -1",
)


def as_click(words: list[str]) -> tuple[dict[str, object], Options]:
    """What click reads, without running it."""
    given = Options()
    with running(given):
        command: click.Command = cli
        context = cli.make_context("clawgit", [*words])
        while isinstance(command, click.Group):
            name, found, rest = command.resolve_command(
                context, [*context._protected_args, *context.args]
            )
            assert found is not None
            command, context = found, found.make_context(name, rest, parent=context)
    return context.params, given


@for_each("line", (*READ, *WRITTEN))
def test_a_plain_line_is_read_as_click_reads_it(line: str) -> None:
    read = plain(line.split())
    assert read is not None
    typed, given = as_click(line.split())
    if read.command == ("memory", "add"):
        assert fact_of(read) == adding.Typed(**typed)  # type: ignore[arg-type]
    else:
        assert asked_for(read) == search.read(**typed)  # type: ignore[arg-type]
    assert (read.last("directory") or None, read.last("actor") or None, read.as_json) == (
        given.directory,
        given.actor,
        given.as_json,
    )


@for_each("line", ("memory add a b", "memory add a --source said"))
def test_a_fact_that_click_refuses_is_left_to_it(line: str) -> None:
    read = plain(line.split())
    assert read is not None
    assert fact_of(read) is None


@for_each("line", REFUSED)
def test_a_count_that_click_refuses_is_left_to_it(line: str) -> None:
    read = plain(line.split())
    assert read is None or asked_for(read) is None


def call(ws: Git, *argv: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "clawgit", *argv],
        cwd=ws.root,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def ready(ws: Git) -> Git:
    """A workspace with a line that a search finds, and one that looks like a secret."""
    ws.write("CONFIG.md", "# Config\n\n```yaml\nsearch_mode: core\n```\n")
    ws.write("MEMORY.md", "# Memory\n\n- Ana drinks green tea. The key: AKIAIOSFODNN7EXAMPLQ\n")
    ws.commit_all("memory")
    return ws


def test_both_ways_print_the_same(ready: Git) -> None:
    """`--archived` is left to click; here it finds nothing else."""
    for words in (("tea",), ("nothing",), ("tea", "--actor", "Operator"), ("tea", "-C", "nowhere")):
        quick, usual = call(ready, "search", *words), call(ready, "search", *words, "--archived")
        assert quick == usual
    assert "AKIA" not in call(ready, "search", "tea")[1]


def test_a_search_outside_of_a_workspace_says_what_to_do(ready: Git) -> None:
    (ready.root.parent / "else").mkdir()
    code, out, err = call(ready, "-C", str(ready.root.parent / "else"), "search", "tea")
    assert (code, out) == (1, "")
    assert " next: " in err
