"""Turns each thing that was learned into one small step of the soul, or says why it is not one."""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from clawgit.agents.contract import FileEdit, Proposed, Skipped, Snapshot, Step
from clawgit.domain.change.authority import EVOLVE, LOCKED, SOUL
from clawgit.domain.facts.confidence import BASE, CORRECTION, EXPLICIT, INFERRED
from clawgit.domain.model.tokens import estimate_tokens
from clawgit.domain.soul.growth import (
    CORRECTED,
    FAILED,
    KINDS,
    ORDERED,
    ORDERS,
    PRAISED,
    PROVEN,
    Growth,
    Sign,
    is_outdated,
    often,
    read_often,
    same,
)
from clawgit.domain.soul.growth_hearing import doubtful
from clawgit.domain.soul.growth_room import (
    PrincipleLine,
    counted_line,
    lines,
    opposed,
    protection,
    said_already,
    sources,
    steps_of,
    with_line,
    with_principle,
)
from clawgit.domain.soul.guard import Objection, Protected, SoulEdit, SoulRules, judge
from clawgit.domain.workspace.layout import CHANGELOG, OTHER_CHANGELOG

KEEPER = "soul-keeper"
PROPOSE = "propose"
"""The verb of a step that waits for the operator."""

ADDED = "added"
REPLACED = "replaced"
COUNTED = "counted"

_MOST_CITED = 12
_CONFIDENCE = {CORRECTED: BASE[CORRECTION], ORDERED: BASE[EXPLICIT]}
_VERBS = {ADDED: "learn", COUNTED: "reinforce", REPLACED: "replace"}
_MOST_QUOTED = 4
_DOES = {REPLACED: "replace", COUNTED: "count again"}
_SAID = {
    CORRECTED: "The operator gave this order in a correction",
    ORDERED: "The operator gave this as a standing order",
    FAILED: "A mistake that came back ({days})",
    PRAISED: "The operator praised it more than once ({days})",
    PROVEN: "The operator praised what was done, more than once ({days})",
}
_UNSURE = "The operator may have given a standing order"


class WordedChange(NamedTuple):
    """`kind` is one of those above; `was` is the line before, if there was one."""

    kind: str
    text: str
    was: str = ""


class SignMarks(NamedTuple):
    """`signs` are those of conversations, which no file holds.

    `used` names evidence by the change that it was used for. `spent` is how many
    changes this day has seen.
    """

    signs: tuple[Sign, ...] = ()
    used: tuple[str, ...] = ()
    spent: int = 0


