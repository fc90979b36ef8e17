"""A reference moves as git moves it: after its objects are on the disk, and with a line in its log."""

import os
from pathlib import Path
from threading import Timer

import pytest
from pygit2 import GitError

from clawgit.core.errors import BusyError
from clawgit.git import objects as refs
from clawgit.git.cgit import CGit
from clawgit.git.gitdir import find_repo
from clawgit.git.rewriting import pack
from clawgit.git.store import GitStore
from tests.conftest import NOW, Git, OpenStore, intent
from tests.git.test_transaction import age


def synced_from_now(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The inodes that are synced from now on, in order."""
    synced: list[int] = []
    sync = os.fsync

    def note(descriptor: int) -> None:
        synced.append(os.fstat(descriptor).st_ino)
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", note)
    return synced


def learn(store: GitStore, line: str) -> str:
    with store.transaction(intent(), NOW) as tx:
        tx.put("memory/tea.md", line)
    return tx.outcome.commit or ""


def test_head_is_read_again_where_git_has_just_replaced_it(
    store: GitStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As libgit2 says it while a checkout leaves the branch."""
    read, torn = store.raw.lookup_reference, ["HEAD: could not read (expected 41 bytes, read 21)"]

    def meanwhile(name: str) -> object:
        if torn:
            raise GitError(torn.pop())
        return read(name)

    monkeypatch.setattr(store.raw, "lookup_reference", meanwhile)
    assert store.head().ref == "refs/heads/main"


def test_a_lock_that_a_dead_git_left_on_the_commit_graph_stops_no_packing_for_good(ws: Git) -> None:
    place = find_repo(ws.root)
    git, lock = CGit(ws.root, dict(os.environ)), place.common_dir / "objects/info/commit-graph.lock"
    lock.parent.mkdir(exist_ok=True)
    lock.write_bytes(b"")
    assert "another git writes" in pack(git, place)
    assert lock.exists()
    os.utime(lock, (0, 0))
    assert pack(git, place) == ""
    assert not lock.exists()


def test_no_reference_moves_before_its_objects_and_files_are_on_the_disk(
    ws: Git, open_store: OpenStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced = synced_from_now(monkeypatch)
    learn(open_store(ws.root), "- Tea.\n")
    names = ("HEAD", "HEAD:", "HEAD:memory", "HEAD:memory/tea.md")
    objects = [ws("rev-parse", name).strip() for name in names]
    files = [ws.root / f".git/objects/{oid[:2]}/{oid[2:]}" for oid in objects]
    at = {
        name: synced.index((ws.root / name).stat().st_ino)
        for name in (
            "memory/tea.md", ".git/refs/clawgit/tx", ".git/refs/heads/main", "memory",
            ".git/refs/heads",
        )
    }  # fmt: skip
    assert [*at.values()] == sorted(at.values())
    for path in (*files, *(file.parent for file in files)):
        assert synced.index(path.stat().st_ino) < at["memory/tea.md"]


def test_each_reference_that_is_new_is_on_the_disk_with_its_name(
    tmp_path: Path, open_store: OpenStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.joinpath("new").mkdir()
    git = Git(tmp_path / "new")
    git("init", "-q")
    synced = synced_from_now(monkeypatch)
    store = open_store(git.root)
    oid = learn(store, "- Tea.\n")
    store.set_ref("refs/clawgit/rescue/main/1", oid)
    for name in ("refs/heads/main", "refs/clawgit/rescue/main/1"):
        file = git.root / ".git" / name
        at = [synced.index(path.stat().st_ino) for path in (file, file.parent)]
        assert at == sorted(at)


def test_what_others_saved_is_on_the_disk_before_the_branch_names_it(
    ws: Git, open_store: OpenStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Most programs save without a sync. After a power cut their file would be empty, and the next
    snapshot would take that for an edit."""
    page = ws.write("memory/page.md", "- A page.\n")
    age(page)
    synced = synced_from_now(monkeypatch)
    assert open_store(ws.root).snapshot(NOW)
    at = [synced.index(path.stat().st_ino) for path in (page, page.parent)]
    assert at == sorted(at)
    assert at[-1] < synced.index((ws.root / ".git/refs/heads").stat().st_ino)


def test_gits_index_has_a_change_when_the_branch_has_it(ws: Git, open_store: OpenStore) -> None:
    """After a crash in between it would be staged, for anybody to commit as his own."""
    staged: dict[str, str] = {}

    def seam(step: str) -> None:
        staged[step] = ws("ls-files", "memory/tea.md")

    learn(open_store(ws.root, seam=seam), "- Tea.\n")
    assert (staged["ref-moved"], staged["index-published"]) == ("", "memory/tea.md\n")


def test_the_logs_of_branch_and_head_say_who_moved_them(ws: Git, open_store: OpenStore) -> None:
    ws("config", "user.name", "Somebody")
    ws("config", "--add", "user.name", "Öl Kessel")
    learn(open_store(ws.root), "- Tea.\n")
    for name in ("main", "HEAD"):
        shown = ws("reflog", "-2", "--format=%H %gn <%ge> %gs", name).splitlines()
        user = f"Öl Kessel <{ws('config', 'user.email').strip()}>"
        assert shown[0] == f"{ws.head()} {user} clawgit: memory-miner/edit"
        assert shown[1].startswith(ws("rev-parse", "HEAD^").strip())
    before = ws("reflog")
    ws("config", "core.logAllRefUpdates", "false")
    learn(open_store(ws.root), "- Coffee.\n")
    assert ws("reflog") == before


def test_a_packed_branch_moves_and_an_empty_folder_goes(ws: Git, open_store: OpenStore) -> None:
    ws("pack-refs", "--all")
    (ws.root / ".git/refs/heads/main").mkdir()
    assert learn(open_store(ws.root), "- Tea.\n") == ws.head()
    assert ws("fsck", "--strict") == ""


def test_a_packed_reference_is_deleted_though_another_git_packs_just_now(
    ws: Git, open_store: OpenStore
) -> None:
    ws("update-ref", "refs/clawgit/proposals/a", "HEAD")
    ws("pack-refs", "--all")
    lock = ws.write(".git/packed-refs.lock", "")
    Timer(0.05, lock.unlink).start()
    open_store(ws.root).delete_ref("refs/clawgit/proposals/a")
    assert ws("for-each-ref", "refs/clawgit") == ""


def test_a_lock_of_another_git_is_waited_for_and_then_named(
    ws: Git, open_store: OpenStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refs, "_PATIENCE", 0.0)
    store = open_store(ws.root)
    before = ws.head()
    lock = ws.write(".git/refs/heads/main.lock", "f" * 40)
    with pytest.raises(BusyError, match=r"holds a reference here.*main\.lock"):
        learn(store, "- Tea.\n")
    assert (ws.head(), lock.read_text()) == (before, "f" * 40)
    lock.unlink()
    assert store.heal(NOW)
    assert ws("show", "HEAD:memory/tea.md") == "- Tea.\n"
