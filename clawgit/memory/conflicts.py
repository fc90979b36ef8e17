"""Lists the conflicts of memory, and decides them."""

from collections.abc import Iterator

from clawgit.core import NamedTuple
from clawgit.core.errors import NotFoundError
from clawgit.core.markdown.comment import SUPERSEDED
from clawgit.core.markdown.decoding import exact_text
from clawgit.core.markdown.entry import Entry, holds_entries, with_meta
from clawgit.git.transaction import Change, Transaction
from clawgit.git.worktree import read_file
from clawgit.history.rules.memory import merges_by_entries
from clawgit.memory.remember import fresh_id, keep_room
from clawgit.memory.rules.confidence import is_correction
from clawgit.memory.rules.conflict_log import (
    A_WINS,
    B_WINS,
    BOTH,
    NOTHING,
    PATH,
    Conflict,
    ConflictSide,
    decided,
)
from clawgit.memory.rules.conflict_log import conflicts as read
from clawgit.memory.rules.contradicting import with_decision
from clawgit.safety.operator import NotTheOperatorError
from clawgit.safety.taking_back import operators_changes
from clawgit.workspace.reach import memory_paths
from clawgit.workspace.rules.routing import notebook_of
from clawgit.workspace.workspace import Workspace

_KEEP = {"a": (0, A_WINS), "b": (1, B_WINS), "both": (None, BOTH)}
"""What `--keep` may name, the side that then wins, and how the outcome begins."""

_BY_OPERATOR = "decided by the operator"


class Conflicts(NamedTuple):
    """The conflicts that wait for a decision, or all.

    `outcome` begins with flagged, A wins, B wins, both stand or closed. `next` are the commands
    that decide the first open one.
    """

    conflicts: tuple[Conflict, ...]
    next: tuple[str, ...] = ()


def conflicts(workspace: Workspace, *, everything: bool = False) -> Conflicts:
    """The open conflicts; with `everything` also those that have ended."""
    logged = _logged(workspace)
    waiting = tuple(conflict for conflict in logged if conflict.open)
    commands = tuple(
        f"clawgit conflicts resolve {conflict.id} --keep {keep}"
        for conflict in waiting[:1]
        for keep in _KEEP
    )
    return Conflicts(logged if everything else waiting, commands)


def resolve(workspace: Workspace, ident: str, keep: str) -> Change:
    """Decides a conflict; an earlier decision is taken back.

    Everyone who may write may decide, but only the operator may decide against what they said.
    """
    conflict = _named(workspace, ident)
    actor, (winner, begins) = workspace.actor, _KEEP[keep]
    if not actor.is_operator and _BY_OPERATOR in conflict.outcome:
        raise _refusal(f"The operator decided {ident}", conflict, keep)
    if keep != "b" and _is_removed(workspace, conflict):
        raise _refusal(f"The operator removed A of {ident}", conflict, keep)
    cited = (f"{side.path}#{side.key}" for side in conflict.sides if side.key)
    with workspace.change(
        "resolve",
        f"conflict {conflict.id}: {begins}",
        f"Decided by {actor.name}.\nA: {conflict.a.text}\nB: {conflict.b.text}",
        (conflict.evidence, *cited),
    ) as tx:
        done = _settle(workspace, tx, conflict, winner)
        # The same decision again changes nothing, so it makes no commit.
        if done or not conflict.outcome.startswith(f"{begins}: decided by"):
            by = _BY_OPERATOR if actor.is_operator else f"decided by {actor.slug}"
            outcome = f"{begins}: {by}{done}"
            tx.put(PATH, decided(tx.read_text(PATH), {conflict.id: outcome}))
        if (notebook := notebook_of(tx.edits)) in tx.edits:
            keep_room(workspace, tx, notebook)
    return tx.outcome._replace(of=conflict.id)


def _settle(workspace: Workspace, tx: Transaction, conflict: Conflict, winner: int | None) -> str:
    """Marks the entries; returns what became of the loser, for the outcome."""
    sides = a, b = tuple(_where_now(workspace, tx, side) for side in conflict.sides)
    if winner is None:
        _mark(tx, a, b, None)
        return ""
    kept, lost = sides[winner], sides[1 - winner]
    if kept is None and conflict.b.text != NOTHING:
        raise NotFoundError(
            f"{'AB'[winner]} is no longer in memory: {conflict.sides[winner].text}",
            hint="clawgit memory add brings it back, as a fact of its own.",
        )
    if lost is None:
        _mark(tx, a, b, None)
        return ""
    is_said = is_correction(lost) and not workspace.actor.is_operator
    # By its words: an entry keeps its id when it is reworded.
    words = lost.text.partition("\n")[0].partition(" #")[0]
    if is_said or operators_changes(workspace, "-S", words, left=words):
        raise _refusal(f"The operator said what {lost} says", conflict, "ab"[winner])
    _mark(tx, a, b, winner)
    return f"; {'BA'[winner]} is superseded"


def _is_removed(workspace: Workspace, conflict: Conflict) -> bool:
    """Whether one side is a removal that the operator made, and somebody else asks."""
    ident = f"claw:{conflict.a.key}"
    is_removal = conflict.b.text == NOTHING
    return is_removal and any(operators_changes(workspace, "-S", ident, left=ident, gone=True))


def _refusal(why: str, conflict: Conflict, keep: str) -> NotTheOperatorError:
    return NotTheOperatorError(
        f"{why}; only they may decide against it.",
        hint=f"At a terminal: clawgit conflicts resolve {conflict.id} --keep {keep}",
    )


def _mark(tx: Transaction, a: Entry | None, b: Entry | None, winner: int | None) -> None:
    """Writes into the entries which of them holds. One whose rival is gone holds if it did not
    lose to its removal.
    """
    if a and b:
        texts = tx.read_text(a.path) + tx.read_text(b.path)
        first = fresh_id(texts)
        decision = with_decision(tx.read_text, (a, b), winner, (first, fresh_id(texts + first)))
        for path, text in decision.items():
            tx.put(path, text)
    elif (lone := a or b) and lone.meta:
        meta = lone.meta.undisputed.having("status", SUPERSEDED if winner == 1 else "")
        tx.put(lone.path, with_meta(tx.read_text(lone.path), lone, meta))


def _where_now(workspace: Workspace, tx: Transaction, side: ConflictSide) -> Entry | None:
    """Where an entry is now: in its file, or in another one to which it was moved. None if it is
    gone, or is the removal of another.
    """
    if side.text == NOTHING:
        return None
    for path in _searched(workspace, side.path):
        if entry := side.entry_in(tx.read_text(path)):
            return entry._replace(path=path)
    return None


def _searched(workspace: Workspace, first: str) -> Iterator[str]:
    """That file, then the others of memory: the folder is walked only if one of them is needed."""
    if merges_by_entries(first):
        yield first
    yield from filter(holds_entries, memory_paths(workspace))


def _named(workspace: Workspace, ident: str) -> Conflict:
    for conflict in _logged(workspace):
        if conflict.id == ident:
            return conflict
    raise NotFoundError(f"There is no conflict {ident}.", hint="clawgit conflicts list --all")


def _logged(workspace: Workspace) -> tuple[Conflict, ...]:
    return read(exact_text(read_file(workspace.root, PATH).data))
