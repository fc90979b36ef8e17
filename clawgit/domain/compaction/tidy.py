"""MEMORY.md kept short: detail moves into topic files, and one line for each says where it is.

An editor that had the notebook open while entries moved brings them back when it saves. They are
the same entries, so they are not moved a second time.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from itertools import chain, groupby
from operator import itemgetter
from typing import NamedTuple

from clawgit.domain.compaction.moved import LINK, MovedBlock, link
from clawgit.domain.compaction.pieces import Piece, by_worth, pieces
from clawgit.domain.facts.confidence import Dynamics
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.comment import read_meta, split
from clawgit.domain.markdown.document import blocks
from clawgit.domain.markdown.entry import append_entry
from clawgit.domain.markdown.notebook import NOTEBOOK_CHARACTERS, NOTEBOOK_LINES
from clawgit.domain.markdown.scan import Block, lines_of, takes_more
from clawgit.domain.markdown.tag_table import CATEGORIES
from clawgit.domain.markdown.tags import visible
from clawgit.domain.promotion.edit import cut_out

_ROOMY = 0.95
"""The share of its limits that a tidied notebook fills at most: ten lines or a thousand characters
are free for the next writes.
"""

_A_FEW = 3
"""How many more pieces move at a time, until the rest fits with the links to them."""

_TRIED = 8
"""About how many counts of pieces are looked through."""

_STANDARD = tuple(tag.heading for tag in CATEGORIES)
"""Headings of a notebook that stay when nothing is left below them."""


_BLANK = ("blank", "")


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
        return self.hold_size(len(text), len(text.splitlines()), share)

    def hold_size(self, characters: int, lines: int, share: float) -> bool:
        return characters <= share * self.characters and lines <= share * self.lines


def tidy(
    text: str, topics: Mapping[str, str], dynamics: Dynamics, today: date, full: float = 1.0
) -> Tidied:
    """Moves what is worth least out of a notebook that takes more than a share of its limits.

    `topics` are the topic files that are there. Whatever is pinned or disputed stays. Decisions of
    the last weeks and what is surest move late, then HTML, and corrections last, the oldest first.
    """
    if NotebookLimits().hold(text, full) or not takes_more(text):
        return Tidied(text, {})
    back, movable = _sorted_out(pieces(text), topics)
    order = by_worth(movable, dynamics, today)
    return _roomy(text, topics, back, order, NotebookLimits(), min(full, _ROOMY))


def with_room(
    before: str, after: str, topics: Mapping[str, str], dynamics: Dynamics, today: date
) -> Tidied:
    """A notebook that was written into, within its limits, as `tidy` makes it.

    It leaves room for the next writes: each reads the whole notebook if it has to make some. A
    notebook that was too long before gets no longer.
    """
    limits = NotebookLimits(
        max(NOTEBOOK_CHARACTERS, len(before)), max(NOTEBOOK_LINES, len(before.splitlines()))
    )
    if limits.hold(after) or not takes_more(after):
        return Tidied(after, {})
    back, movable = _sorted_out(pieces(after), topics)
    order = by_worth(movable, dynamics, today)
    # Corrections leave one by one, and only where nothing else can.
    first = [piece for piece in order if not piece.is_correction]
    if limits == NotebookLimits():
        tidied = _roomy(after, topics, back, first, limits, _ROOMY)
        if limits.hold(tidied.text):
            return tidied
    # What the operator has just corrected leaves last, even if it has no date.
    order.sort(key=lambda piece: piece.is_correction and piece.raw not in before)
    return _roomy(after, topics, back, order, limits, 1.0)


def _roomy(
    text: str,
    topics: Mapping[str, str],
    back: Sequence[tuple[Piece, str]],
    order: Sequence[Piece],
    limits: NotebookLimits,
    share: float,
) -> Tidied:
    """Moves the first pieces until the rest fits, or all if the rest never fits.

    What a topic file has already, `back`, goes in any case. If moving all would only make the
    notebook longer, because of the links, nothing moves.
    """

    @cache
    def without(count: int) -> Tidied:
        return _moved(text, topics, order[:count], back)

    def fits_without(count: int) -> bool:
        return limits.hold(without(count).text, share)

    most = _guess(text, back, order, limits, share)
    while most < len(order) and not fits_without(most):
        most = min(most + _A_FEW, len(order))
    # The headings that go with what moves may make room for a part of it.
    counts = [*range(0, most, most // _TRIED + 1), most]
    count = most
    if fits_without(most):
        count = counts[bisect_left(counts, x=True, key=fits_without)]
    tidied = without(count)
    if count == most and not fits_without(most) and not _is_shorter(tidied.text, text):
        return Tidied(text, {})
    return tidied


def _is_shorter(text: str, before: str) -> bool:
    return len(text) <= len(before) and len(text.splitlines()) <= len(before.splitlines())


def _guess(
    text: str,
    back: Sequence[tuple[Piece, str]],
    order: Sequence[Piece],
    limits: NotebookLimits,
    share: float,
) -> int:
    """How many of the first pieces have to go, by a sum that leaves out the links to them."""
    gone = [piece.raw for piece, _ in back]
    size = len(text) - sum(map(len, gone))
    lines = len(text.splitlines()) - sum(raw.count("\n") for raw in gone)
    for count, piece in enumerate(order):
        if limits.hold_size(size, lines, share):
            return count
        size -= len(piece.raw)
        lines -= piece.raw.count("\n")
    return len(order)


def _moved(
    text: str,
    topics: Mapping[str, str],
    chosen: Iterable[Piece],
    back: Sequence[tuple[Piece, str]],
) -> Tidied:
    """The notebook without these pieces, and the topic files with them; `back` are there already.

    A piece that cannot be moved whole stays.
    """
    files, gone, names = _filled(topics, chosen)
    gone += [piece for piece, _ in back]
    gone.sort(key=_line)
    left = _without(text, gone)
    if left is None:
        # Two blocks would become one where something between them goes: one piece is given up.
        stays = next((piece for piece in gone if _without(text, [piece]) is None), gone[-1])
        kept = [(piece, path) for piece, path in back if piece is not stays]
        where = {piece.line for piece, _ in back} | {stays.line}
        return _moved(text, topics, [piece for piece in gone if piece.line not in where], kept)
    shelves = {path: (piece.topic, topics[path]) for piece, path in back}
    shelves |= {path: (names[path], shelf) for path, shelf in files.items()}
    return Tidied(_linked(left, shelves), files, _all_moved(gone, back))


def _all_moved(gone: Iterable[Piece], back: Iterable[tuple[Piece, str]]) -> tuple[MovedBlock, ...]:
    there = {piece.line: path for piece, path in back}
    return tuple(_as_moved(piece, there.get(piece.line, piece.path)) for piece in gone)


def _filled(
    topics: Mapping[str, str], chosen: Iterable[Piece]
) -> tuple[dict[str, str], list[Piece], dict[str, str]]:
    """The topic files with these pieces, the pieces that are in them now, and the topics' names."""
    by_path: dict[str, list[Piece]] = {}
    for piece in sorted(chosen, key=_line):
        by_path.setdefault(piece.path, []).append(piece)
    files: dict[str, str] = {}
    gone: list[Piece] = []
    for path, own in by_path.items():
        shelf, placed = _shelved(topics.get(path, ""), own)
        if placed:
            files[path] = shelf
            gone += placed
    return files, gone, {path: own[0].topic for path, own in by_path.items()}


