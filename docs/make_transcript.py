# ruff: noqa: INP001 - a script, and the reader of pages that tests/test_docs.py imports
"""Runs the commands that pages show, and writes what they really say below them; `--check` leaves
that to the tests.

In a block marked `console`, a line that begins with `$ ` is a command; a line after it that begins
with `> ` continues it. What follows is its output. By hand, `…` may stand for any text in a line,
and alone for any lines; a block below the comment `<!-- transcript -->` is made anew by `python
docs/make_transcript.py`, as it was printed. A block marked `console at a terminal` is typed by the
operator: its commands have a terminal for their input.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

MARK = "<!-- transcript -->\n"
README = Path(__file__).parents[1] / "README.md"
_BLOCK = re.compile(r"^```console( at a terminal)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_GIT = "[user]\n\tname = Olga\n\temail = olga@example.org\n[init]\n\tdefaultBranch = main\n"
_LONGEST = 118


class Example(NamedTuple):
    """One command of a page, and the output that the page shows."""

    line: int
    command: str
    output: str
    made: bool = False
    terminal: bool = False


class Done(NamedTuple):
    """An example that was run: how it ended, and what it said on both of its streams."""

    example: Example
    code: int
    said: str


def examples(page: str) -> Iterator[Example]:
    """The commands of a page, in order."""
    for block in _BLOCK.finditer(page):
        first, made = page.count("\n", 0, block.start(2)) + 1, page.endswith(MARK, 0, block.start())
        command, output, begun = "", "", 0
        for number, line in enumerate([*block[2].splitlines(), "$ "], first):
            if line.startswith("$ "):
                if command:
                    yield Example(begun, command, output, made, bool(block[1]))
                command, output, begun = line[2:], "", number
            elif line.startswith("> ") and not output:
                command += "\n" + line[2:]
            else:
                output += line + "\n"


def played(shown: Sequence[Example], folder: Path, path: str, **more: str) -> Iterator[Done]:
    """Runs examples one after the other in `folder`/home, each where the one before it ended."""
    home, where = folder / "home", folder / "where"
    home.mkdir(parents=True, exist_ok=True)
    (home / ".gitconfig").write_text(_GIT)
    where.write_text(str(home))
    env = {
        "HOME": str(home),
        "PATH": path,
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "GIT_CONFIG_NOSYSTEM": "1",
        **more,
    }
    for example in shown:
        script = (
            f'cd "$(cat {where})" || exit\n{example.command}\nset -- $?\npwd > {where}\nexit $1\n'
        )
        with _input(terminal=example.terminal) as typed:
            done = subprocess.run(
                ["bash", "-c", script], env=env, stdin=typed, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True, check=False, timeout=60,
            )  # fmt: skip
        yield Done(example, done.returncode, done.stdout)


@contextmanager
def _input(*, terminal: bool) -> Iterator[int]:
    """What a command reads from: a terminal at which nobody types, or nothing."""
    if not terminal:
        yield subprocess.DEVNULL
        return
    ours, theirs = os.openpty()
    try:
        yield theirs
    finally:
        os.close(ours)
        os.close(theirs)


def filled(page: str, done: Sequence[Done], home: str) -> str:
    """A page with the real outputs in the blocks that are made."""
    lines = page.splitlines(keepends=True)
    for one in reversed(done):
        if not one.example.made:
            continue
        start = one.example.line + one.example.command.count("\n")
        stop = start + one.example.output.count("\n")
        said = "".join(
            f"{_fitting(line.replace(home, '…'))}\n" for line in one.said.rstrip().splitlines()
        )
        lines[start:stop] = [said]
    return "".join(lines)


def _fitting(line: str) -> str:
    return line.rstrip() if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


def main() -> int:
    """Makes README.md anew, or the pages that are named."""
    if "--check" in sys.argv:
        return 0
    for page in [Path(name) for name in sys.argv[1:]] or [README]:
        text = page.read_text("utf-8")
        with tempfile.TemporaryDirectory() as folder:
            path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
            done = [*played([*examples(text)], Path(folder), path)]
            page.write_text(filled(text, done, f"{folder}/home"), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
