"""What a sync does where something was forgotten, here or at the remote: the one case in which a
rewritten remote is followed.
"""

from collections.abc import Callable

from clawgit.domain.forgetting.record import Forgotten
from clawgit.errors import ClawgitError
from clawgit.ops.forgetting.adopting import AdoptPlan, adopt, look_at_remote, plan_adoption
from clawgit.ops.forgetting.forget import Forgot, publish
from clawgit.ops.forgetting.forgotten import forgotten
from clawgit.ops.sync.routes import Route
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.forgotten import FORGOTTEN_REF, forgotten_at

Agree = Callable[[AdoptPlan], bool]
"""Asks the operator whether a rewrite of the remote is to be followed."""


class ForgottenThereError(ClawgitError):
    """The histories differ by what the operator had forgotten on one of the sides."""

    kind = "forgotten"


def refuse_old_tip(workspace: Workspace, route: Route, tip: str) -> None:
    """Raises before anything is fetched where the remote holds what a rewrite here replaced."""
    for act in forgotten(workspace).acts:
        if tip in {old for old, _ in act.tips.values()}:
            raise _stale(route)


def settled(
    workspace: Workspace, route: Route, tip: str, record: str, agree: Agree | None
) -> Forgot | None:
    """Adopts a rewrite of the remote, if the operator agrees; None where there is none to adopt.

    `record` is the commit of the remote's record, "" if it has none. Raises where the remote still
    has forgotten words, or where nobody agrees.
    """
    seen = look_at_remote(workspace, record, tip)
    if seen.stale:
        raise _stale(route)
    if not seen.adopt:
        return None
    plan = None if agree is None else plan_adoption(workspace, record, seen.adopt)
    if agree is None or plan is None or not agree(plan):
        raise ForgottenThereError(
            f"{route.name} was rewritten: its operator had something forgotten. Nothing was moved "
            "here.",
            hint="clawgit sync --adopt-forgotten forgets the same here, at a terminal.",
        )
    return adopt(workspace, plan)


def exchanged(workspace: Workspace, record: str) -> tuple[str, ...]:
    """Joins the records of both sides here; the refspecs by which the remote gets it, too."""
    ours = forgotten(workspace)
    theirs = forgotten_at(workspace.cgit, record) if record else Forgotten()
    both = ours.united(theirs)
    if both != ours:
        publish(workspace, both)
    if both == theirs:
        return ()
    # It holds all that the remote's has, so nothing is lost where that is on another line.
    return (f"+{workspace.git.ref(FORGOTTEN_REF)}:{FORGOTTEN_REF}",)


def _stale(route: Route) -> ForgottenThereError:
    return ForgottenThereError(
        f"{route.name} still has what was forgotten here. Merged, it would come back; nothing was "
        "moved.",
        hint=f"git push --force {route.remote} {route.branch}:{route.theirs} {FORGOTTEN_REF}",
    )
