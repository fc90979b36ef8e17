"""Poison: text that gives the agent orders, hides from its human or carries data away, on its way
into a guarded file.

A judgement by patterns, good enough to call for review: what is held back, the operator can
approve.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from clawgit.domain.markdown.scan import scan
from clawgit.domain.safety.hidden_text import encoded, folded, lookalike, unseen
from clawgit.domain.safety.injection_patterns import (
    COMMENT,
    FAR_OFF,
    HIDDEN,
    HIDES,
    LEAKS,
    ORDERS,
    InjectionRule,
)
from clawgit.domain.safety.masks import head

_LONGEST = 80

_LONGEST_COMMENT = 2000

_NEAR = 160

_MARKER = re.compile(r"^[\s>]{0,20}(?:[-*+]|[0-9]{1,9}[.)]|#{1,6}|>)\s{1,20}")

_KNOWN_COMMENT = re.compile(
    r"""<!--\s{0,4}(?:claw:[^\s<>]{1,40}(?:\ [a-z]{1,12}=[^\s<>]{0,400}){0,40}
    |clawgit:[a-z:]{1,40}
    |was:\ [^<>\n]{0,2000}
    |openclaw-memory-promotion:[^\s<>]{1,200}
    |openclaw:dreaming:[a-z]{1,12}(?::(?:start|end))?
    |importance:\s?(?:10|[1-9])
    |observed:\s?(?:[0-9-]{10}|YYYY-MM-DD)(?:\s?\|\s?status:\s?[a-z]{1,12}(?:\|[a-z]{1,12})?)?
    |(?:trigger|project):[\w\s,./-]{1,120}
    )\s{0,4}-->""",
    re.VERBOSE,
)
"""Comments with a meaning: clawgit's facts, the old value of a correction, and what OpenClaw
writes."""

_SENTENCE_END = re.compile(r"[.!?]\s|[。！？\n]")

_OPEN_QUOTE = re.compile(r"„[^“”]*$|“[^”]*$|«[^»]*$|「[^」]*$")

_FORBIDS = re.compile(
    r"""(?:\b(?:never|not|don't|don’t|cannot|can't|won't|nor|refuse\ to|nunca|jamas|niemals|nie|jamais)
    (?:\ (?:ever|just|simply|again|you|to|let)){0,2}\ |(?:不要|不得|切勿|绝不|不能|勿|別|别))$""",
    re.VERBOSE,
)

_NEGATES = re.compile(r"\b(?:never|not|don't|don’t|nothing|nobody|no)\b")

_TELLS = re.compile(
    r"""(?:\b(?:says?|saying|said|asks?|asking|tells?|telling|demands?|wants?|orders?|like|wrote|writes?|claims?)
    (?:\ (?:you|me|us))?(?:\ to)?[:,]?\ ?)$""",
    re.VERBOSE,
)

_WARNS = re.compile(
    r"""\b(?:attack|inject|wary|beware|suspicious|untrusted|phishing|malicious|scam|jailbreak|refuse|decline|reject|blocked
    |report\ (?:it|them)|(?:not|never|n't)\ (?:obey|follow|comply|trust|do\ it)|testing\ you|misstrau|vorsicht|angriff
    |desconfi|cuidado|sospech|ataque|mefie)|警惕|攻击|攻擊|小心|주의|공격|의심|注意""",
    re.VERBOSE,
)


class Injection(NamedTuple):
    """`kind` is instructs, hides or exfiltrates. `excerpt` shows what a model would read, unseen
    signs by number.

    What is `hold` must wait for the operator when an agent brings it; the rest is worth a warning.
    """

    line: int
    kind: str
    excerpt: str
    reason: str
    hold: bool = True


def findings(before: str, after: str) -> tuple[Injection, ...]:
    """What is suspicious in `after` and touches a line that `before` does not have, in the order of
    the lines.
    """
    known = {line.strip() for line in before.split("\n")}
    lines = after.split("\n")
    fresh = {number for number, line in enumerate(lines, 1) if line.strip() not in known}
    if not fresh:
        return ()
    found = [*_disguised(lines, fresh), *_not_rendered(after, lines, fresh), *_said(lines, fresh)]
    first = {(one.line, one.kind, one.reason): one for one in reversed(found)}
    return tuple(sorted(first.values()))


def _disguised(lines: list[str], fresh: set[int]) -> Iterator[Injection]:
    """What a line hides by signs alone. A byte order mark has its place at the head of a file."""
    for number in sorted(fresh):
        line = lines[number - 1].removeprefix("\ufeff") if number == 1 else lines[number - 1]
        signs, harmless = unseen(line)
        if signs:
            yield Injection(
                number,
                HIDES,
                excerpt("".join(map(_named, signs))),
                "signs that nobody sees",
                not harmless,
            )
        if word := lookalike(line):
            yield Injection(
                number, HIDES, excerpt(word), "letters of another alphabet that look alike"
            )
        if text := encoded(line):
            yield Injection(number, HIDES, excerpt(text), "encoded text")


def _not_rendered(text: str, lines: list[str], fresh: set[int]) -> Iterator[Injection]:
    """What a reader of the rendered page does not see. In code, markup is shown and hides
    nothing.
    """
    view = _raw(lines)
    code = _code_lines(text)
    for rule in HIDDEN:
        for found in _matches(rule, text):
            end = found.end()
            if rule.reason != FAR_OFF and (
                view.line_at(found.start()) in code or _in_code_span(text, found)
            ):
                continue
            if rule.reason == COMMENT and text.startswith("<!--", found.start()):
                if _KNOWN_COMMENT.match(text, found.start()):
                    continue
                end = max(end, text.find("-->", end, end + _LONGEST_COMMENT))
            yield from _fresh_finding(view, (found.start(), end), fresh, rule)


def _said(lines: list[str], fresh: set[int]) -> Iterator[Injection]:
    """What the words say. A sentence that forbids the very thing says nothing, one that warns of it
    is a warning.
    """
    view = _folded(lines)
    for rule in (*ORDERS, *LEAKS):
        for found in _matches(rule, view.text):
            before = view.text[max(0, found.start() - _NEAR) : found.start()]
            if _FORBIDS.search(before) or (
                found[0].startswith("without") and _NEGATES.search(_sentence(before))
            ):
                continue
            warned = rule.hold and _is_warned_of(
                before, view.text[found.end() : found.end() + _NEAR]
            )
            yield from _fresh_finding(
                view, found.span(), fresh, rule._replace(hold=rule.hold and not warned)
            )


def _is_warned_of(before: str, after: str) -> bool:
    """Whether a sentence warns of words that it quotes, or that it says somebody might say."""
    before, after = _sentence(before), _SENTENCE_END.split(after, maxsplit=1)[0]
    told = (
        before.count('"') % 2
        or before.count("`") % 2
        or _OPEN_QUOTE.search(before)
        or _TELLS.search(before)
    )
    return bool(told) and _WARNS.search(f"{before} {after}") is not None


def _sentence(before: str) -> str:
    """What stands of a sentence before a place in it."""
    return _SENTENCE_END.split(before)[-1]


class _View(NamedTuple):
    """A text to search; `starts[n]` is where the piece begins that came from line n + 1."""

    text: str
    starts: list[int]

    def line_at(self, offset: int) -> int:
        return bisect_right(self.starts, offset)


def _raw(lines: list[str]) -> _View:
    return _joined(lines, ["\n"] * len(lines))


def _folded(lines: list[str]) -> _View:
    """The text by paragraphs and items, each one line without its marker, so that a broken line
    breaks no sentence.
    """
    joints = [
        " " if after.strip() and not _MARKER.match(after) else "\n" for after in [*lines[1:], ""]
    ]
    return _joined([folded(_MARKER.sub("", line, count=1)) for line in lines], joints)


def _joined(pieces: list[str], joints: list[str]) -> _View:
    starts, offset = [], 0
    for piece, joint in zip(pieces, joints, strict=True):
        starts.append(offset)
        offset += len(piece) + len(joint)
    return _View(
        "".join(piece + joint for piece, joint in zip(pieces, joints, strict=True)), starts
    )


def _fresh_finding(
    view: _View, span: tuple[int, int], fresh: set[int], rule: InjectionRule
) -> Iterator[Injection]:
    start, end = span
    touched = range(view.line_at(start), view.line_at(max(start, end - 1)) + 1)
    line = next((line for line in touched if line in fresh), None)
    if line is not None:
        yield Injection(line, rule.kind, excerpt(view.text[start:end]), rule.reason, rule.hold)


def excerpt(text: str) -> str:
    """A text in one short line, in which every sign can be seen."""
    shown = (
        sign if sign.isprintable() or sign.isspace() else _named(sign)
        for sign in head(text, _LONGEST)
    )
    line = " ".join("".join(shown).split())
    return line if len(line) < _LONGEST else f"{head(line, _LONGEST - 1)}…"


def _named(sign: str) -> str:
    return f"<U+{ord(sign):04X}>"


def _code_lines(text: str) -> set[int]:
    blocks = scan(text) if "<" in text or "]" in text else ()
    code = (block for block in blocks if block.kind in ("fence", "code"))
    return {block.line + n for block in code for n in range(block.text.count("\n") + 1)}


def _in_code_span(text: str, found: re.Match[str]) -> bool:
    """Whether a match stands between two backticks of its line."""
    before = text[max(0, found.start() - _NEAR) : found.start()].rpartition("\n")[2]
    after = text[found.end() : found.end() + _NEAR].partition("\n")[0]
    return before.count("`") % 2 == 1 and "`" in after


def _matches(rule: InjectionRule, text: str) -> Iterator[re.Match[str]]:
    if any(cue in text for cue in rule.cues):
        yield from _compiled(rule.pattern).finditer(text)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.MULTILINE)
