"""Facts by class, day and words, from the database that follows memory/structured/."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from clawgit.domain.facts.past import EntryPast, Past
from clawgit.domain.organizing.classes import CLASSES
from clawgit.domain.organizing.organize import STRUCTURED
from clawgit.errors import PathRefusedError, UsageError
from clawgit.ops.agents.agents import Ended, Followed
from clawgit.ops.facts.past import HistoryPast
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.facts import FactQuery, FoundFact, open_facts
from clawgit.stores.git.worktree import read_file


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
    today = workspace.today
    with open_facts(workspace.place.private / "facts.db") as db:
        db.follow(_pages(workspace))
        found = db.find(FactQuery(query, category, today if over else None, limit))
        counts = db.counts()
    past = HistoryPast(workspace)
    return FactList(tuple(_whole(fact, past) for fact in found), counts)


def _whole(fact: FoundFact, past: Past) -> FoundFact:
    """A fact with what its comment left to history. Facts made from notes keep everything in it."""
    if fact.evidence and fact.first:
        return fact
    then = past.get(fact.id, EntryPast())
    first = then.first.isoformat() if then.first else ""
    return fact._replace(first=fact.first or first, evidence=(*then.evidence, *fact.evidence))


def follow_up(workspace: Workspace, ended: Ended) -> Followed:
    """Updates the database from the pages, after each run that may have changed them."""
    now = workspace.at(ended.clock())
    with open_facts(now.place.private / "facts.db") as db:
        db.follow(_pages(now))
    return Followed()


def _pages(workspace: Workspace) -> dict[str, str]:
    """The pages as they are on disk. One that cannot be read is left out."""
    return dict(_read(workspace))


def _read(workspace: Workspace) -> Iterator[tuple[str, str]]:
    for file in sorted((workspace.root / STRUCTURED).glob("*.md")):
        path = f"{STRUCTURED}{file.name}"
        try:
            data = read_file(workspace.root, path).data
        except PathRefusedError:
            continue
        yield path, (data or b"").decode("utf-8", "surrogateescape")
