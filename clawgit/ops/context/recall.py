"""What memory holds for a message: the last days, what the search finds, what comes near, and what
conversations said.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import timedelta
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
from clawgit.domain.markdown import item
from clawgit.domain.markdown.dreaming import is_dream
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
"""Characters. In a longer file only the line that was found is shown, not its whole entry."""

_MORE = 2
"""This many times the hits of a search are looked at, since some are in other slots already."""

_NEAR = 120
"""How many of the next best lines may fill room that is left over."""

_AT_HAND = frozenset({"SOUL.md", "AGENTS.md"})
"""Who the agent is has a slot of its own, and each session gets its instructions as they are."""

_MOST_SPOKEN = 5
_LONGEST_SPOKEN = 1_000
"""Characters. A longer message is in the transcript, and in `chat search`."""

_STILL_OPEN = timedelta(hours=24)
"""What was said in the same session since then is before the model already."""


class Recalled(NamedTuple):
    """What came up. `rules`: what the message asks permission about."""

    recent: list[ContextPassage]
    found: Sequence[RecalledPassage] = ()
    notes: Sequence[str] = ()
    rules: Sequence[ContextPassage] = ()

    @property
    def answers(self) -> list[ContextPassage]:
        """What is likely to answer."""
        return [each.passage for each in self.found if each.how == FOUND]


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
        return Recalled(recent)
    searcher.now = when.now
    answer, all_found = searcher.looked(Request(message, at=asking.at))
    rows = [one for one in all_found if _may_be_shown(one.row, asking, memory)]
    sure = [one for one in rows if one.score >= settings.min_score]
    sure = sure[: _MORE * settings.max_results]
    read = {one.row.path: _read(one.row.path, memory) for one in sure}
    shared = [RecalledPassage(_snippet(hit), hit.score) for hit in answer.results if hit.agent]
    found = [RecalledPassage(_passage(one.row, read), one.score) for one in sure]
    near = (one for one in rows if one not in sure and _is_whole(one.row, read, memory))
    found = sorted((*shared, *found), key=lambda each: -each.score)
    found += (
        RecalledPassage(_passage(one.row, read), one.score, NEAR) for one in islice(near, _NEAR)
    )
    rules = [*_rules(answer.results, asking, memory)]
    return Recalled(recent, _marked(found, memory), _notes(answer), rules)


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


def _rules(
    hits: Sequence[Hit], asking: ContextRequest, memory: MemoryFiles
) -> Iterator[ContextPassage]:
    """The rule that a search puts first, if permission is asked."""
    for hit in hits[: asks_permission(asking.question)]:
        if hit.path not in NOTEBOOKS or not is_shared(asking.session):
            for passage in memory.of(hit.path):
                if hit.line in passage.lines and memory.rules.holds(
                    hit.path, passage.text, passage.titles
                ):
                    yield passage


def _is_elsewhere(path: str, asking: ContextRequest) -> bool:
    """Whether a file is shown elsewhere, or not at all: MEMORY.md is for the operator alone."""
    return path in _AT_HAND or (is_shared(asking.session) and path in NOTEBOOKS)


def _may_be_shown(row: ItemRow, asking: ContextRequest, memory: MemoryFiles) -> bool:
    """Whether a line that was found holds, and belongs here. OpenClaw's dreams repeat the words of
    notes many times: they take the place of none.
    """
    if row.kind == "heading" or is_log(row) or _is_elsewhere(row.path, asking):
        return False
    is_over = row.meta and row.meta.expires and row.meta.expires < memory.today
    return not (is_over or stale_reason(row) or memory.is_dreamt(row.path, row.line))


def _is_whole(
    row: ItemRow, read: Mapping[str, Sequence[ContextPassage]], memory: MemoryFiles
) -> bool:
    """A line of a saved session says nothing without its speaker."""
    has_speaker = item.spoken(row.text) != row.text
    is_read = row.path in read or row.path.startswith("/")
    return is_read or has_speaker or not is_session(memory.whole(row.path))


def _passage(row: ItemRow, read: Mapping[str, Sequence[ContextPassage]]) -> ContextPassage:
    """A line as its file shows it, if the file was read for an answer; else the index's text, on
    one line, since reading each file would take too long.
    """
    heads, text = (_title(row.path),), f"- {' '.join(row.text.split())}"
    own = ContextPassage(row.path, row.line, row.end_line, text, heads, row.kind, row.meta)
    return next((each for each in read.get(row.path, ()) if row.line in each.lines), own)


def _read(path: str, memory: MemoryFiles) -> Sequence[ContextPassage]:
    """The entries of a file; none of a very long one, or of one outside of the workspace."""
    is_long = path.startswith("/") or len(memory.whole(path)) > _LONGEST_FILE
    return () if is_long else memory.passages(path)


def _snippet(hit: Hit) -> ContextPassage:
    """A hit in another memory, whose files are not read here."""
    heads = (_title(hit.path),)
    return ContextPassage(hit.path, hit.startLine, hit.endLine, hit.snippet, heads, "snippet")


def _marked(found: Sequence[RecalledPassage], memory: MemoryFiles) -> list[RecalledPassage]:
    """The same, each marked if it is wrong or undecided."""
    marked = memory.standing(each.passage for each in found)
    return [each._replace(passage=passage) for each, passage in zip(found, marked, strict=True)]


def _title(path: str) -> str:
    """The heading of a file: a name may have line breaks, which would make lines of its own."""
    return f"## {' '.join(path.split())}"


def _notes(answer: SearchAnswer) -> list[str]:
    notes = [answer.fallback] if answer.fallback else []
    if answer.behind:
        notes.append(f"{answer.behind} files are not yet in the index")
    return notes
