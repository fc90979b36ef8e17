"""Notes of ours in a `.git` folder that somebody else prepared lead nowhere out of it."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from clawgit.errors import ClawgitError, StorageError
from clawgit.stores.git.looked import LOOKED, noted
from clawgit.stores.git.place import head_of
from clawgit.stores.git.store import GitStore
from tests.conftest import NOW, Git
from tests.stores.git.test_transaction import add_line, age

OpenStore = Callable[..., GitStore]

DEEP = "[" * 100_000
"""More lists in each other than Python's own reader of JSON takes."""


@pytest.fixture
def outside(ws: Git) -> Path:
    """A folder beside the workspace, with a file that is private."""
    folder = ws.root.with_name("outside")
    folder.mkdir()
    (folder / "key").write_text("private\n")
    return folder


def card_of(ws: Git, **note: str) -> Path:
    held = ws.root / ".git/clawgit/held"
    held.mkdir(parents=True)
    card = held / "aaaa.json"
    card.write_text(json.dumps({"path": "MEMORY.md", "after": "", **note}))
    card.with_suffix(".seen").write_text("")
    age(card)
    return card


def named(ws: Git, outside: Path) -> None:
    card_of(ws, file=str(outside / "key"), temp=str(ws.root / ".clawgit-aaaa.tmp"))


def moved(ws: Git, outside: Path) -> None:
    card_of(ws, file=str(ws.root / ".git/clawgit/held/aaaa.was"), temp=str(outside / "key"))


def linked_beside(ws: Git, outside: Path) -> None:
    card_of(ws)
    (ws.root / ".clawgit-aaaa.tmp").symlink_to(outside / "key")


def above(ws: Git, outside: Path) -> None:
    (outside / ".clawgit-aaaa.tmp").write_text("private\n")
    card_of(ws, path="../outside/key")


def behind_a_link(ws: Git, outside: Path) -> None:
    (outside / ".clawgit-aaaa.tmp").write_text("private\n")
    (ws.root / "link").symlink_to(outside)
    card_of(ws, path="link/key")


@pytest.mark.parametrize(
    "forge",
    [named, moved, linked_beside, above, behind_a_link],
    ids=lambda one: one.__name__,
)
def test_a_card_leads_to_no_file_outside(
    ws: Git, open_store: OpenStore, outside: Path, forge: Callable[[Git, Path], None]
) -> None:
    forge(ws, outside)
    before = {file.name: file.read_bytes() for file in outside.iterdir()}
    store = open_store(ws.root)
    add_line(store, "MEMORY.md", "- ours")
    store.close()
    assert {file.name: file.read_bytes() for file in outside.iterdir()} == before
    assert "private" not in ws("log", "--all", "-p") + (ws.root / "MEMORY.md").read_text()


AWAY = ["..", ".git", ".GIT", ".g\u200cit"]
"""Names of folders that git refuses at a checkout, and neither in a tree nor in its index."""


def crafted(git: Git, folder: str, name: str = "planted.md") -> str:
    """A commit on HEAD with a folder of a name that git would not check out."""
    blob = git("hash-object", "-w", "--stdin", stdin="- planted\n").strip()
    inner = git("mktree", stdin=f"100644 blob {blob}\t{name}\n").strip()
    here = bytes.fromhex(git("rev-parse", "HEAD:MEMORY.md").strip())
    rows = [(b"MEMORY.md", b"100644", here), (folder.encode(), b"40000", bytes.fromhex(inner))]
    file = git.root / ".git/crafted"
    file.write_bytes(b"".join(b"%b %b\0%b" % (mode, row, oid) for row, mode, oid in sorted(rows)))
    tree = git("hash-object", "-t", "tree", "-w", "--literally", str(file)).strip()
    return git("commit-tree", tree, "-p", "HEAD", "-m", "crafted").strip()


@pytest.mark.parametrize("ref", ["tx/main", "parked/main/kkkkkkkk"])
@pytest.mark.parametrize("folder", AWAY)
def test_a_change_that_was_cut_off_leads_to_no_file_outside(
    ws: Git, open_store: OpenStore, folder: str, ref: str
) -> None:
    ws("update-ref", f"refs/clawgit/{ref}", crafted(ws, folder))
    add_line(open_store(ws.root), "MEMORY.md", "- ours")
    assert not [*ws.root.parent.rglob("planted.md")]
    assert ws("for-each-ref", "refs/clawgit") == ""


def with_entry(index: bytes, path: bytes) -> bytes:
    """Git's index with one more entry, as git itself does not write it."""
    count = int.from_bytes(index[8:12], "big")
    entry = b"\0" * 24 + (0o100644).to_bytes(4, "big") + b"\0" * 32
    entry += len(path).to_bytes(2, "big") + path
    entry += b"\0" * (8 - len(entry) % 8)
    whole = index[:8] + (count + 1).to_bytes(4, "big") + entry + index[12:-20]
    return whole + hashlib.sha1(whole, usedforsecurity=False).digest()


