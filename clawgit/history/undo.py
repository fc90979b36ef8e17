"""Undo, redo and `soul revert`: one new commit that is the inverse of one change, or of several."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain

from clawgit.core import NamedTuple
from clawgit.core.errors import ConflictError, NotFoundError, UsageError, counted, few, first_of
from clawgit.core.markdown.decoding import exact_bytes, exact_text
from clawgit.core.markdown.entry import Entry, entries, holds_entries, removed, replaced
from clawgit.core.markdown.excerpt import in_a_line
from clawgit.git.history.pathlog import told
from clawgit.git.history.streams import grep
from clawgit.git.rules.actors import AGENT, OPERATOR, Actor
from clawgit.git.rules.authority import without_derived
from clawgit.git.rules.history import (
    BACK,
    REDO,
    REVERT,
    SYNC,
    UNDO,
    Commit,
    Intent,
    ToldChange,
    inverse_summary,
)
from clawgit.git.rules.undoing import Selection, last_undo, since_adoption, undo_targets
from clawgit.git.transaction import Change, Edit, Transaction
from clawgit.history.log import past, revision
from clawgit.history.merging import Clash, edits_of, merge_in, refuse_conflicts, take_out, writable
from clawgit.safety.secrets_found import without_held
from clawgit.safety.taking_back import operators_changes
from clawgit.talk.rules.corrections import (
    ARCHIVE,
    CORRECTIONS,
    claimed,
    corrections,
    ids_outside,
    taken_back,
)
from clawgit.workspace.workspace import Workspace

_FEW = 3
_MOST_TOLD = 40
"""How many changes the commit message lists."""

_KEY = 60
"""Characters of a session's key that a summary shows."""


class Undone(NamedTuple):
    """What undo and redo did: which changes, newest first, and what these have in common.

    `uncommitted`: edits that were not committed were taken back too.
    """

    change: Change
    undid: tuple[ToldChange, ...]
    uncommitted: bool = False
    which: str = ""


class _Task(NamedTuple):
    """Commits to take back, newest first, and before them the uncommitted edits of some files.

    `which`: what the commits have in common, in words. `only`: the file that is meant, "" for all.
    """

    targets: tuple[Commit, ...]
    verb: str = UNDO
    which: str = ""
    edits: tuple[str, ...] = ()
    only: str = ""
    reason: str = ""


def undo(
    workspace: Workspace, *revs: str, run: str = "", session: str = "", since: str = ""
) -> Undone:
    """Undoes changes by one new commit, whatever came after them: all of them or none.

    Those that are named; or those of a run, of a session or since a time that are not undone yet;
    else the newest of these. Where nothing limits it, or a time, uncommitted edits come first. A
    program undoes only its own changes.
    """
    if revs:
        return _take_back(workspace, _Task(_named(workspace, revs)))
    limit = Selection(run=run, session=session, since=_past(workspace, since))
    chosen = {"of run": run, "of session": session, "since": since}
    which = _in_words(chosen)
    edits, kept = _uncommitted(workspace, limit), tuple[str, ...]()
    if edits and not workspace.dry_run:
        # Rehearsed, so that a conflict is found before the edits are committed.
        _take_back(workspace.dry(), next(_tasks(workspace, limit, which, edits)))
        # Committed before they are taken back: without that they would be gone for good.
        kept = workspace.git.snapshot(workspace.now)[0].snapshots
    for task in _tasks(workspace, limit, which, edits if workspace.dry_run else (), kept):
        done = _take_back(workspace, task)
        # If a merge or another tool has undone it already, nothing would change: try the next one.
        change = done.change
        if which or change.changed or change.held:
            change = change._replace(snapshots=(*kept, *change.snapshots))
            return done._replace(change=change, uncommitted=bool(edits))
    meant = _in_words({"of": _whose(workspace), **chosen}) or "since clawgit was set up here"
    raise NotFoundError(
        f"There is no change {meant} left to take back.",
        hint="`clawgit log` lists all changes; take one back by its id: clawgit undo ID",
    )


