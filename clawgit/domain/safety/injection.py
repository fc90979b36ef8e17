"""Finds prompt injection: text that was planted to make the agent act against its operator.

What the words say is judged by a learned judge; what a reader cannot see, and addresses and commands
that carry data away, are found by their form. Neither is certain: the operator can approve what is
held back.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from clawgit.domain.safety.hidden_text import (
    as_browsed,
    encoded,
    folded_lines,
    lookalike,
    unseen,
)
from clawgit.domain.safety.injection_markup import (
    View,
    comment_words,
    hidden_spans,
    joined,
    matches,
    raw,
    shown,
)
from clawgit.domain.safety.injection_patterns import (
    COMMENT,
    EXFILTRATES,
    HIDES,
    INSTRUCTS,
    LEAKS,
    ORDERS,
    InjectionRule,
)
from clawgit.domain.safety.injection_quotes import (
    is_forbidden,
    is_quoted,
    is_warned_of,
    sentence,
)
from clawgit.domain.safety.masks import head
from clawgit.domain.safety.plain_words import apart, plain
from clawgit.domain.safety.readings import FEW_WORDS, parts_of, readings, units, unmarked
from clawgit.judges.poison import HONEST, Poison, poison
from clawgit.judges.thresholds import thresholds

_LONGEST = 80
"""The most characters of an excerpt."""

_NEAR = 160
"""Characters before and after a match that are read with it."""

_LEAST_QUOTED = 0.5
"""From this chance on a quoted worn phrase is held. Notes about attacks mostly stay below."""

_LEAST_HIDDEN = 0.5
"""From this chance on a comment that the rendered page does not show is held."""

_LEAST_ORDERED = 0.1
"""From this chance on the words around an address are taken for an order to go there."""

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
    fresh = _fresh_lines(before, lines)
    if not fresh:
        return ()
    flat = _folded(lines)
    hits = [
        *_disguised(after, lines, fresh),
        *_not_rendered(after, lines, fresh),
        *_carried(after, flat, fresh),
        *_meant(lines, fresh),
    ]
    # Reversed, so that of several equal findings in a line the surest one is kept: a text may be
    # doubted as it stands, and held in plain words.
    hits.sort(key=_weight, reverse=True)
    first = {(hit.line, hit.kind, hit.reason): hit for hit in hits}
    return tuple(sorted(first.values(), key=_weight))


def _weight(hit: Injection) -> tuple[object, ...]:
    """By lines; of several in a line, the surest first."""
    return hit.line, not hit.hold, -hit.chance, hit


def _fresh_lines(before: str, lines: list[str]) -> set[int]:
    known = {line.strip() for line in before.split("\n")}
    return {number for number, line in enumerate(lines, 1) if line.strip() not in known}


def _disguised(text: str, lines: list[str], fresh: set[int]) -> Iterator[Injection]:
    """What a line hides by its characters alone: invisible, lookalike or encoded ones."""
    # No encoding spans two lines, so all lines are searched in one go.
    text = as_browsed(text)
    if text.isascii() and "".join(lines).isprintable() and not encoded(text):
        return
    for number in sorted(fresh):
        line = as_browsed(lines[number - 1])
        if number == 1:
            # A byte order mark is normal at the start of a file.
            line = line.removeprefix("\ufeff")
        signs, harmless = unseen(line)
        if signs:
            yield Injection(
                number,
                HIDES,
                excerpt("".join(map(_named, signs))),
                "invisible characters",
                not harmless,
            )
        if word := lookalike(line):
            yield Injection(
                number, HIDES, excerpt(word), "letters of another alphabet that look alike"
            )
        if text := encoded(line):
            yield Injection(number, HIDES, excerpt(text), "encoded text")


def _not_rendered(text: str, lines: list[str], fresh: set[int]) -> Iterator[Injection]:
    """What a reader of the rendered page does not see.

    Most comments are harmless: a note to oneself, or what a tool needs. Whoever reads the file as
    it is sees them, so one is held only where the judge doubts it, or the paragraph it stands in.
    """
    spans = [*hidden_spans(text, lines)]
    if not spans:
        return
    view = raw(lines)
    said = {
        start: comment_words(text[start:end])
        for rule, start, end in spans
        if rule.reason == COMMENT
    }
    around = _doubts_around(lines, {*map(view.line_at, said)})
    # An order may come a word at a time.
    few = {start for start, words in said.items() if len(plain(words).split()) <= FEW_WORDS}
    few_doubt = _doubt(" ".join(said[start] for start in sorted(few)))
    for rule, start, end in spans:
        hits = _fresh_finding(view, (start, end), fresh, rule)
        if start not in said:
            yield from hits
            continue
        doubts = {
            "that": _doubt(said[start]),
            "that, with others,": few_doubt if start in few else HONEST,
            "in a text that": around.get(view.line_at(start), HONEST),
        }
        yield from (_as_doubted(hit, doubts) for hit in hits)


def _as_doubted(hit: Injection, doubts: Mapping[str, Poison]) -> Injection:
    """A comment with the first doubt about it; without any, it is not held."""
    for link, doubt in doubts.items():
        if doubt.chance >= _LEAST_HIDDEN:
            _, reason = _REASONS.get(doubt.kind, (HIDES, "seems to be meant for the agent alone"))
            return hit._replace(reason=f"{COMMENT} {link} {reason}", chance=doubt.chance)
    return hit._replace(hold=False)


def _doubts_around(lines: list[str], numbers: set[int]) -> dict[int, Poison]:
    """What the judge thinks of the items and paragraphs around the given lines, by line."""
    ranges = ((range(first, first + len(unit)), unit) for first, unit in units(lines))
    doubts = (
        (within, _doubt(shown("\n".join(unit))))
        for within, unit in ranges
        if not numbers.isdisjoint(within)
    )
    return {line: doubt for within, doubt in doubts for line in within}


def _doubt(words: str) -> Poison:
    """What the judge thinks of the part of some words that it doubts most."""
    parts = (part for reading in {words, plain(words)} for part in parts_of(reading))
    judged = (_judged(part)[0] for part in parts)
    return max(judged, key=lambda doubt: doubt.chance, default=HONEST)


def _meant(lines: list[str], fresh: set[int]) -> Iterator[Injection]:
    """What the words mean, as far as it can be learned. A text is judged as it stands in its item
    or paragraph.
    """
    bars = thresholds()
    for within, text in readings(lines):
        number = next(filter(fresh.__contains__, within), None)
        if number is None:
            continue
        for part in parts_of(text):
            judged, is_ordered = _judged(part)
            if not is_ordered and judged.chance < bars.poison_warn:
                continue
            hold = is_ordered or judged.chance >= bars.poison_hold
            kind, reason = _REASONS[judged.kind]
            yield Injection(number, kind, excerpt(part), reason, hold, within[-1], judged.chance)


def _judged(part: str) -> tuple[Poison, bool]:
    """What the judge says of a part, and whether a worn phrase in it is an order."""
    phrases = tuple(_phrases(part))
    judged = poison(part, tuple(dict.fromkeys(phrase.sign for phrase in phrases)))
    return judged, _is_ordered(phrases, judged.chance)


def _is_ordered(phrases: "Sequence[_Phrase]", chance: float) -> bool:
    """Whether a worn phrase is an order. One that is quoted is, if the judge does not doubt it."""
    orders = [phrase for phrase in phrases if phrase.is_order]
    return any(not order.is_quoted or chance >= _LEAST_QUOTED for order in orders)


class _Phrase(NamedTuple):
    sign: str
    is_order: bool
    is_quoted: bool


def worn(text: str) -> tuple[str, ...]:
    """The worn (well-known) attack phrases in an item or paragraph, by what they do: hints for the
    judge.
    """
    return tuple(dict.fromkeys(phrase.sign for phrase in _phrases(text)))


def _phrases(text: str) -> Iterator[_Phrase]:
    """The worn phrases of a text, each with whether it is an order: notes about attacks quote
    them.
    """
    flat = _folded(text.split("\n")).text
    for rule in ORDERS:
        for match in matches(rule, flat):
            before = flat[max(0, match.start() - _NEAR) : match.start()]
            after = flat[match.end() : match.end() + _NEAR]
            if is_forbidden(match[0], before):
                continue
            is_order = rule.hold and not is_warned_of(before, after)
            state = "warned of" if is_warned_of(before, after) else "ordered"
            yield _Phrase(f"{rule.reason}: {state}", is_order, is_quoted(sentence(before)))


def _carried(text: str, flat: View, fresh: set[int]) -> Iterator[Injection]:
    """Addresses and commands that carry data away.

    A sentence that forbids the action is not a finding. One that warns of it is reported, but not
    held.
    """
    for view in _as_carried(text, flat):
        yield from _carried_in(view, fresh)


def _is_order(before: str, found: str, after: str) -> bool:
    """Whether the words in the line around a match seem to order something."""
    line = before.rpartition("\n")[2] + found + after.partition("\n")[0]
    return _doubt(line).chance >= _LEAST_ORDERED


def _as_carried(text: str, flat: View) -> Iterator[View]:
    """A text folded, as it stands and in plain words."""
    yield flat
    bare = apart(text)
    if bare != text:
        yield _folded(bare.split("\n"))


def _carried_in(view: View, fresh: set[int]) -> Iterator[Injection]:
    for rule in LEAKS:
        for match in matches(rule, view.text):
            before = view.text[max(0, match.start() - _NEAR) : match.start()]
            after = view.text[match.end() : match.end() + _NEAR]
            if is_forbidden(match[0], before):
                continue
            if not (rule.is_proof or _is_order(before, match[0], after)):
                continue
            hold = rule.hold and not is_warned_of(before, after)
            yield from _fresh_finding(view, match.span(), fresh, rule._replace(hold=hold))


def _folded(lines: list[str]) -> View:
    """The text with each paragraph and item in one line, so that sentences are not broken."""
    bare = [unmarked(line) for line in lines]
    # A line goes on with the one before it if it has words and no mark.
    goes_on = [
        bool(line.strip()) and line is without for line, without in zip(lines, bare, strict=True)
    ]
    joints = [" " if is_next else "\n" for is_next in [*goes_on[1:], False]]
    return joined(folded_lines(bare), joints)


def _fresh_finding(
    view: View, span: tuple[int, int], fresh: set[int], rule: InjectionRule
) -> Iterator[Injection]:
    start, end = span
    touched = range(view.line_at(start), view.line_at(max(start, end - 1)) + 1)
    line = next((line for line in touched if line in fresh), None)
    if line is not None:
        yield Injection(line, rule.kind, excerpt(view.text[start:end]), rule.reason, rule.hold)


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
