"""The Conflict Detector: entries that contradict each other, settled by rule or flagged, and logged in CONFLICTS.md."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.conflict_pairs import (
    JUDGED,
    SEEN,
    Finding,
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
from clawgit.domain.conflicts import CLOSED, FLAGGED, PATH, Conflict, Side, all_conflicts, appended, decided
from clawgit.domain.corrections import all_corrections
from clawgit.domain.entry import content_key, entries
from clawgit.domain.excerpt import in_a_line
from clawgit.domain.known import Place
from clawgit.domain.settling import Settled, day_of, decide, place_of, settle, with_metas, witness
from clawgit.errors import NoAnswerError

if TYPE_CHECKING:
    from clawgit.domain.comment import Meta


class _Ruled(NamedTuple):
    """A finding and what became of it."""

    finding: Finding
    settled: Settled
    conflict: Conflict


def propose(snapshot: Snapshot) -> ChangeSet:
    """One step: new conflicts logged, losers marked, flagged ones closed that are none any more."""
    past, places = all_conflicts(snapshot.files), standing_entries(snapshot)
    pairs = alike(places, updated(places, snapshot), snapshot.nearness)
    found = list(by_rules(places, pairs))
    more, notes, judged = _asked(snapshot, places, pairs, found)
    known = {one.pair for one in past}
    fresh = [one for one in (*found, *more) if _pair(one) not in known]
    skipped = [_decided(one) for one in (*found, *more) if _pair(one) in known]
    ruled = list(_ruled(snapshot, fresh, {one.id for one in past}))
    draft = Draft(snapshot.files)
    _mark_losers(snapshot, draft, ruled)
    after = snapshot._replace(files=draft)
    closed = dict(_closed(after, past, places, changed=bool(draft.edits)))
    marks = {SEEN: " ".join(sorted({said(place) for place in places})), JUDGED: judged}
    step = _step(draft, ruled, closed, past)
    return ChangeSet((step,) if step else (), tuple(skipped), notes, marks)


def _asked(
    snapshot: Snapshot, places: Sequence[Place], pairs: dict[tuple[int, int], float], found: list[Finding]
) -> tuple[list[Finding], tuple[str, ...], str]:
    """What a model finds besides; without an answer the rules must do, and a note says so."""
    judged = snapshot.marks.get(JUDGED, "").split()
    asked = to_judge(places, pairs, found, set(judged)) if snapshot.mind else []
    if snapshot.mind is None or not asked:
        return [], (), " ".join(judged)
    try:
        more = list(by_model(snapshot.mind, asked))
    except NoAnswerError as error:
        return [], (f"By rules alone: {error.message}",), " ".join(judged)
    kept = [*judged, *(pair_key(*two) for two in asked)][-_MOST_KEPT:]
    return more, (), " ".join(kept)


def _ruled(snapshot: Snapshot, found: Iterable[Finding], taken: set[str]) -> Iterator[_Ruled]:
    """Each finding with its verdict, corrections first; a side that has lost is no side any more."""
    known = tuple(all_corrections(snapshot.files))
    judged = [(one, settle(witness(one.a, known), witness(one.b, known))) for one in found]
    lost: set[tuple[str, int]] = set()
    told: set[frozenset[str]] = set()
    for one, settled in sorted(judged, key=lambda pair: _rank(pair[1])):
        if lost & {place_of(one.a), place_of(one.b)} or _pair(one) in told:
            continue
        told.add(_pair(one))
        if settled.winner is not None:
            lost.add(place_of((one.a, one.b)[1 - settled.winner]))
        ident = snapshot.fresh_id(" ".join(sorted(_pair(one))), " ".join(taken))
        taken.add(ident)
        rule = f"{one.contradiction.rule} ({one.contradiction.detail}); {settled.why}"
        conflict = Conflict(ident, snapshot.now, _side(one.a), _side(one.b), rule, _outcome(one, settled))
        yield _Ruled(one, settled, conflict)


def _rank(settled: Settled) -> int:
    """What the operator corrected is decided first, what nobody can decide last."""
    return 2 if settled.winner is None else int("correction" not in settled.why)


def _outcome(finding: Finding, settled: Settled) -> str:
    if settled.winner is not None:
        return f"{'AB'[settled.winner]} wins: {'BA'[settled.winner]} is superseded"
    outdated = {"one": "A", "other": "B"}.get(finding.contradiction.outdated, "")
    hint = f"; by the words of the other side, {outdated} is outdated" if outdated else ""
    return f"{FLAGGED}: the operator decides{hint}"


def _closed(
    snapshot: Snapshot, past: Iterable[Conflict], places: Iterable[Place], *, changed: bool
) -> Iterator[tuple[str, str]]:
    """The flagged conflicts of which a side does not stand any more, with the words for it. `places` are what stood
    before this run, which has `changed` files or none.
    """
    open_ = [one for one in past if one.open]
    if not open_:
        return
    texts = {said(place) for place in (standing_entries(snapshot) if changed else places)}
    there = {
        path: _sayings(snapshot.files.get(path) or "")
        for path in {side.path for one in open_ for side in (one.a, one.b)}
    }
    for one in open_:
        for name, side in (("A", one.a), ("B", one.b)):
            if side.said not in texts and (why := _why_gone(side, there[side.path])):
                yield one.id, f"{CLOSED}: {name} {why}"
                break


def _sayings(text: str) -> dict[str, tuple[str, str]]:
    """The state and the words of each entry of a file, by its key and by what it says."""
    found: dict[str, tuple[str, str]] = {}
    for entry in entries(text):
        state = (entry.meta.status if entry.meta else "active", content_key(entry.text))
        found |= {entry.key: state, content_key(entry.text): state}
    return found


def _why_gone(side: Side, there: dict[str, tuple[str, str]]) -> str:
    """Empty where the side stands as it did, in a file that is no longer read."""
    status, words = there.get(side.said) or there.get(side.key) or ("", "")
    if not status:
        return "is no longer in memory"
    if status != "active":
        return f"is {status} since"
    return "" if words == side.said else "says something else now"


def _step(draft: Draft, ruled: Sequence[_Ruled], closed: dict[str, str], past: Iterable[Conflict]) -> Step | None:
    if not ruled and not closed:
        return None
    log = decided(draft.read(PATH), closed)
    draft.put(PATH, appended(log, [one.conflict for one in ruled]) if ruled else log)
    ended = [one for one in past if one.id in closed]
    proposed = (*map(_told, ruled), *(_told_closed(one, closed[one.id]) for one in ended))
    evidence = tuple(dict.fromkeys(cited for one in proposed for cited in one.evidence))
    reason = "\n".join(
        [_because(one) for one in ruled[:_MOST_TOLD]] + [f"{name}: {why}." for name, why in closed.items()]
    )
    return Step("detect", _summary(ruled, closed), reason, evidence, draft.edits, proposed)


def _mark_losers(snapshot: Snapshot, draft: Draft, ruled: Iterable[_Ruled]) -> None:
    metas: dict[tuple[str, int], Meta] = {}

    def fresh(what: str) -> str:
        return snapshot.fresh_id(what, " ".join([*(meta.id for meta in metas.values()), *map(draft.read, paths)]))

    for one in ruled:
        if one.settled.winner is not None:
            paths = {one.finding.a.path, one.finding.b.path}
            decide((one.finding.a, one.finding.b), one.settled.winner, metas, fresh)
    by_path: defaultdict[str, dict[int, Meta]] = defaultdict(dict)
    for (path, line), meta in metas.items():
        by_path[path][line] = meta
    for path, marked in by_path.items():
        draft.put(path, with_metas(draft.read(path), marked))


def _told(one: _Ruled) -> Proposed:
    finding, winner = one.finding, one.settled.winner
    cited = (*_evidence(finding.a), *_evidence(finding.b))
    if winner is None:
        return Proposed(PATH, "flagged", f"{_short(finding.a)} against {_short(finding.b)}", cited)
    kept, lost = (finding.a, finding.b)[winner], (finding.a, finding.b)[1 - winner]
    return Proposed(lost.path, "superseded", f"{_short(lost)} by {_short(kept)}", cited)


def _told_closed(one: Conflict, outcome: str) -> Proposed:
    return Proposed(PATH, CLOSED, f"{one.id} {outcome}", (one.evidence,))


def _evidence(place: Place) -> Iterator[str]:
    """Where the entry stands, and on what it rests."""
    yield f"{place.path}#L{place.entry.line}"
    if place.entry.meta:
        yield from place.entry.meta.evidence


def _because(one: _Ruled) -> str:
    a, b = one.finding.a, one.finding.b
    return (
        f"{one.conflict.id}: {_short(a)} ({a}) against {_short(b)} ({b}): {one.conflict.rule}. {one.conflict.outcome}."
    )


def _summary(ruled: Sequence[_Ruled], closed: dict[str, str]) -> str:
    count = Counter("flagged" if one.settled.winner is None else "settled" for one in ruled)
    told = [f"{number} {what}" for what, number in (*sorted(count.items()), (CLOSED, len(closed))) if number]
    total = len(ruled) + len(closed)
    return f"{total} {'conflict' if total == 1 else 'conflicts'}: {', '.join(told)}"


def _side(place: Place) -> Side:
    meta = place.entry.meta
    source = ", ".join([meta.src, *meta.evidence] if meta and meta.src else meta.evidence if meta else ())
    return Side(" ".join(place.entry.text.split()), place.path, place.entry.key, source or "by hand", day_of(place))


def _decided(one: Finding) -> Skipped:
    return Skipped(f"{_short(one.a)} against {_short(one.b)}", f"{PATH} has it already")


def _pair(one: Finding) -> frozenset[str]:
    return frozenset((said(one.a), said(one.b)))


def _short(place: Place) -> str:
    return f"“{in_a_line(place.entry.text, _EXCERPT)}”"


_EXCERPT = 90
_MOST_TOLD, _MOST_KEPT = 20, 2000