def _in_words(chosen: Mapping[str, str | None]) -> str:
    return " ".join(f"{of} {in_a_line(name, _KEY)}" for of, name in chosen.items() if name)


def _past(workspace: Workspace, since: str) -> datetime | None:
    begin = workspace.moment(since)
    if begin is not None and begin > workspace.now:
        raise UsageError(f"{since} is in the future.", hint="clawgit undo --since yesterday")
    return begin


def _tasks(
    workspace: Workspace,
    limit: Selection,
    which: str,
    edits: tuple[str, ...],
    kept: tuple[str, ...] = (),
) -> Iterator[_Task]:
    """What to take back: all that is meant at once, or one change after the other, the newest
    first: the edits, or what was `kept` of them.
    """
    found = undo_targets(_in_scope(workspace), _whose(workspace), limit.takes)
    newest = tuple(map(workspace.git.commit, reversed(kept)))
    each = [tuple(chain.from_iterable(found))] if which else chain([newest], found)
    tasks = (_Task(targets, which=which, edits=edits) for targets in each)
    return (task for task in tasks if task.targets or task.edits)


def redo(workspace: Workspace) -> Undone:
    """Undoes the last undo, unless there was a new change since."""
    actor = _whose(workspace, "redo")
    last = last_undo(_in_scope(workspace), actor)
    edits = workspace.git.dirt().paths if actor is None else ()
    if last.undo is None:
        raise NotFoundError("There is nothing to redo.", hint="`clawgit log` lists what was done.")
    if last.since or edits:
        newer = f"{first_of(edits)} changed" if edits else "a change was made"
        raise NotFoundError(
            f"There is nothing to redo: {newer} after the last undo.",
            hint=f"To take that undo back anyway: clawgit undo {last.undo.name}",
        )
    return _take_back(workspace, _Task((last.undo,), REDO))


def revert(workspace: Workspace, target: Commit, path: str, reason: str) -> Undone:
    """Takes back what a change did to one file. Its other files and later changes stay."""
    return _take_back(workspace, _Task((target,), REVERT, only=path, reason=reason))


def _whose(workspace: Workspace, verb: str = "undo") -> str | None:
    """Whose changes `undo` and `redo` consider: for the operator all (None), else the actor's."""
    actor = workspace.actor
    if actor == AGENT:
        raise UsageError(
            "Programs that give no name are all `agent`: name the change.",
            hint="clawgit undo ID, with an id of `clawgit log`; "
            f"or clawgit {verb} --actor NAME, for what NAME wrote",
        )
    return None if actor == OPERATOR else actor.slug


def _in_scope(workspace: Workspace) -> Iterator[Commit]:
    """The commits since the adoption, newest first, each read when it is asked for; without those
    that changed only files outside of the scope.
    """
    git, head = workspace.git, workspace.git.tip
    # Whatever the clocks of other machines say, an undo comes before what it takes back.
    history = told(workspace.cgit, (), "--date-order", head, "--") if head else ()
    for commit in since_adoption(history):
        if not commit.paths or any(map(git.scope.covers, commit.paths)):
            yield commit


def _named(workspace: Workspace, revs: Iterable[str]) -> tuple[Commit, ...]:
    """The commits that were named, newest first."""
    oids = past(workspace).newest_first(revision(workspace, rev) for rev in revs)
    return tuple(map(workspace.git.commit, oids))


def _uncommitted(workspace: Workspace, limit: Selection) -> tuple[str, ...]:
    """The files with edits that a snapshot would commit and an undo take back."""
    # Before the first commit there is nothing to go back to.
    if _whose(workspace) or limit.run or limit.session or workspace.git.tip is None:
        return ()
    return tuple(without_derived(without_held(workspace, workspace.git.dirt()).paths))


