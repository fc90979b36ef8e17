"""The runs of lines that git's pickaxe shows, of files with any name and of any length."""

import os

from clawgit.git.cgit import CGit
from clawgit.git.history.streams import Removed, removed_lines
from tests.conftest import Git


def test_a_git_that_answers_before_it_has_read_all_is_no_deadlock(ws: Git) -> None:
    git = CGit(ws.root, os.environ)
    count = 5_000  # more than a pipe has room for, each way
    listed = git.start("cat-file", "--batch-check", stdin=b"refs/heads/main\n" * count)
    assert len([*listed.lines()]) == count


def test_names_and_texts_that_look_like_heads_are_told_apart(ws: Git) -> None:
    name = 'memory/ünlich "a"\tb.md'
    ws.write(name, "one\n-- a/x\n++ b/x\n")
    ws.commit_all("come")
    ws.write(name, "one\n")
    ws.commit_all("go")
    git = CGit(ws.root, os.environ)
    newest, *_ = ws("rev-list", "HEAD").split()
    assert [*removed_lines(git, "HEAD", pattern="-- a/x")] == [
        Removed(newest, name, ("-- a/x", "++ b/x"))
    ]
