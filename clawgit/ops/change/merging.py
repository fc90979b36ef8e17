"""Merges a change into a file, or out of it, inside a transaction, and reports conflicts."""

from typing import NamedTuple

from clawgit.domain.merging.merge import MergedFile, merge_files, without
from clawgit.domain.merging.weaving import MergeConflict
from clawgit.errors import ConflictError
from clawgit.stores.git.transaction import Transaction


class Sides(NamedTuple):
    """How a conflict is reported: its cause, what to do, and the names of its sides."""

    cause: str
    hint: str
    then: str
    goal: str
    key: str
    """The goal's name in JSON."""


TAKING_BACK = Sides(
    "what it changed was changed again since.",
    "Undo the later change first (`clawgit why PATH:LINE` names it), or edit the file.",
    "it wrote:",
    "before it:",
    "before",
)

Clash = tuple[str, MergeConflict]
"""A path, and a conflict in that file."""


def merge_in(tx: Transaction, path: str, base: bytes | None, goal: bytes | None) -> list[Clash]:
    """Merges the change from `base` to `goal` into a file. Returns the conflicts; if there are any,
    nothing is written.
    """
    return settle(tx, path, merge_files(base, tx.read(path), goal))


def take_out(
    tx: Transaction, path: str, brought: bytes | None, before: bytes | None
) -> list[Clash]:
    """Takes a change out of a file. Returns the conflicts; if there are any, nothing is written.

    If the change created the file, later additions stay.
    """
    ours = tx.read(path)
    if before is None and brought is not None and ours is not None:
        return settle(tx, path, without(brought, ours))
    return merge_in(tx, path, brought, before)


def settle(tx: Transaction, path: str, merged: MergedFile) -> list[Clash]:
    """Writes the result of a merge, or returns its conflicts."""
    if merged.conflicts:
        return [(path, conflict) for conflict in merged.conflicts]
    tx.put(path, merged.data)
    return []


def refuse_conflicts(what: str, conflicts: list[Clash], sides: Sides = TAKING_BACK) -> None:
    """Raises if there are conflicts, with both sides of each. The transaction is then dropped."""
    if not conflicts:
        return
    places = "\n".join(_shown(path, conflict, sides) for path, conflict in conflicts)
    raise ConflictError(
        f"{what}: {sides.cause}\n{places}",
        hint=f"{sides.hint} Nothing was changed.",
        conflicts=[
            {
                "path": path,
                "line": one.line,
                "heading": one.heading,
                "now": one.ours,
                sides.key: one.theirs,
                "then": one.base,
            }
            for path, one in conflicts
        ],
    )


def _shown(path: str, conflict: MergeConflict, sides: Sides) -> str:
    section = f" ({conflict.heading})" if conflict.heading else ""
    rows = zip(
        (sides.then, "now:", sides.goal),
        (conflict.base, conflict.ours, conflict.theirs),
        strict=True,
    )
    return "\n".join(
        [
            f"  {path}:{conflict.line}{section}",
            *(f"    {name:<10} {_brief(text)}" for name, text in rows),
        ]
    )


def _brief(text: str | None) -> str:
    if text is None:
        return "(not there)"
    first, *more = text.strip().splitlines() or [""]
    return first + (f" … ({len(more)} more lines)" if more else "")
