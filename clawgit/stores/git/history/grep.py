"""Searches for words by C git: in the Markdown on disk, in a commit, and in all of history."""

import os
from typing import NamedTuple

from clawgit.stores.git.cgit import CGit

_MARKDOWN = ":(icase)*.md"


class GrepHit(NamedTuple):
    """A line of a file, counted from 0."""

    path: str
    at: int
    line: str


def grep(git: CGit, *texts: str, rev: str | None = None, as_pattern: bool = False) -> list[GrepHit]:
    """The lines that hold one of the texts, on disk (new files too) or in a commit.

    As a pattern it is an extended regular expression, and ASCII letters match in either case.
    """
    where = ("--untracked",) if rev is None else (rev,)
    kind = ("-E", "-i") if as_pattern else ("-F",)
    options = ("-z", "-n", *kind, "-a", "--no-column", "--no-color", "--full-name")
    wanted = [part for text in texts for part in ("-e", text)]
    _, output = git.call("grep", *options, *wanted, *where, "--", _MARKDOWN, ok=(0, 1))
    return [
        _hit(line, f"{rev}:" if rev else "")
        for line in output.splitlines()
        if line.count(b"\0") > 1
    ]


def last_change_of(git: CGit, text: str, head: str) -> str | None:
    """The newest commit that changed how often a text is in a file.

    Slow: it reads all history.
    """
    commit = git.text(
        "log", "-n1", "--format=%H", "--no-renames", f"-S{text}", head, "--", _MARKDOWN
    )
    return commit.strip() or None


def _hit(line: bytes, prefix: str) -> GrepHit:
    path, number, text = line.split(b"\0", 2)
    return GrepHit(
        os.fsdecode(path).removeprefix(prefix),
        int(number) - 1,
        text.decode("utf-8", "surrogateescape"),
    )
