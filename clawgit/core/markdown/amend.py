"""A small edit given in words: add, replace or remove a line. All else stays byte for byte."""

import re
from collections.abc import Sequence

from clawgit.core import NamedTuple
from clawgit.core.errors import NotFoundError, UsageError
from clawgit.core.markdown.entry import append_entry
from clawgit.core.markdown.scan import Block, scan

MARKER = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])[ \t]+")
"""The bullet of an item at any depth."""

_BULLET = re.compile(r"(?:[-*+]|\d{1,9}[.)])[ \t]|#{1,6}[ \t]|[>|`~<]")
"""What a line begins with that need not become an item."""


class Amendment(NamedTuple):
    """One of `add`, `replace` (old, new) and `remove`; `section` narrows it to what stands below a
    heading.
    """

    add: str = ""
    replace: tuple[str, str] | None = None
    remove: str = ""
    section: str = ""


def amend(text: str, wish: Amendment) -> str:
    """The text with the amendment made.

    UsageError or NotFoundError where it is not clear what is meant.
    """
    if [bool(wish.add), wish.replace is not None, bool(wish.remove)].count(True) != 1:
        raise UsageError(
            "Say one thing: a line to add, to replace, or to remove.",
            hint="clawgit soul edit --help",
        )
    blocks = scan(text)
    if wish.add:
        return _added(text, blocks, wish.add, wish.section)
    if wish.replace is None:
        return _without(blocks, _meant(blocks, wish.remove, wish.section))
    old, new = (words.strip() for words in wish.replace)
    texts = [block.text for block in blocks]
    place = _meant(blocks, old, wish.section)
    whole = texts[place].strip()
    if _bare(whole) == _bare(old):
        # An item stays one: without its marker, it would go on with the item before it.
        marker = MARKER.match(whole)
        old, new = whole, new if not marker or MARKER.match(new) else marker[0] + new
    texts[place] = texts[place].replace(old, new, 1)
    return "".join(texts)


def _added(text: str, blocks: Sequence[Block], line: str, section: str) -> str:
    """The text with a line after the last block of the section itself, as an item unless it is
    marked as something else.
    """
    item = line if _BULLET.match(line) else f"- {line}"
    path = blocks[_places(blocks, section)[0]].path if section else (None,)
    return append_entry(text, path[-1], item)


def _meant(blocks: Sequence[Block], words: str, section: str) -> int:
    matches = _matches(blocks, words, _places(blocks, section))
    if not matches:
        raise NotFoundError(f"No line says {words!r}.", hint="`clawgit soul show` shows them.")
    if len(matches) > 1:
        lines = ", ".join(str(blocks[place].line) for place in matches)
        raise UsageError(
            f"{words!r} may mean the lines {lines}.", hint="Give the whole line, or its --section."
        )
    return matches[0]


def _matches(blocks: Sequence[Block], words: str, places: Sequence[int]) -> Sequence[int]:
    """The blocks with just these words, else those that contain them."""
    if not (bare := _bare(words)):
        return ()
    same = [at for at in places if _bare(blocks[at].text) == bare]
    return same or [at for at in places if words.strip() in blocks[at].text]


def _places(blocks: Sequence[Block], section: str) -> list[int]:
    """The blocks below a heading, all of them where none is named."""
    if not section:
        # Front matter says nothing to the agent.
        return [at for at, block in enumerate(blocks) if block.kind not in ("blank", "front")]
    title = section.lstrip("# ").strip().casefold()
    below = [at for at, block in enumerate(blocks) if title in map(str.casefold, block.path)]
    if not below:
        raise NotFoundError(f"There is no section {section!r}.", hint=_sections(blocks))
    return below


def _sections(blocks: Sequence[Block]) -> str:
    titles = [block.path[-1] for block in blocks if block.level]
    if not titles:
        return "The file has no headings; leave --section out."
    return f"There are: {', '.join(titles)}."


def _without(blocks: Sequence[Block], place: int) -> str:
    """Takes a block out, and one run of blank lines where that leaves two side by side."""
    texts = [block.text for block in blocks]
    texts[place] = ""
    sides = (place - 1, place + 1)
    blank = [at for at in sides if 0 <= at < len(blocks) and blocks[at].kind == "blank"]
    is_last = place == len(blocks) - 1
    if len(blank) > 1 or (blank and is_last):
        texts[blank[-1]] = ""
    return "".join(texts)


def _bare(text: str) -> str:
    """A block without its marker, on one line."""
    marker = MARKER.match(text)
    return " ".join(text[marker.end() if marker else 0 :].split())
