"""The length of items, what belongs to them and which headings they open: the ranking needs this of
every item that a question finds. It is cached by item while an index is open, so that a question
need not find the file of each.
"""

from array import array
from collections.abc import Collection, Sequence

from clawgit.stores.index.listing import Listing, TornError
from clawgit.stores.index.live import File

_UNKNOWN = -1
"""The length of an item of which nothing has been read yet."""

_NOTHING, _ALONE = array("i", [_UNKNOWN]), array("i", [0])
"""The length and the bond of one such item, to be repeated."""


class Extents:
    """`lengths` and `bonds` (`domain/search/bonds.py`) by item; `opens` of those that open some.

    Items that were not asked for yet are missing: see `unknown`.
    """

    def __init__(self) -> None:
        self.lengths, self.bonds = array("i"), array("i")
        self.opens: dict[int, tuple[str, ...]] = {}

    def unknown(self, ids: Collection[int]) -> list[int]:
        """The items that are not cached yet. TornError for one that no file can have."""
        lengths = self.lengths
        try:
            # A question with common words asks for most items, which are soon known.
            if min(map(lengths.__getitem__, ids), default=0) > _UNKNOWN:
                return []
            return [ident for ident in ids if lengths[ident] < 0]
        except IndexError:
            raise TornError("the index names an item that is not there") from None

    def learn(self, file: File, listing: Listing) -> None:
        """Caches all items of a file."""
        end = file.first + file.items
        self.lengths[file.first : end] = listing.words[: file.items]
        self.bonds[file.first : end] = listing.bonds[: file.items]
        self.opens |= {file.first + at: titles for at, titles in listing.opens.items()}

    def follow(self, before: Sequence[File], now: Sequence[File]) -> None:
        """Forgets the items of files that changed or moved."""
        known = {(file.first, file.items, file.list) for file in before}
        reached = len(self.lengths)
        self._reach(max((file.first + file.items for file in now), default=0))
        for file in now:
            # Of items behind what was reached nothing is known: at first, of none.
            if file.first < reached and (file.first, file.items, file.list) not in known:
                self._forget(range(file.first, file.first + file.items))

    def _reach(self, end: int) -> None:
        more = end - len(self.lengths)
        self.lengths.extend(_NOTHING * more)
        self.bonds.extend(_ALONE * more)

    def _forget(self, items: range) -> None:
        self.lengths[items.start : items.stop] = _NOTHING * len(items)
        self.bonds[items.start : items.stop] = _ALONE * len(items)
        if self.opens:
            for item in items:
                self.opens.pop(item, None)
