"""Judge (b): the tag of a sentence that is kept."""

from clawgit.judges.calibration import softmax
from clawgit.judges.features import hashed, of_message
from clawgit.judges.weights import head


def tag(sentence: str) -> tuple[str, float]:
    """A category of `domain/markdown/tag_table.py`, and the chance that it is right."""
    learned = head("tags")
    scores = learned.scores(hashed(of_message(sentence, "")))
    slope = learned.more["slope"]
    chances = softmax([slope * score for score in scores])
    best = max(range(len(chances)), key=chances.__getitem__)
    return learned.classes[best], chances[best]
