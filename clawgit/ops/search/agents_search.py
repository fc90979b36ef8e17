"""`memory search --agent` and `--all-agents`: each memory is searched in its own index."""

from functools import partial
from time import perf_counter

from clawgit.errors import ClawgitError, UsageError
from clawgit.ops.search.answer import noted
from clawgit.ops.search.search import Request, SearchAnswer, Searcher, foreign_hits, merged
from clawgit.ops.workspace.reach import is_shared_memory, known, same_folder, shared_memory
from clawgit.ops.workspace.workspace import Workspace
from clawgit.ops.workspace.workspaces import may_read, reached
from clawgit.stores.index.discover import SESSIONS, SHARED

_NOBODY = SearchAnswer((), "sqlite", "fts5", "core", None, "", 0, 0.0)


def search_agent(workspace: Workspace, request: Request, agent: str) -> SearchAnswer:
    """Searches the memory of one other agent; refused if the caller may not read it."""
    return _asked(reached(workspace, agent), request, agent)


def search_agents(workspace: Workspace, request: Request) -> SearchAnswer:
    """Searches all memories that the caller may read, and the shared one.

    `fallback` says what was left out, and why.
    """
    started, agents, root = perf_counter(), known(workspace.caller), workspace.root
    shut = [agent.agent for agent in agents if not may_read(workspace, agent.path)]
    notes = [f"not in allow_paths: {', '.join(shut)}"] if shut else []
    names = [agent.agent for agent in agents if agent.agent not in shut]
    names += [SHARED] if shared_memory(workspace) else []
    memories = [(name, partial(reached, workspace, name)) for name in names]
    # The caller's own goes by the name of its folder, if it has no other.
    is_named = any(same_folder(agent.path, root) for agent in agents)
    if not (is_named or is_shared_memory(workspace)):
        memories.append((root.name, partial(_itself, workspace)))
    answers: list[SearchAnswer] = []
    for name, memory in memories:
        try:
            answer = _asked(memory(), request, name)
        except ClawgitError as error:
            notes.append(f"{name}: {error.message}")
            continue
        answers.append(answer)
        if answer.fallback:
            notes.append(f"{name}: {answer.fallback}")
    limit = workspace.config.settings.max_results if request.limit is None else request.limit
    whole = merged(answers, limit) if answers else _NOBODY
    return whole._replace(
        indexedAt=whole.indexedAt if len(answers) == 1 else "",
        outside=whole.outside if len(answers) == 1 else None,
        fallback=noted(*notes),
        elapsedMs=round((perf_counter() - started) * 1000, 2),
    )


def _itself(workspace: Workspace) -> Workspace:
    return workspace


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
