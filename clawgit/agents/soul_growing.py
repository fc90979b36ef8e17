"""The soul in the course of a run: each thing that was learned becomes one small step, or a word why it became none."""

import re
from collections.abc import Iterable

from clawgit.agents.contract import FileEdit, Proposed, Skipped, Snapshot, Step
from clawgit.agents.soul_marks import A_DAY, Marks, fingerprint, fingerprints
from clawgit.agents.soul_words import Change, cited, merging, summed_up, why
from clawgit.domain.authority import EVOLVE, LOCKED, SOUL
from clawgit.domain.confidence import BASE, CORRECTION, EXPLICIT, INFERRED
from clawgit.domain.corrections import Correction, all_corrections
from clawgit.domain.entry import content_key
from clawgit.domain.growth import CORRECTED, FAILED, ORDERED, PROVEN, WISHED, Growth, Sign, is_outdated, opposes
from clawgit.domain.growth_fitness import unfit
from clawgit.domain.growth_orders import same
from clawgit.domain.growth_origins import protection, sources, told
from clawgit.domain.growth_room import (
    Line,
    Merge,
    is_exacter,
    lifts_nothing,
    lines,
    merges,
    opposed,
    reinforced,
    said_already,
    with_principle,
    with_wording,
)
from clawgit.domain.guard import Objection, Protected, SoulEdit, SoulRules, judge
from clawgit.domain.layout import CHANGELOG, OTHER_CHANGELOG
from clawgit.domain.principle import negates
from clawgit.domain.tokens import estimate_tokens

KEEPER = "soul-keeper"


