"""The one way to write: an edit of some files, made in memory, that becomes exactly one commit or
nothing at all.
"""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NamedTuple

from clawgit.domain.change.actors import UNKNOWN, Actor
from clawgit.domain.change.history import Intent, change_id
from clawgit.domain.change.merge import merge_files
from clawgit.errors import BusyError, PathRefusedError
from clawgit.stores.git.dirt import Skipped, refuse_conflicts, refuse_mass_deletion, scan
from clawgit.stores.git.foreign import Group, Look, follow, foreign_groups, look
from clawgit.stores.git.gitindex import Blob, Staged
from clawgit.stores.git.landing import Plan, PlanOutdatedError, journal_ref, land
from clawgit.stores.git.placing import Write
from clawgit.stores.git.recovery import Stranded, parked_prefix, roll_forward
from clawgit.stores.git.repo import Head, RefMovedError, Repo, storage_errors
from clawgit.stores.git.rules import Alarm, Changes, Derived, Pending, Rules
from clawgit.stores.git.worktree import FileState, refuse_unwritable, relative_path

_ATTEMPTS = 8

OwnChanges = dict[str, tuple[bytes | None, int]]
"""Path → what we put there, and its mode."""

ACCEPT_DELETIONS = "accept-deletions"
"""The verb of a snapshot whose operator has seen that most files are gone, and means it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a transaction did. `commit` is None where nothing had to change, or where the change is
    parked or `held` (the reasons): then it waits as the proposal `id`. `withheld` are new files of
    others that hold a secret.
    """

    commit: str | None = None
    id: str | None = None
    changed: tuple[str, ...] = ()
    snapshots: tuple[str, ...] = ()
    alerts: tuple[str, ...] = ()
    parked: bool = False
    held: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    withheld: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True)
class Edit:
    """One file's change: from what was read to what it shall be, both as git keeps them; None is no
    file.
    """

    path: str
    before: bytes | None
    after: bytes | None
    mode: int = 0o100644


@dataclass(slots=True)
class Transaction:
    """Collects edits. Nothing is written before the block ends well; an exception in it writes
    nothing.
    """

    repo: Repo
    head: Head
    from_head: bool = False
    edits: dict[str, Edit] = field(default_factory=dict)
    outcome: Outcome = field(default_factory=Outcome)

    def read(self, path: str) -> bytes | None:
        """What the file holds now (with what this transaction has put); None where there is no
        file.
        """
        return self._edit(path).after

    def read_text(self, path: str) -> str | None:
        data = self.read(path)
        try:
            return None if data is None else data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise PathRefusedError(
                f"{path} is not UTF-8 (byte {error.start}).",
                hint=f"Convert it: iconv -t UTF-8 '{path}'",
            ) from error

    def put(self, path: str, text: str | bytes) -> None:
        data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
        self._change(path, data)

    def delete(self, path: str) -> None:
        self._change(path, None)

    @property
    def changes(self) -> Changes:
        """What the transaction would change, so far."""
        changed = (edit for edit in self.edits.values() if edit.before != edit.after)
        return {edit.path: (edit.before, edit.after) for edit in changed}

    def _change(self, path: str, data: bytes | None) -> None:
        edit = self._edit(path)
        if data != edit.after:
            refuse_unwritable(self.repo.place.root, edit.path)
            self.repo.refuse_filtered(edit.path)
        self.edits[edit.path] = Edit(edit.path, edit.before, data, edit.mode)

    def _edit(self, path: str) -> Edit:
        path = relative_path(self.repo.place.root, path)
        if path not in self.edits:
            _refuse_outside(self.repo, path)
            with storage_errors():
                found = _first_look(self.repo, self.head, path, from_head=self.from_head)
            self.edits[path] = Edit(path, found.data, found.data, found.raw.mode or 0o100644)
        return self.edits[path]


def _refuse_outside(repo: Repo, path: str) -> None:
    """A file that is not clawgit's is not even read: what follows from it would be."""
    if not repo.scope.covers(path):
        raise PathRefusedError(
            f"{path} is outside of the scope: clawgit neither reads nor writes it here.",
            hint="`clawgit config get scope` shows what is inside; the operator widens it with "
            "`clawgit config set`.",
        )


def commit(
    repo: Repo, edits: Iterable[Edit], intent: Intent, now: datetime, rules: Rules, *,
        more: tuple[str, ...] = (),
    sweep: bool = False,
) -> Outcome:  # fmt: skip
    """Lands the edits as one commit, after a commit for what others changed in the same files (and
    in `more`). In a `sweep` nobody asked for just these files: new ones that hold a secret are left
    uncommitted.
    """
    wanted = [edit for edit in edits if edit.before != edit.after]
    ident = change_id(secrets.randbits(32))
    for _ in range(_ATTEMPTS):
        # Asked each time: what outdated the plan may have been a checkout, or a rebase.
        repo.refuse_when_busy()
        plan, outcome = _build(repo, wanted, intent, ident, now, rules, more, sweep=sweep)
        if plan is None:
            return outcome
        try:
            land(repo, plan)
        except PlanOutdatedError:
            continue
        except RefMovedError:
            tip = roll_forward(repo, Stranded(plan.tip, journal_ref(repo)), now)
            return replace(outcome, commit=tip if outcome.commit else None)
        return outcome
    raise BusyError(
        "HEAD or the index keeps changing; gave up.", hint="Run this again. Nothing was changed."
    )


