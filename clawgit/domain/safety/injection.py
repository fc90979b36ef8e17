"""Finds prompt injection: text that was planted to make the agent act against its operator.

What the words say is judged by a learned judge, and worn phrases by their form; so are addresses
and commands that carry data away, and what a reader cannot see. Neither is certain: the operator
can approve what is held back.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from clawgit.domain.safety.hidden_markup import COMMENT, hidden
from clawgit.domain.safety.hidden_text import as_browsed, encoded, folded, lookalike, unseen
from clawgit.domain.safety.masks import head
from clawgit.domain.safety.readings import Reading, parts_of, plain, readings, unmarked
from clawgit.domain.safety.rules import PLANTED, WORN, allowed, rules
from clawgit.judges.judging import HONEST, Poison, poison, thresholds

INSTRUCTS, HIDES, EXFILTRATES = "instructs", "hides", "exfiltrates"

_LONGEST = 80
"""The most characters of an excerpt."""

_LEAST_HIDDEN = 0.5
"""From this chance on a comment that the rendered page does not show is held."""

_LEAST = {"carried": 0.0, "ordered": 0.1, WORN: 0.0, "said": 0.0}
"""From this chance on what a rule finds is held: lists of services name addresses, too."""

_LEAST_QUOTED = 0.5
"""From this chance on a quoted worn phrase is held. Notes about attacks mostly stay below."""

_REASONS = {
    "overrides": (INSTRUCTS, "seems to set aside the agent's rules or its operator"),
    "hides": (HIDES, "seems to keep something from the operator"),
    "leaks": (EXFILTRATES, "seems to send private data away"),
    "obeys": (INSTRUCTS, "seems to make outside text into orders"),
    "acts": (INSTRUCTS, "seems to order a harmful act"),
    "persists": (INSTRUCTS, "seems to make itself permanent"),
    "steers": (INSTRUCTS, "seems to steer advice in somebody else's favour"),
}
"""For each class of the judge: the kind of finding, and what the operator reads."""

_WORN = {
    "tells to set aside the rules": _REASONS["overrides"],
    "gives the agent another role": _REASONS["overrides"],
    "speaks in the place of system or agent": _REASONS["overrides"],
    "tells whom to obey": _REASONS["obeys"],
    "keeps something from the operator": _REASONS["hides"],
    "asks for the system prompt": _REASONS["leaks"],
}
"""The same for each kind of worn phrases."""


class Injection(NamedTuple):
    """`kind` is instructs, hides or exfiltrates.

    `excerpt` shows what a model would read, with invisible characters by number. If `hold`, a write
    of an agent must wait for the operator; else a warning is enough.
    """

    line: int
    kind: str
    excerpt: str
    reason: str
    hold: bool = True
    last: int = 0
    """The last line of what was judged as one, if that is more than the line itself."""
    chance: float = 1.0
    """The judge's, of what it judged; what is found by its form is certain."""


def findings(before: str, after: str) -> tuple[Injection, ...]:
    """What is suspicious in `after`, on lines that `before` does not have, in order."""
    lines = after.split("\n")
    known = {line.strip() for line in before.split("\n")}
    fresh = {number for number, line in enumerate(lines, 1) if line.strip() not in known}
    if not fresh:
        return ()
    hits = [*_disguised(lines, fresh), *_not_rendered(after, fresh)]
    for reading in readings(lines):
        number = next(filter(fresh.__contains__, reading.within), None)
        if number is not None:
            hits += _meant(reading, number)
    # Reversed, so that of several equal findings in a line the surest one is kept: a text may be
    # doubted as it stands, and held in plain words.
    hits.sort(key=_weight, reverse=True)
    first = {(hit.line, hit.kind, hit.reason): hit for hit in hits}
    return tuple(sorted(first.values(), key=_weight))


def _weight(hit: Injection) -> tuple[object, ...]:
    """By lines; of several in a line, the surest first."""
    return hit.line, not hit.hold, -hit.chance, hit


