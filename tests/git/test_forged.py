"""Notes of ours in a `.git` folder that somebody else prepared lead nowhere out of it."""

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from clawgit.core.errors import DamagedError
from clawgit.git.cgit import CGit
from clawgit.git.looked import LOOKED, noted
from clawgit.git.place import head_of
from clawgit.git.rebuilding import rebuild_index
from tests.conftest import Git, OpenStore
from tests.git.test_transaction import add_line, age

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
    empty = {"path": "MEMORY.md", "after": "", "seen": "", "base": ""}
    card.write_text(json.dumps({**empty, "beside": False, **note}))
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
    "forge", [named, moved, linked_beside, above, behind_a_link], ids=lambda one: one.__name__
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


def with_entry(index: bytes, path: bytes, oid: str) -> bytes:
    """Git's index with one more entry, as git itself does not write it."""
    count = int.from_bytes(index[8:12], "big")
    entry = b"\0" * 24 + (0o100644).to_bytes(4, "big") + b"\0" * 12 + bytes.fromhex(oid)
    entry += len(path).to_bytes(2, "big") + path
    entry += b"\0" * (8 - len(entry) % 8)
    whole = index[:8] + (count + 1).to_bytes(4, "big") + entry + index[12:-20]
    return whole + hashlib.sha1(whole, usedforsecurity=False).digest()


def test_the_index_names_no_file_outside(ws: Git, open_store: OpenStore, outside: Path) -> None:
    index = ws.root / ".git/index"
    oid = ws("rev-parse", "HEAD:MEMORY.md").strip()
    index.write_bytes(with_entry(index.read_bytes(), b"../outside/key", oid))
    assert "../outside/key" in ws("ls-files")
    store = open_store(ws.root)
    assert [skipped.path for skipped in store.dirt().skipped] == ["../outside/key"]
    with pytest.raises(DamagedError, match="index"):
        add_line(store, "MEMORY.md", "- ours")
    rebuild_index(CGit(ws.root, os.environ), store.place)
    add_line(store, "MEMORY.md", "- ours")
    objects = ws("cat-file", "--batch-all-objects", "--batch-check").split("\n")[:-1]
    assert not any("private" in ws("cat-file", "-p", row.split()[0]) for row in objects)


def test_a_card_with_too_deep_a_nest_stops_nothing(ws: Git, open_store: OpenStore) -> None:
    card = card_of(ws)
    card.write_text(DEEP)
    add_line(open_store(ws.root), "MEMORY.md", "- ours")
    assert not card.exists()


@pytest.mark.parametrize("head", ["../../outside/key", "refs/../../../outside/key"])
def test_head_names_no_file_out(ws: Git, open_store: OpenStore, outside: Path, head: str) -> None:
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
