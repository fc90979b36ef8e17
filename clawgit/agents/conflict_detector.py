"""The Conflict Detector finds contradicting entries, settles or flags them, and logs them."""

from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from clawgit.agents.conflict_pairs import (
    JUDGED,
    SEEN,
    FoundConflict,
    Pair,
    alike,
    by_model,
    by_rules,
    pair_key,
    said,
    standing_entries,
    to_judge,
    updated,
)
from clawgit.agents.contract import ChangeSet, Draft, Proposed, Skipped, Snapshot, Step
from clawgit.domain.claims.clauses import Remainder, remainder
from clawgit.domain.claims.conflicts import (
    CLOSED,
    FLAGGED,
    NOTHING,
    PATH,
    Conflict,
    ConflictSide,
    appended,
    conflicts,
    decided,
)
from clawgit.domain.claims.disputed_pairs import OF_MERGES
from clawgit.domain.claims.records import stating
from clawgit.domain.claims.settling import (
    Settlement,
    day_of,
    decide,
    place_of,
    settle,
    with_metas,
    with_raws,
    witness,
)
from clawgit.domain.corrections.disputed import is_disputed, quotes_of
from clawgit.domain.facts.fact_verdict import EntryPlace
from clawgit.domain.markdown.comment import Meta
from clawgit.domain.markdown.entry import content_key, entries
from clawgit.domain.markdown.excerpt import in_a_line
from clawgit.domain.markdown.statuses import ACTIVE, DISPUTED
from clawgit.domain.workspace.tiers import dated
from clawgit.errors import NoAnswerError, counted

MOST_A_DAY = 5
"""How many conflicts the operator is shown per day, the most certain first."""

_MOST_FRESH = 1_000
"""How many entries a run compares; the next one goes on with the rest."""

_MOST_KEPT = 2000
"""How many judged pairs the marks hold. Each is two keys of a few characters."""

_MOST_TOLD = 20
"""How many reasons one commit message lists."""

_EXCERPT = 90

_States = dict[str, tuple[str, str]]
"""The status and the words of each entry of a file."""

_SIDES = "AB"

SUPERSEDED = "superseded"
REWORDED = "reworded"
"""What becomes of an entry that lost: all of it, or the clause that is disputed."""


class _Ruled(NamedTuple):
    """A finding and its outcome."""

    finding: FoundConflict
    settled: Settlement
    conflict: Conflict

    @property
    def kind(self) -> str:
        if self.settled.rewords:
            return REWORDED
        return FLAGGED if self.settled.winner is None else SUPERSEDED


def propose(snapshot: Snapshot) -> ChangeSet:
    """One step: new conflicts logged, losers marked, and outdated conflicts closed.

    Entries that this run did not reach stay unmarked, so that the next run compares them.
    """
    past = conflicts(snapshot.files.get(PATH) or "")
    standing = standing_entries(snapshot)
    places = stating(standing)
    fresh = updated(places, snapshot)
    near = alike(places, fresh[:_MOST_FRESH], snapshot.nearness)
    by_rule = list(by_rules(places, near))
    by_mind, notes, judged = _asked(snapshot, places, near, by_rule)
    known = {conflict.pair for conflict in past}
    found = [*by_rule, *by_mind]
    skipped = [_decided(finding) for finding in found if _pair(finding) in known]
    ruled, later = _ruled(snapshot, [each for each in found if _pair(each) not in known], past)

    draft = Draft(snapshot.files)
    _mark_losers(snapshot, draft, ruled)
    # Closing is judged by the files as they are after the losers have been marked.
    after = snapshot._replace(files=draft)
    outcomes = dict(_closed(after, past, standing, changed=bool(draft.edits)))
    _lift_marks(draft, past, outcomes)
    step = _step(draft, ruled, outcomes, past)

    left = {said(places[at]) for at in fresh[_MOST_FRESH:]}
    left |= {said(side) for finding in later for side in finding.sides}
    seen = {said(place) for place in standing} - left
    marks = {SEEN: " ".join(sorted(seen)), JUDGED: judged}
    return ChangeSet((step,) if step else (), tuple(skipped), notes, marks)


