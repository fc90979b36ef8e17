"""A worker's clone of a workspace: disposable. It is brought to what the remote has, worked on, and
sent back with the fence, or thrown away.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import count
from os import devnull
from pathlib import Path

from clawgit.core import NamedTuple
from clawgit.core.doors import secrets, shutil
from clawgit.core.errors import BusyError, NotFoundError
from clawgit.git.cgit import CGit
from clawgit.git.gitdir import new_repository, repo_at
from clawgit.git.lock import workspace_lock
from clawgit.git.looked import WAITING
from clawgit.git.place import NO_OBJECT
from clawgit.git.remotes.transport import OfflineError, Transport
from clawgit.history.bringing import PATTERNS, Route, bring_in, exchange, refspecs
from clawgit.run.fleet.database import DroppedError
from clawgit.run.fleet.members import Member, refuse_address
from clawgit.run.schedule import is_in_history
from clawgit.safety.rules.remotes import shown_address
from clawgit.safety.secrets import refuse_push
from clawgit.workspace.workspace import Caller, Workspace

FENCE = "refs/clawgit/fence"
"""The ref that moves with each push of a worker, drawn by lot: it proves which push has come."""

_REMOTE = "origin"
_TRIES = 5
"""How often a push starts over, if somebody else pushes meanwhile."""


class Clone(NamedTuple):
    workspace: Workspace
    route: Route
    transport: Transport
    listed: dict[str, str]

    @property
    def tip(self) -> str:
        return self.listed[self.route.there]

    @property
    def fence(self) -> str:
        return self.listed.get(FENCE, "")

    def has_done(self, name: str) -> bool:
        """Whether the remote has a commit, or a proposal, that was made for this time of a job."""
        return is_in_history(self.workspace, name, self.tip, f"--glob={WAITING}*")


@contextmanager
def cloned(cache: Path, member: Member, caller: Caller) -> Iterator[Clone]:
    """A clone that nobody else uses. It is kept only if the block ends well, else made anew."""
    refuse_address(member.remote)
    with ExitStack() as held:
        folder, own = _free(cache, member, held), caller.env
        caller = caller._replace(env={**own, **_apart(folder)})
        used = folder.with_suffix(".in-use")
        if used.exists():
            shutil.rmtree(folder, ignore_errors=True)
        used.touch()
        made = _made(folder, member, caller, own)
        with closing(made.workspace):
            try:
                made.listed.update(_fetched(made))
            except OfflineError:
                used.unlink()  # a remote that is away, and a clone that is as it was
                raise
            _reset(made)
            yield made
        used.unlink()


def _free(cache: Path, member: Member, held: ExitStack) -> Path:
    """The first folder that no process works in."""
    cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    numbers = count()
    while True:
        folder = cache / f"{member.id}-{member.agent}-{next(numbers)}"
        with suppress(BusyError):
            held.enter_context(workspace_lock(folder.with_suffix(".lock"), "clawgit fleet", 0))
            return folder


def _apart(folder: Path) -> dict[str, str]:
    """Has a job find what others have outside of a workspace below the clone, with which it goes,
    and no configuration of git: a repository may name the filters of this machine.
    """
    own = str(folder / ".git" / "fleet")
    return {"XDG_CONFIG_HOME": own, "XDG_STATE_HOME": own,
            "GIT_CONFIG_GLOBAL": devnull, "GIT_CONFIG_NOSYSTEM": "1"}  # fmt: skip


def _made(folder: Path, member: Member, caller: Caller, own: Mapping[str, str]) -> Clone:
    """Not fetched yet. Only fetch and push go by the worker's `own` environment."""
    if repo_at(folder) is None:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        new_repository(folder, caller.env)
        (folder / ".git" / "clawgit").mkdir()
        (folder / ".git" / "fleet").mkdir(mode=0o700)
    git = CGit(folder, caller.env)
    git.run("config", f"remote.{_REMOTE}.url", member.remote)
    git.run("symbolic-ref", "HEAD", f"refs/heads/{member.branch}")
    place = repo_at(folder)
    assert place  # noqa: S101 - it was made above
    route = Route(_REMOTE, member.branch, member.branch)
    transport = Transport(folder, own, prompts=False)
    return Clone(Workspace(place, caller), route, transport, {})


def _fetched(clone: Clone) -> dict[str, str]:
    """The refs of the remote, with their commits. DroppedError if its history was rewritten,
    perhaps to forget words: no copy must keep them, and a merge would bring them back.
    """
    route, at = clone.route, clone.transport.addresses(_REMOTE).fetch
    before = clone.workspace.git.ref(route.tracking)
    listed = dict(clone.transport.listed(at, route.there, FENCE, *PATTERNS))
    if route.there not in listed:
        raise NotFoundError(
            f"{shown_address(at)} has no branch {route.theirs}.",
            hint="Push it there, or name another: clawgit fleet add --branch",
        )
    fence = [f"+{FENCE}:{FENCE}"] if FENCE in listed else []
    clone.transport.fetch(at, f"+{route.there}:{route.tracking}", *fence, *refspecs(route))
    # They may have moved since they were listed.
    for name, here in {route.there: route.tracking, FENCE: FENCE}.items():
        if name in listed:
            listed[name] = clone.workspace.git.ref(here) or ""
    if before and not clone.transport.holds(listed[route.there], before):
        raise DroppedError(f"The history of {route.name} was rewritten.")
    return listed


def _reset(clone: Clone) -> None:
    clone.workspace.cgit.run("reset", "--quiet", "--hard", clone.tip)
    exchange(clone.workspace, clone.route, clone.listed)


def send(clone: Clone, name: str, ready: Callable[[str], None]) -> bool:
    """Pushes what was done, with a fence; what others have pushed is merged by meaning. False if an
    older generation has done the same meanwhile. `ready` is called with the fence before each push.
    """
    mark = f"{name} {secrets.token_hex()}\n".encode()
    fence = clone.workspace.cgit.text("hash-object", "-w", "--stdin", stdin=mark).strip()
    for _ in range(_TRIES):
        given = exchange(clone.workspace, clone.route, clone.listed)
        head = clone.workspace.git.tip or ""
        if head == clone.tip and not given.refspecs:
            return True
        ready(fence)
        if _pushed(clone, head, fence, given.refspecs):
            clone.listed[FENCE] = fence
            return True
        now = _fetched(clone)
        clone.listed.clear()
        clone.listed.update(now)
        if clone.has_done(name):
            return False
        if not clone.workspace.git.contains(head, clone.tip):
            bring_in(clone.workspace, clone.route, clone.tip)
    raise BusyError(
        f"{clone.route.name} keeps changing: others push to it all the time.",
        hint="It is tried again later.",
    )


def _pushed(clone: Clone, head: str, fence: str, more: tuple[str, ...]) -> bool:
    """False if somebody else was faster."""
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
