"""What few searches need, loaded when the first one does: models that read a question, and the chat
stores.
"""

from clawgit.ops.search.narrowing import expansion, read
from clawgit.ops.search.session_search import search_sessions

__all__ = ["expansion", "read", "search_sessions"]
