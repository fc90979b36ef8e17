"""Finds the lines of the soul that came from a correction, for a context that must cut the rest."""

from collections.abc import Sequence

from clawgit.domain.context.passage import ContextPassage
from clawgit.domain.markdown.tags import visible
from clawgit.domain.model.tokens import estimate_tokens
from clawgit.errors import ClawgitError
from clawgit.ops.soul.history import origins, protection, soul_history
from clawgit.ops.workspace.workspace import Workspace


def protected_texts(
    workspace: Workspace, soul: Sequence[ContextPassage], budget: int, commit: str = ""
) -> frozenset[str]:
    """Their texts, as a reader sees them. Empty, without a search, if the whole soul has room."""
    if sum(estimate_tokens(passage.text) for passage in soul) <= budget:
        return frozenset()
    try:
        with soul_history(workspace) as history:
            version = history.version_at(commit) if commit else history.current
            lines = [
                visible(origin.text).strip()
                for origin in origins(history, version)
                if protection(history, origin)
            ]
    except ClawgitError:
        # A context must not fail if the history cannot be read; then nothing is protected.
        return frozenset()
    return frozenset(filter(None, lines))
