"""`memory search --source sessions`: the messages that answer a question, from the chat store."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta
from heapq import nlargest
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from clawgit.config.settings import Settings
from clawgit.domain.conversation.chat import Message
from clawgit.domain.markdown.comment import Meta
from clawgit.domain.markdown.item import Item
from clawgit.domain.search.bonds import bonds
from clawgit.domain.search.fitting import near_passing, reaching
from clawgit.domain.search.folding import folded, once
from clawgit.domain.search.hit_line import hit_line
from clawgit.domain.search.lexicon import telling
from clawgit.domain.search.postings import Postings, RankingLayout, weight
from clawgit.domain.search.question import SearchQuestion, read_question
from clawgit.domain.search.ranking import gather, rank
from clawgit.domain.search.ranking_standing import Stood, stood
from clawgit.domain.search.snippet import stem
from clawgit.domain.search.terms import words
from clawgit.errors import UsageError
from clawgit.ops.conversation.chat import open_chat
from clawgit.ops.safety.masking import Coverage, TextGuard
from clawgit.ops.search.answer import Hit, Request, SearchAnswer, noted
from clawgit.ops.search.shown_hits import hit_at, planted_marks, why_found
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.chat.protocol import SPOKEN, ChatStore, MessageQuery
from clawgit.stores.index.sources import SESSIONS
from clawgit.stores.lexicon import Lexicon

Wanted = Callable[[Message], bool]
"""Which messages count. `bool` takes all: no message is empty."""

_MOST = 300
"""How many messages are read for a word, the newest first."""

_BEST = 20
"""How many messages get their surroundings read."""

_AROUND = timedelta(minutes=30)
_MOST_AROUND = 40
"""How far around a message its conversation is read: answers share few words with the question."""


class Turn(NamedTuple):
    """A message as ranking sees it."""

    id: int
    path: str
    text: str
    headings: tuple[str, ...]
    source: str = SESSIONS
    key: str = ""
    meta: Meta | None = None
    line: int = 1
    led: tuple[str, ...] = ()

    @property
    def end_line(self) -> int:
        return self.line + self.text.count("\n")


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
    question = read_question(request.query)
    with open_chat(workspace) as chat:
        count = chat.store.count()
        ranked = found_messages(workspace, chat.store, question, settings, now)
        notes = chat.notes
    likely = len(likely_of(ranked, workspace.config.settings.min_score))
    if request.min_score is not None:
        ranked = likely_of(ranked, request.min_score)
    guard = TextGuard(Coverage(workspace))
    hits = tuple(
        _hit(one, question, guard, request)._replace(likely=at < likely)
        for at, one in enumerate(ranked[: settings.max_results])
    )
    return SearchAnswer(
        results=hits,
        provider="sqlite",
        model="fts5",
        mode="core",
        fallback=noted(*notes),
        indexedAt="",
        behind=0,
        elapsedMs=0.0,
        searched=count,
    )


class FoundMessage(NamedTuple):
    """A message that answers, as ranking saw it, and the places of those that say the same."""

    message: Message
    turn: Turn
    stood: Stood
    also: tuple[str, ...]


def found_messages(
    workspace: Workspace,
    store: ChatStore,
    question: SearchQuestion,
    settings: Settings,
    now: datetime,
    wanted: Wanted = bool,
) -> list[FoundMessage]:
    """The messages of a store that answer a question or come near it, best first; of these, the
    `wanted` ones.
    """
    chosen = _Spoken(store, wanted)
    found = _found(chosen, question)
    count = store.count()
    messages = _with_surroundings(chosen, found, count)
    today = now.astimezone(workspace.zone).date()
    return _ranked(workspace, question, messages, found, count, settings, today)


def likely_of(found: list[FoundMessage], least: float) -> list[FoundMessage]:
    """The messages up to the last one that reaches a score."""
    return found[: reaching([one.stood for one in found], least)]


class _Spoken(NamedTuple):
    """The messages of a store that user and assistant said, as far as they are `wanted`."""

    store: ChatStore
    wanted: Wanted

    def find(self, asked: MessageQuery) -> list[Message]:
        return [
            message
            for message in self.store.find(asked)
            if message.role in SPOKEN and self.wanted(message)
        ]


def _found(spoken: _Spoken, question: SearchQuestion) -> dict[str, dict[str, Message]]:
    """For each word of a question, the messages with it."""
    found = {}
    for forms in question.words:
        asked = dict.fromkeys(map(stem, forms))
        held = (one for form in asked for one in spoken.find(MessageQuery(form, limit=_MOST)))
        found[forms[0]] = {message.key: message for message in held}
    return found


def _with_surroundings(
    spoken: _Spoken, found: Mapping[str, Mapping[str, Message]], count: int
) -> list[Message]:
    """The messages and what was said around the best of them, session by session, in order."""
    known = {key: one for held in found.values() for key, one in held.items()}
    worth: defaultdict[str, float] = defaultdict(float)
    for word, held in found.items():
        for key in held:
            worth[key] += weight(word, len(held), count)
    for key in nlargest(_BEST, worth, key=worth.__getitem__):
        best = known[key]
        until = best.time + _AROUND
        wanted = MessageQuery(
            session=best.session, since=best.time - _AROUND, until=until, limit=_MOST_AROUND
        )
        known.update((one.key, one) for one in spoken.find(wanted))
    return sorted(known.values(), key=attrgetter("session", "time"))


def _ranked(
    workspace: Workspace,
    question: SearchQuestion,
    messages: Sequence[Message],
    found: Mapping[str, Mapping[str, Message]],
    count: int,
    settings: Settings,
    today: date,
) -> list[FoundMessage]:
    turns = {at: _turn(workspace, at, message) for at, message in enumerate(messages)}
    texts = {at: turn.text for at, turn in turns.items()}
    places = {message.key: at for at, message in enumerate(messages)}
    lexicon = Lexicon().for_text(question.text).known
    postings = [
        Postings(
            forms[0],
            weight(forms[0], len(held), count, telling(lexicon(forms[0]))),
            sorted(places[key] for key in held),
            forms=forms,
        )
        for forms in question.words
        for held in [found[forms[0]]]
    ]
    gathered = gather(question, postings, _layout(messages, texts))
    ranked = rank(question, gathered, texts)
    scored = near_passing(ranked, settings.min_score, settings.max_results)
    each, same = once(stood(scored, turns, settings, today), turns)
    hits, under = folded(each, turns, same)
    return [
        FoundMessage(
            messages[hit.scored.id],
            turns[hit.scored.id],
            hit,
            tuple(turns[at].path for at in under.get(hit.scored.id, ())),
        )
        for hit in hits
    ]


def _turn(workspace: Workspace, at: int, message: Message) -> Turn:
    said = message.time.astimezone(workspace.zone).isoformat(" ", "minutes")
    headings = tuple(filter(None, (message.session, said)))
    return Turn(at, f"chat:{message.key}", f"{message.role}: {message.text}", headings)


def _layout(messages: Sequence[Message], texts: Mapping[int, str]) -> RankingLayout:
    lengths = [len(words(text)) for text in texts.values()]
    bonded: list[int] = []
    for session, turns in groupby(messages, attrgetter("session")):
        items = [
            Item(0, 0, texts[len(bonded) + at], (session,), "turn") for at, _ in enumerate(turns)
        ]
        bonded += bonds(items)
    return RankingLayout(lengths, sum(lengths) / max(len(lengths), 1), bonded)


def _hit(one: FoundMessage, question: SearchQuestion, guard: TextGuard, request: Request) -> Hit:
    text = guard.mask(one.turn.text)
    line = hit_line(text, "turn", question)
    hit = hit_at(one.turn._replace(text=text), line, one.stood, one.turn.headings)
    return hit._replace(
        explain=why_found(one.stood, request),
        marks=planted_marks(guard, one.turn.text),
        text=text if request.full else None,
        also=one.also,
    )
