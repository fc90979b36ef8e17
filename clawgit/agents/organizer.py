"""The organizer: what the notes say becomes facts, each once, in its class, for as long as it holds, and an index."""

from collections.abc import Iterator, Sequence
from functools import cache

from clawgit.agents.contract import ChangeSet, Proposed, Skipped, Snapshot, Step
from clawgit.agents.organizer_desk import Desk, Outcome
from clawgit.agents.organizer_mind import read_by
from clawgit.domain.correction_wording import operators_name
from clawgit.domain.facts_index import Told, entities, has_passage, index, with_passage
from clawgit.domain.facts_page import page_class
from clawgit.domain.layers import opening
from clawgit.domain.organize import (
    ENTITIES,
    INDEX,
    STRUCTURED,
    Found,
    Source,
    is_note,
    read_by_rules,
    sources,
)
from clawgit.domain.seen import blob_id, is_in, packed, unpacked
from clawgit.errors import NoAnswerError

__all__ = ["propose"]

READ = "read"
"""The mark that holds which versions of which notes have been read."""

_CITED = 50


def propose(snapshot: Snapshot) -> ChangeSet:
    """One commit for all that is new in the notes. A note whose text was read before is not read again."""
    notes = {path: blob_id(snapshot.files[path]) for path in snapshot.files if is_note(path)}
    before = unpacked(snapshot.marks.get(READ, ""))
    fresh = [path for path, blob in sorted(notes.items()) if not is_in(blob, before)]
    desk = Desk(snapshot)

    @cache
    def lines(path: str) -> tuple[Source, ...]:
        return sources(path, snapshot.files[path], snapshot.today)

    found, skipped, said = _read(snapshot, [one for path in fresh for one in lines(path) if not desk.is_known(one)])
    outcomes: list[Outcome] = []
    for one in found:
        became = desk.taken(one)
        if isinstance(became, Outcome):
            outcomes.append(became)
        elif became:
            skipped.append(became)
    outcomes += desk.withdraw(fresh, cache(lambda path: frozenset(one.key for one in lines(path))))
    desk.write()
    steps = _step(desk, outcomes, _indexed(snapshot, desk))
    return ChangeSet(steps, tuple(skipped), tuple(said), {READ: packed(notes.values())})


def _read(snapshot: Snapshot, lines: Sequence[Source]) -> tuple[list[Found], list[Skipped], list[str]]:
    name = operators_name(snapshot.files.get("USER.md", ""))
    if snapshot.mind is not None and lines:
        try:
            return (*read_by(snapshot.mind, lines, name), [])
        except NoAnswerError as trouble:
            said = [f"Read by rules, for the model gave no answer: {trouble}"]
            return [one for line in lines for one in read_by_rules(line, name)], [], said
    return [one for line in lines for one in read_by_rules(line, name)], [], []


def _indexed(snapshot: Snapshot, desk: Desk) -> tuple[Proposed, ...]:
    """The pages that follow from the facts: one for each entity, and the index of all."""
    facts = [
        Told(seat.meta.class_ or page_class(seat.path), seat.text, seat.meta.id, seat.meta.last)
        for seat in desk.seats
        if seat.is_active
    ]
    paths = {*snapshot.files, *(seat.path for seat in desk.seats)}
    made = [*_entities(snapshot, desk, facts)]
    paths.update(made)
    if facts or INDEX in snapshot.files:
        desk.draft.put(INDEX, index(facts, paths))
    changed = [edit.path for edit in desk.draft.edits if edit.path == INDEX or edit.path in made]
    return tuple(Proposed(path, "indexed", "where the facts stand", (STRUCTURED,)) for path in changed)


def _entities(snapshot: Snapshot, desk: Desk, facts: Sequence[Told]) -> Iterator[str]:
    """The pages of entities as they are now; one whose facts are gone says so, and nothing of it is deleted."""
    named = entities(facts)
    left = [path for path in snapshot.files if path.startswith(ENTITIES) and path not in named]
    for path, (name, some) in named.items():
        text = desk.draft.read(path) or opening(path, snapshot.layers, name)
        desk.draft.put(path, with_passage(text, name, some))
        yield path
    for path in left:
        if has_passage(text := desk.draft.read(path)):
            title = text.partition("\n")[0].lstrip("# ").strip()
            desk.draft.put(path, with_passage(text, title, ()))
            yield path


def _step(desk: Desk, outcomes: Sequence[Outcome], indexed: tuple[Proposed, ...]) -> tuple[Step, ...]:
    edits = desk.draft.cut()
    if not edits:
        return ()
    kinds = [one.kind for one in outcomes]
    told = [f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds)]
    cited = [*dict.fromkeys(place.partition("#")[0] for one in outcomes for place in one.evidence)]
    return (
        Step(
            verb="organize",
            summary=f"organize the facts of the notes: {', '.join(told) or 'the index'}",
            reason=_reason(len(cited)),
            evidence=tuple(cited[:_CITED]) or (STRUCTURED,),
            edits=edits,
            proposed=(*(Proposed(one.path, one.kind, one.text, one.evidence) for one in outcomes), *indexed),
        ),
    )


def _reason(notes: int) -> str:
    if not notes:
        return f"What stands in {STRUCTURED} has changed."
    more = f" The first {_CITED} of them are cited here." if notes > _CITED else ""
    return f"Read out of {notes} {'note' if notes == 1 else 'notes'}; each fact names its line.{more}"
