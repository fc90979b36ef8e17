"""The decay engine sums up expired facts as lessons and moves them to the archive."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from clawgit.agents.contract import ChangeSet, Draft, Proposed, Snapshot, Step
from clawgit.agents.organizer import indexed
from clawgit.domain.facts.confidence import written
from clawgit.domain.lessons.lesson import KeptLesson, lessons_in
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.comment import Meta, split
from clawgit.domain.markdown.entry import append_entry, render, replaced
from clawgit.domain.markdown.statuses import ARCHIVED
from clawgit.domain.organizing.classes import CLASSES, CLASSES_BY_NAME, GENERAL
from clawgit.domain.organizing.facts_page import (
    PageFact,
    archive_of,
    archived,
    facts_in,
    frequent,
    with_facts,
    without,
)
from clawgit.domain.organizing.organize import INDEX, LESSONS, STRUCTURED, is_expired
from clawgit.domain.workspace.layers import opening
from clawgit.errors import counted

__all__ = ["propose"]

_SURE = 0.6
"""The confidence of a lesson that was summed up."""

_CITED = 50
"""How many facts one commit cites."""

_TOPICS = 6
"""How many topics the line of a month names."""


def propose(snapshot: Snapshot) -> ChangeSet:
    """One commit for all that has expired; nothing if nothing has."""
    gone = _expired(snapshot)
    if not gone:
        return ChangeSet()
    draft = Draft(snapshot.files)
    for path, facts in groupby(gone, lambda fact: fact.path):
        draft.put(path, without(draft.read(path), facts))
    books = _moved(draft, gone)
    learned = _learned(snapshot, draft, books)
    pages = indexed(draft, snapshot.files) if INDEX in snapshot.files else ()
    cited = dict.fromkeys(f"{fact.path}#{fact.entry.key}" for fact in gone)
    step = Step(
        verb="decay",
        summary=f"{counted(len(gone), 'fact')} expired: {_counted(gone)}",
        reason=f"Each is in {', '.join(books)} now, and `memory search --archived` finds it.",
        evidence=tuple([*cited][:_CITED]),
        edits=draft.cut(),
        proposed=(*learned, *(_archived(fact) for fact in gone), *pages),
    )
    return ChangeSet((step,))


def _expired(snapshot: Snapshot) -> list[PageFact]:
    return [
        fact
        for path in sorted(path for path in snapshot.files if path.startswith(STRUCTURED))
        for fact in facts_in(path, snapshot.files[path])
        if _is_over(fact, snapshot)
    ]


def _archived(fact: PageFact) -> Proposed:
    evidence = (*fact.meta.evidence[:1], fact.path)
    return Proposed(archive_of(fact.meta), "archived", fact.entry.text, evidence)


def _is_over(fact: PageFact, snapshot: Snapshot) -> bool:
    meta = fact.meta if fact.meta.class_ else fact.meta.having("class", fact.class_)
    return is_expired(meta, snapshot.today)


def _moved(draft: Draft, gone: Sequence[PageFact]) -> list[str]:
    """Appends each fact to the book of its month; returns the paths of those books."""
    ordered = sorted(gone, key=lambda fact: archive_of(fact.meta))
    books = []
    for book, facts in groupby(ordered, lambda fact: archive_of(fact.meta)):
        title = book.rpartition("/")[2].removesuffix(".md")
        opens = frames.TITLE.format(title=frames.FACTS_OF.format(title=title))
        draft.put(book, with_facts(draft.read(book) or opens, [archived(fact) for fact in facts]))
        books.append(book)
    return books


def _learned(snapshot: Snapshot, draft: Draft, books: Sequence[str]) -> list[Proposed]:
    """A line for each month and class of what expired."""
    return [
        lesson
        for book in books
        for class_ in CLASSES
        for lesson in _by_rule(snapshot, draft, book, class_)
    ]


def _by_rule(snapshot: Snapshot, draft: Draft, book: str, class_: str) -> Iterator[Proposed]:
    """One line that says how many facts of a class expired in a month, and what about."""
    facts = _archived_of(book, draft.read(book), class_)
    if not facts:
        return
    month = book.rpartition("/")[2].removesuffix(".md")
    about = ", ".join(frequent((fact.entry.text for fact in facts), _TOPICS))
    text = frames.FACTS_RAN_OUT.format(month=month, counted=_many(len(facts), class_), about=about)

    lessons = draft.read(LESSONS)
    source = f"{book}#{class_}"
    known = _lesson_of(lessons, source)
    ident = known.meta.id if known else snapshot.fresh_id(source, lessons)
    counts = [f"conf={written(_SURE)}", f"n={len(facts)}", *_span(facts), "src=inferred"]
    meta = Meta(ident, tuple(counts)).citing(book).having("of", source)
    item = render(text, meta)
    if known is None:
        page = lessons or opening(LESSONS, snapshot.layers, frames.LESSONS)
        draft.put(LESSONS, append_entry(page, frames.RAN_OUT, item))
    elif _is_same(known, item, meta):
        return
    else:
        draft.put(LESSONS, replaced(lessons, known.entry, f"{item}\n"))
    yield Proposed(LESSONS, "reworded" if known else "added", text, (book,), _SURE)


def _archived_of(book: str, text: str, class_: str) -> list[PageFact]:
    return [
        fact
        for fact in facts_in(book, text)
        if fact.class_ == class_ and fact.meta.status == ARCHIVED
    ]


def _lesson_of(lessons: str, source: str) -> KeptLesson | None:
    """The line that an earlier run wrote for this month and class."""
    for lesson in lessons_in(lessons):
        if lesson.meta.get("of") == source:
            return lesson
    return None


def _is_same(known: KeptLesson, item: str, meta: Meta) -> bool:
    """Whether a line says the same already, however its comment is written."""
    return split(known.entry.raw).before == split(item).before and str(known.meta) == str(meta)


def _span(facts: Iterable[PageFact]) -> list[str]:
    days = [day for fact in facts for day in (fact.meta.first, fact.meta.last) if day]
    if not days:
        return []
    return [f"first={min(days)}", f"last={max(days)}"]


def _counted(facts: Iterable[PageFact]) -> str:
    classes = [fact.class_ or "others" for fact in facts]
    return ", ".join(_many(classes.count(name), name) for name in dict.fromkeys(classes))


def _many(count: int, class_: str) -> str:
    row = CLASSES_BY_NAME.get(class_, CLASSES_BY_NAME[GENERAL])
    return counted(count, row.singular, row.plural)
