"""What a message says in its writer's own words, as passages that are never cut in mid-meaning.

A passage is one contiguous piece of the message. It is one sentence, or several if one alone would
say something else: because of a quotation, a bracket, a condition or a denial in the next one. What
is pasted in, quoted or code is skipped.
"""

import re
from collections.abc import Callable, Iterator

from clawgit.core import NamedTuple
from clawgit.core.markdown import frames
from clawgit.core.markdown.excerpt import one_line
from clawgit.language.clauses import core, is_asking, negations, sentences, span
from clawgit.language.files import matcher
from clawgit.language.lexicon import begins_with, content_words, has_any
from clawgit.language.tokens import tokens
from clawgit.safety.rules.rules import rules
from clawgit.talk.rules.wording import pattern

LONGEST = 400
"""The most characters of a passage. A longer one is not a fact."""

MOST = 20_000
"""The most characters of a message that are read. A longer message is a pasted file."""

_LONGEST_PATH = 100
_SHORT = 60
FEWEST = 2
"""The fewest telling words with which a sentence says something by itself: “yes” does not."""
_PAIRS = (("“", "”"), ("«", "»"), ("「", "」"), ("『", "』"), ("(", ")"), ("（", "）"), ("[", "]"))
_GERMAN = (("„", "“"), ("(", ")"), ("[", "]"))
_SMILEY = re.compile(r"[:;=8xX]['’]?-?[()\[\]]+|(?<![()])[()]+-?[:;=]")
_STOPS = ".!?。！？"
_BLANK = re.compile(r"\n[ \t]*\n")
_ITEM = re.compile(r"[ \t]*(?:[-*+•·]|\d{1,3}[.)])[ \t]")
_PARTED = re.compile(r"\n[ \t]*(?:[-*+•·>#|]|\d{1,3}[.)][ \t])")
"""Line ends after which a new item, quote, heading or row begins."""
_HEADING = re.compile(r"[ \t]{0,3}(#{1,6})[ \t]")
_ADDRESS = re.compile(
    r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}"
    r"|\b(?:https?|ssh|ftp|file)://\S|\bwww\.\S"
)


def names_address(text: str) -> bool:
    """Whether an address of the mail or of the web stands in a text."""
    return _ADDRESS.search(text) is not None


class Passage(NamedTuple):
    """`text` is `message[start:end]`.

    `under` are the heading and the lead of its list. Each is a piece of the message as well.
    """

    start: int
    end: int
    text: str
    under: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        return frames.HEADINGS.join(self.under)


def passages(text: str) -> tuple[Passage, ...]:
    """The passages, in the order of the message. The time is limited, whatever its size."""
    head = own(text if len(text) <= MOST else text[:MOST].rpartition("\n")[0])
    joined: list[Passage] = []
    for passage in _sentences(head):
        if joined and _belong(head, joined[-1], passage):
            joined[-1] = Passage(*span(head, joined[-1].start, passage.end), passage.under)
        else:
            joined.append(passage)
    return tuple(
        passage
        for passage in joined
        if len(passage.text) <= LONGEST
        and len(passage.path) <= _LONGEST_PATH
        and not _is_open(passage.text)
    )


def _sentences(text: str) -> Iterator[Passage]:
    """The writer's own sentences, each with the heading and the lead of the list that it stands
    under. What is indented below an item says nothing without it.
    """
    heading, lead, last, before, begin, end = "", "", "", "", 0, 0
    item = MOST
    for sentence in sentences(text):
        gap, end = text[end : sentence.start], sentence.end
        if not begin or "\n" in gap:
            begin = sentence.start
            before = text[text.rfind("\n", 0, begin) + 1 : begin]
        plain, is_item = before.expandtabs(4), bool(_ITEM.match(before))
        depth = len(plain) - len(plain.lstrip())
        if depth > item:
            continue
        if is_item or begin == sentence.start:
            lead, item = _lead(lead, last, gap, item, is_item), depth if is_item else MOST
        line = text[begin:end]
        last = "" if is_item else one_line(core(line).text.rstrip(" :："))
        if _HEADING.match(f"{before}{line[:1]}"):
            heading, lead, last = last, "", ""
        elif line.endswith((":", "：")):
            lead = last or lead
        else:
            yield Passage(*sentence, tuple(filter(None, (heading, lead))))


def _lead(lead: str, last: str, gap: str, item: int, is_item: bool) -> str:
    """What a new line stands under: the line above its list, until a blank one parts them, or,
    behind an item, a line that is none.
    """
    if is_item:
        return lead or last
    return "" if item < MOST or _BLANK.search(gap) else lead


def _belong(text: str, first: Passage, then: Passage) -> bool:
    """Whether one sentence says something else without the other."""
    gap = text[first.end : then.start]
    if first.under != then.under or _BLANK.search(gap) or _PARTED.search(gap):
        return False
    # A quotation or a bracket goes on in the next sentence.
    if _is_open(first.text):
        return True
    # A question does not limit the statement before it.
    if is_asking(then.text):
        return False
    # A stop ends a sentence; three of them may only be a pause.
    is_ended = first.text[-1] in _STOPS and not first.text.endswith("..")
    is_cut = then.text[:1].islower() and not is_ended
    return is_cut or _is_addition(then.text)


