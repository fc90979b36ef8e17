"""Answers of git for which no pipe has room."""

import os

import pytest

from clawgit.git.cgit import CGit
from clawgit.git.staged import texts
from tests.conftest import Git


def test_more_texts_than_a_pipe_has_room_for(ws: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    path, text = f"memory/{'a' * 60}.md", "Tea at nine.\n" * 400
    ws.write(path, text)
    ws.commit_all("tea")
    monkeypatch.chdir(ws.root)
    names = [f"HEAD:{path}", "HEAD:memory/gone.md"] * 800
    assert texts(names, os.environ) == [text, ""] * 800


def test_a_git_that_answers_before_it_has_read_all_is_no_deadlock(ws: Git) -> None:
    git = CGit(ws.root, os.environ)
    count = 5_000  # more than a pipe has room for, each way
    listed = git.start("cat-file", "--batch-check", stdin=b"refs/heads/main\n" * count)
    assert len([*listed.lines()]) == count
