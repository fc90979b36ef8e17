"""The blank lines of a merged text: each pair of neighbours keeps the space it had, and none runs
into the next.
"""

from collections.abc import Iterator
from typing import NamedTuple

from clawgit.domain.change.align import Units
from clawgit.domain.markdown.scan import scan

Docs = tuple[Units, Units, Units]
"""Ours, theirs and base."""


class Piece(NamedTuple):
    """A text of the result and where it comes from."""

    core: str
    kind: str
    at: tuple[int, int, int]
    """Its place in ours, theirs and base, -1 where it is not that unit."""


def seam(docs: Docs, one: Piece, two: Piece) -> str:
    """The blank space between two neighbours: as it is where a document has them side by side, else
    a fitting one.
    """
    mine, other, old = (
        doc.gaps[i] if i >= 0 and j == i + 1 else None
        for doc, i, j in zip(docs, one.at, two.at, strict=True)
    )
    known = [gap for gap in (mine, other, old) if gap is not None]
    gap = (
        other
        if mine == old and other is not None
        else known[0]
        if known
        else _new_seam(docs, one, two)
    )
    if "" in (one.core, two.core) or gap.count("\n") > 1 or _stand_together(docs, one, two):
        return gap
    apart = [block.text.rstrip("\r\n") for block in scan(f"{one.core}\n{two.core}")]
    return gap if apart == [one.core, two.core] else gap + "\n"


def _stand_together(docs: Docs, one: Piece, two: Piece) -> bool:
    return any(
        i >= 0 and j == i + 1 and (doc.units[i].core, doc.units[j].core) == (one.core, two.core)
        for doc, i, j in zip(docs, one.at, two.at, strict=True)
    )


def _new_seam(docs: Docs, one: Piece, two: Piece) -> str:
    """For neighbours that no document has: as beside the one or the other stands one of that kind,
    else the wider.
    """
    found = list(_gaps_around(docs, one, two))
    if one.kind == "start" or two.kind == "end":
        edges = (
            gap
            for kinds, gap in found
            if (kinds[0] == one.kind == "start") or (kinds[1] == two.kind == "end")
        )
        return next(edges, "") if one.core or two.core else ""
    alike = [gap for kinds, gap in found if kinds == (one.kind, two.kind)]
    if alike:
        return min(alike, key=len)
    inner = [gap for kinds, gap in found if not {"start", "end"} & {*kinds}]
    return "\n" if one.kind == two.kind == "item" else max([*inner, "\n"], key=len)


def _gaps_around(docs: Docs, one: Piece, two: Piece) -> Iterator[tuple[tuple[str, str], str]]:
    for doc, i, j in zip(docs, one.at, two.at, strict=True):
        for left in {i, j - 1} - {-1, -2}:
            if left < len(doc.gaps):
                yield (doc.units[left].kind, doc.units[left + 1].kind), doc.gaps[left]
