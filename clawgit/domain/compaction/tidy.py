"""MEMORY.md kept short: detail moves into topic files, and one line for each says where it is.

An editor that had the notebook open while entries moved brings them back when it saves. They are
the same entries, so they are not written into the topic file a second time.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import cache
from itertools import groupby
from typing import NamedTuple

from clawgit.domain.compaction.moved import LINK, MovedBlock, link
from clawgit.domain.compaction.pieces import Piece, by_worth, pieces
from clawgit.domain.facts.confidence import Dynamics
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.comment import split
from clawgit.domain.markdown.entry import append_entry
from clawgit.domain.markdown.notebook import NOTEBOOK_CHARACTERS, NOTEBOOK_LINES
from clawgit.domain.markdown.scan import Block, lines_of, takes_more
from clawgit.domain.markdown.scan import scan as blocks
from clawgit.domain.markdown.tag_table import CATEGORIES
from clawgit.domain.markdown.tags import visible
from clawgit.domain.promotion.edit import cut_out

_ROOMY = 0.95
"""The share of its limits that a tidied notebook fills at most: ten lines or a thousand characters
are free for the next writes.
"""

_STANDARD = tuple(tag.heading for tag in CATEGORIES)
"""Headings of a notebook that stay when nothing is left below them."""


class Tidied(NamedTuple):
    """`text` is the notebook, unchanged where nothing moved; `files` are the topic files."""

    text: str
    files: Mapping[str, str]
    moved: tuple[MovedBlock, ...] = ()


class NotebookLimits(NamedTuple):
    """How long a notebook may be."""

    characters: int = NOTEBOOK_CHARACTERS
    lines: int = NOTEBOOK_LINES

    def hold(self, text: str, share: float = 1.0) -> bool:
        return len(text) <= share * self.characters and len(text.splitlines()) <= share * self.lines


def tidy(
    text: str,
    topics: Mapping[str, str],
    dynamics: Dynamics,
    today: date,
    before: str = "",
) -> Tidied:
    """Moves what is worth least out of a notebook that is over its limits.

    `topics` are the topic files that are there. Whatever is pinned or disputed stays, and so does
    HTML. Decisions of the last weeks and what is surest move late, and corrections last, one by
    one. A notebook that was too long `before` it was written into gets no longer.
    """
    limits = NotebookLimits(
        max(NOTEBOOK_CHARACTERS, len(before)), max(NOTEBOOK_LINES, len(before.splitlines()))
    )
    if limits.hold(text) or not takes_more(text):
        return Tidied(text, {})
    order = by_worth(_movable(pieces(text), topics), dynamics, today)
    # What the operator has just corrected leaves last, even if it has no date.
    order.sort(key=lambda piece: piece.is_correction and bool(before) and piece.raw not in before)
    if limits == NotebookLimits():
        first = [piece for piece in order if not piece.is_correction]
        tidied = _roomy(text, topics, first, limits, _ROOMY)
        if limits.hold(tidied.text):
            return tidied
    return _roomy(text, topics, order, limits, 1.0)


def _movable(found: Sequence[Piece], topics: Mapping[str, str]) -> list[Piece]:
    """The pieces that may move.

    A piece with the id of an entry in its topic file but other words stays: nobody knows which of
    the two is right.
    """
    standing = {path: _items(topics.get(path, "")) for path in {piece.path for piece in found}}
    ids = {(path, split(block.text).id) for path, items in standing.items() for block in items}
    words = {path: {*map(_words, items)} for path, items in standing.items()}

    def may_move(piece: Piece) -> bool:
        is_there = _words(piece.blocks[0]) in words[piece.path]
        return is_there or (piece.path, split(piece.raw).id or None) not in ids

    return [*filter(may_move, found)]


def _roomy(
    text: str,
    topics: Mapping[str, str],
    order: Sequence[Piece],
    limits: NotebookLimits,
    share: float,
) -> Tidied:
    """Moves the first pieces until the rest fits, or all if the rest never fits.

    If moving all would only make the notebook longer, because of the links, nothing moves.
    """

    @cache
    def without(count: int) -> Tidied:
        return _moved(text, topics, order[:count])

    def fits_without(count: int) -> bool:
        return limits.hold(without(count).text, share)

    count = bisect_left(range(len(order)), x=True, key=fits_without)
    tidied = without(count)
    is_longer = len(tidied.text) > len(text) or tidied.text.count("\n") > text.count("\n")
    return Tidied(text, {}) if is_longer and not fits_without(count) else tidied


def _moved(text: str, topics: Mapping[str, str], chosen: Sequence[Piece]) -> Tidied:
    """The notebook without these pieces, and the topic files with them.

    A piece that cannot be moved whole stays.
    """
    shelves: dict[str, tuple[str, str]] = {}
    gone: list[Piece] = []
    in_order = sorted(chosen, key=lambda piece: (piece.path, piece.line))
    for path, group in groupby(in_order, lambda piece: piece.path):
        own = [*group]
        shelf, placed = _shelved(topics.get(path, ""), own)
        if placed:
            shelves[path] = (own[0].topic, shelf)
            gone += placed
    gone.sort(key=lambda piece: piece.line)
    left = _without(text, gone)
    if left is None:
        # Two blocks would become one where something between them goes: one piece is given up.
        stays = next((piece for piece in gone if _without(text, [piece]) is None), gone[-1])
        return _moved(text, topics, [piece for piece in gone if piece is not stays])
    files = {path: shelf for path, (_, shelf) in shelves.items() if shelf != topics.get(path)}
    return Tidied(_linked(left, shelves), files, tuple(map(_as_moved, gone)))


def _without(text: str, gone: Iterable[Piece]) -> str | None:
    return cut_out(text, {line for piece in gone for line in piece.lines}, _STANDARD)


def _shelved(text: str, chosen: Sequence[Piece]) -> tuple[str, list[Piece]]:
    """The file of a topic with more pieces, and those that stand there unchanged.

    If one would be changed, halves are tried, because each check reads the whole file.
    """
    there = {*map(_words, _items(text))}
    new = [piece for piece in chosen if _words(piece.blocks[0]) not in there]
    before = text or frames.TITLE.format(title=chosen[0].topic)
    if not new:
        return text, [*chosen]
    after = before
    for (heading, is_item), run in groupby(new, lambda piece: (piece.heading, piece.is_item)):
        texts = [piece.raw.removeprefix("\ufeff").rstrip("\r\n") for piece in run]
        for part in ["\n".join(texts)] if is_item else texts:
            after = append_entry(after, heading, part)
    if takes_more(before) and _holds(after, before, new):
        return after, [*chosen]
    if len(chosen) == 1:
        return text, []
    middle = len(chosen) // 2
    text, first = _shelved(text, chosen[:middle])
    text, second = _shelved(text, chosen[middle:])
    return text, [*first, *second]


def _holds(after: str, before: str, new: Iterable[Piece]) -> bool:
    """Whether a text has the blocks that it had, and those of the pieces."""
    wanted = Counter(map(_core, (*blocks(before), *(one for piece in new for one in piece.blocks))))
    wanted[_BLANK] = 0
    return wanted <= Counter(map(_core, blocks(after)))


_BLANK = ("blank", "")


def _core(block: Block) -> tuple[str, str]:
    """What a block is, whatever the ends of its lines; all blank ones are the same."""
    text = block.text.removeprefix("\ufeff").replace("\r\n", "\n").rstrip("\n")
    return _BLANK if block.kind == "blank" else (block.kind, text)


def _linked(text: str, shelves: Mapping[str, tuple[str, str]]) -> str:
    """The notebook with the links to these topics: by path, the name and the text of each.

    A link that is there keeps its name and place, and is counted again.
    """
    lines, new = lines_of(text), dict(shelves)
    for block in _items(text):
        old = LINK.fullmatch(block.text.strip())
        if old and old[2] in new:
            end = block.text[len(block.text.rstrip("\r\n")) :]
            lines[block.line - 1] = link(old[1], old[2], new.pop(old[2])[1]) + end
    links = "\n".join(link(title, path, shelf) for path, (title, shelf) in new.items())
    text = "".join(lines)
    return append_entry(text, frames.TOPICS, links) if links else text


def _as_moved(piece: Piece) -> MovedBlock:
    shown = visible(split(piece.blocks[0].text).visible).strip()
    return MovedBlock(piece.line, shown, piece.path)


def _items(text: str) -> list[Block]:
    return [block for block in blocks(text) if block.kind == "item"]


def _words(block: Block) -> str:
    """What a block says, without its comment: an editor or a person may have dropped that."""
    return split(block.text).visible.replace("\r\n", "\n").strip()
