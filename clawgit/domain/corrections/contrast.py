"""A sentence that repeats a statement with one part replaced, and denies the old part: “Dario likes
apples, not pears” for “Dario likes pears”.
"""

from collections.abc import Sequence

from clawgit.language.negation import negations
from clawgit.language.tokens import tokens

_LONGEST = 6
"""How many words may replace those that are denied. More of them say something else."""


def contrasts_with(sentence: str, statement: str) -> bool:
    """Whether a sentence is a statement but for the words that it denies at its end.

    Nothing is concluded from what words mean, so it holds for any of them, not for values alone.
    """
    denials = negations(sentence)
    if not denials:
        return False
    said, denied = _words(sentence[: denials[-1].start]), _words(sentence[denials[-1].end :])
    stated = _words(statement)
    places = [at for at in range(len(stated)) if stated[at : at + len(denied)] == denied]
    if not denied or len(places) != 1:
        return False
    before, after = stated[: places[0]], stated[places[0] + len(denied) :]
    others = len(said) - len(before) - len(after)
    return (
        bool(before)
        and 0 < others <= _LONGEST
        and said[: len(before)] == before
        and said[len(said) - len(after) :] == after
    )


def _words(text: str) -> Sequence[str]:
    return [token.folded for token in tokens(text)]
