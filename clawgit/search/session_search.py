"""`memory search --source sessions`: the messages that answer a question, from the chat store."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from heapq import nlargest
from operator import attrgetter
from typing import NamedTuple

from clawgit.core.config.settings import Settings
from clawgit.core.errors import UsageError
from clawgit.core.markdown.item import Item
from clawgit.safety.masking import Coverage
from clawgit.search import answering, asked
from clawgit.search.answer import Hit, Request, SearchAnswer, noted
from clawgit.search.answering import Found, Memory
from clawgit.search.index.index import of_texts
from clawgit.search.rules.hit_line import hit_line
from clawgit.search.rules.question import Asked
from clawgit.search.rules.terms import stem
from clawgit.search.shown_hits import hit_at, likely, planted_marks, why_found
from clawgit.talk.chat import open_chat
from clawgit.talk.rules.chat import Message
from clawgit.talk.stores.chat import SPOKEN, ChatStore, MessageQuery
from clawgit.workspace.discover import SESSIONS
from clawgit.workspace.workspace import Workspace

Wanted = Callable[[Message], bool]
"""Which messages count. `bool` takes all: no message is empty."""

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
    found: Found


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
        count = chat.store.count()
        asking, ranked = found_messages(workspace, chat.store, request.query, settings, now)
        notes = chat.notes
    sure = likely([one.found for one in ranked], workspace.config.settings.min_score)
    if request.min_score is not None:
        ranked = [one for one in ranked if one.found.score >= request.min_score]
    guard = Coverage(workspace)
    return SearchAnswer(
        results=tuple(
            _hit(one, asking, guard, request)._replace(likely=at < sure)
            for at, one in enumerate(ranked[: settings.max_results])
        ),
        provider="sqlite",
        model="fts5",
        mode="core",
        fallback=noted(*notes),
        indexedAt="",
        behind=0,
        elapsedMs=0.0,
        searched=count,
    )


def found_messages(
    workspace: Workspace,
    store: ChatStore,
    query: str,
    settings: Settings,
    now: datetime,
    wanted: Wanted = bool,
) -> tuple[Asked, list[FoundMessage]]:
    """The messages of a store that answer a question or come near it, best first; of these, the
    `wanted` ones. They are searched as a small memory in which each session is a file.
    """

    def spoken(sought: MessageQuery) -> list[Message]:
        said = store.find(sought)
        return [message for message in said if message.role in SPOKEN and wanted(message)]

    messages = _with_surroundings(spoken, asked.telling(query))
    sessions: defaultdict[str, list[Item]] = defaultdict(list)
    for message in messages:
        sessions[message.session].append(_turn(workspace, message))
    with of_texts(sessions, SESSIONS) as index:
        today = now.astimezone(workspace.zone).date()
        asking = asked.read(query, index)
        found = answering.answer(asking, Memory(index, settings, today))
    # Items are counted from 1, in the order of the messages.
    return asking, [FoundMessage(messages[one.row.id - 1], one) for one in found]


def _with_surroundings(
    find: Callable[[MessageQuery], list[Message]], words: Sequence[str]
) -> list[Message]:
    """The messages with any of these words, and what was said around the best of them, session by
    session, in order.
    """
    known: dict[str, Message] = {}
    worth: defaultdict[str, float] = defaultdict(float)
    for word in dict.fromkeys(map(stem, words)):
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


def _hit(one: FoundMessage, asking: Asked, guard: Coverage, request: Request) -> Hit:
    row = one.found.row
    text = guard.shown(row.text)
    place = row._replace(path=f"chat:{one.message.key}", text=text)
    hit = hit_at(place, hit_line(text, "turn", asking), one.found.score, row.headings)
    return hit._replace(
        explain=why_found(one.found) if request.explain else None,
        marks=planted_marks(guard, row.text),
        text=text if request.full else None,
    )
