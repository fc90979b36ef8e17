"""Lists the conflicts of memory, and decides them."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

from clawgit.domain.change.actors import OPERATOR
from clawgit.domain.change.history import Intent
from clawgit.domain.claims.clauses import remainder, reworded
from clawgit.domain.claims.conflicts import (
    A_WINS,
    B_WINS,
    BOTH,
    PATH,
    Conflict,
    ConflictSide,
    decided,
)
from clawgit.domain.claims.conflicts import conflicts as read
from clawgit.domain.claims.settling import (
    decide,
    place_of,
    restored,
    with_metas,
    with_raws,
    words_before,
)
from clawgit.domain.facts.confidence import is_correction
from clawgit.domain.facts.fact_verdict import EntryPlace
from clawgit.domain.markdown.comment import Meta
from clawgit.domain.markdown.decoding import exact_text
from clawgit.domain.markdown.entry import Entry, content_key, entries, holds_entries
from clawgit.domain.markdown.statuses import SUPERSEDED
from clawgit.domain.merging.memory import merges_by_entries
from clawgit.domain.workspace.routing import notebook_of
from clawgit.errors import ClawgitError, NotFoundError, UsageError
from clawgit.ops.change.described import Change, described
from clawgit.ops.compaction.room import keep_room
from clawgit.ops.facts.standing import fresh_id
from clawgit.ops.workspace.operator import NotTheOperatorError
from clawgit.ops.workspace.reach import memory_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.transaction import Transaction
from clawgit.stores.git.worktree import read_file
from clawgit.stores.index.discover import discover

_SIDES = "AB"
KEEP = {"a": 0, "b": 1, "both": None}
"""What `--keep` may name, and the side that then wins."""

_OUTCOMES = {"a": A_WINS, "b": B_WINS, "both": BOTH}


@dataclass(frozen=True, slots=True)
class Conflicts:
    """The conflicts that wait for a decision, or all.

    `outcome` begins with flagged, A wins, B wins, both stand or closed. `next` are the commands
    that decide the first open one.
    """

    conflicts: tuple[Conflict, ...]
    next: tuple[str, ...] = ()


def conflicts(workspace: Workspace, *, everything: bool = False) -> Conflicts:
    """The open conflicts; with `everything` also those that have ended."""
    logged = _logged(workspace)
    found = logged if everything else tuple(conflict for conflict in logged if conflict.open)
    first = next((conflict.id for conflict in found if conflict.open), "")
    return Conflicts(found, tuple(_ways(workspace, first)) if first else ())


def _ways(workspace: Workspace, ident: str) -> Iterator[str]:
    """The commands that decide a conflict: each is rehearsed, so that it works when it is typed."""
    for keep in KEEP:
        for option, manner in (("", Manner()), (" --whole", Manner(whole=True))):
            with suppress(ClawgitError):
                resolve(workspace, ident, keep, manner, dry_run=True)
                yield f"clawgit conflicts resolve {ident} --keep {keep}{option}"
                break


@dataclass(frozen=True, slots=True)
class Manner:
    """What becomes of the loser.

    `text` is what it will say instead. `whole`: all of it is superseded, though it says more than
    what is disputed.
    """

    text: str = ""
    whole: bool = False


def resolve(
    workspace: Workspace, ident: str, keep: str, manner: Manner = Manner(), *, dry_run: bool = False
) -> Change:
    """Decides a conflict; an earlier decision is taken back first.

    Everyone who may write may decide, but only the operator may let a correction lose. A loser that
    says more than what is disputed keeps the rest.
    """
    _refuse_unclear(keep, manner)
    actor = workspace.caller.actor
    conflict = _named(workspace, ident)
    _refuse_for_removal(conflict, keep, manner)
    begins = _OUTCOMES[keep]
    intent = Intent(
        actor,
        "resolve",
        f"conflict {conflict.id}: {begins}",
        f"Decided by {actor.name}.\nA: {conflict.a.text}\nB: {conflict.b.text}",
        (conflict.evidence, *_cited(conflict)),
    )
    with workspace.git.transaction(intent, workspace.now, dry_run=dry_run) as tx:
        text = tx.read_text(PATH) or ""
        done = _settle(workspace, tx, conflict, KEEP[keep], manner)
        decider = "the operator" if actor == OPERATOR else actor.slug
        # The same decision again changes nothing, so it makes no commit.
        if done or not conflict.outcome.startswith(f"{begins}: decided by"):
            outcome = f"{begins}: decided by {decider}{done}"
            tx.put(PATH, decided(text, {conflict.id: outcome}))
        if (notebook := notebook_of(tx.edits)) in tx.edits:
            keep_room(workspace, tx, notebook)
    return described(tx, dry_run=dry_run, of=conflict.id)


def _refuse_unclear(keep: str, manner: Manner) -> None:
    if keep not in KEEP:
        raise UsageError(f"{keep!r} cannot be kept.", hint="--keep a, --keep b or --keep both")
    if manner.text and manner.whole:
        raise UsageError("--text and --whole cannot be used together.", hint="Give one of them.")
    if keep == "both" and (manner.text or manner.whole):
        raise UsageError(
            "No side loses with --keep both.",
            hint="--text and --whole go with --keep a or --keep b.",
        )


def _refuse_for_removal(conflict: Conflict, keep: str, manner: Manner) -> None:
    """Refuses what is impossible if side B removed the entry: B has no words to keep or rewrite."""
    if conflict.is_removal and (keep == "both" or manner.text):
        raise UsageError(
            f"Side B of {conflict.id} is a removal, not a text.",
            hint="--keep a keeps the entry; --keep b supersedes it.",
        )


def _settle(
    workspace: Workspace, tx: Transaction, conflict: Conflict, winner: int | None, manner: Manner
) -> str:
    """Marks or rewrites the entries; returns what became of the loser, for the outcome."""
    if conflict.is_removal:
        return _settle_removal(workspace, tx, conflict, winner)
    _take_back(workspace, tx, conflict)
    a, b = _sides(workspace, tx, conflict)
    if winner is not None and (a, b)[winner] is None:
        raise _gone(_SIDES[winner], (conflict.a, conflict.b)[winner])
    if a is None or b is None:
        _revive(tx, conflict, a, b)
        return ""
    if winner is not None:
        _refuse_weak((a, b)[1 - winner], workspace)
    return _decided(tx, (a, b), winner, manner)


def _settle_removal(
    workspace: Workspace, tx: Transaction, conflict: Conflict, winner: int | None
) -> str:
    """Marks an entry that one side of a merge removed: it is active again, or superseded."""
    place = _standing(workspace, tx, conflict.a)
    if place is None or place.entry.meta is None:
        raise _gone(_SIDES[0], conflict.a)
    if winner == KEEP["b"]:
        _refuse_weak(place, workspace)
    status = SUPERSEDED if winner == KEEP["b"] else ""
    _mark(tx, {place_of(place): place.entry.meta.having("status", status).having("by", "")})
    return f"; {_SIDES[0]} is superseded" if status else ""


def _gone(name: str, side: ConflictSide) -> NotFoundError:
    return NotFoundError(
        f"{name} is no longer in memory: {side.text}",
        hint="clawgit memory add brings it back, as a fact of its own.",
    )


def _revive(
    tx: Transaction, conflict: Conflict, a: EntryPlace | None, b: EntryPlace | None
) -> None:
    """The other entry is gone, so the side that had lost to it is active again."""
    lone, won_by = (a, B_WINS) if a else (b, A_WINS)
    if lone and lone.entry.meta and conflict.outcome.startswith(won_by):
        _mark(tx, {place_of(lone): lone.entry.meta.having("status", "").having("by", "")})


def _decided(
    tx: Transaction, places: tuple[EntryPlace, EntryPlace], winner: int | None, manner: Manner
) -> str:
    a, b = places
    texts = (tx.read_text(a.path) or "") + (tx.read_text(b.path) or "")
    metas: dict[tuple[str, int], Meta] = {}

    def id_for(_: str) -> str:
        return fresh_id(texts + " ".join(meta.id for meta in metas.values()))

    decide(places, winner, metas, id_for)
    if winner is None:
        _mark(tx, metas)
        return ""
    loser, name = places[1 - winner], _SIDES[1 - winner]
    raw = _kept_of(loser, places, winner, manner, fresh_id(texts))
    if raw is None:
        _mark(tx, metas)
        return f"; {name} is superseded"
    tx.put(loser.path, with_raws(tx.read_text(loser.path) or "", {loser.entry.line: raw}))
    return f"; what {name} says of it is replaced"


def _kept_of(
    loser: EntryPlace,
    places: tuple[EntryPlace, EntryPlace],
    winner: int,
    manner: Manner,
    ident: str,
) -> str | None:
    """The loser without its disputed clause; None if all of it is superseded.

    UsageError if the disputed clause cannot be found.
    """
    meta = loser.entry.meta or Meta(ident)
    meta = meta.having("status", "").having("by", "")
    if manner.whole:
        return None
    if manner.text:
        raw = reworded(loser.entry, manner.text, meta)
        if raw is None:
            raise UsageError(
                f"{loser} cannot be reworded where it is.", hint="Edit the file, then --keep both."
            )
        return raw
    left = remainder((places[0].entry, places[1].entry), winner, meta)
    if left.is_clear:
        return left.raw or None
    raise UsageError(
        f"{_SIDES[1 - winner]} also says something that nobody disputes: {loser.entry.text}",
        hint='--text "what it should say" keeps the rest, --whole supersedes all of it.',
    )


def _take_back(workspace: Workspace, tx: Transaction, conflict: Conflict) -> None:
    """Undoes an exchange of values by which this conflict was decided before."""
    for side in (conflict.a, conflict.b):
        place = _standing(workspace, tx, side)
        if place is None or content_key(words_before(place.entry)) != side.said:
            continue
        if raw := restored(place.entry):
            tx.put(place.path, with_raws(tx.read_text(place.path) or "", {place.entry.line: raw}))


def _mark(tx: Transaction, metas: Mapping[tuple[str, int], Meta]) -> None:
    by_path: defaultdict[str, dict[int, Meta]] = defaultdict(dict)
    for (path, line), meta in metas.items():
        by_path[path][line] = meta
    for path, marked in by_path.items():
        tx.put(path, with_metas(tx.read_text(path) or "", marked))


def _refuse_weak(loser: EntryPlace, workspace: Workspace) -> None:
    if is_correction(loser.entry) and workspace.caller.actor != OPERATOR:
        raise NotTheOperatorError(
            f"{loser} is a correction; only the operator may decide against it.",
            hint="Run it from a terminal, or keep the other.",
        )


def _sides(
    workspace: Workspace, tx: Transaction, conflict: Conflict
) -> tuple[EntryPlace | None, EntryPlace | None]:
    """Where both entries stand.

    A winner that was corrected since then is found by the key that its loser names.
    """
    a, b = (_standing(workspace, tx, side) for side in (conflict.a, conflict.b))
    if a is None and b and conflict.outcome.startswith(A_WINS):
        a = _beater(workspace, tx, conflict.a, b)
    if b is None and a and conflict.outcome.startswith(B_WINS):
        b = _beater(workspace, tx, conflict.b, a)
    return a, b


def _beater(
    workspace: Workspace, tx: Transaction, winner: ConflictSide, loser: EntryPlace
) -> EntryPlace | None:
    by = loser.entry.meta.by if loser.entry.meta else ""
    return _standing(workspace, tx, winner._replace(key=by)) if by else None


def _standing(workspace: Workspace, tx: Transaction, side: ConflictSide) -> EntryPlace | None:
    """Where the entry is now: in its file, or in another one to which it was moved."""
    for path in _searched(workspace, side.path):
        if place := _place(side, tx.read_text(path) or "", path):
            return place
    return None


def _searched(workspace: Workspace, first: str) -> Iterator[str]:
    """That file, then the others of memory: the folder is walked only if one of them is needed."""
    if merges_by_entries(first):
        yield first
    yield from sorted(filter(holds_entries, discover(memory_of(workspace))))


def _place(side: ConflictSide, text: str, path: str) -> EntryPlace | None:
    """The entry by its id, else by its words, else by its words before an exchange."""
    standing = entries(text)
    for is_meant in (_has_id, _says, _said_before):
        for entry in standing:
            if is_meant(entry, side):
                return EntryPlace(path, entry)
    return None


def _has_id(entry: Entry, side: ConflictSide) -> bool:
    return entry.meta is not None and entry.meta.id == side.key


def _says(entry: Entry, side: ConflictSide) -> bool:
    return content_key(entry.text) == side.said


def _said_before(entry: Entry, side: ConflictSide) -> bool:
    return content_key(words_before(entry)) == side.said


def _named(workspace: Workspace, ident: str) -> Conflict:
    for conflict in _logged(workspace):
        if conflict.id == ident:
            return conflict
    raise NotFoundError(f"There is no conflict {ident}.", hint="clawgit conflicts list --all")


def _logged(workspace: Workspace) -> tuple[Conflict, ...]:
    return read(exact_text(read_file(workspace.root, PATH).data or b""))


def _cited(conflict: Conflict) -> Iterator[str]:
    for side in (conflict.a, conflict.b):
        if side.path and side.key:
            yield f"{side.path}#{side.key}"
