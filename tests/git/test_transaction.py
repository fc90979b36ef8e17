"""The one way to write: what a transaction commits, what it leaves alone, what it refuses."""

import hashlib
import os
import time
from pathlib import Path

import pytest

from clawgit.core.errors import (
    BusyError,
    PathRefusedError,
    UnsupportedRepoError,
    UsageError,
)
from clawgit.git.store import GitStore
from tests.conftest import NOW, Git, OpenStore, intent


def add_line(store: GitStore, path: str, line: str, **options: object) -> str | None:
    with store.transaction(intent(line), NOW, **options) as tx:  # type: ignore[arg-type]
        tx.put(path, tx.read_text(path) + line + "\n")
    return tx.outcome.commit


def age(path: Path, seconds: float = 10) -> None:
    """Makes an edit look settled, so that tests need not wait for it."""
    then = time.time() - seconds
    os.utime(path, (then, then))


def test_one_action_is_one_explained_commit(ws: Git, store: GitStore) -> None:
    with store.transaction(
        intent(
            "note the database",
            reason="Said twice.",
            evidence=("memory/2026-02-13.md#L3",),
            session="agent:main:main",
            confidence=0.95,
            run="r1",
            alerts=("shrink MEMORY.md",),
            job="nightly",
        ),
        NOW,
    ) as tx:
        tx.put("MEMORY.md", tx.read_text("MEMORY.md") + "- Caching uses Redis. #decision\n")
    assert ws("log", "-1", "--format=%an <%ae> %cn%n%B").splitlines() == [
        "Memory Miner <memory-miner@clawgit.invalid> Olga Operator",
        "memory-miner: note the database", "", "Said twice.", "", f"Clawgit-Id: {tx.outcome.id}",
        "Clawgit-Op: memory-miner/edit", "Evidence: memory/2026-02-13.md#L3",
        "Session: agent:main:main", "Confidence: 0.95", "Run: r1", "Alert: shrink MEMORY.md",
        "Clawgit-Job: nightly", "",
    ]  # fmt: skip
    assert ws.head() == tx.outcome.commit
    assert ws.status() == ""
    assert ws("fsck", "--strict") == ""


def test_what_changes_nothing_commits_nothing(ws: Git, store: GitStore) -> None:
    before = ws.head()
    with store.transaction(intent(), NOW) as tx:
        tx.put("MEMORY.md", str(tx.read_text("MEMORY.md")))
    assert (tx.outcome.commit, ws.head()) == (None, before)


def test_an_exception_in_the_block_writes_nothing(ws: Git, store: GitStore) -> None:
    before = ws.head()
    with pytest.raises(ZeroDivisionError), store.transaction(intent(), NOW) as tx:
        tx.put("MEMORY.md", str(1 / 0))
    assert (ws.head(), ws.status()) == (before, "")


def test_what_is_staged_and_differs_from_disk_is_kept_too(ws: Git, store: GitStore) -> None:
    ws.stage("MEMORY.md", "# Memory\n\n- staged\n")
    age(ws.write("MEMORY.md", "# Memory\n\n- on disk\n"))
    add_line(store, "MEMORY.md", "- Learned.")
    texts = [ws("show", f"HEAD~{back}:MEMORY.md") for back in (2, 1, 0)]
    assert [("staged" in text, "on disk" in text, "Learned" in text) for text in texts] == [
        (True, False, False), (False, True, False), (False, True, True),
    ]  # fmt: skip
    assert ws.status() == ""


def test_the_file_keeps_its_mode(ws: Git, store: GitStore) -> None:
    (ws.root / "MEMORY.md").chmod(0o600)
    add_line(store, "MEMORY.md", "- Learned.")
    assert (ws.root / "MEMORY.md").stat().st_mode & 0o777 == 0o600


def test_autocrlf_and_attributes_are_git_s_own_business(ws: Git, open_store: OpenStore) -> None:
    ws.write(".gitattributes", "*.md text eol=crlf\n")
    ws.write("MEMORY.md", "# Memory\r\n\r\n- One.\r\n")
    ws.commit_all("crlf")
    store = open_store(ws.root)
    with store.transaction(intent(), NOW) as tx:
        assert tx.read("MEMORY.md") == b"# Memory\n\n- One.\n"
        tx.put("MEMORY.md", "# Memory\n\n- One.\n- Two.\n")
    assert (ws.root / "MEMORY.md").read_bytes() == b"# Memory\r\n\r\n- One.\r\n- Two.\r\n"
    assert ws("cat-file", "blob", "HEAD:MEMORY.md") == "# Memory\n\n- One.\n- Two.\n"
    assert ws.status() == ""


