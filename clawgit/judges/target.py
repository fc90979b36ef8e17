"""Judge (d): which entry of memory a message means, none included."""

from collections.abc import Sequence
from operator import mul

from clawgit.judges.calibration import softmax
from clawgit.judges.pairs import beside, match, rarity, reading
from clawgit.judges.weights import head


def matches(message: str, before: str, candidates: Sequence[str]) -> list[list[float]]:
    entries = [reading(candidate) for candidate in candidates]
    rare = rarity(entries)
    mine, earlier = reading(message), reading(before)
    return beside([match(mine, earlier, entry, rare) for entry in entries])


def targets(message: str, before: str, candidates: Sequence[str]) -> tuple[float, ...]:
    """The chance that each entry is the one that is meant, if the message sets something right. What is missing to 1
    is the chance that it is none of them.
    """
    if not candidates:
        return ()
    learned = head("target").more
    scores = [sum(map(mul, row, learned["weights"])) for row in matches(message, before, candidates)]
    return softmax([*scores, learned["none"]])[:-1]
