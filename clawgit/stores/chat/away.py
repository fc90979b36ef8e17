"""Whether the chat server was reached when it was last needed, for callers that should not ask it:
that takes seconds.
"""

from clawgit.stores.state import State

AWAY = "server away"
"""The mark that holds why the server could not be used."""


def why_away(state: State) -> str | None:
    """Why the chat server cannot be reached, and how many messages wait for it; None if all is
    well.
    """
    rows = state.query("SELECT value FROM chat_mark WHERE name = ?", AWAY)
    [(count,)] = state.query("SELECT count(*) FROM chat_message WHERE NOT sent")
    return f"{rows[0][0]} {waiting_words(count)}" if rows else None


def waiting_words(count: int) -> str:
    return f"{count} message{' waits' if count == 1 else 's wait'} in state.db."
