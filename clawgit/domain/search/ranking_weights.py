"""The weights of ranking, all of them: `bench/tune.py` chooses them, and prints this file's
numbers.
"""

from typing import Literal, NamedTuple


class Weights(NamedTuple):
    """How much each part of a score counts. `meaning` and `words` are the operator's mix, where he
    sets one.
    """

    ahead: float = 0.7
    """How close an item is to a word that stands in the item before it: an answer follows its
    question."""
    ahead_fade: float = 0.7
    """And by what factor less with each item further."""
    behind: float = 0.6
    """How close an item is to a word that stands in the item after it."""
    behind_fade: float = 0.6
    file: float = 0.3
    """What the words elsewhere in its file add to an item, beside those close by."""
    brevity: float = 0.15
    """How much a word counts less in a long item: its length over the average, to the power of
    minus this."""
    days: float = 5.0
    """The days of a question count as one more word, of this weight."""
    speaker: float = 1.2
    """Factor for an item whose speaker the question names."""
    asking: float = 0.85
    """Factor for an item that ends in a question: it asks, and does not answer."""
    time: float = 1.3
    """Factor for an item that tells a time, where the question wants one."""
    quoted: float = 1.5
    """Factor for an item that holds a phrase of the question's quotation marks."""
    sharpness: float = 1.5
    """The power of a similarity: the higher, the less a middling one counts."""
    level: float = 0.75
    """The power that makes a score of the mix: so that what fits begins where `min_score` stands by
    default."""
    meaning: float | Literal["auto"] = "auto"
    words: float | Literal["auto"] = "auto"


WEIGHTS = Weights()
