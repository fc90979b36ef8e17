"""How the tokens of a context are counted: by the tokenizer of the settings, or by an estimate."""

from typing import NamedTuple

from clawgit.domain.context.slot import Count
from clawgit.domain.model.tokens import estimate_tokens
from clawgit.errors import ClawgitError
from clawgit.ops.workspace.reach import expanded
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.tokenizer import counter

ESTIMATE = "estimate"


class Counting(NamedTuple):
    """`by` is the estimate or the tokenizer's file; `note` says why the tokenizer is not used."""

    count: Count
    by: str
    note: str = ""


def counting(workspace: Workspace) -> Counting:
    named = workspace.config.settings.tokenizer
    if not named:
        return Counting(estimate_tokens, ESTIMATE)

    try:
        return Counting(counter(expanded(workspace, named)), named)
    except ClawgitError as error:
        return Counting(
            estimate_tokens, ESTIMATE, f"tokens are estimated: {error.message} {error.hint}"
        )
