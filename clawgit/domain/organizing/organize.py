"""Facts in notes: which lines may hold one, what a line says, its class, and how long it holds."""

import re
from datetime import date, timedelta
from typing import NamedTuple

from clawgit.domain.conversation.dump import is_session
from clawgit.domain.corrections.disputed import quotes_of
from clawgit.domain.facts.confidence import CORRECTION
from clawgit.domain.markdown.comment import Meta
from clawgit.domain.markdown.entry import content_key
from clawgit.domain.markdown.item import Item, items
from clawgit.domain.markdown.statuses import ACTIVE
from clawgit.domain.markdown.tags import tags_in
from clawgit.domain.organizing.classes import (
    AGENTS,
    CLASSES_BY_NAME,
    GENERAL,
    PERSONAL,
    SYSTEM,
    TASKS,
)
from clawgit.domain.promotion.marks import TASK, class_of_title, kinds_of, marks
from clawgit.domain.workspace.tiers import dated
from clawgit.language.lexicon import lexicons_for
from clawgit.language.tokens import tokens

INDEX = "memory/INDEX.md"
LESSONS = "memory/lessons.md"
STRUCTURED = "memory/structured/"
_OURS = frozenset({INDEX, LESSONS})

BOX = re.compile(r"^\[([ xX])\][ \t]+")
"""A box before a task, ticked or not."""

_OF_AGENTS = re.compile(
    r"\b(?:AGENTS|SOUL|SKILL|MEMORY|HEARTBEAT|IDENTITY|BOOTSTRAP|CLAUDE|GEMINI)\.md\b"
)
_OF_SYSTEMS = re.compile(
    r"`[^`]+`|(?<![\w/])[~/][\w.-]+/[\w./-]+|\b\w+\.(?:ya?ml|json|toml|py|ts|js|sh|conf|env|sql)\b"
    r"|\b[vV]?\d+\.\d+\.\d+\b|\blocalhost\b|:\d{4,5}\b"
)
"""What only facts about systems name: code, paths, program files, versions, addresses."""

_KINDS = ("item", "para")
_FARTHEST = 3660
"""A day that is more than ten years off is a mistake or a joke."""


class Source(NamedTuple):
    """A line of a note that may hold facts. `text` is what a reader sees of it.

    `said` is the day that it is about, `under` are the headings above it.
    """

    path: str
    line: int
    text: str
    said: date
    meta: Meta | None = None
    under: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """A hash of the words, which stays the same wherever in the file the line moves."""
        return content_key(self.text)

    @property
    def evidence(self) -> str:
        return f"{self.path}#L{self.line}"


class LineFact(NamedTuple):
    """A fact as it was read from a line. `text` has no tag; `when` is the day that it names, if
    any.

    `quote` is the sentence as it stands in the line, "" if that is unknown.
    """

    text: str
    tag: str
    class_: str
    source: str
    confidence: float
    when: date | None
    origin: Source
    quote: str = ""


def is_note(path: str) -> bool:
    """Whether the organizer reads a file: Markdown right below memory/ that it does not write."""
    folder, _, name = path.partition("/")
    is_right_below = folder == "memory" and "/" not in name
    return is_right_below and name.lower().endswith(".md") and path not in _OURS


def sources(path: str, text: str, today: date) -> tuple[Source, ...]:
    """The lines of a note that count now, without what was replaced, archived or ticked off.

    Of a saved session only entries are: the miner hears conversations.
    """
    is_talk = is_session(text)
    day_of_note = dated(path)
    return tuple(
        Source(
            path=path,
            line=item.line,
            text=" ".join(item.text.split()),
            said=day_of_note or _last(item) or today,
            meta=item.meta,
            under=item.path,
        )
        for item in items(path, text)
        if item.kind in _KINDS and _counts(item)
        if not is_talk or item.meta or tags_in(item.text)
    )


def class_of(text: str, under: tuple[str, ...] = (), *, is_task: bool = False) -> str:
    """The class of a fact, by its label and the headings above it, else by the shape of what it
    names. In doubt, it is general.
    """
    if is_task or TASK in marks(text):
        return TASKS
    if any(TASK in kinds_of(title) for title in under):
        return TASKS
    # The nearest heading that names a class.
    named = next(filter(None, map(class_of_title, reversed(under))), "")
    if named:
        return named
    if _OF_AGENTS.search(text):
        return AGENTS
    if _OF_SYSTEMS.search(text):
        return SYSTEM
    return PERSONAL if _is_yearly(text) else GENERAL


def expires(class_: str, last: date, when: date | None = None) -> date | None:
    """The last day on which a fact holds, counted from when it was said or from the day it names.

    None if it holds for ever.
    """
    row = CLASSES_BY_NAME.get(class_)
    days = row.days if row else None
    if days is None:
        return None
    latest = last
    if when and (when - last).days <= _FARTHEST:
        latest = max(last, when)
    if (date.max - latest).days <= days:
        return date.max
    return latest + timedelta(days=days)


def is_expired(meta: Meta, today: date) -> bool:
    """Whether a fact no longer holds. One that was said again since holds longer; a correction
    always holds.
    """
    # What the operator corrected holds until they correct it again.
    if meta.expires is None or meta.src == CORRECTION:
        return False
    if meta.status == ACTIVE and meta.last:
        renewed = expires(meta.class_, meta.last)
        return max(meta.expires, renewed or meta.expires) < today
    return meta.expires < today


def _is_yearly(text: str) -> bool:
    """Whether a fact is about a birthday or the like, as the languages list them."""
    among = tokens(text)
    return any(
        next(language.phrases("yearly").every(text, among), None) for language in lexicons_for(text)
    )


def _counts(item: Item) -> bool:
    ticked = BOX.match(item.text)
    # A task that is done is no fact. A quote belongs to the entry above it.
    if (ticked and ticked[1] != " ") or quotes_of(f"x\n  - {item.text}"):
        return False
    return item.meta is None or item.meta.status == ACTIVE


def _last(item: Item) -> date | None:
    return (item.meta.last or item.meta.first) if item.meta else None
