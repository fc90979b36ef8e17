"""Answers the start of a Claude Code session with the context of the workspace."""

from collections.abc import Mapping
from typing import Any

from clawgit.ops.context.asking import ContextRequest
from clawgit.ops.context.context import context, whole
from clawgit.ops.workspace.workspace import Workspace

_CHARACTERS = 10_000
"""How much a hook may print. If it is more, Claude Code shows the model only a preview."""

_FIRST_BUDGET = 2_400


def answer(workspace: Workspace, session: str, event: Mapping[str, Any]) -> str:
    """As much of the context as Claude Code shows to the model."""
    if event.get("source") == "resume":
        return ""  # the model has it already
    budget = min(_FIRST_BUDGET, workspace.config.settings.context_budget_tokens)
    while budget:
        text = whole(context(workspace, ContextRequest(session=session, budget=budget)))
        if len(text) <= _CHARACTERS:
            return text
        # A token has no fixed number of characters, so the next budget follows the excess.
        budget = budget * _CHARACTERS // (len(text) + 1)
    return ""
