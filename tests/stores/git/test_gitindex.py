"""The copy of git's index that a transaction prepares."""

import os
import subprocess

import pytest

from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.gitdir import repo_at
from clawgit.stores.git.gitindex import Blob, GitIndex
from clawgit.stores.git.store import GitStore
from tests.conftest import NOW, Git, intent


def test_what_a_killed_writer_s_git_still_writes_does_not_reach_the_next_one(ws: Git) -> None:
    place = repo_at(ws.root)
    assert place is not None
    place.private.mkdir(parents=True, exist_ok=True)
    blob = Blob(ws("hash-object", "-w", "MEMORY.md").strip(), 0o100644)
    killed, after = (GitIndex(place, CGit(ws.root, os.environ)) for _ in range(2))
    with killed.preparing({"killed.md": blob}):
        theirs = killed._private
    with after.preparing({"after.md": blob}):
        subprocess.run(
            ["git", "update-index", "--add", "--cacheinfo", f"100644,{blob.oid},killed.md"],
            cwd=ws.root,
            env={**os.environ, "GIT_INDEX_FILE": str(theirs)},
            check=True,
        )
    after.publish()
    assert "after.md" in ws("ls-files")
    assert "killed.md" not in ws("ls-files")
    after.discard()
    assert [*place.private.glob("index.next*")] == []


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
