"""The Conflict Detector finds contradicting entries, settles or flags them, and logs them."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import filterfalse, islice
from operator import attrgetter

from clawgit.agents.choosing import Line, chosen_by, proven
from clawgit.agents.contract import ChangeSet, Draft, Proposed, Skipped, Snapshot, Step, by_kind
from clawgit.core import NamedTuple
from clawgit.core.errors import counted
from clawgit.core.markdown.comment import ACTIVE, SUPERSEDED
from clawgit.core.markdown.entry import (
    Entry,
    content_key,
    entries,
    holds_entries,
    id_from,
    with_meta,
)
from clawgit.core.markdown.excerpt import in_a_line, one_line
from clawgit.core.tiers import dated, tier
from clawgit.memory.rules.confidence import firsthand
from clawgit.memory.rules.conflict_log import (
    BOTH_CHANGED,
    CLOSED,
    FLAGGED,
    PATH,
    UNDECIDED,
    Conflict,
    appended,
    conflicts,
    decided,
    side_of,
)
from clawgit.memory.rules.contradicting import (
    Contradiction,
    Dispute,
    Pair,
    Settlement,
    contradictions,
    neighbours,
    settle,
    with_decision,
)
from clawgit.memory.rules.overlaps import overlap
from clawgit.talk.rules.quotes import is_disputed, is_quote, quotes_of

JUDGED = "judged"
"""The mark: the pairs that were raised, and those that a model has judged."""

_MOST_JUDGED = 4_000
"""How many pairs the mark holds. Each is two keys of a few characters."""

MODEL = "model"
"""The kind of a dispute that only a model sees."""

_MOST_ASKED = 30
"""How many pairs a model is asked about in one run."""

INSTRUCTIONS = """\
Each numbered line has two notes of one memory, each with its heading. Choose those whose notes
contradict each other: the same subject and the same attribute, but another value, number, date, or
the opposite, so that both cannot be true now. Two facts that can both be true, a plan and its
outcome, records of different runs, or different times are not contradictions. For each such line
give its number twice: with the words of A that contradict, and with those of B, letter by
letter."""

_EXCERPT = 90
_SIDES = "AB"


class _Raised(NamedTuple):
    """A contradiction and its verdict. Without a winner, it waits for the operator."""

    finding: Contradiction
    settled: Settlement

    @property
    def is_open(self) -> bool:
        return self.settled.winner is None

    @property
    def places(self) -> tuple[Entry, Entry]:
        """The winner and the loser; of an open one, both sides in their order."""
        a, b = self.finding.sides
        return (b, a) if self.settled.winner == 1 else (a, b)

    def conflict(self, snapshot: Snapshot) -> Conflict:
        a, b = map(side_of, self.finding.sides)
        rule = f"{self.finding.dispute.kind} ({self.finding.dispute}); {self.settled.why}"
        outcome = UNDECIDED
        if self.settled.winner is not None:
            winner, loser = _SIDES[self.settled.winner], _SIDES[1 - self.settled.winner]
            outcome = f"{winner} wins: {loser} is superseded"
        return Conflict(id_from(self.finding.pair), snapshot.now, a, b, rule, outcome)

    def proposed(self) -> Proposed:
        first, second = (f"“{in_a_line(place.text, _EXCERPT)}”" for place in self.places)
        evidence: list[str] = []
        for side in self.finding.sides:
            evidence += (f"{side.path}#L{side.line}", *side.facts.evidence)
        if self.is_open:
            return Proposed(PATH, FLAGGED, f"{first} against {second}", tuple(evidence))
        return Proposed(self.places[1].path, SUPERSEDED, f"{second} by {first}", tuple(evidence))


def propose(snapshot: Snapshot) -> ChangeSet:
    """One step: new conflicts logged, losers marked, and outdated conflicts closed.

    All entries are compared, whenever they were written; a pair is raised once.
    """
    past = conflicts(snapshot.files.get(PATH) or "")
    judged = snapshot.marks.get(JUDGED, "").split()
    found, skipped, asked = _found(snapshot, frozenset((*judged, *map(_PAIR, past))))
    verdicts = [_Raised(each, settle(each, snapshot.corrections)) for each in found]
    waiting, taken = [one for one in past if one.open], set[str]()
    settled = [*_apart(filterfalse(attrgetter("is_open"), verdicts), taken)]
    draft = _decided(snapshot, settled)
    # By the files in which the losers are marked: they may have been sides. What waits with a side
    # that is gone is closed in this run, and keeps nothing from being flagged.
    closed = _closed(snapshot._replace(files=draft), waiting)
    taken.update(side.said for one in waiting if one.id not in closed for side in one.sides)
    raised = [*settled, *_apart(filter(attrgetter("is_open"), verdicts), taken)]
    _lift_marks(draft, (one for one in past if one.id in closed and one.rule == BOTH_CHANGED))
    steps = _step(snapshot, draft, raised, closed)
    marked = [*dict.fromkeys((*judged, *asked, *(each.finding.pair for each in raised)))]
    marks = {JUDGED: " ".join(marked[-_MOST_JUDGED:])}
    return ChangeSet(steps, skipped, marks=marks)


_Found = tuple[list[Contradiction], tuple[Skipped, ...], list[str]]


def _found(snapshot: Snapshot, known: frozenset[str]) -> _Found:
    """The contradictions that are not known yet, with those that a model finds; what it quoted
    wrongly; and the pairs that it has judged.
    """
    near = [*neighbours(firsthand(_compared(snapshot)))]
    found = [each for each in contradictions(near) if each.pair not in known]
    by_mind, skipped, asked = _asked(snapshot, near, known.union(map(_PAIR, found)))
    return [*found, *by_mind], skipped, asked


_PAIR = attrgetter("pair")


def _compared(snapshot: Snapshot) -> Iterator[Entry]:
    """The entries that state a fact that holds today. A note of a day records that day, but for
    what was told in a conversation.
    """
    for entry in _entries(snapshot):
        is_told = bool(entry.facts.src) or not dated(entry.path)
        is_over = (entry.facts.expires or snapshot.today) < snapshot.today
        is_quoted = is_quote(entry.raw.partition("\n")[0])
        if (
            tier(entry.path)
            and entry.status == ACTIVE
            and is_told
            and not is_over
            and not is_quoted
        ):
            yield entry


def _entries(snapshot: Snapshot) -> Iterator[Entry]:
    """The entries of all files that have any text."""
    for path in sorted(filter(holds_entries, snapshot.files)):
        yield from (entry for entry in entries(snapshot.files[path], path) if entry.text)


def _asked(snapshot: Snapshot, near: Sequence[Pair], known: Container[str]) -> _Found:
    """What a model finds in addition, what it quoted wrongly, and the pairs that it has judged.

    It is shown the likeliest pairs that are not known yet. What it says is never certain.
    """
    if snapshot.mind is None:
        return [], (), []
    likeliest = sorted(near, key=lambda sides: -overlap(sides[0].text, sides[1].text))
    every = (Contradiction(sides, Dispute(MODEL, "", "")) for sides in likeliest)
    pairs = [*islice((one for one in every if one.pair not in known), _MOST_ASKED)]
    sides = ([f"[{' > '.join(one.under)}] {one.text}" for one in pair.sides] for pair in pairs)
    rows = [Line("pair", "A: {} B: {}".format(*map(one_line, both))) for both in sides]
    answer = chosen_by(snapshot.mind, INSTRUCTIONS, "pairs", rows)
    found = [*filter(None, (_proven(pairs[at], said) for at, said in answer.quotes.items()))]
    return found, answer.skipped, [*map(_PAIR, pairs)]


def _proven(pair: Contradiction, quotes: Iterable[str]) -> Contradiction | None:
    """The contradiction that a model names; None if it does not quote both sides."""
    of_sides = [[quote for quote in quotes if proven(quote, side.text)] for side in pair.sides]
    if not all(of_sides):
        return None
    return pair._replace(dispute=Dispute(MODEL, of_sides[0][0], of_sides[1][-1]))


def _decided(snapshot: Snapshot, settled: Iterable[_Raised]) -> Draft:
    """The files with the losers marked."""
    draft = Draft(snapshot.files)
    for finding, decision in settled:
        ids = (snapshot.fresh_id(f"{side}") for side in finding.sides)
        draft.update(with_decision(draft.read, finding.sides, decision.winner, ids))
    return draft


def _apart(verdicts: Iterable[_Raised], taken: set[str]) -> Iterator[_Raised]:
    """Those none of whose sides is taken. An entry that has lost is compared no further; one that
    waits for the operator is flagged once, for each two lines of a list would bury the rest.
    """
    for verdict in verdicts:
        said = [content_key(place.text) for place in verdict.places]
        if taken.isdisjoint(said):
            taken.update(said if verdict.is_open else said[1:])
            yield verdict


def _closed(snapshot: Snapshot, waiting: Sequence[Conflict]) -> dict[str, str]:
    """Undecided conflicts with a side that is gone or changed: their ids, and words for the log."""
    known = [*_beside(snapshot, waiting)]
    standing = {content_key(entry.text) for entry in known if entry.status == ACTIVE}
    disputed = {entry.key: is_disputed(entry) for entry in known}
    # Sections copied by hand share an id; any of them can close it.
    return {
        one.id: f"{CLOSED}: {name} no longer stands"
        for one in waiting
        for name in _gone(one, standing, disputed)
    }


def _beside(snapshot: Snapshot, waiting: Iterable[Conflict]) -> Iterator[Entry]:
    """The entries of memory, and of the files that a conflict names."""
    named = {side.path for one in waiting for side in one.sides}
    return (entry for entry in _entries(snapshot) if tier(entry.path) or entry.path in named)


def _gone(
    conflict: Conflict, standing: Container[str], disputed: Mapping[str, bool]
) -> Iterator[str]:
    """The sides, by name, that no entry says any longer."""
    # The mark of a merge stays until the two are settled, whatever they say by then.
    is_marked = conflict.rule == BOTH_CHANGED and any(
        disputed.get(side.key) for side in conflict.sides
    )
    for name, side in zip(_SIDES, conflict.sides, strict=True):
        if side.said not in standing and not (is_marked and side.key in disputed):
            yield name


def _lift_marks(draft: Draft, ended: Iterable[Conflict]) -> None:
    """Ends the mark of an entry whose rival of a merge is gone: nothing disputes it any longer."""
    for side in (side for conflict in ended for side in conflict.sides):
        text = draft.read(side.path)
        entry = side.entry_in(text)
        # A sentence of the operator's below an entry disputes it, too.
        if entry and entry.meta and is_disputed(entry) and not quotes_of(entry.raw):
            draft.put(side.path, with_meta(text, entry, entry.meta.undisputed))


def _step(
    snapshot: Snapshot, draft: Draft, raised: Sequence[_Raised], closed: Mapping[str, str]
) -> tuple[Step, ...]:
    log = decided(draft.read(PATH), closed)
    new = [each.conflict(snapshot) for each in raised]
    if new or closed:
        draft.put(PATH, appended(log, new) if new else log)
    proposed = [each.proposed() for each in raised]
    reasons = [
        f"{conflict.id}: {change.summary}: {conflict.rule}. {conflict.outcome}."
        for conflict, change in zip(new, proposed, strict=True)
    ]
    for ident, outcome in closed.items():
        proposed.append(Proposed(PATH, CLOSED, f"{ident} {outcome}", (f"{PATH}#{ident}",)))
        reasons.append(f"{ident}: {outcome}.")
    ordered = sorted(proposed, key=attrgetter("kind"))
    summary = f"{counted(len(proposed), 'conflict')}: {by_kind(ordered)}"
    return draft.step("detect", summary, "\n".join(reasons), proposed)
