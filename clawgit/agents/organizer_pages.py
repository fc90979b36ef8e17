"""The pages derived from the facts: one for each entity with several facts, one for each month with
events, and the index.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from clawgit.agents.contract import Draft, Proposed
from clawgit.domain.organizing.facts_index import (
    IndexedFact,
    entities,
    events,
    happened,
    has_passage,
    index,
    named_in,
    with_passage,
)
from clawgit.domain.organizing.facts_page import facts_in
from clawgit.domain.organizing.organize import INDEX, STRUCTURED
from clawgit.domain.workspace.layers import ENTITIES, EVENT_PAGES, opening


class _Kind(NamedTuple):
    """A kind of derived page: for each path its name and facts, and its text."""

    folder: str
    pages: Mapping[str, tuple[str, tuple[IndexedFact, ...]]]
    says: Callable[[str, Sequence[IndexedFact]], str]


def indexed(
    draft: Draft, there: Collection[str], layers: Mapping[str, str]
) -> tuple[Proposed, ...]:
    """Updates these pages of a draft from its facts; returns what has changed.

    `there` are the paths of the files before this run.
    """
    paths = {*there, *(edit.path for edit in draft.edits if edit.after is not None)}
    facts = [*_facts(draft, paths)]
    pages = {
        *_written(draft, paths, layers, _Kind(ENTITIES, entities(facts), named_in)),
        *_written(draft, paths, layers, _Kind(EVENT_PAGES, events(facts), happened)),
    }
    if facts or INDEX in paths:
        draft.put(INDEX, index(facts, paths | pages))
    derived = {INDEX, *pages}
    return tuple(
        Proposed(edit.path, "indexed", "where the facts are", (STRUCTURED,))
        for edit in draft.edits
        if edit.path in derived
    )


def _facts(draft: Draft, paths: Collection[str]) -> Iterator[IndexedFact]:
    for path in sorted(path for path in paths if path.startswith(STRUCTURED)):
        for fact in facts_in(path, draft.read(path)):
            if fact.is_active:
                yield IndexedFact(fact.class_, fact.entry.text, fact.entry.key, fact.meta.last)


def _written(
    draft: Draft, paths: Collection[str], layers: Mapping[str, str], kind: _Kind
) -> Iterator[str]:
    """Updates the pages of a kind. A page without facts says so; nothing on it is deleted."""
    for path, (name, facts) in kind.pages.items():
        page = draft.read(path) or opening(path, layers, name)
        draft.put(path, with_passage(page, kind.says(name, facts)))
        yield path
    for path in sorted(path for path in paths if path.startswith(kind.folder)):
        if path not in kind.pages and has_passage(text := draft.read(path)):
            title = text.partition("\n")[0].lstrip("# ").strip()
            draft.put(path, with_passage(text, kind.says(title, ())))
            yield path
