"""Judge (a): is this sentence worth keeping for months?"""

from clawgit.judges.calibration import sigmoid
from clawgit.judges.features import hashed, of_message
from clawgit.judges.weights import head


def worth(sentence: str, before: str = "", *, place: str = "chat") -> float:
    """The chance that it is kept. `place` is "chat", "assistant" or "note"; `before` the turn or
    heading.
    """
    learned = head("worth")
    groups = of_message(sentence, before)
    groups.append([f"place {place}"])
    (score,) = learned.scores(hashed(groups))
    slope, shift = learned.more["calibration"][place]
    return sigmoid(slope * score + shift)