def _line(piece: Piece) -> int:
    return piece.line


def _without(text: str, gone: Iterable[Piece]) -> str | None:
    return cut_out(text, {line for piece in gone for line in piece.lines}, _STANDARD)


def _shelved(text: str, chosen: Sequence[Piece]) -> tuple[str, list[Piece]]:
    """The file of a topic with more pieces, and those that stand there unchanged.

    If one would be changed, halves are tried, because each check reads the whole file.
    """
    before = text or frames.TITLE.format(title=chosen[0].topic)
    if not takes_more(before):
        return text, []
    after = before
    for heading, item in _appended(chosen):
        after = append_entry(after, heading, item)
    added = Counter(_core(block) for piece in chosen for block in piece.blocks)
    if _holds(after, Counter(map(_core, blocks(before))), added):
        return after, [*chosen]
    if len(chosen) == 1:
        return text, []
    middle = len(chosen) // 2
    text, first = _shelved(text, chosen[:middle])
    text, second = _shelved(text, chosen[middle:])
    return text, [*first, *second]


def _holds(text: str, before: Counter[tuple[str, str]], added: Counter[tuple[str, str]]) -> bool:
    """Whether a text has the blocks that it had, and those that were added."""
    grown = Counter(map(_core, blocks(text)))
    grown.subtract(before)
    if min(grown.values()) < 0:
        return False
    return all(grown[core] >= count for core, count in added.items() if core != _BLANK)


