"""Undo and redo: one new commit that takes back one change, or several."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain, islice
from typing import NamedTuple

from clawgit.domain.change.actors import AGENT, OPERATOR, SNAPSHOT, UNKNOWN
from clawgit.domain.change.authority import without_derived
from clawgit.domain.change.history import (
    BACK,
    REDO,
    UNDO,
    Commit,
    Intent,
    inverse_summary,
)
from clawgit.domain.change.selection import Selection
from clawgit.domain.change.undoing import LastUndo, in_words, last_undo, undo_targets
from clawgit.domain.corrections.corrections import ARCHIVE, CORRECTIONS, ids_outside, taken_back
from clawgit.domain.markdown.decoding import exact_bytes, exact_text
from clawgit.domain.markdown.excerpt import in_a_line
from clawgit.errors import NotFoundError, UsageError, counted, first_of
from clawgit.ops.change.described import Change, described, fields_of
from clawgit.ops.change.history import first_parents, moment, revision
from clawgit.ops.change.merging import refuse_conflicts, take_out
from clawgit.ops.change.moved_entries import FileSides, moved_away, take_out_moved
from clawgit.ops.change.reading import reading
from clawgit.ops.safety.secrets_found import without_held
from clawgit.ops.soul.taking_back import operators_changes
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.looked import RESCUE
from clawgit.stores.git.transaction import Transaction

_FEW = 3
_MOST_TOLD = 40
"""How many changes the commit message lists."""

_KEY = 60
"""Characters of a session's key that a summary shows."""


class Which(NamedTuple):
    """Which changes to take back: `revs`, or those of a run, of a session or since a time.

    `edits`: uncommitted edits too, or alone.
    """

    revs: tuple[str, ...] = ()
    run: str = ""
    session: str = ""
    since: str = ""
    edits: bool = False

    @property
    def words(self) -> str:
        named = {"of run": self.run, "of session": self.session, "since": self.since}
        return " ".join(f"{of} {in_a_line(name, _KEY)}" for of, name in named.items() if name)


class UndoneChange(NamedTuple):
    """A change that was taken back, or that can be. `also`: its other commits. `against`: the
    parent that a merge is compared with.
    """

    id: str
    time: datetime
    actor: str
    summary: str
    also: tuple[str, ...] = ()
    against: str = ""


