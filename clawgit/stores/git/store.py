"""The git store as the rest of clawgit sees it: read at any revision, write by transactions."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

from clawgit.domain.change.actors import SNAPSHOT, UNKNOWN, Actor
from clawgit.domain.change.history import Commit, Intent
from clawgit.domain.workspace.scope import EVERYTHING, Scope
from clawgit.errors import BusyError
from clawgit.stores.git import proposals, recovery, transaction
from clawgit.stores.git.dirt import Dirt, Pause, refuse_conflicts, refuse_mass_deletion, scan
from clawgit.stores.git.filters import filtered, why_filtered
from clawgit.stores.git.lock import lock_holder, workspace_lock
from clawgit.stores.git.objects import changed_paths, commit_value, files_of
from clawgit.stores.git.place import RepoPlace
from clawgit.stores.git.repo import Head, Repo, storage_errors
from clawgit.stores.git.rules import NO_RULES, Rules
from clawgit.stores.git.stranded import StrandedCommit
from clawgit.stores.git.transaction import Outcome, Transaction

LOCK_TIMEOUT = 30.0
_PATIENCE = 2.0


def _no_seam(_step: str) -> None:
    """Where a test would stop or kill us."""


class GitStore:
    """One workspace's repository. Open it where it is used; `close` waits until displaced files may
    go.
    """

    def __init__(
        self,
        place: RepoPlace,
        env: Mapping[str, str],
        *,
        rules: Rules = NO_RULES,
        scope: Scope = EVERYTHING,
        seam: Callable[[str], None] = _no_seam,
        lock_timeout: float = LOCK_TIMEOUT,
        signer: Callable[[bytes], str] | None = None,
        trusted_filters: frozenset[str] = frozenset(),
    ) -> None:
        self.place = place
        with storage_errors():
            self._repo = Repo(place, env, seam, signer, trusted_filters, scope)
        self._rules = rules
        self._lock_timeout = lock_timeout
        self._now: datetime | None = None

    # reading

    @property
    def scope(self) -> Scope:
        """The paths that this store looks at and writes to."""
        return self._repo.scope

    def head(self) -> Head:
        return self._repo.head()

    def read(self, rev: str | None, path: str) -> bytes | None:
        """The file at a path of a commit, as git keeps it; None where there is none."""
        return self._repo.data(self._repo.blob_at(rev, path))

    def files(self, rev: str) -> list[str]:
        tree = self._repo.tree(rev)
        return [] if tree is None else [path for path, _ in files_of(self._repo.raw, tree)]

    def commit(self, oid: str) -> Commit:
        return commit_value(self._repo.commit(oid))

    def ever_had(self, paths: Iterable[str]) -> bool:
        """Whether any commit that HEAD reaches touched one of these files."""
        return bool(self._repo.git.run("log", "-1", "--format=%H", "HEAD", "--", *paths))

    def own_refs(self) -> list[str]:
        return [name for name in self._repo.raw.references if name.startswith("refs/clawgit/")]

    def refs_below(self, prefix: str) -> dict[str, str]:
        """Our references whose names begin so, and the commits that they hold."""
        return {
            name: oid
            for name in self.own_refs()
            if name.startswith(prefix) and (oid := self._repo.ref(name))
        }

    def delete_refs(self, names: Iterable[str]) -> None:
        for name in names:
            self._repo.delete_ref(name)

    def changed_paths(self, old: str | None, new: str | None) -> list[str]:
        """The files that differ between two commits; None is the empty history."""
        return changed_paths(self._repo.tree(old), self._repo.tree(new))

    def dirt(self) -> Dirt:
        """What differs from HEAD right now."""
        return scan(self._repo.git, self.scope)

    def untouchable(self, paths: Iterable[str]) -> Mapping[str, str]:
        """Of these paths, those that are neither read nor written, and why: a filter that nobody
        has trusted.
        """
        return {path: why_filtered(name) for path, name in filtered(self._repo.git, paths).items()}

    def pause(self) -> Pause | None:
        """Why no branch may be moved here at the moment; None where all is as usual."""
        return self._repo.pause()

    # writing

    @contextmanager
    def transaction(
        self, intent: Intent, now: datetime, *, dry_run: bool = False, parkable: bool = False
    ) -> Iterator[Transaction]:
        """Edits in the block become one commit when it ends; `tx.outcome` then tells which.
        `dry_run` lets the block see what it would edit and writes nothing. `parkable` keeps the
        change aside while no branch may be moved. What the rules hold back becomes a proposal.
        """
        with self._locked(intent.verb):
            with storage_errors():
                busy = self._busy_or_ready(now, parkable=parkable)
                tx = Transaction(self._repo, self._repo.head(), from_head=busy)
            yield tx
            self._repo.seam("edited")
            for path, data in self._rules.mend(intent, tx.changes).items():
                tx.put(path, data)
            said = self._rules.judge(intent, tx.changes)
            if dry_run:
                tx.outcome = Outcome(
                    changed=tuple(sorted(tx.changes)), held=said.held, warnings=said.warnings
                )
                return
            if said.held:
                write = partial(proposals.keep, why=said.held)
            elif busy:
                write = partial(transaction.park, head=tx.head)
            else:
                write = partial(transaction.commit)
            with storage_errors():
                done = write(self._repo, tx.edits.values(), intent, now, self._rules)
                self._keep_before(done, now)
            tx.outcome = replace(done, warnings=said.warnings)

    def snapshot(
        self, now: datetime, *, note: str = "", actor: Actor = UNKNOWN,
            accept_deletions: bool = False,
        dry_run: bool = False,
    ) -> tuple[Outcome, Dirt]:  # fmt: skip
        """Commits everything that others changed, attributed; with a `note`, what nothing tells is
        `actor`'s.
        """
        with storage_errors(), self._locked(SNAPSHOT):
            self._busy_or_ready(now, parkable=False)
            dirt = scan(self._repo.git, self.scope)
            refuse_conflicts(dirt.conflicted)
            if not accept_deletions:
                refuse_mass_deletion(self._repo.git, dirt, self.scope)
            if dry_run or not dirt.paths:
                return Outcome(changed=dirt.paths), dirt
            verb = transaction.ACCEPT_DELETIONS if accept_deletions else SNAPSHOT
            intent = Intent(actor=actor, verb=verb, summary="", reason=note)
            outcome = transaction.commit(
                self._repo, (), intent, now, self._rules, more=dirt.paths, sweep=True
            )
            return outcome, dirt.without(outcome.withheld)

    def reject(self, name: str, tip: str, intent: Intent, now: datetime) -> str:
        """Lays a proposal aside, with a commit that says why; both stay reachable, and the first is
        its parent.
        """
        with storage_errors(), self._locked(intent.verb):
            return proposals.lay_aside(self._repo, name, tip, intent, now)

    def heal(self, now: datetime) -> bool:
        """Finishes what a crash cut off, if anything; never waits for a lock and never fails for
        being busy.
        """
        if not recovery.needs_recovery(self._repo):
            return False
        try:
            with storage_errors(), workspace_lock(self._lock_file, "recovery", 0):
                return self._recover(now)
        except BusyError:
            return False

    def parked(self) -> list[str]:
        """The changes that wait until HEAD is on a branch and git is in the middle of nothing."""
        return [one.tip for one in recovery.parked(self._repo)]

    def adopt(self, stranded: Iterable[StrandedCommit], now: datetime) -> list[str]:
        """Parks commits of ours that no branch reaches, oldest first; they land at once where HEAD
        is on a branch. Answers with the commits that it took.
        """
        with storage_errors(), self._locked("adopt"):
            adopted = recovery.adopt(self._repo, stranded)
            with suppress(BusyError):  # they are kept now, and land when HEAD is on a branch
                self._recover(now)
            return adopted

    def lock_holder(self) -> str | None:
        return lock_holder(self._lock_file)

    def close(self) -> None:
        """Waits out the moment in which an editor may still write to a file that we replaced. Where
        others keep the workspace busy, the next command looks instead.
        """
        if self._now is None or not self._repo.placer.held:
            return
        try:
            with (
                storage_errors(),
                workspace_lock(self._lock_file, "second look", min(self._lock_timeout, _PATIENCE)),
            ):
                self._repo.refuse_when_busy()
                recovery.settle(self._repo, self._now, wait=True)
        except BusyError:
            return

    @property
    def _lock_file(self) -> Path:
        return self.place.private / "lock"

    def _locked(self, purpose: str) -> AbstractContextManager[None]:
        return workspace_lock(self._lock_file, purpose, self._lock_timeout)

    def _busy_or_ready(self, now: datetime, *, parkable: bool) -> bool:
        """Recovers; then True where no branch may be moved, and the change must be parked."""
        self._repo.seam("locked")
        try:
            self._recover(now)
        except BusyError:
            if not parkable:
                raise
            return True
        return False

    def _recover(self, now: datetime) -> bool:
        """First, and under git's lock, what a dead process of ours took out of a file goes back.
        Then its locks go, even where git is busy: they would keep the user's git from finishing
        what we wait for. All else moves the branch, and waits for that.
        """
        if self._repo.pause() is None:
            self._repo.placer.bring_back()
        recovery.clear_locks(self._repo)
        self._repo.refuse_when_busy()
        self._now = now
        recovered = recovery.recover(self._repo, now)
        for stranded in recovery.parked(self._repo):
            self._apply_parked(stranded, now)
            recovered = True
        return recovered

    def _keep_before(self, done: Outcome, now: datetime) -> None:
        """What the rules want to stay reachable, whatever becomes of the branch: the state before a
        change.
        """
        name = self._rules.keep(done.id or "", done.changed, now) if done.commit else ""
        if name and (parents := self.commit(str(done.commit)).parents):
            self._repo.set_ref(name, parents[0])

    def _apply_parked(self, stranded: recovery.Stranded, now: datetime) -> None:
        """What others changed in the same files is committed first, as before any change of
        ours.
        """
        parent = self.commit(stranded.tip).parents
        paths = tuple(self.changed_paths(parent[0] if parent else None, stranded.tip))
        intent = Intent(actor=UNKNOWN, verb=SNAPSHOT, summary="")
        transaction.commit(self._repo, (), intent, now, self._rules, more=paths)
        recovery.roll_forward(self._repo, stranded, now)
