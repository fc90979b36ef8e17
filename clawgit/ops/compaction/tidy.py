"""`memory tidy`: keeps MEMORY.md within what OpenClaw reads, by moving detail to topic files."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from clawgit.domain.change.history import Intent
from clawgit.domain.compaction import tidy as rules
from clawgit.domain.compaction.moved import MovedBlock
from clawgit.domain.markdown.notebook import NOTEBOOK_CHARACTERS, NOTEBOOK_LINES, fits
from clawgit.domain.markdown.scan import lines_of
from clawgit.domain.workspace.routing import notebook_of
from clawgit.domain.workspace.tiers import CORE, tier
from clawgit.errors import PathRefusedError
from clawgit.ops.change.described import Change, described, fields_of
from clawgit.ops.workspace.reach import memory_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.transaction import Transaction
from clawgit.stores.index.discover import discover


class Size(NamedTuple):
    lines: int
    characters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Tidying(Change):
    """`path` is the notebook, `before` and `after` its size, `limit` the largest size that it may
    have. `links` are the lines that say where the rest is. `enough` is false if what must stay in
    the notebook is over the limit by itself.
    """

    path: str
    before: Size
    after: Size
    limit: Size
    enough: bool
    moved: tuple[MovedBlock, ...]
    links: tuple[str, ...]


def tidy_notebook(workspace: Workspace, *, dry_run: bool = True) -> Tidying:
    """Moves detail out of MEMORY.md by one commit if it is over its limits; previews by default.

    A second time changes nothing.
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


def make_room(workspace: Workspace, tx: Transaction, notebook: str) -> tuple[MovedBlock, ...]:
    """Moves what no longer fits out of a notebook that this transaction changes; returns it."""
    before = (tx.edits[notebook].before or b"").decode("utf-8", "surrogateescape")
    after = tx.read_text(notebook) or ""
    topics = _topics(tx, sorted(discover(memory_of(workspace))))
    tidied = rules.with_room(before, after, topics, workspace.config.settings, workspace.today)
    for path, text in {**tidied.files, notebook: tidied.text}.items():
        tx.put(path, text)
    return tidied.moved


def _tidied(workspace: Workspace, tx: Transaction, text: str, paths: list[str]) -> rules.Tidied:
    if fits(text):
        return rules.Tidied(text, {})
    return rules.tidy(text, _topics(tx, paths), workspace.config.settings, workspace.today)


def _topics(tx: Transaction, paths: list[str]) -> dict[str, str]:
    """The topic files that have any text."""
    topics = [path for path in paths if tier(path) == CORE and "/" in path]
    texts = {path: _readable(tx, path) for path in topics}
    return {path: text for path, text in texts.items() if text}


def _readable(tx: Transaction, path: str) -> str:
    """The text of a file; "" if it cannot be read, since it could not be written either."""
    try:
        return tx.read_text(path) or ""
    except PathRefusedError:
        return ""


def _answer(
    tx: Transaction, notebook: str, before: str, done: rules.Tidied, *, dry_run: bool
) -> Tidying:
    return Tidying(
        **fields_of(described(tx, dry_run=dry_run)),
        path=notebook,
        before=_size(before),
        after=_size(done.text),
        limit=Size(NOTEBOOK_LINES, NOTEBOOK_CHARACTERS),
        enough=fits(done.text),
        moved=done.moved,
        links=tuple(_links(done.text, done.files)),
    )


def _links(text: str, files: Mapping[str, str]) -> list[str]:
    """The lines that say where the rest is."""
    if not files:
        return []
    ends = tuple(f"→ {path}" for path in files)
    lines = (line.strip() for line in lines_of(text))
    return [line for line in lines if line.endswith(ends)]


def _size(text: str) -> Size:
    return Size(len(text.splitlines()), len(text))
