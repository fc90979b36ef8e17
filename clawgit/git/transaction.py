"""The one way to write: edits of some files, made in memory, become one commit or nothing at all.

`commit` builds a plan (`_build`) and lands it (`landing.land`). What each step protects, and what a
crash between two steps leaves, is said at the step.
"""

from collections.abc import Iterable
from datetime import datetime
from functools import cache

from clawgit.core import NamedTuple
from clawgit.core.doors import difflib
from clawgit.core.errors import BusyError, PathRefusedError
from clawgit.core.markdown.decoding import exact_bytes, how_to_convert, text_of
from clawgit.git.commit_rules import Changes, Derived, PendingChange, Rules
from clawgit.git.dirt import SkippedChange, refuse_conflicts, refuse_mass_deletion, scan
from clawgit.git.foreign import (
    PLAIN_FILE,
    ForeignGroup,
    Look,
    OwnChanges,
    before_and_after,
    first_look,
    followed,
    foreign_groups,
    look_at_all,
    refuse_edited,
    with_derived,
)
from clawgit.git.gitindex import Blob, IndexEntries
from clawgit.git.landing import LandingPlan, PlanOutdatedError, goal_of, land, meeting
from clawgit.git.objects import write_tree
from clawgit.git.placing import Write
from clawgit.git.recovery import Stranded, roll_forward
from clawgit.git.repo import Head, RefMovedError, Repo, merged, new_id, storage_errors
from clawgit.git.rules.actors import SNAPSHOT, UNKNOWN
from clawgit.git.rules.history import RESTORE, Intent
from clawgit.git.worktree import refuse_unwritable, relative_path
from clawgit.safety.rules.visible import inline

_ATTEMPTS = 8
"""How often a plan is made again if HEAD or the index has moved."""

OF_OTHERS = Intent(UNKNOWN, SNAPSHOT, "")
"""Why a commit has only what others changed; each of them is named in a commit of its own."""

ACCEPT_DELETIONS = "accept-deletions"
"""The verb of a snapshot by an operator who accepts that most files are gone."""


class Change(NamedTuple):
    """What a writing command did.

    `commit` is None if nothing had to change, and in a dry run; `preview` is then the diff.
    `parked`: git is busy, and the change is applied afterwards.
    """

    commit: str | None = None
    id: str | None = None
    changed: tuple[str, ...] = ()
    snapshots: tuple[str, ...] = ()
    alerts: tuple[str, ...] = ()
    parked: bool = False
    dry_run: bool = False
    preview: str = ""
    of: str = ""
    """What it was done to, as a user names it: an undone change, a conflict."""
    held: tuple[str, ...] = ()
    """Why the change waits for the operator, as the proposal `id`."""
    warnings: tuple[str, ...] = ()
    note: str = ""
    """How what was done differs from what was asked for, if it does."""


class Edit(NamedTuple):
    """One file's change, before and after, both as git stores them; None is no file.

    An existing file keeps its mode, except with `chmod`.
    """

    path: str
    before: bytes | None
    after: bytes | None
    mode: int = PLAIN_FILE
    chmod: bool = False


def diff_of(edits: Iterable[Edit]) -> str:
    """The edits of a transaction as a unified diff."""
    parts: list[str] = []
    for edit in sorted(edits, key=lambda one: one.path):
        # A newline in a name would make lines of a diff that no file has.
        name = inline(edit.path)
        (old, a), (new, b) = _side(edit.before, f"a/{name}"), _side(edit.after, f"b/{name}")
        if edit.before != edit.after:
            parts += difflib.unified_diff(old, new, a, b)
    return "".join(
        line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in parts
    )


def _side(data: bytes | None, name: str) -> tuple[list[str], str]:
    """The lines of a side, and its name in a diff."""
    if data is None:
        return [], "/dev/null"
    return text_of(data).splitlines(keepends=True), name


