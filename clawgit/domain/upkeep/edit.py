"""The two edits of a promotion: a line leaves its note, and becomes an entry among what lasts."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from clawgit.domain.facts.same_fact import words
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.comment import Meta, split
from clawgit.domain.markdown.notebook import BULLET
from clawgit.domain.markdown.scan import Block, scan
from clawgit.domain.markdown.tag_table import PRIMARY
from clawgit.domain.markdown.tags import tags_in, visible
from clawgit.domain.upkeep.marks import NoteUnit, kinds_of

_CLOCK = re.compile(r"^[0-2]?[0-9]:[0-5][0-9](?: [AP]M)?(?:\s*[-–—·:]\s*|\s+|$)")


def cut_out(text: str, lines: Collection[int], staying: Collection[str] = ()) -> str | None:
    """A text without the blocks that begin on these lines, and without headings that this empties.

    The first heading stays, and so do those in `staying`. None if the blocks around the cut would
    then be read differently.
    """
    blocks = scan(text)
    gone = {at for at, block in enumerate(blocks) if block.line in lines}
    if len(gone) < len({*lines}):
        return None  # what was judged there is a part of something else
    gone |= {at for at in _emptied(blocks, gone) if blocks[at].path[-1] not in staying}
    kept = [block for at, block in enumerate(blocks) if at not in gone]
    left = "".join(_spaced(blocks, gone))
    # The proof: what is left is read as exactly the blocks that were to stay.
    return left if telling(scan(left)) == telling(kept) else None


def as_item(unit: NoteUnit, tag: str, meta: Meta) -> str:
    """A unit as an entry: its bytes, what only its heading says, its category and its comment."""
    raw = unit.block.text.removeprefix("\ufeff").rstrip()
    # The lines of a paragraph become one, because an item is read up to its line end.
    parts = split(raw if unit.block.kind == "item" else " ".join(raw.split()))
    bare = BULLET.sub("", parts.before, count=1) if unit.block.kind == "item" else parts.before
    has_category = any(written in PRIMARY for written in tags_in(bare))
    tagged = "" if has_category else f" #{tag}"
    return f"- {context(unit)}{bare.strip()}{tagged} {meta}{parts.after}"


def context(unit: NoteUnit) -> str:
    """What only the headings of a unit say, as the beginning of a sentence: the nearest that is no
    mark such as “Decisions”.
    """
    heading = next((title for title in titles(unit.block) if not kinds_of(title)), "")
    if {word for word in words(heading) if word[0].isalnum()} <= {*words(unit.text)}:
        return ""
    return frames.UNDER.format(path=heading, words="")


def titles(block: Block) -> Iterator[str]:
    """The headings above a block, the nearest first, without the title of the note. A time in front
    only says when the note was written.
    """
    return (_CLOCK.sub("", visible(title).strip()) for title in block.path[:0:-1])


def _emptied(blocks: Sequence[Block], gone: set[int]) -> Iterator[int]:
    """The headings below which something went and nothing is left, except the first heading."""
    headings = [at for at, block in enumerate(blocks) if block.level]
    for heading in headings[1:]:
        below = _below(blocks, heading)
        left = (blocks[at] for at in below if at not in gone)
        something_went = not gone.isdisjoint(below)
        if something_went and not any(map(_says_something, left)):
            yield heading


def _below(blocks: Sequence[Block], heading: int) -> range:
    """The blocks under a heading, down to the next heading of its level."""
    after = range(heading + 1, len(blocks))
    end = next((at for at in after if 0 < blocks[at].level <= blocks[heading].level), len(blocks))
    return range(heading + 1, end)


def _says_something(block: Block) -> bool:
    return not block.level and block.kind != "blank"


def _spaced(blocks: Sequence[Block], gone: Collection[int]) -> Iterator[str]:
    """The text that is left. Of the blank lines around a cut, those before it stay."""
    waiting, is_cut = "", False
    for at, block in enumerate(blocks):
        if at in gone:
            is_cut = True
        elif block.kind != "blank":
            yield waiting + block.text
            waiting, is_cut = "", False
        elif not is_cut or not waiting:
            waiting += block.text
    # At the end, blank lines stay unless the cut left them there.
    ends_blank = bool(blocks) and blocks[-1].kind == "blank"
    if ends_blank or not is_cut:
        yield waiting


def telling(blocks: Iterable[Block]) -> list[tuple[str, str]]:
    """What blocks say, whatever the ends of their lines, without the blank ones."""
    return [
        (block.kind, block.text.replace("\r\n", "\n").rstrip("\n"))
        for block in blocks
        if block.kind != "blank"
    ]
