"""`memory tidy`: keeps MEMORY.md within what OpenClaw reads, by moving detail to topic files."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from clawgit.domain.change.history import Intent
from clawgit.domain.markdown.decoding import exact_text
from clawgit.domain.markdown.notebook import NOTEBOOK_CHARACTERS, NOTEBOOK_LINES, MovedBlock, fits
from clawgit.domain.upkeep import tidy as rules
from clawgit.domain.workspace.routing import notebook_of
from clawgit.domain.workspace.tiers import CORE, tier
from clawgit.errors import PathRefusedError
from clawgit.ops.change.described import Change, described
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
    have. `enough` is false if what must stay in the notebook is over the limit by itself.
    """

    path: str
    before: Size
    after: Size
    limit: Size
    enough: bool
    moved: tuple[MovedBlock, ...]


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
        topics = {} if fits(before) else dict(_topics(tx, paths))
        done = rules.tidy(before, topics)
        _put(tx, notebook, done)
    return described(
        tx,
        Tidying,
        dry_run=dry_run,
        path=notebook,
        before=_size(before),
        after=_size(done.text),
        limit=Size(NOTEBOOK_LINES, NOTEBOOK_CHARACTERS),
        enough=fits(done.text),
        moved=done.moved,
    )


def make_room(workspace: Workspace, tx: Transaction, notebook: str) -> tuple[MovedBlock, ...]:
    """Moves what no longer fits out of a notebook that this transaction changes; returns it."""
    before, after = exact_text(tx.edits[notebook].before), tx.read_text(notebook) or ""
    topics = dict(_topics(tx, sorted(discover(memory_of(workspace)))))
    done = rules.tidy(after, topics, before)
    _put(tx, notebook, done)
    return done.moved


def _put(tx: Transaction, notebook: str, done: rules.Tidied) -> None:
    if done.moved:
        for path, text in {**done.files, notebook: done.text}.items():
            tx.put(path, text)


def _topics(tx: Transaction, paths: list[str]) -> Iterator[tuple[str, str]]:
    """The topic files that have any text, but for those that cannot be read, and so not written."""
    for path in paths:
        with suppress(PathRefusedError):
            if tier(path) == CORE and "/" in path and (text := tx.read_text(path)):
                yield path, text


def _size(text: str) -> Size:
    return Size(len(text.splitlines()), len(text))
