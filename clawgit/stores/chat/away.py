"""Whether the chat server was there when it was last needed, for those that only want to know:
asking takes seconds.
"""

from clawgit.stores.state import State

AWAY = "server away"
"""The mark under which stands why the server could not be used."""


def why_away(state: State) -> str | None:
    """Why the chat server is away, and how many messages wait for it; None if all is well."""
    rows = state.query("SELECT value FROM chat_mark WHERE name = ?", AWAY)
    [(count,)] = state.query("SELECT count(*) FROM chat_message WHERE NOT sent")
    return f"{rows[0][0]} {waiting_words(count)}" if rows else None


def waiting_words(count: int) -> str:
    return f"{count} message{' waits' if count == 1 else 's wait'} in state.db."
