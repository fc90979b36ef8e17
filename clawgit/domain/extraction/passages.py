"""What a message says in its writer's own words, as passages that are never cut in mid-meaning.

A passage is one contiguous piece of the message. It is one sentence, or several if one alone would
say something else: because of a quotation, a bracket, a condition or a denial in the next one. What
is pasted in, quoted or code is skipped.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from clawgit.domain.markdown import frames
from clawgit.language.edges import core
from clawgit.language.lexicon import has_any, lexicons_for
from clawgit.language.negation import is_negated, negations
from clawgit.language.notes import MARKS, matcher
from clawgit.language.sentences import sentences
from clawgit.language.spans import Span, span
from clawgit.language.tokens import tokens

LONGEST = 400
"""The most characters of a passage. A longer one is not a fact."""

MOST = 20_000
"""The most characters of a message that are read. A longer message is a pasted file."""

_LONGEST_PATH = 100
_SHORT = 60
_PARAGRAPH = -1
"""The depth of a paragraph: it leads items however little they are indented."""
_DEEPEST = 6

_PAIRS = (("“", "”"), ("«", "»"), ("「", "」"), ("『", "』"), ("(", ")"), ("（", "）"), ("[", "]"))
_GERMAN = (("„", "“"), ("(", ")"), ("[", "]"))
_SMILEY = re.compile(r"[:;=8xX]['’]?-?[()\[\]]+|(?<![()])[()]+-?[:;=]")
_BLANK = re.compile(r"\n[ \t]*\n")
_ITEM = re.compile(r"[ \t]*(?:[-*+•·]|\d{1,3}[.)])[ \t]")
_PARTED = re.compile(r"\n[ \t]*(?:[-*+•·>#|]|\d{1,3}[.)][ \t])")
"""Line ends after which a new item, quote, heading or row begins."""
_HEADING = re.compile(r"[ \t]{0,3}(#{1,6})[ \t]")
_DELIMITER = re.compile(r"[ \t]*\|?[ \t:|-]*-[ \t:|-]*(?:\n|\Z)")
_SHORT_FORM = re.compile(r"(?<![^\W_])([^\W\d_]{1,3})\.\Z")
_MACHINE = re.compile("[\u2500-\u259f\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufffd]")
"""Characters that nobody types: lines of boxes and bars, and control characters."""


class Passage(NamedTuple):
    """`text` is `message[start:end]`.

    `under` are the headings, the lead of its list and the header of its table. Each is a piece of
    the message as well.
    """

    start: int
    end: int
    text: str
    under: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        return frames.HEADINGS.join(self.under)


class _Line(NamedTuple):
    """How the line of a sentence begins, what kind it is, and how far it is indented."""

    begin: str
    is_item: bool
    is_row: bool
    depth: int


def passages(text: str) -> tuple[Passage, ...]:
    """The passages, in the order of the message. The time is limited, whatever its size."""
    head = own(text[:MOST])
    joined: list[Passage] = []
    for passage in _sentences(head):
        if joined and _belong(head, joined[-1], passage):
            joined[-1] = _joined(head, joined[-1], passage)
        else:
            joined.append(passage)
    if len(text) > MOST:
        joined = _without_cut_off(head, joined)
    return tuple(passage for passage in joined if _stands(passage))


def _without_cut_off(head: str, every: list[Passage]) -> list[Passage]:
    """The passages without the last sentence, which may have been cut in two."""
    end = len(head.rstrip())
    return [passage for passage in every if passage.end < end]


def _sentences(text: str) -> Iterator[Passage]:
    """The writer's own sentences, each with what it stands under."""
    above = _Above(text)
    for sentence in sentences(text):
        line = above.entered(sentence)
        if _HEADING.match(line.begin):
            above.heading(line, sentence)
        elif line.is_row and not above.header:
            above.header = _header(text, sentence)
        elif not _MACHINE.search(sentence.text):
            is_lead = sentence.text.endswith((":", "：")) and not line.is_row
            if not is_lead:
                yield Passage(*sentence, above.under(line))
            above.passed(line, sentence)


