"""The organizer: what the notes say becomes facts, each once, in its class, for as long as it
holds, and an index.
"""

from collections.abc import Sequence
from functools import cache

from clawgit.agents.contract import ChangeSet, Proposed, Skipped, Snapshot, Step
from clawgit.agents.organizer_desk import Desk, Outcome
from clawgit.agents.organizer_pages import indexed
from clawgit.domain.organizing.organize import STRUCTURED, Found, Source, is_note, sources
from clawgit.domain.runner.run_marks import blob_id, is_in, packed, unpacked
from clawgit.errors import NoAnswerError

__all__ = ["propose"]

READ = "read"
"""The mark that holds which versions of which notes have been read."""

_CITED = 50


def propose(snapshot: Snapshot) -> ChangeSet:
    """One commit for all that is new in the notes. A note whose text was read before is not read
    again.
    """
    notes = {path: blob_id(snapshot.files[path]) for path in snapshot.files if is_note(path)}
    before = unpacked(snapshot.marks.get(READ, ""))
    fresh = [path for path, blob in sorted(notes.items()) if not is_in(blob, before)]
    desk = Desk(snapshot)

    @cache
    def lines(path: str) -> tuple[Source, ...]:
        return sources(path, snapshot.files[path], snapshot.today)

    found, skipped, said = _read(
        snapshot, [one for path in fresh for one in lines(path) if not desk.is_known(one)]
    )
    outcomes: list[Outcome] = []
    for one in found:
        became = desk.taken(one)
        if isinstance(became, Outcome):
            outcomes.append(became)
        elif became:
            skipped.append(became)
    outcomes += desk.withdraw(fresh, cache(lambda path: frozenset(one.key for one in lines(path))))
    desk.write()
    steps = _step(desk, outcomes, indexed(desk.draft, snapshot.files, snapshot.layers))
    return ChangeSet(steps, tuple(skipped), tuple(said), {READ: packed(notes.values())})


def _read(
    snapshot: Snapshot, lines: Sequence[Source]
) -> tuple[list[Found], list[Skipped], list[str]]:
    if not lines:
        return [], [], []
    from clawgit.domain.extraction.speaker import operators_name  # noqa: PLC0415 - where there is anything to read
    from clawgit.domain.organizing.reading import read_by_rules  # noqa: PLC0415 - judges, 25 ms; most runs have no new line

    name = operators_name(snapshot.files.get("USER.md", ""))
    if snapshot.mind is not None:
        from clawgit.agents.organizer_mind import read_by  # noqa: PLC0415 - only where a model reads

        try:
            return (*read_by(snapshot.mind, lines, name), [])
        except NoAnswerError as trouble:
            said = [f"Read by rules, for the model gave no answer: {trouble}"]
            return [one for line in lines for one in read_by_rules(line, name)], [], said
    return [one for line in lines for one in read_by_rules(line, name)], [], []


def _step(desk: Desk, outcomes: Sequence[Outcome], pages: tuple[Proposed, ...]) -> tuple[Step, ...]:
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
            proposed=(
                *(Proposed(one.path, one.kind, one.text, one.evidence) for one in outcomes),
                *pages,
            ),
        ),
    )


def _reason(notes: int) -> str:
    if not notes:
        return f"What stands in {STRUCTURED} has changed."
    more = f" The first {_CITED} of them are cited here." if notes > _CITED else ""
    return (
        f"Read out of {notes} {'note' if notes == 1 else 'notes'}; each fact names its line.{more}"
    )
