"""The decay engine moves expired facts to the archive of their month, whole."""

from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter

from clawgit.agents.contract import ChangeSet, Draft, Proposed, Skipped, Snapshot
from clawgit.agents.organizer import indexed
from clawgit.core.errors import counted
from clawgit.core.markdown import frames
from clawgit.core.markdown.entry import Entry
from clawgit.memory.rules.moving import Leaving, Moving
from clawgit.memory.rules.organizing import (
    INDEX,
    all_facts,
    archive_of,
    archived,
    class_in,
    is_expired,
)


def propose(snapshot: Snapshot) -> ChangeSet:
    """One commit for all that has expired; nothing if nothing has."""
    over = (
        fact
        for fact in all_facts(snapshot.files)
        if is_expired(fact.facts.having("class", class_in(fact)), snapshot.today)
    )
    moving = Moving(snapshot.files)
    gone, skipped = _archive(over, moving)
    if not gone:
        return ChangeSet((), skipped)
    draft = Draft(snapshot.files)
    draft.update(moving.texts)
    pages = indexed(draft, snapshot.files) if INDEX in snapshot.files else ()
    classes = Counter(class_in(fact) or "others" for fact in gone)
    books = sorted({*map(archive_of, gone)})
    left = [
        Proposed(archive_of(one), "archived", one.text, (*one.facts.evidence[:1], one.path))
        for one in gone
    ]
    steps = draft.step(
        "decay",
        f"{counted(len(gone), 'fact')} expired: "
        + ", ".join(f"{count} of {name}" for name, count in classes.items()),
        f"Each is in {', '.join(books)} now, and `memory search --archived` finds it.",
        (*left, *pages),
        [f"{fact.path}#{fact.key}" for fact in gone],
    )
    return ChangeSet(steps, skipped)


def _archive(over: Iterable[Entry], moving: Moving) -> tuple[list[Entry], tuple[Skipped, ...]]:
    """Moves facts to their archives; returns those that went, and why others stayed."""
    gone, skipped = list[Entry](), list[Skipped]()
    for path, group in groupby(over, attrgetter("path")):
        leaving = {_leaving(fact): fact for fact in group}
        left = moving.move_most(path, [*leaving])
        gone += map(leaving.__getitem__, left)
        if len(left) < len(leaving):
            why = "what is around some expired facts would be read otherwise"
            skipped.append(Skipped(path, why))
    return gone, tuple(skipped)


def _leaving(fact: Entry) -> Leaving:
    book = archive_of(fact)
    title = frames.FACTS_OF.format(title=book.rpartition("/")[2].removesuffix(".md"))
    return Leaving(fact.line, book, title, None, archived(fact))
