"""Where behaviour and soul drift apart: flagged with its evidence, and never edited for that
alone.
"""

from collections.abc import Iterable, Iterator, Sequence

from clawgit.domain.change.actors import CLAWGIT, HUMAN, OPERATOR, is_known
from clawgit.domain.soul.growth import FAILED, ORDERS, Sign, alike, read_often, same
from clawgit.domain.soul.growth_origins import Told
from clawgit.domain.soul.growth_room import Line, lines

_ANSWERABLE = frozenset({OPERATOR.slug, HUMAN.slug, CLAWGIT.slug})


def drifted(soul: str, signs: Iterable[Sign]) -> Iterator[str]:
    """The principles that the operator complained about since, or had to ask for again."""
    known = [*signs]
    for line in lines(soul):
        against = [
            sign for sign in known if read_often(line.text) is None and _is_about(sign, line)
        ]
        if against:
            told = "; ".join(
                f"“{sign.quote}” ({sign.day.isoformat()}, {sign.evidence})" for sign in against
            )
            yield f"drift: SOUL.md says “{line.text}” (line {line.number}), and yet: {told}"


def unexplained(history: Sequence[Told], seen: str) -> Iterator[str]:
    """Changes of the soul since the one seen last, which neither the operator made nor any evidence
    explains.
    """
    names = [each.name for each in history]
    fresh = history[: names.index(seen)] if seen in names else ()
    bare = [
        each
        for each in fresh
        if not each.evidence and each.actor not in _ANSWERABLE and is_known(each.actor)
    ]
    if bare:
        which = ", ".join(f"{each.name} ({each.time:%Y-%m-%d}, {each.actor})" for each in bare)
        yield f"drift: {len(bare)} of {len(fresh)} changes of the soul cite no evidence: {which}"


def _is_about(sign: Sign, line: Line) -> bool:
    if sign.kind in ORDERS:
        return same(sign.rule, line.text)
    return sign.kind == FAILED and alike(sign.about, line.text)