def _is_addition(text: str) -> bool:
    """Whether a short sentence limits the one before it: “Unless it rains.”"""
    if len(text) > _SHORT:
        return False
    first = [token.start for token in tokens(text)[:1]]
    denies = any(denial.start in first for denial in negations(text))
    return _is_remark(text) or ("," not in text and (denies or begins_with(text, "conditions")))


def _is_remark(text: str) -> bool:
    """Whether it says nothing by itself, or begins with a denial: it may take back what stands
    before it. “Just kidding.”, “Haha, no.”
    """
    is_laugh = has_any(text, "laughs")
    first = " ".join(token.folded for token in tokens(text)[: 1 + is_laugh])
    is_denial = has_any(first, "negations") or has_any(text, "withdrawals")
    if is_laugh and is_denial:
        return True
    is_polite = has_any(text, "courtesies", "agreements", "lead_outs")
    if is_polite or pattern("requests").search(text):
        return False
    return len(content_words(text)) < FEWEST or is_denial


def _is_open(text: str) -> bool:
    """Whether a quotation or a bracket in it is still open."""
    plain = _SMILEY.sub("", text)
    pairs = _GERMAN if "„" in text else _PAIRS
    if plain.count('"') % 2 == 1:
        return True
    return any(plain.count(opening) > plain.count(closing) for opening, closing in pairs)


_LINE = re.compile(
    r"[ \t]*[>|]"
    r"|(?: {4}|\t)(?![ \t]*(?:[-*+•·]|\d{1,3}[.)])[ \t])"
    r"|[ \t]*(?:[$%]|\w+@[\w.-]+[^\n$#]{0,40}[$#])[ \t]"
)
"""A line that is quoted, of a table, code by its indentation, or typed into a shell."""

_RULE = re.compile(r"[ \t]*(([-=*_~#+`\"'])\2\2)(?:\2*|[\w-]*)[ \t]*\Z")
_TAG = re.compile(r"[ \t]*<([a-zA-Z][\w-]*)[^<>]*>[ \t]*\Z")
_HEAD = re.compile(r"[ \t]*(?:[*#<|]{1,4}[ \t]*)?([^\W\d_][^:：\n]{0,20}?)[*|>]{0,3}[:：]")

_LETTER = re.compile(
    r"(?:\n[ \t]*\n|\A(?=[\s\S]*\n.{1,30},\s.{1,40}\s*\Z)).{1,60}[,，][ \t]*\n[ \t]*\n"
)
"""A greeting in the middle, or one at the beginning with a close at the end: the letter that
follows was written to somebody."""

_A_BLANK_LINE, _NOTHING = "", "\n"
"""What ends a paste, if not another rule: a blank line, or nothing."""


def own(text: str) -> str:
    """The text with blanks in place of what is not its writer's own."""
    return _without_pasted(_LETTER.split(text)[0], _leads)


def typed(text: str) -> str:
    """The same of what is certainly pasted, by its heads or marks, or behind “Tom writes:”, but not
    behind “I told you:”. A divider is no such mark.
    """

    def leads(line: str) -> bool:
        return _leads(line) and not has_any(line, "first_person")

    return _without_pasted(re.sub("\n[-=*]{3,}\n", "\n", text), leads)


def _without_pasted(text: str, leads: Callable[[str], bool]) -> str:
    lines = list[str]()
    end: str | None = None
    for line in text.split("\n"):
        if end is None:
            is_lead = leads(line)
            end = _NOTHING if is_lead else _end_of(line)
            is_own = end is None and not _LINE.match(line)
            lines.append(line if is_own or is_lead else " " * len(line))
            continue
        lines.append(" " * len(line))
        words = line.strip()
        if words.startswith(end) if end else not words:
            end = None
    text = "\n".join(lines)
    for rule in rules("_pasted"):
        text = rule.regex.sub(lambda at: re.sub(".", " ", at[0]), text)
    return text


def _end_of(line: str) -> str | None:
    """What ends the paste that begins with a line; None if none begins there. A mail or a chat
    begins with its head: “From: Ana”, “User: hello”.
    """
    if rule := _RULE.match(line):
        return rule[1]
    if tag := _TAG.match(line):
        return f"</{tag[1]}"
    head = _HEAD.match(line)
    name = head[1] if head else ""
    if matcher("mail_heads").fullmatch(name):
        return _NOTHING
    return _A_BLANK_LINE if matcher("chat_roles").fullmatch(name) else None


def _leads(line: str) -> bool:
    """Whether others' words follow: “The mail says:”. “Remember what she said:” asks for them."""
    if not line.rstrip().endswith((":", "：")) or has_any(line, "requests"):
        return False
    return has_any(line, "reports") or matcher("texts").search(line) is not None
