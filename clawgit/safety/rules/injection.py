"""Finds prompt injection: text that was planted to make the agent act against its operator.

What the words say is judged by a learned judge. What a reader of the page cannot see is found as
such: invisible characters, comments of no known kind. The judge is not certain: the operator can
approve what is held back. Words that are disguised are not looked for: an order in plain words that
the judge does not know gets past it more easily.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

from clawgit.core import NamedTuple
from clawgit.core.doors import html
from clawgit.core.markdown import frames
from clawgit.core.markdown.scan import scan
from clawgit.language.judges.judging import poison
from clawgit.language.lazily import lazily
from clawgit.safety.rules.masks import UNSEEN
from clawgit.safety.rules.visible import hides, redrawn

INSTRUCTS, HIDES, EXFILTRATES = "instructs", "hides", "exfiltrates"

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
    """`kind` is instructs, hides or exfiltrates. A write of an agent that brings one must wait for
    the operator.
    """

    line: int
    kind: str
    reason: str
    first: int
    last: int
    """What was judged as one: its first and its last line."""


def findings(before: str, after: str) -> tuple[Injection, ...]:
    """What is suspicious in `after`, on lines that `before` does not have, in order."""
    lines = after.split("\n")
    known = {line.strip() for line in before.split("\n")}
    fresh = {number for number, line in enumerate(lines, 1) if line.strip() not in known}
    found = (_in_unit(first, unit, fresh) for first, unit in units(lines))
    return tuple(sorted(set(chain.from_iterable(found))))


def _in_unit(first: int, unit: list[str], fresh: set[int]) -> Iterator[Injection]:
    last = first + len(unit) - 1
    new = sorted(fresh.intersection(range(first, last + 1)))
    for number in new:
        # A byte order mark is normal at the start of a file.
        if hides(unit[number - first].removeprefix("\ufeff" if number == 1 else "")):
            yield Injection(number, HIDES, "invisible characters", first, last)
    if new:
        for kind, reason in _meant(plain("\n".join(unit))):
            yield Injection(new[0], kind, reason, first, last)


def _meant(text: str) -> Iterator[tuple[str, str]]:
    """What the words of an item or paragraph mean, as far as it can be learned: the kind, and the
    reason.
    """
    # What is said around a comment, which a reader sees, is no excuse for it, nor is it one that we
    # have quoted somebody.
    quoted = frames.QUOTED.match(text)
    alone = (*_COMMENTED.findall(text), *((quoted[2],) if quoted else ()))
    for part in chain(parts_of(text), *map(parts_of, alone)):
        kind = max(map(poison, told_in(part))).kind
        if kind:
            yield _REASONS[kind]


# What is judged together, and as what.

_MARKER = lazily(
    r"^[+-]?[\s>]{0,20}(?:[-*+]|[0-9]{1,9}[.)]|#{1,6}|>)\s{1,20}(?:\[[ xX]\]\s{1,20})?"
)

_ALONE = lazily(r"[\s>]{0,20}(?:`{3,9}|~{3,9})[\w+-]{0,20}\s*$|[ >]{0,20}#")
"""A fence, which parts what stands in it from what is around it, and a heading."""

_COMMENTED = lazily(r"(?s)<!--(.+?)(?:-->|\Z)")

_SENTENCE_END = lazily(r"(?<=[.!?])\s|(?<=[。！？\n])")

_TOLD_END = lazily(
    r"""(?:"[^"]{1,300}"|`[^`]{1,300}`|“[^”]{1,300}”|„[^“”]{1,300}[“”]|«[^»]{1,300}»|「[^」]{1,300}」)
    |((?<=[.!?…:;])\s|(?<=[。！？：；])|\n)""",
    re.VERBOSE,
)
"""The end of what is told by itself. What is quoted is told by the sentence around it."""
_SHORTEST_TOLD = 10

_LONGEST_UNIT = 480
"""At most this many characters are judged together: in a longer text, one planted sentence is
lost.
"""


def units(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Items, headings, fences and paragraphs, each with the number of its first line."""
    unit: list[str] = []
    for number, line in enumerate([*lines, ""], 1):
        is_gap = not line.strip()
        if unit and (is_gap or _MARKER.match(line) or _ALONE.match(line) or _ALONE.match(unit[-1])):
            yield number - len(unit), unit
            unit = []
        if not is_gap:
            unit.append(line)


@lru_cache(maxsize=1024)  # a file is read whole at each write, and most of it stays as it is
def plain(text: str) -> str:
    """An item or a paragraph as it is judged, wherever it stands: without the mark of a list, a
    quote or a heading, without stars and entities, invisible characters and comments that say
    nothing.
    """
    text = without_silent(text)
    mark = _MARKER.match(text)
    text = text[mark.end() if mark else 0 :].replace("*", "")
    if "&" in text:  # the table of entities takes 1 ms to load
        text = html.unescape(text)
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", redrawn(text, lambda _: ""))


def parts_of(text: str) -> Iterator[str]:
    """A text in parts of whole sentences. Each begins with the sentence that ends the one before
    it.
    """
    if len(text) <= _LONGEST_UNIT:
        yield text
        return
    part: list[str] = []
    for more in _sentences(text):
        if part and sum(map(len, part)) + len(more) > _LONGEST_UNIT:
            yield "".join(part)
            part = part[-1:] if len(part[-1]) + len(more) <= _LONGEST_UNIT else []
        part.append(more)
    yield "".join(part)


