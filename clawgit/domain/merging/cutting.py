"""Cuts a document into sections, for files in which a section is merged as a whole."""

from collections.abc import Callable, Iterator, Sequence

from clawgit.domain.markdown.scan import Block, scan
from clawgit.domain.merging.align import MergeUnit, Units

SECTION = "section"
"""The kind of a unit that is a heading with all that stands under it."""


def cut_into_sections(text: str, name: Callable[[Block], str], lowest: int) -> Units:
    """The units of a text: sections whose headings have a name, which is their id; and the other
    blocks. A heading of the level `lowest` or above ends a section.
    """
    units, gaps = [MergeUnit("start", "", 1)], [""]
    for blocks in grouped(scan(text), lambda block: bool(name(block)), lowest):
        first = blocks[0]
        whole = "".join(block.text for block in blocks)
        if first.kind == "blank":
            gaps[-1] += whole
            continue
        core = whole.rstrip()
        ident = name(first)
        kind = SECTION if ident else first.kind
        units.append(MergeUnit(kind, core, first.line, first.path, 0, ident))
        gaps.append(whole[len(core) :])
    return Units([*units, MergeUnit("end", "", units[-1].line)], gaps)


def grouped(
    blocks: Sequence[Block], opens: Callable[[Block], bool], lowest: int
) -> Iterator[list[Block]]:
    """Each section that a heading opens, up to the next heading; every other block alone."""
    group: list[Block] = []
    for block in blocks:
        goes_on = group and opens(group[0]) and not 0 < block.level <= lowest
        if group and not goes_on:
            yield group
            group = []
        group.append(block)
    if group:
        yield group
