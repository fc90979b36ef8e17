"""Records what a search showed to a caller, so that what is retrieved often can be promoted."""

import hashlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.ops.workspace.state import state_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.access import ShownAnswer, ShownHit, record

SESSIONS = "sessions"
"""The source of messages."""


class Showing(NamedTuple):
    """The question, its session, and the hits of the answer.

    Only likely hits of this memory count. Promoting those of another agent is that agent's
    business, and messages are no memory.
    """

    query: str
    session: str
    results: Iterable[Mapping[str, Any]]


def note_shown(
    workspace: Workspace, query: str, session: str, results: Iterable[Mapping[str, Any]]
) -> None:
    """Records the hits of one answer. An error is ignored, since the answer was already given."""
    note_all(workspace, (Showing(query, session, results),))


def note_all(workspace: Workspace, showings: Iterable[Showing]) -> None:
    """The same for many answers: one transaction takes as long for all as for one."""
    answers = [
        ShownAnswer(query, session, hits)
        for query, session, results in showings
        if (hits := [_shown(hit) for hit in results if _counts(hit)])
    ]
    if not answers:
        return
    with suppress(ClawgitError), state_of(workspace) as state:
        record(state, answers, workspace.now)


def _counts(hit: Mapping[str, Any]) -> bool:
    return hit["likely"] and not hit["agent"] and hit["source"] != SESSIONS


def _shown(hit: Mapping[str, Any]) -> ShownHit:
    return ShownHit(hit["path"], hit["entryId"], _hash(hit["snippet"]))


def _hash(text: str) -> str:
    words = " ".join(text.split()).encode("utf-8", "surrogatepass")
    return hashlib.sha256(words).hexdigest()[:32]
