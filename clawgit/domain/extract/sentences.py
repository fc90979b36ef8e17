"""A message as sentences: its own prose, without code, quotations, logs and what was pasted in from elsewhere."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from clawgit.domain.chat import unwrapped
from clawgit.domain.triage import read

LONGEST = 300
"""Characters of a sentence; what is longer was never one."""


class Sentence(NamedTuple):
    """`text` as it was written, on one line. `lead` is what the list says before its items, in which this is one."""

    text: str
    lead: str = ""


def sentences(text: str) -> tuple[Sentence, ...]:
    """What the writer of a message says himself, sentence by sentence."""
    return tuple(_sentences(unwrapped(text)))


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
        for said in found:
            plain = " ".join(_ITEM.sub("", said, count=1).split())
            if _SHORTEST <= len(plain) <= LONGEST and not plain.endswith(":"):
                yield Sentence(plain, lead if item else "")


def _spans(line: str) -> Iterator[tuple[int, int]]:
    """Where the sentences of a line stand."""
    start = 0
    for found in _END.finditer(line):
        if _ABBREVIATED.search(line[max(0, found.start() - _NEAR) : found.end()]):
            continue
        yield start, found.end()
        start = found.end()
    if line[start:].strip():
        yield start, len(line)


_MOST = 20_000
_SHORTEST = 2
_NEAR = 12
_ITEM = re.compile(r"^\s*(?:[-*+•–] |\d{1,3}[.)] |\[[ x]\] |#{1,6} )+")
_END = re.compile(r"(?:[.!?…]+[\"”'’)]?(?=\s)|[。！？]+|[!?]+(?=\S)|(?<=[a-z가-힣]{3}[.])(?=[A-Z][a-z]))")
_ABBREVIATED = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|approx|no|nr|st|dr|mr|mrs|ms|prof|inc|ltd|co|jr|sr|fig|p\.m|a\.m|dept|est|min|max|resp"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.|(?:^|\s)[A-Z]\.|(?:^|\s)\d{1,2}\.)$",
    re.IGNORECASE,
)
_MACHINE = re.compile(
    r"^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|\d+:\d+:|at [\w.$<>]+\(|File \"|Traceback|\$ |> |>>> |\|"
    r"|[-+@]{2,}|(?:[\w./-]+)?\b(?:error|warn(?:ing)?|info|debug|fatal|npm|exception|caused by)\b\s?(?:\[|:|!|ERR)"
    r"|[{}\[\]<]|\w+=\S+ \w+=)|[{};]\s*$|</?\w+>|\b[\w.]{1,60}(?:Error|Exception)\b: ",
    re.IGNORECASE,
)
"""A line that a program wrote."""

_FOREIGN_REST = re.compile(
    r"^\s*(?:-{3,} ?(?:forwarded|original|begin)|(?:begin )?forwarded (?:message|from)\b|fwd?:|from: \S"
    r"|on .{4,60} wrote:|(?:here(?:'s| is)|this is) (?:the|what|his|her|their) .{0,40}"
    r"(?:said|wrote|sent|log|output|error|e?mail|message|article|text|trace)\b.{0,20}:\s*$"
    r"|subject: |\[forwarded|转发|전달된 메시지)",
    re.IGNORECASE,
)
"""From here on somebody else speaks."""
