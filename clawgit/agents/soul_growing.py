"""Turns each thing that was learned into one small step of the soul, or says why it is not one."""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from clawgit.agents.contract import KEEPER, FileEdit, Proposed, Skipped, Snapshot, Step
from clawgit.domain.change.authority import EVOLVE, LOCKED, SOUL
from clawgit.domain.corrections.corrections import cited
from clawgit.domain.facts.confidence import BASE, CORRECTION, EXPLICIT, INFERRED
from clawgit.domain.model.tokens import estimate_tokens
from clawgit.domain.soul.growth import (
    CORRECTED,
    FAILED,
    KINDS,
    ORDERED,
    PRAISED,
    PROVEN,
    Growth,
    Sign,
    is_outdated,
)
from clawgit.domain.soul.growth_hearing import doubtful
from clawgit.domain.soul.growth_room import (
    PrincipleLine,
    opposed,
    said_already,
    sources,
    with_line,
    with_principle,
)

PROPOSE = "propose"
"""The verb of a step that waits for the operator."""

_MOST_CITED = 12
_MOST_QUOTED = 4
_CONFIDENCE = {CORRECTED: BASE[CORRECTION], ORDERED: BASE[EXPLICIT]}
_SAID = {
    CORRECTED: "The operator gave this order in a correction",
    ORDERED: "The operator gave this as a standing order",
    FAILED: "A mistake that came back ({days})",
    PRAISED: "The operator praised it more than once ({days})",
    PROVEN: "The operator praised what was done, more than once ({days})",
}
_UNSURE = "The operator may have given a standing order"
_SAYS_SO = "SOUL.md already says so: “{text}”"


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
        self.soul = snapshot.files.get(SOUL) or ""
        self.history = snapshot.identity
        self.steps: list[Step] = []
        self.skipped: list[Skipped] = []
        self.used: list[str] = []
        self._settings = snapshot.settings
        self._left = A_DAY - marks.spent

    def learn(self, growths: Iterable[Growth]) -> None:
        """Makes steps of the growths that are ripe: certain ones first. Those that take back a
        principle come last: the rules of the soul may refuse these, and the others not.
        """
        ripe = [growth for growth in growths if growth.is_ripe]
        for growth in sorted(ripe, key=self._turn):
            known = said_already(self.soul, growth)
            if is_outdated(growth, ripe):
                self._leave(growth, "a newer word of the operator takes it back")
            elif known:
                self._leave(growth, _SAYS_SO.format(text=known.text))
            elif self._settings.soul_policy == LOCKED:
                self._wait(growth, "soul_policy is locked")
            elif not self.soul.strip():
                self._wait(growth, "there is no SOUL.md")
            elif self._left < 1:
                self._wait(growth, f"{A_DAY} changes a day are enough; it waits")
            elif against := opposed(self.soul, growth):
                self._replace(growth, against)
            else:
                summary = f"add “{growth.rule}”"
                self._step(growth, "added", summary, with_principle(self.soul, growth))

    def refuse(self, sign: Sign, reason: str) -> None:
        """Reports a sign that may not become a principle, once; it is not looked at again."""
        self.skipped.append(Skipped(f"{sign.quote} ({sign.evidence})", reason))
        self.used.append(fingerprint(sign))

    def _turn(self, growth: Growth) -> tuple[bool, int, bool]:
        is_against = opposed(self.soul, growth) is not None
        return is_against, KINDS.index(growth.kind), bool(_doubt(growth))

    def _replace(self, growth: Growth, line: PrincipleLine) -> None:
        """Newer words of the operator replace a principle that came from older ones.

        The operator decides about principles written by hand, and about those of a correction that
        no newer correction contradicts.
        """
        origin = sources(line.text, self.history)
        if origin and growth.newest.when <= origin[0].time:
            self._leave(growth, f"“{line.text}” is newer")
            return
        is_ours = bool(origin) and all(
            change.actor == KEEPER and not any(map(cited, change.evidence)) for change in origin
        )
        doubt = ""
        if growth.kind != CORRECTED and not is_ours:
            doubt = f"it contradicts “{line.text}” (SOUL.md:{line.number})"
        after, summary = with_line(self.soul, line, growth.rule), f"replace “{line.text}”"
        self._step(growth, "replaced", summary, after, doubt)

    def _step(self, growth: Growth, kind: str, summary: str, after: str, doubt: str = "") -> None:
        most, size = self._settings.soul_max_tokens, estimate_tokens(after)
        if size > most and size >= estimate_tokens(self.soul):
            self._wait(growth, f"SOUL.md is full (soul_max_tokens {most})")
            return
        doubt = doubt or _doubt(growth)
        instead = f" Now it says “{growth.rule}”." if kind == "replaced" else ""
        reason = _why(growth) + instead + (f" It waits for you: {doubt}." if doubt else "")
        verb = PROPOSE if doubt else {"added": "learn", "replaced": "replace"}[kind]
        evidence = growth.evidence[:_MOST_CITED]
        confidence = _CONFIDENCE.get(growth.kind, BASE[INFERRED])
        proposed = Proposed(SOUL, kind, summary, evidence, confidence)
        edits = (FileEdit(SOUL, self.soul, after),)
        self.steps.append(Step(verb, summary, reason, evidence, edits, (proposed,), confidence))
        self.used += map(fingerprint, growth.signs)
        self._left -= 1
        if self._settings.soul_policy == EVOLVE and not doubt:
            self.soul = after

    def _leave(self, growth: Growth, reason: str) -> None:
        """Skips a growth for good: its evidence is not looked at again."""
        self._wait(growth, reason)
        self.used += map(fingerprint, growth.signs)

    def _wait(self, growth: Growth, reason: str) -> None:
        """Skips a growth for now: the next run looks at it again."""
        self.skipped.append(Skipped(growth.rule, reason))