def _take_back(workspace: Workspace, task: _Task) -> Undone:
    """Takes commits back by one new commit, each out of what the newer ones have left."""
    git = workspace.git
    befores = [_before(workspace, target) for target in task.targets]
    steps = [*zip(task.targets, befores, strict=True)]
    touched = [_touched(workspace, *step, task.only) for step in steps]
    commits = [*befores, *(target.sha for target in task.targets)]
    inside, left = writable(workspace, frozenset[str]().union(*touched), commits)
    name = task.targets[0].name if task.targets else ""
    if left and not inside:
        raise UsageError(
            f"{name} cannot be taken back: it changed nothing that clawgit may write. "
            f"{' '.join(left)}",
            hint=f"`git revert {task.targets[0].sha[:10]}` takes it back.",
        )
    takes = _operators(workspace, steps, task.only)
    intent = _intent(workspace.actor, task)._replace(takes=takes)
    with workspace.transaction(intent) as tx:
        # First the edits, which stand on top of the commits.
        for path in task.edits:
            tx.put(path, git.read(git.tip, path))
        for (target, before), paths in zip(steps, touched, strict=True):
            edits = [*edits_of(git, before, target.sha, inside & paths)]
            # Raised inside of the transaction: then nothing is written.
            refuse_conflicts(
                f"{target.name} cannot be taken back", _take_out(workspace, tx, target, edits)
            )
        _refuse_said_again(tx)
    done = tx.outcome._replace(of=name)
    commit = done.commit if done.changed else None
    change = done._replace(commit=commit, warnings=(*done.warnings, *left))
    return Undone(change, tuple(told.told for told in _meant(workspace, task)), which=task.which)


def _operators(
    workspace: Workspace, steps: Iterable[tuple[Commit, str]], only: str
) -> tuple[str, ...]:
    """What of the commits the operator made."""
    limit = ("--", only) if only else ()
    found = (operators_changes(workspace, one.sha, f"^{before}", *limit) for one, before in steps)
    return tuple(chain.from_iterable(found))


def _touched(workspace: Workspace, target: Commit, before: str, only: str) -> frozenset[str]:
    paths = without_derived(workspace.git.changed_paths(before, target.sha))
    return frozenset(path for path in paths if only in ("", path))


def _before(workspace: Workspace, target: Commit) -> str:
    """The parent with which a commit is compared.

    For a merge it is the one on whose side this branch was before: `sync` orders the parents alike
    on every machine, so their order does not tell.
    """
    if not target.parents:
        raise UsageError(
            f"{target.name} is the first commit; it cannot be taken back.",
            hint="`clawgit restore PATH --at REV` brings single files back.",
        )
    first, *others = target.parents
    if not others:
        return first
    git = workspace.cgit
    sides = git.text("rev-list", "--left-right", f"{first}...{others[0]}").split()
    was_here = {*git.text("rev-list", "-g", workspace.git.head().ref).split()}
    found = {side[0] for side in sides if side[1:] in was_here}
    if len(found) != 1 and target.message.verb == SYNC:
        raise UsageError(
            f"Nothing tells which side of the merge {target.name} was here before.",
            hint="`clawgit log` lists what came in; take that back by its id: clawgit undo ID",
        )
    return others[0] if found == {">"} else first


# What is taken out of the files.


def _take_out(
    workspace: Workspace, tx: Transaction, target: Commit, edits: Sequence[Edit]
) -> list[Clash]:
    edits = [*_keeping_corrections(tx, edits)]
    moved = _moved_away(tx, edits)
    clashes = [clash for edit in edits for clash in take_out(tx, edit)]
    if moved:
        found = {hit.path for hit in grep(workspace.cgit, *(f"claw:{ident}" for ident in moved))}
        inside, _ = writable(workspace, filter(holds_entries, found))
        for path in sorted(inside):
            # A copy that was there already is not what the change brought.
            there = _by_id(workspace.git.read(target.sha, path))
            mine = {ident: entry for ident, entry in moved.items() if ident not in there}
            clashes += _take_out_moved(tx, path, mine)
    return clashes


def _keeping_corrections(tx: Transaction, edits: Sequence[Edit]) -> Iterator[Edit]:
    """The edits, where the log keeps the corrections that the change had brought into it."""
    books = (exact_text(edit.before) for edit in edits if edit.path.startswith(ARCHIVE))
    now = ids_outside(tx.read_text(CORRECTIONS), books)
    for edit in edits:
        before = edit.before
        if edit.path == CORRECTIONS:
            goal = taken_back(exact_text(before), exact_text(edit.after), now)
            before = exact_bytes(goal) or before
        yield edit._replace(before=before)


