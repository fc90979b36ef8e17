"""The copy of git's index that a transaction prepares."""

import os

import pytest

from clawgit.git.store import GitStore
from tests.conftest import NOW, Git, intent


@pytest.mark.parametrize("own", ["MEMORY.md", "new.md"])
def test_an_edit_in_the_second_in_which_it_was_staged_stays_in_sight(
    ws: Git, store: GitStore, own: str
) -> None:
    """The times and the size of the file are those that git's index has; an older index than ours
    made git look at the text all the same.
    """
    ws("config", "core.trustctime", "false")
    ws.write("MEMORY.md", "- one\n")
    ws.write("note.md", "- aaa\n")
    ws.commit_all("both")
    index, note = ws.root / ".git/index", ws.root / "note.md"
    ws.write("note.md", "- bbb\n")
    os.utime(note, (1e9, 1e9))
    ws("add", "note.md")
    ws.write("note.md", "- ccc\n")
    os.utime(note, (1e9, 1e9))
    os.utime(index, (1e9, 1e9))
    with store.transaction(intent(), NOW) as tx:
        tx.put(own, "- two\n")
    assert tx.outcome.commit
    assert ws("status", "--short", "note.md") == "MM note.md\n"
