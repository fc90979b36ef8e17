"""`context`: the text that a new conversation starts with, from files, search and outside
systems.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import NamedTuple

from clawgit.domain.change.authority import IDENTITY, SOUL
from clawgit.domain.context.context import FilledSlot, Slot, assemble
from clawgit.domain.context.outside import crm_slot, external_slot
from clawgit.domain.context.passage import ContextPassage
from clawgit.domain.context.slots import (
    RecalledPassage,
    corrections_slot,
    identity_slot,
    longterm_slot,
    recall_slot,
    recent_slot,
    user_slot,
)
from clawgit.domain.conversation.chat import Message
from clawgit.domain.corrections.corrections import CORRECTIONS
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.tags import visible
from clawgit.domain.model.tokens import estimate_tokens
from clawgit.domain.safety.covered import covered
from clawgit.domain.search.fold import tellers
from clawgit.errors import ClawgitError
from clawgit.ops.context.asking import Brought, ContextRequest, is_shared
from clawgit.ops.context.fetching import fetch
from clawgit.ops.context.files import Files, MemoryFiles, Moment, moment
from clawgit.ops.context.recall import LONGEST_QUESTION, Recalled, recall
from clawgit.ops.conversation.chat import open_chat
from clawgit.ops.safety.masking import cover_of, is_planted
from clawgit.ops.search.search import Searcher
from clawgit.ops.search.session_search import FoundMessage, found_messages
from clawgit.ops.soul.doubted import note_of
from clawgit.ops.soul.history import protected_lines, soul_history
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.state import state_file

_NOTHING = "nothing in memory matches the message"

_NOT_ASKED = "the message asks nothing, so nothing was recalled"

_ORDER = (
    "identity",
    "user_profile",
    "corrections",
    "recent_memory",
    "semantic_recall",
    "crm_profiles",
    "longterm_memory",
    "external_context",
)


@dataclass(frozen=True, slots=True)
class Context:
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
    workspace: Workspace,
    asking: ContextRequest,
    *,
    searcher: Searcher | None = None,
    brought: Brought | None = None,
) -> Context:
    """Makes a context.

    Reads only. The hits do not count as read, since a program asked, not a person. Text that looks
    like an injection is always left out, since a model will read the answer.
    """
    fetched = fetch(workspace, asking) if brought is None else brought
    with nullcontext(searcher) if searcher else Searcher(workspace) as opened:
        made = _assembled(workspace, asking, fetched, opened)
    shown: Context = covered(made, cover_of(workspace, made))
    return shown


def whole(made: Context) -> str:
    """The text as it goes to a model."""
    return "\n\n".join(filter(None, (slot.text for slot in made.slots)))


def _assembled(
    workspace: Workspace, asking: ContextRequest, brought: Brought, searcher: Searcher
) -> Context:
    settings = workspace.config.settings
    when = moment(workspace, asking.at)
    files = Files(workspace, when.commit)
    memory = MemoryFiles(files, when)
    recalled = recall(searcher, files, asking, when, memory, settings)
    said = spoken(workspace, asking, when, memory, recalled.texts)
    known = _standing(workspace, memory, shared=is_shared(asking.session))
    slots = [*known, *_asked_for(workspace, recalled, brought, said.found)]
    slots.sort(key=lambda slot: _ORDER.index(slot.name))
    budget = settings.context_budget_tokens if asking.budget is None else asking.budget
    made = assemble(slots, budget, estimate_tokens)
    shown = made.slots
    if not asking.explain:
        shown = tuple(slot._replace(taken=(), left=()) for slot in shown)
    told = (*files.notes, note_of(files.doubted))
    answers = (recalled.found, recalled.corrected, recalled.near, said.found, brought.profiles)
    nothing = "" if any(answers) else _why_nothing(asking)
    notes = (when.note, *brought.notes, *recalled.notes, nothing, said.note, *told, *made.notes)
    return Context(
        budget=budget,
        used=made.used,
        slots=shown,
        session=asking.session,
        now=when.now,
        at=when.commit or None,
        notes=tuple(dict.fromkeys(filter(None, notes))),
    )


def _why_nothing(asking: ContextRequest) -> str:
    """A note for a message for which nothing was recalled."""
    if asking.question:
        return _NOTHING
    return _NOT_ASKED if asking.message.strip() else ""


def _asked_for(
    workspace: Workspace,
    recalled: Recalled,
    brought: Brought,
    said: Sequence[RecalledPassage],
) -> Iterator[Slot]:
    """The slots that depend on the message, and on outside systems."""
    settings = workspace.config.settings
    yield recent_slot(
        recalled.recent, recalled.scores, settings.min_score, settings.recent_memory_tokens
    )
    # A profile has its own slot; the search may have found the same note.
    elsewhere = {profile.source for profile in brought.profiles}
    found, near = (
        [each for each in some if each.passage.path not in elsewhere]
        for some in (recalled.found, recalled.near)
    )
    yield recall_slot(
        found,
        recalled.corrected,
        settings.semantic_recall_tokens,
        near=near,
        said=said,
        intro="" if recalled.likely or said else frames.NOT_OUTRIGHT,
    )
    yield crm_slot(brought.profiles, settings.crm_tokens)
    yield external_slot(
        *brought.external[:2], settings.external_context_budget, brought.external[2]
    )


def _standing(workspace: Workspace, memory: MemoryFiles, *, shared: bool) -> Iterator[Slot]:
    """The slots that need no message. A `shared` session sees nothing of the notebook."""
    settings = workspace.config.settings
    soul = memory.of(SOUL)
    most = settings.identity_tokens
    protected = _protected_texts(workspace, soul, most, memory.commit)
    yield identity_slot(soul, memory.of(IDENTITY), most, protected)
    yield user_slot(memory.of("USER.md"), settings.user_profile_tokens)
    yield corrections_slot(
        memory.corrections(CORRECTIONS),
        memory.archived,
        settings.corrections_tokens,
        newest_first=settings.correction_overflow_strategy == "newest_first",
    )
    notebook = [] if shared else memory.of(memory.notebook)
    yield longterm_slot(notebook, settings, memory.today, settings.longterm_memory_tokens)


def _protected_texts(
    workspace: Workspace, soul: Sequence[ContextPassage], budget: int, commit: str
) -> frozenset[str]:
    """Their texts, as a reader sees them. Empty, without a search, if the whole soul has room."""
    if sum(estimate_tokens(passage.text) for passage in soul) <= budget:
        return frozenset()
    try:
        with soul_history(workspace) as history:
            version = history.version_at(commit) if commit else history.current
            found = protected_lines(history, version)
            lines = [visible(line.line).strip() for line in found if line.correction]
    except ClawgitError:
        # A context must not fail if the history cannot be read; then nothing is protected.
        return frozenset()
    return frozenset(filter(None, lines))


_MOST_SPOKEN = 5
_LONGEST_SPOKEN = 1_000
"""Characters. A longer message is in the transcript, and in `chat search`."""

_STILL_OPEN = timedelta(hours=24)
"""What was said in the same session since then is before the model already."""


class Spoken(NamedTuple):
    """The messages that answer, best first. `note` says why there are none, if they could not be
    read.
    """

    found: list[RecalledPassage]
    note: str = ""


def spoken(
    workspace: Workspace,
    asking: ContextRequest,
    when: Moment,
    memory: MemoryFiles,
    told: Collection[str],
) -> Spoken:
    """What conversations said, without what repeats a text of `told`.

    Nothing is shown in a session that others can read, nor taken from one, where anyone may write.
    Conversations have no past state, and a store on a server is not asked: that takes too long.
    """
    is_here = workspace.config.settings.chat_store == "sqlite"
    is_private = not is_shared(asking.session)
    if not (asking.question and is_here and is_private) or when.commit:
        return Spoken([])
    if not state_file(workspace.place).exists():
        return Spoken([])
    try:
        found = _found(workspace, asking, when)
    except ClawgitError as error:
        return Spoken([], f"conversations were not searched: {error.message}")
    is_told, planted = tellers(told), is_planted(workspace)
    fresh = (
        one for one in found if not is_told(one.message.text) and not planted(one.message.text)
    )
    return Spoken([*_passages(islice(fresh, _MOST_SPOKEN), workspace, memory)])


def _found(workspace: Workspace, asking: ContextRequest, when: Moment) -> list[FoundMessage]:
    message = asking.question

    def is_news(one: Message) -> bool:
        """Whether it says what the model does not have before it."""
        if is_shared(one.session) or len(one.text) > _LONGEST_SPOKEN:
            return False
        if one.session == asking.session and when.now - one.time < _STILL_OPEN:
            return False
        return one.text.strip() != message

    settings = workspace.config.settings
    with open_chat(workspace) as chat:
        _, found = found_messages(
            workspace, chat.store, message[:LONGEST_QUESTION], settings, when.now, is_news
        )
    return [one for one in found if one.found.fits >= settings.min_score]


def _passages(
    found: Iterable[FoundMessage], workspace: Workspace, memory: MemoryFiles
) -> Iterator[RecalledPassage]:
    for one in found:
        message = one.message
        day = message.time.astimezone(workspace.zone).date()
        text = f"- {message.role}, {day}: {' '.join(message.text.split())}"
        heads = ("## Conversations",)
        passage = ContextPassage(f"chat:{message.key}", 0, 0, text, heads, "turn")
        for each in memory.standing([passage]):
            yield RecalledPassage(each, one.found.score, answers=True)
