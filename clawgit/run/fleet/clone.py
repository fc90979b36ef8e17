"""A worker's clone of a workspace: disposable. It is brought to what the remote has, worked on, and
sent back with the fence, or thrown away.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from clawgit.core.disk.xdg import config_home
from clawgit.core.doors import shutil
from clawgit.core.errors import BusyError, ClawgitError, NotFoundError
from clawgit.git.cgit import CGit, CGitError
from clawgit.git.gitdir import new_repository, repo_at
from clawgit.git.lock import workspace_lock
from clawgit.git.looked import WAITING
from clawgit.git.place import NO_OBJECT
from clawgit.git.remotes.transport import OfflineError, RemoteError, Transport
from clawgit.history.bringing import PATTERNS, Route, bring_in, exchange, refspecs
from clawgit.run.fleet.members import Member, refuse_address
from clawgit.run.fleet.receipts import Receipts, checked, newest_of
from clawgit.run.schedule import is_in_history
from clawgit.safety.rules.remotes import shown_address
from clawgit.safety.secrets import refuse_push
from clawgit.workspace.workspace import Caller, Workspace

FENCE = "refs/clawgit/fence"
"""The ref that moves with each push of a worker: who expects an older one is refused."""

_REMOTE = "origin"
_IN_USE = ".in-use"
_NOT_OURS = (ValueError, LookupError, TypeError, AttributeError, RecursionError)
_CLONES = 8
_TRIES = 5
"""How often a push starts over, if somebody else pushes meanwhile."""


class DroppedError(ClawgitError):
    """A newer generation has taken over, or the history was rewritten: all is thrown away."""

    kind = "dropped"


class Clone(NamedTuple):
    """A clone as it is at the remote: its branch, and the fence."""

    workspace: Workspace
    route: Route
    transport: Transport
    listed: dict[str, str]

    @property
    def tip(self) -> str:
        return self.listed[self.route.there]

    def receipts(self) -> Receipts:
        """What the runs left whose commits the remote has, by the fence that came with them."""
        fence = self.listed.get(FENCE)
        if fence is None:
            return {}
        try:
            said = json.loads(self.workspace.cgit.run("cat-file", "blob", fence))
            return checked(said["receipts"])
        except (*_NOT_OURS, CGitError) as error:
            raise RemoteError(
                f"{FENCE} at the remote of {self.workspace.root.name} is not ours.",
                hint=f"If nobody can say whose it is: git push REMOTE :{FENCE}",
            ) from error

    def has_done(self, name: str) -> bool:
        """Whether the remote has a commit, or a proposal, that was made for this time of a job."""
        return is_in_history(self.workspace, name, self.tip, f"--glob={WAITING}*")


@contextmanager
def cloned(cache: Path, member: Member, caller: Caller) -> Iterator[Clone]:
    """A clone that nobody else uses. It is kept for the next job only if the block ends well:
    what a crash leaves is never looked at, but made anew.
    """
    refuse_address(member.remote)
    with ExitStack() as held:
        folder, theirs = _free(cache, member, held), config_home(caller.env, caller.home) / "git"
        caller = _at_home(folder, caller)
        used = folder.with_suffix(_IN_USE)
        if used.exists():
            shutil.rmtree(folder, ignore_errors=True)
        used.touch()
        try:
            made = _made(folder, member, caller, theirs)
        except CGitError as error:
            # Perhaps it is this copy that is damaged, perhaps the remote: the next try knows.
            shutil.rmtree(folder, ignore_errors=True)
            raise RemoteError(error.message, hint=error.hint) from error
        except ClawgitError:
            used.unlink()  # a remote that is away, and a clone that is as it was
            raise
        try:
            _reset(made)
            yield made
            used.unlink()
        finally:
            made.workspace.close()


def _free(cache: Path, member: Member, held: ExitStack) -> Path:
    """The first folder that no process works in: one that was left behind holds up nobody."""
    cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    for number in range(_CLONES):
        folder = cache / f"{member.id}-{member.agent}-{number}"
        try:
            held.enter_context(workspace_lock(folder.with_suffix(".lock"), "clawgit fleet", 0))
        except BusyError:
            continue
        return folder
    raise BusyError(f"{_CLONES} processes work on {member.agent}.", hint="clawgit fleet status")


def _at_home(folder: Path, caller: Caller) -> Caller:
    """The caller with what clawgit keeps outside of a workspace inside of this folder: it goes when
    the clone goes. Git still finds the user's configuration.
    """
    own = folder / ".git" / "fleet"
    env = {**caller.env, "XDG_CONFIG_HOME": str(own), "XDG_STATE_HOME": str(own)}
    return caller._replace(env=env)


def _made(folder: Path, member: Member, caller: Caller, theirs: Path) -> Clone:
    if repo_at(folder) is None:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        new_repository(folder, caller.env)
        (folder / ".git" / "clawgit").mkdir()
        own = folder / ".git" / "fleet"
        own.mkdir(mode=0o700)
        if theirs.is_dir():
            (own / "git").symlink_to(theirs)
    git = CGit(folder, caller.env)
    git.run("config", f"remote.{_REMOTE}.url", member.remote)
    git.run("symbolic-ref", "HEAD", f"refs/heads/{member.branch}")
    place = repo_at(folder)
    assert place  # noqa: S101 - it was made above
    route = Route(_REMOTE, member.branch, member.branch)
    transport = Transport(folder, caller.env, prompts=False)
    made = Clone(Workspace(place, caller), route, transport, {})
    before = git.text("rev-parse", "--verify", "--quiet", route.tracking, ok=(0, 1)).strip()
    listed = _fetched(made)
    if before and not transport.holds(listed[route.there], before):
        # The history was rewritten, perhaps to forget words: this copy must not keep them.
        made.workspace.close()
        shutil.rmtree(folder)
        return _made(folder, member, caller, theirs)
    return made._replace(listed=listed)


def _fetched(clone: Clone) -> dict[str, str]:
    """The refs of the remote, with their commits fetched."""
    route, at = clone.route, clone.transport.addresses(_REMOTE).fetch
    listed = dict(clone.transport.listed(at, route.there, FENCE, *PATTERNS))
    if route.there not in listed:
        raise NotFoundError(
            f"{shown_address(at)} has no branch {route.theirs}.",
            hint="Push it there, or name another: clawgit fleet add --branch",
        )
    fence = [f"+{FENCE}:{FENCE}"] if FENCE in listed else []
    clone.transport.fetch(at, f"+{route.there}:{route.tracking}", *fence, *refspecs(route))
    # They may have moved since they were listed.
    git, here = clone.workspace.cgit, {route.there: route.tracking}
    here |= {FENCE: FENCE} if fence else {}
    return listed | {name: git.text("rev-parse", here[name]).strip() for name in here}


def _reset(clone: Clone) -> None:
    clone.workspace.cgit.run("reset", "--quiet", "--hard", clone.tip)
    exchange(clone.workspace, clone.route, clone.listed)


def send(clone: Clone, name: str, gen: int, newest: Callable[[], int], receipts: Receipts) -> bool:
    """Pushes what was done, with a fence that says so; False if an older generation has done the
    same meanwhile, and ours is not wanted.

    If somebody else has pushed, theirs is merged by meaning, and all is tried again. DroppedError
    if there is a newer generation, or if what we began from is no longer in their history: a merge
    would bring back what they have taken out.
    """
    for _ in range(_TRIES):
        given = exchange(clone.workspace, clone.route, clone.listed)
        head = clone.workspace.git.head().oid or ""
        if head == clone.tip and not given.refspecs:
            return True
        _refuse_older(gen, newest)
        fence = _fence(clone, {"generation": gen, "job": name}, receipts)
        if _pushed(clone, head, fence, given.refspecs):
            return True
        _refuse_older(gen, newest)
        base = clone.tip
        clone.listed.clear()
        clone.listed.update(_fetched(clone))
        if not clone.transport.holds(clone.tip, base):
            raise DroppedError(f"The history of {clone.route.name} was rewritten meanwhile.")
        if clone.has_done(name):
            return False
        if not clone.workspace.git.contains(head, clone.tip):
            bring_in(clone.workspace, clone.route, clone.tip)
    raise BusyError(
        f"{clone.route.name} keeps changing: others push to it all the time.",
        hint="It is tried again later.",
    )


def _refuse_older(gen: int, newest: Callable[[], int]) -> None:
    now = newest()
    if now != gen:
        raise DroppedError(f"Generation {now} has taken over from {gen}.")


def _fence(clone: Clone, by: dict[str, object], receipts: Receipts) -> str:
    """The object that the fence points to: who was here last, and what each run left."""
    known = newest_of(clone.receipts(), receipts)
    said = json.dumps({**by, "receipts": known}, sort_keys=True).encode()
    return clone.workspace.cgit.run("hash-object", "-w", "--stdin", stdin=said).decode().strip()


def _pushed(clone: Clone, head: str, fence: str, more: tuple[str, ...]) -> bool:
    """Whether the remote has it now; False if somebody else was faster."""
    route, transport = clone.route, clone.transport
    url = transport.addresses(_REMOTE).push
    line = f"{route.local} {head} {route.there} {clone.tip or NO_OBJECT}"
    refuse_push(clone.workspace, _REMOTE, url, [line])
    only_at = {FENCE: clone.listed.get(FENCE), route.there: clone.tip}
    refs = (f"{head}:{route.there}", f"{fence}:{FENCE}", *more)
    done = transport.push(url, *refs, only_at=only_at)
    if done.raced:
        return False
    # Where it broke off, the remote may have done all of it, or nothing.
    if done.ok or transport.listed(url, FENCE).get(FENCE) == fence:
        clone.workspace.git.set_ref(route.tracking, head)
        return True
    raise OfflineError(f"The push to {shown_address(url)} failed: {done.why}", hint=done.next)
