"""Facts in notes: which lines may hold one, what rules read out of a line, its class, and for how long it holds."""

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, time, timedelta
from types import MappingProxyType
from typing import NamedTuple

from clawgit.domain.comment import ACTIVE, Meta, day
from clawgit.domain.confidence import BASE, CORRECTION, EXPLICIT
from clawgit.domain.entry import content_key
from clawgit.domain.extract.memory import PLAN
from clawgit.domain.item import Item, items, spoken
from clawgit.domain.organize_words import AGENTS as ABOUT_AGENTS
from clawgit.domain.organize_words import BOX, OPENS_TASK, TASK
from clawgit.domain.organize_words import SYSTEM as ABOUT_SYSTEMS
from clawgit.domain.overlap import says_enough
from clawgit.domain.routing import EVENT, KNOWLEDGE, category
from clawgit.domain.tags import PRIMARY, tags_in, untagged
from clawgit.domain.tiers import dated

CLASSES = PERSONAL, TASKS, AGENTS, SYSTEM = ("personal", "tasks", "agents", "system")
LASTS: Mapping[str, int | None] = MappingProxyType({PERSONAL: None, TASKS: 7, AGENTS: 30, SYSTEM: None})
"""Days for which a fact of each class holds after it was last said; None: for ever."""

INDEX, LESSONS, STRUCTURED = "memory/INDEX.md", "memory/lessons.md", "memory/structured/"
_OURS = frozenset({INDEX, LESSONS})


class Source(NamedTuple):
    """A line of a note that may hold facts. `text` is what a reader sees of it; `said` is the day that it tells of."""

    path: str
    line: int
    text: str
    said: date
    meta: Meta | None = None

    @property
    def key(self) -> str:
        """What the line says, by a hash: it is the same wherever in the file the line moves."""
        return content_key(self.text)

    @property
    def evidence(self) -> str:
        return f"{self.path}#L{self.line}"


class Found(NamedTuple):
    """A fact as it was read from a line: `text` carries no tag; `when` is the day that it names, if any; `quote` is the
    sentence as it stands there, "" where nobody can tell.
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
    """Whether the organizer reads a file: the Markdown right below memory/, but for what it writes itself."""
    return path.startswith("memory/") and path.count("/") == 1 and path.lower().endswith(".md") and path not in _OURS


def sources(path: str, text: str, today: date) -> tuple[Source, ...]:
    """The lines of a note that count now: what was replaced, archived or ticked off is left out."""
    told = dated(path)
    return tuple(
        Source(path, item.line, " ".join(_said(item).split()), told or _last(item) or today, item.meta)
        for item in items(path, text)
        if item.kind in _KINDS and _counts(item)
    )


def read_by_rules(source: Source, name: str = "") -> tuple[Found, ...]:
    """The facts of one line: an entry is one as it stands, prose is read for what is worth keeping."""
    box = BOX.match(source.text)
    text = source.text[box.end() :] if box else source.text
    if not _is_harmless(text):
        return ()
    tag = next((one for one in tags_in(text) if one in PRIMARY), "")
    if tag or box or (source.meta and source.meta.conf is not None):
        return (_as_it_stands(source, untagged(text), tag, open_box=box is not None),)
    from clawgit.domain.extract.reading import memories  # noqa: PLC0415 - 40 ms of patterns, where prose is read

    noon = datetime.combine(source.said, time(12), UTC)
    return tuple(
        Found(
            one.text, one.tag, class_of(one.text, one.tag, is_plan=one.kind == PLAN), one.source, one.confidence,
            one.when, source, one.quote,
        )
        for one in memories(text, noon, name)
        if says_enough(one.text)
    )  # fmt: skip


def class_of(text: str, tag: str = "", *, is_plan: bool = False) -> str:
    """Which of the classes a fact is of, by its words; the first that fits, in the order of how soon it goes out."""
    if is_plan or OPENS_TASK.match(text) or (tag != EVENT and TASK.search(text)):
        return TASKS
    if ABOUT_AGENTS.search(text):
        return AGENTS
    return SYSTEM if ABOUT_SYSTEMS.search(text) else PERSONAL


def expires(class_: str, last: date, when: date | None = None) -> date | None:
    """The last day on which a fact holds: so long after it was said, or after the day that it speaks of."""
    days = LASTS.get(class_)
    if days is None:
        return None
    latest = max(last, when) if when and (when - last).days <= _FARTHEST else last
    return latest + timedelta(days=days) if (date.max - latest).days > days else date.max


def is_expired(meta: Meta, today: date) -> bool:
    """Whether a fact holds no more. One that was said again since then holds on; a correction always does."""
    if meta.expires is None or meta.src == CORRECTION:
        return False
    if meta.status == ACTIVE and meta.last:
        renewed = expires(meta.class_, meta.last)
        return max(meta.expires, renewed or meta.expires) < today
    return meta.expires < today


def _as_it_stands(source: Source, text: str, tag: str, *, open_box: bool) -> Found:
    meta = source.meta
    told = meta.src if meta and meta.src in BASE else EXPLICIT
    sure = meta.conf if meta and meta.conf is not None else BASE[told]
    class_ = TASKS if open_box else class_of(text, tag)
    when = next(_days_in(text), None)
    return Found(text, tag or (KNOWLEDGE if open_box else category(text)), class_, told, sure, when, source)


def _days_in(text: str) -> Iterator[date]:
    return filter(None, (day(word.strip(".,;:!?()[]")) for word in text.split()))


def _is_harmless(text: str) -> bool:
    from clawgit.domain.masks import is_sensitive  # noqa: PLC0415
    from clawgit.domain.poison import findings as poison  # noqa: PLC0415 - only where a line is read

    return bool(text.strip()) and not is_sensitive(text) and not any(one.hold for one in poison("", text))


def _counts(item: Item) -> bool:
    ticked = BOX.match(item.text)
    if ticked and ticked[1] != " ":
        return False
    return item.meta is None or item.meta.status == ACTIVE


def _said(item: Item) -> str:
    return spoken(item.text) if item.kind == _TURN else item.text


def _last(item: Item) -> date | None:
    return (item.meta.last or item.meta.first) if item.meta else None


_TURN = "turn"
_KINDS = ("item", "para", _TURN)
_FARTHEST = 3660
"""A day further off than ten years is a slip, or a joke."""
