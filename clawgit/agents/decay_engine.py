"""The decay engine moves expired facts to the archive of their month, whole."""

from collections import Counter
from itertools import groupby

from clawgit.agents.contract import ChangeSet, Draft, Proposed, Snapshot, Step
from clawgit.agents.organizer import indexed
from clawgit.domain.markdown import frames
from clawgit.domain.upkeep.organizing import (
    INDEX,
    PageFact,
    all_facts,
    archive_of,
    archived,
    is_expired,
    with_facts,
    without,
)
from clawgit.errors import counted

__all__ = ["propose"]

_CITED = 50
"""How many facts one commit cites."""


def propose(snapshot: Snapshot) -> ChangeSet:
    """One commit for all that has expired; nothing if nothing has."""
    gone = [
        fact
        for fact in all_facts(snapshot.files)
        if is_expired(fact.meta.having("class", fact.class_), snapshot.today)
    ]
    if not gone:
        return ChangeSet()
    draft = Draft(snapshot.files)
    _move(draft, gone)
    pages = indexed(draft, snapshot.files) if INDEX in snapshot.files else ()
    classes = Counter(fact.class_ or "others" for fact in gone)
    step = Step(
        verb="decay",
        summary=f"{counted(len(gone), 'fact')} expired: "
        + ", ".join(f"{count} of {name}" for name, count in classes.items()),
        reason=f"Each is in {', '.join(sorted({*map(_book, gone)}))} now, and "
        "`memory search --archived` finds it.",
        evidence=tuple(dict.fromkeys(f"{fact.path}#{fact.entry.key}" for fact in gone))[:_CITED],
        edits=draft.edits,
        proposed=(*map(_archived, gone), *pages),
    )
    return ChangeSet((step,))


def _move(draft: Draft, gone: list[PageFact]) -> None:
    """Takes the facts out of their pages, and appends each to the book of its month."""
    for path, facts in groupby(gone, lambda fact: fact.path):
        draft.put(path, without(draft.read(path), facts))
    for book, facts in groupby(sorted(gone, key=_book), _book):
        title = frames.FACTS_OF.format(title=book.rpartition("/")[2].removesuffix(".md"))
        page = draft.read(book) or frames.TITLE.format(title=title)
        draft.put(book, with_facts(page, [archived(fact) for fact in facts]))


def _book(fact: PageFact) -> str:
    return archive_of(fact.meta)


def _archived(fact: PageFact) -> Proposed:
    evidence = (*fact.meta.evidence[:1], fact.path)
    return Proposed(_book(fact), "archived", fact.entry.text, evidence)
