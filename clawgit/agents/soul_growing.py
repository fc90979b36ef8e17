"""The soul in the course of a run: each thing that was learned becomes one small step, or a word
why it became none.
"""

from collections.abc import Iterable

from clawgit.agents.contract import FileEdit, Proposed, Skipped, Snapshot, Step
from clawgit.agents.soul_marks import A_DAY, Marks, fingerprint, fingerprints
from clawgit.agents.soul_words import (
    ADDED,
    COUNTED,
    REMOVED,
    REPLACED,
    Change,
    cited,
    making_room,
    summed_up,
    why,
)
from clawgit.domain.change.authority import EVOLVE, LOCKED, SOUL
from clawgit.domain.corrections.corrections import Correction, all_corrections
from clawgit.domain.facts.confidence import BASE, CORRECTION, EXPLICIT, INFERRED
from clawgit.domain.markdown.entry import content_key
from clawgit.domain.model.tokens import estimate_tokens
from clawgit.domain.soul.growth import (
    CORRECTED,
    KINDS,
    ORDERED,
    ORDERS,
    Growth,
    Sign,
    is_outdated,
    often,
    read_often,
    same,
)
from clawgit.domain.soul.growth_fitness import doubtful
from clawgit.domain.soul.growth_origins import protection, sources, told
from clawgit.domain.soul.growth_room import (
    Line,
    giving_way,
    lines,
    opposed,
    said_already,
    told_often,
    with_line,
    with_principle,
)
from clawgit.domain.soul.guard import Objection, Protected, SoulEdit, SoulRules, judge
from clawgit.domain.workspace.layout import CHANGELOG, OTHER_CHANGELOG

KEEPER = "soul-keeper"
PROPOSE = "propose"
"""The verb of a step that waits for the operator."""


