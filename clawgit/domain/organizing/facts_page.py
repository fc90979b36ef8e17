"""Facts as entries: in memory/structured/ while they hold, then in Archive/Facts/; and
memory/INDEX.md, which says where everything is.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from clawgit.domain.compaction.compaction import Note
from clawgit.domain.facts.confidence import first_said, origins
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.comment import Meta, first_and_newest, split
from clawgit.domain.markdown.entry import Entry, append_entry, entries, removed
from clawgit.domain.markdown.statuses import ACTIVE, ARCHIVED
from clawgit.domain.organizing.classes import CLASSES
from clawgit.domain.organizing.organize import LESSONS, STRUCTURED, LineFact, expires, is_note
from clawgit.domain.workspace.tiers import INDEXED, dated, layer_of
from clawgit.errors import counted

ARCHIVE = "Archive/Facts/"

LARGEST = 2048
"""The most bytes of the index."""


class PageFact(NamedTuple):
    """A fact in a page, with its place."""

    path: str
    entry: Entry
    meta: Meta

    @property
    def is_active(self) -> bool:
        return self.meta.status == ACTIVE

    @property
    def class_(self) -> str:
        """The class of its page, if it was written by hand and names none."""
        return self.meta.class_ or page_class(self.path)


def page_of(class_: str) -> str:
    return f"{STRUCTURED}{class_}.md"


def page_class(path: str) -> str:
    name = path.removeprefix(STRUCTURED).removesuffix(".md")
    return name if name in CLASSES else ""


def archive_of(meta: Meta) -> str:
    """The file of the month in which a fact was last said."""
    # A fact that was written by hand may have no days at all.
    when = meta.last or meta.expires or date.min
    return f"{ARCHIVE}{Note(when, '', '').month}.md"


def facts_in(path: str, text: str) -> Iterator[PageFact]:
    """The facts of a page, in its order."""
    return (PageFact(path, entry, entry.meta or Meta("")) for entry in entries(text))


def all_facts(files: Mapping[str, str]) -> Iterator[PageFact]:
    """The facts of all pages."""
    for path in sorted(path for path in files if path.startswith(STRUCTURED)):
        yield from facts_in(path, files[path])


def new_meta(fact: LineFact, ident: str) -> Meta:
    day = fact.origin.said
    facts = first_said(fact.confidence, day, fact.source)
    meta = Meta(ident, facts).citing(fact.origin.evidence).having("class", fact.class_)
    until = expires(fact.class_, day, fact.when)
    meta = meta.having("expires", until.isoformat() if until else "")
    return coming_from(meta, fact.origin.key)


def coming_from(meta: Meta, key: str) -> Meta:
    """The comment with one more line that the fact came from. Of many, the first and the newest
    stay.
    """
    known = origins(meta)
    return meta if key in known else meta.having("of", ",".join(first_and_newest([*known, key])))


def with_facts(text: str, items: Sequence[str]) -> str:
    """A page with more facts at its end."""
    return append_entry(text, None, "\n".join(items)) if items else text


def without(text: str, gone: Iterable[PageFact]) -> str:
    """A page without some of its facts."""
    # From the end, so that the lines of the others stay valid.
    for fact in sorted(gone, key=lambda fact: -fact.entry.line):
        text = removed(text, fact.entry)
    return text


def archived(fact: PageFact) -> str:
    """A fact as the archive holds it, with its words and its whole comment."""
    meta = fact.meta.having("status", ARCHIVED) if fact.is_active else fact.meta
    parts = split(fact.entry.raw)
    return f"{parts.before} {meta}{parts.after}".rstrip()


def paths_of(evidence: Iterable[str]) -> frozenset[str]:
    """The files that are cited."""
    return frozenset(piece.partition("#")[0] for piece in evidence)


def index(facts: Sequence[PageFact], paths: Collection[str]) -> str:
    """The whole text of memory/INDEX.md. What does not fit is left out, topic files first."""
    rows = [*_classes(facts), *_rest(paths)]
    topics = sorted(path for path in paths if is_note(path) and not dated(path))
    for shown in range(len(topics), -1, -1):
        text = "\n".join([*frames.INDEX, *rows, *_topics(topics, shown), ""])
        if len(text.encode()) <= LARGEST:
            break
    return text


def _classes(facts: Sequence[PageFact]) -> Iterator[str]:
    counts = Counter(fact.class_ for fact in facts)
    for class_ in filter(counts.get, CLASSES):
        yield frames.INDEX_CLASS.format(name=class_, counted=counted(counts[class_], "fact"))


def _rest(paths: Collection[str]) -> Iterator[str]:
    days = sorted(filter(None, (dated(path) for path in paths if is_note(path))))
    if days:
        notes = counted(len(days), "note")
        yield frames.INDEX_DAYS.format(counted=notes, first=days[0], last=days[-1])
    if LESSONS in paths:
        yield frames.INDEX_LESSONS
    yield from _layers(paths)


def _layers(paths: Collection[str]) -> Iterator[str]:
    for layer in INDEXED:
        if count := sum(layer_of(path) == layer for path in paths):
            yield frames.INDEX_LAYER.format(name=layer, counted=counted(count, "file"))
    if any(path.startswith("memory/archive/") for path in paths):
        yield frames.INDEX_OLD_NOTES
    if any(path.startswith(ARCHIVE) for path in paths):
        yield frames.INDEX_OLD_FACTS


def _topics(topics: Sequence[str], shown: int) -> Iterator[str]:
    """The rows of the first topic files, and how many more there are."""
    for path in topics[:shown]:
        yield frames.INDEX_TOPIC.format(link=_link(path))
    if shown < len(topics):
        yield frames.INDEX_MORE.format(count=len(topics) - shown)


def _link(path: str) -> str:
    name = path.removeprefix("memory/")
    return f"[{name.removesuffix('.md')}]({name})".replace("|", "\\|")
