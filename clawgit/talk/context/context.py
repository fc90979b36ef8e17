"""`context`: the text that a new conversation starts with, from files, search and outside
systems.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from datetime import datetime, timedelta
from functools import cache, cached_property
from itertools import islice

from clawgit.core import NamedTuple
from clawgit.core.config.settings import Settings
from clawgit.core.errors import ClawgitError, PathRefusedError
from clawgit.core.layout import IDENTITY, NOTEBOOK, SOUL, is_markdown
from clawgit.core.markdown import frames, item
from clawgit.core.markdown.entry import entries, holds_entries
from clawgit.core.markdown.excerpt import one_line
from clawgit.core.markdown.item import Item
from clawgit.core.markdown.placeholders import is_dream, is_form, staged_lines
from clawgit.core.tiers import NOTEBOOKS, WORKING, dated, tier
from clawgit.core.tokens import estimate_tokens
from clawgit.git.history.pathlog import told
from clawgit.git.rules.when import parse_when
from clawgit.git.worktree import read_part
from clawgit.history.log import state
from clawgit.safety.doubted import doubt_note, doubted
from clawgit.safety.masking import Coverage, cover_of
from clawgit.safety.own_rules import GUIDE, Rules
from clawgit.safety.rules.masks import covered
from clawgit.search.answer import Hit, Request
from clawgit.search.answering import Found
from clawgit.search.rules.fold import tellers
from clawgit.search.rules.question import asks_permission
from clawgit.search.rules.standing import is_log, stale_reason
from clawgit.search.search import Searcher
from clawgit.search.session_search import FoundMessage, found_messages
from clawgit.search.shown_hits import Sheets
from clawgit.talk.chat import open_chat
from clawgit.talk.context.asking import ContextRequest
from clawgit.talk.context.fetching import data_from, fetch
from clawgit.talk.rules.chat import Message, as_turns, is_session, is_shared
from clawgit.talk.rules.corrections import ARCHIVE, CORRECTIONS, corrections, doubting
from clawgit.talk.rules.filling import ContextPiece, FilledSlot, Slot, assemble
from clawgit.talk.rules.pairs import wrong_by
from clawgit.talk.rules.passage import ContextPassage, passages, pending, session_passages
from clawgit.talk.rules.slots import (
    FOUND,
    NEAR,
    SAID,
    SLOTS,
    RecalledPassage,
    corrections_pieces,
    identity_pieces,
    longterm_pieces,
    recall_pieces,
    recent_pieces,
    user_pieces,
)
from clawgit.workspace.discover import discover
from clawgit.workspace.reach import reach_of
from clawgit.workspace.stores.state import state_file
from clawgit.workspace.template_text import says_nothing
from clawgit.workspace.workspace import Workspace

# The files that a context is made of, on disk or in a commit, cut into passages.


_MEMORY = ("memory/", "Archive/")


def _moment(workspace: Workspace, at: str) -> tuple[datetime, str, str]:
    """Now; or the commit of a revision, at its own time or at the date that was given.

    For a date before all history it is the first commit, at its own time, and a note says so.
    """
    if not at:
        return workspace.local_now, "", ""
    commit, note = state(workspace, at)
    [named_commit] = told(workspace.cgit, [commit])
    named = None if note else parse_when(at, workspace.now, workspace.zone)
    return (named or named_commit.time).astimezone(workspace.zone), commit, note


class MemoryFiles(Sheets):
    """The files at a moment, cut into passages; what the operator corrected in them is marked.

    Each is read as git's work tree is. `notes` say what was unusual.
    """

    def __init__(self, workspace: Workspace, at: str) -> None:
        self.now, commit, note = _moment(workspace, at)
        super().__init__(workspace, commit)
        self.notes = [note]
        self.today = self.now.date()
        self.rules = Rules(workspace, commit)
        archived = (
            each
            for path in self.paths
            if path.startswith(ARCHIVE)
            for each in corrections(self.whole(path))
        )
        self.archived = doubting(archived, self.doubted)
        self.recent = doubting(corrections(self.whole(CORRECTIONS)), self.doubted)
        self._wrong = wrong_by((*self.recent, *self.archived))
        self._undecided_in = cache(self._undecided_lines)

    def on_disk(self, path: str) -> bytes:
        if path.startswith("/"):
            return b""  # of another memory, whose files are not read here
        try:
            return read_part(self.workspace.root, path)
        except PathRefusedError as error:
            self.notes.append(error.message)
            return b""

    def is_dreamt(self, path: str, line: int) -> bool:
        """Whether OpenClaw wrote this line only for itself, while it dreamt."""
        return is_dream(path) or line in staged_lines(self.whole(path))

    @cached_property
    def paths(self) -> list[str]:
        """The Markdown files of memory and archive, in order."""
        paths: Iterable[str]
        if self.commit:
            listed = self.workspace.cgit.run("ls-tree", "-r", "-z", "--full-tree", self.commit)
            rows = (record.partition("\t") for record in os.fsdecode(listed).split("\0"))
            paths = (path for about, _, path in rows if about.startswith("100"))
        else:
            paths = discover(reach_of(self.workspace))
        return sorted(path for path in paths if path.startswith(_MEMORY) and is_markdown(path))

    @cached_property
    def notebook(self) -> str:
        """MEMORY.md, or the name that the file has in this workspace."""
        return NOTEBOOK if self.whole(NOTEBOOK) else "memory.md"

    @cached_property
    def doubted(self) -> Mapping[str, str]:
        """The corrections that count for nothing as yet: id → what to do."""
        return doubted(self.workspace)

    def passages(self, path: str) -> tuple[ContextPassage, ...]:
        """The passages without the template's text about how to fill it in; of a saved session,
        only what was said.
        """
        text = self.whole(path)
        if path not in NOTEBOOKS and is_session(text):
            return session_passages(path, as_turns(text), self.today)
        read = passages(path, text, self.today)
        if path not in NOTEBOOKS and not is_form(path):
            return read
        return tuple(passage for passage in read if _says_something(path, passage))

    def marked(self, passage: ContextPassage) -> ContextPassage:
        """A passage, marked if it is wrong or undecided."""
        where = "" if passage.stale else self._wrong.correction_of(passage.text)
        if where:
            passage = passage._replace(stale=f"corrected in {where}")
        is_open = passage.kind == "item" and passage.line in self._undecided_in(passage.path)
        return pending(passage) if is_open else passage

    def of(self, path: str) -> list[ContextPassage]:
        """The passages of a file, each marked if it is wrong or undecided."""
        return [*map(self.marked, self.passages(path))]

    def _undecided_lines(self, path: str) -> frozenset[int]:
        """The lines at which entries begin about which the operator is asked."""
        if not self.undecided or not holds_entries(path):
            return frozenset()
        listed = entries(self.whole(path))
        return frozenset(entry.line for entry in listed if entry.key in self.undecided)


def _says_something(path: str, passage: ContextPassage) -> bool:
    """Whether a passage is not only text of a template. The rules of ours for a soul count: an
    agent is held to them.
    """
    is_rule = passage.kind == "item" and path.rpartition("/")[2] == SOUL
    return not all(
        says_nothing(path, each.text, passage.kind, with_ours=not is_rule)
        for each in item.whole(passage.text)
    )


_LONGEST_FILE = 100_000
"""Characters. In a longer file only the line that was found is shown, not its whole entry."""

_MORE = 2
"""This many times the hits of a search are looked at, since some are in other slots already."""

_NEAR = 120
"""How many of the next best lines may fill room that is left over."""

_AT_HAND = frozenset({"SOUL.md", "AGENTS.md"})
"""Who the agent is has a slot of its own, and each session gets its instructions as they are."""

_MOST_SPOKEN = 5
_LONGEST_TURN = 2_000
_LONGEST_SPOKEN = 1_000
"""Characters. A longer message is in the transcript, and in `chat search`."""

_STILL_OPEN = timedelta(hours=24)
"""What was said in the same session since then is before the model already."""


class Context(NamedTuple):
    """The whole context is the texts of the slots, with blank lines between them; `used` counts its
    tokens. `at` is the commit that it is made from, None for the files on disk. `notes` say what
    was unusual.
    """

    budget: int
    used: int
    slots: tuple[FilledSlot, ...]
    session: str
    now: datetime
    at: str | None
    notes: tuple[str, ...]


def context(
    workspace: Workspace, asking: ContextRequest, *, searcher: Searcher | None = None
) -> Context:
    """Makes a context.

    Reads only. The hits do not count as read, since a program asked, not a person. Text that looks
    like an injection is always left out, since a model will read the answer.
    """
    with nullcontext(searcher) if searcher else Searcher(workspace) as opened:
        made = _assembled(workspace, asking, opened)
    shown: Context = covered(made, cover_of(workspace))
    return shown


def whole(made: Context) -> str:
    """The text as it goes to a model."""
    return "\n\n".join(filter(None, (slot.text for slot in made.slots)))


def _assembled(workspace: Workspace, asking: ContextRequest, searcher: Searcher) -> Context:
    settings = workspace.settings
    brought = fetch(workspace, asking)
    memory = MemoryFiles(workspace, asking.at)
    memory.notes += brought.notes
    days = _days_of(memory, settings.memory_retention_hours)
    recent = [passage for path in days for passage in memory.of(path)]
    found, rules = _recall(searcher, asking, memory)
    answers = [each.passage for each in found if each.how == FOUND]
    said = _spoken(asking, memory, [*recent, *answers])
    came_up = [*found, *said]
    memory.notes.append(_why_nothing(asking, (*came_up, *brought.profiles)))
    pieces = {
        **_standing(memory, rules, shared=is_shared(asking.session)),
        "recent_memory": recent_pieces(recent),
        "semantic_recall": recall_pieces(came_up),
        "crm_profiles": brought.profiles,
        "external_context": brought.external,
    }
    intros = {
        "semantic_recall": "" if answers or said else frames.NOT_OUTRIGHT,
        "crm_profiles": data_from("the CRM"),
        "external_context": data_from(settings.external_context_source),
    }
    budget = settings.context_budget_tokens if asking.budget is None else asking.budget
    slots = [
        Slot(kind, getattr(settings, kind.setting), pieces[kind.name], intros.get(kind.name, ""))
        for kind in SLOTS
    ]
    made = assemble(slots, budget, estimate_tokens)
    notes = (*memory.notes, doubt_note(memory.doubted), *made.notes)
    return Context(
        budget=budget,
        used=made.used,
        slots=tuple(
            slot if asking.explain else slot._replace(taken=(), left=()) for slot in made.slots
        ),
        session=asking.session,
        now=memory.now,
        at=memory.commit or None,
        notes=tuple(dict.fromkeys(filter(None, notes))),
    )


def _standing(
    memory: MemoryFiles, asked: Sequence[ContextPassage], *, shared: bool
) -> Mapping[str, Sequence[ContextPiece]]:
    """What needs no message, with the rules that are `asked` about on top. A `shared` session sees
    nothing of the notebook, nor a correction.
    """
    settings = memory.workspace.settings
    is_newest_first = settings.correction_overflow_strategy == "newest_first"
    notebook = [] if shared else memory.of(memory.notebook)
    holds = memory.rules.holds
    rules = {each.source for each in notebook if holds(each.path, each.text, each.titles)}
    return {
        "identity": identity_pieces(memory.of(SOUL), memory.of(IDENTITY), memory.of(GUIDE), asked),
        "user_profile": user_pieces(memory.of("USER.md")),
        # They quote the notebook, and what was said in private.
        "corrections": []
        if shared
        else corrections_pieces(memory.recent, memory.archived, newest_first=is_newest_first),
        "longterm_memory": longterm_pieces(notebook, settings, memory.today, rules),
    }


def _why_nothing(asking: ContextRequest, came_up: Sequence[object]) -> str:
    """A note for a message for which nothing came up."""
    if came_up:
        return ""
    if asking.question:
        return "nothing in memory matches the message"
    is_said = asking.message.strip()
    return "the message asks nothing, so nothing was recalled" if is_said else ""


def _recall(
    searcher: Searcher, asking: ContextRequest, memory: MemoryFiles
) -> tuple[list[RecalledPassage], list[ContextPassage]]:
    """What the search finds, best first, and the rules that permission is asked about; without a
    message nothing is searched.
    """
    if not asking.question:
        return [], []
    searcher.now = memory.now
    answer, found = searcher.looked(Request(asking.question, at=asking.at, session=asking.session))
    memory.notes.append(answer.fallback or "")
    came_up = [
        # A hit in another memory, whose files are not read here.
        RecalledPassage(_as_told(hit.path, hit.startLine, hit.endLine, hit.snippet), hit.score)
        for hit in answer.results
        if hit.agent
    ]
    rows = [one for one in found if _may_be_shown(one.row, memory)]
    came_up += _came_up(rows, memory, memory.workspace.settings)
    came_up.sort(key=lambda each: -each.score)
    marked = [each._replace(passage=memory.marked(each.passage)) for each in came_up]
    return marked, [*_rules(answer.results, asking, memory)]


def _came_up(
    rows: Sequence[Found], memory: MemoryFiles, settings: Settings
) -> Iterator[RecalledPassage]:
    """What is likely to answer, and the next best lines."""
    sure = [one for one in rows if one.score >= settings.min_score]
    sure = sure[: _MORE * settings.max_results]
    read = {one.row.path: _read(one.row.path, memory) for one in sure}
    for one in sure:
        yield RecalledPassage(_passage(one.row, read), one.score)
    near = (one for one in rows[len(sure) :] if _is_whole(one.row, read, memory))
    for one in islice(near, _NEAR):
        yield RecalledPassage(_passage(one.row, read), one.score, NEAR)


def _spoken(
    asking: ContextRequest, memory: MemoryFiles, told: Sequence[ContextPassage]
) -> list[RecalledPassage]:
    """The messages of conversations that answer, best first, without what repeats one of `told`.

    Nothing is shown in a session that others can read, nor taken from one, where anyone may write.
    Conversations have no past state, and a store on a server is not asked: that takes too long.
    """
    workspace = memory.workspace
    is_here = workspace.settings.chat_store == "sqlite" and not memory.commit
    is_private = not is_shared(asking.session)
    if not (asking.question and is_here and is_private and state_file(workspace.place).exists()):
        return []
    try:
        found = _messages(workspace, asking, memory.now)
    except ClawgitError as error:
        memory.notes.append(f"conversations were not searched: {error.message}")
        return []
    is_told, planted = tellers([each.text for each in told]), Coverage(workspace).is_planted
    fresh = (
        each for each in found if not is_told(each.message.text) and not planted(each.message.text)
    )
    return [_turn(each, memory) for each in islice(fresh, _MOST_SPOKEN)]


def _messages(workspace: Workspace, asking: ContextRequest, now: datetime) -> list[FoundMessage]:
    def is_news(message: Message) -> bool:
        """Whether it says what the model does not have before it."""
        if is_shared(message.session) or len(message.text) > _LONGEST_SPOKEN:
            return False
        if message.session == asking.session and now - message.time < _STILL_OPEN:
            return False
        return message.text.strip() != asking.question

    settings = workspace.settings
    with open_chat(workspace) as chat:
        found = found_messages(workspace, chat, asking.question, settings, now, is_news)
    return [each for each in found if each.found.fits >= settings.min_score]


def _turn(found: FoundMessage, memory: MemoryFiles) -> RecalledPassage:
    message = found.message
    day = message.time.astimezone(memory.workspace.zone).date()
    text = f"- {message.role}, {day}: {one_line(message.text)}"
    passage = ContextPassage(f"chat:{message.key}", 0, 0, text, ("## Conversations",), "turn")
    return RecalledPassage(memory.marked(passage), found.found.score, SAID)


def _days_of(memory: MemoryFiles, hours: int) -> list[str]:
    """The dated files of the last hours.

    A file counts for its whole day. Tomorrow's counts too: it may be today where it was written.
    """
    first = (memory.now - timedelta(hours=hours)).date()
    last = memory.today + timedelta(days=1)
    notes = (path for path in memory.paths if tier(path) == WORKING and not is_dream(path))
    return [path for path in notes if (day := dated(path)) and first <= day <= last]


def _rules(
    hits: Sequence[Hit], asking: ContextRequest, memory: MemoryFiles
) -> Iterator[ContextPassage]:
    """The rule that a search puts first, if permission is asked."""
    for hit in hits[: asks_permission(asking.question)]:
        for passage in memory.of(hit.path):
            if hit.line in passage.lines and memory.rules.holds(
                hit.path, passage.text, passage.titles
            ):
                yield passage


def _may_be_shown(row: Item, memory: MemoryFiles) -> bool:
    """Whether a line that was found holds, and is shown nowhere else. OpenClaw's dreams repeat the
    words of notes many times: they take the place of none.
    """
    if row.kind == "heading" or is_log(row) or row.path in _AT_HAND:
        return False
    is_over = row.meta and row.meta.expires and row.meta.expires < memory.today
    return not (is_over or stale_reason(row) or memory.is_dreamt(row.path, row.line))


def _is_whole(row: Item, read: Mapping[str, Sequence[ContextPassage]], memory: MemoryFiles) -> bool:
    """A line of a saved session says nothing without its speaker."""
    has_speaker = item.spoken(row.text) != row.text
    return row.path in read or has_speaker or not is_session(memory.whole(row.path))


def _passage(row: Item, read: Mapping[str, Sequence[ContextPassage]]) -> ContextPassage:
    """A line as its file shows it, if the file was read for an answer; else the index's text, on
    one line, since reading each file would take too long.
    """
    line = one_line(row.text)
    own = _as_told(row.path, row.line, row.end_line, f"- {line}")
    own = own._replace(kind=row.kind, meta=row.meta)
    shown = next((each for each in read.get(row.path, ()) if row.line in each.lines), own)
    if shown.kind != "turn" or len(shown.text) <= _LONGEST_TURN:
        return shown
    # Of what has no room, the line that was found, with who said it.
    role = shown.text.partition(":")[0]
    return own._replace(text=f"{role}: […] {item.spoken(line)}", heads=shown.heads)


def _read(path: str, memory: MemoryFiles) -> Sequence[ContextPassage]:
    """The entries of a file; none of a very long one."""
    return () if len(memory.whole(path)) > _LONGEST_FILE else memory.passages(path)


def _as_told(path: str, line: int, end: int, text: str) -> ContextPassage:
    """A text below the name of its file; that may have line breaks, which would make lines of its
    own.
    """
    return ContextPassage(path, line, end, text, (f"## {one_line(path)}",), "snippet")
