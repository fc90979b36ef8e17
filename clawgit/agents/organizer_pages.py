"""What follows from the facts: a page for each entity that several of them name, and the index of
all.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence

from clawgit.agents.contract import Draft, Proposed
from clawgit.domain.organizing.facts_index import Told, entities, has_passage, index, with_passage
from clawgit.domain.organizing.facts_page import facts_in
from clawgit.domain.organizing.organize import INDEX, STRUCTURED
from clawgit.domain.workspace.layers import ENTITIES, opening


def indexed(
    draft: Draft, there: Collection[str], layers: Mapping[str, str]
) -> tuple[Proposed, ...]:
    """Brings these pages of a draft to where its facts are; `there` are the files before it. Says
    what has changed.
    """
    paths = {*there, *(edit.path for edit in draft.edits if edit.after is not None)}
    facts = [
        Told(fact.class_, fact.entry.text, fact.entry.key, fact.meta.last)
        for path in sorted(paths)
        if path.startswith(STRUCTURED)
        for fact in facts_in(path, draft.read(path))
        if fact.is_active
    ]
    made = {*_entities(draft, paths, layers, facts)}
    if facts or INDEX in paths:
        draft.put(INDEX, index(facts, paths | made))
    changed = (edit.path for edit in draft.edits if edit.path == INDEX or edit.path in made)
    return tuple(
        Proposed(path, "indexed", "where the facts stand", (STRUCTURED,)) for path in changed
    )


def _entities(
    draft: Draft, paths: Collection[str], layers: Mapping[str, str], facts: Sequence[Told]
) -> Iterator[str]:
    """The pages of entities as they are now; one whose facts are gone says so, and nothing of it is
    deleted.
    """
    named = entities(facts)
    for path, (name, some) in named.items():
        draft.put(path, with_passage(draft.read(path) or opening(path, layers, name), name, some))
        yield path
    for path in sorted(path for path in paths if path.startswith(ENTITIES) and path not in named):
        if has_passage(text := draft.read(path)):
            title = text.partition("\n")[0].lstrip("# ").strip()
            draft.put(path, with_passage(text, title, ()))
            yield path
