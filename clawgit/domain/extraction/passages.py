"""What a message says in its writer's own words, as whole passages: none is cut where its meaning
would turn.

A passage is one contiguous piece of the message. It is a sentence, or more where one alone would
say something else: a quotation, a bracket, a condition or a denial that stands in the sentence
beside it. What is pasted in, quoted or code is left out.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from clawgit.domain.markdown import frames
from clawgit.language.edges import core
from clawgit.language.lexicon import lexicons_for
from clawgit.language.negation import is_negated, negations
from clawgit.language.sentences import sentences
from clawgit.language.spans import Span, span
from clawgit.language.tokens import tokens

LONGEST = 400
"""Characters of a passage; a longer one is a text, and no fact."""

MOST = 20_000
"""So many characters of a message are read: a longer one is a file that somebody pasted in."""

_LONGEST_PATH = 100
_SHORT = 60
_PARAGRAPH = -1
"""A line of its own leads items however little they are indented."""
_DEEPEST = 6


class Passage(NamedTuple):
    """`text` is `message[start:end]`; `under` are the headings, the lead of the list or the header
    of the table that it stands under, each a piece of the message, too.
    """

    start: int
    end: int
    text: str
    under: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        return frames.HEADINGS.join(self.under)


class _Line(NamedTuple):
    """How the line of a sentence begins, what it is, and how far it is indented."""

    begin: str
    is_item: bool
    is_row: bool
    depth: int


def passages(text: str) -> tuple[Passage, ...]:
    """In the order of the message. Time is bounded, whatever its size."""
    head = text[:MOST]
    found: list[Passage] = []
    for passage in _sentences(head):
        if found and _belong(head, found[-1], passage):
            first = found.pop()
            passage = _joined(head, first, passage)  # noqa: PLW2901 - the two are one from here on
        found.append(passage)
    whole = [one for one in found if len(text) <= MOST or one.end < len(head.rstrip())]
    return tuple(one for one in whole if _stands(one))


def _sentences(text: str) -> Iterator[Passage]:
    """The sentences of the writer's own, each with what it stands under."""
    above = _Above(text)
    for sentence in sentences(text):
        line = above.entered(sentence)
        if _HEADING.match(line.begin):
            above.heading(line, sentence)
        elif line.is_row and not above.header:
            above.header = _bare(sentence.text) if _is_header(text, sentence) else ""
        elif _FOREIGN.match(line.begin) or _MACHINE.search(sentence.text):
            continue
        else:
            if not sentence.text.endswith((":", "：")) or line.is_row:
                yield Passage(*sentence, above.under(line))
            above.passed(line, sentence)


class _Above:
    """What stands above the sentence that is read: headings, what leads a list, the header of a
    table.
    """

    def __init__(self, text: str) -> None:
        self.header = ""
        self._text = text
        self._headings: list[tuple[int, str]] = []
        self._leads: list[tuple[int, Span]] = []
        self._last: Span | None = None
        self._is_direct = False

    def under(self, line: _Line) -> tuple[str, ...]:
        titles = (title for _, title in self._headings)
        leads = (
            _bare(lead.text)
            for depth, lead in self._leads
            if depth < line.depth or not line.is_item
        )
        return tuple(filter(None, (*titles, *leads, self.header)))

    def entered(self, sentence: Span) -> _Line:
        """The line of the next sentence. A lead ends with its list or its paragraph, a header with
        its table.
        """
        gap = self._text[self._last.end : sentence.start] if self._last else ""
        line = _line(self._text, sentence)
        is_parted = _BLANK.search(gap) is not None
        if "\n" in gap and line.is_item:
            self._leads = [one for one in self._leads if one[0] < line.depth]
            if self._last and not self._leads and not is_parted and not self._is_direct:
                self._leads = [(_PARAGRAPH, self._last)]
        elif is_parted:
            self._leads = []
        elif "\n" in gap:
            self._leads = [one for one in self._leads if one[0] < line.depth]
        if not line.is_row or is_parted:
            self.header = ""
        return line

    def heading(self, line: _Line, sentence: Span) -> None:
        level = len(line.begin.split(maxsplit=1)[0])
        kept = [one for one in self._headings if one[0] < level]
        self._headings, self._leads, self._last = [*kept, (level, _bare(sentence.text))], [], None

    def passed(self, line: _Line, sentence: Span) -> None:
        """A sentence leads what stands below it: an item what is nested in it, a line with a colon
        what follows.
        """
        begins = self._last is None or "\n" in self._text[self._last.end : sentence.start]
        if line.is_item:
            held = [one for one in self._leads if one[0] < line.depth]
            first = next(
                (lead.start for depth, lead in self._leads if depth == line.depth), sentence.start
            )
            start = sentence.start if begins else first
            self._leads = [*held, (line.depth, span(self._text, start, sentence.end))]
        elif sentence.text.endswith((":", "：")):
            self._leads = [*self._leads[-_DEEPEST:], (_PARAGRAPH, sentence)]
        self._is_direct = line.is_item
        self._last = sentence


