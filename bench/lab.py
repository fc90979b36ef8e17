"""A temporary folder in which git and clawgit run as processes, untouched by the settings of
whoever measures."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.race import NotMeasuredError, Task

_FOREIGN = ("GIT_", "CLAWGIT_", "OPENCLAW_", "XDG_", "PYTHON")
"""Variables that must not reach the child processes: without bytecode, for one, every start would
compile our modules again."""

_GIT_CONFIG = (
    "[user]\n\tname = Bench\n\temail = bench@example.org\n[init]\n\tdefaultBranch = "
    "main\n[gc]\n\tauto = 0\n"
)
_UNBUILT = ("No module named 'clawgit.", "AttributeError: module 'clawgit.")
_CLAWGIT = str(Path(sys.executable).with_name("clawgit"))


class Lab(NamedTuple):
    """Where a benchmark works. Tasks made here raise when their process fails, so that no failure
    is timed."""

    root: Path
    env: Mapping[str, str]

    def git(self, workspace: Path, *args: str) -> Task:
        return lambda: self.finish(workspace, "git", *args)

    def python(self, code: str) -> Task:
        return lambda: self.finish(self.root, sys.executable, "-c", code)

    def clawgit(self, workspace: Path, *args: str) -> Task:
        """The command as its users start it. One that is not written yet is not measured."""

        def call() -> None:
            done = self._run(workspace, [_CLAWGIT, *args])
            if done.returncode:
                raise NotMeasuredError(_why(done.stderr.decode("utf-8", "replace")))

        return call

    def finish(self, folder: Path, *argv: str) -> None:
        """Runs a reference; there is nothing to compare with when it fails."""
        done = self._run(folder, argv)
        if done.returncode:
            raise subprocess.CalledProcessError(done.returncode, argv, stderr=done.stderr)

    def _run(self, folder: Path, argv: Sequence[str]) -> subprocess.CompletedProcess[bytes]:
        null, pipe = subprocess.DEVNULL, subprocess.PIPE
        return subprocess.run(
            argv, cwd=folder, env=self.env, stdin=null, stdout=null, stderr=pipe, check=False
        )


def open_lab(root: Path) -> Lab:
    """A lab with a home and a git configuration of its own."""
    (root / ".gitconfig").write_text(_GIT_CONFIG)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_FOREIGN)}
    own = {
        "HOME": str(root),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": str(root / ".gitconfig"),
        "LC_ALL": "C",
    }
    return Lab(root, {**kept, **own})


def _why(stderr: str) -> str:
    if any(mark in stderr for mark in _UNBUILT):
        return "not there yet"
    return f"failed: {next(iter(stderr.splitlines()), 'no word why')}"
