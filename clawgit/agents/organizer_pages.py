"""The pages that follow from the facts: one for each entity with several facts, and the index."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from clawgit.agents.contract import Draft, Proposed
from clawgit.domain.organizing.facts_index import (
    IndexedFact,
    entities,
    has_passage,
    index,
    with_passage,
)
from clawgit.domain.organizing.facts_page import facts_in
from clawgit.domain.organizing.organize import INDEX, STRUCTURED
from clawgit.domain.workspace.layers import ENTITIES, opening


def indexed(
    draft: Draft, there: Collection[str], layers: Mapping[str, str]
) -> tuple[Proposed, ...]:
    """Updates these pages of a draft from its facts; returns what has changed.

    `there` are the paths of the files before this run.
    """
    paths = {*there, *(edit.path for edit in draft.edits if edit.after is not None)}
    facts = [*_facts(draft, paths)]
    entity_pages = {*_entities(draft, paths, layers, facts)}
    if facts or INDEX in paths:
        draft.put(INDEX, index(facts, paths | entity_pages))
    derived = {INDEX, *entity_pages}
    return tuple(
        Proposed(edit.path, "indexed", "where the facts stand", (STRUCTURED,))
        for edit in draft.edits
        if edit.path in derived
    )


def _facts(draft: Draft, paths: Collection[str]) -> Iterator[IndexedFact]:
    for path in sorted(path for path in paths if path.startswith(STRUCTURED)):
        for fact in facts_in(path, draft.read(path)):
            if fact.is_active:
                yield IndexedFact(fact.class_, fact.entry.text, fact.entry.key, fact.meta.last)


def _entities(
    draft: Draft, paths: Collection[str], layers: Mapping[str, str], facts: Sequence[IndexedFact]
) -> Iterator[str]:
    """Updates the pages of entities. A page without facts says so; nothing on it is deleted."""
    named = entities(facts)
    for path, (name, passages) in named.items():
        draft.put(
            path, with_passage(draft.read(path) or opening(path, layers, name), name, passages)
        )
        yield path
    for path in sorted(path for path in paths if path.startswith(ENTITIES) and path not in named):
        if has_passage(text := draft.read(path)):
            title = text.partition("\n")[0].lstrip("# ").strip()
            draft.put(path, with_passage(text, title, ()))
            yield path
