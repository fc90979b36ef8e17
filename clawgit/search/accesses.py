"""Records what a search showed to a caller, so that what is retrieved often can be promoted."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from clawgit.core.errors import ClawgitError
from clawgit.search.stores.access import Showing, record
from clawgit.workspace.discover import SESSIONS
from clawgit.workspace.state import state_of
from clawgit.workspace.workspace import Workspace

__all__ = ["Showing", "note_shown"]


def note_shown(workspace: Workspace, *showings: Showing) -> None:
    """Records the likely hits of some answers, in one transaction. An error is ignored, since the
    answers were already given.
    """
    told = [one._replace(results=[*filter(_counts, one.results)]) for one in showings]
    if any(one.results for one in told):
        with suppress(ClawgitError), state_of(workspace) as state:
            record(state, told, workspace.now)


def _counts(hit: Mapping[str, Any]) -> bool:
    """Whether a hit is of this memory. Promoting those of another agent is that agent's business,
    and messages are no memory.
    """
    return hit["likely"] and not hit["agent"] and hit["source"] != SESSIONS
