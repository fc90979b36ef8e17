"""What memory holds for a message: the last days, what the search finds, what comes near, and what
conversations said.
"""

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import islice
from typing import NamedTuple

from clawgit.config.settings import Settings
from clawgit.domain.context.passage import ContextPassage
from clawgit.domain.context.rules import asks_permission
from clawgit.domain.context.slots import (
    FOUND,
    NEAR,
    SAID,
    RecalledPassage,
)
from clawgit.domain.conversation.chat import Message
from clawgit.domain.conversation.dump import is_session
from clawgit.domain.corrections.corrections import ARCHIVE
from clawgit.domain.markdown import item
from clawgit.domain.markdown.placeholders import is_dream
from clawgit.domain.search.fold import tellers
from clawgit.domain.search.row import ItemRow
from clawgit.domain.search.standing import is_log, stale_reason
from clawgit.domain.workspace.tiers import NOTEBOOKS, WORKING, dated, tier
from clawgit.errors import ClawgitError
from clawgit.ops.context.asking import ContextRequest, is_shared
from clawgit.ops.context.files import MemoryFiles, Moment
from clawgit.ops.conversation.chat import open_chat
from clawgit.ops.safety.masking import Coverage
from clawgit.ops.search.answer import Hit, Request, SearchAnswer
from clawgit.ops.search.search import Searcher
from clawgit.ops.search.session_search import FoundMessage, found_messages
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.state import state_file

_LONGEST_QUESTION = 4000
_LONGEST_FILE = 100_000
"""Characters. In a longer file only the lines of a hit are shown, not whole entries."""

_MORE = 2
"""This many times the hits of a search are looked at, since some are in other slots already."""

_NEAR = 120
"""How many of the next best lines may fill room that is left over."""

_PAST_DREAMS = 3
"""So many times the hits are asked for where some are dreams of OpenClaw."""

_AT_HAND = frozenset({"SOUL.md", "AGENTS.md"})
"""Who the agent is has a slot of its own, and each session gets its instructions as they are."""

_MOST_SPOKEN = 5
_LONGEST_SPOKEN = 1_000
"""Characters. A longer message is in the transcript, and in `chat search`."""

_STILL_OPEN = timedelta(hours=24)
"""What was said in the same session since then is before the model already."""


class Recalled(NamedTuple):
    """`scores`: how well each recent line fits the message, by path and line; None without a
    message. `likely`: something that was found is likely to answer it. `rules`: what the message
    asks permission about.
    """

    recent: list[ContextPassage]
    scores: Mapping[tuple[str, int], float] | None
    found: Sequence[RecalledPassage] = ()
    notes: Sequence[str] = ()
    likely: bool = True
    rules: Sequence[ContextPassage] = ()

    @property
    def texts(self) -> list[str]:
        """What is told already when conversations are asked."""
        found = [each.passage for each in self.found if each.how == FOUND]
        return [passage.text for passage in (*self.recent, *found)]


def recall(
    searcher: Searcher,
    asking: ContextRequest,
    when: Moment,
    memory: MemoryFiles,
    settings: Settings,
) -> Recalled:
    """Recent lines, and what the search finds; without a message nothing is searched."""
    paths = _days_of(memory, when, settings.memory_retention_hours)
    recent = memory.standing(passage for path in paths for passage in memory.passages(path))
    message = asking.question[:_LONGEST_QUESTION]
    if not message:
        return Recalled(recent, None)
    searcher.now = when.now
    request = Request(
        message, _MORE * settings.max_results, settings.min_score, asking.at, full=True
    )
    # The answer first: it leaves the question read for the rating.
    answer = _answer(searcher, request, memory)
    rated = searcher.rated(request, frozenset(paths))
    hits = [
        hit for hit in answer.results if not (_is_elsewhere(hit.path, asking) or _is_logged(hit))
    ]
    read = {hit.path: _read(hit, memory) for hit in hits}
    rows = searcher.nearest(request, _NEAR)
    near = [_as_read(row, score, read) for row, score in _near(rows, asking, memory, read)]
    found = _marked([*_whole(hits, read), *near], memory)
    # A line may have several rows, the best first.
    scores = {(row.path, row.line): score for row, score in reversed(rated)}
    is_likely = any(hit.likely for hit in answer.results)
    rules = [*_rules(answer.results, asking, memory)]
    return Recalled(recent, scores, found, _notes(answer), is_likely, rules)