class Undoable(NamedTuple):
    """What can be taken back: the files with uncommitted edits, and changes."""

    edits: tuple[str, ...]
    changes: tuple[UndoneChange, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone(Change):
    """What undo and redo did.

    `uncommitted`: it was an uncommitted edit. If several changes were taken back, `changes` lists
    them, and `which` says what they have in common.
    """

    undid: UndoneChange | None = None
    uncommitted: bool = False
    changes: tuple[UndoneChange, ...] = ()
    which: str = ""


class _Task(NamedTuple):
    """Commits to take back, newest first, and before them the uncommitted edits of some files."""

    targets: tuple[Commit, ...]
    verb: str = UNDO
    which: str = ""
    """What they have in common, in words."""
    edits: tuple[str, ...] = ()


def undo(workspace: Workspace, rev: str | None = None, *, dry_run: bool = False) -> Undone:
    """Undoes a change by a new commit, whatever came after it.

    Without `rev`, the newest change that is not undone yet. Uncommitted edits come first. A program
    undoes only its own changes.
    """
    if rev is not None:
        target = workspace.git.commit(revision(workspace, rev))
        return _take_back(workspace, _Task((target,)), dry_run=dry_run)
    actor = _whose(workspace)
    if actor is None and (done := _undo_edits(workspace, dry_run=dry_run)):
        return done
    for targets in undo_targets(_in_scope(workspace), actor):
        # If a merge or another tool has undone it already, nothing would change: try the next one.
        done = _take_back(workspace, _Task(targets), dry_run=dry_run)
        if done.changed or done.held:
            return done
    whose = f"no change of {actor} left" if actor else "nothing left"
    raise NotFoundError(
        f"There is {whose} to undo since clawgit was set up in this workspace.",
        hint="`clawgit log` lists all changes; take one back by its id: clawgit undo ID",
    )


def undo_several(workspace: Workspace, which: Which, *, dry_run: bool = False) -> Undone:
    """Undoes several changes by one commit, whatever came between them: all of them or none.

    For a run, a session or a time, only changes that are not undone yet count; a program takes back
    only its own. `since` also takes back uncommitted edits.
    """
    if which == Which(edits=True):
        if done := _undo_edits(workspace, dry_run=dry_run):
            return done
        raise NotFoundError("All edits have been committed.", hint="clawgit undo -i")
    since = moment(workspace, which.since)
    if since is not None and since > workspace.now:
        raise UsageError(f"{which.since} is in the future.", hint="clawgit undo --since yesterday")
    edits = _edits_meant(workspace, which)
    task = _Task(_meant(workspace, which), UNDO, which.words, edits)
    if not task.targets and not edits:
        raise _nothing_selected(workspace, which, _whose(workspace))
    if edits and not dry_run:
        # Rehearsed, so that a conflict is found before the edits are committed.
        _take_back(workspace, task, dry_run=True)
        outcome, _ = workspace.git.snapshot(workspace.now)
        task = _Task(_meant(workspace, which, outcome.snapshots), UNDO, which.words)
    return _take_back(workspace, task, dry_run=dry_run)


def undoable(workspace: Workspace, limit: int) -> Undoable:
    """The newest changes that are not undone yet, and the uncommitted edits, for the user to
    choose.
    """
    actor = _whose(workspace)
    standing = undo_targets(_in_scope(workspace), actor)
    changes = tuple(_as_one(targets) for targets in islice(standing, limit))
    return Undoable(_uncommitted(workspace) if actor is None else (), changes)


def redo(workspace: Workspace, *, dry_run: bool = False) -> Undone:
    """Undoes the last undo, unless there was a new change since."""
    actor = _whose(workspace, "redo")
    last = last_undo(_in_scope(workspace), actor)
    edits = workspace.git.dirt().paths if actor is None else ()
    if last.undo is None or last.since or edits:
        raise _nothing_to_redo(last, edits)
    return _take_back(workspace, _Task((last.undo,), REDO), dry_run=dry_run)


def _whose(workspace: Workspace, verb: str = "undo") -> str | None:
    """Whose changes `undo` and `redo` consider: for the operator all (None), else the actor's."""
    actor = workspace.caller.actor
    if actor == AGENT:
        meant = "undo to take back" if verb == "redo" else "change"
        raise UsageError(
            f"Programs that give no name are all `agent`: name the {meant}.",
            hint="clawgit undo ID, with an id of `clawgit log`; "
            f"or clawgit {verb} --actor NAME, for what NAME wrote",
        )
    return None if actor == OPERATOR else actor.slug


def _in_scope(workspace: Workspace) -> Iterator[Commit]:
    """The first parents of HEAD, without commits that changed only files outside of the scope."""
    git = workspace.git
    for commit in first_parents(workspace):
        paths = git.changed_paths(next(iter(commit.parents), None), commit.sha)
        if not paths or any(map(git.scope.covers, paths)):
            yield commit


def _named(workspace: Workspace, revs: tuple[str, ...]) -> tuple[Commit, ...]:
    """The commits that were named, newest first."""
    with reading(workspace) as index:
        oids = index.newest_first(revision(workspace, rev, index) for rev in revs)
    return tuple(map(workspace.git.commit, oids))


def _meant(workspace: Workspace, which: Which, snapshots: Iterable[str] = ()) -> tuple[Commit, ...]:
    """The commits that are meant, newest first; `snapshots` hold the edits that are meant too."""
    if which.revs or which.edits:
        return _named(workspace, (*which.revs, *snapshots))
    return _selected(workspace, which, _whose(workspace))


def _edits_meant(workspace: Workspace, which: Which) -> tuple[str, ...]:
    """The files whose uncommitted edits are taken back too; with `since` only for the operator."""
    are_meant = which.edits or (which.since and _whose(workspace) is None)
    return _uncommitted(workspace) if are_meant else ()


def _selected(workspace: Workspace, which: Which, actor: str | None) -> tuple[Commit, ...]:
    """The commits of all changes that are meant and not undone yet, newest first."""
    since = moment(workspace, which.since)
    takes = Selection(run=which.run, session=which.session, since=since).takes
    standing = undo_targets(_in_scope(workspace), actor, takes)
    return tuple(commit for targets in standing for commit in targets)


def _nothing_selected(workspace: Workspace, which: Which, actor: str | None) -> NotFoundError:
    selection = Selection(run=which.run, session=which.session)
    is_there = (which.run or which.session) and any(
        selection.takes(commit) and actor in (None, commit.actor) for commit in _in_scope(workspace)
    )
    whose = f" of {actor}" if actor else ""
    left = " left to take back" if is_there else ""
    return NotFoundError(
        f"There is no change{whose} {which.words}{left}.",
        hint="`clawgit log` lists the changes and what became of them.",
    )


def _undo_edits(workspace: Workspace, *, dry_run: bool) -> Undone | None:
    """Commits the uncommitted edits and undoes that commit at once, so that `redo` works."""
    git = workspace.git
    if git.head().oid is None:
        # Before the first commit there is nothing to go back to.
        return None
    if dry_run:
        edits = _uncommitted(workspace)
        return _take_back(workspace, _Task((), edits=edits), dry_run=True) if edits else None
    outcome, _ = git.snapshot(workspace.now)
    if not outcome.snapshots:
        return None
    targets = tuple(git.commit(sha) for sha in reversed(outcome.snapshots))
    done = _take_back(workspace, _Task(targets))
    snapshots = (*outcome.snapshots, *done.snapshots)
    return replace(done, snapshots=snapshots, uncommitted=True) if done.changed else None


def _uncommitted(workspace: Workspace) -> tuple[str, ...]:
    """The files with edits that a snapshot would commit and an undo take back."""
    return tuple(without_derived(without_held(workspace, workspace.git.dirt()).paths))


def _nothing_to_redo(last: LastUndo, edits: tuple[str, ...]) -> NotFoundError:
    if last.undo is None:
        return NotFoundError("There is nothing to redo.", hint="`clawgit log` lists what was done.")
    if edits:
        newer = f"{', '.join(edits[:_FEW])}{' and more' if len(edits) > _FEW else ''} changed"
    else:
        newer = f"{last.since.name} was made" if last.since else ""
    return NotFoundError(
        f"There is nothing to redo: {newer} after the last undo.",
        hint=f"To take that undo back anyway: clawgit undo {last.undo.name}",
    )


def _take_back(workspace: Workspace, task: _Task, *, dry_run: bool = False) -> Undone:
    """Takes commits back by one new commit, each out of what the newer ones have left."""
    _refuse_the_first(task.targets)
    git = workspace.git
    touched = {target.sha: _touched(workspace, target) for target in task.targets}
    inside, left = _reachable(workspace, {*chain.from_iterable(touched.values())})
    if left and not inside:
        raise _out_of_reach(task.targets[0], left)
    about = _described(workspace, task)
    undid = _undid(workspace, task, about)
    intent = _intent(workspace, task, undid)._replace(takes=_of_the_operator(workspace, task))
    with git.transaction(intent, workspace.now, dry_run=dry_run) as tx:
        for path in task.edits:
            tx.put(path, git.read(git.head().oid, path))
        for target in task.targets:
            # Raised inside of the transaction: then nothing is written.
            _take_out(workspace, tx, target, inside.intersection(touched[target.sha]))
    of = task.targets[0].name if task.targets else ""
    done = described(tx, dry_run=dry_run, of=of)
    done = replace(
        done, commit=done.commit if done.changed else None, warnings=(*done.warnings, *left)
    )
    is_several = len(about) > 1 or task.which or task.edits
    return Undone(
        **fields_of(done),
        undid=undid,
        uncommitted=bool(task.edits),
        changes=tuple(_as_one((commit,)) for commit in about) if is_several else (),
        which=task.which,
    )


def _of_the_operator(workspace: Workspace, task: _Task) -> tuple[str, ...]:
    """What of the operator's a task takes back; by a merge, all that it brought in."""
    spans = ((target.sha, f"^{_before(workspace, target)}") for target in task.targets)
    return tuple(chain.from_iterable(operators_changes(workspace, *span) for span in spans))


def _touched(workspace: Workspace, target: Commit) -> list[str]:
    """The files that a commit changed. A merge is compared with the branch that it was made on."""
    return without_derived(workspace.git.changed_paths(_before(workspace, target), target.sha))


def _before(workspace: Workspace, target: Commit) -> str:
    """The parent with which a commit is compared.

    For a merge by `sync` it is the one that was here before: `sync` orders the parents alike on
    every machine, so their order does not tell.
    """
    if len(target.parents) > 1:
        here = {*workspace.git.refs_below(RESCUE).values()}
        return next((oid for oid in target.parents if oid in here), target.parents[0])
    return target.parents[0]


def _refuse_the_first(targets: tuple[Commit, ...]) -> None:
    """A first commit has no parent to go back to."""
    for target in targets:
        if not target.parents:
            raise UsageError(
                f"{target.name} is the first commit; it cannot be taken back.",
                hint="`clawgit restore PATH --at REV` brings single files back.",
            )


def _take_out(workspace: Workspace, tx: Transaction, target: Commit, paths: Iterable[str]) -> None:
    git, parent = workspace.git, _before(workspace, target)
    sides = [
        FileSides(path, git.read(target.sha, path), git.read(parent, path))
        for path in sorted(paths)
    ]
    sides = [*_keeping_corrections(tx, sides)]
    moved = moved_away(tx, sides)
    conflicts = [clash for side in sides for clash in take_out(tx, *side)]
    conflicts += take_out_moved(workspace, tx, target.sha, moved)
    refuse_conflicts(f"{target.name} cannot be taken back", conflicts)


def _keeping_corrections(tx: Transaction, sides: Sequence[FileSides]) -> Iterator[FileSides]:
    """The sides, where the log keeps the corrections that the change had brought into it."""
    books = (exact_text(side.before) for side in sides if side.path.startswith(ARCHIVE))
    now = ids_outside(tx.read_text(CORRECTIONS) or "", books)
    for side in sides:
        before = exact_text(side.before)
        goal = before
        if side.path == CORRECTIONS:
            goal = taken_back(before, exact_text(side.brought), now)
        yield side if goal == before else side._replace(before=exact_bytes(goal))


def _out_of_reach(target: Commit, notes: tuple[str, ...]) -> UsageError:
    what = f"{target.name} cannot be taken back, since it changed nothing that clawgit may write."
    hint = (
        f"`git revert {target.sha[:10]}` takes it back; `clawgit doctor` says why clawgit does not."
    )
    return UsageError(f"{what} {' '.join(notes)}", hint=hint)


def _reachable(
    workspace: Workspace, changed: Iterable[str]
) -> tuple[frozenset[str], tuple[str, ...]]:
    """The files of a change that may be written, and a warning about the others."""
    inside, outside = workspace.git.scope.split(sorted(changed))
    filtered = workspace.git.untouchable(inside)
    notes = [f"{path} stays as it is: it is {why}." for path, why in sorted(filtered.items())]
    if outside:
        notes.append(f"Left as it is, outside of the scope: {first_of(outside, _FEW)}.")
    return frozenset(inside) - filtered.keys(), tuple(notes)


def _intent(workspace: Workspace, task: _Task, undid: UndoneChange | None) -> Intent:
    actor, names = workspace.caller.actor, tuple(target.name for target in task.targets)
    if undid is None:  # edits alone, which are rehearsed
        return Intent(actor, task.verb, "")
    newest = task.targets[0]
    if len(names) == 1 and newest.message.verb in BACK:
        reason = f"Takes back the {newest.message.verb} {_introduced(newest, newest.actor)}."
        return Intent(actor, task.verb, inverse_summary(newest.message.headline), reason, names)
    if task.which or len(names) > _FEW:
        what = _counted(len(names), task.which)
        summaries = f" ({_summaries(task.targets)})" if len(names) <= _FEW else ""
        reason = "\n".join(_listed(task.targets))
        return Intent(actor, task.verb, f"take back {what}{summaries}", reason, names)
    when = f"{newest.time:%Y-%m-%d %H:%M}"
    reason = f"Takes back {', '.join(names)} of {when}, made by {undid.actor}."
    if undid.against:
        reason += f" It is a merge; the side of {undid.against}, which was here before, stays."
    summary = f"take back {', '.join(names)} ({undid.summary})"
    return Intent(actor, task.verb, summary, reason, names)


def _introduced(commit: Commit, maker: str) -> str:
    return f"{commit.name} of {commit.time:%Y-%m-%d %H:%M}, made by {maker}"


def _listed(targets: tuple[Commit, ...]) -> Iterator[str]:
    """The changes that are taken back, one per line, up to a limit."""
    yield "Takes back:"
    for target in targets[:_MOST_TOLD]:
        yield f"- {_introduced(target, _maker(target))}: {in_words(target.message)}"
    if len(targets) > _MOST_TOLD:
        yield f"- and {len(targets) - _MOST_TOLD} more"


def _undid(workspace: Workspace, task: _Task, parts: tuple[Commit, ...]) -> UndoneChange | None:
    """What was undone or redone, in words; None for uncommitted edits."""
    if not parts:
        return None
    one, newest = _as_one(parts), parts[0]
    if task.which or len(parts) > _FEW:
        one = one._replace(summary=_counted(len(parts), task.which))
    if len(newest.parents) > 1:
        one = one._replace(against=workspace.git.commit(_before(workspace, newest)).name)
    return one


def _described(workspace: Workspace, task: _Task) -> tuple[Commit, ...]:
    """The changes that a task is about; for a redo, those that the undo had taken back."""
    if task.verb != REDO:
        return task.targets
    names = task.targets[0].message.evidence
    try:
        with reading(workspace) as index:
            oids = [revision(workspace, name, index) for name in names]
    except NotFoundError:
        # A commit may be gone, for instance after a rebase. The undo still describes it.
        return task.targets
    return tuple(map(workspace.git.commit, oids)) or task.targets


def _as_one(targets: tuple[Commit, ...]) -> UndoneChange:
    newest, *more = targets
    return UndoneChange(
        newest.name,
        newest.time,
        ", ".join(dict.fromkeys(map(_maker, targets))),
        _summaries(targets),
        tuple(target.name for target in more),
    )


def _counted(number: int, which: str) -> str:
    return f"{counted(number, 'change')} {which}".rstrip()


def _summaries(commits: Iterable[Commit]) -> str:
    return ", ".join(in_words(commit.message) for commit in commits)


def _maker(commit: Commit) -> str:
    """Who made a change: the actor, or git's author if a commit by plain git names no actor."""
    by_git = commit.actor == UNKNOWN.slug and commit.message.verb != SNAPSHOT
    return commit._replace(message=commit.message._replace(op="")).actor if by_git else commit.actor
