"""`sync`: snapshot, fetch, merge, push. The result is one word."""

from collections.abc import Mapping

from clawgit.core import NamedTuple
from clawgit.core.errors import (
    BusyError,
    ClawgitError,
    ConflictError,
    NotFoundError,
    PathRefusedError,
    counted,
)
from clawgit.core.markdown.decoding import has_conflict_markers
from clawgit.git.cgit import CGit
from clawgit.git.lock import workspace_lock
from clawgit.git.place import NO_OBJECT
from clawgit.git.remotes.transport import (
    Addresses,
    OfflineError,
    Pushed,
    RemoteError,
    Transport,
    local_path,
)
from clawgit.git.repo import storage_errors
from clawgit.history.bringing import (
    PATTERNS,
    TRACKED,
    DivergedError,
    Route,
    bring_in,
    exchange,
    joined_or_refused,
    refspecs,
    refuse_old_history,
    refuse_unlike,
    route_of,
    travels,
)
from clawgit.history.synced import (
    AHEAD,
    BEHIND,
    CONFLICT,
    DIVERGED,
    IN_SYNC,
    MERGED,
    NO_REMOTE,
    OFFLINE,
    PUSH_FAILED,
    PUSHED,
    Synced,
    Tell,
    away,
    note_sync,
    with_message,
)
from clawgit.safety.masking import SecretsError
from clawgit.safety.rules.remotes import shown_address
from clawgit.safety.secrets import refuse_push
from clawgit.workspace.workspace import Workspace

_TRIES = 5
"""How often it starts over if somebody else pushes at the same time."""

_STOPS: Mapping[type[ClawgitError], str] = {
    ConflictError: CONFLICT,
    PathRefusedError: CONFLICT,
    DivergedError: DIVERGED,
    SecretsError: PUSH_FAILED,
}
"""Error → the state in which it ends a sync."""


class _Call(NamedTuple):
    """One sync. `edited`, in a dry run: the files that a sync would commit first."""

    workspace: Workspace
    route: Route
    transport: Transport
    at: Addresses
    tell: Tell
    dry_run: bool
    edited: tuple[str, ...] = ()

    @property
    def head(self) -> str:
        """The commit of HEAD; a branch without a commit was refused before."""
        return self.workspace.git.tip or ""


def sync(
    workspace: Workspace,
    remote: str = "",
    *,
    prompts: bool = False,
    tell: Tell = lambda _words: None,
) -> Synced:
    """Commits what others changed, brings the remote's branch in, and pushes.

    With `dry_run` it asks the remote and says what would happen. `prompts`: somebody is there to
    type a password. The result is recorded.
    """
    began = workspace.now
    # A lock of its own: while git waits for the network, others go on writing. Nobody waits for it:
    # the sync that runs does what a second one would.
    with workspace_lock(workspace.place.shared / "sync.lock", "clawgit sync", 0):
        # Only a sync writes these refs. A lock that one left when the power went would stop git.
        for stray in (workspace.place.common_dir / TRACKED).rglob("*.lock"):
            stray.unlink(missing_ok=True)
        try:
            with storage_errors():
                done = _synced(workspace, remote, tell, prompts=prompts)
        except (RemoteError, BusyError) as error:
            if not workspace.dry_run:
                note_sync(workspace, error.kind, began, failed=True, why=error.message)
            raise
    # Without a remote nothing failed: nothing was set up.
    if not workspace.dry_run and done.state != NO_REMOTE:
        why = done.message if done.failed or done.state == OFFLINE else ""
        note_sync(workspace, done.state, began, failed=done.failed, why=why)
    return done._replace(dry_run=workspace.dry_run)


def _synced(workspace: Workspace, remote: str, tell: Tell, *, prompts: bool) -> Synced:
    """Commits what others changed, and brings both sides to the same state."""
    git = workspace.git
    if waiting := git.pause():
        raise BusyError(f"{waiting.why}; nothing is synced now.", hint=waiting.hint)
    # Before anything comes in: whatever a merge makes of the files, history has what stood in them.
    outcome, _ = git.snapshot(workspace.now, dry_run=workspace.dry_run)
    head = git.head()
    if head.oid is None:
        raise NotFoundError(
            "There is no commit yet.", hint="Add a file, or take the remote's: git pull"
        )
    transport = Transport(workspace.root, workspace.env, prompts=prompts)
    branch, setting = head.ref.removeprefix("refs/heads/"), workspace.settings.sync_remote
    route = route_of(transport, branch, remote, setting)
    if route is None:
        hint = "git remote add origin ADDRESS, then clawgit sync"
        return Synced(NO_REMOTE, "There is no remote to sync with.", hint)
    addresses = transport.addresses(route.remote)
    for url in addresses:
        _refuse_inside(workspace, url)
    edited = outcome.changed if workspace.dry_run else ()
    so_far = Synced(
        IN_SYNC, "", remote=route.remote, branch=route.theirs,
        snapshots=outcome.snapshots, alerts=outcome.alerts,
    )  # fmt: skip
    call = _Call(workspace, route, transport, addresses, tell, workspace.dry_run, edited)
    return _met(call, so_far)


