"""MEMORY.md kept short: entries move into topic files, and one line for each says where they are.

An entry moves under the headings that it stood under, byte for byte. Prose and HTML stay, and so
do rules, pinned and disputed lines.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import groupby
from operator import attrgetter

from clawgit.core import NamedTuple
from clawgit.core.layout import NOTEBOOK
from clawgit.core.markdown import frames
from clawgit.core.markdown.comment import DISPUTED, split
from clawgit.core.markdown.entry import (
    NOTEBOOK_CHARACTERS,
    NOTEBOOK_LINES,
    Entry,
    MovedBlock,
    append_entry,
    entries,
)
from clawgit.core.markdown.scan import scan, takes_more
from clawgit.core.markdown.slug import slug
from clawgit.core.markdown.tag_table import CORRECTION_TAG, tags_in, visible
from clawgit.core.tiers import dated
from clawgit.language.lazily import lazily
from clawgit.memory.rules.confidence import is_correction
from clawgit.memory.rules.marks import PINNED, is_pinned, marks
from clawgit.memory.rules.moving import Leaving, Moving
from clawgit.talk.rules.house_rules import is_rule
from clawgit.talk.rules.quotes import quotes_of

_ROOMY = 0.95
"""The share of its limits that a tidied notebook fills at most: ten lines or a thousand characters
are free for the next writes.
"""

_LONGEST_NAME = 40
_TAKEN = frozenset(("index", "archive", "readme"))
_UNSAFE = re.compile(r"[^\w]+")
_LINK = lazily(r"[-*+] .+ → memory/\S+\.md")
"""The line of a notebook for a topic file."""


class Piece(NamedTuple):
    """An entry that may move, and how it would."""

    entry: Entry
    leaving: Leaving


class Tidied(NamedTuple):
    """`text` is the notebook, unchanged where nothing moved; `files` are the topic files."""

    text: str
    files: Mapping[str, str]
    moved: tuple[MovedBlock, ...] = ()


def tidy(text: str, topics: Mapping[str, str], before: str = "") -> Tidied:
    """Moves the oldest entries out of a notebook that is over its limits, and corrections last.

    `topics` are the topic files that are there. A notebook that was too long `before` it was
    written into gets no longer.
    """
    characters = max(NOTEBOOK_CHARACTERS, len(before))
    lines = max(NOTEBOOK_LINES, len(before.splitlines()))

    def holds(text: str, share: float = _ROOMY) -> bool:
        return len(text) <= share * characters and len(text.splitlines()) <= share * lines

    whole = Tidied(text, {})
    if holds(text, 1) or not takes_more(text):
        return whole
    order = sorted(_movable(text, topics), key=_age)

    def without(count: int) -> Tidied:
        return _moved(text, topics, order[:count])

    enough = bisect_left(range(len(order)), x=True, key=lambda count: holds(without(count).text))
    tidied = without(enough)
    # Where little moves, the links may take more than it gives.
    is_shorter = len(tidied.text) <= len(text) and tidied.text.count("\n") <= text.count("\n")
    return tidied if is_shorter or holds(tidied.text, 1) else whole


def topic_path(topic: str) -> str:
    """The file of a topic: never one of a day, whatever it is called."""
    name = slug(topic) or _UNSAFE.sub("-", topic.casefold())[:_LONGEST_NAME].strip("-")
    path = f"memory/{name}-topic.md" if name in _TAKEN else f"memory/{name}.md"
    return path if name and not dated(path) else f"memory/{slug(frames.TOPICS)}.md"


def _movable(text: str, topics: Mapping[str, str]) -> Iterator[Piece]:
    """The entries that may move: none that is a link, a rule, disputed or pinned; nor one whose id
    stands in its topic file with other words, as nobody knows which of the two is right.
    """
    levels = [block.level for block in scan(text) if block.level]
    # The title of the file, where it has one, stands above every topic.
    depth = int(levels[:1] == [1] and levels.count(1) == 1)
    there = {path: _said(shelf) for path, shelf in topics.items()}
    for entry in filter(_may_move, entries(text)):
        titles = [*map(_bare, entry.under[depth:])]
        topic = next(filter(None, titles), frames.NO_TOPIC)
        heading = " / ".join(filter(None, titles[1:])) or topic
        path = topic_path(topic)
        shelf, said = topics.get(path, ""), there.get(path, ())
        # An editor that had the notebook open while it moved brought it back.
        is_there = _words(entry.raw) in said
        if is_there or not entry.facts.id or f"claw:{entry.facts.id}" not in shelf:
            item = "" if is_there else entry.raw.rstrip("\r\n")
            yield Piece(entry, Leaving(entry.line, path, topic, heading, item))


def _bare(title: str) -> str:
    return " ".join(visible(title).rstrip("# ").split())


def _may_move(entry: Entry) -> bool:
    raw = entry.raw
    if _LINK.fullmatch(raw.strip()) or is_rule(visible(raw), entry.under):
        return False
    if any(map(_pins, entry.under)) or PINNED in marks(raw) or is_pinned(raw, whole=False):
        return False
    return entry.status != DISPUTED and not quotes_of(raw)


def _pins(title: str) -> bool:
    return CORRECTION_TAG in tags_in(title) or is_pinned(title)


def _age(piece: Piece) -> tuple[bool, date, int]:
    """The place of an entry in the order in which they move."""
    entry = piece.entry
    right = is_correction(entry) or CORRECTION_TAG in tags_in(entry.raw)
    # What has no day may have been written just now.
    return right, entry.day or date.max, entry.line


def _moved(text: str, topics: Mapping[str, str], chosen: Sequence[Piece]) -> Tidied:
    """The notebook without these pieces, and the topic files with them. They stay where the file of
    their topic cannot hold them.
    """
    moving, gone = Moving({**topics, NOTEBOOK: text}), list[Piece]()
    for to, group in groupby(sorted(chosen, key=_PATH_AND_LINE), attrgetter("leaving.to")):
        # A file that ends in an open fence takes none: nobody need ask for each.
        own = [*group] if takes_more(topics.get(to, "")) else []
        left = {*moving.move_most(NOTEBOOK, [piece.leaving for piece in own])}
        gone += [piece for piece in own if piece.leaving in left]
    kept, files = moving.texts.pop(NOTEBOOK, text), moving.texts
    titles = {piece.leaving.to: piece.leaving.title for piece in reversed(gone)}
    moved = (
        MovedBlock(piece.entry.line, visible(_words(piece.entry.raw)).strip(), piece.leaving.to)
        for piece in sorted(gone)
    )
    new = {path: shelf for path, shelf in files.items() if shelf != topics.get(path)}
    return Tidied(_linked(kept, titles), new, tuple(moved))


_PATH_AND_LINE = attrgetter("leaving.to", "entry.line")


def _linked(text: str, titles: Mapping[str, str]) -> str:
    """The notebook with a link to each of these topics, by path, that it has none to."""
    there = {entry.raw.split()[-1] for entry in entries(text) if _LINK.fullmatch(entry.raw.strip())}
    links = [
        frames.ITEM.format(line=frames.TOPIC.format(title=title, path=path))
        for path, title in titles.items()
        if path not in there
    ]
    return append_entry(text, frames.TOPICS, "\n".join(links)) if links else text


def _said(text: str) -> set[str]:
    return {_words(entry.raw) for entry in entries(text)}


def _words(raw: str) -> str:
    """What an item says, without its comment: an editor or a person may have dropped that."""
    return split(raw).visible.replace("\r\n", "\n").strip()