def park(
    repo: Repo, edits: Iterable[Edit], intent: Intent, now: datetime, rules: Rules, *, head: Head
) -> Outcome:
    """Keeps a change as a commit beside HEAD, by a reference of ours, until a branch may be moved
    again. Not on a detached HEAD itself: the next checkout would leave it to the reflog, and git
    forgets that after a while.

    `head` is the one that the edits were made on. HEAD may have moved since; on a newer one, the
    commit would take out what that has brought.
    """
    wanted = [edit for edit in edits if edit.before != edit.after]
    if not wanted:
        return Outcome()
    ident = change_id(secrets.randbits(32))
    changes = {edit.path: repo.store_blob(edit.after, edit.mode) for edit in wanted}
    intent = _warned(
        intent,
        [leak for edit in wanted for leak in rules.leaks(edit.path, edit.before, edit.after)],
    )
    tip = repo.commit_on(head.oid, changes, intent, now, ident)
    repo.set_ref(f"{parked_prefix(repo)}{ident}", tip)
    return Outcome(None, ident, tuple(sorted(changes)), parked=True)


class _Foreign(NamedTuple):
    """What others changed, as commits on HEAD: the last of them, and what git's index shall hold of
    it.
    """

    tip: str | None
    commits: tuple[str, ...]
    blobs: dict[str, Blob | None]
    alerts: tuple[str, ...]


def _build(
    repo: Repo, wanted: list[Edit], intent: Intent, ident: str, now: datetime, rules: Rules,
        more: tuple[str, ...],
    *, sweep: bool,
) -> tuple[Plan | None, Outcome]:  # fmt: skip
    """Looks at everything again, and builds the commits: nothing but new objects is written.

    The order matters. HEAD is read before the index and the files: what changes in between makes
    the plan outdated, and is noticed under git's own lock. Commits of others come before ours, so
    that undoing ours leaves theirs. What derives from our change is made last: it tells of all that
    comes before it.
    """
    head = repo.head()
    derived = _derived_from(wanted, rules)
    touched = frozenset([*(edit.path for edit in wanted), *(one.path for one in derived)])
    paths = sorted(touched | set(more))
    staged = repo.index.read(paths)
    refuse_conflicts(staged.conflicted)
    sparse = repo.left_out(staged)
    looks = _look_at(repo, head, paths, touched, sparse)
    if intent.verb != ACCEPT_DELETIONS:
        _refuse_disaster(repo, looks)
    withheld = _withheld(repo, looks, staged, rules) if sweep else ()
    left = {one.path for one in withheld}
    looks = {path: one for path, one in looks.items() if path not in left}
    repo.seam("looked")

    alarm = _alarm(rules, intent.actor if intent.reason and not wanted else UNKNOWN)
    groups = foreign_groups(repo, looks.values(), staged, touched, alarm)
    if not wanted:
        groups = [group._replace(intent=_told(group.intent, intent)) for group in groups]
    foreign = _foreign_commits(repo, head.oid, groups, now)

    own = _own_changes(wanted, looks)
    leaks = [
        leak
        for path, (after, _) in own.items()
        for leak in rules.leaks(path, looks[path].data, after)
    ]
    intent = _warned(intent, leaks)
    if own and derived:
        files = {path: (looks[path].data, after) for path, (after, _) in own.items()}
        own = _with_derived(derived, Pending(foreign.tip, ident, intent, now, files), own, looks)
    blobs = {
        path: repo.store_blob(after, looks[path].raw.mode or mode)
        for path, (after, mode) in own.items()
    }
    tip = repo.commit_on(foreign.tip, blobs, intent, now, ident) if own else foreign.tip
    if tip is None or tip == head.oid:
        return None, Outcome(withheld=withheld)
    repo.seam("built")

    writes = _writes(repo, own, looks, sparse)
    note = f"clawgit: {intent.actor.slug}/{intent.verb}"
    plan = Plan(head, tip, writes, foreign.blobs | blobs, sparse, staged.mark, note)
    outcome = Outcome(
        tip if own else None, ident if own else None, tuple(sorted(own)), foreign.commits,
            (*foreign.alerts, *leaks),
        withheld=withheld,
    )  # fmt: skip
    return plan, outcome


def _refuse_disaster(repo: Repo, looks: dict[str, Look]) -> None:
    """All files are looked at only where one of ours is gone: mostly none is."""
    if any(one.head is not None and one.data is None for one in looks.values()):
        refuse_mass_deletion(repo.git, scan(repo.git, repo.scope), repo.scope)


