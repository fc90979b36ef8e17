"""What looks wrong on the screens of a workspace that somebody has lived in for a week.

`python -m tests.cli.screens [COMMAND …]` calls each command (or those that begin with COMMAND) in a
terminal of 80 and of 140 columns, and lists lines that are too wide or stand twice, and
answers of more than a screen. With `-v` it prints the screens as well.
"""

import os
import sys
import tempfile
from pathlib import Path

import pytest

from docs.make_screens import typed
from tests.cli.lived import WORDS, doubled, each, live, too_wide, unstyled
from tests.conftest import Git, move_in

_SCREEN = 24


def faults(text: str, columns: int) -> list[str]:
    """What is wrong with a screen, one line each."""
    rows = text.splitlines()
    return [
        *(f"too wide: {line}" for line in too_wide(text, columns)),
        *(f"twice: {line}" for line in doubled(text)),
        *([f"{len(rows)} lines"] if len(rows) > _SCREEN else []),
    ]


def main(begins: tuple[str, ...], *, verbose: bool) -> None:
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        folder = Path(name)
        move_in(folder / "home", patch)
        ws = Git(folder / "ws")
        ws.root.mkdir()
        patch.chdir(ws.root)
        live(ws)
        programs = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        env = {**os.environ, "PATH": programs, "CLAWGIT_NOW": "2026-02-28T12:00:00+00:00"}
        env |= {"EDITOR": "true", "VISUAL": "true", "TERM": "xterm-256color"}
        for path in each():
            if path != "connect event" and path.startswith(
                begins or ""
            ):  # that one waits for a program
                _show(f"clawgit {path} {WORDS[path]}".strip(), ws.root, env, verbose=verbose)


def _show(command: str, where: Path, env: dict[str, str], *, verbose: bool) -> None:
    """Prints the faults of one command; at 140 columns only those that 80 did not have."""
    known: set[str] = set()
    for columns in (80, 140):
        text = unstyled(typed(command, where, env, columns)[0])
        wrong = [fault for fault in faults(text, columns) if fault not in known]
        known.update(wrong)
        if wrong or verbose:
            print(
                f"$ {command}   [{columns} columns]", *wrong, *([text] if verbose else []), sep="\n"
            )


if __name__ == "__main__":
    main(tuple(word for word in sys.argv[1:] if word != "-v"), verbose="-v" in sys.argv)