def _asked(
    snapshot: Snapshot,
    places: Sequence[EntryPlace],
    near: Mapping[Pair, float],
    by_rule: list[FoundConflict],
) -> tuple[list[FoundConflict], tuple[str, ...], str]:
    """What a model finds in addition, notes for the operator, and the mark of all judged pairs.

    Without an answer only the rules count, and a note says so.
    """
    judged = snapshot.marks.get(JUDGED, "").split()
    unchanged = " ".join(judged)
    if snapshot.mind is None:
        return [], (), unchanged
    pairs = to_judge(places, near, by_rule, set(judged))
    if not pairs:
        return [], (), unchanged
    try:
        more, unproven = by_model(snapshot.mind, pairs)
    except NoAnswerError as error:
        return [], (f"By rules alone: {error.message}",), unchanged
    kept = [*judged, *(pair_key(*pair) for pair in pairs)][-_MOST_KEPT:]
    notes = (f"{counted(unproven, 'conflict')} of the model: not proven.",) if unproven else ()
    return more, notes, " ".join(kept)


def _ruled(
    snapshot: Snapshot, findings: Iterable[FoundConflict], past: Sequence[Conflict]
) -> tuple[list[_Ruled], list[FoundConflict]]:
    """Each finding with its verdict: settled ones first, then the most certain; and those that
    another day is for.

    An entry that has lost is compared no further.
    """
    verdicts = [(finding, _settled(snapshot, finding)) for finding in findings]
    taken = {conflict.id for conflict in past}
    room = MOST_A_DAY - sum(_is_of_today(conflict, snapshot) for conflict in past)
    lost: set[tuple[str, int]] = set()
    pairs: set[frozenset[str]] = set()
    ruled: list[_Ruled] = []
    later: list[FoundConflict] = []
    for finding, settled in sorted(verdicts, key=_rank):
        if lost & {place_of(finding.a), place_of(finding.b)} or _pair(finding) in pairs:
            continue
        if settled.winner is not None:
            lost.add(place_of(finding.sides[1 - settled.winner]))
        elif room <= 0:
            later.append(finding)
            continue
        else:
            room -= 1
        pairs.add(_pair(finding))
        ident = snapshot.fresh_id(" ".join(sorted(_pair(finding))), " ".join(taken))
        taken.add(ident)
        rule = f"{finding.rule}; {settled.why}"
        a, b = map(_side, finding.sides)
        conflict = Conflict(ident, snapshot.now, a, b, rule, _outcome(settled))
        ruled.append(_Ruled(finding, settled, conflict))
    return ruled, later


def _is_of_today(conflict: Conflict, snapshot: Snapshot) -> bool:
    return conflict.open and conflict.time is not None and conflict.time.date() == snapshot.today


def _settled(snapshot: Snapshot, finding: FoundConflict) -> Settlement:
    """The verdict of the rules. What only a model finds is the operator's to decide."""
    if finding.by_model:
        return Settlement(None, "only a model says so")
    known = snapshot.corrections
    settled = settle(*(witness(side, known) for side in finding.sides))
    if settled.winner is None:
        return settled
    losing = 1 - settled.winner
    rest = remainder((finding.a.entry, finding.b.entry), settled.winner, Meta(""))
    # A loser that says more than the disputed clause is never superseded whole: a correction
    # rewords that clause, and the note of a day is never reworded.
    is_reworded = settled.by_correction and not dated(finding.sides[losing].path)
    if rest == Remainder() or (rest.raw and is_reworded):
        return settled._replace(rewords=bool(rest.raw))
    why = f"{settled.why}, but {_SIDES[losing]} says more than what is disputed"
    return Settlement(None, why)


def _rank(verdict: tuple[FoundConflict, Settlement]) -> tuple[int, float]:
    """Decided by a correction first, then by age, then undecided; each group by certainty."""
    finding, settled = verdict
    kind = 2 if settled.winner is None else int(not settled.by_correction)
    return kind, -finding.surety


def _outcome(settled: Settlement) -> str:
    if settled.winner is None:
        return f"{FLAGGED}: the operator decides"
    winner, loser = _SIDES[settled.winner], _SIDES[1 - settled.winner]
    if settled.rewords:
        return f"{winner} wins: what {loser} says of it is replaced"
    return f"{winner} wins: {loser} is superseded"


