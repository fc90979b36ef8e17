"""Keys, tokens and passwords in a text: found by shape or by what they are called, and told without being shown."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from clawgit.domain.beginning import shared
from clawgit.domain.likely import is_issued, is_login, is_password, is_token, is_url_password
from clawgit.domain.secret_rules import (
    FOREIGN_WORDS,
    HARMLESS,
    KEY_BLOCK,
    LOGIN,
    PASSWORD,
    SHAPES,
    SHORTEST,
    URL,
    WORDS,
    Shape,
    Word,
    compiled,
)

FINGERPRINT = 12
_JUDGED = 1
"""Counts the changes of `domain/likely.py` that let other values pass."""

_JUDGES = {PASSWORD: is_password, LOGIN: is_login}
_CODE = (
    ".py",
    ".js",
    ".mjs",
    ".ts",
    ".tsx",
    ".jsx",
    ".go",
    ".rs",
    ".java",
    ".rb",
    ".php",
    ".c",
    ".cpp",
    ".cs",
    ".swift",
)
"""Where a value without quotes is the name of a variable."""


class Secret(NamedTuple):
    """`shown` can be printed and logged. `fingerprint` is the same wherever the secret stands."""

    line: int
    rule: str
    shown: str
    fingerprint: str


class _Hit(NamedTuple):
    """A place, and how sure its rule is of it: of two that overlap, the lower `order` is right."""

    start: int
    end: int
    order: int
    rule: str
    shown: str
    value: str


def findings(path: str, text: str, allowed: frozenset[str] = frozenset()) -> tuple[Secret, ...]:
    """The secrets of a text by line, apart from those whose fingerprint is allowed. `path` tells code from prose."""
    found: list[Secret] = []
    line, counted = 1, 0
    for hit in _apart(_hits(path, text)):
        line, counted = line + text.count("\n", counted, hit.start), hit.start
        one = Secret(line, hit.rule, hit.shown, fingerprint(hit.value))
        if one.fingerprint not in allowed:
            found.append(one)
    return tuple(found)


def new_findings(path: str, before: str, after: str) -> tuple[Secret, ...]:
    """What a change brings in: only the lines that differ are read, and what stood there before does not count."""
    start, stop = _changed(before, after)
    found = findings(path, after[start:stop])
    if not found:
        return ()
    known = {one.fingerprint for one in findings(path, before)}
    above = after.count("\n", 0, start)
    return tuple(one._replace(line=one.line + above) for one in found if one.fingerprint not in known)


class Place(NamedTuple):
    """Where a secret stands in a text, from its first character to behind its last."""

    start: int
    end: int
    fingerprint: str


def places(text: str) -> list[Place]:
    """Where secrets stand, in the order of the text. Each is whole, so that nothing of it is left where it is masked: a
    private key reaches to the line that ends it, and lines of one whose beginning was cut off count as well.
    """
    if len(text) < _SHORTEST_TEXT:
        return []
    found = [Place(hit.start, _whole_end(text, hit), fingerprint(hit.value)) for hit in _apart(_hits("", text))]
    if len(text) < _KEY_LINE_LENGTH:
        return found
    whole = [(one.start, one.end) for one in found]
    for match in compiled(_KEY_LINE).finditer(text):
        start, end = match.span(1)
        is_known = any(first < end and start < last for first, last in whole)
        if _is_mixed(match[1]) and not is_known:
            found.append(Place(start, end, fingerprint(match[1])))
    return sorted(found)


def masked(text: str, allowed: frozenset[str] = frozenset()) -> str:
    """The text with `[secret:FINGERPRINT]` in the place of each secret, apart from those that are allowed. A secret of
    several lines becomes a mask on each, so that lines keep their numbers.
    """
    parts, at = list[str](), 0
    for place in places(text):
        if place.fingerprint in allowed or place.start < at:
            continue
        mask = f"[secret:{place.fingerprint}]"
        _, *more = text[place.start : place.end].split("\n")
        parts += text[at : place.start], mask, *(f"\n{_margin(line)}{mask}" for line in more)
        at = place.end
    return "".join([*parts, text[at:]]) if parts else text


def _whole_end(text: str, hit: _Hit) -> int:
    """A key is known by how it begins; it goes on to its last line."""
    if hit.rule != KEY_BLOCK.rule:
        return hit.end
    ended = compiled(_KEY_END).match(text, hit.end)
    rest = ended or compiled(_KEY_REST).match(text, hit.end)
    return rest.end() if rest else hit.end


def _is_mixed(value: str) -> bool:
    """A hash is of one case, a rule of one sign."""
    return all(compiled(kind).search(value) for kind in ("[a-z]", "[A-Z]", "[0-9]"))


def _margin(line: str) -> str:
    """The signs of a quotation or a patch before a line."""
    return line[: len(line) - len(line.lstrip(" \t>+"))]


def fingerprint(value: str) -> str:
    """Enough to know a secret again, far too little to get it back."""
    from hashlib import sha256  # noqa: PLC0415 - takes 3 ms to load, and nearly no text has a secret

    return sha256(value.encode("utf-8", "surrogatepass")).hexdigest()[:FINGERPRINT]


def rules_mark() -> str:
    """Another one when the rules find something else."""
    return fingerprint(repr((_JUDGED, SHAPES, KEY_BLOCK, URL, WORDS, FOREIGN_WORDS, HARMLESS)))


def _hits(path: str, text: str) -> Iterator[_Hit]:
    words = _long_words(text)
    for order, shape in enumerate(SHAPES) if words else ():
        for mark in shape.marks:
            if mark in words:
                yield from _shaped(text, shape, mark, order)
    yield from _shaped(text, KEY_BLOCK, KEY_BLOCK.marks[0], len(SHAPES))
    yield from _in_urls(text)
    yield from _named(text, quoted=path.lower().endswith(_CODE))


def _apart(hits: Iterator[_Hit]) -> list[_Hit]:
    """In the order of the text, one for each place."""
    kept: list[_Hit] = []
    for hit in sorted(hits):
        if not kept or kept[-1].end <= hit.start:
            kept.append(hit)
        elif hit.order < kept[-1].order:
            kept[-1] = hit
    return kept


def _long_words(text: str) -> str:
    """What of a text can hold a secret with a shape: eighty marks need not be looked for in all the rest."""
    return "\n".join([word for word in text.split() if len(word) >= SHORTEST])


def _places(text: str, mark: str) -> Iterator[int]:
    at = text.find(mark)
    while at >= 0:
        yield at
        at = text.find(mark, at + len(mark))


def _shaped(text: str, shape: Shape, mark: str, order: int) -> Iterator[_Hit]:
    for at in _places(text, mark):
        match = compiled(f"{shape.before}{re.escape(mark)}{shape.body}").match(text, at)
        if match and is_issued(text[at - shape.lead : at] + match[0][len(mark) :]):
            value = compiled(_BLANKS).sub("", match[1]) if match.re.groups else text[at - shape.lead : match.end()]
            yield _Hit(at - shape.lead, match.end(), order, shape.rule, f"{mark}…", value)


def _in_urls(text: str) -> Iterator[_Hit]:
    for at in _places(text, "://"):
        match = compiled(URL).match(text, at)
        if match and is_url_password(match[1], match[2]):
            yield _Hit(*match.span(2), _SAID, "url-password", "://…:…@", match[2])


def _named(text: str, *, quoted: bool) -> Iterator[_Hit]:
    lower = text.lower() if "İ" not in text else text.replace("İ", "I").lower()  # the one sign that grows
    for word in WORDS if text.isascii() else (*WORDS, *FOREIGN_WORDS):
        for at in _places(lower, word.word):
            end = at + len(word.word)
            if word.before and not compiled(word.before).search(text[max(0, at - _NEAR) : at]):
                continue
            match = compiled(word.pattern).match(text, end)
            if match and (not quoted or text[match.start(2) - 1] in _QUOTES):
                yield from _valued(word, match)


def _valued(word: Word, match: re.Match[str]) -> Iterator[_Hit]:
    """The value that a name is given, where it can be meant."""
    if compiled(HARMLESS).search(match[1]):
        return
    end = ";" if word.rule == PASSWORD else "[&,;)]"
    value = compiled(end).split(match[2], 1)[0].rstrip(_STOPS)
    if _JUDGES.get(word.rule, is_token)(value):
        start = match.start(2)
        yield _Hit(start, start + len(value), _SAID, word.rule, f"{word.rule}: …", value)


def _changed(before: str, after: str) -> tuple[int, int]:
    """The part of a text, in whole lines, that another did not have."""
    start = after.rfind("\n", 0, shared(before, after)) + 1
    same = shared(before[start:][::-1], after[start:][::-1])
    stop = after.find("\n", len(after) - same)
    return start, len(after) if stop < 0 else stop


_SAID = len(SHAPES) + 1
_NEAR = 24
_QUOTES = "\"'`“„«"
_STOPS = ".,:!?)]}\\*_"
_BLANKS = r"\\+[rn]|[\s>]"
_KEY_END = r"[A-Za-z0-9+/=\s>\\]*+-----END [A-Z0-9 ]{1,40}-----"
_KEY_REST = r"[A-Za-z0-9+/=]*+(?:[\\\s>]++[A-Za-z0-9+/=]{20,}+)*"
_KEY_LINE_LENGTH = 64
_SHORTEST_TEXT = 11
"""“a://b:cde@f” is the shortest text with a secret; most values of a result are shorter."""
_KEY_LINE = r"(?m)^[ \t>+-]{0,12}?([A-Za-z0-9+/]{64}(?:[A-Za-z0-9+/]{6}){0,2})$"
"""What PEM, OpenSSH and PGP wrap a key into: 64, 70 or 76 signs, and nothing else on the line."""
