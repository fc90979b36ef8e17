"""The Soul Keeper lets SOUL.md grow by small changes that rest on what was said or corrected.

Each thing that was learned becomes one step of one line, or the run says why it does not.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta

from clawgit.agents.choosing import chosen_by, told_to_a_model
from clawgit.agents.contract import ChangeSet, Draft, Mind, Proposed, Skipped, Snapshot, Step
from clawgit.core.errors import few
from clawgit.core.layout import SOUL
from clawgit.core.tokens import estimate_tokens
from clawgit.git.rules.authority import EVOLVE, LOCKED
from clawgit.git.rules.history import PROPOSE
from clawgit.git.rules.ids import digest
from clawgit.memory.rules.confidence import BASE, CORRECTION, EXPLICIT, INFERRED
from clawgit.soul.rules.growth import (
    CORRECTED,
    FAILED,
    KINDS,
    LONGEST,
    ORDERED,
    ORDERS,
    PRAISED,
    Growth,
    PrincipleLine,
    Sign,
    corrected,
    doubtful,
    growths,
    heard,
    is_outdated,
    is_used,
    lines,
    opposed,
    quotation,
    quoted,
    source,
    unfit,
    with_line,
    with_principle,
)
from clawgit.talk.rules.chat import evidence_of, unwrapped
from clawgit.talk.rules.corrections import cited
from clawgit.talk.rules.kept_line import is_private, operators_name
from clawgit.talk.rules.passages import passages

_OURS = "soul-keeper"

A_DAY = 3
"""How many changes of the soul are made per day: few enough for the operator to notice each."""

_BACK = timedelta(days=62)
"""A complaint or praise that is older does not count any more. An order never expires."""

_MOST_SIGNS = 300
_MOST_USED = 2000
_MOST_QUOTED = 4
_CONFIDENCE = {CORRECTED: BASE[CORRECTION], ORDERED: BASE[EXPLICIT]}
_SAID = {
    CORRECTED: "The operator gave this order in a correction",
    ORDERED: "The operator gave this as a standing order",
    FAILED: "A mistake that came back ({days})",
    PRAISED: "The operator praised it more than once ({days})",
}
_UNSURE = "The operator may have meant this for good"


def propose(snapshot: Snapshot) -> ChangeSet:
    """At most a few changes a day, one principle each.

    What is not enough yet waits in the marks for the next run.
    """
    now = snapshot.now
    waited, used = marks_read(snapshot.marks)
    spent = _spent(snapshot.marks, now)
    growing = _Growing(snapshot, used, A_DAY - spent)
    speaker = operators_name(snapshot.files.get("USER.md", ""))
    heard_now, skipped = _heard(snapshot, speaker)
    told = (*waited, *heard_now, *corrected(snapshot.corrections, speaker, now.tzinfo))
    once = {(sign.evidence, sign.rule): sign for sign in told}
    signs = [
        sign
        for sign in once.values()
        if (sign.kind in ORDERS or now - sign.when <= _BACK) and growing.may_use(sign)
    ]
    drift = [*_drifted(growing.soul, [s for s in heard_now if not growing.has_used(s)])]
    growing.learn(growths(signs))
    # Corrections are read from their file again.
    waiting = (
        sign
        for sign in signs
        if sign.evidence.startswith("chat:") and fingerprint(sign) not in growing.used
    )
    return ChangeSet(
        tuple(growing.steps),
        (*skipped, *growing.skipped),
        tuple(drift),
        {
            **marks_written(waiting, growing.used),
            "spent": f"{now.date().isoformat()} {spent + len(growing.steps)}",
        },
    )


_Heard = tuple[tuple[Sign, ...], tuple[Skipped, ...]]


def _heard(snapshot: Snapshot, speaker: str) -> _Heard:
    """The signs in the messages since the last run, and what a model said without proof.

    A model adds nothing to a message that the judge has understood.
    """
    by_judge = heard(snapshot.messages, speaker, snapshot.now.tzinfo)
    if not snapshot.mind:
        return by_judge, ()
    by_mind, skipped = read_by(snapshot, snapshot.mind, speaker)
    read = {sign.evidence for sign in by_judge}
    return (*by_judge, *(sign for sign in by_mind if sign.evidence not in read)), skipped


def _drifted(soul: str, signs: Sequence[Sign]) -> Iterator[str]:
    """The principles that the operator complained about since, or had to ask for again."""
    for line in lines(soul):
        quotes = [_with_day(s) for s in signs if s.kind != PRAISED and line.is_about(s)]
        if quotes:
            told = "; ".join(quotes)
            yield f"drift: SOUL.md says “{line.text}” (line {line.number}), and yet: {told}"


class _Growing:
    """The soul during a run; `soul` is the text after the steps so far.

    Under the policy `review` each step waits separately, so each starts from what is committed.
    """

    def __init__(self, snapshot: Snapshot, used: Iterable[str], most: int) -> None:
        self._most = most
        self.soul = snapshot.files.get(SOUL) or ""
        self.steps: list[Step] = []
        self.skipped: list[Skipped] = []
        self.used = dict.fromkeys(used)
        self._history = snapshot.identity()
        self._settings = snapshot.settings

    def has_used(self, sign: Sign) -> bool:
        return is_used(sign, self._history)

    def may_use(self, sign: Sign) -> bool:
        """Whether a sign is unused, and may become a principle through an agent.

        If it may not, that is reported once.
        """
        if fingerprint(sign) in self.used or self.has_used(sign):
            return False
        if reason := unfit(sign.rule):
            self.skipped.append(Skipped(f"{sign.quote} ({sign.evidence})", reason))
            self.used[fingerprint(sign)] = None
        return not reason

    def learn(self, growths: Iterable[Growth]) -> None:
        """Makes steps of the growths that are ripe: certain ones first. Those that take back a
        principle come last: the rules of the soul may refuse these, and the others not.
        """
        ripe = [growth for growth in growths if growth.is_ripe]

        def turn(growth: Growth) -> tuple[bool, int, bool]:
            is_against = opposed(self.soul, growth) is not None
            return is_against, KINDS.index(growth.kind), bool(_doubt(growth))

        for growth in sorted(ripe, key=turn):
            against = opposed(self.soul, growth)
            settled = self._settled(growth, ripe, against)
            reason = settled or self._step(growth, against)
            if settled or not reason:
                # Its evidence is not looked at again.
                self.used |= dict.fromkeys(map(fingerprint, growth.signs))
            if reason:
                self.skipped.append(Skipped(growth.rule, reason))

    def _settled(
        self, growth: Growth, ripe: Iterable[Growth], against: PrincipleLine | None
    ) -> str:
        """Why nothing is to be learned from a growth, now or later; "" if something is."""
        if is_outdated(growth, ripe):
            return "a newer word of the operator takes it back"
        for line in lines(self.soul):
            if line.is_about(growth.newest):
                return f"SOUL.md already says so: “{line.text}”"
        origin = source(against.text, self._history) if against else None
        is_older = origin is not None and growth.newest.when <= origin.time
        return f"“{against.text}” is newer" if against and is_older else ""

    def _step(self, growth: Growth, against: PrincipleLine | None) -> str:
        """Adds a line, or puts one in the place of the line that it contradicts; returns why
        nothing can be learned now, "" if it is done.
        """
        if self._settings.soul_policy == LOCKED:
            return "soul_policy is locked"
        if not self.soul.strip():
            return "there is no SOUL.md"
        if len(self.steps) >= self._most:
            return f"{A_DAY} changes a day are enough; it waits"
        kind, verb, summary, reason = "added", "learn", f"add “{growth.rule}”", _why(growth)
        after = with_principle(self.soul, growth)
        if against:
            after = with_line(self.soul, against, growth.rule)
            kind, verb, summary = "replaced", "replace", f"replace “{against.text}”"
            reason += f" Now it says “{growth.rule}”."
        most, size = self._settings.soul_max_tokens, estimate_tokens(after)
        if size > most and size >= estimate_tokens(self.soul):
            return f"SOUL.md is full (soul_max_tokens {most})"
        if doubt := self._contradiction(growth, against) or _doubt(growth):
            verb, reason = PROPOSE, f"{reason} It waits for you: {doubt}."
        confidence = _CONFIDENCE.get(growth.kind, BASE[INFERRED])
        proposed = Proposed(SOUL, kind, summary, growth.evidence, confidence)
        draft = Draft({SOUL: self.soul})
        draft.put(SOUL, after)
        self.steps += draft.step(verb, summary, reason, [proposed], confidence=confidence)
        if self._settings.soul_policy == EVOLVE and not doubt:
            self.soul = after
        return ""

    def _contradiction(self, growth: Growth, against: PrincipleLine | None) -> str:
        """Why the operator decides about a line that would go. He need not if the keeper learned it
        in a chat, or if a newer correction contradicts it.
        """
        if against is None or growth.kind == CORRECTED:
            return ""
        origin = source(against.text, self._history)
        if origin and origin.actor == _OURS and not any(map(cited, origin.evidence)):
            return ""
        return f"it contradicts “{against.text}” (SOUL.md:{against.number})"


def _doubt(growth: Growth) -> str:
    """Why a change waits for the operator, "" if it is certain."""
    return doubtful(growth.newest.rule) or ("" if growth.newest.sure else "it may be none")


def _why(growth: Growth) -> str:
    """The kind of the evidence, then its words, the newest first."""
    days = " and ".join(day.isoformat() for day in growth.days[-_MOST_QUOTED:])
    said = _SAID[growth.kind].format(days=days) if growth.newest.sure else _UNSURE
    quotes = few(map(_with_day, reversed(growth.signs)), _MOST_QUOTED)
    return f"{said}: {'; '.join(quotes)}."


def _with_day(sign: Sign) -> str:
    return f"“{sign.quote}” ({sign.when.date().isoformat()}, {sign.evidence})"


def _spent(marks: Mapping[str, str], now: datetime) -> int:
    """How many changes this day has seen."""
    day, _, count = marks.get("spent", "").partition(" ")
    return int(count) if day == now.date().isoformat() and count.isdecimal() else 0


def marks_read(marks: Mapping[str, str]) -> tuple[tuple[Sign, ...], list[str]]:
    """The signs of conversations, which no file holds, and the fingerprints of what was used. What
    cannot be read counts as absent.
    """
    signs: tuple[Sign, ...] = ()
    with suppress(ValueError, TypeError):
        rows = (Sign(*row) for row in json.loads(marks.get("heard", "") or "[]"))
        signs = tuple(
            sign._replace(when=datetime.fromisoformat(str(sign.when)))
            for sign in rows
            if sign.kind in KINDS
        )
    return signs, marks.get("used", "").split()


def marks_written(signs: Iterable[Sign], used: Iterable[str] = ()) -> dict[str, str]:
    # If there are too many, the oldest are dropped.
    newest = sorted(signs, key=lambda sign: sign.when)[-_MOST_SIGNS:]
    rows = [sign._replace(when=sign.when.isoformat()) for sign in newest]  # type: ignore[arg-type]
    return {"heard": json.dumps(rows, ensure_ascii=False), "used": " ".join([*used][-_MOST_USED:])}


def fingerprint(sign: Sign) -> str:
    """A piece of evidence, and what it was used for."""
    return digest(sign.evidence, sign.rule)[:12]


INSTRUCTIONS = """\
You help an agent to learn from its operator. Read the numbered conversation and choose the
sentences in which the operator says for good how the agent should behave: standing orders, wishes,
mistakes that should not happen again. Facts, tasks for now, praise, and preferences that are not
about the agent's behaviour do not count. It is a good answer to find nothing. For each, give the
number of the operator's message, and the sentence letter by letter."""

_SHOWN = 200
"""How many messages a model is shown."""


def read_by(snapshot: Snapshot, mind: Mind, speaker: str) -> _Heard:
    """The orders that a model chooses, in the operator's words, and what it could not prove.

    What it takes for an order is never sure to be one.
    """
    private = (message for message in snapshot.messages if is_private(message.session))
    shown, lines_shown = told_to_a_model(private, snapshot.now.tzinfo)
    shown, soul = shown[-_SHOWN:], {SOUL: snapshot.files.get(SOUL, "")}
    answer = chosen_by(mind, INSTRUCTIONS, "conversation", lines_shown[-_SHOWN:], soul)
    signs = (
        Sign(
            ORDERED,
            quotation(passage.text, speaker),
            shown[at].time.astimezone(snapshot.now.tzinfo),
            evidence_of(shown[at]),
            quoted(passage.text),
            passage.text,
            sure=False,
        )
        for at in answer.quotes
        for passage in passages(unwrapped(shown[at].text))
        if len(passage.text) <= LONGEST and answer.takes(at, passage.text)
    )
    return tuple(signs), answer.skipped
