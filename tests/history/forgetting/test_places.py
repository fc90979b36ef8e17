"""The table of places: it covers every store that writes, and each place is emptied."""

import ast
from collections.abc import Iterator
from pathlib import Path

import clawgit
from clawgit.history.forgetting.places import PLACES

PACKAGE = Path(clawgit.__file__).parent

WRITES = frozenset({
    "write_text", "write_bytes", "writelines", "ftruncate", "pwrite", "mkstemp", "put_in_place",
    "keep_note",
    "copy2", "copyfile", "executemany", "create_blob", "store_blob", "commit_on",
})  # fmt: skip
"""What a module calls that keeps something."""

WRITTEN_BY = {
    "proposals": (),
    "chat server": ("talk.stores.chat.postgres",),
    "state.db and its log": (
        "workspace.stores.state_log",
        "workspace.stores.state",
        "talk.stores.chat.sqlite",
        "talk.stores.queue",
        "search.stores.access",
        "workspace.stores.runs",
        "agents.llm.__init__",
    ),
    "indexes and vectors": (
        "search.index.live",
        "search.index.tables",
        "search.stores.vectors",
        "search.stores.chroma",
    ),
    "what was accepted": ("safety.trust_store",),
    "logs and notes": (
        "core.disk.failures",
        "git.foreign_file",
        "git.held",
        "git.rebuilding",
        "git.forgotten",
        "history.backup",
    ),
}
"""Place → the modules of stores that write there."""

HISTORY = ("git.store", "git.transaction", "git.objects", "git.rewriting")
"""What writes files and history, from which the command itself removes the words."""

KEEPS_NO_TEXT = {
    "core.disk.database": "opens, copies and moves what other modules name",
    "core.disk.plainfile": "writes what other modules name",
    "core.disk.xdg": "writes what other modules name: what was accepted, the operator's key, agents",
    "git.guards.belonging": "the place of a repository",
    "git.info": "patterns of paths in .git/info, which the proof reads",
    "git.remotes.joining": "files of the workspace",
    "git.foreign": "edits of others, as commits, which are history",
    "talk.stores.transcripts": "only reads what OpenClaw wrote, which the proof searches",
    "git.gitindex": "names of blobs",
    "git.lock": "who waits",
    "git.looked": "the name of a commit",
    "git.placing": "the files of the workspace, and what `held` keeps",
    "git.recovery": "the files of the workspace",
    "git.repo": "objects, which are history",
    "git.signatures": "public keys in a folder that goes at once",
    "git.bundle": "a backup, in a folder that goes at once; the proof names where it is then",
    "git.dirt": "a copy of the index that goes at once",
}  # fmt: skip


def test_every_store_that_writes_has_a_row() -> None:
    """A new store that keeps text fails here until a place says how it is emptied."""
    written = {module for modules in WRITTEN_BY.values() for module in modules} | {*HISTORY}
    assert sorted({*_writing()} - written - {*KEEPS_NO_TEXT}) == []
    assert sorted({*KEEPS_NO_TEXT} - {*_writing()}) == []
    assert sorted(written - {_name(path) for path in PACKAGE.rglob("*.py")}) == []
    assert [*PLACES] == [*WRITTEN_BY]


def test_the_page_lists_every_place() -> None:
    page = (PACKAGE.parent / "docs" / "history.md").read_text()
    assert [place for place in PLACES if f"| {place} | " not in page] == []


def _stores() -> Iterator[Path]:
    """The modules that know a technology."""
    for path in PACKAGE.rglob("*.py"):
        room, *folders = path.relative_to(PACKAGE).parts[:-1] or ("",)
        if (
            room == "git"
            or {"stores", "disk", "index", "embed", "llm"} & {*folders}
            or path.stem in ("trust_store", "notify", "backup")
        ):
            yield path


def _writing() -> Iterator[str]:
    for path in _stores():
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
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