class Growing:
    """`soul` is as the steps so far leave it; under `review` each step waits by itself, so each begins from what is."""

    def __init__(self, snapshot: Snapshot, marks: Marks) -> None:
        settings = snapshot.settings
        self.soul = snapshot.files.get(SOUL) or ""
        self.history = told(snapshot.files.get(OTHER_CHANGELOG) or snapshot.files.get(CHANGELOG) or "")
        self.steps: list[Step] = []
        self.skipped: list[Skipped] = []
        self.notes: list[str] = []
        self.used: list[str] = []
        self._policy = settings.soul_policy
        self._left = A_DAY - marks.spent
        self._marks = frozenset(marks.used)
        self._rules = SoulRules(estimate_tokens, EVOLVE, settings.soul_max_tokens, settings.soul_max_change)
        self._corrections: tuple[Correction, ...] = all_corrections(snapshot.files)
        self._replaced: list[str] = []

    def learn(self, growths: Iterable[Growth]) -> None:
        """What takes back a principle comes last: all else stands whether or not the soul's rules let that pass."""
        wanted, opposing = [*growths], []
        for growth in wanted:
            if is_outdated(growth, wanted):
                self._leave(growth, "a newer word of the operator takes it back")
            elif growth.kind != PROVEN and opposed(self.soul, growth.rule) and not _comes_besides(growth):
                opposing.append(growth)
            elif self._may_change(growth):
                self._take_in(growth)
        for growth in sorted(opposing, key=lambda one: negates(one.rule)):
            if self._may_change(growth):
                self._take_back(growth)

    def refuse(self, sign: Sign, reason: str) -> None:
        """A sign that may not become a principle: said once, and not looked at again."""
        self.skipped.append(Skipped(f"{sign.quote} ({sign.evidence})", reason))
        self.used.append(fingerprint(sign.evidence, sign.rule))

    def _may_change(self, growth: Growth) -> bool:
        if self._policy == LOCKED and said_already(self.soul, growth):
            return False
        if self._policy == LOCKED:
            self.notes.append(f"soul_policy is locked; it would have learned “{growth.rule}” ({cited(growth)})")
            return False
        if not self.soul.strip():
            self._wait(growth, "there is no SOUL.md")
        elif self._left < 1:
            self._wait(growth, f"{A_DAY} changes a day are enough; it waits")
        return bool(self.soul.strip()) and self._left > 0

    def _take_in(self, growth: Growth) -> None:
        known = said_already(self.soul, growth)
        if reason := unfit(growth.rule):
            self._leave(growth, reason)
        elif known is None and lifts_nothing(self.soul, growth.rule):
            self._leave(growth, "nothing in SOUL.md says otherwise")
        elif known is None:
            self._add(growth)
        elif growth.kind == PROVEN:
            self._leave(growth, f"SOUL.md says so already: “{known.text}”")
        else:
            self._say_again(growth, known)

    def _say_again(self, growth: Growth, known: Line) -> None:
        """A principle that was asked for once more is said with more weight or with its measure, where that is left."""
        if growth.kind in _BREACHES:
            self.notes.append(f"drift: SOUL.md says “{known.text}”, and it was asked for again: {cited(growth)}")
        text = growth.rule if is_exacter(growth.rule, known.text) else reinforced(known.text)
        after = with_wording(self.soul, known, text) if text else self.soul
        if after == self.soul or self._objections(after, growth.evidence):
            self._leave(growth, f"SOUL.md says so already: “{known.text}”")
            return
        change = Change("made exact" if text == growth.rule else "reinforced", text, known.text)
        self._step(growth, change, after)

    def _add(self, growth: Growth) -> None:
        after = with_principle(self.soul, growth)
        objections = self._objections(after, growth.evidence)
        if any(one.rule == "size" for one in objections):
            self._make_room(growth)
        elif objections:
            self._leave(growth, "; ".join(one.message for one in objections))
        else:
            self._step(growth, Change("added", growth.rule), after)

    def _make_room(self, growth: Growth) -> None:
        """Principles that say the same become one; none is dropped, and what still does not fit waits."""
        made = self._merges_for(growth)
        if not made:
            full = f"SOUL.md is full (soul_max_tokens {self._rules.max_tokens}), and merging makes no room for it"
            self.notes.append(f"did not fit: “{growth.rule}” ({cited(growth)}): {full}")
            self._wait(growth, full)
            return
        for merge in made:
            self._merge(merge, growth)
        if self._policy == EVOLVE:
            self._add(growth)
        else:
            self._wait(growth, "it waits until the merge that makes room for it is approved")

    def _merges_for(self, growth: Growth) -> list[Merge]:
        """The merges after which there is room, none where there never is."""
        soul, made = self.soul, list[Merge]()
        while len(made) + 1 < self._left and (merge := self._next_merge(soul)):
            made.append(merge)
            soul = merge.after
            if not judge(SoulEdit(SOUL, soul, with_principle(soul, growth)), self._rules).refusals:
                return made
        return []

    def _next_merge(self, soul: str) -> Merge | None:
        """One that was made before and taken back is not made again."""
        there = {line.text for line in lines(soul)}
        gone = {new for one in self.history for new, _ in one.lines} - there
        free = (
            one
            for one in merges(soul, self._rules, self._protected(soul))
            if one.text not in gone and _of_merge(one) not in self._marks
        )
        return next(free, None)

    def _merge(self, merge: Merge, growth: Growth) -> None:
        both = (merge.one, merge.other)
        owed = [item for line in both for one in sources(line.text, self.history) for item in (*one.evidence, one.name)]
        evidence = tuple(dict.fromkeys([*owed[:_MOST_CITED], *(f"{SOUL}#{content_key(line.text)}" for line in both)]))
        change = Change("merged", merge.text, merge.other.text)
        self._apply(change, merging(merge, growth), evidence, merge.after, BASE[INFERRED])
        self.used.append(_of_merge(merge))

    def _take_back(self, growth: Growth) -> None:
        """A newer word of the operator replaces what an older one brought; what he wrote himself is his to change."""
        line = opposed(self.soul, growth.rule)
        if line is None:
            self._after_another(growth)
            return
        origin = sources(line.text, self.history)
        mine = bool(origin) and all(one.actor == KEEPER for one in origin)
        newer = not origin or growth.signs[-1].when > origin[0].time
        allowed = newer and (growth.kind == CORRECTED or (growth.kind == ORDERED and mine))
        there = any(same(one.text, growth.rule) for one in lines(self.soul))
        after = with_wording(self.soul, line, "" if there else growth.rule)
        if not allowed or self._objections(after, growth.evidence):
            self.notes.append(
                f"“{growth.rule}” ({cited(growth)}) contradicts “{line.text}” (SOUL.md:{line.number}): the operator "
                "decides, with `clawgit soul edit`"
            )
            self._leave(growth, f"it contradicts “{line.text}”")
            return
        self._replaced.append(line.text)
        self._step(growth, Change("replaced", growth.rule, line.text), after)

    def _after_another(self, growth: Growth) -> None:
        """“No longer in German. Answer in English.”: once the new value stands, nothing is left to be taken back."""
        if any(opposes(growth.rule, line) for line in self._replaced):
            self._leave(growth, "what it takes back has been replaced")
        else:
            self._take_in(growth)

    def _step(self, growth: Growth, change: Change, after: str) -> None:
        confidence = _CONFIDENCE.get(growth.kind, BASE[INFERRED])
        self._apply(change, why(growth, change), growth.evidence[:_MOST_CITED], after, confidence)
        self.used += fingerprints(growth)

    def _apply(self, change: Change, reason: str, evidence: tuple[str, ...], after: str, confidence: float) -> None:
        summary = summed_up(change)
        proposed = Proposed(SOUL, change.kind, summary, evidence, confidence)
        edits = (FileEdit(SOUL, self.soul, after),)
        self.steps.append(Step(_VERBS[change.kind], summary, reason, evidence, edits, (proposed,), confidence))
        self._left -= 1
        if self._policy == EVOLVE:
            self.soul = after

    def _objections(self, after: str, evidence: tuple[str, ...]) -> tuple[Objection, ...]:
        """What the guard would say; what it would hold back for its poison is none of ours to bring."""
        edit = SoulEdit(SOUL, self.soul, after, False, evidence, self._protected(self.soul), self._corrections)
        verdict = judge(edit, self._rules)
        return (*verdict.refusals, *(verdict.warnings if verdict.hold else ()))

    def _protected(self, soul: str) -> tuple[Protected, ...]:
        return tuple(filter(None, (protection(line.raw, line.text, self.history) for line in lines(soul))))

    def _leave(self, growth: Growth, reason: str) -> None:
        """Once looked at, evidence is not looked at again."""
        self.skipped.append(Skipped(growth.rule, reason))
        self.used += fingerprints(growth)

    def _wait(self, growth: Growth, reason: str) -> None:
        self.skipped.append(Skipped(growth.rule, reason))


def _comes_besides(growth: Growth) -> bool:
    """“Also on Fridays”: said so, another value stands beside the first."""
    return any(sign.rule == growth.rule and _BESIDES.search(sign.quote) for sign in growth.signs)


def _of_merge(merge: Merge) -> str:
    return fingerprint(merge.one.text, merge.other.text)


_BESIDES = re.compile(r"\b(?:also|too|as well|additionally|in addition|besides)\b", re.IGNORECASE)
_MOST_CITED = 12
_BREACHES = frozenset({CORRECTED, ORDERED, FAILED, WISHED})
_CONFIDENCE = {CORRECTED: BASE[CORRECTION], ORDERED: BASE[EXPLICIT]}
_VERBS = {"added": "learn", "reinforced": "reinforce", "made exact": "refine", "merged": "merge", "replaced": "replace"}
