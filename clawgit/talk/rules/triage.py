"""Which agents a message calls, found by its words alone in a fraction of a millisecond."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice

from clawgit.core import NamedTuple
from clawgit.language.lazily import lazily
from clawgit.talk.rules.triage_rules import (
    CONFIDENCES,
    MEMORY,
    ROUTES,
    RULES,
    TriageRule,
    expression,
)

_NEAR = 160
"""Characters before and after a match that are read as its sentence."""

_MOST_LOOKED_AT = 20
"""If the words mean something else at this many places, no more places are looked at."""

_PLAIN = str.maketrans(dict.fromkeys("’‘ʼ′＇´", "'") | dict.fromkeys("\r\u00a0\u2009\u202f", " "))

_QUOTATION_MARKS = (("“", "”"), ("„", "“"), ("«", "»"), ("「", "」"))

_APART = lazily(
    r"^[ \t]*(`{3,}(?=[^`\n]*$)|~{3,})(?:.|\n)*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)"
    r"|^[ \t]*>.*$|(?:\A|(?<=\n\n))(?:(?: {4}|\t).*(?:\n|\Z))+",
    re.MULTILINE,
)
"""Code in fences or behind blanks, where it begins after an empty line; and quoted lines."""

_CODE_SPAN = lazily(r"(?<!`)(`{1,3})(?!`).{1,400}?(?<!`)\1(?!`)")

_WRAPPED = lazily(r"(?<=[^\n])\n(?=[^\n])(?!\s*(?:[-*+•] |\d{1,9}[.)] |#{1,6} ))")
"""The end of a line after which a sentence goes on: no empty line and no new item follows."""

_SENTENCE_END = re.compile(r"[.!?…]+(?=\s|$)")


class Trigger(NamedTuple):
    """What a pattern found, and the agent that it calls; `match` is what the user typed."""

    kind: str
    confidence: str | None
    pattern: str
    match: str
    route: str


class SearchedMessage(NamedTuple):
    """A message as it is searched, each character in its place: `plain` without quotations and code
    and with straight apostrophes, `joined` with each paragraph as one line, too.
    """

    text: str
    plain: str
    joined: str


def triage(text: str) -> list[Trigger]:
    """What the built-in patterns find. Each counts once: at the first place where it means what it
    says.
    """
    return triggers(read(text))


def triggers(reading: SearchedMessage) -> list[Trigger]:
    """The same for a message that `read` has prepared."""
    lowered = reading.joined.lower()
    cued = (rule for rule in RULES if any(cue in lowered for cue in rule.cues))
    return [*filter(None, (_found(rule, reading) for rule in cued))]


def has_priority(matched: Iterable[Trigger]) -> bool:
    """Whether the Memory Miner takes the message before others."""
    return any(trigger.kind == MEMORY for trigger in matched)


def surest(matched: Iterable[Trigger]) -> str | None:
    """The highest confidence among triggers."""
    levels = {trigger.confidence for trigger in matched}
    return next((confidence for confidence in ("high", "medium") if confidence in levels), None)


def routes(matched: Iterable[Trigger]) -> dict[str, list[Trigger]]:
    """Each agent that is called, with the triggers that call it."""
    called: dict[str, list[Trigger]] = {}
    for trigger in matched:
        called.setdefault(trigger.route, []).append(trigger)
    return called


def read(text: str) -> SearchedMessage:
    """Separates a message into what its writer says and what is only quoted: newlines stand in the
    place of that, and NULs in that of code within a line.
    """
    plain = _APART.sub(lambda at: "\n" * len(at[0]), text.translate(_PLAIN))
    plain = _CODE_SPAN.sub(lambda at: "\0" * len(at[0]), plain).replace("\t", " ")
    return SearchedMessage(text, plain, _WRAPPED.sub(" ", plain))


def _found(rule: TriageRule, reading: SearchedMessage) -> Trigger | None:
    for start, end in islice(_places(rule, reading.joined), _MOST_LOOKED_AT):
        if not _is_false(rule, reading.joined, start, end):
            said, route = reading.text[start:end].strip(), ROUTES[rule.kind]
            return Trigger(rule.kind, CONFIDENCES[rule.kind], f"/{rule.pattern}/i", said, route)
    return None


def _places(rule: TriageRule, text: str) -> Iterator[tuple[int, int]]:
    """The matches of a rule, also those that overlap: in “it's fine. It's 20 euros now” the first
    match swallows the second.
    """
    pattern, match = _compiled(expression(rule.pattern)), None
    # The next search begins one character after the start of a match, not at its end.
    while match := pattern.search(text, match.start() + 1 if match else 0):
        yield match.span()


def _is_false(rule: TriageRule, text: str, start: int, end: int) -> bool:
    """Whether the words at a place do not mean what they seem to."""
    before = text[max(0, start - _NEAR) : start].rpartition("\n")[2]
    after = text[end : end + _NEAR].partition("\n")[0]
    if _is_quoted(before, after):
        return True
    # Blanks that the pattern took along belong to what comes after: friends look for them there.
    phrase = text[start:end].rstrip()
    after = text[start + len(phrase) : end] + after
    stop = _SENTENCE_END.search(after)
    sentence = (
        f"{_SENTENCE_END.split(before)[-1]}⟦{phrase}⟧{after[: stop.end()] if stop else after}"
    )
    return any(_compiled(friend).search(sentence) for friend in rule.friends)


def _is_quoted(before: str, after: str) -> bool:
    # It opens and closes by the same sign, so an odd number before means that it is open.
    straight = before.count('"') % 2 == 1 and '"' in after
    return straight or any(
        before.rfind(opening) > before.rfind(closing) and closing in after
        for opening, closing in _QUOTATION_MARKS
    )


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Some write “it is” in full."""
    return re.compile(re.sub(r"'\??s\b", "(?:'?s| is)", pattern), re.IGNORECASE)
