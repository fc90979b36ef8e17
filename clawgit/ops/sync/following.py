"""Follows a remote whose history was rewritten to forget words.

It is the only kind of rewrite that a sync follows, and only if the operator agrees.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

from clawgit.domain.forgetting.record import Forgetting
from clawgit.doors import tempfile
from clawgit.errors import ClawgitError
from clawgit.ops.forgetting.adopting import AdoptPlan, adopt, look_at_remote, plan_adoption
from clawgit.ops.forgetting.forget import Forgot
from clawgit.ops.sync.routes import Route
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.forgetting.forgotten import FORGOTTEN_REF
from clawgit.stores.git.remotes.transport import Transport

Agree = Callable[[AdoptPlan], bool]
"""Shows the operator what would be removed, and returns whether he agrees."""


class RewrittenError(ClawgitError):
    """The branch of a remote lacks commits that it had before."""

    kind = "rewritten"


def refuse_old_history(
    workspace: Workspace, route: Route, tip: str, transport: Transport, url: str
) -> None:
    """Raises if a remote still has commits that were rewritten here.

    They are fetched into a temporary folder: among our objects they would bring the forgotten words
    back, merged or not.
    """
    acts = [act for act in workspace.forgotten().acts if act.rewrote]
    if not acts or workspace.git.has(tip):
        return
    with tempfile.TemporaryDirectory(dir=workspace.place.shared) as folder:
        aside = transport.aside(Path(folder), workspace.place.common_dir / "objects")
        aside.fetch(url, route.there)
        stale = [act for act in acts if any(aside.holds(tip, oid) for oid in act.first)]
    if stale:
        raise _stale(route, stale)


def refuse_returned(workspace: Workspace, head: str) -> None:
    """Raises if a merge by plain git has brought the forgotten history back to this branch."""
    git = workspace.git
    rewritten = {oid for act in workspace.forgotten().acts if act.rewrote for oid in act.first}
    if any(git.has(oid) and git.contains(head, oid) for oid in rewritten):
        raise RewrittenError(
            "This branch has its old history again, with words that were forgotten here. Nothing "
            "was sent.",
            hint="At a terminal, the operator removes them once more: clawgit forget TEXT "
            "--history",
        )


def follow(
    workspace: Workspace, route: Route, tip: str, agree: Agree | None, *, dry_run: bool = False
) -> str:
    """Forgets here what was forgotten at the remote, if that is why its history was rewritten.

    Returns what the operator must know, "" if there was no such rewrite. Raises if nobody agreed,
    in a dry run, and if the remote still has what was forgotten here.
    """
    record = workspace.git.ref(route.tracked(FORGOTTEN_REF)) or ""
    if not record and not workspace.forgotten().acts:
        return ""
    history = look_at_remote(workspace, record, tip)
    if history.stale:
        raise _stale(route, history.stale)
    if not history.adopt:
        return ""
    plan = plan_adoption(workspace, record, history.adopt) if agree else None
    # A dry run only shows what would be removed.
    if plan is None or agree is None or not agree(plan) or dry_run:
        raise RewrittenError(
            f"{route.name} was rewritten by `clawgit forget`, which removed words from its "
            "history. Nothing was changed here.",
            hint="At a terminal, the operator removes the words here too: clawgit sync "
            "--adopt-forgotten",
        )
    return _summary(route, adopt(workspace, plan))


def _summary(route: Route, done: Forgot) -> str:
    left = "nothing of it is left" if done.proof and done.proof.is_clean else "some of it is left"
    return (
        f"words that {route.name} has forgotten were forgotten here too, and {left}; the backup "
        f"{done.backup} still holds them: delete it when all is well"
    )


def _stale(route: Route, acts: Iterable[Forgetting]) -> RewrittenError:
    names = ", ".join(act.id for act in acts)
    return RewrittenError(
        f"{route.name} still holds what was forgotten here ({names}); to merge it would bring that "
        "back. If it also has commits that are not here, the clone that made them sends them again "
        "after its clawgit sync --adopt-forgotten.",
        hint=f"The operator overwrites it: git push --force {route.remote} "
        f"{route.branch}:{route.theirs} {FORGOTTEN_REF}",
    )