def _met(call: _Call, so_far: Synced) -> Synced:
    """Brings in and pushes; starts over if somebody else pushed meanwhile."""
    route = call.route
    for _ in range(_TRIES):
        # The commit of the remote's branch at the last sync, or at git's last fetch.
        git, tip = call.workspace.git, None
        # Asked before git's own ref is moved: only so a rewritten branch shows.
        seen = git.ref(route.seen) or git.ref(route.tracking)
        try:
            heard = _heard(call)
            tip = heard.get(route.there)
            # Forgotten words first: a branch rewritten by `forget` would count as rewritten by
            # anybody, and the hint would be to merge what was forgotten.
            refuse_unlike(call.workspace, route, tip)
            if tip:
                _refuse_rewritten(call, tip, seen)
                so_far = _with_theirs(call, tip, so_far)
            if call.dry_run:
                return _forecast(call, tip, so_far)
            sent = _sent(call, heard, so_far)
        except OfflineError as error:
            return away(so_far, error, was_met=seen is not None)
        except tuple(_STOPS) as error:
            return _stopped(call, tip, so_far, error)
        if sent is not None:
            return sent
    message = f"{route.name} keeps changing: others push to it all the time."
    return so_far._replace(state=PUSH_FAILED, message=message, next="clawgit sync")


def _stopped(call: _Call, tip: str | None, so_far: Synced, error: ClawgitError) -> Synced:
    state = next(state for kind, state in _STOPS.items() if isinstance(error, kind))
    if tip and state in (CONFLICT, DIVERGED) and call.workspace.git.has(tip):
        ahead, behind = _apart(call.workspace.cgit, call.head, tip)
        so_far = so_far._replace(ahead=ahead, behind=behind)
    conflicts = error.data.get("conflicts", ())
    return so_far._replace(
        state=state,
        message=error.message,
        next=error.hint,
        conflicts=tuple(conflicts) if isinstance(conflicts, list) else (),
    )


def _heard(call: _Call) -> dict[str, str]:
    """The refs of the remote. Their commits are fetched if they are not here yet."""
    route, git = call.route, call.workspace.git
    call.tell(f"asking {route.remote} what is new")
    listed = dict(call.transport.listed(call.at.fetch, route.there, *PATTERNS))
    tip = listed.get(route.there)
    if tip:
        refuse_old_history(call.workspace, route, tip, call.transport, call.at.fetch)
    if call.dry_run:
        if tip and not git.has(tip):
            # Into no ref: a dry run moves none.
            call.transport.fetch(call.at.fetch, route.there)
        return listed
    there = {route.tracked(name): oid for name, oid in listed.items() if travels(name)}
    wanted, fetched = refspecs(route), route.tracked(f"fetched/{route.theirs}")
    if tip:
        # Not into git's own ref: of a fetch that is killed, nobody could tell whose lock is left.
        there[fetched] = tip
        wanted = (f"+{route.there}:{fetched}", *wanted)
    known = git.refs_below(route.tracked("")) | {fetched: git.ref(route.tracking)}
    if not there.items() <= known.items():
        call.transport.fetch(call.at.fetch, *wanted)
        if tip:
            # The ref may have moved since it was listed.
            listed[route.there] = git.ref(fetched) or tip
            git.set_ref(route.tracking, listed[route.there])
    return listed


def _refuse_rewritten(call: _Call, tip: str, seen: str | None) -> None:
    """Raises if the remote's branch lacks what it had at the last sync, unless HEAD shows that
    somebody has settled that by hand.
    """
    git, head, route = call.workspace.git, call.head, call.route
    if seen is None or head == tip or git.contains(tip, seen):
        return
    was_set_back = git.contains(seen, tip)
    if git.contains(head, tip) and not (was_set_back and git.contains(head, seen)):
        return
    lost = _apart(call.workspace.cgit, seen, tip)[0]
    refspec = f"{route.remote} {route.branch}:{route.theirs}"
    keep_both = (
        "" if was_set_back else f"To keep both: clawgit doctor --fix; git merge {route.name}; "
    )
    raise DivergedError(
        f"{route.name} was rewritten: it lacks {counted(lost, 'commit')} that it had at "
        "the last sync. Nothing was moved here.",
        hint=f"{keep_both}to send yours: git push --force-with-lease {refspec}; to follow: git "
        f"reset --hard {route.name}. Then clawgit sync",
    )


def _with_theirs(call: _Call, tip: str, so_far: Synced) -> Synced:
    """Brings the remote's branch in, if it has anything new."""
    git, route = call.workspace.git, call.route
    if git.contains(call.head, tip):
        return so_far
    if call.dry_run:
        joined_or_refused(call.workspace, route, tip)
        return so_far
    commits = _apart(call.workspace.cgit, call.head, tip)[1]
    call.tell(f"bringing in what is new of {route.name}")
    before = call.head
    brought, rescue = bring_in(call.workspace, route, tip)
    # With the commits that follow the merge.
    changed = git.changed_paths(before, call.head)
    return so_far._replace(
        behind=so_far.behind + commits,
        commit=brought.commit or call.head,
        id=git.commit(brought.commit or call.head).id,
        changed=tuple(sorted({*so_far.changed, *changed})),
        snapshots=(*so_far.snapshots, *brought.snapshots),
        alerts=(*so_far.alerts, *brought.alerts),
        rescue=so_far.rescue or rescue,
    )