class Transaction:
    """Collects edits in memory. They are written when the block ends; an exception writes none."""

    def __init__(self, repo: Repo, head: Head, *, from_head: bool = False) -> None:
        self.repo = repo
        self.head = head
        self.from_head = from_head
        self.edits: dict[str, Edit] = {}
        self.outcome = Change()
        self.joins = ""
        """The commit of another branch that the change brings in."""

    def read(self, path: str) -> bytes | None:
        """The file with the edits of this transaction; None if there is no file."""
        return self._edit(path).after

    def read_text(self, path: str) -> str:
        """Its text, "" if there is no file."""
        try:
            return (self.read(path) or b"").decode("utf-8")
        except UnicodeDecodeError as error:
            why = f"{path} is not UTF-8 (byte {error.start})."
            raise PathRefusedError(why, hint=how_to_convert(path, error.object)) from error

    def put(self, path: str, text: str | bytes | None) -> None:
        """Writes a file; None deletes it."""
        data = exact_bytes(text) if isinstance(text, str) else text
        edit = self._edit(path)
        if data != edit.after:
            refuse_unwritable(self.repo.place.root, edit.path)
            self.repo.refuse_filtered(edit.path)
        self.edits[edit.path] = Edit(edit.path, edit.before, data, edit.mode)

    def join(self, tip: str, edits: Iterable[Edit]) -> None:
        """Brings another branch in, with all its changes of files, outside of the scope too."""
        self.joins = tip
        self.edits = {edit.path: edit for edit in edits}

    @property
    def changes(self) -> Changes:
        """What the transaction would change, so far."""
        changed = (edit for edit in self.edits.values() if edit.before != edit.after)
        return {edit.path: (edit.before, edit.after) for edit in changed}

    def _edit(self, path: str) -> Edit:
        path = relative_path(self.repo.place.root, path)
        if path not in self.edits:
            _refuse_outside(self.repo, path)
            with storage_errors():
                look = first_look(self.repo, self.head, path, from_head=self.from_head)
            self.edits[path] = Edit(path, look.data, look.data, look.raw.mode or PLAIN_FILE)
        return self.edits[path]


def _refuse_outside(repo: Repo, path: str) -> None:
    """Refuses a file outside the scope.

    It is not even read, since its text could get into a commit.
    """
    if not repo.scope.covers(path):
        raise PathRefusedError(
            f"{path} is outside the scope: clawgit neither reads nor writes it here.",
            hint="`clawgit config get scope` shows what is inside; the operator widens it with "
            "`clawgit config set`.",
        )


class _Request(NamedTuple):
    """One call of `commit`: what to change, by whom, and why."""

    edits: tuple[Edit, ...]
    intent: Intent
    ident: str
    now: datetime
    rules: Rules
    more: tuple[str, ...]
    sweep: bool
    joins: str

    def derived(self) -> list[Derived]:
        """The derived files whose sources change here, or were changed by others.

        If a branch is brought in, they are made from the joined history, by a commit of their own.
        """
        if self.joins:
            return []
        paths = {edit.path for edit in self.edits} or {*self.more}
        return [
            file
            for file in self.rules.derived
            if file.path in paths or not paths.isdisjoint(file.sources)
        ]


class _Survey(NamedTuple):
    """HEAD, git's index and the files as read: everything that a plan is made from."""

    head: Head
    staged: IndexEntries
    looks: dict[str, Look]
    touched: frozenset[str]
    """The paths that our own change may write."""
    withheld: tuple[SkippedChange, ...]


class _Foreign(NamedTuple):
    """What others changed, as commits on HEAD: the last one, and git's index entries for it."""

    tip: str | None
    commits: tuple[str, ...]
    blobs: dict[str, Blob | None]
    alerts: tuple[str, ...]
    followed: OwnChanges
    """The derived files that are updated in the last of these commits."""


def commit(
    repo: Repo,
    edits: Iterable[Edit],
    intent: Intent,
    now: datetime,
    rules: Rules,
    *,
    more: tuple[str, ...] = (),
    sweep: bool = False,
    joins: str = "",
) -> tuple[Change, tuple[SkippedChange, ...]]:
    """Lands the edits as one commit, after commits for what others changed in the same files.

    `more` names further files whose foreign changes are committed too. In a `sweep` nobody asked
    for these files, so new ones with a secret stay uncommitted, and are told of.
    """
    ident = new_id()
    # A new file is checked twice: whether to commit it, and for alerts.
    rules = rules._replace(leaks=cache(rules.leaks))
    real = tuple(edit for edit in edits if edit.before != edit.after or edit.chmod)
    request = _Request(real, intent, ident, now, rules, more, sweep, joins)
    for _ in range(_ATTEMPTS):
        # Inside the loop: a checkout or a rebase may be what outdated the last plan.
        repo.refuse_when_busy()
        plan, outcome, withheld = _build(repo, request)
        if plan is None:
            return outcome, withheld
        try:
            land(repo, plan)
        except PlanOutdatedError:
            # Only objects were written yet. Everything is read again, since a plan for another HEAD
            # or index would take back what has changed there.
            continue
        except RefMovedError:
            # A program that does not respect index.lock (`git update-ref`, a push into this branch)
            # moved the branch when our files were on disk already. Taking them back could also
            # remove somebody's edit, so the change is brought onto the new HEAD. The journal still
            # names it, so after a kill -9 here the next command does the same.
            tip = roll_forward(repo, Stranded(plan.journal, repo.journal), now)
            outcome = outcome._replace(commit=tip if outcome.commit else None)
        return outcome, withheld
    raise BusyError(
        "HEAD or the index keeps changing; gave up.", hint="Run this again. Nothing was changed."
    )