def _line(text: str, sentence: Span) -> _Line:
    begin = text.rfind("\n", 0, sentence.start) + 1
    before = text[begin : sentence.start]
    depth = len(before.expandtabs(4)) - len(before.expandtabs(4).lstrip())
    return _Line(
        f"{before}{sentence.text[:1]}",
        _ITEM.match(before) is not None,
        before.lstrip().startswith("|"),
        depth,
    )


def _bare(text: str) -> str:
    return " ".join(core(text).text.rstrip(" :：").split())


def _is_header(text: str, row: Span) -> bool:
    end = text.find("\n", row.end)
    return end >= 0 and _DELIMITER.match(text, end + 1) is not None


def _belong(text: str, first: Passage, then: Passage) -> bool:
    """Whether one sentence says something else without the other."""
    gap = text[first.end : then.start]
    if first.under != then.under or _BLANK.search(gap) or _PARTED.search(gap):
        return False
    if _is_open(first.text):
        return True
    if then.text.endswith(("?", "？")):
        return False
    if then.text[:1].islower() and _may_go_on(gap, first.text):
        return _turns(first.text) or _begins_with_turn(then.text)
    return len(then.text) <= _SHORT and "," not in then.text and _begins_with_turn(then.text)


def _may_go_on(gap: str, first: str) -> bool:
    """Whether a sentence may not have ended yet where a small letter follows: no stop is there, or
    one like `max.`
    """
    if first[-1] not in ".!?。！？" or first.endswith(".."):
        return True
    short = _SHORT_FORM.search(first)
    return (
        "\n" not in gap
        and short is not None
        and short[1].islower()
        and short[1] not in _known(first)
    )


def _known(text: str) -> frozenset[str]:
    return frozenset().union(*(language.known for language in lexicons_for(text)))


def _is_open(text: str) -> bool:
    """Whether a quotation or a bracket in it is still open."""
    plain = _SMILEY.sub("", text)
    pairs = _GERMAN if "„" in text else _PAIRS
    return plain.count('"') % 2 == 1 or any(
        plain.count(one) > plain.count(other) for one, other in pairs
    )


def _turns(text: str) -> bool:
    if is_negated(text):
        return True
    among = tokens(text)
    return any(
        next(language.exact(name).every(text, among), None) is not None
        for language in lexicons_for(text)
        for name in ("conditions", "hedges", "reports")
    )


def _begins_with_turn(text: str) -> bool:
    among = tokens(text[:_SHORT])
    if not among:
        return False
    if any(language.exact("conditions").at(text, among, 0) for language in lexicons_for(text)):
        return True
    return any(denial.start == among[0].start for denial in negations(text[:_SHORT]))


def _joined(text: str, first: Passage, then: Passage) -> Passage:
    return Passage(*span(text, first.start, then.end), first.under)


def _stands(passage: Passage) -> bool:
    """Whether it may be kept by itself."""
    if (
        len(passage.text) > LONGEST
        or len(passage.path) > _LONGEST_PATH
        or len(passage.under) > _DEEPEST
    ):
        return False
    return not _is_open(passage.text)


_PAIRS = (("“", "”"), ("«", "»"), ("「", "」"), ("『", "』"), ("(", ")"), ("（", "）"), ("[", "]"))
_GERMAN = (("„", "“"), ("(", ")"), ("[", "]"))
_SMILEY = re.compile(r"[:;=8xX]['’]?-?[()\[\]]+|[()]+-?[:;=]")
_BLANK = re.compile(r"\n[ \t]*\n")
_ITEM = re.compile(r"[ \t]*(?:[-*+•·]|\d{1,3}[.)])[ \t]")
_PARTED = re.compile(r"\n[ \t]*(?:[-*+•·>#|]|\d{1,3}[.)][ \t])")
"""Behind such a line end, something of its own begins."""
_HEADING = re.compile(r"[ \t]{0,3}(#{1,6})[ \t]")
_DELIMITER = re.compile(r"[ \t]*\|?[ \t:|-]*-[ \t:|-]*(?:\n|\Z)")
_FOREIGN = re.compile(r"[ \t]*>|(?: {4}|\t)(?![ \t]*(?:[-*+•·]|\d{1,3}[.)])[ \t])")
"""A line that is quoted, or code by how far it is indented."""
_SHORT_FORM = re.compile(r"(?<![^\W_])([^\W\d_]{1,3})\.\Z")
_MACHINE = re.compile("[\u2500-\u259f\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufffd]")
"""Signs that nobody types: the lines of boxes and bars, and what controls a terminal."""