def _header(text: str, row: Span) -> str:
    """The words of a row that is the header of a table, "" for any other row."""
    return _bare(row.text) if _is_header(text, row) else ""


class _Above:
    """What stands above the current sentence: headings, leads of lists, the header of a table."""

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
            if not line.is_item or depth < line.depth
        )
        return tuple(filter(None, (*titles, *leads, self.header)))

    def entered(self, sentence: Span) -> _Line:
        """The line of the next sentence.

        A lead ends with its list or its paragraph, a header with its table.
        """
        gap = self._text[self._last.end : sentence.start] if self._last else ""
        line = _line(self._text, sentence)
        is_parted = _BLANK.search(gap) is not None
        begins_line = "\n" in gap
        if begins_line and line.is_item:
            self._enter_item(line, is_parted=is_parted)
        elif is_parted:
            self._leads = []
        elif begins_line:
            self._leads = self._above(line.depth)
        if is_parted or not line.is_row:
            self.header = ""
        return line

    def _enter_item(self, line: _Line, *, is_parted: bool) -> None:
        self._leads = self._above(line.depth)
        if self._leads or is_parted or self._is_direct:
            return
        # The first item right below a paragraph: that paragraph leads the list.
        if self._last:
            self._leads = [(_PARAGRAPH, self._last)]

    def _above(self, depth: int) -> list[tuple[int, Span]]:
        """The leads that are less indented."""
        return [lead for lead in self._leads if lead[0] < depth]

    def heading(self, line: _Line, sentence: Span) -> None:
        level = len(line.begin.split(maxsplit=1)[0])
        kept = [heading for heading in self._headings if heading[0] < level]
        self._headings, self._leads, self._last = [*kept, (level, _bare(sentence.text))], [], None

    def passed(self, line: _Line, sentence: Span) -> None:
        """A sentence leads what is below it: an item what is nested in it, a colon what follows."""
        if line.is_item:
            start = self._item_start(line, sentence)
            lead = (line.depth, span(self._text, start, sentence.end))
            self._leads = [*self._above(line.depth), lead]
        elif sentence.text.endswith((":", "：")):
            self._leads = [*self._leads[-_DEEPEST:], (_PARAGRAPH, sentence)]
        self._is_direct = line.is_item
        self._last = sentence

    def _item_start(self, line: _Line, sentence: Span) -> int:
        """Where the item begins of which a sentence is a part."""
        begins = self._last is None or "\n" in self._text[self._last.end : sentence.start]
        if begins:
            return sentence.start
        same = (lead.start for depth, lead in self._leads if depth == line.depth)
        return next(same, sentence.start)


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
    if first.under != then.under or _is_parted(gap):
        return False
    # A quotation or a bracket goes on in the next sentence.
    if _is_open(first.text):
        return True
    # A question does not limit the statement before it.
    if then.text.endswith(("?", "？")):
        return False
    if then.text[:1].islower() and _may_go_on(gap, first.text):
        return _turns(first.text) or _begins_with_turn(then.text)
    return _is_addition(then.text)


def _is_addition(text: str) -> bool:
    """Whether a short sentence limits the one before it: “Unless it rains.”"""
    return len(text) <= _SHORT and "," not in text and _begins_with_turn(text)


def _is_parted(gap: str) -> bool:
    return _BLANK.search(gap) is not None or _PARTED.search(gap) is not None


def _may_go_on(gap: str, first: str) -> bool:
    """Whether a sentence may not have ended yet although a small letter follows.

    There is no stop, or one of a short form such as `max.`.
    """
    if first[-1] not in ".!?。！？" or first.endswith(".."):
        return True
    short = _SHORT_FORM.search(first)
    if short is None or "\n" in gap:
        return False
    return short[1].islower() and short[1] not in _known(first)


