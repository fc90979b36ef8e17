"""The git store as the rest of clawgit sees it: read at any revision, write by transactions."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from pathlib import Path

from clawgit.core.errors import BusyError
from clawgit.core.layout import EVERYTHING, Scope
from clawgit.git import recovery, transaction
from clawgit.git.commit_rules import NO_RULES, Rules
from clawgit.git.dirt import Dirt, refuse_conflicts, refuse_mass_deletion, scan
from clawgit.git.gitindex import Blob
from clawgit.git.lock import may_need_recovery, workspace_lock
from clawgit.git.looked import FOLLOWED, LOOKED, PARKED, QUIET, REJECTED, WAITING, advance, noted
from clawgit.git.objects import blob_at, changed_paths, commit_value, files_of, is_link
from clawgit.git.place import RepoPlace
from clawgit.git.repo import Repo, merged, new_id, storage_errors
from clawgit.git.rules.actors import SNAPSHOT, UNKNOWN, Actor
from clawgit.git.rules.history import FOLLOW, FORGET, Commit, Intent
from clawgit.git.transaction import Change, Edit, Transaction, diff_of
from clawgit.git.worktree import leads_away

LOCK_TIMEOUT = 30.0
"""Seconds to wait for another clawgit: longer than any transaction, shorter than a user waits."""

_PATIENCE = 2.0
"""Seconds that `close` waits at most: the next command can do the same work."""

_LOOKS = 3
"""How often `close` looks at a file to which an editor keeps writing."""


class GitStore(Repo):
    """One workspace's repository, written by transactions; `close` waits until displaced files may
    go.
    """

    def __init__(
        self,
        place: RepoPlace,
        env: Mapping[str, str],
        *,
        rules: Rules = NO_RULES,
        scope: Scope = EVERYTHING,
        seam: Callable[[str], object] = str,
        lock_timeout: float = LOCK_TIMEOUT,
        signer: Callable[[bytes], str] | None = None,
        trusted_filters: frozenset[str] = frozenset(),
        follow: Callable[[], object] | None = None,
    ) -> None:
        with storage_errors():
            super().__init__(place, env, seam, signer, trusted_filters, scope)
        self._rules = rules
        self._lock_timeout = lock_timeout
        self._follow = follow
        self._now: datetime | None = None

    # reading

    def read(self, rev: str | None, path: str) -> bytes | None:
        """The file at a path of a commit, as git stores it; None if there is none."""
        return self.data(self.blob_at(rev, path))

    def links(self, revs: Iterable[str], paths: Iterable[str]) -> frozenset[str]:
        """Those of the paths at which one of the commits has a link or a submodule."""
        trees, paths = [*map(self.tree, revs)], [*paths]
        return frozenset(path for path in paths for tree in trees if is_link(tree, path))

    def files(self, rev: str) -> list[str]:
        tree = self.tree(rev)
        return [] if tree is None else [*files_of(tree)]

    def commit(self, oid: str) -> Commit:
        return commit_value(self.raw_commit(oid))

    def changed_paths(self, old: str | None, new: str | None) -> list[str]:
        """The files that differ between two commits; None is the empty history."""
        return changed_paths(self.tree(old), self.tree(new))

    def differences(
        self, old: str | None, new: str | None
    ) -> Iterator[tuple[str, tuple[bytes | None, bytes | None]]]:
        """Each file that differs between two commits, before and after; one at a time."""
        trees = self.tree(old), self.tree(new)
        for path in changed_paths(*trees):
            before, after = (self.data(blob_at(tree, path)) for tree in trees)
            yield path, (before, after)

    def dirt(self) -> Dirt:
        """What differs from HEAD right now."""
        return scan(self.git, self.scope)

    def has(self, oid: str) -> bool:
        """Whether an object exists here."""
        return oid in self.raw

    # writing

    @contextmanager
    def transaction(
        self, intent: Intent, now: datetime, *, dry_run: bool = False, parkable: bool = False
    ) -> Iterator[Transaction]:
        """Edits in the block become one commit when it ends; `tx.outcome` then says which.

        `dry_run` lets the block see what it would edit, and writes nothing. With `parkable` the
        change is parked while no branch may be moved. What the rules hold back becomes a proposal.
        """
        if not dry_run and intent.verb != FOLLOW:
            self._follow_merges()
        # The lock covers reading and writing: no clawgit changes what the block reads before its
        # edits have landed. Edits of other programs are merged.
        with self._locked(intent.verb):
            with storage_errors():
                # Recovery before the first read: the body must see a crash's change complete, not
                # half of it.
                busy = self._busy_or_ready(now, parkable=parkable)
                tx = Transaction(self, self.head(), from_head=busy)
            yield tx
            self.seam("edited")
            # Repaired before it is judged: the rules judge what we write. What somebody saves
            # meanwhile is merged in below, and is not ours to refuse.
            for path, data in self._rules.mend(intent, tx.changes).items():
                tx.put(path, data)
            judgement = self._rules.judge(intent, tx.changes)
            # After repairing and judging, so that a dry run reports what the real one would refuse.
            if dry_run:
                tx.outcome = Change(
                    changed=tuple(sorted(tx.changes)),
                    dry_run=True,
                    preview=diff_of(tx.edits.values()),
                    held=judgement.held,
                    warnings=judgement.warnings,
                )
                return
            with storage_errors():
                # Held before parked: a parked change lands automatically, and this one must not.
                if judgement.held:
                    outcome = self._keep(tx, intent, now, judgement.held)
                elif busy:
                    outcome = self._park(tx, intent, now)
                else:
                    edits = tx.edits.values()
                    outcome, _ = transaction.commit(
                        self, edits, intent, now, self._rules, joins=tx.joins
                    )
                # What a branch brings in was not judged here: the next look at commits reads it.
                if not tx.joins:
                    self._note_looked(tx.head.oid, outcome)
            if not judgement.held:
                self._rules.landed(intent, tx.changes)
            tx.outcome = outcome._replace(warnings=judgement.warnings)

    def snapshot(
        self,
        now: datetime,
        *,
        note: str = "",
        actor: Actor = UNKNOWN,
        accept_deletions: bool = False,
        dry_run: bool = False,
    ) -> tuple[Change, Dirt]:
        """Commits everything that others changed, attributed.

        With a `note`, edits of an unknown author count as `actor`'s.
        """
        if not dry_run:
            self._follow_merges()
        with storage_errors(), self._locked(SNAPSHOT):
            self._busy_or_ready(now, parkable=False)
            # After recovery, or what a crash left half done would be committed as somebody's edit.
            mark = self.index.mark()
            dirt = scan(self.git, self.scope)
            refuse_conflicts(dirt.conflicted)
            if not accept_deletions:
                refuse_mass_deletion(self.git, dirt, self.scope)
            if dirt.unstaged and not dry_run:
                self.index.put_back(dirt.unstaged, mark)
            if dry_run or not dirt.paths:
                return Change(changed=dirt.paths), dirt
            verb = transaction.ACCEPT_DELETIONS if accept_deletions else SNAPSHOT
            intent = Intent(actor=actor, verb=verb, summary="", reason=note)
            before = self.tip
            outcome, withheld = transaction.commit(
                self, (), intent, now, self._rules, more=dirt.paths, sweep=True
            )
            self._note_looked(before, outcome)
            return outcome, dirt.without(withheld)

    def _keep(self, tx: Transaction, intent: Intent, now: datetime, why: tuple[str, ...]) -> Change:
        """Stores a change as a proposal; its alerts say why it is held."""
        changed = [edit for edit in tx.edits.values() if edit.before != edit.after]
        if not changed:
            return Change()
        self.refuse_when_busy()
        # What others changed is committed first, as before any change of ours: the proposal is
        # based on their text, so that approving it later takes nothing of theirs back.
        paths = tuple(edit.path for edit in changed)
        snapshot, _ = transaction.commit(
            self, (), transaction.OF_OTHERS, now, self._rules, more=paths
        )
        head, ident = self.tip, new_id()
        blobs = {edit.path: self._proposed(head, edit) for edit in changed}
        tip = self.commit_on(head, blobs, intent._replace(alerts=why), now, ident)
        self.set_ref(f"{WAITING}{ident}", tip)
        return snapshot._replace(commit=None, id=ident, changed=paths, held=why)

    def _proposed(self, head: str | None, edit: Edit) -> Blob | None:
        """The proposed file. If the file changed since it was read, the edit is merged into it."""
        current = self.blob_at(head, edit.path)
        after = merged(edit.before, edit.after, self.data(current), again=False)
        return self.store_blob(after, current.mode if current else edit.mode)

    def _park(self, tx: Transaction, intent: Intent, now: datetime) -> Change:
        """Stores a change as a commit under a ref of ours, until a branch may be moved again.

        It is not committed on a detached HEAD: after the next checkout only the reflog would have
        it, and that expires. Its parent is the HEAD that the edits were made on. HEAD may have
        moved since; a commit on the newer one would take back what came in with it.
        """
        changed = [edit for edit in tx.edits.values() if edit.before != edit.after]
        if not changed:
            return Change()
        ident, leaks = new_id(), self._rules.leaks
        blobs = {edit.path: self.store_blob(edit.after, edit.mode) for edit in changed}
        found = [leak for edit in changed for leak in leaks(edit.path, edit.before, edit.after)]
        warned = intent._replace(alerts=(*intent.alerts, *found))
        tip = self.commit_on(tx.head.oid, blobs, warned, now, ident)
        self.set_ref(f"{PARKED}{self.place.worktree}/{time.time_ns()}-{ident}", tip)
        return Change(None, ident, tuple(sorted(blobs)), parked=True)

    def reject(self, name: str, tip: str, intent: Intent, now: datetime) -> str:
        """Moves a proposal to the rejected ones, below a commit with the reason; both stay
        reachable.
        """
        with storage_errors(), self._locked(intent.verb):
            rejection = self.commit_on(tip, {}, intent, now)
            # The new ref before the old one is deleted: after a kill -9 in between it has both, and
            # can be rejected again. The other way round `git gc` could delete it.
            self.set_ref(f"{REJECTED}{name}", rejection)
            self.delete_ref(f"{WAITING}{name}")
            return rejection

    def heal(self, now: datetime) -> bool:
        """Finishes what a crash cut off; does nothing if the workspace or git is busy."""
        if not may_need_recovery(self.place):
            return False
        try:
            # Without waiting: the caller may only want to read, and a transaction recovers in any
            # case before its first step.
            with storage_errors(), workspace_lock(self._lock_file, "recovery", 0):
                return self._recover(now)
        except BusyError:
            return False

    @contextmanager
    def alone(self, now: datetime) -> Iterator[Repo]:
        """The repository, after recovery, while no other clawgit writes: to forget."""
        with storage_errors(), self._locked(FORGET):
            self._busy_or_ready(now, parkable=False)
            yield self

    def close(self) -> None:
        """Waits until displaced files may go, and gives back what the repository holds."""
        try:
            self._wait_out()
        finally:
            super().close()

    def _wait_out(self) -> None:
        """Waits out the moment in which an editor may still write to a file that we replaced.

        If others keep the workspace busy, the next command looks instead.
        """
        if self._now is None:
            return
        held = self.placer.held
        waiting = held.tokens()
        for _ in range(_LOOKS):
            if not waiting:
                return
            # The wait is without the lock, so that others can write. Each of them checks what is
            # old enough, so mostly nothing is left for us.
            held.wait(waiting)
            waiting &= held.tokens()
            if not waiting or not self._looked_again(self._now):
                return
            waiting &= held.tokens()

    def _looked_again(self, now: datetime) -> bool:
        """Looks at the held files that are old enough; False if the workspace is busy."""
        timeout = min(self._lock_timeout, _PATIENCE)
        try:
            with storage_errors(), workspace_lock(self._lock_file, "second look", timeout):
                self.refuse_when_busy()
                recovery.settle(self, now, wait=False)
                self.placer.held.sweep()
        except BusyError:
            return False
        return True

    @property
    def _lock_file(self) -> Path:
        return self.place.private / "lock"

    def _locked(self, purpose: str) -> AbstractContextManager[None]:
        return workspace_lock(self._lock_file, purpose, self._lock_timeout)

    def _follow_merges(self) -> None:
        """Follows up the merges since the last time, whoever made them.

        Before the lock, since it is a transaction of its own.
        """
        head = self.tip
        if self._follow and head and noted(self.place, FOLLOWED) != head and not self.pause():
            with storage_errors():
                self._follow()

    def _busy_or_ready(self, now: datetime, *, parkable: bool) -> bool:
        """Recovers; True if no branch may be moved, and the change must be parked."""
        self.seam("locked")
        try:
            self._recover(now)
        except BusyError:
            if not parkable:
                raise
            return True
        return False

    def _recover(self, now: datetime) -> bool:
        """Finishes what a crash cut off, before anything else is done; the order matters."""
        # 1. What a dead process of ours took out of a file is put back, while its index.lock still
        #    stops git: a `git commit -a` would remove it from history too. Not during a rebase,
        #    when git writes the files.
        if self.pause() is None:
            self.placer.bring_back()
        # 2. Its locks go, even if git is busy: they would keep the user's git from finishing the
        #    very rebase that we wait for.
        recovery.clear_locks(self)
        # 3. All else moves the branch, and waits until it may be moved.
        self.refuse_when_busy()
        self._now = now
        # 4. The interrupted change before parked ones: it may have files on disk already.
        recovered = recovery.recover(self, now)
        for stranded in recovery.parked(self):
            self._apply_parked(stranded, now)
            recovered = True
        return recovered

    def _note_looked(self, before: str | None, outcome: Change) -> None:
        """Our own commits were judged before they were made: nobody looks at them again. The edits
        of others in a snapshot were not.
        """
        made = [self.commit(oid) for oid in (*outcome.snapshots, outcome.commit) if oid]
        is_quiet = not any(one.message.alerts for one in made)
        looked = () if outcome.snapshots else (LOOKED,)
        notes = (*looked, FOLLOWED, *((QUIET,) if is_quiet else ()))
        advance(self.place, before, made, notes)

    def _apply_parked(self, stranded: recovery.Stranded, now: datetime) -> None:
        # What others changed in the same files is committed first, as before any change of ours.
        changed = self.changed_paths(self.commit(stranded.tip).first_parent, stranded.tip)
        paths = tuple(path for path in changed if not leads_away(path))
        transaction.commit(self, (), transaction.OF_OTHERS, now, self._rules, more=paths)
        recovery.roll_forward(self, stranded, now)
