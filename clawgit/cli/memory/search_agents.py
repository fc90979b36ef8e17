"""The search in other agents' memory, for `memory search`."""

from collections.abc import Mapping
from typing import Any

from clawgit.cli import output
from clawgit.ops.search.agents_search import search_agent
from clawgit.ops.search.agents_search import search_agents as search_all_agents
from clawgit.ops.search.answer import Request
from clawgit.ops.workspace.workspace import Workspace


def search_agents(ws: Workspace, request: Mapping[str, Any], agent: str) -> dict[str, Any]:
    """Searches the memory of the named agent; without a name, of each agent that the caller may
    read.
    """
    wanted = Request(**request)
    with output.progress("searching"):
        answer = search_agent(ws, wanted, agent) if agent else search_all_agents(ws, wanted)
    hits: dict[str, Any] = output.jsonable(answer)
    return hits
