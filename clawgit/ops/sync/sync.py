"""`sync`: snapshot, fetch, merge, push; and how that ended, in one word."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from clawgit.domain.safety.remotes import shown_address
from clawgit.domain.safety.secrets import masked
from clawgit.errors import (
    BusyError,
    ClawgitError,
    ConflictError,
    NotFoundError,
    PathRefusedError,
)
from clawgit.ops.safety.secrets import refuse_push
from clawgit.ops.safety.secrets_allowed import SecretsError
from clawgit.ops.sync import sharing
from clawgit.ops.sync.bringing import Brought, UnrelatedError, bring_in, joined_or_refused
from clawgit.ops.sync.following import (
    Agree,
    RewrittenError,
    follow,
    refuse_old_history,
    refuse_returned,
)
from clawgit.ops.sync.routes import Route, route_of
from clawgit.ops.sync.standing import OFFLINE, counted, note_sync
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.lock import workspace_lock
from clawgit.stores.git.remotes.joining import hold_the_same
from clawgit.stores.git.remotes.refusals import OfflineError, RemoteError
from clawgit.stores.git.remotes.transport import Pushed, Transport, local_path

IN_SYNC = "in_sync"
PUSHED = "pushed"
MERGED = "merged"
AHEAD = "ahead"
BEHIND = "behind"
DIVERGED = "diverged"
CONFLICT = "conflict"
PUSH_FAILED = "push_failed"
NO_REMOTE = "no_remote"
STATES = (
    IN_SYNC, PUSHED, MERGED, AHEAD, BEHIND, DIVERGED, CONFLICT, PUSH_FAILED, OFFLINE, NO_REMOTE,
)  # fmt: skip
"""All that a sync can end with. `ahead` and `behind`: what a dry run would push or bring in."""

FAILED = frozenset({DIVERGED, CONFLICT, PUSH_FAILED, NO_REMOTE})
"""The states in which somebody has to do something: these exit with 1."""

_TRIES = 5
"""How often it begins anew where somebody else pushes at the same time."""

_STOPS: Mapping[type[ClawgitError], str] = {
    ConflictError: CONFLICT,
    PathRefusedError: CONFLICT,
    UnrelatedError: DIVERGED,
    RewrittenError: DIVERGED,
    SecretsError: PUSH_FAILED,
}
"""What ends a sync in which state."""

_NOTHING = "0" * 40
"""How git's hooks name a commit that is not there."""

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Synced:
    """How a sync ended: `state` is one of `STATES`, `next` what to type.

    `ahead` and `behind` count the commits that were, or would be, sent and brought in. `commit` is
    the merge, or what HEAD was moved on to; `rescue` is the reference to what it was before.
    """

    state: str
    message: str
    next: str = ""
    remote: str | None = None
    branch: str | None = None
    ahead: int = 0
    behind: int = 0
    commit: str | None = None
    id: str | None = None
    changed: tuple[str, ...] = ()
    snapshots: tuple[str, ...] = ()
    alerts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    rescue: str | None = None
    conflicts: tuple[dict[str, str], ...] = ()
    dry_run: bool = False

    @property
    def failed(self) -> bool:
        return self.state in FAILED


class _Call(NamedTuple):
    """One sync: what it talks to, and how."""

    workspace: Workspace
    route: Route
    transport: Transport
    fetch_from: str
    push_to: str
    dry_run: bool
    tell: Tell
    agree: Agree | None = None
    edited: tuple[str, ...] = ()
    """Of a dry run: the files that a sync would commit first."""

    @property
    def head(self) -> str:
        """The commit of HEAD; a sync of a branch without one is refused before."""
        return self.workspace.git.head().oid or ""


def _quiet(_words: str) -> None:
    return


def sync(
    workspace: Workspace,
    remote: str = "",
    *,
    dry_run: bool = False,
    prompts: bool = False,
    tell: Tell = _quiet,
    agree: Agree | None = None,
) -> Synced:
    """Commits what others changed, brings the remote's branch in, and pushes.

    With `dry_run` it asks the remote and says what would happen. `prompts`: somebody is there to
    type a password. `agree` is asked before words go that were forgotten elsewhere. How it ended is
    kept on record.
    """
    began = workspace.now
    with workspace_lock(workspace.place.shared / "sync.lock", "clawgit sync", 0):
        done = _synced(workspace, remote, dry_run=dry_run, prompts=prompts, tell=tell, agree=agree)
    if not dry_run:
        trouble = done.message if done.failed or done.state == OFFLINE else ""
        note_sync(workspace, done.state, began, failed=done.failed, why=masked(trouble))
    return replace(done, dry_run=dry_run)


