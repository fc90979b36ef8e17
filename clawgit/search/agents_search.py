"""`memory search --agent` and `--all-agents`: each memory is searched in its own index."""

from collections.abc import Container, Sequence
from time import perf_counter

from clawgit.core.errors import ClawgitError, UsageError
from clawgit.search.answer import noted
from clawgit.search.search import Request, SearchAnswer, Searcher, foreign_hits, merged
from clawgit.workspace.discover import SESSIONS, SHARED
from clawgit.workspace.reach import Known, is_shared_memory, known, same_folder, shared_memory
from clawgit.workspace.workspace import Workspace
from clawgit.workspace.workspaces import may_read, reached

_NOBODY = SearchAnswer((), "sqlite", "fts5", "core", None, "", 0, 0.0)


def search_agent(workspace: Workspace, request: Request, agent: str) -> SearchAnswer:
    """Searches the memory of one other agent; refused if the caller may not read it."""
    return _asked(reached(workspace, agent), request, agent)


def search_agents(workspace: Workspace, request: Request) -> SearchAnswer:
    """Searches all memories that the caller may read, and the shared one.

    `fallback` says what was left out, and why.
    """
    started, agents = perf_counter(), known(workspace.caller)
    shut = [agent.agent for agent in agents if not may_read(workspace, agent.path)]
    notes = [f"not in allow_paths: {', '.join(shut)}"] if shut else []
    own = _own_name(workspace, agents)
    answers: list[SearchAnswer] = []
    for name in (*_names(workspace, agents, shut), *own):
        try:
            of = workspace if name in own else reached(workspace, name)
            answer = _asked(of, request, name)
        except ClawgitError as error:
            notes.append(f"{name}: {error.message}")
            continue
        answers.append(answer)
        if answer.fallback:
            notes.append(f"{name}: {answer.fallback}")
    limit = workspace.config.settings.max_results if request.limit is None else request.limit
    whole = merged(answers, limit) if answers else _NOBODY
    if len(answers) > 1:
        whole = whole._replace(indexedAt="", outside=None)
    return whole._replace(
        fallback=noted(*notes),
        elapsedMs=round((perf_counter() - started) * 1000, 2),
    )


def _names(workspace: Workspace, agents: Sequence[Known], shut: Container[str]) -> list[str]:
    """The agents whose memories are searched, and the shared one."""
    names = [agent.agent for agent in agents if agent.agent not in shut]
    return [*names, SHARED] if shared_memory(workspace) else names


def _own_name(workspace: Workspace, agents: Sequence[Known]) -> list[str]:
    """The caller's own memory goes by the name of its folder, if it has no other."""
    is_named = any(same_folder(agent.path, workspace.root) for agent in agents)
    return [] if is_named or is_shared_memory(workspace) else [workspace.root.name]


def _asked(of: Workspace, request: Request, agent: str) -> SearchAnswer:
    if request.source == SESSIONS:
        raise UsageError(
            "Access to a memory does not include its agent's conversations.",
            hint=f"Search them in {of.root}.",
        )
    with Searcher(of, beside=False) as searcher:
        answer = searcher.answer(request)
    source = SHARED if agent == SHARED else ""
    return answer._replace(results=foreign_hits(answer.results, agent, of.root, source))