class Growing:
    """The soul during a run; `soul` is the text after the steps so far.

    Under the policy `review` each step waits separately, so each starts from what is committed.
    """

    def __init__(self, snapshot: Snapshot, marks: SignMarks) -> None:
        settings = snapshot.settings
        self.soul = snapshot.files.get(SOUL) or ""
        self.history = steps_of(
            snapshot.files.get(OTHER_CHANGELOG) or snapshot.files.get(CHANGELOG) or ""
        )
        self.steps: list[Step] = []
        self.skipped: list[Skipped] = []
        self.notes: list[str] = []
        self.used: list[str] = []
        self._policy = settings.soul_policy
        self._left = A_DAY - marks.spent
        self._rules = SoulRules(estimate_tokens, EVOLVE, settings.soul_max_tokens)
        self._corrections = snapshot.corrections

    def learn(self, growths: Iterable[Growth]) -> None:
        """Makes steps of the growths that are ripe: certain ones first, those that take back a
        principle last. The rules of the soul may refuse these; the others are not affected.
        """
        ordered = sorted(growths, key=_order)
        opposing: list[Growth] = []
        for growth in ordered:
            counted = counted_line(self.soul, growth)
            if not growth.is_ripe and counted is None:
                continue
            if is_outdated(growth, ordered):
                self._leave(growth, "a newer word of the operator takes it back")
            elif growth.kind in ORDERS and opposed(self.soul, growth.rule):
                opposing.append(growth)
            elif self._may_change(growth):
                self._take_in(growth, counted)
        for growth in opposing:
            if self._may_change(growth):
                self._take_back(growth)

    def refuse(self, sign: Sign, reason: str) -> None:
        """Reports a sign that may not become a principle, once; it is not looked at again."""
        self.skipped.append(Skipped(f"{sign.quote} ({sign.evidence})", reason))
        self.used.append(fingerprint(sign.evidence, sign.rule))

    def _may_change(self, growth: Growth) -> bool:
        if self._policy == LOCKED:
            if said_already(self.soul, growth) is None:
                self.notes.append(
                    f"soul_policy is locked; it would have learned “{growth.rule}” "
                    f"({_cited(growth)})"
                )
            return False
        if not self.soul.strip():
            self._wait(growth, "there is no SOUL.md")
            return False
        if self._left < 1:
            self._wait(growth, f"{A_DAY} changes a day are enough; it waits")
            return False
        return True

    def _take_in(self, growth: Growth, counted: PrincipleLine | None) -> None:
        if counted:
            self._count(growth, counted)
        elif known := said_already(self.soul, growth):
            self._leave(growth, f"SOUL.md already says so: “{known.text}”")
        else:
            self._add(growth)

    def _count(self, growth: Growth, line: PrincipleLine) -> None:
        """Replaces the line about a repeated sign by one that counts one more day."""
        known = read_often(line.text)
        days = {day.isoformat() for day in growth.days} - set(known.days if known else ())
        text = often(growth, known)
        after = with_line(self.soul, line, text)
        if not days or self._objections(after, growth.evidence):
            self._leave(growth, f"SOUL.md already says so: “{line.text}”")
        else:
            self._step(growth, WordedChange(COUNTED, text, line.text), after)

    def _add(self, growth: Growth) -> None:
        after = with_principle(self.soul, growth)
        objections = self._objections(after, growth.evidence)
        if any(each.rule == "size" for each in objections):
            full = f"SOUL.md is full (soul_max_tokens {self._rules.max_tokens})"
            self.notes.append(f"did not fit: “{growth.rule}” ({_cited(growth)}): {full}")
            self._wait(growth, full)
        elif objections:
            self._leave(growth, "; ".join(each.message for each in objections))
        else:
            self._step(growth, WordedChange(ADDED, growth.rule), after, _doubt(growth))

    def _take_back(self, growth: Growth) -> None:
        """Newer words of the operator replace a principle that came from older ones.

        The operator decides about principles written by hand, and about those of a correction that
        no newer correction contradicts.
        """
        line = opposed(self.soul, growth.rule)
        if line is None:
            self._take_in(growth, None)
            return
        origin = sources(line.text, self.history)
        if origin and growth.newest.when <= origin[0].time:
            self._leave(growth, f"“{line.text}” is newer")
            return
        is_there = any(same(each.text, growth.rule) for each in lines(self.soul))
        after = with_line(self.soul, line, "" if is_there else growth.rule)
        is_ours = bool(origin) and all(change.actor == KEEPER for change in origin)
        may_replace = growth.kind == CORRECTED or is_ours
        doubt = _doubt(growth)
        if not may_replace or self._objections(after, growth.evidence):
            doubt = f"it contradicts “{line.text}” (SOUL.md:{line.number})"
            self.notes.append(f"“{growth.rule}” ({_cited(growth)}): {doubt}; you decide")
        self._step(growth, WordedChange(REPLACED, growth.rule, line.text), after, doubt)

    def _step(self, growth: Growth, change: WordedChange, after: str, doubt: str = "") -> None:
        confidence = _CONFIDENCE.get(growth.kind, BASE[INFERRED])
        reason = _why(growth, change, doubt)
        self._apply(
            change, reason, growth.evidence[:_MOST_CITED], after, confidence, asks=bool(doubt)
        )
        self.used += fingerprints(growth)

    def _apply(
        self,
        change: WordedChange,
        reason: str,
        evidence: tuple[str, ...],
        after: str,
        confidence: float,
        *,
        asks: bool = False,
    ) -> None:
        summary = _summed_up(change)
        proposed = Proposed(SOUL, change.kind, summary, evidence, confidence)
        edits = (FileEdit(SOUL, self.soul, after),)
        verb = PROPOSE if asks else _VERBS[change.kind]
        self.steps.append(Step(verb, summary, reason, evidence, edits, (proposed,), confidence))
        self._left -= 1
        if self._policy == EVOLVE and not asks:
            self.soul = after

    def _objections(self, after: str, evidence: tuple[str, ...]) -> tuple[Objection, ...]:
        """The guard's objections; its warnings too if it would hold the change back."""
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
        """Skips a growth for good: its evidence is not looked at again."""
        self.skipped.append(Skipped(growth.rule, reason))
        self.used += fingerprints(growth)

    def _wait(self, growth: Growth, reason: str) -> None:
        """Skips a growth for now: the next run looks at it again."""
        self.skipped.append(Skipped(growth.rule, reason))


