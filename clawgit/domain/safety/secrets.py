"""Keys, tokens and passwords in a text: found by shape or by what they are called, and reported
without being shown.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from clawgit.domain.change.common_ends import common_start
from clawgit.domain.safety.bare_words import bare_words
from clawgit.domain.safety.mask_spans import STOPS, beside, last_signs, mask_spans
from clawgit.domain.safety.secret_likelihood import (
    is_drawn,
    is_issued,
    is_login,
    is_password,
    is_prose,
    is_token,
    is_url_password,
)
from clawgit.domain.safety.secret_rules import (
    FOREIGN_LABELS,
    HARMLESS,
    HARMLESS_BEFORE,
    KEY_BLOCK,
    LABELS,
    LOGIN,
    PASSWORD,
    SHAPES,
    SHORTEST,
    TOLD,
    URL,
    SecretLabel,
    Shape,
    compiled,
)

FINGERPRINT = 12

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

_SAID = len(SHAPES) + 1

_FINGERPRINTED = rf":[0-9a-f]{{{FINGERPRINT}}}\\?\]"

_NEAR = 24

_PLAIN_NAME = rf"(?:[A-Za-z0-9_.-]{{1,{SHORTEST - 1}}}/){{0,99}}[A-Za-z0-9_.-]{{1,{SHORTEST - 1}}}"
"""Paths and ids, of which an answer may have a hundred thousand: no shape fits into a part so
short, and no label gives a value without a blank, `:` or `=`."""

_ASCII = bytes(range(128))

_CUT_SHORT = ("...", "…", "***")

_QUOTES = "\"'`“„«"

_OTHER_SCRIPT = (
    "[\u0590-\u08ff\u0900-\u0e7f\u1100-\u11ff\u3000-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef…]"
)
"""Where a sentence goes on in Chinese, Japanese, Korean, Thai, Hindi, Arabic or Hebrew, the value
has ended."""

_BLANKS = r"\\+[rn]|[\s>]"

_KEY_END = r"[A-Za-z0-9+/=\s>\\]*+-----END [A-Z0-9 ]{1,40}-----"

_KEY_REST = r"[A-Za-z0-9+/=]*+(?:[\\\s>]++[A-Za-z0-9+/=]{20,}+)*"

_KEY_LINE_LENGTH = 64

_SHORTEST_TEXT = 11
"""“a://b:cde@f” is the shortest text with a secret; most values of a result are shorter."""

_LONGEST_KEPT = 2_000
"""The secrets of a text of at most this many characters are remembered while the process lives."""

_KEY_LINE = r"(?m)^[ \t>+-]{0,12}?([A-Za-z0-9+/]{64}(?:[A-Za-z0-9+/]{6}){0,2})$"
"""What PEM, OpenSSH and PGP wrap a key into: 64, 70 or 76 signs, and nothing else on the line."""


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
    """The secrets of a text by line, apart from those whose fingerprint is allowed. `path` tells
    code from prose.
    """
    found: list[Secret] = []
    line, counted = 1, 0
    for hit in _found(path, text):
        line, counted = line + text.count("\n", counted, hit.start), hit.start
        one = Secret(line, hit.rule, hit.shown, fingerprint(hit.value))
        if one.fingerprint not in allowed:
            found.append(one)
    return tuple(found)


def new_findings(path: str, before: str, after: str) -> tuple[Secret, ...]:
    """What a change brings in: only the lines that differ are read, and what stood there before
    does not count.
    """
    start, stop = _changed(before, after)
    found = findings(path, after[start:stop])
    if not found:
        return ()
    known = {one.fingerprint for one in findings(path, before)}
    above = after.count("\n", 0, start)
    return tuple(
        one._replace(line=one.line + above) for one in found if one.fingerprint not in known
    )


class SecretSpan(NamedTuple):
    """Where a secret stands in a text, from its first character to after its last."""

    start: int
    end: int
    fingerprint: str


def places(text: str) -> list[SecretSpan]:
    """Where secrets stand, in the order of the text. Each is whole, so that nothing of it is left
    where it is masked: a private key reaches to the line that ends it, and lines of one whose
    beginning was cut off count as well.
    """
    if len(text) < _SHORTEST_TEXT:
        return []
    return _all_places(text) if len(text) > _LONGEST_KEPT else [*_remembered(text)]


@lru_cache(maxsize=4096)  # an answer is masked as it is made, as it is cut and as it is sent
def _remembered(text: str) -> tuple[SecretSpan, ...]:
    return tuple(_all_places(text))


def _all_places(text: str) -> list[SecretSpan]:
    found = [
        SecretSpan(hit.start, _whole_end(text, hit), fingerprint(hit.value))
        for hit in _found("", text)
    ]
    return found if len(text) < _KEY_LINE_LENGTH else sorted([*found, *_key_lines(text, found)])


