"""How the tokens of a context are counted: exactly, by the tokenizer that the settings name, or by
a safe estimate.
"""

from typing import NamedTuple

from clawgit.domain.context.context import Count
from clawgit.domain.model.tokens import estimate_tokens
from clawgit.errors import ClawgitError
from clawgit.ops.workspace.reach import expanded
from clawgit.ops.workspace.workspace import Workspace

ESTIMATE = "estimate"


class Counting(NamedTuple):
    """`by` is the estimate or the file; `note` says why it is not what was asked for."""

    count: Count
    by: str
    note: str = ""


def counting(workspace: Workspace) -> Counting:
    named = workspace.config.settings.tokenizer
    if not named:
        return Counting(estimate_tokens, ESTIMATE)
    from clawgit.stores.tokenizer import counter  # noqa: PLC0415 - few name one

    try:
        return Counting(counter(expanded(workspace, named)), named)
    except ClawgitError as error:
        return Counting(
            estimate_tokens, ESTIMATE, f"tokens are estimated: {error.message} {error.hint}"
        )
