"""What a search is narrowed to and what is added to its words: nothing, until somebody asks for
it.
"""

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from clawgit.ops.search.asking import Aliases, Narrowing, Ranked
from clawgit.ops.workspace.workspace import Workspace

if TYPE_CHECKING:
    from clawgit.domain.search.query_intent import Test


def narrowed(ranked: Callable[["Test | None"], Ranked], narrowing: Narrowing) -> Ranked:
    """What passes the strictest test that anything passes."""
    every: list[Test | None] = [*narrowing.tests, *([] if narrowing.demanded else [None])]
    for test in every[:-1]:
        found = ranked(test)
        if found.hits:
            return found
    return ranked(every[-1])


def narrowing_of(
    workspace: Workspace, query: str, now: datetime, category: str, *, smart: bool
) -> Narrowing:
    """UsageError where there is no such category."""
    if not (category or smart):
        return Narrowing()
    from clawgit.ops.search.narrowing import read  # noqa: PLC0415 - 30 ms of patterns that most do not need

    return read(workspace, query, now, category, smart=smart)


def other_words(workspace: Workspace, query: str) -> tuple[Aliases, str]:
    """Other words for those of a question, where the settings ask for them; and why there are none,
    if that failed.
    """
    if not workspace.config.settings.query_expansion:
        return {}, ""
    from clawgit.ops.search.narrowing import expansion  # noqa: PLC0415 - few have it

    return expansion(workspace, query)