def _order(growth: Growth) -> tuple[int, bool]:
    return KINDS.index(growth.kind), bool(_doubt(growth))


def _doubt(growth: Growth) -> str:
    """Why a change waits for the operator, "" if it is certain."""
    if doubt := doubtful(growth.newest.rule):
        return doubt
    return "" if growth.sure else "it may be none"


def _summed_up(change: WordedChange) -> str:
    if change.kind == ADDED:
        return f"add “{change.text}”"
    return f"{_DOES[change.kind]} “{change.was}”"


def _why(growth: Growth, change: WordedChange, doubt: str = "") -> str:
    """The kind of the evidence, then its words, the newest first."""
    instead = f" Now it says “{change.text}”." if change.was else ""
    days = " and ".join(day.isoformat() for day in growth.days[-_MOST_QUOTED:])
    quotes = [
        f"“{sign.quote}” ({sign.day.isoformat()}, {sign.evidence})"
        for sign in reversed(growth.signs)
    ]
    more = len(quotes) - _MOST_QUOTED
    evidence = "; ".join(quotes[:_MOST_QUOTED]) + (f"; and {more} more" if more > 0 else "")
    asked = f" It waits for you: {doubt}." if doubt else ""
    said = _SAID[growth.kind].format(days=days) if growth.sure else _UNSURE
    return f"{said}: {evidence}.{instead}{asked}"


def _cited(growth: Growth) -> str:
    """The evidence in a few words, for a note."""
    newest = growth.signs[-1]
    return f"{newest.evidence}, {newest.day.isoformat()}: “{newest.quote}”"


A_DAY = 3
"""How many changes of the soul are made per day: few enough for the operator to notice each."""

_KEPT = timedelta(days=180)
_MOST_SIGNS = 300
_MOST_USED = 2000


def marks_read(marks: Mapping[str, str], now: datetime) -> SignMarks:
    """Reads the marks; what cannot be read counts as absent."""
    day, _, count = marks.get("spent", "").partition(" ")
    spent = int(count) if day == now.date().isoformat() and count.isdecimal() else 0
    return SignMarks(
        tuple(_signs(marks.get("heard", ""))),
        tuple(marks.get("used", "").split()),
        spent,
    )


def marks_written(marks: SignMarks, now: datetime) -> dict[str, str]:
    signs = sorted(
        (sign for sign in marks.signs if now - sign.when < _KEPT), key=lambda sign: sign.when
    )
    rows = [[*sign[:2], sign.when.isoformat(), *sign[3:]] for sign in signs]
    columns = {
        # Sorted by time, so the oldest are dropped if there are too many.
        "heard": json.dumps(rows[-_MOST_SIGNS:], ensure_ascii=False) if rows else "",
        "used": " ".join(dict.fromkeys(marks.used[-_MOST_USED:])),
        "spent": f"{now.date().isoformat()} {marks.spent}" if marks.spent else "",
    }
    # For `read`, a missing mark is an empty one.
    return {name: value for name, value in columns.items() if value}


def fingerprint(evidence: str, about: str) -> str:
    """A piece of evidence, and what it was used for."""
    return hashlib.sha256(f"{evidence}\0{about}".encode("utf-8", "surrogatepass")).hexdigest()[:12]


def fingerprints(growth: Growth) -> tuple[str, ...]:
    return tuple(fingerprint(sign.evidence, sign.rule) for sign in growth.signs)


def was_used(sign: Sign, used: Collection[str]) -> bool:
    return fingerprint(sign.evidence, sign.rule) in used


def _signs(text: str) -> Iterable[Sign]:
    try:
        rows = json.loads(text or "[]")
        return [
            Sign(kind, rule, datetime.fromisoformat(when), evidence, quote, about, bool(sure))
            for kind, rule, when, evidence, quote, about, sure in rows
            if kind in KINDS
        ]
    except (ValueError, TypeError):
        return []
