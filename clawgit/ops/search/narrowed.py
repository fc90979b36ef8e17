"""What a search is narrowed to, and what is added to its words, if somebody asks for it: a kind of
memory, a state of the past, or what was said in conversations.
"""

from collections.abc import Callable
from datetime import datetime
from types import ModuleType
from typing import TYPE_CHECKING

from clawgit.config.settings import Settings
from clawgit.ops.search.answer import Request, SearchAnswer
from clawgit.ops.search.asking import Narrowing, Ranked
from clawgit.ops.search.indexing import chunking_of
from clawgit.ops.workspace.reach import reach_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.cgit import CGit
from clawgit.stores.index.reading import IndexReader

if TYPE_CHECKING:
    from clawgit.domain.search.query_intent import Test  # 30 ms of patterns
    from clawgit.stores.git.revisions import State
    from clawgit.stores.index.past import PastIndex


def narrowed(ranked: Callable[["Test | None"], Ranked], narrowing: Narrowing) -> Ranked:
    """The hits that pass the strictest test that any hit passes."""
    tests: list[Test | None] = [*narrowing.tests]
    if not narrowing.demanded:
        tests.append(None)
    for test in tests[:-1]:
        answer = ranked(test)
        if answer.reaching:
            return answer
    return ranked(tests[-1])


def narrowing_of(
    workspace: Workspace, query: str, now: datetime, category: str, *, smart: bool
) -> Narrowing:
    """How a search is narrowed. UsageError if the category is no word."""
    if not (category or smart):
        return Narrowing()
    narrowing: Narrowing = _seldom().read(workspace, query, now, category, smart=smart)
    return narrowing


def untagged(index: IndexReader, tag: str) -> str:
    """Why nothing was found that has a tag; "" if none was demanded."""
    why: str = _seldom().untagged(index, tag) if tag else ""
    return why


def of_sessions(
    workspace: Workspace, request: Request, settings: Settings, now: datetime
) -> SearchAnswer:
    """The messages that answer a question, from the chat store."""
    answer: SearchAnswer = _seldom().search_sessions(workspace, request, settings, now)
    return answer


def then(workspace: Workspace, at: str) -> "State":
    """The state of the workspace that a question is about."""
    asked: State = _seldom().state(workspace, at)
    return asked


def past_index(workspace: Workspace, commit: str, sources: frozenset[str]) -> "PastIndex":
    """The memory as it was at a commit."""
    git = CGit(workspace.root, workspace.caller.env)
    index: PastIndex = _seldom().open_past(
        workspace.place, git, commit, reach_of(workspace), chunking_of(workspace), sources=sources
    )
    return index


def _seldom() -> ModuleType:
    from clawgit.ops.search import seldom  # noqa: PLC0415 - 30 ms, and most searches do without

    return seldom
