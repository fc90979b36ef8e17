"""Facts in notes: which lines may hold one, what is read out of a line, its class, and for how long
it holds.
"""

import re
from collections.abc import Mapping
from datetime import date, timedelta
from types import MappingProxyType
from typing import NamedTuple

from clawgit.domain.corrections.disputed import quotes_of
from clawgit.domain.facts.confidence import CORRECTION
from clawgit.domain.markdown.comment import ACTIVE, Meta
from clawgit.domain.markdown.entry import content_key
from clawgit.domain.markdown.item import Item, items, spoken
from clawgit.domain.workspace.tiers import dated

CLASSES = PERSONAL, TASKS, AGENTS, SYSTEM, GENERAL = (
    "personal",
    "tasks",
    "agents",
    "system",
    "general",
)
LASTS: Mapping[str, int | None] = MappingProxyType(
    {PERSONAL: None, TASKS: 7, AGENTS: 30, SYSTEM: None, GENERAL: None}
)
"""Days for which a fact of each class holds after it was last said; None: for ever. What no rule
knows is general."""

INDEX = "memory/INDEX.md"
LESSONS = "memory/lessons.md"
STRUCTURED = "memory/structured/"
_OURS = frozenset({INDEX, LESSONS})

BOX = re.compile(r"^\[([ xX])\][ \t]+")
"""A box before a task, ticked or not."""


class Source(NamedTuple):
    """A line of a note that may hold facts. `text` is what a reader sees of it; `said` is the day
    that it tells of, `under` are the headings above it. `speaker` says whose turn it is, "" where
    nobody's.
    """

    path: str
    line: int
    text: str
    said: date
    meta: Meta | None = None
    under: tuple[str, ...] = ()
    speaker: str = ""

    @property
    def key(self) -> str:
        """What the line says, by a hash: it is the same wherever in the file the line moves."""
        return content_key(self.text)

    @property
    def evidence(self) -> str:
        return f"{self.path}#L{self.line}"


class Found(NamedTuple):
    """A fact as it was read from a line: `text` carries no tag; `when` is the day that it names, if
    any; `quote` is the sentence as it stands there, "" where nobody can tell.
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
    """Whether the organizer reads a file: the Markdown right below memory/, but for what it writes
    itself.
    """
    return (
        path.startswith("memory/")
        and path.count("/") == 1
        and path.lower().endswith(".md")
        and path not in _OURS
    )


def sources(path: str, text: str, today: date) -> tuple[Source, ...]:
    """The lines of a note that count now: what was replaced, archived or ticked off is left out."""
    told = dated(path)
    return tuple(
        Source(
            path, item.line, " ".join(_said(item).split()), told or _last(item) or today, item.meta,
                item.path,
            _speaker(item),
        )
        for item in items(path, text)
        if item.kind in _KINDS and _counts(item)
    )  # fmt: skip


def class_of(text: str, under: tuple[str, ...] = (), *, is_task: bool = False) -> str:
    """Which of the classes a fact is of: by its label and the headings above it, else by the shape
    of what it names. Where that is not certain it is general.
    """
    from clawgit.domain.promotion.marks import TASK, class_of_title, kinds_of, marks  # noqa: PLC0415 - where a fact is new

    if is_task or TASK in marks(text) or any(TASK in kinds_of(title) for title in under):
        return TASKS
    if named := next(filter(None, map(class_of_title, reversed(under))), ""):
        return named
    if _OF_AGENTS.search(text):
        return AGENTS
    if _OF_SYSTEMS.search(text):
        return SYSTEM
    return PERSONAL if _is_yearly(text) else GENERAL


def expires(class_: str, last: date, when: date | None = None) -> date | None:
    """The last day on which a fact holds: so long after it was said, or after the day that it
    speaks of.
    """
    days = LASTS.get(class_)
    if days is None:
        return None
    latest = max(last, when) if when and (when - last).days <= _FARTHEST else last
    return latest + timedelta(days=days) if (date.max - latest).days > days else date.max


def is_expired(meta: Meta, today: date) -> bool:
    """Whether a fact holds no more. One that was said again since then holds on; a correction
    always does.
    """
    if meta.expires is None or meta.src == CORRECTION:
        return False
    if meta.status == ACTIVE and meta.last:
        renewed = expires(meta.class_, meta.last)
        return max(meta.expires, renewed or meta.expires) < today
    return meta.expires < today


def _is_yearly(text: str) -> bool:
    """Whether it tells of a birthday or the like, as the languages list them."""
    from clawgit.language.lexicon import lexicons_for  # noqa: PLC0415 - where a fact is new
    from clawgit.language.tokens import tokens  # noqa: PLC0415

    among = tokens(text)
    return any(next(one.phrases("yearly").every(text, among), None) for one in lexicons_for(text))


def _counts(item: Item) -> bool:
    ticked = BOX.match(item.text)
    if (ticked and ticked[1] != " ") or quotes_of(f"x\n  - {item.text}"):
        return False
    return item.meta is None or item.meta.status == ACTIVE


def _said(item: Item) -> str:
    return spoken(item.text) if item.kind == _TURN else item.text


def _speaker(item: Item) -> str:
    """The role before what was said; a name in bold is a part of the words."""
    role = item.text[: len(item.text) - len(spoken(item.text))].strip(" \t*:").casefold()
    if item.kind != _TURN or not role:
        return ""
    return _OPERATOR if role in (_OPERATOR, "human") else ASSISTANT


def _last(item: Item) -> date | None:
    return (item.meta.last or item.meta.first) if item.meta else None


_TURN = "turn"
_OPERATOR = "user"
ASSISTANT = "assistant"
_OF_AGENTS = re.compile(
    r"\b(?:AGENTS|SOUL|SKILL|MEMORY|HEARTBEAT|IDENTITY|BOOTSTRAP|CLAUDE|GEMINI)\.md\b"
)
_OF_SYSTEMS = re.compile(
    r"`[^`]+`|(?<![\w/])[~/][\w.-]+/[\w./-]+|\b\w+\.(?:ya?ml|json|toml|py|ts|js|sh|conf|env|sql)\b"
    r"|\b[vV]?\d+\.\d+\.\d+\b|\blocalhost\b|:\d{4,5}\b"
)
"""What only systems have: code, paths, files of programs, versions, addresses."""

_KINDS = ("item", "para", _TURN)
_FARTHEST = 3660
"""A day further off than ten years is a slip, or a joke."""
