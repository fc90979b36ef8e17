"""The table of places: it covers every store that writes, and each place is emptied."""

import ast
from collections.abc import Iterator
from pathlib import Path

import clawgit.stores
from clawgit.ops.forgetting.places import HISTORY, PLACES

STORES = Path(clawgit.stores.__file__).parent

WRITES = frozenset({
    "write_text", "write_bytes", "writelines", "ftruncate", "pwrite", "mkstemp", "put_in_place",
    "keep_note",
    "copy2", "copyfile", "executemany", "create_blob", "store_blob", "commit_on",
})  # fmt: skip
"""What a module calls that keeps something."""

KEEPS_NO_TEXT = {
    "archive": "writes the backup, which is named and left to the operator",
    "database": "opens, copies and moves what other modules name",
    "foreign_file": "writes files of other programs, whose earlier text `receipts` keeps",
    "operator_key": "the operator's public key",
    "plainfile": "writes what other modules name",
    "registry": "names and folders of agents",
    "git.guards.belonging": "the place of a repository",
    "git.guards.walked": "numbers and times of folders",
    "git.remotes.attributes": "patterns of paths in info/attributes, which the proof reads",
    "git.remotes.joining": "files of the workspace",
    "git.deriving": "files of the workspace",
    "git.foreign": "edits of others, as commits, which are history",
    "transcripts": "only reads what OpenClaw wrote, which the proof searches",
    "git.exclude": "patterns of paths in info/exclude, which the proof reads",
    "git.gitindex": "names of blobs",
    "git.lock": "who waits",
    "git.looked": "the name of a commit",
    "git.placing": "the files of the workspace, and what `held` keeps",
    "git.recovery": "the files of the workspace",
    "git.repo": "objects, which are history",
    "git.signatures": "public keys in a folder that goes at once",
    "git.history.patches": "a copy of the index that goes at once",
    "index.reading": "only reads",
    "word_ranks": "a database in memory",
}  # fmt: skip


def test_every_store_that_writes_has_a_row() -> None:
    """A new store that keeps text fails here until the table says how it is emptied."""
    known = {module for place in PLACES for module in place.modules} | {*HISTORY, *KEEPS_NO_TEXT}
    assert sorted({*_writing()} - known) == []
    assert sorted({*KEEPS_NO_TEXT} - {*_writing()}) == []


def test_every_row_names_stores_that_are_there() -> None:
    there = {_name(path) for path in STORES.rglob("*.py")}
    named = {module for place in PLACES for module in place.modules} | {*HISTORY}
    assert sorted(named - there) == []


def test_a_row_says_what_it_does() -> None:
    names = [place.name for place in PLACES]
    assert len(names) == len(set(names))
    assert all(place.holds and place.searched and place.emptied for place in PLACES)


def test_the_page_lists_every_place() -> None:
    page = (STORES.parent.parent / "docs" / "forget.md").read_text()
    rows = [f"| {place.name} | {place.holds} | {place.emptied} |" for place in PLACES]
    assert [row for row in rows if row not in page] == []


def _writing() -> Iterator[str]:
    for path in STORES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and _keeps(node):
                yield _name(path)
                break


def _keeps(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name == "execute":
        said = ast.unparse(call.args[0]).upper() if call.args else ""
        return any(verb in said for verb in ("INSERT", "UPDATE ", "REPLACE", "_ADD", "_CHANGE"))
    if name == "open":
        modes = [arg.value for arg in call.args if isinstance(arg, ast.Constant)]
        flags = ast.unparse(call)
        return (
            "O_WRONLY" in flags
            or "O_RDWR" in flags
            or any(isinstance(mode, str) and mode[:1] in ("w", "a", "x") for mode in modes)
        )
    return name in WRITES


def _name(path: Path) -> str:
    return ".".join(path.relative_to(STORES).with_suffix("").parts)
