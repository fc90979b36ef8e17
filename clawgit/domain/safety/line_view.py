"""Lines as one text to search, with the way back from a place in it to its line."""

from bisect import bisect_right
from itertools import accumulate
from operator import add
from typing import NamedTuple


class View(NamedTuple):
    """A text to search; `starts[n]` is where the text of line n + 1 begins."""

    text: str
    starts: list[int]

    def line_at(self, offset: int) -> int:
        return bisect_right(self.starts, offset)


def raw(lines: list[str]) -> View:
    return joined(lines, ["\n"] * len(lines))


def joined(pieces: list[str], joints: list[str]) -> View:
    whole = [*map(add, pieces, joints)]
    *starts, _ = accumulate(map(len, whole), initial=0)
    return View("".join(whole), starts)
