"""The first look of a sync.

Mostly nothing is new on either side, and then the code that moves a branch need not be loaded.
"""

from typing import TYPE_CHECKING, NamedTuple

from clawgit.domain.safety.remotes import shown_address
from clawgit.ops.sync.routes import Route, patterns, refspecs, route_of, travels
from clawgit.ops.sync.synced import IN_SYNC, Listed, Synced, Tell, away, with_message
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.dirt import pause, scan
from clawgit.stores.git.forgetting.forgotten import FORGOTTEN_REF
from clawgit.stores.git.leftovers import may_need_recovery
from clawgit.stores.git.looked import FOLLOWED, noted
from clawgit.stores.git.remotes.refusals import OfflineError, RemoteError
from clawgit.stores.git.remotes.transport import Transport, local_path

if TYPE_CHECKING:
    from clawgit.ops.sync.following import Agree


class Wishes(NamedTuple):
    """The options of a sync. `prompts`: somebody is there to type a password."""

    remote: str
    dry_run: bool
    prompts: bool
    tell: Tell
    agree: "Agree | None"


class Line(NamedTuple):
    """How a branch is connected with that of a remote."""

    route: Route
    transport: Transport
    fetch_from: str
    push_to: str


class Glance(NamedTuple):
    """The result of a first look: `done` if there is nothing to do.

    The rest is what it opened and read, for use by the sync.
    """

    line: Line | None = None
    listed: Listed | None = None
    done: Synced | None = None


def glance(workspace: Workspace, wishes: Wishes) -> Glance:
    head, branch = _clean(workspace)
    line = open_line(workspace, branch, wishes) if branch else None
    ours = _known(workspace, line, head) if line else None
    if line is None or ours is None:
        return Glance(line)
    so_far = Synced(IN_SYNC, "", remote=line.route.remote, branch=line.route.theirs)
    wishes.tell(asking(line.route))
    try:
        listed = line.transport.listed(line.fetch_from, line.route.there, *patterns())
    except OfflineError as error:
        return Glance(line, done=away(so_far, error, was_met=True))
    is_same = listed == {line.route.there: head, **ours}
    return Glance(line, listed, with_message(so_far) if is_same else None)


def _clean(workspace: Workspace) -> tuple[str, str]:
    """The commit and the branch of HEAD if everything is committed; else empty."""
    place = workspace.place
    if may_need_recovery(place) or pause(place.git_dir):
        return "", ""
    dirt = scan(workspace.cgit, workspace.scope)
    # After a merge by plain git there may be work to do first.
    if dirt.paths or dirt.conflicted or noted(place, FOLLOWED) != dirt.head:
        return "", ""
    return dirt.head or "", dirt.branch or ""


def open_line(workspace: Workspace, branch: str, wishes: Wishes) -> Line | None:
    """Opens the line to the remote; None if there is no remote."""
    transport = Transport(workspace.root, workspace.caller.env, prompts=wishes.prompts)
    setting = workspace.config.settings.sync_remote
    route = route_of(transport.configured, branch, wishes.remote, setting)
    if route is None:
        return None
    urls = transport.addresses(route.remote)
    for url in urls:
        _refuse_inside(workspace, url)
    return Line(route, transport, *urls)


def asking(route: Route) -> str:
    return f"asking {route.remote} what is new"


def is_settled(line: Line) -> bool:
    """Whether plain git knows the remote's branch, and fetches the proposals too."""
    known, route = line.transport.configured, line.route
    fetched = known.values(f"remote.{route.remote}.fetch")
    return bool(known.last(f"branch.{route.branch}.remote")) and {*refspecs(route)} <= {*fetched}


def _known(workspace: Workspace, line: Line, head: str) -> dict[str, str] | None:
    """The proposals and similar refs that both sides had after the last sync; None if this side has
    changed since, or if a full sync is needed to know.
    """
    route = line.route
    shape = "--format=%(refname) %(objectname)"
    rows = workspace.cgit.text("for-each-ref", shape, "refs/clawgit", route.tracking).splitlines()
    refs = dict(row.split(" ") for row in rows)
    if FORGOTTEN_REF in refs or not is_settled(line):
        return None
    ours = {name: oid for name, oid in refs.items() if travels(name)}
    left = {route.tracked(name): oid for name, oid in ours.items()}
    left |= {route.seen: head, route.tracking: head}
    theirs = _below((route.shared(), route.tracking), refs)
    return ours if theirs == left else None


def _below(prefixes: tuple[str, ...], refs: Listed) -> Listed:
    return {name: oid for name, oid in refs.items() if name.startswith(prefixes)}


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
