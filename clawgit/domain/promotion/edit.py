"""How a line leaves its note and stands among what lasts: the two edits of a promotion, byte for
byte elsewhere.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from clawgit.domain.facts.same_fact import words
from clawgit.domain.markdown import document, frames
from clawgit.domain.markdown.comment import Meta, split
from clawgit.domain.markdown.scan import Block
from clawgit.domain.markdown.tags import PRIMARY, tags_in
from clawgit.domain.promotion.marks import kinds_of

if TYPE_CHECKING:
    from clawgit.domain.promotion.promotion import (
        Unit,
    )  # whoever keeps to the limits has no 30 ms for its rules

NOTEBOOK_CHARACTERS = 20_000
NOTEBOOK_LINES = 200
"""What MEMORY.md must not pass: OpenClaw cuts the middle out of what is longer."""

BULLET = re.compile(r" {0,3}(?:[-+*]|[0-9]{1,9}[.)])(?:[ \t]+|$)(?:\[[xX]\][ \t]+)?", re.MULTILINE)
"""How a list item begins; the tick of what was done says nothing of what it says."""


def fits(text: str) -> bool:
    return len(text) <= NOTEBOOK_CHARACTERS and len(text.splitlines()) <= NOTEBOOK_LINES


def takes_more(text: str) -> bool:
    """Whether what is appended stands for itself: no open fence or comment swallows it."""
    return document.blocks(f"{text}\n\n# End\n")[-1].level == 1


def cut_out(text: str, lines: Collection[int], staying: Collection[str] = ()) -> str | None:
    """A text without the blocks that begin on these lines, and without each heading that had
    nothing else below it; its first heading stays, and those of `staying`. None where what stands
    beside them would be read otherwise then.
    """
    blocks = document.blocks(text)
    gone = {at for at, block in enumerate(blocks) if block.line in lines}
    if len(gone) < len({*lines}):
        return None  # what was judged there is a part of something else
    gone |= {at for at in _emptied(blocks, gone) if blocks[at].path[-1] not in staying}
    kept = [block for at, block in enumerate(blocks) if at not in gone]
    left = "".join(_spaced(blocks, gone))
    return left if _telling(document.blocks(left)) == _telling(kept) else None


def as_item(unit: "Unit", tag: str, meta: Meta) -> str:
    """A unit as an entry, without a line end: its bytes, what its heading says besides, its
    category and its facts.
    """
    raw = unit.block.text.removeprefix("\ufeff").rstrip()
    parts = split(raw if unit.block.kind == "item" else " ".join(raw.split()))
    bare = BULLET.sub("", parts.before, count=1) if unit.block.kind == "item" else parts.before
    tagged = "" if any(one in PRIMARY for one in tags_in(bare)) else f" #{tag}"
    return f"- {context(unit)}{bare.strip()}{tagged} {meta}{parts.after}"


def context(unit: "Unit") -> str:
    """What the heading of a unit says that the unit itself does not, as the beginning of a
    sentence.
    """
    said = {word for word in words(unit.heading) if word[0].isalnum()}
    if kinds_of(unit.heading) or said <= {*words(unit.text)}:
        return ""
    return frames.UNDER.format(path=unit.heading, words="")


def _emptied(blocks: Sequence[Block], gone: Collection[int]) -> Iterator[int]:
    """The headings below which something went and nothing is left."""
    first = next((at for at, block in enumerate(blocks) if block.level), len(blocks))
    for at, block in enumerate(blocks):
        if block.level and at != first:
            below = [*_below(blocks, at)]
            left = [
                one
                for one in below
                if one not in gone and not blocks[one].level and blocks[one].kind != "blank"
            ]
            if not left and any(one in gone for one in below):
                yield at


def _below(blocks: Sequence[Block], heading: int) -> Iterable[int]:
    """All that stands under a heading, down to the next one of its level."""
    after = range(heading + 1, len(blocks))
    end = next((at for at in after if 0 < blocks[at].level <= blocks[heading].level), len(blocks))
    return range(heading + 1, end)


def _spaced(blocks: Sequence[Block], gone: Collection[int]) -> Iterator[str]:
    """What is left: where blank lines stood on both sides of what went, those before it stay."""
    waiting, cut = "", False
    for at, block in enumerate(blocks):
        if at in gone:
            cut = True
        elif block.kind != "blank":
            yield waiting + block.text
            waiting, cut = "", False
        elif not (waiting and cut):
            waiting += block.text
    ends_blank = bool(blocks) and blocks[-1].kind == "blank"
    yield waiting if ends_blank or not cut else ""


def _telling(blocks: Iterable[Block]) -> list[tuple[str, str]]:
    return [(block.kind, block.text.rstrip("\n")) for block in blocks if block.kind != "blank"]
