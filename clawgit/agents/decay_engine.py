"""The decay engine moves expired facts to the archive of their month, whole."""

from collections import Counter
from itertools import groupby

from clawgit.agents.contract import ChangeSet, Draft, Proposed, Snapshot
from clawgit.agents.organizer import indexed
from clawgit.core.errors import counted
from clawgit.core.markdown import frames
from clawgit.core.markdown.entry import Entry, removed
from clawgit.memory.rules.organizing import (
    INDEX,
    all_facts,
    archive_of,
    archived,
    class_in,
    is_expired,
    with_facts,
)

__all__ = ["propose"]

_CITED = 50
"""How many facts one commit cites."""


def propose(snapshot: Snapshot) -> ChangeSet:
    """One commit for all that has expired; nothing if nothing has."""
    gone = [
        fact
        for fact in all_facts(snapshot.files)
        if is_expired(fact.facts.having("class", class_in(fact)), snapshot.today)
    ]
    if not gone:
        return ChangeSet()
    draft, books = Draft(snapshot.files), {*map(archive_of, gone)}
    # From the end, so that the lines of the others stay valid.
    for fact in reversed(gone):
        draft.put(fact.path, removed(draft.read(fact.path), fact))
    for book, facts in groupby(sorted(gone, key=archive_of), archive_of):
        title = frames.FACTS_OF.format(title=book.rpartition("/")[2].removesuffix(".md"))
        page = draft.read(book) or frames.TITLE.format(title=title)
        draft.put(book, with_facts(page, [*map(archived, facts)]))
    pages = indexed(draft, snapshot.files) if INDEX in snapshot.files else ()
    classes = Counter(class_in(fact) or "others" for fact in gone)
    steps = draft.step(
        "decay",
        f"{counted(len(gone), 'fact')} expired: "
        + ", ".join(f"{count} of {name}" for name, count in classes.items()),
        f"Each is in {', '.join(sorted(books))} now, and `memory search --archived` finds it.",
        (*map(_archived, gone), *pages),
        [f"{fact.path}#{fact.key}" for fact in gone[:_CITED]],
    )
    return ChangeSet(steps)


def _archived(fact: Entry) -> Proposed:
    return Proposed(archive_of(fact), "archived", fact.text, (*fact.facts.evidence[:1], fact.path))