def _build(
    repo: Repo, request: _Request
) -> tuple[LandingPlan | None, Change, tuple[SkippedChange, ...]]:
    """Reads everything again and builds the commits, from HEAD to the tip to land.

    Only objects are written, and no ref leads to them: after a kill -9 in here nothing has
    happened, and `git gc` removes them later. No plan if nothing has changed.
    """
    survey = _survey(repo, request)
    repo.seam("looked")
    joins = _still_joins(repo, request, survey)

    # Foreign edits first, each in a commit of its own, and ours on top. In the other order theirs
    # would be in our commit, with our name and reason, and undoing ours would undo theirs.
    foreign = _commit_foreign(repo, survey, _foreign_groups(repo, request, survey), request)

    own, intent, leaks = _ours(request, survey, foreign.tip)
    blobs = _store_blobs(repo, own)
    tip = foreign.tip
    if joins and tip:
        joins = meeting(repo, str(write_tree(repo.objects, repo.tree(tip), blobs)), tip, joins)
    if own or joins:
        tip = repo.commit_on(tip, blobs, intent, request.now, request.ident, joins=joins)
    if tip is None or tip == survey.head.oid:
        return None, Change(), survey.withheld
    repo.seam("built")

    goal = goal_of(repo, tip)
    plan = LandingPlan(
        head=survey.head,
        tip=goal,
        writes=_writes(repo, own or foreign.followed, survey),
        staged=foreign.blobs | blobs,
        index_mark=survey.staged.mark,
        note=f"clawgit: {intent.actor.slug}/{intent.verb}",
        journal=tip,
    )
    outcome = Change(
        commit=goal if own or joins else None,
        id=request.ident if own and not joins else None,
        changed=tuple(sorted(own)),
        snapshots=foreign.commits,
        alerts=(*foreign.alerts, *leaks),
    )
    return plan, outcome, survey.withheld


def _still_joins(repo: Repo, request: _Request, survey: _Survey) -> str:
    """The branch to bring in; "" if somebody has brought it in since, by plain git."""
    if not request.joins:
        return ""
    expected = ((edit.path, edit.before) for edit in request.edits)
    refuse_edited(repo, expected, survey.looks, survey.staged)
    return "" if repo.contains(survey.head.oid, request.joins) else request.joins


def _ours(
    request: _Request, survey: _Survey, tip: str | None
) -> tuple[OwnChanges, Intent, list[str]]:
    """Our own change on top of `tip`: its files, what its commit says, and its alerts."""
    # Ours is merged with what was just found on disk, not with what the caller read: somebody may
    # have saved the file since, and that text is in history by the commits above.
    own = _own_changes(request.edits, survey.looks)
    # What a branch brings in is checked later, like others' commits, since it cannot be refused.
    leaks = [] if request.joins else _leaks(request.rules, own, survey.looks)
    intent = request.intent._replace(alerts=(*request.intent.alerts, *leaks))

    # The derived files come last: CHANGELOG.md lists our change and the commits before it, so it
    # can only be written when those exist and our own text and alerts are final.
    derived = request.derived()
    if own and derived:
        pending = PendingChange(
            tip, request.ident, intent, request.now, before_and_after(own, survey.looks)
        )
        own = with_derived(derived, pending, own, survey.looks)
    return own, intent, leaks


def _survey(repo: Repo, request: _Request) -> _Survey:
    """Reads HEAD, then the index, then the files. The order is what makes a plan safe.

    `land` compares HEAD and the index with what is read here. If the files were read first, a
    checkout in between would not be noticed: the files of the old branch would be compared with the
    HEAD of the new one, and each difference committed there as somebody's edit. Files that change
    after they are read do no harm: those that we write are compared again at the exchange, and the
    others are found by the next snapshot.
    """
    touched = frozenset(
        [*(edit.path for edit in request.edits), *(file.path for file in request.derived())]
    )
    head = repo.head()
    paths = sorted(touched | set(request.more))
    staged = repo.index.read(paths)
    # Before any file is read: with a conflict in the index, files hold conflict markers.
    refuse_conflicts(staged.conflicted)
    looks = look_at_all(repo, head, paths, touched)
    if request.intent.verb != ACCEPT_DELETIONS:
        _refuse_disaster(repo, looks, _brought_back(request))
    withheld = _withheld(repo, looks, staged, request.rules) if request.sweep else ()
    for skipped in withheld:
        del looks[skipped.path]
    return _Survey(head, staged, looks, touched, withheld)


