"""The messages of all conversations: logged, listed, searched and exported."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from datetime import datetime, timedelta
from functools import partial
from sqlite3 import Connection
from typing import TypeVar

from clawgit.core import NamedTuple
from clawgit.core.errors import Committed, UsageError, counted
from clawgit.git.rules.actors import is_named
from clawgit.safety.masking import mask_of
from clawgit.safety.rules.masks import new_masks
from clawgit.search.stores.access import unsent
from clawgit.talk.rules.chat import USER, Message, brought_by, told
from clawgit.talk.rules.transcript import shown_anywhere
from clawgit.talk.stores.chat import AWAY, ChatReader, MessageQuery, ServerAwayError, waiting_words
from clawgit.talk.stores.chat.postgres import PostgresChat
from clawgit.talk.stores.chat.sqlite import Judge, SqliteChat
from clawgit.workspace.stores.state import State
from clawgit.workspace.workspace import Workspace

Answer = TypeVar("Answer")

_TRIAGED_FOR = timedelta(hours=24)


class Messages(NamedTuple):
    """Messages in the order of time.

    `waiting` counts those that have not reached the server yet; `notes` say why.
    """

    messages: tuple[Message, ...]
    waiting: int
    notes: tuple[str, ...]


class Logged(NamedTuple):
    """The message as stored; not `new` if it was known.

    Messages are not in the history, so there is no commit.
    """

    messages: tuple[Message, ...]
    new: bool
    waiting: int
    notes: tuple[str, ...]
    change: Committed = Committed()


_BATCH = 1000
_KEPT = timedelta(days=7)
"""How long messages stay here after the server has them: the other source may still report one."""


class Chat:
    """The messages of a workspace: those in `local`, which is `state.db` and also holds the marks,
    or those of a `server`, for which they wait there.

    A server that is away is no error here: `away` says why, and only messages of this machine are
    found. `also` sends what else waits for it. `triaged` counts what was triaged.
    """

    def __init__(
        self, local: SqliteChat, server: PostgresChat | None, now: datetime, keep_days: int = 0,
        also: Callable[[], None] = lambda: None,
    ) -> None:  # fmt: skip
        self.local = local
        self.now = now
        self.triaged = 0
        self.away: ServerAwayError | None = None
        self._server = server
        self._keep_days = keep_days
        self._also = also

    @property
    def oldest(self) -> datetime | None:
        """The time before which messages are not kept."""
        return self.now - timedelta(days=self._keep_days) if self._keep_days else None

    @property
    def waiting(self) -> int:
        return self.local.waiting() if self._server else 0

    @property
    def notes(self) -> tuple[str, ...]:
        away = [f"{self.away.message} {waiting_words(self.waiting)}"] if self.away else []
        return (*self.local.notes, *away)

    def take(
        self, messages: Sequence[Message], judge: Judge | None
    ) -> tuple[list[Message], list[Message]]:
        """Stores messages here, and triages the new ones that `is_triaged`: in one transaction, so
        that each is triaged once even after a crash. Returns the new ones, and each as stored.
        """

        def judged(message: Message, db: Connection) -> bool:
            if judge is None or not is_triaged(message, self.now):
                return False
            self.triaged += 1
            return judge(message, db)

        return self.local.take(messages, judged) if messages else ([], [])

    def forward(self) -> int:
        """Sends what waits for the server, in the order of arrival, and returns how many messages.

        What the server accepted without our seeing its answer is sent again; it has it already.
        """
        sent, last, self.away = 0, 0, None
        if self._server is None:
            return sent
        try:
            while batch := self.local.unsent(last, _BATCH):
                self._server.put([message for _, message in batch])
                self.local.mark_sent(batch)
                sent, last = sent + len(batch), batch[-1][0]
            self._also()
        except ServerAwayError as error:
            self._note(error)
            return sent
        if sent:
            self._note(None)
            self.local.drop_sent(self.now - _KEPT)
        return sent

    def find(self, wanted: MessageQuery) -> list[Message]:
        return self._ask(lambda store: store.find(wanted))

    def get(self, key: str) -> Message | None:
        return self._ask(lambda store: store.get(key))

    def count(self) -> int:
        return self._ask(ChatReader.count)

    def arrived(self, after: int, limit: int) -> list[tuple[int, Message]]:
        """Only by the server's numbers: those of this machine mean something else."""
        found = self._ask(lambda store: store.arrived(after, limit))
        if self.away:
            raise self.away
        return found

    def retain(self) -> int:
        """Deletes what is older than `chat_retention_days`; returns how many messages."""
        return self.drop_before(self.oldest) if self.oldest else 0

    def drop_before(self, moment: datetime) -> int:
        """Messages that are too old are deleted even if they still wait."""
        here = self.local.drop_before(moment)
        try:
            return max(here, self._server.drop_before(moment) if self._server else 0)
        except ServerAwayError as error:
            self._note(error)
            return here

    def forget(self, holds: Callable[[str], bool], *, dry_run: bool = False) -> int:
        """ServerAwayError if only this machine could delete them."""
        here = self.local.forget(holds, dry_run=dry_run)
        there = self._server.forget(holds, dry_run=dry_run) if self._server else 0
        return max(here, there)

    def _ask(self, question: Callable[[ChatReader], Answer]) -> Answer:
        self.forward()
        if self._server and self.away is None:
            try:
                answer = question(self._server)
            except ServerAwayError as error:
                self._note(error)
            else:
                self._note(None)
                return answer
        return question(self.local)

    def _note(self, away: ServerAwayError | None) -> None:
        self.away = away
        if (self.local.mark(AWAY) is None) != (away is None):
            self.local.set_mark(AWAY, None if away is None else away.message)