def _key_lines(text: str, found: Sequence[SecretSpan]) -> Iterator[SecretSpan]:
    """The lines of a private key that are not part of what was found."""
    for match in compiled(_KEY_LINE).finditer(text):
        start, end = match.span(1)
        is_known = any(one.start < end and start < one.end for one in found)
        if _is_mixed(match[1]) and not is_known:
            yield SecretSpan(start, end, fingerprint(match[1]))


def masked(text: str, allowed: frozenset[str] = frozenset()) -> str:
    """The text with `[secret:FINGERPRINT]` in the place of each secret, apart from those that are
    allowed. A secret of several lines becomes a mask on each, so that lines keep their numbers.
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
    """A hash has letters of one case, a rule repeats one character."""
    return all(compiled(kind).search(value) for kind in ("[a-z]", "[A-Z]", "[0-9]"))


def _margin(line: str) -> str:
    """The marks of a quotation or a patch before a line."""
    return line[: len(line) - len(line.lstrip(" \t>+"))]


def fingerprint(value: str) -> str:
    """Enough to recognise a secret, far too little to get it back."""
    return hashlib.sha256(value.encode("utf-8", "surrogatepass")).hexdigest()[:FINGERPRINT]


def _hits(path: str, text: str) -> Iterator[_Hit]:
    """What stands in a text as it is, and then what is disguised in one of its words."""
    hits = [*_open_hits(path, text)]
    yield from hits
    for word in bare_words(text):
        is_known = any(hit.start < word.end and word.start < hit.end for hit in hits)
        first = None if is_known else min(_all_shaped(word.text), default=None)
        if first:
            yield first._replace(start=word.start, end=word.end)


def _all_shaped(text: str) -> Iterator[_Hit]:
    words = _long_words(text)
    for order, mark in _marks_in(words) if words else ():
        if any(_matches(words, SHAPES[order], mark)):
            yield from _shaped(text, SHAPES[order], mark, order)


def _open_hits(path: str, text: str) -> Iterator[_Hit]:
    yield from _all_shaped(text)
    yield from _shaped(text, KEY_BLOCK, KEY_BLOCK.marks[0], len(SHAPES))
    yield from _in_urls(text)
    yield from _named(text, quoted=path.lower().endswith(_CODE))


def _marks_in(words: str) -> list[tuple[int, str]]:
    """The shapes that some words may hold, each with its mark."""
    return [row for row in _mark_rows() if row[1] in words]


@cache
def _mark_rows() -> tuple[tuple[int, str], ...]:
    return tuple((order, mark) for order, shape in enumerate(SHAPES) for mark in shape.marks)


def _found(path: str, text: str) -> list[_Hit]:
    """The secrets outside masks, in the order of the text, one for each place."""
    if compiled(_PLAIN_NAME).fullmatch(text):
        return []
    masks = mask_spans(text)
    hits = list[_Hit]()
    for hit in _hits(path, text):
        if span := beside(masks, hit[:2]):
            hits.append(hit._replace(start=span[0], end=span[1]))
    return _apart(hits)


def _apart(hits: Iterable[_Hit]) -> list[_Hit]:
    """In the order of the text, one for each place."""
    kept: list[_Hit] = []
    for hit in sorted(hits):
        if not kept or kept[-1].end <= hit.start:
            kept.append(hit)
        elif hit.order < kept[-1].order:
            kept[-1] = hit
    return kept


def _long_words(text: str) -> str:
    """The words of a text that are long enough to hold a shaped secret, each once: the marks are
    looked for in these only.
    """
    return "\n".join({word for word in text.split() if len(word) >= SHORTEST})


def _places(text: str, mark: str) -> Iterator[int]:
    at = text.find(mark)
    while at >= 0:
        yield at
        at = text.find(mark, at + len(mark))


def _matches(text: str, shape: Shape, mark: str) -> Iterator[re.Match[str]]:
    """Where a shape stands; short marks stand in many places where none does."""
    at = text.find(mark)
    while at >= 0:
        # Compiled here only: most texts hold no mark.
        match = compiled(f"{shape.before}{re.escape(mark)}{shape.body}").match(text, at)
        if match:
            yield match
        at = text.find(mark, match.end() if match else at + len(mark))


def _shaped(text: str, shape: Shape, mark: str, order: int) -> Iterator[_Hit]:
    for match in _matches(text, shape, mark):
        at = match.start()
        whole = text[at - shape.lead : match.end()]
        body = text[at - shape.lead : at] + match[0][len(mark) :]
        if is_issued(whole, body):
            value = compiled(_BLANKS).sub("", match[1]) if match.re.groups else whole
            yield _Hit(at - shape.lead, match.end(), order, shape.rule, f"{mark}…", value)


def _in_urls(text: str) -> Iterator[_Hit]:
    for at in _places(text, "://"):
        match = compiled(URL).match(text, at)
        if match and is_url_password(match[1], match[2]):
            yield _Hit(*match.span(2), _SAID, "url-password", "://…:…@", match[2])


def _named(text: str, *, quoted: bool) -> Iterator[_Hit]:
    """Secrets by the label before them, as in `password: …`; in code, only in quotation marks."""
    # Of all characters, only this one has a lower case that is longer: places would shift.
    lower = text.replace("İ", "I").lower()
    for word, labels in _labels_by_word(lower):
        if word not in lower:
            continue
        for at in _places(lower, word):
            before = text[max(0, at - _NEAR) : at]
            end = at + len(word)
            # `[secret:0123456789ab]` is our own mask: its label must not be reported again.
            if before.endswith("[") and compiled(_FINGERPRINTED).match(text, end):
                continue
            for label in labels:
                yield from _labelled(text, label, before, end, quoted=quoted)


def _labelled(
    text: str, label: SecretLabel, before: str, end: int, *, quoted: bool
) -> Iterator[_Hit]:
    """The value after one label, whose word ends at `end`."""
    tail = _tail(text, label, before, end)
    if tail is None:
        return
    match = compiled(label.value).match(text, tail.end())
    if match and not (quoted and text[match.start(1) - 1] not in _QUOTES):
        yield from _valued(text, label, tail[0], match)
    if label.rule == PASSWORD and not quoted:
        yield from _told(text, tail)


def _tail(text: str, label: SecretLabel, before: str, end: int) -> re.Match[str] | None:
    """How the name goes on that a label's word begins, where a value may come next."""
    if label.before and not compiled(label.before).search(before):
        return None
    if compiled(HARMLESS_BEFORE).search(before):
        return None
    return compiled(label.tail).match(text, end)


