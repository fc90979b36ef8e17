"""`memory search --agent` and `--all-agents`: each memory asked within its own index, merged by
absolute scores.
"""

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import replace
from functools import partial
from time import perf_counter

from clawgit.errors import ClawgitError
from clawgit.ops.search.search import Answer, Request, Searcher
from clawgit.ops.search.shared_search import told_of
from clawgit.ops.workspace.known_agents import Known, known
from clawgit.ops.workspace.reach import is_shared_memory, same_folder, shared_memory
from clawgit.ops.workspace.workspace import Workspace
from clawgit.ops.workspace.workspaces import may_read, reached
from clawgit.stores.index.discover import SHARED


def search_agent(workspace: Workspace, request: Request, agent: str) -> Answer:
    """The memory of one other agent. Who may not read it is refused."""
    return _asked(reached(workspace, agent), request, agent)


def search_agents(workspace: Workspace, request: Request) -> Answer:
    """All memories that the caller may read, and what the agents share; who was left out, and why,
    is in `fallback`.
    """
    started = perf_counter()
    agents = known(workspace.caller).agents
    shut = [one.agent for one in agents if not may_read(workspace, one.path)]
    notes = [f"not in allow_paths: {', '.join(shut)}"] if shut else []
    answers: list[Answer] = []
    for name, reach in _ways(workspace, agents, shut):
        try:
            found = _asked(reach(), request, name)
        except ClawgitError as error:
            notes.append(f"{name}: {error.message}")
            continue
        answers.append(found)
        notes += [f"{name}: {found.fallback}"] if found.fallback else []
    limit = workspace.config.settings.max_results if request.limit is None else request.limit
    merged = replace(_merged(answers, limit), fallback="; ".join(notes) or None)
    return replace(merged, elapsedMs=round((perf_counter() - started) * 1000, 2))


def _ways(
    workspace: Workspace, agents: Iterable[Known], shut: Container[str]
) -> Iterator[tuple[str, Callable[[], Workspace]]]:
    """Whom to ask, and how each is reached: oneself by the name of the folder where nobody names it
    otherwise.
    """
    for one in agents:
        if one.agent not in shut:
            yield one.agent, partial(reached, workspace, one.agent)
    if shared_memory(workspace):
        yield SHARED, partial(reached, workspace, SHARED)
    if not (
        is_shared_memory(workspace) or any(same_folder(one.path, workspace.root) for one in agents)
    ):
        yield workspace.root.name, lambda: workspace


def _asked(of: Workspace, request: Request, agent: str) -> Answer:
    with Searcher(of, beside=False) as searcher:
        found = searcher.answer(request)
    source = SHARED if agent == SHARED else ""
    return replace(
        found, results=tuple(told_of(hit, agent, of.root, source) for hit in found.results)
    )


def _merged(answers: list[Answer], limit: int) -> Answer:
    """With the model of the first; `indexedAt` is nobody's where there are several."""
    if not answers:
        return Answer((), "sqlite", "fts5", "core", None, "", 0, 0.0)
    hits = sorted(
        (hit for one in answers for hit in one.results), key=lambda hit: hit.score, reverse=True
    )
    return replace(
        answers[0],
        results=tuple(hits[:limit]),
        indexedAt=answers[0].indexedAt if len(answers) == 1 else "",
        behind=sum(one.behind for one in answers),
    )