def _mark_losers(snapshot: Snapshot, draft: Draft, ruled: Sequence[_Ruled]) -> None:
    """Gives each loser its status, or the winner's value in its clause.

    All of them are collected first: an edit would move the lines of the other entries.
    """
    metas: dict[tuple[str, int], Meta] = {}
    paths = {side.path for verdict in ruled for side in verdict.finding.sides}

    def fresh_id(content: str) -> str:
        taken = [*(meta.id for meta in metas.values()), *map(draft.read, sorted(paths))]
        return snapshot.fresh_id(content, " ".join(taken))

    reworded: defaultdict[str, dict[int, str]] = defaultdict(dict)
    for verdict in ruled:
        winner = verdict.settled.winner
        if winner is None:
            continue
        if not verdict.settled.rewords:
            decide(verdict.finding.sides, winner, metas, fresh_id)
            continue
        loser = verdict.finding.sides[1 - winner]
        meta = metas.get(place_of(loser)) or loser.entry.meta or Meta(fresh_id(str(loser)))
        # What was written by hand may have no evidence; its new words rest on this conflict.
        meta = meta if meta.evidence else meta.citing(verdict.conflict.evidence)
        metas[place_of(loser)] = meta
        pair = (verdict.finding.a.entry, verdict.finding.b.entry)
        reworded[loser.path][loser.entry.line] = remainder(pair, winner, meta).raw
    by_path: defaultdict[str, dict[int, Meta]] = defaultdict(dict)
    for (path, line), meta in metas.items():
        by_path[path][line] = meta
    for path, decided_here in by_path.items():
        marked = with_metas(draft.read(path), decided_here)
        draft.put(path, with_raws(marked, reworded[path]))


def _closed(
    snapshot: Snapshot, past: Iterable[Conflict], places: Iterable[EntryPlace], *, changed: bool
) -> Iterator[tuple[str, str]]:
    """Undecided conflicts with a side that is gone or changed: their ids, and words for the log.

    `places` are the active entries before this run; `changed` if the run edited files.
    """
    undecided = [conflict for conflict in past if conflict.open]
    if not undecided:
        return
    if changed:
        places = standing_entries(snapshot)
    texts = {said(place) for place in places}
    states_of = cache(lambda path: _sayings(snapshot.files.get(path) or ""))
    for conflict in undecided:
        if why := _first_gone(conflict, texts, states_of):
            yield conflict.id, f"{CLOSED}: {why}"


def _first_gone(conflict: Conflict, texts: set[str], states_of: Callable[[str], _States]) -> str:
    """Which side of a conflict is gone or changed, and why; "" if neither is."""
    both = (conflict.a, conflict.b)
    is_marked = conflict.rule in OF_MERGES and any(
        states_of(side.path).get(side.key, ("",))[0] == DISPUTED for side in both
    )
    for name, side in zip(_SIDES, both, strict=True):
        if side.said in texts or side.text == NOTHING:
            continue
        states = states_of(side.path)
        if is_marked and side.key in states:
            continue  # the mark stays until the two are settled
        if why := _why_gone(side, states):
            return f"{name} {why}"
    return ""


def _lift_marks(draft: Draft, past: Iterable[Conflict], closed: Container[str]) -> None:
    """Ends the mark of an entry whose rival of a merge is gone: nothing disputes it any longer."""
    ended = [one for one in past if one.id in closed and one.rule in OF_MERGES]
    for side in (side for conflict in ended for side in (conflict.a, conflict.b)):
        text = draft.read(side.path)
        if metas := dict(_unmarked(text, side.key)):
            draft.put(side.path, with_metas(text, metas))


def _unmarked(text: str, key: str) -> Iterator[tuple[int, Meta]]:
    """The line and the comment of the entry with this key if only a merge disputed it."""
    for entry in entries(text):
        # A sentence of the operator's below an entry disputes it, too.
        if entry.key == key and entry.meta and is_disputed(entry) and not quotes_of(entry.raw):
            yield entry.line, entry.meta.having("status", "").having("by", "")


