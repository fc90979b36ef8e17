"""What the rendered page does not show: hidden markup, and comments that are not of a known kind."""

import re
from collections.abc import Iterator
from functools import cache

from clawgit.domain.markdown.scan import scan
from clawgit.domain.safety.hidden_text import together
from clawgit.domain.safety.injection_patterns import COMMENT, FAR_OFF, HIDDEN, InjectionRule
from clawgit.domain.safety.line_view import raw
from clawgit.domain.safety.plain_words import plain
from clawgit.language.lazily import lazily

_LONGEST_COMMENT = 2000
"""The end of a comment is looked for in this many characters."""

_LONGEST_LINE = 4000
"""Of a longer line, the backticks of code spans are not counted."""

_DASHES = lazily(r"^[ \t>]{0,20}\|?(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*(?::?-+:?)?[ \t]*$", re.MULTILINE)
"""The row of a table that is drawn below its header."""

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


def hidden_spans(text: str, lines: list[str]) -> Iterator[tuple[InjectionRule, int, int]]:
    """Where a reader of the rendered page does not see the text. In code, markup is shown."""
    marked = hidden_in(text)
    if not marked:
        return
    view, code = raw(lines), _code_lines(text)
    for rule, found in marked:
        if rule.reason == FAR_OFF:
            is_shown = _in_drawn_table(text, found)
        else:
            is_shown = view.line_at(found.start()) in code or _in_code_span(text, found)
        end = None if is_shown else _end_of(rule, text, found)
        if end is not None:
            yield rule, found.start(), end


def hidden_in(text: str) -> list[tuple[InjectionRule, re.Match[str]]]:
    """Every mark of hidden text, in code too."""
    return [(rule, found) for rule in HIDDEN for found in matches(rule, text)]


def comment_words(comment: str) -> str:
    """What a comment says, up to its end or to where another one begins."""
    return comment.removeprefix("<!--").partition("<!--")[0].partition("-->")[0]


def is_wordless(text: str, start: int) -> bool:
    """Whether the comment that begins there holds no letter."""
    return _WORDLESS.match(text, start) is not None


def without_known_comments(text: str) -> str:
    """A text without every comment of a known kind."""
    return _KNOWN_COMMENT.sub("", text) if "<!--" in text else text


def shown(text: str) -> str:
    """A text as it is judged: without clawgit's and OpenClaw's own comments, which say nothing."""
    return together(_KNOWN_COMMENT.sub(_emptied, text) if "<!--" in text else text)


def _emptied(comment: re.Match[str]) -> str:
    # Old values and triggers are text that an agent reads.
    return comment[0] if _SAYS.match(comment[0]) else ""


def whispered(text: str) -> str:
    """What comments of a known kind say in words, where they should have names and numbers."""
    found = (comment[0] for comment in _KNOWN_COMMENT.finditer(text))
    return " ".join(plain(comment) for comment in found if plain(comment) != comment)


def _end_of(rule: InjectionRule, text: str, found: re.Match[str]) -> int | None:
    """Where hidden markup ends, a comment too; None for a comment of a known kind."""
    if rule.reason != COMMENT or not text.startswith("<!--", found.start()):
        return found.end()
    if _KNOWN_COMMENT.match(text, found.start()):
        return None
    return max(found.end(), text.find("-->", found.end(), found.end() + _LONGEST_COMMENT))


def _code_lines(text: str) -> set[int]:
    blocks = scan(text) if "<" in text or "]" in text else ()
    code = (block for block in blocks if block.kind in ("fence", "code"))
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


def _in_drawn_table(text: str, found: re.Match[str]) -> bool:
    """Whether blanks fill up a cell: a table shows how wide it is by a row of dashes."""
    first, end = text.rfind("\n", 0, found.start()) + 1, found.end()
    top = text.rfind("\n\n", 0, found.start()) + 1
    bottom = text.find("\n\n", end)
    dashes = _DASHES.finditer(text, top, len(text) if bottom < 0 else bottom)
    return any(end - first < len(row[0]) for row in dashes)


def matches(rule: InjectionRule, text: str) -> Iterator[re.Match[str]]:
    """Where a rule's pattern is found. Where no cue stands, the pattern is not even compiled."""
    if rule.may_be_in(text):
        yield from compiled(rule.pattern).finditer(text)


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.MULTILINE)
