"""Planted text: blocks that look like an injection, and what is shown in place of them.

`withheld` alone decides. Provenance goes before text: a block is the operator's if he wrote it,
committed it, adopted it or accepted it, whatever it says. It is known again by its words: blanks,
list markers and clawgit's own comments do not count.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from clawgit.domain.markdown.scan import Block, scan
from clawgit.domain.markdown.tags import visible
from clawgit.domain.safety.injection import Injection, findings
from clawgit.domain.safety.injection_markup import without_unseen
from clawgit.domain.safety.mask_spans import MASK
from clawgit.domain.safety.masks import UNSEEN, WITHHELD, Mask, is_judged
from clawgit.domain.safety.readings import is_short, is_strung
from clawgit.domain.workspace.layout import CONFIG, OTHER_CONFIG, is_instruction
from clawgit.language.lazily import lazily

_LONGEST_KEPT = 4_000
"""The verdict on a text of at most this many characters is remembered while the process lives."""

_BEGINNING = lazily(r"^[ \t>]{0,20}(?:(?:[-*+]|[0-9]{1,9}[.)]|#{1,6})[ \t]{1,20})?", re.MULTILINE)
"""What a line of a quote, an item or a heading begins with."""

_COMMENT = lazily(r"<!--\s{0,4}claw:[^<>]{0,2000}-->")
_INDEX_LINK = lazily(r"\[(\w{1,40})\]\(structured/\1\.md\)")
_VISIBLE = {code: 0x2400 + code for code in range(32) if chr(code) not in "\t\n\r"}
_BESIDE = 20
"""How many lines on each side of a short item are looked at first: to judge a file takes long."""

_WORD = lazily(r"\w+")
_PATCH = lazily(r"^@@ ", re.MULTILINE)
_UNCHANGED = ("@@ ", "diff ", "index ", "--- ", "+++ ", "\\ ")
"""How the lines of a patch begin that are no lines of a file."""


class PlantedBlock(NamedTuple):
    """A block with a finding that must be held, by its first and its last line.

    `kind` and `reason` are those of its first finding.
    """

    line: int
    last_line: int
    text: str
    kind: str
    reason: str

    @property
    def words(self) -> str:
        """The block as it is recognised again."""
        return normal(self.text)

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.words.encode("utf-8", "surrogatepass")).hexdigest()


_Span = tuple[int, int, str]
"""The first and the last line of a block, and its text."""

Provenance = Callable[[PlantedBlock], bool]
"""Whether a block is the operator's. It may read history, so it is asked of held blocks alone."""


def is_served(path: str) -> bool:
    """Whether `context` or a search may show a file of the workspace.

    That is all Markdown but the settings, skills and prompts. They give orders by their nature, and
    are no memory.
    """
    if not path.lower().endswith(".md") or path in (CONFIG, OTHER_CONFIG):
        return False
    return "/" not in path or not is_instruction(path)


def planted(text: str, before: str = "") -> tuple[PlantedBlock, ...]:
    """The blocks of a text that must be held, without those that stand in `before` already."""
    if not is_judged(text):
        return ()
    if len(text) + len(before) < _LONGEST_KEPT:
        return _remembered(text, before)
    return _last(text, before)


def withheld(text: str, is_own: Provenance) -> list[PlantedBlock]:
    """The blocks that programs are not shown."""
    # Whoever prints a control character makes it visible: what is said beside it counts.
    return [block for block in planted(text.translate(_VISIBLE)) if not is_own(block)]


def without(text: str, is_own: Provenance, files: Callable[[], Iterable[str]] = tuple) -> str:
    """A text with one short line in place of each withheld block, and without what no reader of the
    page sees, whoever wrote that. `files` are those that it may be a part of.
    """
    return without_unseen(_without_blocks(text, is_own), files)


