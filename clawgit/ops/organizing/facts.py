"""Facts by class, day and words, read from the pages in memory/structured/."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import islice
from typing import NamedTuple

from clawgit.domain.organizing.classes import CLASSES
from clawgit.domain.organizing.facts_page import PageFact, facts_in
from clawgit.domain.organizing.organize import STRUCTURED
from clawgit.errors import PathRefusedError, UsageError
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.database import storable
from clawgit.stores.git.worktree import read_file
from clawgit.stores.word_ranks import ranked


class FoundFact(NamedTuple):
    """A fact in a page; a day is "" if the entry has none."""

    path: str
    line: int
    id: str
    text: str
    category: str
    status: str
    first: str
    last: str
    expires: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FactList:
    """The facts that match, and the count of all current ones by class."""

    facts: tuple[FoundFact, ...]
    counts: Mapping[str, int]


def facts(
    workspace: Workspace,
    query: str = "",
    category: str = "",
    *,
    over: bool = False,
    limit: int = 50,
) -> FactList:
    """The facts of a class, those with these words best first.

    `over`: expired ones that wait for the archive.
    """
    if category and category not in CLASSES:
        raise UsageError(f"There is no class {category!r}.", hint=f"One of: {', '.join(CLASSES)}.")
    known = _listed(workspace)
    counts = Counter(fact.class_ for fact in known if fact.is_active)
    if query.strip():
        known = [known[at] for at in ranked([fact.entry.text for fact in known], query)]
    chosen = _chosen(known, category, workspace.today if over else None)
    return FactList(tuple(_found(fact) for fact in islice(chosen, limit)), counts)


def _listed(workspace: Workspace) -> list[PageFact]:
    """All facts, by class and page."""
    known = (fact for path, text in _pages(workspace) for fact in facts_in(path, text))
    return sorted(known, key=lambda fact: (fact.class_, fact.path, fact.entry.line))


def _chosen(known: Iterable[PageFact], category: str, over_on: date | None) -> Iterator[PageFact]:
    """The facts of a class, or of all; with a day only those that expired before it."""
    for fact in known:
        until = fact.meta.expires if fact.is_active else None
        if category in ("", fact.class_) and (over_on is None or (until and until < over_on)):
            yield fact


def _found(fact: PageFact) -> FoundFact:
    meta, entry = fact.meta, fact.entry
    first, last, until = (
        day.isoformat() if day else "" for day in (meta.first, meta.last, meta.expires)
    )
    return FoundFact(
        fact.path,
        entry.line,
        entry.key,
        " ".join(entry.text.split()),
        fact.class_,
        meta.status,
        first,
        last,
        until,
        meta.evidence,
    )


def _pages(workspace: Workspace) -> Iterator[tuple[str, str]]:
    """The pages as they are on disk. One that cannot be read is left out."""
    for file in sorted((workspace.root / STRUCTURED).glob("*.md")):
        path = f"{STRUCTURED}{file.name}"
        try:
            data = read_file(workspace.root, path).data
        except PathRefusedError:
            continue
        yield storable(path), storable((data or b"").decode("utf-8", "surrogateescape"))