def _told(text: str, tail: re.Match[str]) -> Iterator[_Hit]:
    """The password that a sentence gives, wherever in the sentence it stands."""
    match = compiled(TOLD).match(text, tail.end())
    if match is None or match[1].endswith(_CUT_SHORT):
        return
    value = _trimmed(match[1], ";")
    if is_drawn(value) and not _is_harmless(tail[0], text[match.start() : match.start(1)]):
        yield _named_hit(text, PASSWORD, match, value)


def _labels_by_word(lower: str) -> Iterator[tuple[str, list[SecretLabel]]]:
    """What to look for in a text, with the labels of each word."""
    yield from _grouped(LABELS)
    if lower.isascii():
        return
    # Most texts have little that is not ASCII, and to look through that is as good as to look
    # through all.
    rest = lower.encode("utf-8", "surrogatepass").translate(None, _ASCII)
    yield from (
        (word, labels) for word, labels in _grouped(FOREIGN_LABELS) if _beyond_ascii(word) in rest
    )


@cache
def _grouped(labels: tuple[SecretLabel, ...]) -> list[tuple[str, list[SecretLabel]]]:
    by_word = dict[str, list[SecretLabel]]()
    for label in labels:
        by_word.setdefault(label.word, []).append(label)
    return list(by_word.items())


@cache
def _beyond_ascii(word: str) -> bytes:
    return word.encode().translate(None, _ASCII)


def _valued(text: str, label: SecretLabel, tail: str, match: re.Match[str]) -> Iterator[_Hit]:
    """The value that a name is given, where it can be meant."""
    name = text[match.start() : match.start(1)]
    if _is_harmless(tail, name) or match[1].endswith(_CUT_SHORT):
        return
    value = _trimmed(match[1], ";" if label.rule == PASSWORD else "[&,;)]")
    is_secret = _JUDGES.get(label.rule, is_token)(value)
    if is_secret and not is_prose(text, match.start(1) + len(value), name, value):
        yield _named_hit(text, label.rule, match, value)


def _named_hit(text: str, rule: str, match: re.Match[str], value: str) -> _Hit:
    start = match.start(1)
    stop = start + len(value) + last_signs(text[start - 1 : start], match[1][len(value) :])
    return _Hit(start, stop, _SAID, rule, f"{rule}: …", value)


def _is_harmless(tail: str, name: str) -> bool:
    """Whether a name speaks of a secret but holds none, as “password policy” does."""
    words = compiled(r"\w+").findall(name)
    return bool(compiled(HARMLESS).search(tail)) or any(map(compiled(HARMLESS).fullmatch, words))


def _trimmed(value: str, end: str) -> str:
    """A value up to a sign that ends it, or to a sentence that goes on in another script."""
    value = compiled(end).split(value, 1)[0]
    return compiled(_OTHER_SCRIPT).split(value, 1)[0].rstrip(STOPS)


def _changed(before: str, after: str) -> tuple[int, int]:
    """The part of a text, in whole lines, that another did not have."""
    start = after.rfind("\n", 0, common_start(before, after)) + 1
    same = common_start(before[start:][::-1], after[start:][::-1])
    stop = after.find("\n", len(after) - same)
    return start, len(after) if stop < 0 else stop
