"""A chat store on a server: messages are written to `state.db` first, and sent when possible."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import TypeVar

from clawgit.domain.conversation.chat import Message
from clawgit.stores.chat.protocol import AWAY, ChatStore, MessageQuery, ServerAwayError
from clawgit.stores.chat.sqlite import SqliteChat

Answer = TypeVar("Answer")

_BATCH = 1000
_KEPT = timedelta(days=7)
"""How long messages stay here after the server has them: the other source may still report one."""


class SpooledChat:
    """The messages of `server`, and those that wait for it in `local`.

    A server that is away is no error here: `away` says why, and only messages of this machine are
    found.
    """

    def __init__(self, local: SqliteChat, server: ChatStore, now: datetime) -> None:
        self.away: ServerAwayError | None = None
        self._local = local
        self._server = server
        self._now = now

    def put(self, messages: Sequence[Message]) -> list[Message]:
        """Stores messages here. They reach the server by `forward`."""
        return self._local.put(messages)

    def forward(self) -> int:
        """Sends what waits, in the order of arrival, and returns how many messages.

        What the server accepted without our seeing its answer is sent again; it has it already.
        """
        sent, last, self.away = 0, 0, None
        try:
            while batch := self._local.unsent(last, _BATCH):
                self._server.put([message for _, message in batch])
                self._local.mark_sent(batch)
                sent, last = sent + len(batch), batch[-1][0]
        except ServerAwayError as error:
            self._note(error)
            return sent
        if sent:
            self._note(None)
            self._local.drop_sent(self._now - _KEPT)
        return sent

    def find(self, wanted: MessageQuery) -> list[Message]:
        return self._ask(lambda store: store.find(wanted))

    def each(self) -> Iterator[Message]:
        """Only from the server: this machine does not have them all."""
        self.forward()
        if self.away:
            raise self.away
        return self._server.each()

    def get(self, key: str) -> Message | None:
        return self._ask(lambda store: store.get(key))

    def count(self) -> int:
        return self._ask(lambda store: store.count())

    def arrived(self, after: int, limit: int) -> list[tuple[int, Message]]:
        """Only by the server's numbers: those of this machine mean something else."""
        self.forward()
        if self.away:
            raise self.away
        try:
            return self._server.arrived(after, limit)
        except ServerAwayError as error:
            self._note(error)
            raise

    def drop_before(self, moment: datetime) -> int:
        """Messages that are too old are deleted even if they still wait."""
        here = self._local.drop_before(moment)
        try:
            return max(here, self._server.drop_before(moment))
        except ServerAwayError as error:
            self._note(error)
            return here

    def forget(self, holds: Callable[[str], bool]) -> int:
        """ServerAwayError if only this machine could delete them."""
        here = self._local.forget(holds)
        return max(here, self._server.forget(holds))

    def _ask(self, question: Callable[[ChatStore], Answer]) -> Answer:
        self.forward()
        if self.away is None:
            try:
                answer = question(self._server)
            except ServerAwayError as error:
                self._note(error)
            else:
                self._note(None)
                return answer
        return question(self._local)

    def _note(self, away: ServerAwayError | None) -> None:
        self.away = away
        if (self._local.mark(AWAY) is None) != (away is None):
            self._local.set_mark(AWAY, None if away is None else away.message)