@contextmanager
def open_chat(workspace: Workspace) -> Iterator[Chat]:
    """Opens the chat store that `chat_store` names.

    A server is connected only when it is needed.
    """
    settings = workspace.settings
    with workspace.state() as state:
        mask = mask_of(workspace)
        local = SqliteChat(state, mask)
        if settings.chat_store == "sqlite":
            yield Chat(local, None, workspace.now, settings.chat_retention_days)
            return

        with PostgresChat(settings.chat_store, mask=mask) as server:
            also = partial(_send_accesses, state, local, server)
            yield Chat(local, server, workspace.now, settings.chat_retention_days, also)


def _send_accesses(state: State, local: SqliteChat, server: PostgresChat) -> None:
    """Sends what searches showed since the last time: jobs that run elsewhere count it."""
    while shown := unsent(state, int(local.mark(_SHOWN) or 0)):
        server.put_accesses([access for _, access in shown])
        local.set_mark(_SHOWN, str(shown[-1][0]))


_SHOWN = "accesses"
"""The mark that holds the last row of the access log that the server has."""


def log(
    workspace: Workspace,
    text: str,
    *,
    session: str = "",
    role: str = USER,
    ident: str = "",
    time: str = "",
    judge: Judge | None = None,
    forward: bool = True,
) -> Logged:
    """Stores one message of a running chat. Without an id each call is a new message.

    A `judge` triages it. `forward=False` leaves the server for later: a hook has no time for it.
    """
    if not text.strip() or not role.strip():
        raise UsageError(
            "A message needs a text and a role.",
            hint="clawgit chat log 'what was said' --role user",
        )
    said_at = shown_anywhere(workspace.moment(time) or workspace.now)
    if said_at is None:
        raise UsageError(
            f"No message can have been sent at {time!r}.",
            hint="Leave out --time if you do not know it.",
        )
    message = taken_from(workspace, told(session, role, text, said_at, ident))
    dry_run = workspace.dry_run
    with open_chat(workspace) as chat, chat.local.rehearsal() if dry_run else nullcontext():
        fresh, (kept,) = chat.take([message], None if dry_run else judge)
        if forward and not dry_run:
            chat.forward()
        kept = chat.local.get(kept.key) or kept
        hidden = hidden_words(1 if new_masks(text, kept.text) else 0)
        notes = (*chat.notes, *hidden, *way_words(workspace, role))
        return Logged(here(workspace, [kept]), bool(fresh), chat.waiting, notes)


def is_triaged(message: Message, now: datetime) -> bool:
    """What an older message asks for was settled long ago."""
    return message.role == USER and message.time >= now - _TRIAGED_FOR


def taken_from(workspace: Workspace, message: Message) -> Message:
    """A message with its way in: an agent that names itself cannot bring the operator's words."""
    actor = workspace.actor
    return brought_by(message, actor.slug) if is_named(actor) else message


def way_words(workspace: Workspace, role: str) -> tuple[str, ...]:
    """The note about a message of the user that an agent brought."""
    if role != USER or not is_named(workspace.actor):
        return ()
    who = workspace.actor.slug
    only = "only a runtime, which gives no name, or a terminal brings those"
    return (f"It is stored as brought by {who}, and not as the operator's words: {only}.",)


def hidden_words(count: int) -> tuple[str, ...]:
    """The note about messages that held a secret."""
    if not count:
        return ()
    held = f"{counted(count, 'message')} held a secret."
    return (f"{held} [secret:…] is stored in its place; only the sender still has it.",)


def messages(
    workspace: Workspace, wanted: MessageQuery, since: str = "", until: str = ""
) -> Messages:
    """The newest messages that match. A day alone means all of it, in the operator's zone."""
    begin, end = workspace.moment(since), workspace.moment(until, end=True)
    wanted = wanted._replace(since=begin, until=end)
    with open_chat(workspace) as chat:
        matches = chat.find(wanted)
        return Messages(here(workspace, matches), chat.waiting, chat.notes)


def referred(workspace: Workspace, refs: Iterable[str]) -> Messages:
    """The messages that evidence names, as far as they are stored."""
    with open_chat(workspace) as chat:
        found = (chat.get(ref.removeprefix("chat:")) for ref in refs)
        return Messages(here(workspace, filter(None, found)), chat.waiting, chat.notes)


def here(workspace: Workspace, stored: Iterable[Message]) -> tuple[Message, ...]:
    """The messages with their times in the operator's zone."""
    return tuple(
        message._replace(time=message.time.astimezone(workspace.zone)) for message in stored
    )