def spoken(
    workspace: Workspace,
    asking: ContextRequest,
    when: Moment,
    memory: MemoryFiles,
    told: Collection[str],
) -> tuple[list[RecalledPassage], str]:
    """The messages of conversations that answer, best first, without what repeats a text of `told`;
    and a note if they could not be read.

    Nothing is shown in a session that others can read, nor taken from one, where anyone may write.
    Conversations have no past state, and a store on a server is not asked: that takes too long.
    """
    is_here = workspace.config.settings.chat_store == "sqlite" and not when.commit
    is_private = not is_shared(asking.session)
    if not (asking.question and is_here and is_private and state_file(workspace.place).exists()):
        return [], ""
    try:
        found = _messages(workspace, asking, when)
    except ClawgitError as error:
        return [], f"conversations were not searched: {error.message}"
    is_told, planted = tellers(told), Coverage(workspace).is_planted
    fresh = (
        each for each in found if not is_told(each.message.text) and not planted(each.message.text)
    )
    said = [_turn(each, workspace) for each in islice(fresh, _MOST_SPOKEN)]
    return _marked(said, memory), ""


def _messages(workspace: Workspace, asking: ContextRequest, when: Moment) -> list[FoundMessage]:
    def is_news(message: Message) -> bool:
        """Whether it says what the model does not have before it."""
        if is_shared(message.session) or len(message.text) > _LONGEST_SPOKEN:
            return False
        if message.session == asking.session and when.now - message.time < _STILL_OPEN:
            return False
        return message.text.strip() != asking.question

    settings = workspace.config.settings
    question = asking.question[:_LONGEST_QUESTION]
    with open_chat(workspace) as chat:
        _, found = found_messages(workspace, chat.store, question, settings, when.now, is_news)
    return [each for each in found if each.found.fits >= settings.min_score]


def _turn(found: FoundMessage, workspace: Workspace) -> RecalledPassage:
    message = found.message
    day = message.time.astimezone(workspace.zone).date()
    text = f"- {message.role}, {day}: {' '.join(message.text.split())}"
    passage = ContextPassage(f"chat:{message.key}", 0, 0, text, ("## Conversations",), "turn")
    return RecalledPassage(passage, found.found.score, SAID)


def _days_of(memory: MemoryFiles, when: Moment, hours: int) -> list[str]:
    """The dated files of the last hours.

    A file counts for its whole day. Tomorrow's counts too: it may be today where it was written.
    """
    first = (when.now - timedelta(hours=hours)).date()
    last = when.now.date() + timedelta(days=1)
    notes = (path for path in memory.paths if tier(path) == WORKING and not is_dream(path))
    return [path for path in notes if (day := dated(path)) and first <= day <= last]


def _answer(searcher: Searcher, request: Request, memory: MemoryFiles) -> SearchAnswer:
    """What the notes answer. OpenClaw's dreams repeat the words of notes many times: they take the
    place of none.
    """
    answer, limit = searcher.answer(request), request.limit or 0
    if any(memory.is_dreamt(hit.path, hit.line) for hit in answer.results):
        answer = searcher.answer(request._replace(limit=_PAST_DREAMS * limit))
    notes = (hit for hit in answer.results if not memory.is_dreamt(hit.path, hit.line))
    return answer._replace(results=tuple(notes)[:limit])


