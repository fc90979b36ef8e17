"""The search in this process, for `memory search` if no warm process answers."""

from collections.abc import Mapping
from typing import Any

from clawgit.cli import output
from clawgit.ops.search.search import Request, search
from clawgit.ops.workspace.workspace import Workspace


def search_own(ws: Workspace, request: Mapping[str, Any]) -> dict[str, Any]:
    with output.progress("searching") as progress:
        hits: dict[str, Any] = output.jsonable(search(ws, Request(**request), progress))
    return hits