def _foreign_commits(repo: Repo, head: str | None, groups: list[Group], now: datetime) -> _Foreign:
    """One commit for each group, the one on the other."""
    tip, commits, alerts = head, list[str](), list[str]()
    blobs: dict[str, Blob | None] = {}
    for group in groups:
        tip = repo.commit_on(tip, group.changes, group.intent, now)
        commits.append(tip)
        blobs.update(group.changes)
        alerts += group.intent.alerts
    return _Foreign(tip, tuple(commits), blobs, tuple(alerts))


def _writes(
    repo: Repo, own: OwnChanges, looks: dict[str, Look], sparse: frozenset[str]
) -> tuple[Write, ...]:
    """What goes to the disk: our own change alone. What others changed is there, and a sparse file
    shall not be.
    """
    return tuple(
        Write(path, looks[path].raw.data, repo.smudge(path, after), mode)
        for path, (after, mode) in sorted(own.items())
        if path not in sparse
    )


def _look_at(
    repo: Repo, head: Head, paths: list[str], touched: frozenset[str], sparse: frozenset[str]
) -> dict[str, Look]:
    tree = repo.tree(head.oid)
    looks = {}
    for path in paths:
        see = look if path in touched else follow
        looks[path] = _sparse_look(repo, head, path) if path in sparse else see(repo, tree, path)
    return looks


def _withheld(
    repo: Repo, looks: dict[str, Look], staged: Staged, rules: Rules
) -> tuple[Skipped, ...]:
    """The new files that hold a secret. They stay on disk, and staged where they were, so nothing
    of them is lost.
    """
    found: list[Skipped] = []
    for path, one in looks.items():
        entry = staged.entries.get(path)
        texts = (one.data, repo.data(entry.blob) if entry else None) if one.head is None else ()
        leaks = [
            leak for text in texts if text is not None for leak in rules.leaks(path, None, text)
        ]
        found += [Skipped(path, leaks[0])] if leaks else []
    return tuple(found)


def _warned(intent: Intent, leaks: list[str]) -> Intent:
    return replace(intent, alerts=(*intent.alerts, *leaks)) if leaks else intent


def _told(found: Intent, asked: Intent) -> Intent:
    """A snapshot whose caller says what the edits are: that is the reason, and who wrote them is no
    longer unknown.
    """
    if not asked.reason:
        return found
    return replace(
        found, reason=asked.reason, actor=asked.actor if found.actor == UNKNOWN else found.actor
    )


def _alarm(rules: Rules, claimed: Actor) -> Alarm:
    """What rings at a foreign edit; one of which nothing tells who made it is that of the caller
    who claims it.
    """
    return lambda path, before, after, actor: (
        *rules.alarm(path, before, after, claimed if actor == UNKNOWN else actor),
        *rules.leaks(path, before, after),
    )


def _own_changes(wanted: list[Edit], looks: dict[str, Look]) -> OwnChanges:
    """What we change, on top of what lies there now: an edit made on an older text is merged by
    entries.
    """
    own: OwnChanges = {}
    for edit in wanted:
        now_there = looks[edit.path].data
        after = edit.after
        if now_there != edit.before:
            after = merge_files(edit.before, edit.after, now_there, keep_both=True).data
        if after != now_there:
            own[edit.path] = (after, looks[edit.path].raw.mode or edit.mode)
    return own


def _derived_from(wanted: list[Edit], rules: Rules) -> list[Derived]:
    """The files that follow from what shall change."""
    paths = {edit.path for edit in wanted}
    return [one for one in rules.derived if not paths.isdisjoint((one.path, *one.sources))]


def _with_derived(
    derived: list[Derived], pending: Pending, own: OwnChanges, looks: dict[str, Look]
) -> OwnChanges:
    """Our changes with the files that follow from them. Only now is it known what those follow
    from: the change, and the commits of others that come before it.
    """
    made = dict(own)
    for one in derived:
        there = looks[one.path]
        found, mode = made.pop(one.path, (there.data, there.raw.mode or 0o100644))
        text = one.text(pending, found)
        if text != there.data:
            made[one.path] = text, mode
    return made


def _first_look(repo: Repo, head: Head, path: str, *, from_head: bool) -> Look:
    found = look(repo, repo.tree(head.oid), path)
    if from_head or (found.head is not None and found.data is None and _left_out(repo, path)):
        return _sparse_look(repo, head, path)
    return found


def _sparse_look(repo: Repo, head: Head, path: str) -> Look:
    """A file that the disk does not show, or must not be asked for: HEAD's text stands for it."""
    blob = repo.blob_at(head.oid, path)
    data = repo.data(blob)
    return Look(path, blob, FileState(data, blob.mode if blob else 0), data, sparse=True)


def _left_out(repo: Repo, path: str) -> bool:
    entry = repo.index.read([path]).entries.get(path)
    return entry is not None and entry.sparse
