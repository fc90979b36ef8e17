"""Reports where the agent's behaviour and its soul drift apart; nothing is edited for that."""

from collections.abc import Iterable, Iterator, Sequence

from clawgit.domain.change.actors import CLAWGIT, HUMAN, OPERATOR, is_known
from clawgit.domain.soul.growth import FAILED, ORDERS, Sign, alike, read_often, same
from clawgit.domain.soul.growth_origins import GrowthStep
from clawgit.domain.soul.growth_room import PrincipleLine, lines

_ANSWERABLE = frozenset({OPERATOR.slug, HUMAN.slug, CLAWGIT.slug})


def drifted(soul: str, signs: Iterable[Sign]) -> Iterator[str]:
    """The principles that the operator complained about since, or had to ask for again."""
    known = [*signs]
    for line in lines(soul):
        if read_often(line.text) is not None:
            continue  # a line that counts complaints is not contradicted by one more
        against = [sign for sign in known if _is_about(sign, line)]
        if against:
            quotes = (
                f"“{sign.quote}” ({sign.day.isoformat()}, {sign.evidence})" for sign in against
            )
            yield (
                f"drift: SOUL.md says “{line.text}” (line {line.number}), and yet: "
                f"{'; '.join(quotes)}"
            )


def unexplained(history: Sequence[GrowthStep], seen: str) -> Iterator[str]:
    """Changes of the soul since `seen` that neither the operator nor any evidence explains."""
    names = [change.name for change in history]
    # The history has the newest first. If it lacks `seen`, nothing is reported.
    fresh = history[: names.index(seen)] if seen in names else ()
    bare = [change for change in fresh if _is_unexplained(change)]
    if bare:
        listed = ", ".join(
            f"{change.name} ({change.time:%Y-%m-%d}, {change.actor})" for change in bare
        )
        yield f"drift: {len(bare)} of {len(fresh)} changes of the soul cite no evidence: {listed}"


def _is_unexplained(change: GrowthStep) -> bool:
    if change.evidence or change.actor in _ANSWERABLE:
        return False
    return is_known(change.actor)


def _is_about(sign: Sign, line: PrincipleLine) -> bool:
    if sign.kind in ORDERS:
        return same(sign.rule, line.text)
    return sign.kind == FAILED and alike(sign.about, line.text)
