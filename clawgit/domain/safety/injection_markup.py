"""What the rendered page does not show: hidden markup, and comments that are not of a known kind."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import accumulate
from operator import add
from typing import NamedTuple

from clawgit.domain.markdown.scan import scan
from clawgit.domain.safety.hidden_text import redrawn, together, unseen
from clawgit.domain.safety.injection_patterns import COMMENT, FAR_OFF, HIDDEN, MARKUP, InjectionRule
from clawgit.domain.safety.masks import UNSEEN
from clawgit.domain.safety.plain_words import plain
from clawgit.language.lazily import lazily


class View(NamedTuple):
    """A text to search; `starts[n]` is where the text of line n + 1 begins."""

    text: str
    starts: list[int]

    def line_at(self, offset: int) -> int:
        return bisect_right(self.starts, offset)


def raw(lines: list[str]) -> View:
    return joined(lines, ["\n"] * len(lines))


def joined(pieces: list[str], joints: list[str]) -> View:
    whole = [*map(add, pieces, joints)]
    *starts, _ = accumulate(map(len, whole), initial=0)
    return View("".join(whole), starts)


_LONGEST_COMMENT = 2000
"""The end of a comment is looked for in this many characters."""

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


def hidden_spans(text: str, lines: list[str]) -> Iterator[tuple[InjectionRule, int, int]]:
    """Where a reader of the rendered page does not see the text. In code, markup is shown."""
    marked = hidden_in(text)
    if not marked:
        return
    view, code = raw(lines), _code_lines(text)
    for rule, found in marked:
        in_code = view.line_at(found.start()) in code or _in_code_span(text, found)
        is_shown = in_code and rule.reason != FAR_OFF
        end = None if is_shown else _end_of(rule, text, found)
        if end is not None:
            yield rule, found.start(), end


def hidden_in(text: str) -> list[tuple[InjectionRule, re.Match[str]]]:
    """Every mark of hidden text, in code too."""
    # A comment is no tag: nearly each entry has one, and the pattern of tags takes 2 ms to compile.
    tags = text.replace("<!--", "")
    rules = (rule for rule in HIDDEN if rule.may_be_in(tags if rule.reason == MARKUP else text))
    return [(rule, found) for rule in rules for found in compiled(rule.pattern).finditer(text)]


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
    pages = cache(lambda: [without_unseen(file) for file in files()])
    pieces, at = list[str](), 0
    for start in _comment_starts(text):
        end = _last_of_comment(text, start)
        if start < at or end is None or is_wordless(text, start):
            continue
        # Code shows its comments, and only the whole file may tell that this is code.
        if any(text[start:end] in page for page in pages()):
            continue
        lines = "\n" * text.count("\n", start, end)
        pieces += (text[at:start], f"<!-- {UNSEEN}{lines} -->")
        at = end
    return "".join([*pieces, text[at:]])


def _comment_starts(text: str) -> list[int]:
    found = hidden_spans(text, text.split("\n"))
    return sorted(start for rule, start, _ in found if rule.reason == COMMENT)


def _last_of_comment(text: str, start: int) -> int | None:
    """Where a comment ends, however long it is; None where it is not one, but shown as it is."""
    if not text.startswith("<!--", start):
        end = text.find("\n", start)
        return len(text) if end < 0 else end
    if start < text.rfind("-->"):
        return text.find("-->", start) + len("-->")
    begins_line = not text[text.rfind("\n", 0, start) + 1 : start].strip()
    return len(text) if begins_line else None


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


def matches(rule: InjectionRule, text: str) -> Iterator[re.Match[str]]:
    """Where a rule's pattern is found. Where no cue stands, the pattern is not even compiled."""
    if rule.may_be_in(text):
        yield from compiled(rule.pattern).finditer(text)


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.MULTILINE)
