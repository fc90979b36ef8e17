"""What threads, editors and plumbing do in the very moment of a transaction."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Timer

import pytest

from tests.conftest import NOW, Git, OpenStore, intent
from tests.git.test_crash import assert_no_line_comes_twice_or_goes
from tests.git.test_transaction import add_line, age


def test_threads_of_one_process_wait_for_each_other(ws: Git, open_store: OpenStore) -> None:
    """A server opens one store a thread, and some threads share one."""
    shared = open_store(ws.root)
    stores = [shared, shared, open_store(ws.root), open_store(ws.root)]
    lines = [f"- {number}" for number in range(12)]
    with ThreadPoolExecutor(len(stores)) as pool:
        commits = list(
            pool.map(
                lambda n: add_line(stores[n % len(stores)], "MEMORY.md", lines[n]),
                range(len(lines)),
            )
        )
    assert sorted(ws("show", "HEAD:MEMORY.md").splitlines()[3:]) == sorted(lines)
    assert len(set(commits)) == len(lines)
    assert (ws.status(), ws("fsck", "--strict", "--no-dangling")) == ("", "")


def test_a_branch_that_moves_after_the_files_were_replaced(ws: Git, open_store: OpenStore) -> None:
    """`git update-ref` asks nobody: what it points to gets our change too, and the outcome names
    what is in history."""
    moved: list[str] = []

    def seam(step: str) -> None:
        if step == "placed" and not moved:
            moved.append(
                ws("commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "by plumbing").strip()
            )
            ws("update-ref", "refs/heads/main", moved[0])

    store = open_store(ws.root, seam=seam)
    commit = add_line(store, "MEMORY.md", "- Learned.")
    assert ws("log", "--format=%H", "-2").split() == [commit, moved[0]]
    assert (ws.status(), ws("for-each-ref", "refs/clawgit")) == ("", "")


def test_a_lock_on_the_branch_is_waited_for(ws: Git, open_store: OpenStore) -> None:
    """`git gc` and `git fetch` lock references for a moment."""
    lock = ws.root / ".git/refs/heads/main.lock"

    def seam(step: str) -> None:
        if step == "placed":
            lock.touch()
            Timer(0.05, lock.unlink).start()

    commit = add_line(open_store(ws.root, seam=seam), "MEMORY.md", "- Learned.")
    assert (ws.head(), ws.status()) == (commit, "")


@pytest.mark.parametrize("how", ["append", "rename", "twice", "delete"])
def test_an_editor_that_saves_in_that_moment(ws: Git, open_store: OpenStore, how: str) -> None:
    file, saved = ws.root / "MEMORY.md", list[str]()
    text = file.read_text()

    def seam(step: str) -> None:
        if step != "prepared" or saved:
            return
        saved.append(step)
        if how == "delete":
            file.unlink()
        elif how == "rename":
            ws.write("editor.tmp", text.replace("Billing", "All billing")).replace(file)
        else:
            with file.open("a") as editor:
                editor.write("- theirs\n" * (1 + (how == "twice")))

    store = open_store(ws.root, seam=seam)
    add_line(store, "MEMORY.md", "- ours")
    store.close()
    on_disk = file.read_text()
    assert on_disk.count("- ours\n") == 1
    assert on_disk.count("- theirs\n") == {"append": 1, "twice": 2}.get(how, 0)
    assert ("All billing" in on_disk) is (how == "rename")
    assert (ws("show", "HEAD:MEMORY.md"), ws.status()) == (on_disk, "")


@pytest.mark.parametrize("by_hand", [False, True])
@pytest.mark.parametrize("moment", ["prepared", "exchanged", "placed", "unlocked"])
def test_a_line_appended_while_we_add_a_heading_stands_once_in_every_commit(
    ws: Git, open_store: OpenStore, moment: str, by_hand: bool
) -> None:
    """It stands where the editor put it: under the heading before."""
    file, saved = ws.root / "MEMORY.md", list[str]()
    stale = file.open("a")  # of the file that we displace

    def seam(step: str) -> None:
        if step == moment and not saved:
            saved.append(step)
            stale.write("- theirs\n")
            stale.close()
        if step == "done" and by_hand:
            ws(
                "commit", "-qam", "by hand", ok=False
            )  # in some of the moments there is nothing to commit yet

    store = open_store(ws.root, seam=seam)
    add_line(store, "MEMORY.md", "\n## New\n\n- ours")
    store.close()
    on_disk = file.read_text()
    assert [on_disk.count(line) for line in ("- theirs\n", "- ours\n")] == [1, 1]
    assert (ws("show", "HEAD:MEMORY.md"), ws.status()) == (on_disk, "")
    assert_no_line_comes_twice_or_goes(ws, "MEMORY.md")
    states = [
        ws("show", f"{commit}:MEMORY.md")
        for commit in ws("rev-list", "HEAD", "--", "MEMORY.md").split()
    ]
    assert [
        text for text in states if "- theirs" in text and "- theirs\n\n## New" not in text
    ] == []


def test_a_folder_that_goes_with_its_last_file(ws: Git, open_store: OpenStore) -> None:
    """git takes an empty folder away; ours is gone from it by then, and so is what had to be on
    disk for good."""

    def seam(step: str) -> None:
        if step == "placed":
            (ws.root / "memory/x").rmdir()

    age(ws.write("memory/x/a.md", "- a\n"))
    store = open_store(ws.root, seam=seam)
    with store.transaction(intent(), NOW) as tx:
        tx.put("memory/x/a.md", None)
    assert (ws("ls-tree", "HEAD", "memory/x"), ws.status()) == ("", "")
    assert ws("for-each-ref", "refs/clawgit") == ""


def test_a_file_system_that_cannot_exchange(
    ws: Git, open_store: OpenStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel's call is taken away, as on NFS: the old file is kept by a second name before it
    is replaced."""
    monkeypatch.setattr("clawgit.git.placing._libc", object)
    file = ws.root / "MEMORY.md"
    text = file.read_text()

    def seam(step: str) -> None:
        if step == "prepared" and "theirs" not in file.read_text():
            file.write_text(text + "- theirs\n")

    store = open_store(ws.root, seam=seam)
    with store.transaction(intent(), NOW) as tx:
        tx.put("MEMORY.md", text + "- ours\n")
        tx.put("memory/new.md", "- new\n")
    store.close()
    assert sorted(file.read_text().splitlines()[3:]) == ["- ours", "- theirs"]
    assert (ws.status(), list(ws.root.rglob(".clawgit-*"))) == ("", [])


def test_a_kill_in_an_exchange_without_the_kernel_loses_no_edit(
    ws: Git, open_store: OpenStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clawgit.git.placing._libc", object)
    file, rename = ws.root / "MEMORY.md", Path.replace
    text = file.read_text()

    def cut_off(path: Path, target: Path) -> Path:
        if path.stem.endswith("old"):  # our text stands, the old file has only its second name
            os._exit(9)
        return rename(path, target)

    def seam(step: str) -> None:
        if step == "prepared":
            file.write_text(text + "- theirs\n")

    child = os.fork()
    if child == 0:
        monkeypatch.setattr(Path, "replace", cut_off)
        with open_store(ws.root, seam=seam).transaction(intent(), NOW) as tx:
            tx.put("MEMORY.md", text + "- ours\n")
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    open_store(ws.root).snapshot(NOW)
    assert sorted(file.read_text().splitlines()[3:]) == ["- ours", "- theirs"]
    assert (ws.status(), list(ws.root.rglob(".clawgit-*"))) == ("", [])