class Growing:
    """`soul` is as the steps so far leave it; under `review` each step waits by itself, so each
    begins from what is.
    """

    def __init__(self, snapshot: Snapshot, marks: Marks) -> None:
        settings = snapshot.settings
        self.soul = snapshot.files.get(SOUL) or ""
        self.history = told(
            snapshot.files.get(OTHER_CHANGELOG) or snapshot.files.get(CHANGELOG) or ""
        )
        self.steps: list[Step] = []
        self.skipped: list[Skipped] = []
        self.notes: list[str] = []
        self.used: list[str] = []
        self._policy = settings.soul_policy
        self._left = A_DAY - marks.spent
        self._rules = SoulRules(
            estimate_tokens, EVOLVE, settings.soul_max_tokens, settings.soul_max_change
        )
        self._corrections: tuple[Correction, ...] = all_corrections(snapshot.files)

    def learn(self, growths: Iterable[Growth]) -> None:
        """What is certain comes first. What takes back a principle comes last: all else stands
        whether or not the soul's rules let that pass.
        """
        wanted, opposing = (
            sorted(growths, key=lambda growth: (KINDS.index(growth.kind), bool(_doubt(growth)))),
            [],
        )
        for growth in wanted:
            counted = told_often(self.soul, growth)
            if not growth.is_ripe and counted is None:
                continue
            if is_outdated(growth, wanted):
                self._leave(growth, "a newer word of the operator takes it back")
            elif growth.kind in ORDERS and opposed(self.soul, growth.rule):
                opposing.append(growth)
            elif self._may_change(growth):
                self._take_in(growth, counted)
        for growth in opposing:
            if self._may_change(growth):
                self._take_back(growth)

    def refuse(self, sign: Sign, reason: str) -> None:
        """A sign that may not become a principle: said once, and not looked at again."""
        self.skipped.append(Skipped(f"{sign.quote} ({sign.evidence})", reason))
        self.used.append(fingerprint(sign.evidence, sign.rule))

    def _may_change(self, growth: Growth) -> bool:
        if self._policy == LOCKED:
            if said_already(self.soul, growth) is None:
                self.notes.append(
                    f"soul_policy is locked; it would have learned “{growth.rule}” "
                    f"({cited(growth)})"
                )
            return False
        if not self.soul.strip():
            self._wait(growth, "there is no SOUL.md")
        elif self._left < 1:
            self._wait(growth, f"{A_DAY} changes a day are enough; it waits")
        return bool(self.soul.strip()) and self._left > 0

    def _take_in(self, growth: Growth, counted: Line | None) -> None:
        if counted:
            self._count(growth, counted)
        elif known := said_already(self.soul, growth):
            self._leave(growth, f"SOUL.md says so already: “{known.text}”")
        else:
            self._add(growth)

    def _count(self, growth: Growth, line: Line) -> None:
        """The line about what came again gives way to a newer one with one more day."""
        known = read_often(line.text)
        days = {day.isoformat() for day in growth.days} - set(known.days if known else ())
        text = often(growth, known)
        after = with_line(self.soul, line, text)
        if not days or self._objections(after, growth.evidence):
            self._leave(growth, f"SOUL.md says so already: “{line.text}”")
        else:
            self._step(growth, Change(COUNTED, text, line.text), after)

    def _add(self, growth: Growth) -> None:
        after = with_principle(self.soul, growth)
        objections = self._objections(after, growth.evidence)
        if any(each.rule == "size" for each in objections):
            self._make_room(growth)
        elif objections:
            self._leave(growth, "; ".join(each.message for each in objections))
        else:
            self._step(growth, Change(ADDED, growth.rule), after, _doubt(growth))

    def _make_room(self, growth: Growth) -> None:
        """What was only inferred gives way to what was said; else what does not fit is told, and
        waits.
        """
        gone = self._giving_way(growth)
        if not gone or _doubt(growth):
            full = (
                f"SOUL.md is full (soul_max_tokens {self._rules.max_tokens}), and nothing in "
                "it may give way"
            )
            self.notes.append(f"did not fit: “{growth.rule}” ({cited(growth)}): {full}")
            self._wait(growth, full)
            return
        for line in gone:
            self._remove(line, growth)
        if self._policy == EVOLVE:
            self._add(growth)
        else:
            self._wait(growth, "it waits until what makes room for it is approved")

    def _giving_way(self, growth: Growth) -> list[Line]:
        """The lines without which there is room, none where there never is."""
        soul, gone = self.soul, list[Line]()
        while len(gone) + 1 < self._left:
            line = giving_way(soul, growth, self._rules, self._protected(soul))
            if line is None:
                break
            gone.append(line)
            soul = with_line(soul, line, "")
            if not judge(SoulEdit(SOUL, soul, with_principle(soul, growth)), self._rules).refusals:
                return gone
        return []

    def _remove(self, line: Line, growth: Growth) -> None:
        """Each is found anew: a line above it may have gone."""
        there = [each for each in lines(self.soul) if each.raw == line.raw][-1]
        owed = [
            item
            for each in sources(line.text, self.history)
            for item in (*each.evidence, each.name)
        ]
        evidence = tuple(
            dict.fromkeys([*growth.evidence, *owed, f"{SOUL}#{content_key(line.text)}"])
        )[:_MOST_CITED]
        change = Change(REMOVED, "", line.text)
        self._apply(
            change,
            making_room(line.text, growth),
            evidence,
            with_line(self.soul, there, ""),
            BASE[INFERRED],
        )

    def _take_back(self, growth: Growth) -> None:
        """A newer word of the operator replaces what an older one brought. What he wrote himself,
        and what a correction brought that no newer one contradicts, is his to change: it is put
        before him.
        """
        line = opposed(self.soul, growth.rule)
        if line is None:
            self._take_in(growth, None)
            return
        origin = sources(line.text, self.history)
        mine = bool(origin) and all(each.actor == KEEPER for each in origin)
        if origin and growth.newest.when <= origin[0].time:
            self._leave(growth, f"“{line.text}” is newer")
            return
        there = any(same(each.text, growth.rule) for each in lines(self.soul))
        after = with_line(self.soul, line, "" if there else growth.rule)
        allowed = growth.kind == CORRECTED or mine
        doubt = _doubt(growth)
        if not allowed or self._objections(after, growth.evidence):
            doubt = f"it contradicts “{line.text}” (SOUL.md:{line.number})"
            self.notes.append(f"“{growth.rule}” ({cited(growth)}): {doubt}; you decide")
        self._step(growth, Change(REPLACED, growth.rule, line.text), after, doubt)

    def _step(self, growth: Growth, change: Change, after: str, doubt: str = "") -> None:
        confidence = _CONFIDENCE.get(growth.kind, BASE[INFERRED])
        reason = why(growth, change, doubt)
        self._apply(
            change, reason, growth.evidence[:_MOST_CITED], after, confidence, asks=bool(doubt)
        )
        self.used += fingerprints(growth)

    def _apply(
        self, change: Change, reason: str, evidence: tuple[str, ...], after: str, confidence: float,
            *,
        asks: bool = False,
    ) -> None:  # fmt: skip
        summary = summed_up(change)
        proposed = Proposed(SOUL, change.kind, summary, evidence, confidence)
        edits = (FileEdit(SOUL, self.soul, after),)
        verb = PROPOSE if asks else _VERBS[change.kind]
        self.steps.append(Step(verb, summary, reason, evidence, edits, (proposed,), confidence))
        self._left -= 1
        if self._policy == EVOLVE and not asks:
            self.soul = after

    def _objections(self, after: str, evidence: tuple[str, ...]) -> tuple[Objection, ...]:
        """What the guard would say; what it would hold back for its poison is none of ours to
        bring.
        """
        edit = SoulEdit(
            SOUL, self.soul, after, False, evidence, self._protected(self.soul), self._corrections
        )
        verdict = judge(edit, self._rules)
        return (*verdict.refusals, *(verdict.warnings if verdict.hold else ()))

    def _protected(self, soul: str) -> tuple[Protected, ...]:
        return tuple(
            filter(None, (protection(line.raw, line.text, self.history) for line in lines(soul)))
        )

    def _leave(self, growth: Growth, reason: str) -> None:
        """Once looked at, evidence is not looked at again."""
        self.skipped.append(Skipped(growth.rule, reason))
        self.used += fingerprints(growth)

    def _wait(self, growth: Growth, reason: str) -> None:
        self.skipped.append(Skipped(growth.rule, reason))


def _doubt(growth: Growth) -> str:
    """Why a change waits for the operator, "" where it is certain."""
    return doubtful(growth.newest.rule) or ("" if growth.sure else "it may be no standing order")


_MOST_CITED = 12
_CONFIDENCE = {CORRECTED: BASE[CORRECTION], ORDERED: BASE[EXPLICIT]}
_VERBS = {ADDED: "learn", COUNTED: "reinforce", REPLACED: "replace", REMOVED: "make-room"}
