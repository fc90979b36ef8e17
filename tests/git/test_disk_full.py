"""A disk that is full, and places that may not be written: a clear error, nothing lost, nothing
half-done."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from clawgit.core.errors import StorageError
from tests import ready
from tests.conftest import NOW, Git, OpenStore, intent, run_to_end
from tests.each import slow_unless
from tests.git.limited_child import LINE, LINES
from tests.git.test_crash import assert_whole
from tests.git.test_transaction import age

CHILD = Path(__file__).with_name("limited_child.py")
NOBODY = 65534


def run_child(ws: Git, *limit: str) -> tuple[int, str]:
    # Somebody else may not open what a process of ours has loaded.
    program = sys.executable if limit[0] == "as" else ready.python()
    done = run_to_end(program, str(CHILD), str(ws.root), *limit, cwd=CHILD.parents[2])
    assert done.stderr == ""
    return done.returncode, done.stdout.strip()


def assert_nothing_happened(ws: Git, before: str) -> None:
    """What the user sees is as it was: the same commit, the same files and no litter, before any
    healing."""
    assert (ws.head(), ws.status()) == (before, " M MEMORY.md\n")
    assert (ws.root / "MEMORY.md").read_text().endswith("- foreign\n")
    assert list(ws.root.rglob(".clawgit-*")) == []
    assert not (ws.root / ".git/index.lock").exists()


@pytest.fixture
def full(ws: Git) -> Git:
    """A workspace with an edit of somebody else's in it, and an index that is larger than its
    texts."""
    for number in range(40):
        ws.write(f"memory/notes-{number:03}.md", f"- {number}\n")
    ws.commit_all("notes")
    age(ws.write("MEMORY.md", "# Memory\n\n- Billing uses PostgreSQL. #decision\n- foreign\n"))
    return ws


LIMITS = (0, 30, 60, 120, 200, 400, 800, 1600, 3000, 4000, 5000)


@pytest.mark.parametrize("limit", slow_unless((60, 800, 5000), LIMITS))
def test_a_full_disk_changes_nothing_and_is_told(
    full: Git, open_store: OpenStore, limit: int
) -> None:
    before = full.head()
    code, told = run_child(full, "full", str(limit))
    assert code == 1
    assert told.startswith("storage | The disk is full")
    assert_nothing_happened(full, before)
    code, commit = run_child(full, "free")
    assert (code, commit) == (0, full.head())
    store = open_store(full.root)
    store.snapshot(NOW)
    store.close()
    assert_whole(full)
    text = full("show", "HEAD:MEMORY.md")
    assert (text.count("- foreign\n"), text.count(LINE)) == (1, LINES)


def test_the_smallest_disk_that_suffices(full: Git) -> None:
    """The limits above are real ones: with a little more, the very same transaction lands."""
    assert run_child(full, "full", "40000")[0] == 0
    assert full("show", "HEAD:MEMORY.md").count(LINE) == LINES


@contextmanager
def unwritable(*folders: Path) -> Iterator[None]:
    """Root ignores permissions, so the child runs as nobody; for anybody else the permissions
    suffice."""
    for folder in folders:
        folder.chmod(0o555)
    yield
    for folder in folders:
        folder.chmod(0o755)


@pytest.fixture
def apart(full: Git, monkeypatch: pytest.MonkeyPatch) -> Iterator[Git]:
    """A copy, with a home, where another user may look: pytest keeps its own folders shut, also for
    each other."""
    folder = Path(tempfile.mkdtemp())
    home = Path.home()
    shutil.copytree(full.root, folder / "ws")
    shutil.copy(home / ".gitconfig", folder)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(folder / ".gitconfig"))
    age(folder / "ws/MEMORY.md")
    folder.chmod(0o755)
    hand_over(folder, NOBODY)
    yield Git(folder / "ws")
    shutil.rmtree(folder)


def hand_over(folder: Path, user: int) -> None:
    if os.geteuid() == 0:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, user, user)


def as_somebody() -> tuple[str, ...]:
    return ("as", str(NOBODY)) if os.geteuid() == 0 else ("free",)


@pytest.mark.parametrize(
    "folder",
    slow_unless((".git/objects", "."), (".git/objects", ".", ".git", ".git/refs/heads", "memory")),
)
def test_a_place_that_may_not_be_written_is_a_clear_error(apart: Git, folder: str) -> None:
    hand_over(apart.root, 0)
    before = apart.head()
    hand_over(apart.root, NOBODY)
    shut = apart.root / folder
    below = (
        [path for path in shut.rglob("*") if path.is_dir()] if folder.startswith(".git/") else []
    )
    with unwritable(shut, *below):
        code, told = run_child(apart, *as_somebody())
    kind, message, hint = told.split(" | ")
    assert (code, kind in ("storage", "path_refused"), bool(hint)) == (1, True, True), told
    assert "cannot" in message
    hand_over(apart.root, 0)
    assert apart.head() == before
    assert_whole_after(apart)


def assert_whole_after(ws: Git) -> None:
    """The next command, with the permissions mended, does all of it."""
    code, commit = run_child(ws, "free")
    assert (code, commit) == (0, ws.head())
    assert_whole(ws)
    assert ws("show", "HEAD:MEMORY.md").count(LINE) == LINES


def test_a_file_where_git_s_private_folder_should_be(ws: Git, open_store: OpenStore) -> None:
    (ws.root / ".git/clawgit").write_text("in the way")
    store = open_store(ws.root)
    with pytest.raises(StorageError) as refused, store.transaction(intent(), NOW) as tx:
        tx.put("MEMORY.md", "x")
    assert refused.value.hint


@pytest.mark.host
def test_a_full_file_system(ws: Git, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=700k", "tmpfs", str(disk)], check=True)
    try:
        on_disk = Git(disk / "ws")
        ws("clone", "-q", str(ws.root), str(on_disk.root))
        on_disk("config", "user.name", "Olga Operator")
        on_disk("config", "user.email", "olga@example.org")
        before = on_disk.head()
        blob = disk / "blob"
        for free in (40_000, 20_000, 12_000, 8_000, 4_000, 0):
            room = os.statvfs(disk)
            blob.write_bytes(bytes(max(0, room.f_bavail * room.f_frsize - free)))
            code, told = run_child(on_disk, "free")
            blob.unlink()
            if code:
                assert told.startswith("storage | The disk is full")
                assert (on_disk.head(), on_disk.status()) == (before, "")
            before = on_disk.head()
        assert code == 1
        assert run_child(on_disk, "free")[0] == 0
        assert_whole(on_disk)
    finally:
        subprocess.run(["umount", str(disk)], check=True)
