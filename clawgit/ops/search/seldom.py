"""What few searches need, loaded with the first that does: kinds, messages and history."""

from clawgit.ops.change.history import state
from clawgit.ops.search.narrowing import narrowed, read_narrowing, untagged
from clawgit.ops.search.session_search import search_sessions
from clawgit.stores.index.past import PastIndex

__all__ = [
    "PastIndex",
    "narrowed",
    "read_narrowing",
    "search_sessions",
    "state",
    "untagged",
]
