"""How much of the shorter of two texts stands in the other: by this, facts and lessons are known
again.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import chain

from clawgit.domain.facts.same_fact import words
from clawgit.domain.search.question_words import FORMS, STOP

ALIKE_FACTS = 0.6
ALIKE_LESSONS = 0.7
_ENOUGH = 2


def overlap(one: str, other: str) -> float:
    """The share of the words that carry meaning which the shorter text has in common with the
    longer, 0 to 1.
    """
    return _shared(_content(one), _content(other))


def says_enough(text: str) -> bool:
    """Whether a text has so many words that carry meaning that it can stand for itself: “For
    2026-12-06.” cannot.
    """
    return len(_content(text)) >= _ENOUGH


class Overlaps:
    """Texts by their words; a question looks only at those that share one of its words."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._words: list[frozenset[str]] = []
        self._holding: defaultdict[str, list[int]] = defaultdict(list)
        for text in texts:
            self.add(text)

    def add(self, text: str) -> int:
        """Takes in one more text, and says its place."""
        at = len(self._words)
        self._words.append(_content(text))
        for word in self._words[at]:
            self._holding[word].append(at)
        return at

    def over(self, text: str, threshold: float) -> list[int]:
        """The places of the texts that overlap by more than that, most alike first."""
        mine = _content(text)
        scored = (
            (_shared(mine, self._words[at]), at) for at in self._within_reach(mine, threshold)
        )
        over = (pair for pair in scored if pair[0] > threshold)
        return [at for _, at in sorted(over, key=lambda pair: (-pair[0], pair[1]))]

    def _within_reach(self, mine: frozenset[str], threshold: float) -> list[int]:
        """Those that overlap by more than that if they have all the common words too. Common words
        alone lead to nothing: each shares one of the rarer half.
        """
        rarest = sorted(mine, key=lambda word: (len(self._holding.get(word, ())), word))[
            : len(mine) // 2 + 1
        ]
        shared = Counter(chain.from_iterable(self._holding.get(word, ()) for word in rarest))
        common, most, theirs = len(mine) - len(rarest), len(mine), self._words
        return [
            at
            for at, rare in shared.items()
            if (rare + common) / min(most, len(theirs[at])) > threshold
        ]


def _shared(mine: frozenset[str], theirs: frozenset[str]) -> float:
    least = min(len(mine), len(theirs))
    return len(mine & theirs) / least if least else 0.0


def _content(text: str) -> frozenset[str]:
    return frozenset(min(FORMS.get(word, (word,))) for word in words(text) if word not in STOP)
