"""What few searches need, loaded with the first that does: models that read a question, the chat
stores, and history.
"""

from clawgit.ops.change.history import state
from clawgit.ops.search.narrowing import expansion, read
from clawgit.ops.search.session_search import search_sessions

__all__ = ["expansion", "read", "search_sessions", "state"]
