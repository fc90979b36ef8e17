"""The chance from which each judge acts alone, and from which it asks, chosen on writers that no
judge learned from.
"""

from functools import cache
from typing import NamedTuple

from clawgit.judges.weights import head


class Thresholds(NamedTuple):
    """Below `…_ask` a judge says nothing. From `…_sure` on it may act without asking."""

    corrects_pass: float
    corrects_ask: float
    corrects_sure: float
    orders_ask: float
    orders_sure: float
    praises_ask: float
    praises_sure: float
    complains_ask: float
    worth: float
    poison_warn: float
    poison_hold: float


@cache
def thresholds() -> Thresholds:
    heads = ("acts", "worth", "poison")
    return Thresholds(
        **{name: bar for part in heads for name, bar in head(part).more["thresholds"].items()}
    )
