"""Kept lines: one contiguous span of what was said, with its speaker and its day if needed."""

import re
from datetime import datetime
from functools import lru_cache

from clawgit.core import NamedTuple
from clawgit.core.markdown import frames
from clawgit.core.markdown.excerpt import one_line
from clawgit.core.markdown.tag_table import CATEGORY, TAGS_BY_NAME, visible
from clawgit.language.clauses import core, needs_speaker
from clawgit.language.days import bracket
from clawgit.language.lazily import lazily
from clawgit.language.lexicon import begins_with
from clawgit.language.tokens import CJK

_BRACKET = lazily(r" (\((?:said )?\d{4}-\d{2}-\d{2}\))\Z")
_LONGEST_NAME = 80
_LAST_CATEGORY = lazily(rf"(?:{CATEGORY.pattern})\Z")
_WIDEST_CATEGORY = max(map(len, TAGS_BY_NAME)) + 6
"""A blank, `#`, the name and the end of a sentence on both sides, with one to spare."""
_WHOLE = lazily(rf"\d+(?:[.,:/-]\d+)+|[^\W{CJK}]+(?:['’][^\W{CJK}]+)*|.", re.DOTALL)
"""What no cut may divide: a word, a figure, a character of a script without spaces."""
_SEAM = "\0"


class QuotedLine(NamedTuple):
    """What a line of memory says, its speaker if needed, and the brackets after it."""

    words: str
    speaker: str = ""
    bracket: str = ""


def kept(sentence: str, speaker: str, said_at: datetime) -> QuotedLine:
    """A sentence as memory keeps it: only its white space changes.

    A sentence around a comment is no contiguous piece, so nothing of it is kept.
    """
    # Tags are cut again after `core`, which may have taken away the markup around them.
    words, day = _split(_untagged(one_line(core(_untagged(one_line(visible(sentence)))).text)))
    if words and "<!--" in sentence and not bears(sentence, words):
        return QuotedLine("")
    # A sentence that looks like one of our quotations would be read as one, so it gets its speaker.
    is_quoted = needs_speaker(words) or frames.QUOTED.fullmatch(words) is not None
    return QuotedLine(words, quotable(speaker) if is_quoted else "", day or bracket(words, said_at))


def line(kept: QuotedLine) -> str:
    """The line of memory for a kept sentence, without bullet, tags and comment."""
    words = kept.words
    if kept.speaker:
        words = frames.QUOTE.format(speaker=kept.speaker, words=words)
    return f"{words} {kept.bracket}" if kept.bracket else words


@lru_cache(maxsize=4096)  # entries are compared each with many others
def read(line: str) -> QuotedLine:
    """What `line` wrote, from any line of memory, with or without bullet, category and comment."""
    words, day = _split(_untagged(one_line(visible(line)).removeprefix("- ")))
    quoted = frames.QUOTED.fullmatch(words)
    return QuotedLine(quoted[2], quoted[1], day) if quoted else QuotedLine(words, "", day)


def bears(evidence: str, line: str) -> bool:
    """Whether the words of a line are one contiguous span of whole words of the evidence."""
    words = read(line).words
    return bool(words) and _sealed(words) in _sealed(evidence)


def _sealed(text: str) -> str:
    """A text with a seam wherever it may be cut, so that one search finds whole words only."""
    # Without the seams, “art” would be found in “start”.
    return _SEAM + _SEAM.join(_WHOLE.findall(one_line(text))) + _SEAM


def _split(words: str) -> tuple[str, str]:
    """Words and the bracket after them."""
    match = _BRACKET.search(words)
    return (words[: match.start()], match[1]) if match else (words, "")


def _untagged(words: str) -> str:
    """A sentence without the categories after it, which belong to the entry."""
    end = len(words)
    while tag := _LAST_CATEGORY.search(words, max(0, end - _WIDEST_CATEGORY), end):
        end = tag.start()
    return words[:end].rstrip()


def quotable(speaker: str) -> str:
    """A speaker's name as a quotation can hold it."""
    return one_line(re.sub("[“”:]", " ", speaker))[:_LONGEST_NAME].strip() or frames.OPERATOR


_NAMED = lazily(
    r"^[-*+ \t]{0,4}\**(?:Name|What to call (?:them|me|him|her)|Call (?:me|them))\**\s?:\**[ "
    r"\t]*([^\n<]{1,60})",
    re.IGNORECASE | re.MULTILINE,
)
# What else the line may say: pronouns in brackets, a remark, the next label.
_BEHIND_NAME = lazily(r"\s*[|,;(\[，；、（]|\s+[-–—/]\s|\s+\*\*|\s+[^\s:]+(?: [a-z]+)?\s?:")
_OTHERS = lazily(
    r":(?:group|channel|room|guild|thread):|^(?:cron|hook):|:(?:cron|hook|subagent|acp):"
)


def operators_name(user_file: str) -> str:
    """The operator's name as USER.md has it, "" if it has none."""
    return next(iter(operators_names(user_file)), "")


def operators_names(user_file: str) -> list[str]:
    """The operator's name, and what to call them, as USER.md has them."""
    lines = (name.strip(" *_`") for name in _NAMED.findall(user_file))
    names = (_BEHIND_NAME.split(each, maxsplit=1)[0].rstrip(" *_`") for each in lines)
    # “Unknown — ask on first chat” is none.
    return [
        each for each in names if any(map(str.isalpha, each)) and not begins_with(each, "unnamed")
    ]


def is_private(session: str) -> bool:
    """Whether only the operator speaks in a session. In a group anybody does, in a job nobody."""
    return not _OTHERS.search(session)
