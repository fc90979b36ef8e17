"""Notes of ours in a `.git` folder that somebody else prepared lead nowhere out of it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from clawgit.stores.git.store import GitStore
from tests.conftest import Git
from tests.stores.git.test_transaction import add_line, age

OpenStore = Callable[..., GitStore]


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
