"""A message as sentences: its own prose, without code, quotations, logs and what was pasted in from elsewhere."""

import re
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from clawgit.domain.chat import unwrapped
from clawgit.domain.triage import read

LONGEST = 300
"""Characters of a sentence; what is longer, and has no joint where it could be taken apart, was never one."""


class Sentence(NamedTuple):
    """`text` as it was written, on one line. `lead` is what the list says before its items, in which this is one;
    `rest` are sentences behind it that say nothing without it. It is the one with this `number`, from 0, `of` so many.
    """

    text: str
    lead: str = ""
    rest: str = ""
    number: int = 0
    of: int = 1

    @property
    def whole(self) -> str:
        """With what the list says before it."""
        return f"{self.lead} {self.text}".strip()


def sentences(text: str) -> tuple[Sentence, ...]:
    """What the writer of a message says himself, sentence by sentence."""
    found = [*_sentences(unwrapped(text))]
    return tuple(one._replace(number=number, of=len(found)) for number, one in enumerate(found))


def _sentences(text: str) -> Iterator[Sentence]:
    reading = read(text[:_MOST])
    lead, at = "", 0
    for line in reading.joined.split("\n"):
        start, at = at, at + len(line) + 1
        if _FOREIGN_REST.match(line):
            return
        if not line.strip() or _MACHINE.search(line):
            continue
        item = _ITEM.match(line)
        found = [reading.text[start + begin : start + end] for begin, end in _spans(line)]
        if item is None:
            lead = found[-1].strip(" :") if found and line.rstrip().endswith(":") else ""
        for plain in chain.from_iterable(_clauses(" ".join(_ITEM.sub("", said, count=1).split())) for said in found):
            if _SHORTEST <= len(plain) <= LONGEST and not plain.endswith(":") and not _LOGGED.match(plain):
                yield Sentence(plain, lead if item else "")


def _spans(line: str) -> Iterator[tuple[int, int]]:
    """Where the sentences of a line stand."""
    start = 0
    for found in _END.finditer(line):
        if _goes_on(line, found.end()):
            continue
        yield start, found.end()
        start = found.end()
    if line[start:].strip():
        yield start, len(line)


def _goes_on(line: str, end: int) -> bool:
    """Whether the dot before `end` belongs to a short form or to a number, and ends no sentence."""
    before, after = line[max(0, end - _NEAR) : end], line[end : end + _NEAR]
    return bool(_TITLE.search(before) or (_SHORT_FORM.search(before) and not _OPENS.match(after)))


def _clauses(sentence: str) -> Iterator[str]:
    """What somebody says in one breath, where it is too much for one sentence, each clause with its own subject."""
    if len(sentence) <= (_BREATH if _PUNCTUATED.search(sentence) else _DICTATED):
        yield sentence
        return
    start = 0
    joints = _JOINT if _JOINT.search(sentence) or len(sentence) <= LONGEST else _PAUSE
    for found in joints.finditer(sentence):
        if found.start() - start >= _CLAUSE and len(sentence) - found.end() >= _CLAUSE:
            yield sentence[start : found.start()]
            start = found.end()
    yield sentence[start:]


_MOST = 20_000
_BREATH = 180
_DICTATED = 90
"""Characters without a single comma, as one dictates."""

_PUNCTUATED = re.compile(r"[,;:.–—]\s|[、，。]|[\u3400-\u9fff가-힣]")
_CLAUSE = 8
_SHORTEST = 2
_NEAR = 12
_ITEM = re.compile(r"^\s*(?:[-*+•–] |\d{1,3}[.)] |\[[ x]\] |#{1,6} )+")
_END = re.compile(r"(?:[.!?…]+[\"”'’)]?(?=\s)|[。！？]+|[!?]+(?=\S)|(?<=[a-z가-힣]{3}[.])(?=[A-Z][a-z]))")
_TITLE = re.compile(r"(?:\b(?:e\.g|i\.e|vs|approx|st|dr|mr|mrs|ms|prof|fig|resp)\.|(?:^|\s)[A-Z]\.)$", re.IGNORECASE)
_SHORT_FORM = re.compile(
    r"(?:\b(?:etc|no|nr|inc|ltd|co|jr|sr|p\.m|a\.m|dept|est|min|max|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\."
    r"|(?:^|[\s.])\d{1,2}\.)$",
    re.IGNORECASE,
)
_OPENS = re.compile(r"\s+(?!(?:[JFMASOND][a-zä]{2,8}\b(?<=ar|ry|er|ai|st|ch|il|ay|ne|ly|ni|li|rz)))[A-Z][\w']*\b")
"""A word that opens a sentence: with a capital, and not the month behind a day."""

_JOINT = re.compile(
    r"(?:[,;]|\s[–—-])?\s+"
    r"(?:(?:and|but|so|plus|also|then|anyways?|long story short|like|well|basically)\s+){1,3}"
    r"(?=(?:i|we|he|she|they|it|there|it's|its|i'm|i've|we're|we've|he's|she's|they're|that's|thats)\b"
    r"|(?:the|my|our|his|her|their) (?:[\w'-]+ ){1,3}?(?:is|are|was|were|has|have|had|will|must|can|goes|runs|starts"
    r"|ends|costs?|needs?|takes|gets|got|comes|came|moves|moved|says|said|wants|opens|closes)\b)"
    r"|[,;]\s+(?=(?:i|we|he|she|they)\b)|;\s+",
    re.IGNORECASE,
)
"""Where one clause ends and the next begins that has a subject of its own."""

_PAUSE = re.compile(r"[,;]\s+(?:and\s+)?|\s[–—-]\s")
_MACHINE = re.compile(
    r"^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|\d+:\d+:|at [\w.$<>]+\(|File \"|Traceback|\$ |> |>>> |\|"
    r"|[-+@]{2,}|(?:[\w./-]+)?\b(?:error|warn(?:ing)?|info|debug|fatal|npm|exception|caused by)\b\s?(?:\[|:|!|ERR)"
    r"|[{}\[\]<]|\w+=\S+ \w+=)|[{};]\s*$|</?\w+>|\b[\w.]{1,60}(?:Error|Exception)\b: ",
    re.IGNORECASE,
)
"""A line that a program wrote."""

_LOGGED = re.compile(r"[A-Z]{3,} \d\d[:.]\d\d\b")
"""What a machine reports, wherever it was pasted in."""

_FOREIGN_REST = re.compile(
    r"^\s*(?:-{3,} ?(?:forwarded|original|begin)|(?:begin )?forwarded (?:message|from)\b|fwd?\b[^:]{0,40}:|from: \S"
    r"|on .{4,60} wrote:|(?:here(?:'s| is)|this is) (?:the|what|his|her|their) .{0,40}"
    r"(?:said|wrote|sent|log|output|error|e?mail|message|article|text|trace)\b.{0,20}:\s*$"
    r"|(?:pasted?|output|log|readings)\b[^.!?]{0,30}:\s*$|subject: |\[forwarded|转发|전달된 메시지)",
    re.IGNORECASE,
)
"""From here on somebody else speaks."""
