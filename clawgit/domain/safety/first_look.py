"""Whether many texts, looked at together, need a look at each of them: most notes do not.

Notes of one vault share lines, and most of the cost of a check is starting it. So each line, item
and paragraph is looked at once for all texts. Whatever is odd about one, or could be odd together
with what stands around it, makes its texts worth the full look; nothing is decided here.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, groupby

from clawgit.domain.safety.injection import is_quiet
from clawgit.domain.safety.readings import STRUNG, begins_unit, is_short
from clawgit.domain.safety.secrets import findings
from clawgit.language.lazily import lazily

_BLANK, _GOES_ON, _BEGINS, _ODD = range(4)
"""What a line is: empty, more of the unit above it, the first of one, or worth a closer look."""

_QUIET, _SHORT, _LOUD = range(3)
"""What a unit is; a short one may say more with those beside it."""

_BEYOND = lazily(
    r"[\[(][\s\u200b]*$|style\s*(?:=|$)|<[a-z]|-----BEGIN |^(?:key|pass|sleutel|nyckel)",
    re.MULTILINE | re.IGNORECASE,
)
"""Beginnings of secrets or planted text that may go on in the next unit, or that may have begun in
the line above.
"""

_MOST = 200_000
"""So many lines are remembered, some 40 MB: a process may stay open for weeks."""

_LINES_APART = "\n\n"
"""Some patterns look at what stands before the end of the line above, and none beyond that."""


class FirstLook:
    """Remembers the lines and units that it has looked at. `is_odd` says of lines, joined by empty
    ones, what else makes one of them worth a closer look.
    """

    def __init__(self, is_odd: Callable[[str], bool]) -> None:
        self._is_odd = is_odd
        self._lines: dict[str, int] = {}
        self._units: dict[str, int] = {}

    def needs_more(self, texts: Sequence[str]) -> list[bool]:
        """For each text, whether anything may be found in it: false is certain, true is not."""
        if len(self._lines) > _MOST:
            self._lines, self._units = {}, {}
        split = [text.split("\n") for text in texts]
        self._learn_lines({*chain.from_iterable(split)} - self._lines.keys())
        parts = [*map(self._parted, split)]
        self._learn_units({*chain.from_iterable(filter(None, parts))} - self._units.keys())
        return [part is None or self._is_loud(part) for part in parts]

    def _learn_lines(self, lines: set[str]) -> None:
        odd = {*_singled_out([*lines], self._are_plain)}
        for line in lines:
            if line in odd:
                kind = _ODD
            elif not line.strip():
                kind = _BLANK
            else:
                kind = _BEGINS if begins_unit(line) else _GOES_ON
            self._lines[line] = kind

    def _are_plain(self, lines: Sequence[str]) -> bool:
        text = _LINES_APART.join(lines)
        if "[secret:" in text or "[withheld:" in text or self._is_odd(text):
            return False
        return not _BEYOND.search(text) and not findings("", text)

    def _parted(self, lines: list[str]) -> list[str] | None:
        """The items, headings and paragraphs of a text; None if a line of it is odd."""
        kinds = self._lines
        units: list[str] = []
        is_open = False
        for line in lines:
            kind = kinds[line]
            if kind == _ODD:
                return None
            if kind == _BLANK:
                is_open = False
            elif kind == _GOES_ON and is_open:
                units[-1] += f"\n{line}"
            else:
                units.append(line)
                is_open = True
        return units

    def _learn_units(self, units: set[str]) -> None:
        for unit in units:
            self._units[unit] = _SHORT if is_short(unit) else _QUIET
        self._units |= dict.fromkeys(_singled_out([*units], is_quiet), _LOUD)

    def _is_loud(self, units: list[str]) -> bool:
        """Whether a unit is odd, or enough short ones follow each other to be read as one."""
        found = [*map(self._units.__getitem__, units)]
        if _LOUD in found:
            return True
        if found.count(_SHORT) < STRUNG:
            return False
        runs = (sum(1 for _ in run) for kind, run in groupby(found) if kind == _SHORT)
        return max(runs) >= STRUNG


def _singled_out(
    pieces: Sequence[str], are_plain: Callable[[Sequence[str]], bool]
) -> Iterator[str]:
    """The pieces that are not plain, found by halving: mostly there are none, or few."""
    if not pieces or are_plain(pieces):
        return
    if len(pieces) == 1:
        yield pieces[0]
        return
    half = len(pieces) // 2
    yield from _singled_out(pieces[:half], are_plain)
    yield from _singled_out(pieces[half:], are_plain)
