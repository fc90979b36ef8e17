"""The table of places: it covers every store that writes, and each place is emptied."""

import ast
from collections.abc import Iterator
from pathlib import Path

import clawgit.stores
from clawgit.ops.forgetting.places import PLACES

STORES = Path(clawgit.stores.__file__).parent

WRITES = frozenset({
    "write_text", "write_bytes", "writelines", "ftruncate", "pwrite", "mkstemp", "put_in_place",
    "keep_note",
    "copy2", "copyfile", "executemany", "create_blob", "store_blob", "commit_on",
})  # fmt: skip
"""What a module calls that keeps something."""

WRITTEN_BY = {
    "proposals": ("git.proposals",),
    "chat server": ("chat.postgres",),
    "state.db": ("state", "chat.sqlite", "queue", "access", "runs", "llm.__init__"),
    "log of state.db": ("state_log",),
    "indexes and vectors": ("index.live", "index.tables", "vectors", "chroma"),
    "what was accepted": ("trust",),
    "logs and notes": (
        "failures",
        "foreign_file",
        "git.held",
        "git.rebuilding",
        "git.forgotten",
        "archive",
    ),
}
"""Place → the modules of stores that write there."""

HISTORY = (
    "git.store",
    "git.transaction",
    "git.objects",
    "git.rewriting",
)
"""What writes files and history, from which the command itself removes the words."""

KEEPS_NO_TEXT = {
    "database": "opens, copies and moves what other modules name",
    "plainfile": "writes what other modules name",
    "xdg": "writes what other modules name: what was accepted, the operator's key, agents",
    "git.guards.belonging": "the place of a repository",
    "git.info": "patterns of paths in .git/info, which the proof reads",
    "git.remotes.joining": "files of the workspace",
    "git.foreign": "edits of others, as commits, which are history",
    "transcripts": "only reads what OpenClaw wrote, which the proof searches",
    "git.gitindex": "names of blobs",
    "git.lock": "who waits",
    "git.looked": "the name of a commit",
    "git.placing": "the files of the workspace, and what `held` keeps",
    "git.recovery": "the files of the workspace",
    "git.repo": "objects, which are history",
    "git.signatures": "public keys in a folder that goes at once",
    "git.history.patches": "a copy of the index that goes at once",
}  # fmt: skip


def test_every_store_that_writes_has_a_row() -> None:
    """A new store that keeps text fails here until a place says how it is emptied."""
    written = {module for modules in WRITTEN_BY.values() for module in modules} | {*HISTORY}
    assert sorted({*_writing()} - written - {*KEEPS_NO_TEXT}) == []
    assert sorted({*KEEPS_NO_TEXT} - {*_writing()}) == []
    assert sorted(written - {_name(path) for path in STORES.rglob("*.py")}) == []
    assert [place.name for place in PLACES] == [*WRITTEN_BY]


def test_the_page_lists_every_place() -> None:
    page = (STORES.parent.parent / "docs" / "forget.md").read_text()
    assert [place.name for place in PLACES if f"| {place.name} | " not in page] == []


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