def _synced(
    workspace: Workspace,
    remote: str,
    *,
    dry_run: bool,
    prompts: bool,
    tell: Tell,
    agree: Agree | None,
) -> Synced:
    git = workspace.git
    if waiting := git.pause():
        raise BusyError(f"{waiting.why}; nothing is synced now.", hint=waiting.hint)
    outcome, _ = git.snapshot(workspace.now, dry_run=dry_run)
    head = git.head()
    if head.oid is None:
        raise NotFoundError(
            "There is no commit yet.", hint="Add a file, or take the remote's: git pull"
        )
    setting = workspace.config.settings.sync_remote
    route = route_of(workspace.cgit, head.ref.removeprefix("refs/heads/"), remote, setting)
    if route is None:
        hint = "git remote add origin ADDRESS, then clawgit sync"
        return Synced(NO_REMOTE, "There is no remote to sync with.", hint)
    transport = Transport(workspace.root, workspace.caller.env, prompts=prompts)
    urls = transport.addresses(route.remote)
    for url in urls:
        _refuse_inside(workspace, url)
    edited = outcome.changed if dry_run else ()
    call = _Call(workspace, route, transport, *urls, dry_run, tell, agree, edited)
    so_far = Synced(
        IN_SYNC, "", remote=route.remote, branch=route.theirs, snapshots=outcome.snapshots,
        alerts=outcome.alerts,
    )  # fmt: skip
    return _met(call, so_far)


def _refuse_inside(workspace: Workspace, url: str) -> None:
    """Refuses a remote within this very folder: whoever prepared the folder prepared its hooks."""
    path = local_path(workspace.root, url)
    homes = (workspace.root, workspace.place.common_dir)
    if path and any(path.resolve().is_relative_to(home.resolve()) for home in homes):
        raise RemoteError(
            f"The remote {shown_address(url)} lies in this workspace itself.",
            hint="Move it out, and name its new place: git remote set-url",
        )


def _met(call: _Call, so_far: Synced) -> Synced:
    """Brings in and pushes, and begins anew where somebody else has pushed meanwhile."""
    route = call.route
    for _ in range(_TRIES):
        seen, tip = _last_seen(call), None
        try:
            refuse_returned(call.workspace, call.head)
            listed = _heard(call)
            tip = listed.get(route.there)
            if tip and (note := _followed(call, tip)):
                return _anew(call, replace(so_far, notes=(*so_far.notes, note)))
            if tip:
                _refuse_rewritten(call, tip, seen)
                so_far = _with_theirs(call, tip, so_far)
            if call.dry_run:
                return _forecast(call, tip, so_far)
            sent = _sent(call, listed, so_far)
        except OfflineError as error:
            return _away(so_far, error, was_met=seen is not None)
        except tuple(_STOPS) as error:
            return _stopped(call, tip, so_far, error)
        if sent is not None:
            return sent
    message = f"{route.name} keeps changing: others push to it all the time."
    return replace(so_far, state=PUSH_FAILED, message=message, next="clawgit sync")


def _followed(call: _Call, tip: str) -> str:
    return follow(call.workspace, call.route, tip, call.agree, dry_run=call.dry_run)


def _anew(call: _Call, so_far: Synced) -> Synced:
    """The same with the history as it is now, and another store: all its objects are new ones."""
    fresh = Workspace(call.workspace.place, call.workspace.caller)
    try:
        return _met(call._replace(workspace=fresh, agree=None), so_far)
    finally:
        fresh.close()


def _away(so_far: Synced, error: OfflineError, *, was_met: bool) -> Synced:
    """Where the remote was never met, it is more likely that its address is wrong."""
    if error.data.get("local"):
        if not was_met:
            raise RemoteError(error.message, hint=error.hint) from error
        step = error.hint
    elif was_met:
        step = "clawgit sync, later"
    else:
        step = "check the address, which `git remote -v` shows; then clawgit sync"
    return replace(so_far, state=OFFLINE, message=error.message, next=step)


def _stopped(call: _Call, tip: str | None, so_far: Synced, error: ClawgitError) -> Synced:
    state = next(state for kind, state in _STOPS.items() if isinstance(error, kind))
    if tip and state in (CONFLICT, DIVERGED) and call.workspace.git.has(tip):
        ahead, behind = counted(call.workspace.cgit, call.head, tip)
        so_far = replace(so_far, ahead=ahead, behind=behind)
    conflicts = error.data.get("conflicts", ())
    return replace(
        so_far,
        state=state,
        message=error.message,
        next=error.hint,
        conflicts=tuple(conflicts) if isinstance(conflicts, list) else (),
    )