def told_in(text: str) -> Iterator[str]:
    """A text, and each of its sentences: beside honest ones, a planted one is lost."""
    yield text
    start = 0
    for match in _TOLD_END.finditer(text):
        if match[1] is not None:
            yield from _told(text[start : match.end()])
            start = match.end()
    if start:
        yield from _told(text[start:])


def _told(sentence: str) -> Iterator[str]:
    if len(sentence := sentence.strip()) >= _SHORTEST_TOLD:
        yield sentence


def _sentences(text: str) -> Iterator[str]:
    """All of a text, cut at the ends of sentences, or where one is too long."""
    start = 0
    for end in (*(match.end() for match in _SENTENCE_END.finditer(text)), len(text)):
        for at in range(start, end, _LONGEST_UNIT):
            yield text[at : min(end, at + _LONGEST_UNIT)]
        start = end


# What the rendered page does not show.

_LONGEST_LINE = 4000
"""Of a longer line, the backticks of code spans are not counted."""

_KNOWN_COMMENT = lazily(
    r"""<!--\s{0,4}(?:claw:[^\s<>]{1,40}(?:\ [a-z]{1,12}=[^\s<>]{0,400}){0,40}
    |clawgit:[a-z:]{1,40}
    |/?organizer:facts
    |was:\ [^<>\n]{0,2000}
    |openclaw-memory-promotion:[^\s<>]{1,200}
    |openclaw:dreaming:[a-z]{1,12}(?::(?:start|end))?
    |importance:\s?(?:10|[1-9])
    |observed:\s?(?:[0-9-]{10}|YYYY-MM-DD)(?:\s?\|\s?status:\s?[a-z]{1,12}(?:\|[a-z]{1,12})?)?
    |(?:trigger|project):[\w\s,./-]{1,120}
    )\s{0,4}-->""",
    re.VERBOSE,
)
"""Comments with a known meaning: clawgit's facts, old values of corrections, and OpenClaw's."""

_WORDLESS = lazily(r"<!--(?:(?!-->)[\W\d_]){0,200}-->")
_SAYS = lazily(r"<!--\s{0,4}(?:was|trigger|project):")
_COMMENT = lazily(
    r"""<!--|^\ {0,3}\[(?://|comment|_|\#|\.)\]:\ *(?:\#|<>|<\#>)\ *["'(]""",
    re.MULTILINE | re.VERBOSE,
)
"""How a comment begins, as HTML or in the form of a link."""


def without_silent(text: str) -> str:
    """A text without the comments of clawgit and OpenClaw that say nothing. Old values and triggers
    are text that an agent reads.
    """
    if "<!--" not in text:
        return text
    return _KNOWN_COMMENT.sub(lambda one: one[0] if _SAYS.match(one[0]) else "", text)


def without_unseen(text: str) -> str:
    """A text with a mark for the words of each comment that is not of a known kind, and for
    invisible characters. It keeps its lines.
    """
    # Either begins a comment. Nearly each entry has one of a known kind.
    may_hide = "<!--" in text or "]:" in text
    if may_hide and _COMMENT.search(_KNOWN_COMMENT.sub("", text)):
        text = _without_comments(text)
    # Control characters are made visible by whoever prints them.
    return redrawn(text, lambda signs: signs if max(signs) < " " or not hides(signs) else UNSEEN)


def _without_comments(text: str) -> str:
    code, last = _code_lines(text), text.rfind("-->")
    pieces, at, line, counted = list[str](), 0, 1, 0
    for comment in _COMMENT.finditer(text):
        start = comment.start()
        line, counted = line + text.count("\n", counted, start), start
        is_known = _KNOWN_COMMENT.match(text, start) or _WORDLESS.match(text, start)
        if start < at or is_known or line in code or _in_code_span(text, comment):
            continue
        end = _end_of(comment, last)
        if end is not None:
            lines = "\n" * text.count("\n", start, end)
            pieces += (text[at:start], f"<!-- {UNSEEN}{lines} -->")
            at = end
    return "".join([*pieces, text[at:]])


def _end_of(comment: re.Match[str], last: int) -> int | None:
    """Where a comment ends, however long it is; None where it is not one, but shown as it is.
    `last` is where the last of them is closed.
    """
    text, start = comment.string, comment.start()
    if comment[0] != "<!--":
        end = text.find("\n", start)
        return len(text) if end < 0 else end
    if start < last:
        return text.find("-->", start) + len("-->")
    begins_line = not text[text.rfind("\n", 0, start) + 1 : start].strip()
    return len(text) if begins_line else None


def _code_lines(text: str) -> set[int]:
    code = (block for block in scan(text) if block.kind in ("fence", "code"))
    return {
        block.line + n
        for block in code
        for n in range(block.text.removesuffix("\n").count("\n") + 1)
    }


def _in_code_span(text: str, found: re.Match[str]) -> bool:
    """Whether a match stands between two backticks of its line."""
    first = text.rfind("\n", 0, found.start()) + 1
    if found.start() - first > _LONGEST_LINE:
        return False
    after = text[found.end() : found.end() + _LONGEST_LINE].partition("\n")[0]
    return text.count("`", first, found.start()) % 2 == 1 and "`" in after
