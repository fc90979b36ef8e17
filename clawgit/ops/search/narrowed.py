"""What a search is narrowed to, and what is added to its words, if somebody asks for it."""

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from clawgit.ops.search.asking import Aliases, Narrowing, Ranked
from clawgit.ops.workspace.workspace import Workspace

if TYPE_CHECKING:
    from clawgit.domain.search.query_intent import Test  # 30 ms of patterns


def narrowed(ranked: Callable[["Test | None"], Ranked], narrowing: Narrowing) -> Ranked:
    """What passes the strictest test that anything passes."""
    tests: list[Test | None] = [*narrowing.tests]
    if not narrowing.demanded:
        tests.append(None)
    for test in tests[:-1]:
        answer = ranked(test)
        if answer.hits:
            return answer
    return ranked(tests[-1])


def narrowing_of(
    workspace: Workspace, query: str, now: datetime, category: str, *, smart: bool
) -> Narrowing:
    """UsageError if there is no such category."""
    if not (category or smart):
        return Narrowing()
    from clawgit.ops.search.narrowing import read  # noqa: PLC0415 - 30 ms of patterns that most do not need

    return read(workspace, query, now, category, smart=smart)


def other_words(workspace: Workspace, query: str) -> tuple[Aliases, str]:
    """Other words for those of a question, if the settings ask for it; and why there are none."""
    if not workspace.config.settings.query_expansion:
        return {}, ""
    from clawgit.ops.search.narrowing import expansion  # noqa: PLC0415 - few have it

    return expansion(workspace, query)
