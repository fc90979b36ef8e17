"""MEMORY.md kept short: entries move into topic files, and one line for each says where they are.

An entry moves under the headings that it stood under, byte for byte. Prose and HTML stay, and so
do pinned and disputed lines. An editor that had the notebook open while entries moved brings them
back when it saves. They are the same entries, so they are not written into the topic file a second
time.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import cache, lru_cache
from itertools import groupby
from typing import NamedTuple

from clawgit.domain.compaction.compaction import is_correction
from clawgit.domain.compaction.moved import LINK, MovedBlock, is_link, link
from clawgit.domain.context.rules import is_rule
from clawgit.domain.corrections.disputed import quotes_of
from clawgit.domain.facts.confidence import Dynamics, confidence
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.comment import Meta, read_meta, split
from clawgit.domain.markdown.entry import append_entry
from clawgit.domain.markdown.notebook import NOTEBOOK_CHARACTERS, NOTEBOOK_LINES
from clawgit.domain.markdown.scan import Block, lines_of, takes_more
from clawgit.domain.markdown.scan import scan as blocks
from clawgit.domain.markdown.slug import slug
from clawgit.domain.markdown.statuses import DISPUTED
from clawgit.domain.markdown.tag_table import CATEGORIES, CORRECTION_TAG, TAGS
from clawgit.domain.markdown.tags import tags_in, visible
from clawgit.domain.promotion.edit import cut_out
from clawgit.domain.promotion.marks import PINNED, is_pinned, kinds_of, marks
from clawgit.domain.workspace.tiers import dated

_ROOMY = 0.95
"""The share of its limits that a tidied notebook fills at most: ten lines or a thousand characters
are free for the next writes.
"""

_STANDARD = tuple(tag.heading for tag in CATEGORIES)
"""Headings of a notebook that stay when nothing is left below them."""

_RECENT = timedelta(days=30)
"""How long a decision is recent, and moves late."""

_STAYS = frozenset(tag.name for tag in TAGS if tag.stays_while_recent)

_STEPS = 20
"""Differences below a twentieth are noise: then the older entry moves first."""

_LONGEST_NAME = 40
_TAKEN = frozenset(("index", "archive", "readme"))
_UNSAFE = re.compile(r"[^\w]+")


class Piece(NamedTuple):
    """An entry that may move. `heading` is what it stands under in the file of its topic."""

    block: Block
    topic: str
    heading: str

    @property
    def path(self) -> str:
        return topic_path(self.topic)


class Tidied(NamedTuple):
    """`text` is the notebook, unchanged where nothing moved; `files` are the topic files."""

    text: str
    files: Mapping[str, str]
    moved: tuple[MovedBlock, ...] = ()


def tidy(
    text: str,
    topics: Mapping[str, str],
    dynamics: Dynamics,
    today: date,
    before: str = "",
) -> Tidied:
    """Moves what is worth least out of a notebook that is over its limits.

    `topics` are the topic files that are there. Decisions of the last weeks and what is surest
    move late, and corrections last, one by one. A notebook that was too long `before` it was
    written into gets no longer.
    """
    characters = max(NOTEBOOK_CHARACTERS, len(before))
    lines = max(NOTEBOOK_LINES, len(before.splitlines()))

    def holds(tidied: Tidied, share: float = 1) -> bool:
        left = tidied.text
        return len(left) <= share * characters and len(left.splitlines()) <= share * lines

    whole = Tidied(text, {})
    if holds(whole) or not takes_more(text):
        return whole
    order = _movable(text, topics)
    order.sort(key=lambda piece: _worth(piece.block, dynamics, today))

    @cache
    def without(count: int) -> Tidied:
        return _moved(text, topics, order[:count])

    others = range(sum(not is_correction(piece.block) for piece in order))
    count = bisect_left(others, x=True, key=lambda count: holds(without(count), _ROOMY))
    if not holds(without(count)):
        count = bisect_left(range(len(order)), x=True, key=lambda count: holds(without(count)))
    tidied = without(count)
    # Where little moves, the links may take more than it gives.
    is_shorter = len(tidied.text) <= len(text) and tidied.text.count("\n") <= text.count("\n")
    return tidied if is_shorter or holds(tidied) else whole


def topic_path(topic: str) -> str:
    """The file of a topic: never one of a day, whatever it is called."""
    plain = _UNSAFE.sub("-", topic.casefold())[:_LONGEST_NAME].strip("-")
    name = slug(topic) or plain or slug(frames.TOPICS)
    path = f"memory/{name}-topic.md" if name in _TAKEN else f"memory/{name}.md"
    return f"memory/{slug(frames.TOPICS)}.md" if dated(path) else path


def _movable(text: str, topics: Mapping[str, str]) -> list[Piece]:
    """The entries that may move, in the order of the file.

    One with the id of an entry in its topic file but other words stays: nobody knows which of the
    two is right.
    """
    # With a byte order mark before it, a heading in the first line would not be read as one.
    all_blocks = blocks(text.removeprefix("\ufeff"))
    depth = _depth(all_blocks)
    pieces = [_piece(block, depth) for block in all_blocks if _may_move(block)]
    standing = {path: _items(topics.get(path, "")) for path in {piece.path for piece in pieces}}
    words = {(path, _words(block)) for path, items in standing.items() for block in items}
    ids = {(path, split(block.text).id) for path, items in standing.items() for block in items}

    def is_certain(piece: Piece) -> bool:
        is_there = (piece.path, _words(piece.block)) in words
        return is_there or (piece.path, split(piece.block.text).id or None) not in ids

    return [*filter(is_certain, pieces)]


def _depth(all_blocks: Sequence[Block]) -> int:
    """How many headings stand above every topic: the title of the file, where it has one."""
    levels = [block.level for block in all_blocks if block.level]
    return int(levels[:1] == [1] and levels.count(1) == 1)


def _may_move(block: Block) -> bool:
    """Whether it is an entry that is neither a link, nor a rule, nor disputed, nor pinned, nor
    below a pinned heading.
    """
    text = block.text
    if block.kind != "item" or is_link(text) or _is_bound(block):
        return False
    meta = read_meta(split(text)) or Meta("")
    return meta.status != DISPUTED and not quotes_of(text)


def _is_bound(block: Block) -> bool:
    text = block.text
    if any(map(_pins, block.path)) or is_rule(visible(text), block.path):
        return True
    return PINNED in marks(text) or is_pinned(text, whole=False)


@lru_cache(maxsize=64)  # one heading has many entries
def _pins(title: str) -> bool:
    return PINNED in kinds_of(title) or CORRECTION_TAG in tags_in(title) or is_pinned(title)


def _piece(block: Block, depth: int) -> Piece:
    path = [" ".join(visible(title).rstrip("# ").split()) for title in block.path[depth:]]
    topic = next(filter(None, path), frames.NO_TOPIC)
    return Piece(block, topic, " / ".join(filter(None, path[1:])) or topic)


def _worth(block: Block, dynamics: Dynamics, today: date) -> tuple[object, ...]:
    """What it is worth to the notebook: first how sure it is and how often it was said, then its
    day. Of corrections, only the day counts.
    """
    meta = read_meta(split(block.text)) or Meta("")
    # What has no day may have been written just now.
    last = meta.last or meta.first or date.max
    if is_correction(block):
        return True, False, 0, 0, last, block.line
    is_recent = last >= today - _RECENT and not _STAYS.isdisjoint(tags_in(block.text))
    sure = confidence(meta, dynamics, today) if meta.conf is not None else 0
    return False, is_recent, round(sure * _STEPS), meta.n, last, block.line


def _moved(text: str, topics: Mapping[str, str], chosen: Sequence[Piece]) -> Tidied:
    """The notebook without these pieces, and the topic files with them.

    The pieces of a topic stay if its file would not hold each of them unchanged.
    """
    shelves: dict[str, tuple[str, str]] = {}
    gone: list[Piece] = []
    in_order = sorted(chosen, key=lambda piece: (piece.path, piece.block.line))
    for path, group in groupby(in_order, lambda piece: piece.path):
        own = [*group]
        shelf = _shelved(topics.get(path, ""), own)
        if shelf is not None:
            shelves[path] = (own[0].topic, shelf)
            gone += own
    gone.sort(key=lambda piece: piece.block.line)
    left = _without(text, gone)
    if left is None:
        # Two blocks would become one where something between them goes: one piece is given up.
        stays = next((piece for piece in gone if _without(text, [piece]) is None), gone[-1])
        return _moved(text, topics, [piece for piece in gone if piece is not stays])
    files = {path: shelf for path, (_, shelf) in shelves.items() if shelf != topics.get(path)}
    return Tidied(_linked(left, shelves), files, tuple(map(_as_moved, gone)))


def _without(text: str, gone: Iterable[Piece]) -> str | None:
    return cut_out(text, {piece.block.line for piece in gone}, _STANDARD)


def _shelved(text: str, chosen: Sequence[Piece]) -> str | None:
    """The file of a topic with more pieces; None if anything in it would be changed."""
    there = {*map(_words, _items(text))}
    new = [piece for piece in chosen if _words(piece.block) not in there]
    before = after = text or frames.TITLE.format(title=chosen[0].topic)
    for heading, run in groupby(new, lambda piece: piece.heading):
        after = append_entry(after, heading, "\n".join(map(_raw, run)))
    return after if takes_more(before) and _holds(after, before, new) else None


def _raw(piece: Piece) -> str:
    return piece.block.text.removeprefix("\ufeff").rstrip("\r\n")


def _holds(after: str, before: str, new: Iterable[Piece]) -> bool:
    """Whether a text has the blocks that it had, and those of the pieces."""
    wanted = Counter(_cores([*blocks(before), *(piece.block for piece in new)]))
    return wanted <= Counter(_cores(blocks(after)))


def _cores(told: Iterable[Block]) -> Iterator[tuple[str, str]]:
    """What blocks are, whatever the ends of their lines, without the blank ones."""
    for block in told:
        if block.kind != "blank":
            text = block.text.removeprefix("\ufeff").replace("\r\n", "\n")
            yield block.kind, text.rstrip("\n")


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
    shown = visible(split(piece.block.text).visible).strip()
    return MovedBlock(piece.block.line, shown, piece.path)


def _items(text: str) -> list[Block]:
    return [block for block in blocks(text) if block.kind == "item"]


def _words(block: Block) -> str:
    """What a block says, without its comment: an editor or a person may have dropped that."""
    return split(block.text).visible.replace("\r\n", "\n").strip()
