"""Judge (c): what a message does, from the message and the turn before it."""

from collections.abc import Sequence
from typing import NamedTuple

from clawgit.judges.calibration import chances, odds
from clawgit.judges.features import hashed, of_message
from clawgit.judges.weights import head


class Acts(NamedTuple):
    """Chances calibrated for how often each act occurs in real chats. Their sum is 1."""

    corrects: float
    orders: float
    praises: float
    complains: float
    chats: float


def acts(message: str, before: str = "") -> Acts:
    """What this message does. `before` is the assistant's last turn."""
    return acts_of(act_odds(message, before))


def act_odds(message: str, before: str) -> tuple[float, ...]:
    """The log odds of each act against all others, as learned: not calibrated chances."""
    scores = head("acts").scores(hashed(of_message(message, before)))
    return tuple(odds(scores, number) for number in range(len(scores)))


def acts_of(act_log_odds: Sequence[float]) -> Acts:
    return Acts(*chances(act_log_odds, head("acts").more["calibration"]))
