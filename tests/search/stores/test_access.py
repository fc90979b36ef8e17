"""The access log: what was shown, bounded, cheap, and never in the way of an answer."""

from datetime import datetime, timedelta
from typing import NamedTuple

import pytest

from clawgit.core.errors import ClawgitError
from clawgit.search.stores.access import Showing, frequent, record
from clawgit.workspace.stores.state import State
from tests.conftest import NOW


class Hit(NamedTuple):
    path: str
    entry: str
    snippet: str


TEA = Hit("MEMORY.md", "m7k2q9", "Ana drinks tea.")
LOOSE = Hit("memory/2026-02-13.md", "", "Tea is out.")


def _note(state: State, query: str, session: str, hits: list[Hit], now: datetime) -> None:
    shown = [{"path": hit.path, "entryId": hit.entry, "snippet": hit.snippet} for hit in hits]
    record(state, [Showing(query, session, shown)], now)


def test_what_comes_up_often_and_in_several_sessions_is_frequent(state: State) -> None:
    for hour, (session, query) in enumerate(
        [("a", "tea"), ("a", "drink"), ("b", "tea"), ("b", "tea")]
    ):
        _note(
            state,
            query,
            session,
            [TEA._replace(path=f"memory/{hour}.md"), LOOSE],
            NOW + timedelta(hours=hour),
        )
    for _ in range(9):
        _note(state, "the same again", "a", [Hit("MEMORY.md", "odd222", "The same.")], NOW)
    assert frequent(state) == {TEA.entry: (3, 2), "odd222": (1, 1)}


def test_a_state_that_cannot_be_written_is_said_and_hurts_nothing(state: State) -> None:
    _note(state, "tea", "s", [TEA], NOW)
    state.query("PRAGMA query_only = ON")
    with pytest.raises(ClawgitError):
        _note(state, "tea", "s", [TEA], NOW)
    state.query("PRAGMA query_only = OFF")
    _note(state, "tea", "s", [TEA], NOW)
    assert state.query("SELECT count(*) FROM search_hit") == [(2,)]