def test_the_index_names_no_file_outside(ws: Git, open_store: OpenStore, outside: Path) -> None:
    index = ws.root / ".git/index"
    index.write_bytes(with_entry(index.read_bytes(), b"../outside/key"))
    assert "../outside/key" in ws("ls-files")
    store = open_store(ws.root)
    add_line(store, "MEMORY.md", "- ours")
    _, dirt = store.snapshot(NOW)
    assert [skipped.path for skipped in dirt.skipped] == ["../outside/key"]
    objects = ws("cat-file", "--batch-all-objects", "--batch-check").split("\n")[:-1]
    assert not any("private" in ws("cat-file", "-p", row.split()[0]) for row in objects)


def test_a_card_with_too_deep_a_nest_stops_nothing(ws: Git, open_store: OpenStore) -> None:
    card = card_of(ws)
    card.write_text(DEEP)
    add_line(open_store(ws.root), "MEMORY.md", "- ours")
    assert not card.exists()


@pytest.mark.parametrize("head", ["../../outside/key", "refs/../../../outside/key"])
def test_head_names_no_file_outside(
    ws: Git, open_store: OpenStore, outside: Path, head: str
) -> None:
    place = open_store(ws.root).place
    assert head_of(place) == ws.head()
    (ws.root / ".git/HEAD").write_text(f"ref: {head}\n")
    assert head_of(place) == ""


def test_a_note_of_ours_is_no_option_of_gits(ws: Git, open_store: OpenStore) -> None:
    place = open_store(ws.root).place
    place.private.mkdir(exist_ok=True)
    (place.private / LOOKED).write_text(ws.head() + "\n")
    assert noted(place, LOOKED) == ws.head()
    (place.private / LOOKED).write_text("--since=1\n")
    assert noted(place, LOOKED) == ""


def journal_of(ws: Git, text: str) -> Path:
    file = ws.root / ".git/clawgit/rewrite.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    return file


@pytest.mark.parametrize("rows", ["trees", "heads"])
def test_the_journal_of_a_rewrite_has_no_option_of_gits(
    ws: Git, open_store: OpenStore, outside: Path, rows: str
) -> None:
    option = f"--index-output={outside / 'key'}"
    journal: dict[str, object] = {
        "refs": {},
        "heads": {},
        "trees": {},
        "became": {"commits": {}, "blobs": []},
    }
    pair = [option, "HEAD"] if rows == "trees" else ["", option]
    file = journal_of(ws, json.dumps({**journal, rows: {str(ws.root): pair}}))
    add_line(open_store(ws.root), "MEMORY.md", "- ours")
    assert (outside / "key").read_text() == "private\n"
    assert not file.exists()


@pytest.mark.parametrize(
    "text",
    ["{", DEEP, "[]", '{"refs": 1}', '{"refs":{},"heads":{},"trees":{},"became":{"commits":[]}}'],
    ids=["cut off", "deep", "list", "number", "became"],
)
def test_a_journal_of_a_rewrite_that_is_none_is_told(
    ws: Git, open_store: OpenStore, text: str
) -> None:
    file = journal_of(ws, text)
    with pytest.raises(StorageError, match="cannot be read") as error:
        add_line(open_store(ws.root), "MEMORY.md", "- ours")
    assert "Move it away" in error.value.hint
    assert file.exists()


def test_the_journal_of_a_rewrite_leads_to_no_file_outside(
    ws: Git, open_store: OpenStore, outside: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    ws("clone", "-q", str(ws.root), str(other))
    tree, empty = ws("rev-parse", "HEAD^{tree}").strip(), ws("mktree", "--missing").strip()
    ws("hash-object", "-t", "tree", "-w", "/dev/null")
    journal = {
        "refs": {"../../../outside/key": ["0" * 40, ""]},
        "heads": {},
        "trees": {str(other): [tree, empty]},
        "became": {"commits": {}, "blobs": []},
    }
    (ws.root / ".git/clawgit").mkdir(exist_ok=True)
    (ws.root / ".git/clawgit/rewrite.json").write_text(json.dumps(journal))
    (ws.root / ".git/rr-cache").symlink_to(outside)
    files = sorted(file.name for file in other.iterdir())
    add_line(open_store(ws.root), "MEMORY.md", "- ours")
    assert (outside / "key").read_text() == "private\n"
    assert sorted(file.name for file in other.iterdir()) == files
    assert not (ws.root / ".git/clawgit/rewrite.json").exists()


def test_an_unfinished_rewrite_runs_no_program_of_the_repositorys(
    ws: Git, open_store: OpenStore
) -> None:
    ws("config", "gc.recentObjectsHook", "touch ran")
    file = journal_of(ws, '{"refs":{},"heads":{},"trees":{},"became":{"commits":{},"blobs":[]}}')
    with pytest.raises(ClawgitError, match="what git may delete"):
        add_line(open_store(ws.root), "MEMORY.md", "- ours")
    ws("config", "--unset", "gc.recentObjectsHook")
    add_line(open_store(ws.root), "MEMORY.md", "- ours")
    assert not file.exists()
