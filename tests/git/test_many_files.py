"""A first snapshot of many files, and folders in folders."""

import hashlib

from clawgit.git.store import GitStore
from tests.conftest import NOW, Git

COUNT = 120


def blob_id(text: str) -> str:
    data = text.encode()
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def test_many_new_files_are_stored_and_nothing_else(ws: Git, store: GitStore) -> None:
    texts = {f"notes/{at}.md": f"# Note {at}\n\n" + "x\n" * at for at in range(COUNT)}
    texts["notes/same.md"] = texts["notes/1.md"]
    for path, text in texts.items():
        ws.write(path, text)
    ws.write(".git/info/exclude", "hidden.md\n")
    ws.write("notes/hidden.md", "# Not for git\n")
    done, _ = store.snapshot(NOW)
    assert len(done.snapshots) == 1
    kept = [row.split(maxsplit=2)[2] for row in ws("ls-tree", "-r", "HEAD", "notes").splitlines()]
    assert sorted(kept) == sorted(f"{blob_id(text)}\t{path}" for path, text in texts.items())
    ws("fsck", "--strict", "--full")
    assert ws.status() == ""
    gone = ws("cat-file", "-e", blob_id("# Not for git\n"), ok=False)
    assert "Not for git" not in gone
    assert blob_id("# Not for git\n") not in ws("cat-file", "--batch-all-objects", "--batch-check")
