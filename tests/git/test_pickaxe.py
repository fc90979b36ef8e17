"""The runs of lines that git's pickaxe shows, of files with any name and of any length."""

import os

from clawgit.git.cgit import CGit
from tests.conftest import Git


def test_a_git_that_answers_before_it_has_read_all_is_no_deadlock(ws: Git) -> None:
    git = CGit(ws.root, os.environ)
    count = 5_000  # more than a pipe has room for, each way
    listed = git.start("cat-file", "--batch-check", stdin=b"refs/heads/main\n" * count)
    assert len([*listed.lines()]) == count
