"""The Conflict Detector: entries that contradict each other, settled by rule or flagged, and logged
in CONFLICTS.md.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from clawgit.agents.conflict_pairs import (
    JUDGED,
    SEEN,
    Finding,
    Neighbours,
    alike,
    by_model,
    by_rules,
    comparable,
    pair_key,
    said,
    standing_entries,
    to_judge,
    updated,
)
from clawgit.agents.contract import ChangeSet, Draft, Proposed, Skipped, Snapshot, Step
from clawgit.domain.claims.clauses import exchanged, says_more, sides
from clawgit.domain.claims.conflicts import (
    CLOSED,
    FLAGGED,
    PATH,
    WAITING,
    Conflict,
    Side,
    all_conflicts,
    appended,
    decided,
)
from clawgit.domain.claims.settling import (
    Settled,
    day_of,
    decide,
    place_of,
    settle,
    with_facts,
    with_raws,
    witness,
)
from clawgit.domain.corrections.corrections import all_corrections
from clawgit.domain.facts.fact_verdict import Place
from clawgit.domain.markdown.comment import Meta
from clawgit.domain.markdown.entry import content_key, entries
from clawgit.domain.markdown.excerpt import in_a_line
from clawgit.domain.markdown.statuses import ACTIVE
from clawgit.errors import NoAnswerError

MOST_A_DAY = 5
"""So many conflicts are put before the operator on one day, the surest first."""

WHOLE = "superseded"
CLAUSE = "exchanged"
"""What becomes of a loser: all of it, or the clause that is disputed."""


class _Ruled(NamedTuple):
    """A finding and what becomes of it: `how` is WHOLE or CLAUSE where a side wins, else FLAGGED or
    WAITING.
    """

    finding: Finding
    settled: Settled
    how: str
    conflict: Conflict


def propose(snapshot: Snapshot) -> ChangeSet:
    """One step: new conflicts logged, losers marked, flagged ones closed that are none any more.

    The entries that the run did not come to stay unseen, for the next one.
    """
    past, standing = all_conflicts(snapshot.files), standing_entries(snapshot)
    places = comparable(standing)
    asked = updated(places, snapshot)
    near = alike(places, asked, snapshot.nearness)
    found = list(by_rules(places, near.pairs))
    more, notes, judged = _asked(snapshot, places, near, found)
    known = {conflict.pair for conflict in past}
    fresh = [finding for finding in (*found, *more) if _pair(finding) not in known]
    skipped = [_decided(finding) for finding in (*found, *more) if _pair(finding) in known]
    draft = Draft(snapshot.files)
    ruled = _ruled(snapshot, fresh, past)
    _mark_losers(snapshot, draft, ruled)
    after = snapshot._replace(files=draft)
    outcomes = dict(_closed(after, past, standing, changed=bool(draft.edits)))
    outcomes |= _shown(
        snapshot, [conflict for conflict in past if conflict.id not in outcomes], ruled
    )
    step = _step(draft, ruled, outcomes, past)
    left = {said(places[at]) for at in asked[len(near.done) :]}
    marks = {SEEN: " ".join(sorted({said(place) for place in standing} - left)), JUDGED: judged}
    return ChangeSet((step,) if step else (), tuple(skipped), notes, marks)


def _asked(
    snapshot: Snapshot, places: Sequence[Place], near: Neighbours, found: list[Finding]
) -> tuple[list[Finding], tuple[str, ...], str]:
    """What a model finds besides; without an answer the rules must do, and a note says so."""
    judged = snapshot.marks.get(JUDGED, "").split()
    asked = to_judge(places, near.pairs, found, set(judged)) if snapshot.mind else []
    if snapshot.mind is None or not asked:
        return [], (), " ".join(judged)
    try:
        more = list(by_model(snapshot.mind, asked))
    except NoAnswerError as error:
        return [], (f"By rules alone: {error.message}",), " ".join(judged)
    kept = [*judged, *(pair_key(*two) for two in asked)][-_MOST_KEPT:]
    return more, (), " ".join(kept)


def _ruled(snapshot: Snapshot, found: Iterable[Finding], past: Sequence[Conflict]) -> list[_Ruled]:
    """Each finding with its verdict, what is settled first, then the surest; a side that has lost
    is no side any more.

    The operator is shown a handful a day; a few more wait their turn, and what is beyond is left.
    """
    known = tuple(all_corrections(snapshot.files))
    verdicts = [
        (finding, settle(witness(finding.a, known), witness(finding.b, known))) for finding in found
    ]
    taken = {conflict.id for conflict in past}
    room = _room(snapshot, past)
    waiting = sum(conflict.waits for conflict in past)
    lost: set[tuple[str, int]] = set()
    pairs: set[frozenset[str]] = set()
    ruled: list[_Ruled] = []
    for finding, settled in sorted(verdicts, key=_rank):
        if lost & {place_of(finding.a), place_of(finding.b)} or _pair(finding) in pairs:
            continue
        pairs.add(_pair(finding))
        verdict, how = _how(finding, settled)
        if verdict.winner is not None:
            lost.add(place_of((finding.a, finding.b)[1 - verdict.winner]))
        elif room:
            room -= 1
        elif waiting < _MOST_WAITING:
            how, waiting = WAITING, waiting + 1
        else:
            continue
        ident = snapshot.fresh_id(" ".join(sorted(_pair(finding))), " ".join(taken))
        taken.add(ident)
        rule = f"{finding.rule}; {verdict.why}"
        conflict = Conflict(
            ident, snapshot.now, _side(finding.a), _side(finding.b), rule, _outcome(verdict, how)
        )
        ruled.append(_Ruled(finding, verdict, how, conflict))
    return ruled


def _room(snapshot: Snapshot, past: Iterable[Conflict]) -> int:
    shown = sum(conflict.flagged_on() == snapshot.today for conflict in past)
    return max(MOST_A_DAY - shown, 0)


def _rank(verdict: tuple[Finding, Settled]) -> tuple[int, float]:
    """What the operator corrected is decided first, then what age decides; of the others the surest
    comes first.
    """
    finding, settled = verdict
    kind = 2 if settled.winner is None else int("correction" not in settled.why)
    return kind, -finding.surety


def _how(finding: Finding, settled: Settled) -> tuple[Settled, str]:
    """What becomes of the loser. One that says more than the disputed clause is never superseded
    whole.
    """
    if settled.winner is None:
        return settled, FLAGGED
    places = finding.a, finding.b
    loser, winner = places[1 - settled.winner].entry, places[settled.winner].entry
    if not says_more(loser, winner, sides(finding.dispute, settled.winner)[1]):
        return settled, WHOLE
    if exchanged(loser, finding.dispute, settled.winner, Meta("")) is not None:
        return settled, CLAUSE
    why = f"{settled.why}, but {'AB'[1 - settled.winner]} says more than what is disputed"
    return Settled(None, why), FLAGGED


def _outcome(settled: Settled, how: str) -> str:
    if settled.winner is None:
        return (
            f"{FLAGGED}: the operator decides"
            if how == FLAGGED
            else f"{WAITING}: {MOST_A_DAY} a day are shown"
        )
    loser = "BA"[settled.winner]
    done = f"{loser} is superseded" if how == WHOLE else f"what {loser} says of it is exchanged"
    return f"{'AB'[settled.winner]} wins: {done}"


def _shown(snapshot: Snapshot, past: Sequence[Conflict], ruled: Sequence[_Ruled]) -> dict[str, str]:
    """The waiting conflicts whose turn it is now, the surest first."""
    room = _room(snapshot, past) - sum(verdict.how == FLAGGED for verdict in ruled)
    waiting = sorted(
        (conflict for conflict in past if conflict.waits), key=lambda conflict: -conflict.surety
    )
    words = f"{FLAGGED}: the operator decides, shown since {snapshot.today.isoformat()}"
    return {conflict.id: words for conflict in waiting[: max(room, 0)]}


def _closed(
    snapshot: Snapshot, past: Iterable[Conflict], places: Iterable[Place], *, changed: bool
) -> Iterator[tuple[str, str]]:
    """The conflicts not yet decided of which a side does not stand any more, with the words for it.
    `places` are what stood before this run, which has `changed` files or none.
    """
    undecided = [conflict for conflict in past if conflict.open or conflict.waits]
    if not undecided:
        return
    texts = {said(place) for place in (standing_entries(snapshot) if changed else places)}
    there = {
        path: _sayings(snapshot.files.get(path) or "")
        for path in {side.path for conflict in undecided for side in (conflict.a, conflict.b)}
    }
    for conflict in undecided:
        for name, side in (("A", conflict.a), ("B", conflict.b)):
            if side.said not in texts and (why := _why_gone(side, there[side.path])):
                yield conflict.id, f"{CLOSED}: {name} {why}"
                break


def _sayings(text: str) -> dict[str, tuple[str, str]]:
    """The state and the words of each entry of a file, by its key and by what it says."""
    found: dict[str, tuple[str, str]] = {}
    for entry in entries(text):
        state = (entry.meta.status if entry.meta else ACTIVE, content_key(entry.text))
        found |= {entry.key: state, content_key(entry.text): state}
    return found


def _why_gone(side: Side, there: dict[str, tuple[str, str]]) -> str:
    """Empty where the side stands as it did, in a file that is no longer read."""
    status, words = there.get(side.said) or there.get(side.key) or ("", "")
    if not status:
        return "is no longer in memory"
    if status != ACTIVE:
        return f"is {status} since"
    return "" if words == side.said else "says something else now"


def _step(
    draft: Draft, ruled: Sequence[_Ruled], outcomes: dict[str, str], past: Iterable[Conflict]
) -> Step | None:
    if not ruled and not outcomes:
        return None
    log = decided(draft.read(PATH), outcomes)
    draft.put(PATH, appended(log, [verdict.conflict for verdict in ruled]) if ruled else log)
    ended = [conflict for conflict in past if conflict.id in outcomes]
    proposed = (
        *map(_in_words, ruled),
        *(_changed(conflict, outcomes[conflict.id]) for conflict in ended),
    )
    evidence = tuple(dict.fromkeys(cited for change in proposed for cited in change.evidence))
    reasons = [_because(verdict) for verdict in ruled[:_MOST_TOLD]] + [
        f"{at}: {why}." for at, why in outcomes.items()
    ]
    return Step(
        "detect", _summary(ruled, outcomes), "\n".join(reasons), evidence, draft.edits, proposed
    )


def _mark_losers(snapshot: Snapshot, draft: Draft, ruled: Iterable[_Ruled]) -> None:
    """Superseded entries get their facts, exchanged ones their words; both by the line on which
    they begin.
    """
    metas: dict[tuple[str, int], Meta] = {}
    raws: dict[tuple[str, int], str] = {}
    places: dict[tuple[str, int], Place] = {}

    def fresh(what: str) -> str:
        texts = (draft.read(path) for path in {place.path for place in places.values()})
        return snapshot.fresh_id(what, " ".join([*(meta.id for meta in metas.values()), *texts]))

    for verdict in ruled:
        if verdict.settled.winner is None:
            continue
        finding, winner = verdict.finding, verdict.settled.winner
        places |= {place_of(place): place for place in (finding.a, finding.b)}
        loser = (finding.a, finding.b)[1 - winner]
        if verdict.how == WHOLE:
            decide((finding.a, finding.b), winner, metas, fresh)
        elif raw := exchanged(
            loser.entry, finding.dispute, winner, loser.entry.meta or Meta(fresh(str(loser)))
        ):
            raws[place_of(loser)] = raw
    raws |= {at: with_facts(places[at].entry, meta) for at, meta in metas.items() if at not in raws}
    by_path: defaultdict[str, dict[int, str]] = defaultdict(dict)
    for (path, line), raw in raws.items():
        by_path[path][line] = raw
    for path, written in by_path.items():
        draft.put(path, with_raws(draft.read(path), written))


def _in_words(verdict: _Ruled) -> Proposed:
    finding, winner = verdict.finding, verdict.settled.winner
    cited = (*_evidence(finding.a), *_evidence(finding.b))
    if winner is None:
        return Proposed(
            PATH, verdict.how, f"{_short(finding.a)} against {_short(finding.b)}", cited
        )
    kept, lost = (finding.a, finding.b)[winner], (finding.a, finding.b)[1 - winner]
    return Proposed(lost.path, verdict.how, f"{_short(lost)} by {_short(kept)}", cited)


def _changed(conflict: Conflict, outcome: str) -> Proposed:
    kind = CLOSED if outcome.startswith(CLOSED) else FLAGGED
    return Proposed(PATH, kind, f"{conflict.id} {outcome}", (conflict.evidence,))


def _evidence(place: Place) -> Iterator[str]:
    """Where the entry stands, and on what it rests."""
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
    count = Counter(
        "settled" if verdict.settled.winner is not None else verdict.how for verdict in ruled
    )
    count.update(CLOSED if words.startswith(CLOSED) else FLAGGED for words in outcomes.values())
    told = [
        f"{count[what]} {what}" for what in (FLAGGED, "settled", WAITING, CLOSED) if count[what]
    ]
    total = len(ruled) + len(outcomes)
    return f"{total} {'conflict' if total == 1 else 'conflicts'}: {', '.join(told)}"


def _side(place: Place) -> Side:
    meta = place.entry.meta
    source = ", ".join(
        [meta.src, *meta.evidence] if meta and meta.src else meta.evidence if meta else ()
    )
    return Side(
        " ".join(place.entry.text.split()),
        place.path,
        place.entry.key,
        source or "by hand",
        day_of(place),
    )


def _decided(finding: Finding) -> Skipped:
    return Skipped(f"{_short(finding.a)} against {_short(finding.b)}", f"{PATH} has it already")


def _pair(finding: Finding) -> frozenset[str]:
    return frozenset((said(finding.a), said(finding.b)))


def _short(place: Place) -> str:
    return f"“{in_a_line(place.entry.text, _EXCERPT)}”"


_EXCERPT = 90
_MOST_TOLD = 20
_MOST_KEPT = 2000
_MOST_WAITING = 20
