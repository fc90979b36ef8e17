"""Facts read out of notes: which lines may hold one, its class, how long it holds, its page in
memory/structured/ and then in Archive/Facts/, and memory/INDEX.md, which says where everything is.

A new class is a new row of `CLASS_ROWS`.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date
from functools import cache

from clawgit.core import NamedTuple
from clawgit.core.errors import counted
from clawgit.core.markdown import frames
from clawgit.core.markdown.comment import ACTIVE, ARCHIVED, Meta, first_and_newest, split
from clawgit.core.markdown.entry import Entry, content_key, entries
from clawgit.core.markdown.item import Item, items
from clawgit.core.markdown.tag_table import is_struck, tags_in
from clawgit.core.tiers import INDEXED, dated, layer_of
from clawgit.language.files import CLASSES, rows
from clawgit.language.lexicon import lexicons_for
from clawgit.language.tokens import tokens
from clawgit.memory.rules.compaction import month_of
from clawgit.memory.rules.confidence import CORRECTION, first_said, later, origins
from clawgit.memory.rules.marks import TASK, is_revoked, is_void, kinds_of, marks, titled
from clawgit.talk.rules.chat import is_session
from clawgit.talk.rules.quotes import quotes_of

PERSONAL, TASKS, AGENTS, SYSTEM, GENERAL = "personal", "tasks", "agents", "system", "general"


class FactClass(NamedTuple):
    """One class of facts.

    `about`: what its facts are about, in words for a language model. `days`: for how many days a
    fact holds after it was last said; None: for ever. `has_titles`: `language/data/notes` lists
    headings and labels that name it. `question`: what a question says that asks for its facts, as a
    pattern.
    """

    name: str
    about: str
    days: int | None = None
    has_titles: bool = False
    question: str = ""


CLASS_ROWS = (
    FactClass(PERSONAL, "preferences and people", has_titles=True),
    FactClass(
        TASKS,
        "what is to be done",
        days=7,
        question=r"\b(?:tasks?|to-?dos?|to do|deadlines?|still open|is due|are due)\b|待办|할 일",
    ),
    FactClass(AGENTS, "how agents, models, prompts and sessions behave", days=30, has_titles=True),
    FactClass(SYSTEM, "servers, code, tools and their settings", has_titles=True),
    FactClass(GENERAL, "all else"),
)
"""In the order in which memory/INDEX.md lists them."""

_DAYS = {row.name: row.days for row in CLASS_ROWS}

INDEX = "memory/INDEX.md"
LESSONS = "memory/lessons.md"
STRUCTURED = "memory/structured/"
ARCHIVE = "Archive/Facts/"

LARGEST = 2048
"""The most bytes of the index."""

BOX = re.compile(r"^\[([ xX~-])\][ \t]+")
"""A box before a task: open, ticked or cancelled."""

_OF_AGENTS = re.compile(
    r"\b(?:AGENTS|SOUL|SKILL|MEMORY|HEARTBEAT|IDENTITY|BOOTSTRAP|CLAUDE|GEMINI)\.md\b"
)
_OF_SYSTEMS = re.compile(
    r"`[^`]+`|(?<![\w/])[~/][\w.-]+/[\w./-]+|\b\w+\.(?:ya?ml|json|toml|py|ts|js|sh|conf|env|sql)\b"
    r"|\b[vV]?\d+\.\d+\.\d+\b|\blocalhost\b|:\d{4,5}\b"
)
"""What only facts about systems name: code, paths, program files, versions, addresses."""


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
    """A fact as it was read from a line. `text` has no tag; `quote` is the sentence as it stands in
    the line.
    """

    text: str
    tag: str
    class_: str
    source: str
    confidence: float
    origin: Source
    quote: str = ""


def is_organized(path: str) -> bool:
    """Whether the organizer reads a file: Markdown right below memory/ that it does not write."""
    folder, _, name = path.partition("/")
    is_right_below = folder == "memory" and "/" not in name
    return is_right_below and name.lower().endswith(".md") and path not in (INDEX, LESSONS)


def sources(path: str, text: str, today: date) -> tuple[Source, ...]:
    """The lines of a note that count now, without what was replaced, archived or ticked off.

    Of a saved session only entries are: the miner hears conversations.
    """
    is_talk, day_of_note = is_session(text), dated(path)
    return tuple(
        Source(
            path=path,
            line=item.line,
            text=" ".join(item.text.split()),
            said=day_of_note or (item.meta and (item.meta.last or item.meta.first)) or today,
            meta=item.meta,
            under=item.headings,
        )
        for item in items(path, text)
        if item.kind in ("item", "para") and _counts(item)
        if not is_talk or item.meta or tags_in(item.text)
    )


def _counts(item: Item) -> bool:
    text, box = item.text, BOX.match(item.text)
    # A task that is done, or a line that is taken back.
    if is_struck(text) or is_revoked(text) or (box is not None and box[1] != " "):
        return False
    # A quote belongs to the entry above it.
    if any(map(is_void, item.headings)) or quotes_of(f"x\n  - {text}"):
        return False
    return item.meta is None or item.meta.status == ACTIVE


def class_of(text: str, under: tuple[str, ...] = (), *, is_task: bool = False) -> str:
    """The class of a fact, by its label and the headings above it, else by the shape of what it
    names. In doubt, it is general.
    """
    if is_task or TASK in marks(text) or any(TASK in kinds_of(title) for title in under):
        return TASKS
    # The nearest heading that names a class.
    named = (_titles().get(titled(title), "") for title in reversed(under))
    return next(filter(None, named), "") or _class_by_shape(text)


def _class_by_shape(text: str) -> str:
    if _OF_AGENTS.search(text):
        return AGENTS
    if _OF_SYSTEMS.search(text):
        return SYSTEM
    # A birthday or the like, as the languages list them.
    among = tokens(text)
    yearly = (language.phrases("yearly").every(text, among) for language in lexicons_for(text))
    return PERSONAL if any(next(found, None) for found in yearly) else GENERAL


@cache
def _titles() -> dict[str, str]:
    return {
        titled(title): row.name
        for row in CLASS_ROWS
        if row.has_titles
        for title in rows(CLASSES, row.name)
    }


def expires(class_: str, last: date) -> date | None:
    """The last day on which a fact holds, counted from when it was last said; None: for ever."""
    days = _DAYS.get(class_)
    return None if days is None else later(last, days)


def is_expired(meta: Meta, today: date) -> bool:
    """Whether a fact no longer holds. One that was said again since holds longer; what the operator
    corrected holds until they correct it again.
    """
    if meta.expires is None or meta.src == CORRECTION:
        return False
    renewed = expires(meta.class_, meta.last) if meta.status == ACTIVE and meta.last else None
    return max(meta.expires, renewed or meta.expires) < today


def page_of(class_: str) -> str:
    return f"{STRUCTURED}{class_}.md"


def class_in(fact: Entry) -> str:
    """The class of a fact in a page: that of its page, if it was written by hand and names none."""
    name = fact.path.removeprefix(STRUCTURED).removesuffix(".md")
    return fact.facts.class_ or (name if name in _DAYS else "")


def archive_of(fact: Entry) -> str:
    """The file of the month in which a fact was last said."""
    # A fact that was written by hand may have no days at all.
    return f"{ARCHIVE}{month_of(fact.facts.last or fact.facts.expires or date.min)}.md"


def all_facts(files: Mapping[str, str], folder: str = STRUCTURED) -> Iterator[Entry]:
    """The facts of all pages."""
    for path in sorted(path for path in files if path.startswith(folder)):
        yield from entries(files[path], path)


def new_meta(fact: LineFact, ident: str) -> Meta:
    day = fact.origin.said
    facts = first_said(fact.confidence, day, fact.source)
    meta = Meta(ident, facts).citing(fact.origin.evidence).having("class", fact.class_)
    until = expires(fact.class_, day)
    meta = meta.having("expires", until.isoformat() if until else "")
    return coming_from(meta, fact.origin.key)


def coming_from(meta: Meta, key: str) -> Meta:
    """The comment with one more line that the fact came from. Of many, the first and the newest
    stay.
    """
    known = origins(meta)
    return meta if key in known else meta.having("of", ",".join(first_and_newest([*known, key])))


def archived(fact: Entry) -> str:
    """A fact as the archive holds it, with its words and its whole comment."""
    meta = fact.facts.having("status", ARCHIVED) if fact.status == ACTIVE else fact.facts
    parts = split(fact.raw)
    return f"{parts.before} {meta}{parts.after}".rstrip()


def paths_of(evidence: Iterable[str]) -> frozenset[str]:
    """The files that are cited."""
    return frozenset(piece.partition("#")[0] for piece in evidence)


def index(facts: Iterable[Entry], paths: Collection[str]) -> str:
    """The whole text of memory/INDEX.md. What does not fit is left out, topic files first."""
    counts = Counter(map(class_in, facts))
    fixed = [
        *frames.INDEX,
        *(
            frames.INDEX_CLASS.format(name=name, counted=counted(counts[name], "fact"))
            for name in filter(counts.get, _DAYS)
        ),
        *_rest(paths),
    ]
    topics = [_topic(path) for path in sorted(paths) if is_organized(path) and not dated(path)]
    for shown in range(len(topics), -1, -1):
        more = [frames.INDEX_MORE.format(count=len(topics) - shown)] * (shown < len(topics))
        text = "\n".join([*fixed, *topics[:shown], *more, ""])
        if len(text.encode()) <= LARGEST:
            break
    return text


def _rest(paths: Collection[str]) -> Iterator[str]:
    if days := sorted(filter(None, map(dated, filter(is_organized, paths)))):
        notes = counted(len(days), "note")
        yield frames.INDEX_DAYS.format(counted=notes, first=days[0], last=days[-1])
    if LESSONS in paths:
        yield frames.INDEX_LESSONS
    counts = Counter(map(layer_of, paths))
    for layer in filter(counts.get, INDEXED):
        yield frames.INDEX_LAYER.format(name=layer, counted=counted(counts[layer], "file"))


def _topic(path: str) -> str:
    name = path.removeprefix("memory/")
    link = f"[{name.removesuffix('.md')}]({name})".replace("|", "\\|")
    return frames.INDEX_TOPIC.format(link=link)