def _appended(chosen: Sequence[Piece]) -> Iterator[tuple[str, str]]:
    """What is appended, each with its heading: entries that follow each other go together."""
    rows = [
        (piece.heading, block.kind == "item", block.text.removeprefix("\ufeff"))
        for piece in chosen
        for block in piece.blocks
        if block.kind != "blank"
    ]
    for (heading, is_item), run in groupby(rows, key=itemgetter(0, 1)):
        texts = [text for _, _, text in run]
        if not is_item:
            yield from ((heading, text) for text in texts)
            continue
        yield heading, "".join(map(_with_end, texts))


def _with_end(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n"


def _core(block: Block) -> tuple[str, str]:
    """What a block is, whatever the ends of its lines; all blank ones are the same."""
    if block.kind == "blank":
        return _BLANK
    return block.kind, block.text.replace("\r\n", "\n").rstrip("\n")


def _linked(text: str, shelves: Mapping[str, tuple[str, str]]) -> str:
    """The notebook with the links to these topics: by path, the name and the text of each.

    A link that is there keeps its name and place, and is counted again. The notebook is read once,
    since it may have a hundred topics.
    """
    lines = lines_of(text)
    new = dict(shelves)
    for block in blocks(text):
        old = LINK.fullmatch(block.text.strip()) if block.kind == "item" else None
        if old and old[2] in new:
            end = block.text[len(block.text.rstrip("\r\n")) :]
            _, shelf = new.pop(old[2])
            lines[block.line - 1] = link(old[1], old[2], shelf) + end
    links = "\n".join(link(title, path, shelf) for path, (title, shelf) in new.items())
    text = "".join(lines)
    return append_entry(text, frames.TOPICS, links) if links else text


def _as_moved(piece: Piece, path: str) -> MovedBlock:
    shown = visible(split(piece.blocks[0].text).visible).strip()
    return MovedBlock(piece.line, shown, path)


def _sorted_out(
    order: Sequence[Piece], files: Mapping[str, str]
) -> tuple[list[tuple[Piece, str]], list[Piece]]:
    """The pieces that a topic file has word for word already, each with that file, and those that
    may move.

    A piece in neither has the id of an entry there but other words: nobody knows which of the two
    is right, so it stays. `files` may hold others too, the notebook itself above all; only a file
    that a piece would move to can have it already.
    """
    standing = {
        path: [block for block in blocks(files[path]) if block.kind == "item"]
        for path in sorted({piece.path for piece in order} & files.keys())
    }
    places = {_words(block): path for path, items in standing.items() for block in items}
    ids = _ids(chain(*standing.values()))
    back: list[tuple[Piece, str]] = []
    movable: list[Piece] = []
    for piece in order:
        if home := _home(piece, places):
            back.append((piece, home))
        elif ids.isdisjoint(_ids(piece.blocks)):
            movable.append(piece)
    return back, movable


def _home(piece: Piece, places: Mapping[str, str]) -> str:
    """The one file that has all of a piece, by the places of words; "" if there is none."""
    # Entries only: prose or code that stands twice may be meant to.
    if any(block.kind not in ("item", "blank") for block in piece.blocks):
        return ""
    homes = {places.get(_words(block), "") for block in piece.blocks if block.kind == "item"}
    return homes.pop() if len(homes) == 1 else ""


def _words(block: Block) -> str:
    """What a block says, without its comment: an editor or a person may have dropped that."""
    return split(block.text).visible.replace("\r\n", "\n").strip()


def _ids(items: Iterable[Block]) -> set[str]:
    metas = (read_meta(split(block.text)) for block in items if block.kind == "item")
    return {meta.id for meta in metas if meta is not None and meta.id}