def _doubt(growth: Growth) -> str:
    """Why a change waits for the operator, "" if it is certain."""
    return doubtful(growth.newest.rule) or ("" if growth.newest.sure else "it may be none")


def _why(growth: Growth) -> str:
    """The kind of the evidence, then its words, the newest first."""
    days = " and ".join(day.isoformat() for day in growth.days[-_MOST_QUOTED:])
    said = _SAID[growth.kind].format(days=days) if growth.newest.sure else _UNSURE
    quotes = [quoted_with_day(sign) for sign in reversed(growth.signs)]
    if len(quotes) > _MOST_QUOTED:
        quotes[_MOST_QUOTED:] = [f"and {len(quotes) - _MOST_QUOTED} more"]
    return f"{said}: {'; '.join(quotes)}."


def quoted_with_day(sign: Sign) -> str:
    return f"“{sign.quote}” ({sign.day.isoformat()}, {sign.evidence})"


A_DAY = 3
"""How many changes of the soul are made per day: few enough for the operator to notice each."""

_KEPT = timedelta(days=180)
_MOST_SIGNS = 300
_MOST_USED = 2000


def marks_read(marks: Mapping[str, str], now: datetime) -> SignMarks:
    """Reads the marks; what cannot be read counts as absent."""
    day, _, count = marks.get("spent", "").partition(" ")
    spent = int(count) if day == now.date().isoformat() and count.isdecimal() else 0
    return SignMarks(_signs(marks.get("heard", "")), tuple(marks.get("used", "").split()), spent)


def marks_written(marks: SignMarks, now: datetime) -> dict[str, str]:
    signs = sorted(
        (sign for sign in marks.signs if now - sign.when < _KEPT), key=lambda sign: sign.when
    )
    rows = [sign._replace(when=sign.when.isoformat()) for sign in signs]  # type: ignore[arg-type]
    return {
        # Sorted by time, so the oldest are dropped if there are too many.
        "heard": json.dumps(rows[-_MOST_SIGNS:], ensure_ascii=False),
        "used": " ".join(dict.fromkeys(marks.used[-_MOST_USED:])),
        "spent": f"{now.date().isoformat()} {marks.spent}",
    }


def fingerprint(sign: Sign) -> str:
    """A piece of evidence, and what it was used for."""
    used = f"{sign.evidence}\0{sign.rule}".encode("utf-8", "surrogatepass")
    return hashlib.sha256(used).hexdigest()[:12]


def was_used(sign: Sign, used: Collection[str]) -> bool:
    return fingerprint(sign) in used


def _signs(text: str) -> tuple[Sign, ...]:
    try:
        rows: Sequence[Sequence[str]] = json.loads(text or "[]")
        signs = [Sign(*row) for row in rows if row[0] in KINDS]  # type: ignore[arg-type]
        return tuple(sign._replace(when=datetime.fromisoformat(str(sign.when))) for sign in signs)
    except (ValueError, TypeError):
        return ()
