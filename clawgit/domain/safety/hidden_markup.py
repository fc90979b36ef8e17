"""What the rendered page does not show: hidden markup, and comments of no known kind."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import NamedTuple

from clawgit.domain.markdown.scan import scan
from clawgit.domain.safety.hidden_text import redrawn, together, unseen
from clawgit.domain.safety.masks import UNSEEN
from clawgit.domain.safety.rules import PLANTED, Rule, rules
from clawgit.language.lazily import lazily

COMMENT = "comment"
_FAR_OFF = "far off"
_HIDING = (COMMENT, _FAR_OFF, "hidden")
"""The checks of the rules about hidden text."""

_LONGEST_COMMENT = 2000
"""The end of a comment that is reported is looked for in this many characters."""

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

_LINE_END = lazily("\n")
_WORDLESS = lazily(r"<!--(?:(?!-->)[\W\d_]){0,200}-->")
_SAYS = lazily(r"<!--\s{0,4}(?:was|trigger|project):")


class Hidden(NamedTuple):
    """Text that a reader of the page does not see, by its place and its lines; `check` says of
    which kind.
    """

    start: int
    end: int
    lines: range
    check: str
    reason: str


def _matches(text: str) -> Iterator[tuple[Rule, re.Match[str]]]:
    # A comment is no tag: nearly each entry has one.
    bare = without_known_comments(text)
    for rule in rules(PLANTED):
        if rule.check in _HIDING and rule.may_be_in(bare):
            yield from ((rule, match) for match in rule.regex.finditer(text))


def hidden(text: str) -> Iterator[Hidden]:
    """Where a reader of the rendered page does not see the text. In code, markup is shown, and
    comments of a known kind are no matter.
    """
    found = [*_matches(text)]
    if not found:
        return
    code, ends = _code_lines(text), [end.start() for end in _LINE_END.finditer(text)]
    for rule, match in found:
        start, end = match.start(), _end_of(match)
        line = bisect_left(ends, start) + 1
        in_code = line in code or _in_code_span(text, match)
        if end is None or (in_code and rule.check != _FAR_OFF):
            continue
        lines = range(line, bisect_left(ends, end) + 2)
        yield Hidden(start, end, lines, rule.check, rule.id)


def _end_of(match: re.Match[str]) -> int | None:
    """Where something hidden ends; None for a comment of a known kind."""
    text, end = match.string, match.end()
    if not text.startswith("<!--", match.start()):
        return end
    if _KNOWN_COMMENT.match(text, match.start()):
        return None
    return max(end, text.find("-->", end, end + _LONGEST_COMMENT))


def without_unseen(text: str, files: Callable[[], Iterable[str]] = tuple) -> str:
    """A text with a mark for the words of each comment that is not of a known kind, and for
    invisible characters. It keeps its lines. `files` are those that it may be a part of.
    """
    bare = without_known_comments(text)
    if "<!--" in bare or "]:" in bare:
        text = _without_comments(text, files)
    # Control characters are made visible by whoever prints them.
    return redrawn(
        text, lambda signs: signs if max(signs) < " " or unseen(signs).harmless else UNSEEN
    )


def _without_comments(text: str, files: Callable[[], Iterable[str]]) -> str:
    pages = cache(lambda: [*map(without_unseen, files())])
    comments = [found.start for found in hidden(text) if found.check == COMMENT]
    pieces, at = list[str](), 0
    for start in sorted(comments):
        end = _last_of_comment(text, start)
        if start < at or end is None or _WORDLESS.match(text, start):
            continue
        # Code shows its comments, and only the whole file may tell that this is code.
        if any(text[start:end] in page for page in pages()):
            continue
        lines = "\n" * text.count("\n", start, end)
        pieces += (text[at:start], f"<!-- {UNSEEN}{lines} -->")
        at = end
    return "".join([*pieces, text[at:]])


def _last_of_comment(text: str, start: int) -> int | None:
    """Where a comment ends, however long it is; None where it is not one, but shown as it is."""
    if not text.startswith("<!--", start):
        end = text.find("\n", start)
        return len(text) if end < 0 else end
    if start < text.rfind("-->"):
        return text.find("-->", start) + len("-->")
    begins_line = not text[text.rfind("\n", 0, start) + 1 : start].strip()
    return len(text) if begins_line else None


def without_known_comments(text: str) -> str:
    """A text without every comment of a known kind."""
    return _KNOWN_COMMENT.sub("", text) if "<!--" in text else text


def shown(text: str) -> str:
    """A text as it is judged: without clawgit's and OpenClaw's own comments, which say nothing."""
    if "<!--" in text:
        # Old values and triggers are text that an agent reads.
        text = _KNOWN_COMMENT.sub(lambda one: one[0] if _SAYS.match(one[0]) else "", text)
    return together(text)


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
