"""Changes the soul: takes one change back, restores a version, makes the operator's own edit."""

from clawgit.domain.change.authority import IDENTITY, SOUL
from clawgit.domain.change.history import PROPOSE, Intent
from clawgit.domain.markdown.amend import Amendment, amend
from clawgit.domain.soul.soul import section_changes
from clawgit.domain.soul.soul import summary as in_words
from clawgit.errors import NotFoundError, UsageError
from clawgit.ops.change import undo
from clawgit.ops.change.described import Change, described
from clawgit.ops.soul.history import soul_history
from clawgit.ops.workspace.operator import require_operator
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.worktree import read_file

Wish = Amendment | str
"""What the soul should become: an amendment, or the whole new text."""


def revert(
    workspace: Workspace, rev: str, *, path: str = SOUL, reason: str = "", dry_run: bool = False
) -> Change:
    """Takes back what one change did to the soul. Its other files and later changes stay."""
    history = soul_history(workspace, path)
    target = workspace.git.commit(history.resolve(rev))
    if history.versions.made_by(target.sha) is None:
        raise NotFoundError(
            f"{target.name} did not change {path}.", hint="`clawgit soul log` lists what did."
        )
    return undo.revert(workspace, target, path, reason, dry_run=dry_run)


def edit(
    workspace: Workspace,
    wish: Wish,
    reason: str,
    *,
    verb: str = "edit",
    path: str = SOUL,
    evidence: tuple[str, ...] = (),
    dry_run: bool = False,
) -> Change:
    """The operator's own change of the soul; or a proposal, which anybody may make, and which is
    stored until the operator approves or rejects it.
    """
    if verb != PROPOSE:
        why = "Propose it instead: clawgit soul propose --reason WHY …"
        require_operator(workspace.caller, "edit the soul", why)
    if not reason.strip():
        raise UsageError("A change to the soul needs a reason.", hint='Say why: --reason "…"')
    before = (read_file(workspace.root, path).data or b"").decode("utf-8", "replace")
    summary = f"{path}: {in_words(section_changes(before, _granted(before, wish)))}"
    intent = Intent(workspace.caller.actor, verb, summary, reason, evidence)
    with workspace.git.transaction(intent, workspace.now, dry_run=dry_run) as tx:
        tx.put(path, _granted(tx.read_text(path) or "", wish))
    return described(tx, dry_run=dry_run, of=path)


def _granted(text: str, wish: Wish) -> str:
    """A text as it is wished for."""
    return amend(text, wish) if isinstance(wish, Amendment) else wish


def soul_path(*, identity: bool) -> str:
    return IDENTITY if identity else SOUL
