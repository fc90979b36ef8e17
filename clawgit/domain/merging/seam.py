"""The blank lines of a merged text: neighbours keep their space, and never run together."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from clawgit.domain.markdown.scan import scan
from clawgit.domain.merging.align import MergeUnit, Units


class Version(NamedTuple):
    """The units of a version by their numbers, and the space between two neighbours."""

    units: dict[int, MergeUnit]
    gaps: dict[tuple[int, int], str]

    @classmethod
    def of(cls, cut: Units, numbers: Sequence[int]) -> "Version":
        return cls(
            dict(zip(numbers, cut.units, strict=True)),
            dict(zip(pairwise(numbers), cut.gaps, strict=True)),
        )


Docs = tuple[Version, Version, Version]
"""Ours, theirs and base."""


class MergedText(NamedTuple):
    """A text of the result, with the number of its unit."""

    core: str
    kind: str
    number: int


def spaced(pieces: Iterable[MergedText], docs: Docs) -> str:
    """The texts with the blank space between each two neighbours."""
    return "".join(upper.core + _seam(docs, upper, lower) for upper, lower in pairwise(pieces))


def _seam(docs: Docs, upper: MergedText, lower: MergedText) -> str:
    """The space between two neighbours, which never run together."""
    pair = upper.number, lower.number
    gap = _known_seam(*(doc.gaps.get(pair) for doc in docs))
    if gap is None:
        gap = _new_seam(docs, upper, lower)
    settled = "" in (upper.core, lower.core) or gap.count("\n") > 1
    return gap if settled or _stay_apart(docs, upper, lower) else gap + "\n"


def _stay_apart(docs: Docs, upper: MergedText, lower: MergedText) -> bool:
    """Whether two texts need no blank line between: two paragraphs, say, would become one."""
    pair, cores = (upper.number, lower.number), [upper.core, lower.core]
    # If a document has them so, they belong together.
    if any(pair in doc.gaps and [doc.units[n].core for n in pair] == cores for doc in docs):
        return True
    return cores == [block.text.rstrip("\r\n") for block in scan("\n".join(cores))]


def _known_seam(ours: str | None, theirs: str | None, base: str | None) -> str | None:
    """The space where the two are neighbours: as theirs changed it, else as in ours."""
    order = (theirs, ours) if ours == base else (ours, theirs, base)
    return next((gap for gap in order if gap is not None), None)


def _new_seam(docs: Docs, upper: MergedText, lower: MergedText) -> str:
    """The space for two that are neighbours in no document."""
    if upper.kind == "start":
        return "" if lower.kind == "end" else next(iter(docs[0].gaps.values()))
    if lower.kind == "end":
        return next(reversed(docs[0].gaps.values()))
    return "\n" if upper.kind == lower.kind == "item" else "\n\n"