def _refuse_disaster(repo: Repo, looks: dict[str, Look], back: frozenset[str]) -> None:
    """Refuses if most files are gone, apart from those that this change brings back.

    The whole work tree is scanned only if one of our own files is gone: a scan starts C git, and
    mostly nothing is gone.
    """
    if any(look.head is not None and look.data is None for look in looks.values()):
        dirt = scan(repo.git, repo.scope)
        gone = tuple(path for path in dirt.deleted if path not in back)
        refuse_mass_deletion(repo.git, dirt._replace(deleted=gone), repo.scope)


def _brought_back(request: _Request) -> frozenset[str]:
    """The files that a restore brings back. A new text under an old name brings nothing back."""
    if request.intent.verb != RESTORE:
        return frozenset()
    return frozenset(edit.path for edit in request.edits if edit.after is not None)


def _withheld(
    repo: Repo, looks: dict[str, Look], staged: IndexEntries, rules: Rules
) -> tuple[SkippedChange, ...]:
    """The new files with a secret, on disk or as staged.

    They stay on disk, so nothing is lost. A file that HEAD has is committed all the same: the rest
    of it is in history already.
    """
    skipped: list[SkippedChange] = []
    for path, look in looks.items():
        if look.head is not None:
            continue
        texts = (look.data, repo.data(staged.blobs.get(path)))
        leaks = [
            leak for text in texts if text is not None for leak in rules.leaks(path, None, text)
        ]
        if leaks:
            skipped.append(SkippedChange(path, leaks[0]))
    return tuple(skipped)


def _foreign_groups(repo: Repo, request: _Request, survey: _Survey) -> list[ForeignGroup]:
    """What others changed, one group for each commit that is made of it."""
    leaks = request.rules.leaks
    groups = foreign_groups(repo, survey.looks.values(), survey.staged, survey.touched, leaks)
    if request.edits:
        return groups
    return [group._replace(intent=_explained(group.intent, request.intent)) for group in groups]


def _explained(intent: Intent, snapshot: Intent) -> Intent:
    """The intent of a foreign edit, with the message of the snapshot."""
    if not snapshot.reason:
        return intent
    actor = snapshot.actor if intent.actor == UNKNOWN else intent.actor
    # What the caller says is what `log` shows; the files that changed follow it.
    said, _, more = snapshot.reason.strip().partition("\n")
    reason = more.strip() or f"{intent.summary}."
    return intent._replace(summary=said, reason=reason, actor=actor)


def _commit_foreign(
    repo: Repo, survey: _Survey, groups: list[ForeignGroup], request: _Request
) -> _Foreign:
    """One commit for each group, each on the one before."""
    tip = survey.head.oid
    commits: list[str] = []
    alerts: list[str] = []
    blobs: dict[str, Blob | None] = {}
    following: OwnChanges = {}
    for group in groups:
        changes, ident = group.changes, new_id()
        if group is groups[-1] and not request.edits:
            # If we have edits of our own, derived files are updated in their commit.
            pending = PendingChange(tip, ident, group.intent, request.now, {})
            following = followed(repo, request.derived(), survey.looks, pending, group)
            changes = changes | _store_blobs(repo, following)
        tip = repo.commit_on(tip, changes, group.intent, request.now, ident)
        commits.append(tip)
        # A later group wins: the file on disk comes after its staged version.
        blobs.update(changes)
        alerts += group.intent.alerts
    return _Foreign(tip, tuple(commits), blobs, tuple(alerts), following)


def _own_changes(edits: Iterable[Edit], looks: dict[str, Look]) -> OwnChanges:
    """Our changes on top of the current files.

    An edit that was made on an older text is merged by entries with the newer one.
    """
    own: OwnChanges = {}
    for edit in edits:
        look = looks[edit.path]
        after = edit.after
        if look.data != edit.before:
            after = merged(edit.before, edit.after, look.data, again=False)
        mode = edit.mode if edit.chmod else look.raw.mode or edit.mode
        if after != look.data or (edit.chmod and mode != look.raw.mode):
            own[edit.path] = (after, mode)
    return own


def _leaks(rules: Rules, own: OwnChanges, looks: dict[str, Look]) -> list[str]:
    """The secrets that our own change adds; they become alerts of its commit."""
    return [
        leak
        for path, (after, _) in own.items()
        for leak in rules.leaks(path, looks[path].data, after)
    ]


def _store_blobs(repo: Repo, own: OwnChanges) -> dict[str, Blob | None]:
    return {path: repo.store_blob(after, mode) for path, (after, mode) in own.items()}


def _writes(repo: Repo, own: OwnChanges, survey: _Survey) -> tuple[Write, ...]:
    """The files to write: only our own change. What others changed is on disk already."""
    return tuple(
        Write(path, survey.looks[path].raw.data, repo.smudge(path, after), mode)
        for path, (after, mode) in sorted(own.items())
    )
