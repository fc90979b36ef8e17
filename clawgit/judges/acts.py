"""Judge (c): what a message does, told from the message and the turn before it."""

from typing import NamedTuple

from clawgit.judges.calibration import chances
from clawgit.judges.features import hashed, of_message
from clawgit.judges.weights import head


class Acts(NamedTuple):
    """Calibrated chances at the prevalence of real chat; together they are 1."""

    corrects: float
    orders: float
    praises: float
    complains: float
    chats: float


def acts(message: str, before: str = "") -> Acts:
    """What this message does. `before` is the assistant's last turn."""
    learned = head("acts")
    scores = learned.scores(hashed(of_message(message, before)))
    return Acts(*chances(scores, learned.more["calibration"]))
