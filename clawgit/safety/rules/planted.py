"""Planted text: blocks that look like an injection, and what is shown in place of them.

`withheld` alone decides. Provenance goes before text: a block is the operator's if he wrote it,
committed it, adopted it or accepted it, whatever it says. It is known again by its words: blanks,
list markers and clawgit's own comments do not count.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from clawgit.core import NamedTuple
from clawgit.core.layout import CONFIG, OTHER_CONFIG, is_instruction, is_markdown
from clawgit.git.rules.ids import digest
from clawgit.language.lazily import lazily
from clawgit.safety.rules.injection import findings, without_silent, without_unseen
from clawgit.safety.rules.masks import WITHHELD, is_judged

_BEGINNING = lazily(
    r"^[+-]?[ \t>]{0,20}(?:(?:[-*+]|[0-9]{1,9}[.)]|#{1,6})[ \t]{1,20})?", re.MULTILINE
)
"""What a line of a quote, an item or a heading begins with, and one of a patch."""

_VISIBLE = {code: 0x2400 + code for code in range(32) if chr(code) not in "\t\n\r"}
_PATCH = lazily(r"^@@ ", re.MULTILINE)
_UNCHANGED = ("@@ ", "diff ", "index ", "--- ", "+++ ", "\\ ")
"""How the lines of a patch begin that are no lines of a file."""


NAMED = 12
"""How many digits of its hash name a text."""


class PlantedBlock(NamedTuple):
    """A block with a finding that must be held, by its first and its last line.

    `kind` and `reason` are those of its first finding. `key` is its name for `trust`, `seen` the
    hash of its words.
    """

    key: str
    path: str
    line: int
    last_line: int
    kind: str
    reason: str
    text: str
    seen: str

    @property
    def words(self) -> str:
        """The block as it is recognised again."""
        return normal(self.text)

    @property
    def why(self) -> str:
        """The reason, without the words, since agents read reasons and alerts too."""
        return f"{self.path}:{self.line} {self.kind}: {self.reason}"


Provenance = Callable[[PlantedBlock], bool]
"""Whether a block is the operator's. It may read history, so it is asked of held blocks alone."""


def is_served(path: str) -> bool:
    """Whether `context` or a search may show a file of the workspace.

    That is all Markdown but the settings, skills and prompts. They give orders by their nature, and
    are no memory.
    """
    if not is_markdown(path) or path in (CONFIG, OTHER_CONFIG):
        return False
    return "/" not in path or not is_instruction(path)


def planted(text: str, before: str = "", path: str = "") -> tuple[PlantedBlock, ...]:
    """The blocks of a text that must be held, without those that stand in `before` already."""
    if not is_judged(text):
        return ()
    return _planted(text, before, path)


def withheld(text: str, is_own: Provenance) -> list[PlantedBlock]:
    """The blocks that programs are not shown."""
    # Whoever prints a control character makes it visible: what is said beside it counts.
    return [block for block in planted(text.translate(_VISIBLE)) if not is_own(block)]


def without(text: str, is_own: Provenance) -> str:
    """A text with a mark in place of each withheld line, and without what no reader of the page
    sees, whoever wrote that. It keeps its lines, since some show only a few of them.
    """
    # First, since a line may close a comment: withheld itself, it would leave all below unseen.
    shown, views, lines = without_unseen(text), [text], text.split("\n")
    if _PATCH.search(text):
        # A file may only look like a patch, so it is judged as it stands, too.
        body = ("" if line.startswith(_UNCHANGED) else line[1:] for line in lines)
        views.append("\n".join(body))
    blocks = [block for view in views for block in withheld(view, is_own)]
    lines = shown.split("\n")
    for block in blocks:
        within = slice(block.line - 1, block.last_line)
        lines[within] = map(_line_for, lines[within])
    return "\n".join(lines) if blocks else shown


def lines_in(text: str) -> str:
    """The words of each line that has some, between line ends: what stood there is found again,
    whatever marks it has got since, and a part of a line is another text.
    """
    lines = (" ".join(line.split()) for line in _bare(text).split("\n"))
    return "\n".join(["", *filter(None, lines), ""])


def normal(text: str) -> str:
    """The words of a block: they stay the same where it moves, or gets an id from clawgit."""
    return " ".join(_bare(text).split())


def _bare(text: str) -> str:
    return _BEGINNING.sub("", without_silent(text.translate(_VISIBLE)))


@lru_cache(maxsize=64)  # a hit is judged whole and again as it is shown, by a server often
def _planted(text: str, before: str, path: str) -> tuple[PlantedBlock, ...]:
    lines, blocks = text.split("\n"), dict[int, PlantedBlock]()
    for _, kind, reason, first, last in findings(before, text):
        said = "\n".join(lines[first - 1 : last])
        seen = digest(normal(said))
        block = PlantedBlock(f"text:{seen[:NAMED]}", path, first, last, kind, reason, said, seen)
        blocks.setdefault(first, block)
    return tuple(map(blocks.__getitem__, sorted(blocks)))


def _line_for(line: str) -> str:
    """What is shown in place of a line, after the mark of its item: of a comment, only its end is
    left.
    """
    if not line.strip(" \t\r->"):
        return line
    beginning = _BEGINNING.match(line)
    return f"{beginning[0] if beginning else ''}{WITHHELD}"