def _refuse_said_again(tx: Transaction) -> None:
    """Raises if a correction is taken back that another one says too, which stands."""
    before, after = map(exact_text, tx.changes.get(CORRECTIONS, (None, None)))
    standing = {one.was + one.correct: one.id for one in corrections(after) if one.binds}
    for one in claimed(after, before):
        if one.binds and (other := standing.get(one.was + one.correct)):
            raise ConflictError(
                f"The correction {other} says the same as {one.id}, and stands.",
                hint=f"clawgit undo ID ID takes both back; `clawgit log --grep {other}` has its ID",
            )


def _moved_away(tx: Transaction, edits: Iterable[Edit]) -> dict[str, Entry]:
    """The entries that a change brought to a file and that are no longer in it, by id."""
    moved: dict[str, Entry] = {}
    # An entry that the change only moved is not taken out of where it was before.
    had: set[str] = set()
    for edit in edits:
        if holds_entries(edit.path):
            had |= _by_id(edit.before).keys()
            there, brought = _by_id(tx.read(edit.path)), _by_id(edit.after)
            moved |= {ident: brought[ident] for ident in brought.keys() - there.keys()}
    return {ident: entry for ident, entry in moved.items() if ident not in had}


def _take_out_moved(tx: Transaction, path: str, moved: Mapping[str, Entry]) -> list[Clash]:
    """Takes these entries out of a file to which a later change moved them."""
    data = tx.read(path)
    there = _by_id(data)
    base = goal = exact_text(data)
    # From below, so that the entries above keep their lines.
    for ident in sorted(moved.keys() & there, key=lambda one: there[one].line, reverse=True):
        now, then = there[ident], moved[ident].raw.rstrip("\r\n")
        # Ended as it is there: the last line of a file may have no end.
        base = replaced(base, now, then + now.raw[len(now.raw.rstrip("\r\n")) :])
        goal = removed(goal, now)
    return merge_in(tx, path, exact_bytes(base), exact_bytes(goal))


def _by_id(data: bytes | None) -> dict[str, Entry]:
    standing = entries(exact_text(data))
    return {entry.meta.id: entry for entry in standing if entry.meta and entry.meta.id}


# What is said of it.


def _intent(actor: Actor, task: _Task) -> Intent:
    names = tuple(target.name for target in task.targets)
    if not names:  # edits alone, which are rehearsed
        return Intent(actor, task.verb, "")
    first = task.targets[0].message
    is_back = len(names) == 1 and first.verb in BACK
    summary = inverse_summary(first.headline) if is_back else f"take back {_taken(task, names)}"
    return Intent(actor, task.verb, summary, task.reason or _told_reason(task.targets), names)


def _taken(task: _Task, names: Sequence[str]) -> str:
    """What is taken back, in words: a few changes by their names and what they did."""
    few = len(names) <= _FEW
    what = ", ".join(names)
    if task.which or not few:
        what = f"{counted(len(names), 'change')} {task.which}".rstrip()
    said = ", ".join(one.message.headline for one in task.targets)
    return f"{what} ({said})" if few else what


def _told_reason(targets: Sequence[Commit]) -> str:
    rows = (
        f"- {one.name} of {one.time:%Y-%m-%d %H:%M}, made by {one.actor}: {one.message.headline}"
        for one in targets
    )
    return "\n".join(("Takes back:", *few(rows, _MOST_TOLD, "- and {} more")))


def _meant(workspace: Workspace, task: _Task) -> tuple[Commit, ...]:
    """The changes that a task is about; for a redo, those that the undo had taken back."""
    if task.verb != REDO:
        return task.targets
    try:
        oids = [revision(workspace, name) for name in task.targets[0].message.evidence]
    except NotFoundError:
        # A commit may be gone, for instance after a rebase. The undo still describes it.
        return task.targets
    return tuple(map(workspace.git.commit, oids)) or task.targets
