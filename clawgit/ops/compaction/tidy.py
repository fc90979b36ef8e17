"""`memory tidy`: MEMORY.md kept within what OpenClaw reads of it, by moving detail into topic
files.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from clawgit.domain.change.history import Intent
from clawgit.domain.compaction.moved import Moved
from clawgit.domain.markdown.scan import lines_of
from clawgit.domain.promotion.edit import NOTEBOOK_CHARACTERS, NOTEBOOK_LINES, fits
from clawgit.domain.workspace.routing import notebook_of
from clawgit.domain.workspace.tiers import CORE, tier
from clawgit.errors import PathRefusedError
from clawgit.ops.change.changes import described
from clawgit.ops.workspace.reach import memory_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.transaction import Transaction
from clawgit.stores.index.discover import discover

if TYPE_CHECKING:
    from clawgit.domain.compaction.tidy import (
        Tidied,
    )  # it reads the judges: only where something is to be moved


class Size(NamedTuple):
    lines: int
    characters: int


@dataclass(frozen=True, slots=True)
class Tidying:
    """`path` is the notebook, `before` and `after` its size; `limit` is what it must keep. `links`
    are the lines that say where the rest is. It is not `enough` where what is left must stay there
    and is too much by itself.
    """

    path: str
    before: Size
    after: Size
    limit: Size
    enough: bool
    moved: tuple[Moved, ...]
    links: tuple[str, ...]
    commit: str | None
    id: str | None
    changed: tuple[str, ...]
    snapshots: tuple[str, ...] = ()
    alerts: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    dry_run: bool = False
    preview: str = ""


def tidy_notebook(workspace: Workspace, *, dry_run: bool = True) -> Tidying:
    """Moves detail out of MEMORY.md by one commit where it is over its limits; a preview unless
    told otherwise. A second time changes nothing.
    """
    paths = sorted(discover(memory_of(workspace)))
    notebook = notebook_of(paths)
    intent = Intent(
        actor=workspace.caller.actor,
        verb="tidy",
        summary=f"move detail of {notebook} into topic files",
        reason=f"It is kept under {NOTEBOOK_LINES} lines and {NOTEBOOK_CHARACTERS:,} characters.",
    )
    with workspace.git.transaction(intent, workspace.now, dry_run=dry_run) as tx:
        before = tx.read_text(notebook) or ""
        done = _tidied(workspace, tx, before, paths)
        for path, text in done.files.items():
            tx.put(path, text)
        if done.moved:
            tx.put(notebook, done.text)
    return _answer(tx, notebook, before, done, dry_run=dry_run)


def keep_room(workspace: Workspace, tx: Transaction, notebook: str) -> tuple[Moved, ...]:
    """Moves what a change of the notebook leaves no room for out of it, within the same
    transaction; says which.
    """
    before = (tx.edits[notebook].before or b"").decode("utf-8", "surrogateescape")
    after = tx.read_text(notebook) or ""
    if fits(after):
        return ()
    from clawgit.domain.compaction.tidy import with_room  # noqa: PLC0415 - the judges, and few notebooks are full

    topics = _topics(tx, sorted(discover(memory_of(workspace))))
    found = with_room(before, after, topics, workspace.config.settings, workspace.today)
    for path, text in {**found.files, notebook: found.text}.items():
        tx.put(path, text)
    return found.moved


def _tidied(workspace: Workspace, tx: Transaction, text: str, paths: list[str]) -> "Tidied":
    from clawgit.domain.compaction.tidy import Tidied, tidy  # noqa: PLC0415 - the judges, and few notebooks are full

    if fits(text):
        return Tidied(text, {})
    return tidy(text, _topics(tx, paths), workspace.config.settings, workspace.today)


def _topics(tx: Transaction, paths: list[str]) -> dict[str, str]:
    return {
        path: told
        for path in paths
        if tier(path) == CORE and "/" in path and (told := _readable(tx, path))
    }


def _readable(tx: Transaction, path: str) -> str:
    """A file that nobody can read here gets nothing either: its topic is refused when it is
    written.
    """
    try:
        return tx.read_text(path) or ""
    except PathRefusedError:
        return ""


def _answer(
    tx: Transaction, notebook: str, before: str, done: "Tidied", *, dry_run: bool
) -> Tidying:
    made = described(tx, dry_run=dry_run)
    return Tidying(
        notebook, _size(before), _size(done.text), Size(NOTEBOOK_LINES, NOTEBOOK_CHARACTERS),
            fits(done.text),
        done.moved, tuple(_links(done.text, done.files)), made.commit, made.id, made.changed,
            made.snapshots,
        made.alerts, made.held, made.warnings, dry_run, made.preview,
    )  # fmt: skip


def _links(text: str, files: Mapping[str, str]) -> list[str]:
    ends = tuple(f"→ {path}" for path in files)
    return [line.strip() for line in lines_of(text) if ends and line.strip().endswith(ends)]


def _size(text: str) -> Size:
    return Size(len(text.splitlines()), len(text))
