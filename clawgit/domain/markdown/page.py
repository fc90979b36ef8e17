"""A file of entries while many edits are made in it: each reads only the lines that it touches."""

from bisect import insort
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from clawgit.domain.markdown.comment import Meta
from clawgit.domain.markdown.entry import Entry, append_entry, entry_of, with_meta
from clawgit.domain.markdown.scan import Block, scan


class PageEdit(NamedTuple):
    """An edit that is not made yet: blocks in the place of others, and the entry it is about."""

    start: int
    end: int
    blocks: Sequence[Block]
    entry: Entry


class Page:
    """What `append_entry` and `with_meta` do to a text, without reading all of it each time."""

    def __init__(self, text: str) -> None:
        self._blocks: list[Block] = []
        self._text: str | None = text
        self._has_returns = False
        self._holding: defaultdict[str, list[int]] = defaultdict(list)
        self._put(0, 0, scan(text))

    @property
    def text(self) -> str:
        if self._text is None:
            self._text = "".join(block.text for block in self._blocks)
        return self._text

    @property
    def end(self) -> str:
        """The text from its last entry on, if nothing else follows: what is appended depends on no
        more.
        """
        return self._from(self._last())

    def entries(self) -> Iterator[Entry]:
        return (entry_of(block) for block in self._blocks if block.kind == "item")

    def entry(self, key: str) -> Entry | None:
        """The first entry with this key."""
        at = self._holding.get(key)
        return entry_of(self._blocks[at[0]]) if at else None

    def appending(self, heading: str | None, item: str, key: str) -> PageEdit | None:
        """What `append_entry` would do; None where what it puts there is no entry with this key."""
        start = self._last() if heading is None else 0
        if self._has_returns and "\r\n" not in self._from(start):
            start = 0  # only the whole file tells which line ends it has
        blocks = scan(append_entry(self._from(start), heading, item))
        if start:
            blocks = _below(self._blocks[start], blocks)
        entry = _entry_with(key, blocks)
        return PageEdit(start, len(self._blocks), blocks, entry) if entry else None

    def marking(self, entry: Entry, meta: Meta) -> PageEdit:
        """What `with_meta` would do to what `entry` found."""
        at = self._holding[entry.key][0]
        alone = entry._replace(line=1, end_line=1 + entry.end_line - entry.line)
        fresh = self._blocks[at]._replace(text=with_meta(entry.raw, alone, meta))
        return PageEdit(at, at + 1, (fresh,), entry_of(fresh))

    def text_with(self, change: PageEdit) -> str:
        """The text as it would be."""
        blocks = (*self._blocks[: change.start], *change.blocks, *self._blocks[change.end :])
        return "".join(block.text for block in blocks)

    def make(self, change: PageEdit) -> None:
        """Makes the change that was worked out last."""
        self._put(change.start, change.end, change.blocks)
        self._text = None

    def _put(self, start: int, end: int, blocks: Sequence[Block]) -> None:
        """Replaces blocks by as many, or those at the end."""
        for at, block in enumerate(self._blocks[start:end], start):
            if block.kind == "item":
                self._holding[entry_of(block).key].remove(at)
        self._blocks[start:end] = blocks
        self._has_returns = self._has_returns or any("\r\n" in block.text for block in blocks)
        for at, block in enumerate(blocks, start):
            if block.kind == "item":
                insort(self._holding[entry_of(block).key], at)

    def _from(self, start: int) -> str:
        """The text from a block on."""
        return "".join(block.text for block in self._blocks[start:]) if start else self.text

    def _last(self) -> int:
        """Where the last entry stands, if only blank lines follow it; else where the text
        begins.
        """
        at = len(self._blocks) - 1
        while at > 0 and self._blocks[at].kind == "blank":
            at -= 1
        return at if at > 0 and self._blocks[at].kind == "item" else 0


def _below(above: Block, blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Blocks that were read by themselves, as they stand in the file from the line of one on."""
    return tuple(
        block._replace(line=block.line + above.line - 1, path=above.path) for block in blocks
    )


def _entry_with(key: str, blocks: Sequence[Block]) -> Entry | None:
    for block in blocks:
        if block.kind == "item" and key in block.text and (entry := entry_of(block)).key == key:
            return entry
    return None