def _apart(git: CGit, ours: str, theirs: str) -> tuple[int, int]:
    """How many commits only the first side has, and how many only the second."""
    rows = git.text("rev-list", "--left-right", "--count", f"{ours}...{theirs}").split()
    return int(rows[0]), int(rows[1])


def _forecast(call: _Call, tip: str | None, so_far: Synced) -> Synced:
    """The result of a dry run: what a sync would do."""
    if tip is None:
        ahead, behind = int(call.workspace.cgit.text("rev-list", "--count", call.head)), 0
    else:
        ahead, behind = _apart(call.workspace.cgit, call.head, tip)
    mine = AHEAD if ahead or call.edited else IN_SYNC
    state = BEHIND if behind else mine
    notes = tuple(f"{path} is not committed yet; a sync commits it first" for path in call.edited)
    return with_message(so_far._replace(state=state, ahead=ahead, behind=behind, notes=notes))


def _sent(call: _Call, listed: dict[str, str], so_far: Synced) -> Synced | None:
    """Pushes what the remote lacks; None if somebody else was faster."""
    route, git, head = call.route, call.workspace.git, call.head
    tip = listed.get(route.there)
    if head != tip:
        pushed = _push_branch(call, head, tip)
        if pushed.raced:
            return None
        if not pushed.ok:
            again = f"`clawgit sync` tries again; `git push {route.remote}` shows its whole answer"
            message = f"{route.remote} rejected the push: {pushed.why}"
            step = pushed.next or again
            return so_far._replace(state=PUSH_FAILED, message=message, next=step)
        ahead = _apart(call.workspace.cgit, head, tip)[0] if tip else 0
        so_far = so_far._replace(ahead=ahead, state=PUSHED)
    # Only now: cut off before, these say less than the remote has, and the next sync asks it. The
    # other way round a push that never came would look like a rewritten remote.
    git.set_ref(route.tracking, head)
    git.set_ref(route.seen, head)
    _settle_in(call)
    # After the branch: the commit that approves a proposal must be there before it is deleted
    # there.
    notes = (*so_far.notes, *_share(call, listed))
    state = MERGED if so_far.behind else so_far.state
    return with_message(so_far._replace(state=state, notes=notes))


def _push_branch(call: _Call, head: str, tip: str | None) -> Pushed:
    """Pushes the branch."""
    route, git = call.route, call.workspace.git
    for path in filter(git.scope.covers, git.changed_paths(tip, head)):
        if has_conflict_markers(git.read(head, path) or b""):
            raise ConflictError(
                f"{path} has the marks of a merge; nothing was sent.",
                hint="Keep what is right, delete the marks; then clawgit sync",
            )
    line = f"{route.local} {head} {route.there} {tip or NO_OBJECT}"
    refuse_push(call.workspace, route.remote, call.at.push, [line])
    call.tell(f"sending to {route.name}")
    return call.transport.push(call.at.push, f"{head}:{route.there}")


def _settle_in(call: _Call) -> None:
    """Configures plain git to know the remote's branch."""
    git, route = call.workspace.cgit, call.route
    if not call.transport.configured(f"branch.{route.branch}.remote"):
        git.run("config", "--local", f"branch.{route.branch}.remote", route.remote)
        git.run("config", "--local", f"branch.{route.branch}.merge", route.there)


def _share(call: _Call, listed: dict[str, str]) -> tuple[str, ...]:
    """Exchanges the proposals. An error is only a note: the memory itself is synced."""
    given = exchange(call.workspace, call.route, listed)
    if not given.refspecs:
        return ()
    lines = (f"{name} {oid} {name} {NO_OBJECT}" for name, oid in given.refs.items())
    try:
        refuse_push(call.workspace, call.route.remote, call.at.push, lines)
        pushed = call.transport.push(call.at.push, *given.refspecs)
    except (SecretsError, OfflineError) as error:
        return (f"proposals were not sent: {error.message}",)
    return () if pushed.ok else (f"not all proposals were exchanged: {pushed.why}",)


def _refuse_inside(workspace: Workspace, url: str) -> None:
    """Refuses a remote inside this folder: whoever prepared the folder could have prepared its
    hooks.
    """
    path = local_path(workspace.root, url)
    homes = (workspace.root, workspace.place.common_dir)
    if path and any(path.resolve().is_relative_to(home.resolve()) for home in homes):
        raise RemoteError(
            f"The remote {shown_address(url)} is inside this workspace itself.",
            hint="Move it out, and name its new place: git remote set-url",
        )
