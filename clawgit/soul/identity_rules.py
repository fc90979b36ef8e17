"""The rules for SOUL.md, IDENTITY.md and CORRECTIONS.md, and the policy under which the soul may
change.
"""

from collections.abc import Iterator

from clawgit.core.config.load import load
from clawgit.core.markdown.decoding import decoded, exact_text
from clawgit.git.batch import Batch
from clawgit.git.rules.authority import LOCKED, strictest
from clawgit.git.rules.history import FROM_HISTORY, Intent
from clawgit.soul.rules.guard import GuardVerdict, SoulEdit, SoulRules, judge, weakened
from clawgit.soul.versions import protected_lines, soul_history
from clawgit.talk.rules.corrections import CORRECTIONS, corrections
from clawgit.talk.rules.lost import TakenBack
from clawgit.workspace.workspace_base import WorkspaceBase


def soul_rules(workspace: WorkspaceBase, committed: str | None = None) -> SoulRules:
    """What the settings say about the soul. `committed`: those of HEAD, where they were read."""
    most = workspace.settings.soul_max_tokens
    return SoulRules(policy_in_force(workspace, committed), most)


def judged_edit(
    workspace: WorkspaceBase, intent: Intent, path: str, before: bytes | None, after: bytes | None
) -> GuardVerdict:
    """The guard's verdict on a change by clawgit itself."""
    edit = SoulEdit(
        path,
        decoded(before),
        decoded(after),
        intent.actor.is_operator,
        intent.evidence,
        restores=intent.verb in FROM_HISTORY,
    )
    return judge(with_origins(workspace, edit), soul_rules(workspace))


def with_origins(workspace: WorkspaceBase, edit: SoulEdit, at: str = "") -> SoulEdit:
    """The edit with the operator's lines, and his corrections.

    Both are read from a commit, HEAD if none is named, since the change itself could claim
    anything.
    """
    history = soul_history(workspace, edit.path)
    protected = protected_lines(history, history.version_at(at))
    if not protected:
        return edit
    known = corrections(decoded(Batch(workspace.cgit).data(f"{at or 'HEAD'}:{CORRECTIONS}")) or "")
    return edit._replace(protected=protected, corrections=known)


def weakened_lines(
    workspace: WorkspaceBase,
    path: str,
    texts: tuple[str | None, str | None],
    evidence: tuple[str, ...],
    at: str,
) -> Iterator[TakenBack]:
    """What a change would take back of the operator's lines in a file of the soul."""
    edit = with_origins(workspace, SoulEdit(path, *texts, evidence=evidence), at)
    for objection in weakened(edit):
        yield TakenBack(path, "", objection.message, objection.line)


def policy_in_force(workspace: WorkspaceBase, committed: str | None = None) -> str:
    """The stricter of the policy in force and the one in the last commit.

    So an agent cannot loosen it by editing CONFIG.md, even if no setting was ever accepted on this
    machine. `locked` if the settings cannot be read.
    """
    if any(problem.key in ("", "soul_policy") for problem in workspace.config.problems):
        return LOCKED
    if committed is None:
        committed = exact_text(Batch(workspace.cgit).data(f"HEAD:{workspace.config_file}"))
    before = load(committed, env={}).settings
    return strictest(workspace.settings.soul_policy, before.soul_policy)