def _last_seen(call: _Call) -> str | None:
    """What the remote's branch held when it was last synced, or when git last heard of it."""
    git = call.workspace.git
    return git.ref(call.route.seen) or git.ref(call.route.tracking)


def _heard(call: _Call) -> dict[str, str]:
    """The references of the remote. What they hold is fetched, where it is not here yet."""
    route, git = call.route, call.workspace.git
    call.tell(f"asking {route.remote} for news")
    listed = call.transport.listed(call.fetch_from, route.there, *sharing.PATTERNS)
    tip = listed.get(route.there)
    if tip:
        refuse_old_history(call.workspace, route, tip, call.transport, call.fetch_from)
    if call.dry_run:
        if tip and not git.has(tip):
            # Into no reference: a dry run moves none.
            call.transport.fetch(call.fetch_from, route.there)
        return listed
    wanted = [] if git.ref(route.tracking) == tip else [f"+{route.there}:{route.tracking}"]
    if not sharing.is_known(call.workspace, route, listed):
        wanted += sharing.fetched(route)
    if wanted:
        call.transport.fetch(call.fetch_from, *(wanted if tip else sharing.fetched(route)))
    if tip:
        # It may have moved on since it was listed.
        listed[route.there] = git.ref(route.tracking) or tip
    return listed


def _refuse_rewritten(call: _Call, tip: str, seen: str | None) -> None:
    """Raises where the branch of the remote does not hold any more what it held at the last sync,
    unless HEAD shows that somebody has settled that by hand.
    """
    git, head, route = call.workspace.git, call.head, call.route
    if seen is None or head == tip or git.contains(tip, seen):
        return
    was_set_back = git.contains(seen, tip)
    if git.contains(head, tip) and not (was_set_back and git.contains(head, seen)):
        return
    lost = counted(call.workspace.cgit, seen, tip)[0]
    commits = f"{lost} commit{'s' if lost > 1 else ''}"
    to_do = f"git push {route.remote} {route.branch}:{route.theirs}"
    if not was_set_back:
        to_do = f"git merge {route.name}"
    raise RewrittenError(
        f"{route.name} was rewritten: it lacks {commits} that it had at the last sync. Nothing was "
        "moved here.",
        hint=f"To keep both: {to_do}, then clawgit sync. docs/sync.md names the other ways.",
    )


def _with_theirs(call: _Call, tip: str, so_far: Synced) -> Synced:
    """Brings the remote's branch in, if it has anything new."""
    git, route = call.workspace.git, call.route
    if git.contains(call.head, tip) or _is_the_same(call, tip):
        return so_far
    if call.dry_run:
        joined_or_refused(call.workspace, route, tip)
        return so_far
    commits = counted(call.workspace.cgit, call.head, tip)[1]
    call.tell(f"bringing in {commits} of {route.name}")
    brought = bring_in(call.workspace, route, tip)
    return _joined(call, so_far, brought, commits)


def _is_the_same(call: _Call, tip: str) -> bool:
    """Whether both sides hold the same files and changes, and were only merged on other ways.

    Then nothing moves: of machines in a ring each would merge what the others have merged, for
    ever.
    """
    if call.workspace.git.changed_paths(call.head, tip):
        return False
    return hold_the_same(call.workspace.cgit, call.head, tip)


def _joined(call: _Call, so_far: Synced, brought: Brought, commits: int) -> Synced:
    outcome = brought.outcome
    moved_on_to = outcome.commit or call.head
    return replace(
        so_far,
        behind=so_far.behind + commits,
        commit=moved_on_to,
        id=call.workspace.git.commit(moved_on_to).id,
        changed=tuple(sorted({*so_far.changed, *outcome.changed})),
        snapshots=(*so_far.snapshots, *outcome.snapshots),
        alerts=(*so_far.alerts, *brought.alerts),
        rescue=so_far.rescue or brought.rescue,
    )


def _forecast(call: _Call, tip: str | None, so_far: Synced) -> Synced:
    """What a sync would do."""
    if tip is None:
        ahead, behind = int(call.workspace.cgit.text("rev-list", "--count", call.head)), 0
    else:
        ahead, behind = counted(call.workspace.cgit, call.head, tip)
        if _is_the_same(call, tip):
            ahead = behind = 0
    state = IN_SYNC
    if behind:
        state = BEHIND
    elif ahead or call.edited:
        state = AHEAD
    notes = tuple(f"{path} is not committed yet; a sync commits it first" for path in call.edited)
    return _told(replace(so_far, state=state, ahead=ahead, behind=behind, notes=notes))


