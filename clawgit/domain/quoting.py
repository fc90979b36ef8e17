"""Kept lines: one contiguous span of what was said, its speaker where it needs one, its day in brackets."""

import re
from datetime import datetime
from typing import NamedTuple

from clawgit.domain import frames
from clawgit.domain.tags import CATEGORY, visible
from clawgit.language.days import bracket
from clawgit.language.edges import core
from clawgit.language.person import needs_speaker
from clawgit.language.tokens import is_cjk

_BRACKET = re.compile(r"\s+(\((?:said )?\d{4}-\d{2}-\d{2}\))\Z")
_QUOTED = re.compile(r"([^\s“”:](?:[^“”:]{0,78}[^\s“”:])?): “(.*)”\Z")
_LONGEST_NAME = 80
_LAST_CATEGORY = re.compile(rf"(?:{CATEGORY.pattern})\s*\Z")


class Kept(NamedTuple):
    """What a line of memory says, who said it where that is needed, and what stands in brackets behind it."""

    words: str
    speaker: str = ""
    bracket: str = ""


def kept(sentence: str, speaker: str, said: datetime) -> Kept:
    """How a sentence is kept. Nothing in it is changed but white space."""
    words = _untagged(_spaced(core(visible(sentence)).text))
    words, own = _split(words)
    day = own or bracket(words, said)
    looks_quoted = _QUOTED.match(words) is not None
    if needs_speaker(words) or looks_quoted:
        return Kept(words, _name(speaker), day)
    return Kept(words, "", day)


def line(kept: Kept) -> str:
    """As a line of memory, without bullet, tags and comment."""
    words = frames.QUOTE.format(speaker=kept.speaker, words=kept.words) if kept.speaker else kept.words
    return f"{words} {kept.bracket}" if kept.bracket else words


def read(line: str) -> Kept:
    """What `line` wrote, from any line of memory."""
    words = _untagged(_spaced(visible(line)).removeprefix("- "))
    words, day = _split(words)
    quoted = _QUOTED.match(words)
    return Kept(quoted[2], quoted[1], day) if quoted else Kept(words, "", day)


def bears(evidence: str, line: str) -> bool:
    """Whether the words of a line are one contiguous span of the evidence: whole words, whole characters in CJK."""
    words = read(line).words
    source = _spaced(evidence)
    at = source.find(words) if words else -1
    while at >= 0:
        if _is_whole(source, at, at + len(words)):
            return True
        at = source.find(words, at + 1)
    return False


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _split(words: str) -> tuple[str, str]:
    found = _BRACKET.search(words)
    return (words[: found.start()], found[1]) if found else (words, "")


def _untagged(words: str) -> str:
    while found := _LAST_CATEGORY.search(words):
        words = words[: found.start()].rstrip()
    return words


def _name(speaker: str) -> str:
    plain = _spaced(re.sub("[“”:]", " ", speaker))[:_LONGEST_NAME].strip()
    return plain or frames.OPERATOR


def _is_whole(source: str, start: int, end: int) -> bool:
    return not (_is_inside(source, start) or _is_inside(source, end))


def _is_inside(source: str, at: int) -> bool:
    """Whether a word goes on over this place."""
    if not 0 < at < len(source):
        return False
    one, two = source[at - 1], source[at]
    return one.isalnum() and two.isalnum() and not is_cjk(one) and not is_cjk(two)
