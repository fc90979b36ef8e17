"""The organizer moves what the notes say into pages of facts, each fact once, with an index."""

from collections.abc import Iterator, Sequence
from functools import cache

from clawgit.agents.contract import ChangeSet, Proposed, Skipped, Snapshot, Step
from clawgit.agents.organizer_draft import FactOutcome, FactsDraft
from clawgit.agents.organizer_mind import read_by
from clawgit.agents.organizer_pages import indexed
from clawgit.domain.change.ids import blob_id
from clawgit.domain.extraction.speaker import operators_name
from clawgit.domain.markdown.decoding import exact_bytes
from clawgit.domain.markdown.notebook import NOTEBOOK_CHARACTERS, NOTEBOOK_LINES, fits
from clawgit.domain.organizing.organize import STRUCTURED, LineFact, Source, is_note, sources
from clawgit.domain.organizing.reading import read_by_rules
from clawgit.domain.runner.run_marks import is_in, packed, unpacked
from clawgit.domain.workspace.routing import notebook_of
from clawgit.errors import NoAnswerError, counted

__all__ = ["propose"]

READ = "read"
"""The mark that holds which versions of which notes have been read."""

_CITED = 50
"""How many notes one commit cites."""


def propose(snapshot: Snapshot) -> ChangeSet:
    """One commit for all that is new in the notes. A version of a note is read only once."""
    paths = filter(is_note, snapshot.files)
    notes = {path: blob_id(exact_bytes(snapshot.files[path])) for path in paths}
    before = unpacked(snapshot.marks.get(READ, ""))
    fresh = [path for path, blob in sorted(notes.items()) if not is_in(blob, before)]
    facts_draft = FactsDraft(snapshot)

    @cache
    def lines(path: str) -> tuple[Source, ...]:
        return sources(path, snapshot.files[path], snapshot.today)

    @cache
    def keys(path: str) -> frozenset[str]:
        return frozenset(line.key for line in lines(path))

    unread = [line for path in fresh for line in lines(path) if not facts_draft.is_known(line)]
    facts, skipped, remarks = _read(snapshot, unread)
    outcomes: list[FactOutcome] = []
    for fact in facts:
        outcome = facts_draft.taken(fact)
        if isinstance(outcome, FactOutcome):
            outcomes.append(outcome)
        elif outcome:
            skipped.append(outcome)
    # Withdrawn last: by now the facts of reworded lines have their new origin.
    outcomes += facts_draft.withdraw(fresh, keys)
    facts_draft.write()
    steps = _step(
        facts_draft, outcomes, indexed(facts_draft.draft, snapshot.files, snapshot.layers)
    )
    remarks += _too_long(snapshot)
    return ChangeSet(steps, tuple(skipped), tuple(remarks), {READ: packed(notes.values())})


def _too_long(snapshot: Snapshot) -> Iterator[str]:
    """A note that proposes to shorten MEMORY.md, if it is longer than what sessions read of it."""
    path = notebook_of(snapshot.files)
    text = snapshot.files.get(path, "")
    if not fits(text):
        size = f"{len(text.splitlines()):,} lines and {len(text):,} characters"
        read = f"an agent reads {NOTEBOOK_LINES} and {NOTEBOOK_CHARACTERS:,} of them"
        yield f"{path} has {size}; {read}. `clawgit memory tidy` shows what can move."


def _read(
    snapshot: Snapshot, lines: Sequence[Source]
) -> tuple[list[LineFact], list[Skipped], list[str]]:
    """The facts in these lines, what a model said without proof, and notes for the operator."""
    if not lines:
        return [], [], []
    name = operators_name(snapshot.files.get("USER.md", ""))
    remarks = []
    if snapshot.mind is not None:
        try:
            facts, skipped = read_by(snapshot.mind, lines, name)
        except NoAnswerError as trouble:
            remarks.append(f"Read by rules, because the model gave no answer: {trouble}")
        else:
            return facts, skipped, []
    return [fact for line in lines for fact in read_by_rules(line, name)], [], remarks


def _step(
    facts_draft: FactsDraft, outcomes: Sequence[FactOutcome], pages: tuple[Proposed, ...]
) -> tuple[Step, ...]:
    edits = facts_draft.draft.cut()
    if not edits:
        return ()
    kinds = [outcome.kind for outcome in outcomes]
    counts = [f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds)]
    evidence = [place for outcome in outcomes for place in outcome.evidence]
    cited = [*dict.fromkeys(place.partition("#")[0] for place in evidence)]
    facts = [
        Proposed(outcome.path, outcome.kind, outcome.text, outcome.evidence) for outcome in outcomes
    ]
    step = Step(
        verb="organize",
        summary=f"organize the facts of the notes: {', '.join(counts) or 'the index'}",
        reason=_reason(len(cited)),
        evidence=tuple(cited[:_CITED]) or (STRUCTURED,),
        edits=edits,
        proposed=(*facts, *pages),
    )
    return (step,)


def _reason(notes: int) -> str:
    if not notes:
        return f"{STRUCTURED} has changed."
    more = f" The first {_CITED} of them are cited here." if notes > _CITED else ""
    return f"Read out of {counted(notes, 'note')}; each fact names its line.{more}"