def _without_blocks(text: str, is_own: Provenance) -> str:
    if _PATCH.search(text):
        return _patch_without(text, is_own)
    blocks = withheld(text, is_own)
    if not blocks:
        return text
    lines = text.split("\n")
    for block in reversed(blocks):
        lines[block.line - 1 : block.last_line] = [_line_for(lines[block.line - 1])]
    return "\n".join(lines)


def line_by_line(text: str, near: str, is_own: Provenance) -> str:
    """The same for a text of which single lines are shown: it keeps its number of lines.

    Only if a block `near` them would be withheld, all is judged: what is further off may acquit it.
    """
    return without_unseen(_line_by_line(text, is_own) if withheld(near, is_own) else text)


def _line_by_line(text: str, is_own: Provenance) -> str:
    blocks = withheld(text, is_own)
    if not blocks:
        return text
    lines = text.split("\n")
    for block in blocks:
        for at in range(block.line - 1, block.last_line):
            lines[at] = _line_for(lines[at])
    return "\n".join(lines)


def is_shown_in(block: PlantedBlock, text: str, is_own: Provenance, mask: Mask) -> bool | None:
    """Whether what looks planted alone is shown where it stands, in a whole text; None if it does
    not stand there. Secrets in either of them may be masked already.

    It is not if it has to do with anything that is withheld there, wherever else it stands.
    """
    if MASK.search(block.text) is None:
        mask = str  # nothing to compare with a mask, and to look for secrets takes long
    words = _bare_words(block.text.replace(UNSEEN, ""))
    if not _says(mask(text), words):
        return None
    for other in withheld(text, is_own):
        held = mask(other.text)
        if _says(held, words) or _bare_words(held) in words or _bare_words(visible(held)) in words:
            return False
    return _says(mask(_without_blocks(text, is_own)), words)


def is_held_with_others(words: str, text: str, lines: range, is_own: Provenance) -> bool:
    """Whether an item that says too little to be judged alone, and stands on these lines of a whole
    text or among them, is withheld there for what it says with those beside it.
    """
    if not is_short(words):
        return False
    near = text.split("\n")[max(0, lines.start - 1 - _BESIDE) : lines.stop - 1 + _BESIDE]
    if not withheld("\n".join(near), is_own):
        return False
    bare = _bare_words(words)
    held = withheld(text, is_own)
    there = (block for block in held if block.line < lines.stop and lines.start <= block.last_line)
    return any(_says(block.text, bare) for block in there)


def is_heading_held(heading: str, text: str, is_own: Provenance) -> bool:
    """The same of a heading, wherever it stands in the whole text."""
    words = _bare_words(heading)
    # One without a word gives no order.
    if not words.strip() or not is_short(heading):
        return False
    lines = text.split("\n")
    return any(
        is_strung(lines, at) and is_held_with_others(heading, text, range(at, at + 1), is_own)
        for at in _lines_saying(words, lines)
    )


def _lines_saying(words: str, lines: list[str]) -> Iterator[int]:
    """The numbers of the lines that hold these words. Most have not even the first one, unless a
    comment stands within it.
    """
    first = words.split(maxsplit=1)[0]
    for at, line in enumerate(lines, 1):
        if (first in line or "<" in line) and _says(line, words):
            yield at


def without_held_items(part: str, text: str, lines: range, is_own: Provenance) -> str:
    """These lines of a whole text, as somebody is shown them, without such items."""
    return "\n".join(
        _line_for(line) if line.strip() and is_held_with_others(line, text, lines, is_own) else line
        for line in part.split("\n")
    )


def _says(text: str, words: str) -> bool:
    """Whether a text holds these words in this order, with its comments or without."""
    return words in _bare_words(text) or words in _bare_words(visible(text))


def lines_in(text: str) -> str:
    """The words of each line that has some, between line ends: what stood there is found again,
    whatever marks it has got since, and a part of a line is another text.
    """
    bare = _COMMENT.sub(" ", text.translate(_VISIBLE))
    lines = (" ".join(_BEGINNING.sub("", line).split()) for line in bare.split("\n"))
    return "\n".join(["", *filter(None, lines), ""])


