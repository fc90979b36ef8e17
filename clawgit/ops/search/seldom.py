"""What few searches need, loaded with the first that does: models that read a question, the chat
stores, and history.
"""

from clawgit.ops.change.history import state
from clawgit.ops.search.narrowing import read, untagged
from clawgit.ops.search.session_search import search_sessions
from clawgit.stores.index.past import open_past

__all__ = ["open_past", "read", "search_sessions", "state", "untagged"]
