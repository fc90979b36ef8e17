"""`memory search --source sessions`: the messages that answer a question, from the chat store."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from heapq import nlargest
from operator import attrgetter

from clawgit.core import NamedTuple
from clawgit.core.config.settings import Settings
from clawgit.core.errors import UsageError
from clawgit.core.markdown.item import Item
from clawgit.search import answering, asked
from clawgit.search.answer import Request, SearchAnswer, noted
from clawgit.search.index.index import Index, of_texts
from clawgit.search.rules.question import Asked
from clawgit.search.shown_hits import HitView, Sheets
from clawgit.talk.chat import Chat, open_chat
from clawgit.talk.rules.chat import Message, evidence_of, is_shared
from clawgit.talk.stores.chat import SPOKEN, MessageQuery
from clawgit.workspace.discover import SESSIONS
from clawgit.workspace.workspace import Workspace

Wanted = Callable[[Message], bool]
"""Which messages count."""

_MOST = 300
"""How many messages are read for a word, the newest first."""

_BEST = 20
"""How many messages get their surroundings read."""

_AROUND = timedelta(minutes=30)
_MOST_AROUND = 40
"""How far around a message its conversation is read: answers share few words with the question."""


class FoundMessage(NamedTuple):
    """A message that answers."""

    message: Message
    found: answering.Found


def search_sessions(
    workspace: Workspace, request: Request, settings: Settings, now: datetime
) -> SearchAnswer:
    """Searches the messages.

    They have neither past states nor categories: UsageError if one is asked for.
    """
    if request.at or request.category:
        raise UsageError(
            "Messages are searched as they are now, and have no categories.",
            hint="Leave out --at and --tag, or --source sessions.",
        )
    with open_chat(workspace) as chat:
        messages = _spoken(chat, request.query, lambda _: not is_shared(request.session))
        count, notes = chat.count(), chat.notes
    with _index_of(workspace, messages) as index:
        asking, found = _answers(workspace, request.query, index, settings, now)
        view = HitView(index, Sheets(workspace), asking)
        told = [
            one._replace(row=one.row._replace(path=evidence_of(messages[one.row.id - 1])))
            for one in found
        ]
        shown = view.shown(told, request, settings)
    return SearchAnswer(tuple(shown), fallback=noted(*notes), searched=count)


def found_messages(
    workspace: Workspace, store: Chat, query: str, settings: Settings, now: datetime, wanted: Wanted
) -> list[FoundMessage]:
    """The `wanted` messages of a store that answer a question or come near it, best first."""
    messages = _spoken(store, query, wanted)
    with _index_of(workspace, messages) as index:
        _, found = _answers(workspace, query, index, settings, now)
    return [FoundMessage(messages[one.row.id - 1], one) for one in found]


def _answers(
    workspace: Workspace, query: str, index: Index, settings: Settings, now: datetime
) -> tuple[Asked, list[answering.Found]]:
    asking = asked.read(query, index)
    today = now.astimezone(workspace.zone).date()
    return asking, answering.answer(asking, answering.Memory(index, settings, today))


def _index_of(workspace: Workspace, messages: Sequence[Message]) -> Index:
    """The messages as a small memory in which each session is a file. Its items are counted from 1,
    in their order.
    """
    sessions: defaultdict[str, list[Item]] = defaultdict(list)
    for message in messages:
        sessions[message.session].append(_turn(workspace, message))
    return of_texts(sessions, SESSIONS)


def _spoken(store: Chat, query: str, wanted: Wanted) -> list[Message]:
    """The messages with any word of a question, and what was said around the best of them, session
    by session, in order.
    """

    def find(sought: MessageQuery) -> list[Message]:
        said = store.find(sought)
        return [message for message in said if message.role in SPOKEN and wanted(message)]

    known: dict[str, Message] = {}
    worth: defaultdict[str, float] = defaultdict(float)
    for word in dict.fromkeys(map(asked.root, asked.telling(query))):
        held = find(MessageQuery(word, limit=_MOST))
        for message in held:
            known[message.key] = message
            worth[message.key] += 1 / len(held)
    for key in nlargest(_BEST, worth, key=worth.__getitem__):
        best = known[key]
        around = MessageQuery(
            session=best.session,
            since=best.time - _AROUND,
            until=best.time + _AROUND,
            limit=_MOST_AROUND,
        )
        known.update((one.key, one) for one in find(around))
    return sorted(known.values(), key=attrgetter("session", "time"))


def _turn(workspace: Workspace, message: Message) -> Item:
    said = message.time.astimezone(workspace.zone).isoformat(" ", "minutes")
    text = f"{message.role}: {message.text}"
    above = tuple(filter(None, (message.session, said)))
    return Item(1, 1 + text.count("\n"), text, above, "turn")
