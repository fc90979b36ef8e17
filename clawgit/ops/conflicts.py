"""The conflicts of memory: which wait for a decision, and making one."""

import secrets
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from clawgit.domain.actors import OPERATOR
from clawgit.domain.comment import ENTRY_IDS, Meta, entry_id
from clawgit.domain.conflicts import A_WINS, ARCHIVE, B_WINS, BOTH, PATH, Conflict, Side, decided
from clawgit.domain.conflicts import conflicts as read
from clawgit.domain.entry import content_key, entries, holds_entries
from clawgit.domain.history import Intent
from clawgit.domain.known import Place
from clawgit.domain.routing import notebook_of
from clawgit.domain.settling import decide, is_correction, place_of, with_metas
from clawgit.errors import NotFoundError, UsageError
from clawgit.ops.changes import Change, described
from clawgit.ops.operator import NotTheOperatorError
from clawgit.ops.reach import memory_of
from clawgit.ops.tidy import keep_room
from clawgit.ops.workspace import Workspace
from clawgit.stores.git.transaction import Transaction
from clawgit.stores.git.worktree import read_file
from clawgit.stores.index.discover import discover

KEEP = {"a": 0, "b": 1, "both": None}
"""What can be kept, and the side that wins by it."""

_OUTCOMES = {"a": (A_WINS, "; B is superseded"), "b": (B_WINS, "; A is superseded"), "both": (BOTH, "")}


@dataclass(frozen=True, slots=True)
class Conflicts:
    """Those that wait for a decision, or all; `outcome` begins with flagged, A wins, B wins, both stand or closed."""

    conflicts: tuple[Conflict, ...]


def conflicts(workspace: Workspace, *, everything: bool = False) -> Conflicts:
    """Everything: those that have ended too, and the archived ones before all others."""
    found = (one for path in _logs(workspace, everything=everything) for one in _in(workspace, path))
    return Conflicts(tuple(one for one in found if everything or one.open))


def resolve(workspace: Workspace, ident: str, keep: str, *, dry_run: bool = False) -> Change:
    """Decides a conflict, and takes back what was decided of it before. Whoever may write may decide; but only the
    operator lets a correction lose.
    """
    if keep not in KEEP:
        raise UsageError(f"{keep!r} cannot be kept.", hint="--keep a, --keep b or --keep both")
    actor = workspace.caller.actor
    log, found = _named(workspace, ident)
    begins, ends = _OUTCOMES[keep]
    intent = Intent(
        actor, "resolve", f"conflict {found.id}: {begins}",
        f"Decided by {actor.name}.\nA: {found.a.text}\nB: {found.b.text}", (found.evidence, *_cited(found)),
    )  # fmt: skip
    with workspace.git.transaction(intent, workspace.now, dry_run=dry_run) as tx:
        text = tx.read_text(log) or ""
        outcome = f"{begins}: decided by {'the operator' if actor == OPERATOR else actor.slug}{ends}"
        if not found.outcome.startswith(f"{begins}: decided by"):
            tx.put(log, decided(text, {found.id: outcome}))
        _settle(workspace, tx, found, KEEP[keep])
        if (notebook := notebook_of(tx.edits)) in tx.edits:
            keep_room(workspace, tx, notebook)
    return described(tx, dry_run=dry_run, of=found.id)


def _settle(workspace: Workspace, tx: Transaction, found: Conflict, winner: int | None) -> None:
    a, b = _sides(workspace, tx, found)
    if winner is not None and (a, b)[winner] is None:
        raise NotFoundError(
            f"{'AB'[winner]} is no longer in memory: {found.a.text if winner == 0 else found.b.text}",
            hint="clawgit memory add brings it back, as a fact of its own.",
        )
    metas: dict[tuple[str, int], Meta] = {}
    if a and b:
        if winner is not None:
            _refuse_weak((a, b)[1 - winner], workspace)
        taken = (tx.read_text(a.path) or "") + (tx.read_text(b.path) or "")
        decide((a, b), winner, metas, lambda _: _fresh_id(taken + " ".join(meta.id for meta in metas.values())))
    elif (lone := a or b) and lone.entry.meta and found.outcome.startswith(B_WINS if lone is a else A_WINS):
        metas[place_of(lone)] = lone.entry.meta.having("status", "").having("by", "")
    by_path: defaultdict[str, dict[int, Meta]] = defaultdict(dict)
    for (path, line), meta in metas.items():
        by_path[path][line] = meta
    for path, marked in by_path.items():
        tx.put(path, with_metas(tx.read_text(path) or "", marked))


def _refuse_weak(loser: Place, workspace: Workspace) -> None:
    if is_correction(loser.entry) and workspace.caller.actor != OPERATOR:
        raise NotTheOperatorError(
            f"{loser} is a correction; only the operator lets one lose.",
            hint="Run it from a terminal, or keep the other.",
        )


def _sides(workspace: Workspace, tx: Transaction, found: Conflict) -> tuple[Place | None, Place | None]:
    """Where both entries stand. One that won and was set right since then is the one that its loser names."""
    a, b = (_standing(workspace, tx, side) for side in (found.a, found.b))
    if a is None and b and found.outcome.startswith(A_WINS):
        a = _beater(workspace, tx, found.a, b)
    if b is None and a and found.outcome.startswith(B_WINS):
        b = _beater(workspace, tx, found.b, a)
    return a, b


def _beater(workspace: Workspace, tx: Transaction, winner: Side, loser: Place) -> Place | None:
    by = loser.entry.meta.by if loser.entry.meta else ""
    return _standing(workspace, tx, winner._replace(key=by)) if by else None


def _standing(workspace: Workspace, tx: Transaction, side: Side) -> Place | None:
    """Where the entry stands now: in its file, else wherever it was moved; by its words, else by its id."""
    if found := _place(side, tx.read_text(side.path) or "" if holds_entries(side.path) else "", side.path):
        return found
    others = (path for path in sorted(discover(memory_of(workspace))) if holds_entries(path) and path != side.path)
    return next((found for path in others if (found := _place(side, tx.read_text(path) or "", path))), None)


def _place(side: Side, text: str, path: str) -> Place | None:
    there = entries(text)
    named = next((entry for entry in there if entry.meta and entry.meta.id == side.key), None)
    found = named or next((entry for entry in there if content_key(entry.text) == side.said), None)
    return Place(path, found) if found else None


def _named(workspace: Workspace, ident: str) -> tuple[str, Conflict]:
    """The conflict, and the file that it stands in; where an archive has it too, CONFLICTS.md counts."""
    for path in reversed(_logs(workspace, everything=True)):
        found = next((one for one in _in(workspace, path) if one.id == ident), None)
        if found:
            return path, found
    raise NotFoundError(f"There is no conflict {ident}.", hint="clawgit conflicts list --all")


def _logs(workspace: Workspace, *, everything: bool) -> tuple[str, ...]:
    books = sorted((workspace.root / ARCHIVE).glob("*.md")) if everything else ()
    return (*(f"{ARCHIVE}{book.name}" for book in books), PATH)


def _in(workspace: Workspace, path: str) -> tuple[Conflict, ...]:
    return read((read_file(workspace.root, path).data or b"").decode("utf-8", "surrogateescape"))


def _cited(found: Conflict) -> Iterator[str]:
    for side in (found.a, found.b):
        if side.path and side.key:
            yield f"{side.path}#{side.key}"


def _fresh_id(taken: str) -> str:
    return next(ident for ident in iter(lambda: entry_id(secrets.randbelow(ENTRY_IDS)), "") if ident not in taken)