def _known(text: str) -> frozenset[str]:
    return frozenset().union(*(language.known for language in lexicons_for(text)))


def _is_open(text: str) -> bool:
    """Whether a quotation or a bracket in it is still open."""
    plain = _SMILEY.sub("", text)
    pairs = _GERMAN if "„" in text else _PAIRS
    if plain.count('"') % 2 == 1:
        return True
    return any(plain.count(opening) > plain.count(closing) for opening, closing in pairs)


def _turns(text: str) -> bool:
    """Whether a sentence denies, limits or only reports something."""
    return is_negated(text) or has_any(text, "conditions", "hedges", "reports")


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
    """Whether a passage may be kept by itself."""
    if len(passage.text) > LONGEST or len(passage.path) > _LONGEST_PATH:
        return False
    if len(passage.under) > _DEEPEST:
        return False
    return not _is_open(passage.text)


_LINE = re.compile(
    r"[ \t]*>"
    r"|(?: {4}|\t)(?![ \t]*(?:[-*+•·]|\d{1,3}[.)])[ \t])"
    r"|[ \t]*(?:[$%]|\w+@[\w.-]+[^\n$#]{0,40}[$#])[ \t]"
)
"""A line that is quoted, code by how far it is indented, or typed into a shell."""

_RULE = re.compile(r"[ \t]*(([-=*_~#+`\"'])\2\2)(?:\2*|[\w-]*)[ \t]*\Z")
_TAG = re.compile(r"[ \t]*<([a-zA-Z][\w-]*)[^<>]*>[ \t]*\Z")
_FORWARDED = re.compile(r"[ \t]*[-_=*]{2,}[ \t]*[^\W\d_][^\n]*?[-_=*]{2,}[ \t]*\Z")
_STAMPED = re.compile(
    r"[ \t]*(?:\[[^\]\n]*\d:\d\d|\d+[-./]\d+[-./]\d+[^\w\n]+\d+:\d\d)[^\n]{0,60}?:[ \t]"
)
_HEAD = re.compile(r"[ \t]*[*#<|]{0,4}[ \t]*([^\W\d_][^:：\n]{0,20}?)[*|>]{0,3}[:：]")

_A_BLANK_LINE, _NOTHING = "", "\n"
"""What ends a paste, if not another rule: a blank line, or nothing."""


def own(text: str) -> str:
    """The text with blanks in place of what is not its writer's own."""
    lines = list[str]()
    end: str | None = None
    for line in text.split("\n"):
        if end is None:
            end = _end_of(line)
            is_own = end is None and not _LINE.match(line)
            lines.append(line if is_own or _leads(line) else " " * len(line))
            continue
        lines.append(" " * len(line))
        words = line.strip()
        if words.startswith(end) if end else not words:
            end = None
    return "\n".join(lines)


def _end_of(line: str) -> str | None:
    """What ends the paste that begins with a line; None if none begins there."""
    if rule := _RULE.match(line):
        return rule[1]
    if tag := _TAG.match(line):
        return f"</{tag[1]}"
    if _FORWARDED.match(line) or _leads(line):
        return _NOTHING
    if _STAMPED.match(line):
        return _A_BLANK_LINE
    return _end_of_headed(line)


def _end_of_headed(line: str) -> str | None:
    """What ends the mail or the chat whose head a line is: “From: Ana”, “User: hello”."""
    head = _HEAD.match(line)
    if head is None:
        return None
    if matcher(MARKS, "mail_heads").fullmatch(head[1]):
        return _NOTHING
    if matcher(MARKS, "chat_roles").fullmatch(head[1]):
        return _A_BLANK_LINE
    return None


def _leads(line: str) -> bool:
    """Whether others' words follow: “The mail says:”. “Remember what she said:” asks for them."""
    if not line.rstrip().endswith((":", "：")) or has_any(line, "requests"):
        return False
    return has_any(line, "reports") or matcher(MARKS, "texts").search(line) is not None
