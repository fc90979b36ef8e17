"""Keeps apart two histories of which one was rewritten to forget words, until the other one is."""

from collections.abc import Iterable
from functools import partial
from pathlib import Path

from clawgit.domain.forgetting.record import Forgetting, Forgotten
from clawgit.doors import tempfile
from clawgit.errors import ClawgitError
from clawgit.ops.sync.routes import Route
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.forgotten import FORGOTTEN_REF, forgotten_at
from clawgit.stores.git.remotes.transport import Transport


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


def refuse_unlike(workspace: Workspace, route: Route, tip: str) -> None:
    """Raises if words were forgotten in the history of one side that the other side still has."""
    fetched = workspace.git.ref(route.tracked(FORGOTTEN_REF)) or ""
    git, ours = workspace.cgit, workspace.forgotten()
    theirs = forgotten_at(git, fetched) if fetched else Forgotten()
    # By C git, which sees what a rewrite has just packed anew.
    has = partial(_answers, git, "cat-file", "-e")
    kept = ours.united(theirs).kept_in(lambda oid: _answers(git, *_IS_IN, oid, tip))
    if kept:
        raise _stale(route, kept)
    if theirs.kept_in(has):
        raise RewrittenError(
            f"{route.name} was rewritten by `clawgit forget`, which removed words from its "
            "history. Nothing was changed here.",
            hint="At a terminal, the operator removes the same words here: clawgit forget TEXT "
            "--history, then clawgit sync",
        )


_IS_IN = ("merge-base", "--is-ancestor")


def _answers(git: CGit, *question: str) -> bool:
    return git.call(*question, ok=(0, 1, 128))[0] == 0


def _stale(route: Route, acts: Iterable[Forgetting]) -> RewrittenError:
    names = ", ".join(act.id for act in acts)
    return RewrittenError(
        f"{route.name} still holds what was forgotten here ({names}); to merge it would bring that "
        "back. If it also has commits that are not here, the clone that made them sends them again "
        "after the same clawgit forget there.",
        hint=f"The operator overwrites it: git push --force {route.remote} "
        f"{route.branch}:{route.theirs} {FORGOTTEN_REF}",
    )
