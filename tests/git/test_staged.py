"""What a hook reads of a commit to come."""

import os

import pytest

from clawgit.git.staged import texts
from tests.conftest import Git


def test_thousands_of_texts_are_read_for_which_no_pipe_has_room(
    ws: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, text = f"memory/{'a' * 60}.md", "Tea at nine.\n" * 400
    ws.write(path, text)
    ws.commit_all("tea")
    monkeypatch.chdir(ws.root)
    names = [f"HEAD:{path}", "HEAD:memory/gone.md"] * 800
    assert texts(names, os.environ) == [text, ""] * 800