def test_attributes_deeper_down_count_for_what_is_below_them(ws: Git, store: GitStore) -> None:
    ws.write("notes/.gitattributes", "*.md text eol=lf\n")
    for folder in ("notes", "other"):
        ws.write(f"{folder}/a.md", "# A\r\n")
    store.snapshot(NOW)
    kept = [int(ws("cat-file", "-s", f"HEAD:{folder}/a.md")) for folder in ("notes", "other")]
    assert kept == [len("# A\n"), len("# A\r\n")]


def test_bytes_that_are_not_utf8_survive_and_are_no_text(ws: Git, store: GitStore) -> None:
    (ws.root / "MEMORY.md").write_bytes(b"- caf\xe9\n")
    age(ws.root / "MEMORY.md")
    with pytest.raises(PathRefusedError, match="not UTF-8"), store.transaction(intent(), NOW) as tx:
        tx.read_text("MEMORY.md")
    with store.transaction(intent(), NOW) as tx:
        tx.put("MEMORY.md", (tx.read("MEMORY.md") or b"") + b"- more\n")
    assert (ws.root / "MEMORY.md").read_bytes() == b"- caf\xe9\n- more\n"


@pytest.mark.parametrize("path", ["../out.md", "/etc/passwd", ".git/config"])
def test_a_path_outside_the_workspace_is_a_usage_error(store: GitStore, path: str) -> None:
    with pytest.raises(UsageError), store.transaction(intent(), NOW) as tx:
        tx.put(path, "x")


def test_symlinks_hard_links_folders_and_read_only_files_are_refused(
    ws: Git, store: GitStore, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (ws.root / "link").symlink_to(tmp_path / "elsewhere")
    (ws.root / "soul.link.md").symlink_to("SOUL.md")
    (ws.root / "folder.md").mkdir()
    os.link(ws.root / "SOUL.md", tmp_path / "hard")
    (ws.root / "MEMORY.md").chmod(0o444)
    (ws.root / "memory" / ".git").mkdir()
    before = ws.head()
    for path in (
        "link/x.md", "soul.link.md", "folder.md", "SOUL.md", "MEMORY.md", "SOUL.md/x.md",
        "memory/x.md",
    ):  # fmt: skip
        with pytest.raises(PathRefusedError) as refused, store.transaction(intent(), NOW) as tx:
            tx.put(path, "changed")
        assert refused.value.hint
    assert ws.head() == before


def test_a_foreign_index_lock_is_waited_for_and_named(
    ws: Git, open_store: OpenStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clawgit.git.landing._LOCK_TIMEOUT", 0.05)
    monkeypatch.setattr("clawgit.git.landing.land.__defaults__", (0.05,))
    (ws.root / ".git/index.lock").write_text("")
    store = open_store(ws.root)
    before = ws.head()
    with pytest.raises(BusyError, match=r"index\.lock"):
        add_line(store, "MEMORY.md", "- Learned.")
    assert (ws.head(), ws.status(), ws("for-each-ref", "refs/clawgit")) == (before, "", "")
    assert (ws.root / ".git/index.lock").exists()


def test_a_split_index_is_refused_with_what_ends_it(ws: Git, open_store: OpenStore) -> None:
    ws("update-index", "--split-index")
    with pytest.raises(UnsupportedRepoError) as refused:
        add_line(open_store(ws.root), "MEMORY.md", "- Learned.")
    for command in refused.value.hint.split("; "):
        ws(*command.split()[1:], ok=False)
    add_line(open_store(ws.root), "MEMORY.md", "- Learned.")
    assert (ws.status(), ws("fsck", "--strict")) == ("", "")


def test_snapshot_takes_markdown_and_tracked_files_alone(ws: Git, store: GitStore) -> None:
    age(ws.write("memory/2026-02-14.md", "- New.\n"))
    age(ws.write("SOUL.md", "# Soul\n\n- Be bold.\n"))
    ws.write("picture.png", "not text")
    ws.write("huge.md", "x" * (2 * 1024 * 1024 + 1))
    ws.write(".gitignore", "*.tmp.md\n")
    ws.write("x.tmp.md", "ignored")
    (ws.root / "link.md").symlink_to("SOUL.md")
    nested = Git(ws.root / "nested")
    nested.root.mkdir()
    nested("init", "-q")
    nested.write("MEMORY.md", "of another agent")
    outcome, dirt = store.snapshot(NOW)
    assert ws("show", "--format=", "--name-only", *outcome.snapshots).split() == [
        "SOUL.md",
        "memory/2026-02-14.md",
    ]
    assert dict(dirt.skipped) == {
        "huge.md": "over 2 MiB, which OpenClaw refuses",
        "link.md": "a symlink",
        "nested/": "a repository of its own",
    }


def test_git_s_own_environment_variables_do_not_lead_us_astray(
    ws: Git, open_store: OpenStore, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.setenv(name, str(tmp_path / "elsewhere"))
    store = open_store(ws.root)
    commit = add_line(store, "MEMORY.md", "- Learned.")
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.delenv(name)
    assert (ws.head(), ws.status()) == (commit, "")


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