def _rules(
    hits: Sequence[Hit], asking: ContextRequest, memory: MemoryFiles
) -> Iterator[ContextPassage]:
    """The rule that a search puts first, if permission is asked."""
    for hit in hits[: asks_permission(asking.question)]:
        if hit.path not in NOTEBOOKS or not is_shared(asking.session):
            for passage in memory.standing(_read(hit, memory)):
                if hit.line in passage.lines and memory.rules.holds(
                    hit.path, passage.text, passage.titles
                ):
                    yield passage


def _is_elsewhere(path: str, asking: ContextRequest) -> bool:
    """Whether a file is shown elsewhere, or not at all: MEMORY.md is for the operator alone."""
    return path in _AT_HAND or (is_shared(asking.session) and path in NOTEBOOKS)


def _is_logged(hit: Hit) -> bool:
    return hit.source == "corrections" or hit.path.startswith(ARCHIVE)


def _marked(found: Sequence[RecalledPassage], memory: MemoryFiles) -> list[RecalledPassage]:
    """The same, each marked if it is wrong or undecided."""
    marked = memory.standing(each.passage for each in found)
    return [each._replace(passage=passage) for each, passage in zip(found, marked, strict=True)]


def _whole(
    hits: Iterable[Hit], read: Mapping[str, Sequence[ContextPassage]]
) -> Iterator[RecalledPassage]:
    """The whole entry that each hit found, or its snippet."""
    for hit in hits:
        entries = (each for each in read[hit.path] if hit.line in each.lines)
        yield RecalledPassage(next(entries, _snippet(hit)), hit.score)


def _snippet(hit: Hit) -> ContextPassage:
    text = (hit.text or hit.snippet).strip("\n")
    heads = (_title(hit.path),)
    return ContextPassage(hit.path, hit.startLine, hit.endLine, text, heads, "snippet")


def _near(
    rows: Iterable[tuple[ItemRow, float]],
    asking: ContextRequest,
    memory: MemoryFiles,
    read: Container[str],
) -> Iterator[tuple[ItemRow, float]]:
    """The lines that are shown though they only come near."""
    for row, score in rows:
        if row.kind == "heading" or is_log(row) or _is_over(row, memory.today):
            continue
        if _is_elsewhere(row.path, asking) or memory.is_dreamt(row.path, row.line):
            continue
        # A line of a saved session says nothing without its speaker.
        is_whole = row.path in read
        has_speaker = item.spoken(row.text) != row.text
        if is_whole or has_speaker or not is_session(memory.text(row.path)):
            yield row, score


def _is_over(row: ItemRow, today: date) -> bool:
    if row.meta and row.meta.expires and row.meta.expires < today:
        return True
    return stale_reason(row) != ""


def _as_read(
    row: ItemRow, score: float, read: Mapping[str, Sequence[ContextPassage]]
) -> RecalledPassage:
    """A line as its file shows it, if the file was read for a hit; else the index's text, on one
    line, since reading each file would take too long.
    """
    heads, text = (_title(row.path),), f"- {' '.join(row.text.split())}"
    own = ContextPassage(row.path, row.line, row.end_line, text, heads, row.kind, row.meta)
    around = (passage for passage in read.get(row.path, ()) if row.line in passage.lines)
    return RecalledPassage(next(around, own), score, NEAR)


def _title(path: str) -> str:
    """The heading of a file: a name may have line breaks, which would make lines of its own."""
    return f"## {' '.join(path.split())}"


def _read(hit: Hit, memory: MemoryFiles) -> tuple[ContextPassage, ...]:
    """The entries of a hit's file; none of a very long one."""
    # An absolute path belongs to another memory; its files are not read here.
    text = "" if hit.path.startswith("/") else memory.text(hit.path)
    return memory.passages(hit.path) if 0 < len(text) <= _LONGEST_FILE else ()


def _notes(answer: SearchAnswer) -> list[str]:
    notes = [answer.fallback] if answer.fallback else []
    if answer.behind:
        notes.append(f"{answer.behind} files are not yet in the index")
    return notes