def normal(text: str) -> str:
    """The words of a block: they stay the same where it moves, or gets an id from clawgit."""
    # A comment that would be held itself counts as a part of the block.
    bare = _COMMENT.sub(
        lambda found: found[0] if _held_lines(found[0]) else " ", text.translate(_VISIBLE)
    )
    return " ".join(_BEGINNING.sub("", bare).split())


@lru_cache(maxsize=2048)  # a hit is judged whole and again as it is shown, by a server often
def _remembered(text: str, before: str) -> tuple[PlantedBlock, ...]:
    return _planted(text, before)


# A long text is judged once where it is made and again where it is shown, and then never more.
@lru_cache(maxsize=2)
def _last(text: str, before: str) -> tuple[PlantedBlock, ...]:
    return _planted(text, before)


def _planted(text: str, before: str) -> tuple[PlantedBlock, ...]:
    # The index of facts links to `system`, which in brackets would pass for somebody who speaks.
    bare = _INDEX_LINK.sub(r"\1", text)
    held = [found for found in findings(before, bare) if found.hold]
    if not held:
        return ()
    blocks: dict[int, PlantedBlock] = {}
    spans = list(_spans(text))
    for found in held:
        for first, last, words in _touched(found, spans, text):
            blocks.setdefault(first, PlantedBlock(first, last, words, found.kind, found.reason))
    return tuple(blocks[first] for first in sorted(blocks))


def _touched(found: Injection, spans: list[_Span], text: str) -> list[_Span]:
    """The blocks that hold what was judged: it may begin above a block and end below it."""
    end = max(found.line, found.last)
    near = [span for span in spans if span[0] <= end and found.line <= span[1]]
    touched = [span for span in near if span[2].strip()]
    return touched or [(found.line, found.line, text.split("\n")[found.line - 1])]


def _spans(text: str) -> Iterator[_Span]:
    """Each block, without the blank lines after it.

    A fence may hold a whole page, so each paragraph of it counts alone.
    """
    for block in scan(text):
        if block.kind == "fence":
            yield from _paragraphs(block)
        else:
            words = block.text.rstrip()
            yield block.line, block.line + words.count("\n"), words


def _paragraphs(fence: Block) -> Iterator[_Span]:
    lines = fence.text.rstrip("\n").split("\n")
    numbered = [*enumerate(lines, fence.line)][1:]
    # A file may end with a fence that is opened only.
    if numbered and lines[-1].strip(" `~") == "":
        numbered.pop()
    for is_text, run in groupby(numbered, key=lambda row: bool(row[1].strip())):
        rows = [*run]
        if is_text:
            yield rows[0][0], rows[-1][0], "\n".join(line for _, line in rows)


def _held_lines(text: str) -> bool:
    return any(found.hold for found in findings("", text))


def _bare_words(text: str) -> str:
    """The words alone, since a hit has none of the marks around them. A blank stands before and
    after each, so that half a word is not found.
    """
    return f" {' '.join(_WORD.findall(text))} "


def _line_for(line: str) -> str:
    """What is shown in place of a line, after the mark of its item."""
    beginning = _BEGINNING.match(line)
    return f"{beginning[0] if beginning else ''}{WITHHELD}"


def _patch_without(text: str, is_own: Provenance) -> str:
    """A patch: its lines are judged without their `+` and `-`, and each keeps its place.

    A file may only look like one, so each line is judged as it stands, too.
    """
    lines = text.split("\n")
    body = ["" if line.startswith(_UNCHANGED) else line[1:] for line in lines]
    for block in withheld("\n".join(body), is_own):
        for at in range(block.line - 1, block.last_line):
            lines[at] = f"{lines[at][:1]}{WITHHELD}" if body[at] else lines[at]
    return "\n".join(line if WITHHELD in line else _line_by_line(line, is_own) for line in lines)