def _sent(call: _Call, listed: dict[str, str], so_far: Synced) -> Synced | None:
    """Pushes what the remote lacks; None where somebody else was faster."""
    route, git, head = call.route, call.workspace.git, call.head
    tip = listed.get(route.there)
    if head != tip and not (tip and _is_the_same(call, tip)):
        failure = _push_branch(call, head, tip)
        if failure is not None:
            if failure.raced:
                return None
            return replace(
                so_far,
                state=PUSH_FAILED,
                message=f"{route.remote} did not take the push: {failure.why}",
                next=failure.next
                or f"clawgit sync tries again; git push {route.remote} shows all that it says",
            )
        ahead = counted(call.workspace.cgit, head, tip)[0] if tip else 0
        so_far = replace(so_far, ahead=ahead, state=PUSHED)
        tip = head
    git.set_ref(route.tracking, tip or head)
    git.set_ref(route.seen, tip or head)
    _settle_in(call)
    notes = (*so_far.notes, *_share(call, listed))
    state = MERGED if so_far.behind else so_far.state
    return _told(replace(so_far, state=state, notes=notes))


def _push_branch(call: _Call, head: str, tip: str | None) -> Pushed | None:
    """Why a push failed; None if it did not."""
    route = call.route
    line = f"{route.local} {head} {route.there} {tip or _NOTHING}"
    refuse_push(call.workspace, route.remote, call.push_to, [line])
    call.tell(f"sending to {route.name}")
    pushed = call.transport.push(call.push_to, f"{head}:{route.there}")
    if pushed.ok:
        return None
    if not pushed.raced and _arrived(call, head):
        return None
    return pushed


def _arrived(call: _Call, head: str) -> bool:
    """Whether a push that broke off did its work all the same."""
    try:
        return call.transport.listed(call.push_to, call.route.there).get(call.route.there) == head
    except ClawgitError:
        return False


def _settle_in(call: _Call) -> None:
    """Has plain git know the remote's branch, and bring the proposals, too."""
    git, route = call.workspace.cgit, call.route
    if not git.text("config", "--get", f"branch.{route.branch}.remote", ok=(0, 1)):
        git.run("config", "--local", f"branch.{route.branch}.remote", route.remote)
        git.run("config", "--local", f"branch.{route.branch}.merge", route.there)
    sharing.keep_refspecs(git, route)


def _share(call: _Call, listed: dict[str, str]) -> tuple[str, ...]:
    """Exchanges the proposals. What goes wrong with them is a note: the memory is synced."""
    swap = sharing.exchange(call.workspace, call.route, listed)
    sharing.take(call.workspace, call.route, listed, swap)
    if not swap.refspecs:
        return ()
    lines = (f"{name} {oid} {name} {_NOTHING}" for name, oid in swap.given.items())
    try:
        refuse_push(call.workspace, call.route.remote, call.push_to, lines)
    except SecretsError as error:
        return (f"proposals were not sent: {error.message}",)
    try:
        pushed = call.transport.push(call.push_to, *swap.refspecs)
    except OfflineError as error:
        return (f"proposals were not sent: {error.message}",)
    return () if pushed.ok else (f"not all proposals were exchanged: {pushed.why}",)


def _told(done: Synced) -> Synced:
    """The same, with its message."""
    name = f"{done.remote}/{done.branch}"
    came = f"{done.behind} commit{'s' if done.behind > 1 else ''}"
    went = f"{done.ahead} commit{'s' if done.ahead > 1 else ''}" if done.ahead else "the branch"
    would = "the edits on disk" if done.notes and not done.ahead else went
    more = f", and sent {went}" if done.ahead else ""
    to_send = f" and send {went}" if done.ahead else ""
    words = {
        IN_SYNC: (f"In sync with {name}.", ""),
        PUSHED: (f"Sent {went} to {name}.", ""),
        MERGED: (f"Brought in {came} of {name}{more}.", ""),
        AHEAD: (f"Would send {would} to {name}.", "clawgit sync"),
        BEHIND: (f"Would bring in {came} of {name}{to_send}.", "clawgit sync"),
    }
    message, step = words[done.state]
    return replace(done, message=message, next=step)
