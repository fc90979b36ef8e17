"""All weights of ranking."""

from typing import NamedTuple


class Weights(NamedTuple):
    """How much each part of a score counts."""

    ahead: float = 0.7
    """How close an item is to a word that stands in the item before it: an answer follows its
    question."""
    ahead_fade: float = 0.7
    """The factor by which that shrinks with each further item."""
    behind: float = 0.6
    """How close an item is to a word that stands in the item after it."""
    behind_fade: float = 0.6
    heading: float = 0.7
    """How close an item is to a word of the heading that it stands under."""
    above: float = 0.5
    """How close an item is to a word of any other heading above it, the title of the note
    included."""
    near: float = 0.5
    """What a word that means nearly the same counts, times its cosine."""
    unsaid: float = 0.7
    """What is left of the score that decides how likely a note is, if near words or meaning
    raised it."""
    brevity: float = 0.25
    """How much less a word counts in a long item: its length over the average, to the power of
    minus this."""
    brief: float = 0.3
    """How much less a note counts that is shorter than most of those found: its length over
    theirs, to the power of this. It says little besides the words of the question."""
    field: float = 1.2
    """Factor for a field that a brief question names: `Partner: Mili`."""
    wanted: float = 1.3
    """Factor for an item that gives what is asked for: a time, a figure, a name, a wish."""
    sharpness: float = 1.25
    """The power of a similarity: the higher it is, the less a middling similarity counts."""
    level: float = 0.8
    """The power that turns the mix into a score, so that matches that fit are above the default
    `min_score`."""


WEIGHTS = Weights()


JUDGED = 1.0
"""What a reranker's chance that a hit answers counts beside the hit's score."""

DOUBTED = 0.2
"""Below this chance, a hit is shown, but not called likely."""

ANSWERS = 0.5
"""From this chance on, a hit is likely, even if words of the question stand nowhere."""

WEAK = 0.7
"""The share of the least score from which a hit is shown at all, after those that reach it."""

FAINT = 0.35
"""The same where none reaches it."""
