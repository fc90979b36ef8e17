"""The decay engine: facts that hold no more are summed up as lessons and go to the archive; none is
ever deleted.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import groupby

from clawgit.agents.contract import ChangeSet, Draft, Proposed, Snapshot, Step
from clawgit.agents.lesson_desk import LessonDesk
from clawgit.agents.lesson_mind import summed_by
from clawgit.agents.organizer_pages import indexed
from clawgit.domain.facts.confidence import written
from clawgit.domain.lessons.lesson import lessons_in
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.comment import Meta
from clawgit.domain.markdown.entry import append_entry, render, replaced
from clawgit.domain.markdown.statuses import ARCHIVED
from clawgit.domain.organizing.classes import CLASSES, CLASSES_BY_NAME, GENERAL
from clawgit.domain.organizing.facts_index import frequent
from clawgit.domain.organizing.facts_page import (
    Fact,
    archive_of,
    archived,
    facts_in,
    with_facts,
    without,
)
from clawgit.domain.organizing.organize import INDEX, LESSONS, STRUCTURED, is_expired
from clawgit.domain.workspace.layers import opening
from clawgit.errors import NoAnswerError

__all__ = ["propose"]

_SURE = 0.6
_CITED = 50
_TOPICS = 6
_AT_ONCE = 60
"""Facts that a model is shown at once."""


def propose(snapshot: Snapshot) -> ChangeSet:
    """One commit for all that has run out; nothing where nothing has."""
    gone = [
        fact
        for path in _pages(snapshot)
        for fact in facts_in(path, snapshot.files[path])
        if _is_over(fact, snapshot)
    ]
    if not gone:
        return ChangeSet()
    draft = Draft(snapshot.files)
    for path, some in groupby(gone, lambda fact: fact.path):
        draft.put(path, without(draft.read(path), some))
    books = _moved(draft, gone)
    notes: list[str] = []
    learned = _learned(snapshot, draft, gone, books, notes)
    pages = indexed(draft, snapshot.files, snapshot.layers) if INDEX in snapshot.files else ()
    moved = tuple(
        Proposed(
            archive_of(fact.meta), "archived", fact.entry.text, (*fact.meta.evidence[:1], fact.path)
        )
        for fact in gone
    )
    cited = dict.fromkeys(f"{fact.path}#{fact.entry.key}" for fact in gone)
    step = Step(
        verb="decay",
        summary=f"{len(gone)} {'fact' if len(gone) == 1 else 'facts'} ran out: {_counted(gone)}",
        reason=f"Each stands in {', '.join(books)} now, and is found with `memory search "
        "--archived`.",
        evidence=tuple([*cited][:_CITED]),
        edits=draft.cut(),
        proposed=(*learned, *moved, *pages),
    )
    return ChangeSet((step,), notes=tuple(notes))


def _pages(snapshot: Snapshot) -> list[str]:
    return sorted(path for path in snapshot.files if path.startswith(STRUCTURED))


def _is_over(fact: Fact, snapshot: Snapshot) -> bool:
    meta = fact.meta if fact.meta.class_ else fact.meta.having("class", fact.class_)
    return is_expired(meta, snapshot.today)


def _moved(draft: Draft, gone: Sequence[Fact]) -> list[str]:
    """Appends each fact to the book of its month; says which books those are."""
    ordered = sorted(gone, key=lambda fact: archive_of(fact.meta))
    books = []
    for book, some in groupby(ordered, lambda fact: archive_of(fact.meta)):
        title = book.rpartition("/")[2].removesuffix(".md")
        opens = frames.TITLE.format(title=frames.FACTS_OF.format(title=title))
        draft.put(book, with_facts(draft.read(book) or opens, [archived(fact) for fact in some]))
        books.append(book)
    return books


def _learned(
    snapshot: Snapshot, draft: Draft, gone: Sequence[Fact], books: Sequence[str], notes: list[str]
) -> list[Proposed]:
    """The lessons of what ran out: a model's, else how much of what it was, a line for each month
    and class.
    """
    if snapshot.mind is not None:
        try:
            return _by_mind(snapshot, draft, gone)
        except NoAnswerError as trouble:
            notes.append(f"Summed up by rules, for the model gave no answer: {trouble}")
    return [
        one
        for book in books
        for class_ in CLASSES
        for one in _by_rule(snapshot, draft, book, class_)
    ]


def _by_mind(snapshot: Snapshot, draft: Draft, gone: Sequence[Fact]) -> list[Proposed]:
    assert snapshot.mind is not None  # noqa: S101 - who calls has looked
    parts = [gone[at : at + _AT_ONCE] for at in range(0, len(gone), _AT_ONCE)]
    answers = [summed_by(snapshot.mind, [fact.entry.text for fact in part]) for part in parts]
    desk = LessonDesk(snapshot, draft, frames.RAN_OUT)
    facts = (
        f"conf={written(_SURE)}",
        "n=1",
        f"first={snapshot.today}",
        f"last={snapshot.today}",
        "src=inferred",
    )
    learned = [
        desk.taken(lesson, tuple(_place(part[at]) for at in places), facts)
        for part, found in zip(parts, answers, strict=True)
        for lesson, places in found
    ]
    desk.put()
    return [one for one in learned if one]


def _by_rule(snapshot: Snapshot, draft: Draft, book: str, class_: str) -> Iterator[Proposed]:
    """One line that says how many facts of a class ran out in a month, and what they were about."""
    facts = [
        fact
        for fact in facts_in(book, draft.read(book))
        if (fact.class_, fact.meta.status) == (class_, ARCHIVED)
    ]
    if not facts:
        return
    month = book.rpartition("/")[2].removesuffix(".md")
    about = ", ".join(frequent((fact.entry.text for fact in facts), _TOPICS))
    text = frames.FACTS_RAN_OUT.format(month=month, counted=_many(len(facts), class_), about=about)
    lessons, source = draft.read(LESSONS), f"{book}#{class_}"
    days = [day for fact in facts for day in (fact.meta.first, fact.meta.last) if day]
    known = next((one for one in lessons_in(lessons) if one.meta.get("of") == source), None)
    ident = known.meta.id if known else snapshot.fresh_id(source, lessons)
    told = [f"conf={written(_SURE)}", f"n={len(facts)}", *_span(days), "src=inferred"]
    item = render(text, Meta(ident, tuple(told)).citing(book).having("of", source))
    if known and known.entry.raw == f"{item}\n":
        return
    if known:
        draft.put(LESSONS, replaced(lessons, known.entry, f"{item}\n"))
    else:
        page = lessons or opening(LESSONS, snapshot.layers, frames.LESSONS)
        draft.put(LESSONS, append_entry(page, frames.RAN_OUT, item))
    yield Proposed(LESSONS, "reworded" if known else "added", text, (book,), _SURE)


def _span(days: Sequence[date]) -> list[str]:
    return [f"first={min(days)}", f"last={max(days)}"] if days else []


def _place(fact: Fact) -> str:
    """Where the archive holds a fact."""
    return f"{archive_of(fact.meta)}#{fact.entry.key}"


def _counted(facts: Iterable[Fact]) -> str:
    classes = [fact.class_ or "others" for fact in facts]
    return ", ".join(_many(classes.count(name), name) for name in dict.fromkeys(classes))


def _many(count: int, class_: str) -> str:
    row = CLASSES_BY_NAME.get(class_, CLASSES_BY_NAME[GENERAL])
    return f"{count:,} {row.singular if count == 1 else row.plural}"
