"""A workspace whose git asks clawgit, and `git commit` in it as its users call it."""

import os
import pty
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import pytest

from clawgit.workspace import githooks
from clawgit.workspace.workspace import Workspace
from tests import ready
from tests.conftest import Git
from tests.making import space_of

_NO_MORE: Mapping[str, str] = MappingProxyType({})


class Result(NamedTuple):
    code: int
    said: str

    def refuses(self, why: str) -> bool:
        return self.code == 1 and why in self.said


class Hooked(Git):
    """Plain git, with what its hooks said."""

    def run(
        self,
        *args: str,
        cwd: Path | None = None,
        stdin: int = subprocess.DEVNULL,
        env: Mapping[str, str] = _NO_MORE,
    ) -> Result:
        """One call of git; a variable that is empty is not there."""
        merged = {name: value for name, value in {**os.environ, **env}.items() if value}
        done = subprocess.run(
            ["git", *args], cwd=cwd or self.root, env=merged, stdin=stdin, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, check=False, timeout=100,
        )  # fmt: skip
        return Result(done.returncode, done.stdout.decode("utf-8", "surrogateescape"))

    def commit(self, path: str = "", text: str | None = None, *args: str, **env: str) -> Result:
        """Commits one file as a script would, with no terminal."""
        if text is not None:
            self.write(path, text)
            self("add", "--", path)
        return self.run("commit", "-q", *(args or ("-m", "a change")), env=env)

    def at_a_terminal(self, *args: str) -> Result:
        with terminal() as stdin:
            return self.run(*args, stdin=stdin)

    @property
    def space(self) -> Workspace:
        return space_of(self)

    def message(self, rev: str = "HEAD") -> str:
        return self("log", "-1", "--format=%B", rev).rstrip("\n")

    def ids(self, range_: str = "HEAD") -> list[str]:
        return self(
            "log", "--format=%(trailers:key=Clawgit-Id,valueonly,separator=%x20)", range_
        ).splitlines()


@contextmanager
def terminal() -> Iterator[int]:
    ours, theirs = pty.openpty()
    with closing(os.fdopen(ours, "rb")), closing(os.fdopen(theirs, "rb")) as stdin:
        yield stdin.fileno()


def hook_up(root: Path, python: str = "") -> Hooked:
    """Puts the hooks in, to be run by an interpreter that is loaded already."""
    git = Hooked(root)
    githooks.install(git.space, python=python or ready.python())
    git.space.place.private.mkdir(exist_ok=True)
    return git


@pytest.fixture
def hooked(ws: Git) -> Hooked:
    """A workspace with one commit that was made before there were hooks."""
    return hook_up(ws.root)
