"""The copy of git's index that a transaction prepares."""

import os
import subprocess

from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.gitdir import repo_at
from clawgit.stores.git.gitindex import Blob, GitIndex
from tests.conftest import Git


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
