"""`memory search --agent` and `--all-agents`: each memory asked within its own index, merged by absolute scores."""

from dataclasses import replace
from time import perf_counter

from clawgit.errors import ClawgitError
from clawgit.ops.scope import same_folder, shared_memory
from clawgit.ops.search import Answer, Request, Searcher
from clawgit.ops.shared_search import told_of
from clawgit.ops.workspace import Workspace
from clawgit.ops.workspaces import known, may_read, reached
from clawgit.stores.index.discover import SHARED


def search_agent(workspace: Workspace, request: Request, agent: str) -> Answer:
    """The memory of one other agent. Who may not read it is refused."""
    return _asked(reached(workspace, agent), request, agent)


def search_agents(workspace: Workspace, request: Request) -> Answer:
    """All memories that the caller may read, and what the agents share; who was left out, and why, is in `fallback`."""
    started = perf_counter()
    agents = known(workspace.caller).agents
    names = {one.agent: may_read(workspace, one.path) for one in agents}
    if not any(same_folder(one.path, workspace.root) for one in agents):
        names[workspace.root.name] = True
    shut = [name for name, may in names.items() if not may]
    notes = [f"not in allow_paths: {', '.join(shut)}"] if shut else []
    answers: list[Answer] = []
    for name in [*(name for name, may in names.items() if may), *([SHARED] if shared_memory(workspace) else [])]:
        here = not any(one.agent == name for one in agents) and name != SHARED
        try:
            found = _asked(workspace if here else reached(workspace, name), request, name)
        except ClawgitError as error:
            notes.append(f"{name}: {error.message}")
            continue
        answers.append(found)
        notes += [f"{name}: {found.fallback}"] if found.fallback else []
    limit = workspace.config.settings.max_results if request.limit is None else request.limit
    merged = replace(_merged(answers, limit), fallback="; ".join(notes) or None)
    return replace(merged, elapsedMs=round((perf_counter() - started) * 1000, 2))


def _asked(of: Workspace, request: Request, agent: str) -> Answer:
    with Searcher(of, beside=False) as searcher:
        found = searcher.answer(request)
    source = SHARED if agent == SHARED else ""
    return replace(found, results=tuple(told_of(hit, agent, of.root, source) for hit in found.results))


def _merged(answers: list[Answer], limit: int) -> Answer:
    """With the model of the first; `indexedAt` is nobody's where there are several."""
    if not answers:
        return Answer((), "sqlite", "fts5", "core", None, "", 0, 0.0)
    hits = sorted((hit for one in answers for hit in one.results), key=lambda hit: hit.score, reverse=True)
    return replace(
        answers[0],
        results=tuple(hits[:limit]),
        indexedAt=answers[0].indexedAt if len(answers) == 1 else "",
        behind=sum(one.behind for one in answers),
    )
