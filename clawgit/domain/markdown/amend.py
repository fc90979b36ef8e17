"""A small edit given in words: add, replace or remove a line. All else stays byte for byte."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from clawgit.domain.markdown.entry import append_entry
from clawgit.domain.markdown.excerpt import one_line
from clawgit.domain.markdown.scan import Block, scan
from clawgit.errors import NotFoundError, UsageError

_MARKER = re.compile(r"(?:\s*(?:[-*+]|\d{1,9}[.)])[ \t]+)?")
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
    section = _section(blocks, wish.section)
    if wish.add:
        # After the last block of the section itself, as an item unless it is something else.
        item = wish.add if _BULLET.match(wish.add) else f"- {wish.add}"
        return append_entry(text, section[0].path[-1] if wish.section else None, item)
    old, new = wish.replace or (wish.remove, "")
    meant = _meant(section, old, wish.section)
    texts = [block.text for block in blocks]
    place = blocks.index(meant)
    texts[place] = _reworded(meant.text, old, new) if wish.replace else ""
    if not wish.replace:
        # With it goes one run of blank lines, where two would stand side by side or at the end.
        sides = [at for at in (place - 1, place + 1) if 0 <= at < len(blocks)]
        blank = [at for at in sides if blocks[at].kind == "blank"]
        if blank and (len(blank) > 1 or place == len(blocks) - 1):
            texts[blank[-1]] = ""
    return "".join(texts)


def _meant(blocks: Sequence[Block], words: str, section: str) -> Block:
    """The one block with just these words, else the one that contains them."""
    lines = [block for block in blocks if block.kind not in ("blank", "front")]
    same = [block for block in lines if _bare(block.text) == _bare(words)]
    found = same or [block for block in lines if words.strip() in block.text]
    if not found or not _bare(words):
        where = f" below {section!r}" if section else ""
        raise NotFoundError(
            f"No line{where} says {words!r}.", hint="`clawgit soul show` shows them."
        )
    if len(found) > 1:
        numbers = ", ".join(str(block.line) for block in found)
        raise UsageError(
            f"{words!r} may mean the lines {numbers}.",
            hint="Give the whole line, or its --section.",
        )
    return found[0]


def _section(blocks: Sequence[Block], section: str) -> Sequence[Block]:
    """The blocks below a heading, all of them where none is named."""
    title = section.lstrip("# ").strip().casefold()
    below = [block for block in blocks if title in map(str.casefold, block.path)]
    if section and not below:
        titles = ", ".join(block.path[-1] for block in blocks if block.level)
        hint = f"There are: {titles}." if titles else "The file has none; leave --section out."
        raise NotFoundError(f"There is no section {section!r}.", hint=hint)
    return below if section else blocks


def _reworded(text: str, old: str, new: str) -> str:
    """The block with other words; where all of it was named, all but its marker is replaced."""
    core = text.rstrip("\r\n")
    if _bare(core) != _bare(old):
        return text.replace(old.strip(), new.strip(), 1)
    kept = "" if _marker(new) else _marker(core)
    return kept + new.strip() + text[len(core) :]


def _marker(text: str) -> str:
    match = _MARKER.match(text)
    return match[0] if match else ""


def _bare(text: str) -> str:
    """A block without its marker, on one line."""
    return one_line(text[len(_marker(text)) :])
