"""What a chat store can do, whichever database it is."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple, Protocol

from clawgit.domain.conversation.chat import ASSISTANT, USER, WINDOW, Message, likeness
from clawgit.errors import ClawgitError
from clawgit.stores.state import State

SPOKEN = (USER, ASSISTANT)
"""The roles of those who talk with each other."""


class MessageQuery(NamedTuple):
    """Which messages are wanted: the newest `limit` of those that match all fields.

    `query` has words of the text, or their beginnings. Any of the `roles` will do.
    """

    query: str = ""
    session: str = ""
    roles: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    limit: int | None = None


class ChatStore(Protocol):
    """Messages, each once. If two sources report one message, `settle` merges their records."""

    def put(self, messages: Sequence[Message]) -> list[Message]:
        """Stores messages, all or none, and returns which were new.

        The same ones again change nothing.
        """

    def find(self, wanted: MessageQuery) -> list[Message]:
        """The messages that are wanted, in the order of time."""

    def each(self) -> Iterator[Message]:
        """All messages in the order of time, in bounded memory."""

    def get(self, key: str) -> Message | None:
        """The message with this key, from whichever source."""

    def arrived(self, after: int, limit: int) -> list[tuple[int, Message]]:
        """What user and assistant said, in order of arrival, each message with its number.

        What comes in later gets a higher number, however old it is. ServerAwayError if only a
        server knows.
        """

    def drop_before(self, moment: datetime) -> int:
        """Deletes older messages, and returns how many."""

    def forget(self, holds: Callable[[str], bool]) -> int:
        """Deletes the messages whose text `holds` accepts; returns how many."""

    def count(self) -> int: ...


class ServerAwayError(ClawgitError):
    """A chat server does not answer, or refuses us.

    Nothing is lost: messages wait in `state.db`.
    """

    kind = "chat_server_away"


class Clues(NamedTuple):
    """The values by which stored messages are found that could be the same as new ones."""

    keys: list[str]
    ids: list[str]
    alike: list[int]
    first: datetime
    last: datetime


def clues(messages: Sequence[Message]) -> Clues:
    """The clues of at least one message."""
    keys = [key for message in messages for key in (message.live, message.record) if key]
    times = sorted(message.time for message in messages)
    ids = [message.id for message in messages if message.id]
    return Clues(
        keys, ids, [*map(likeness, messages)], _moved(times[0], -WINDOW), _moved(times[-1], WINDOW)
    )


def _moved(moment: datetime, by: timedelta) -> datetime:
    try:
        return moment + by
    except OverflowError:  # at the very ends of the calendar
        return moment


AWAY = "server away"
"""The mark that holds why the server could not be used."""


def why_away(state: State) -> str | None:
    """Why the chat server could not be reached when it was last needed, and how many messages wait
    for it; None if all is well. It is not asked: that takes seconds.
    """
    rows = state.query("SELECT value FROM chat_mark WHERE name = ?", AWAY)
    [(count,)] = state.query("SELECT count(*) FROM chat_message WHERE NOT sent")
    return f"{rows[0][0]} {waiting_words(count)}" if rows else None


def waiting_words(count: int) -> str:
    return f"{count} message{' waits' if count == 1 else 's wait'} in state.db."
