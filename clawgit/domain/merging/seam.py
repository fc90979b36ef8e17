"""The blank lines of a merged text: neighbours keep their space, and never run together."""

from collections.abc import Iterator
from typing import NamedTuple

from clawgit.domain.markdown.scan import scan
from clawgit.domain.merging.align import Units

_Kinds = tuple[str, str]
"""The kinds of two neighbours."""

_EDGES = frozenset({"start", "end"})

Docs = tuple[Units, Units, Units]
"""Ours, theirs and base."""


class MergedText(NamedTuple):
    """A text of the result and where it comes from."""

    core: str
    kind: str
    at: tuple[int, int, int]
    """Its place in ours, theirs and base; -1 if it is not there."""


def seam(docs: Docs, upper: MergedText, lower: MergedText) -> str:
    """The blank space between two neighbours: as a document has it, else one that fits."""
    gap = _known_seam(docs, upper, lower)
    if gap is None:
        gap = _new_seam(docs, upper, lower)
    if "" in (upper.core, lower.core) or gap.count("\n") > 1:
        return gap
    # Two paragraphs, say, become one if no blank line is between them. If a document has them so,
    # they belong together; else the scanner says whether they stay apart.
    if _stand_together(docs, upper, lower):
        return gap
    apart = [block.text.rstrip("\r\n") for block in scan(f"{upper.core}\n{lower.core}")]
    return gap if apart == [upper.core, lower.core] else gap + "\n"


def _known_seam(docs: Docs, upper: MergedText, lower: MergedText) -> str | None:
    """The space where the two are neighbours: as theirs changed it, else as in ours."""
    ours, theirs, base = (
        doc.gaps[i] if i >= 0 and j == i + 1 else None
        for doc, i, j in zip(docs, upper.at, lower.at, strict=True)
    )
    if ours == base and theirs is not None:
        return theirs
    return next((gap for gap in (ours, theirs, base) if gap is not None), None)


def _stand_together(docs: Docs, upper: MergedText, lower: MergedText) -> bool:
    """Whether a document has the same two texts as neighbours."""
    cores = (upper.core, lower.core)
    return any(
        i >= 0 and j == i + 1 and (doc.units[i].core, doc.units[j].core) == cores
        for doc, i, j in zip(docs, upper.at, lower.at, strict=True)
    )


def _new_seam(docs: Docs, upper: MergedText, lower: MergedText) -> str:
    """The space for two that are neighbours in no document: the usual one around them."""
    gaps = list(_gaps_around(docs, upper, lower))
    if upper.kind == "start" or lower.kind == "end":
        return _seam_at_edge(gaps, upper, lower)
    return _usual_seam(gaps, (upper.kind, lower.kind))


def _usual_seam(gaps: list[tuple[_Kinds, str]], kinds: _Kinds) -> str:
    """The narrowest space between two of these kinds, else the widest between any two."""
    alike = [gap for pair, gap in gaps if pair == kinds]
    if alike:
        return min(alike, key=len)
    if kinds == ("item", "item"):
        return "\n"
    inner = [gap for pair, gap in gaps if _EDGES.isdisjoint(pair)]
    return max([*inner, "\n"], key=len)


def _seam_at_edge(gaps: list[tuple[_Kinds, str]], upper: MergedText, lower: MergedText) -> str:
    """At the start or end of the text, the space that a document has there."""
    if not upper.core and not lower.core:
        return ""
    for (first, second), gap in gaps:
        if first == upper.kind == "start" or second == lower.kind == "end":
            return gap
    return ""


def _gaps_around(docs: Docs, upper: MergedText, lower: MergedText) -> Iterator[tuple[_Kinds, str]]:
    """The spaces after the upper one and before the lower one, in each document."""
    for doc, i, j in zip(docs, upper.at, lower.at, strict=True):
        for left in {i, j - 1} - {-1, -2}:
            if left < len(doc.gaps):
                yield (doc.units[left].kind, doc.units[left + 1].kind), doc.gaps[left]
