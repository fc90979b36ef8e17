"""The policy under which the soul may change."""

from clawgit.config.load import load
from clawgit.domain.change.authority import LOCKED, strictest
from clawgit.domain.markdown.decoding import exact_text
from clawgit.ops.workspace.workspace_base import WorkspaceBase
from clawgit.stores.git.batch import Batch


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
    return strictest(workspace.config.settings.soul_policy, before.soul_policy)
