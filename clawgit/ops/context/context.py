"""`context`: the text that a new conversation starts with, from files, search and outside
systems.
"""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime

from clawgit.domain.change.authority import IDENTITY, SOUL
from clawgit.domain.context.context import ContextPiece, FilledSlot, Slot, assemble
from clawgit.domain.context.outside import crm_pieces, data_from, external_pieces
from clawgit.domain.context.passage import ContextPassage
from clawgit.domain.context.slots import (
    SLOTS,
    corrections_pieces,
    identity_pieces,
    longterm_pieces,
    recall_pieces,
    recent_pieces,
    user_pieces,
)
from clawgit.domain.corrections.corrections import CORRECTIONS
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.tags import visible
from clawgit.domain.model.tokens import estimate_tokens
from clawgit.domain.safety.masks import covered
from clawgit.errors import ClawgitError
from clawgit.ops.context.asking import Brought, ContextRequest, is_shared
from clawgit.ops.context.fetching import fetch
from clawgit.ops.context.files import MemoryFiles, moment
from clawgit.ops.context.recall import recall, spoken
from clawgit.ops.safety.masking import cover_of
from clawgit.ops.safety.own_rules import GUIDE
from clawgit.ops.search.search import Searcher
from clawgit.ops.soul.doubted import note_of
from clawgit.ops.soul.history import protected_lines, soul_history
from clawgit.ops.workspace.workspace import Workspace


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
    memory = MemoryFiles(workspace, when)
    recalled = recall(searcher, asking, when, memory, settings)
    said, said_note = spoken(workspace, asking, when, memory, recalled.texts)
    # A profile has its own slot; the search may have found the same note.
    elsewhere = {profile.source for profile in brought.profiles}
    came_up = [each for each in (*recalled.found, *said) if each.passage.path not in elsewhere]
    pieces = {
        **_standing(workspace, memory, recalled.rules, shared=is_shared(asking.session)),
        "recent_memory": recent_pieces(recalled.recent, recalled.scores, settings.min_score),
        "semantic_recall": recall_pieces(came_up),
        "crm_profiles": crm_pieces(brought.profiles),
        "external_context": external_pieces(*brought.external),
    }
    intros = {
        "semantic_recall": "" if recalled.likely or said else frames.NOT_OUTRIGHT,
        "crm_profiles": data_from("the CRM"),
        "external_context": data_from(brought.external[0]),
    }
    slots = [
        Slot(kind, getattr(settings, kind.setting), pieces[kind.name], intros.get(kind.name, ""))
        for kind in SLOTS
    ]
    budget = settings.context_budget_tokens if asking.budget is None else asking.budget
    made = assemble(slots, budget, estimate_tokens)
    nothing = _why_nothing(asking, (*came_up, *brought.profiles))
    told = (*memory.notes, note_of(memory.doubted), *made.notes)
    notes = (when.note, *brought.notes, *recalled.notes, nothing, said_note, *told)
    brief = (slot._replace(taken=(), left=()) for slot in made.slots)
    return Context(
        budget=budget,
        used=made.used,
        slots=made.slots if asking.explain else tuple(brief),
        session=asking.session,
        now=when.now,
        at=when.commit or None,
        notes=tuple(dict.fromkeys(filter(None, notes))),
    )


def _standing(
    workspace: Workspace, memory: MemoryFiles, asked: Sequence[ContextPassage], *, shared: bool
) -> Mapping[str, Sequence[ContextPiece]]:
    """What needs no message, with the rules that are `asked` about on top. A `shared` session sees
    nothing of the notebook.
    """
    settings = workspace.config.settings
    soul = memory.of(SOUL)
    protected = _protected_texts(workspace, soul, settings.identity_tokens, memory.commit)
    is_newest_first = settings.correction_overflow_strategy == "newest_first"
    notebook = [] if shared else memory.of(memory.notebook)
    holds = memory.rules.holds
    rules = {each.source for each in notebook if holds(each.path, each.text, each.titles)}
    return {
        "identity": identity_pieces(soul, memory.of(IDENTITY), protected, memory.of(GUIDE), asked),
        "user_profile": user_pieces(memory.of("USER.md")),
        "corrections": corrections_pieces(
            memory.corrections(CORRECTIONS), memory.archived, newest_first=is_newest_first
        ),
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