def _sayings(text: str) -> _States:
    """The status and words of each entry of a file, by its key and by what it says."""
    states: _States = {}
    for entry in entries(text):
        state = (entry.meta.status if entry.meta else ACTIVE, content_key(entry.text))
        states |= {entry.key: state, content_key(entry.text): state}
    return states


def _why_gone(side: ConflictSide, states: _States) -> str:
    """Why a side is gone; "" if it is unchanged but in a file that is no longer compared."""
    status, words = states.get(side.said) or states.get(side.key) or ("", "")
    if not status:
        return "is no longer in memory"
    if status != ACTIVE:
        return f"is {status} since"
    return "" if words == side.said else "says something else now"


def _step(
    draft: Draft,
    ruled: Sequence[_Ruled],
    outcomes: dict[str, str],
    past: Iterable[Conflict],
) -> Step | None:
    if not ruled and not outcomes:
        return None
    log = decided(draft.read(PATH), outcomes)
    if ruled:
        log = appended(log, [verdict.conflict for verdict in ruled])
    draft.put(PATH, log)
    proposed = [_in_words(verdict) for verdict in ruled]
    proposed += [
        Proposed(PATH, CLOSED, f"{each.id} {outcomes[each.id]}", (each.evidence,))
        for each in past
        if each.id in outcomes
    ]
    evidence = dict.fromkeys(cited for change in proposed for cited in change.evidence)
    reasons = [_because(verdict) for verdict in ruled[:_MOST_TOLD]]
    reasons += [f"{ident}: {why}." for ident, why in outcomes.items()]
    return Step(
        verb="detect",
        summary=_summary(ruled, outcomes),
        reason="\n".join(reasons),
        evidence=tuple(evidence),
        edits=draft.edits,
        proposed=tuple(proposed),
    )


def _in_words(verdict: _Ruled) -> Proposed:
    finding, winner = verdict.finding, verdict.settled.winner
    cited = (*_evidence(finding.a), *_evidence(finding.b))
    if winner is None:
        return Proposed(PATH, FLAGGED, f"{_short(finding.a)} against {_short(finding.b)}", cited)
    kept, lost = (finding.a, finding.b)[winner], (finding.a, finding.b)[1 - winner]
    return Proposed(lost.path, verdict.kind, f"{_short(lost)} by {_short(kept)}", cited)


def _evidence(place: EntryPlace) -> Iterator[str]:
    """Where the entry is, and its evidence."""
    yield f"{place.path}#L{place.entry.line}"
    if place.entry.meta:
        yield from place.entry.meta.evidence


def _because(verdict: _Ruled) -> str:
    a, b, conflict = verdict.finding.a, verdict.finding.b, verdict.conflict
    return (
        f"{conflict.id}: {_short(a)} ({a}) against {_short(b)} ({b}): {conflict.rule}. "
        f"{conflict.outcome}."
    )


def _summary(ruled: Sequence[_Ruled], outcomes: dict[str, str]) -> str:
    count = Counter({CLOSED: len(outcomes)})
    count.update(verdict.kind for verdict in ruled)
    kinds = [kind for kind in (FLAGGED, SUPERSEDED, REWORDED, CLOSED) if count[kind]]
    total = len(ruled) + len(outcomes)
    noun = "conflict" if total == 1 else "conflicts"
    return f"{total} {noun}: {', '.join(f'{count[kind]} {kind}' for kind in kinds)}"


def _side(place: EntryPlace) -> ConflictSide:
    source: list[str] = []
    if place.entry.meta:
        meta = place.entry.meta
        source = [meta.src, *meta.evidence] if meta.src else [*meta.evidence]
    return ConflictSide(
        " ".join(place.entry.text.split()),
        place.path,
        place.entry.key,
        ", ".join(source) or "by hand",
        day_of(place),
    )


def _decided(finding: FoundConflict) -> Skipped:
    return Skipped(f"{_short(finding.a)} against {_short(finding.b)}", f"{PATH} has it already")


def _pair(finding: FoundConflict) -> frozenset[str]:
    return frozenset((said(finding.a), said(finding.b)))


def _short(place: EntryPlace) -> str:
    return f"“{in_a_line(place.entry.text, _EXCERPT)}”"