def _disguised(lines: list[str], fresh: Iterable[int]) -> Iterator[Injection]:
    """What a line hides by its characters alone: invisible, lookalike or encoded ones."""
    for number in sorted(fresh):
        line = as_browsed(lines[number - 1])
        if number == 1:
            # A byte order mark is normal at the start of a file.
            line = line.removeprefix("\ufeff")
        signs, harmless = unseen(line)
        if signs:
            named = excerpt("".join(map(_named, signs)))
            yield Injection(number, HIDES, named, "invisible characters", not harmless)
        if word := lookalike(line):
            reason = "letters of another alphabet that look alike"
            yield Injection(number, HIDES, excerpt(word), reason)
        if text := encoded(line):
            yield Injection(number, HIDES, excerpt(text), "encoded text")


def _not_rendered(text: str, fresh: set[int]) -> Iterator[Injection]:
    """What a reader of the rendered page does not see.

    Most comments are harmless: a note to oneself, or what a tool needs. No program is shown one; a
    write waits only for one that the judge doubts.
    """
    spans = [*hidden(text)]
    said = {span: _words(text[span.start : span.end]) for span in spans if span.check == COMMENT}
    for span in spans:
        number = next(filter(fresh.__contains__, span.lines), None)
        if number is None:
            continue
        shown, reason = excerpt(text[span.start : span.end]), span.reason
        if span not in said:
            yield Injection(number, HIDES, shown, reason)
            continue
        doubt = _doubt(said[span])
        hold = doubt.chance >= _LEAST_HIDDEN
        if hold and doubt.kind:
            reason = f"{reason} that {_REASONS[doubt.kind][1]}"
        yield Injection(number, HIDES, shown, reason, hold, chance=doubt.chance if hold else 1.0)


def _words(comment: str) -> str:
    """What a comment says, up to its end or to where another one begins."""
    return comment.removeprefix("<!--").partition("<!--")[0].partition("-->")[0]


def _doubt(words: str) -> Poison:
    """What the judge thinks of the part of some words that it doubts most."""
    parts = (part for reading in {words, plain(words)} for part in parts_of(reading))
    return max((poison(part, worn(part)) for part in parts), default=HONEST)


def _meant(reading: Reading, number: int) -> Iterator[Injection]:
    """What the words of an item or paragraph mean, as far as it can be learned; worn phrases in it,
    and addresses and commands that carry data away.
    """
    bars, last = thresholds(), reading.within[-1]
    for part in parts_of(reading.text):
        forms = [*_forms(part)]
        chance, kind = poison(part, _signs(forms))
        for form in forms:
            if not form.is_warned and chance >= form.least:
                what, reason = _WORN.get(form.id, (EXFILTRATES, form.id))
                told = excerpt(part if form.id in _WORN else form.text)
                yield Injection(number, what, told, reason, True, last, chance)
        if chance >= bars.poison_warn:
            what, reason = _REASONS[kind]
            hold = chance >= bars.poison_hold
            yield Injection(number, what, excerpt(part), reason, hold, last, chance)


def worn(text: str) -> tuple[str, ...]:
    """The worn (well-known) attack phrases in an item or paragraph, by what they do: hints for the
    judge.
    """
    return _signs(_forms(text))


def _signs(forms: "Iterable[_Form]") -> tuple[str, ...]:
    found = (form for form in forms if form.id in _WORN)
    states = (f"{form.id}: {'warned of' if form.is_warned else 'ordered'}" for form in found)
    return tuple(dict.fromkeys(states))


class _Form(NamedTuple):
    """What a rule finds in a text, and the least chance from which it counts."""

    id: str
    text: str
    least: float
    is_warned: bool


def _forms(part: str) -> Iterator[_Form]:
    line = folded(" ".join(unmarked(part).split()))
    for rule in rules(PLANTED):
        match = rule.check in _LEAST and rule.may_be_in(line) and rule.regex.search(line)
        if match:
            is_quoted = allowed(PLANTED, "quoted").search(line[: match.start()]) is not None
            is_warned = is_quoted and allowed(PLANTED, "warnings").search(line) is not None
            least = _LEAST_QUOTED if is_quoted and rule.id in _WORN else _LEAST[rule.check]
            yield _Form(rule.id, match[0], least, is_warned)


def excerpt(text: str) -> str:
    """A text in one short line, with every character visible."""
    shown = (
        sign if sign.isprintable() or sign.isspace() else _named(sign)
        for sign in head(text, _LONGEST)
    )
    line = " ".join("".join(shown).split())
    return line if len(line) < _LONGEST else f"{head(line, _LONGEST - 1)}…"


def _named(sign: str) -> str:
    return f"<U+{ord(sign):04X}>"
