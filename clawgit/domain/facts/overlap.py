"""How much of the shorter of two texts stands in the other. Used to recognise facts and lessons
that come again.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import chain

from clawgit.domain.facts.same_fact import words
from clawgit.domain.search.question_words import FORMS, STOP

ALIKE_FACTS = 0.6
ALIKE_LESSONS = 0.7
"""The overlap above which two facts, or two lessons, may be one."""
_ENOUGH = 2


def overlap(first: str, second: str) -> float:
    """The share of the shorter text's telling words that the longer one has as well, 0 to 1."""
    return _shared(_content(first), _content(second))


def says_enough(text: str) -> bool:
    """Whether a text has enough telling words to stand for itself: “For 2026-12-06.” has not."""
    return len(_content(text)) >= _ENOUGH


class Overlaps:
    """Texts by their words, so that each query only compares those that share a word."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._words: list[frozenset[str]] = []
        self._holding: defaultdict[str, list[int]] = defaultdict(list)
        for text in texts:
            self.add(text)

    def add(self, text: str) -> int:
        """Adds a text and returns its number."""
        at = len(self._words)
        self._words.append(_content(text))
        for word in self._words[at]:
            self._holding[word].append(at)
        return at

    def over(self, text: str, threshold: float) -> list[int]:
        """The numbers of the texts that overlap by more than that, most alike first."""
        mine = _content(text)
        scored = (
            (_shared(mine, self._words[at]), at) for at in self._within_reach(mine, threshold)
        )
        over = (pair for pair in scored if pair[0] > threshold)
        return [at for _, at in sorted(over, key=lambda pair: (-pair[0], pair[1]))]

    def _within_reach(self, mine: frozenset[str], threshold: float) -> list[int]:
        """The texts that overlap by more than that if they share all common words as well.

        Common words alone lead nowhere: a text that overlaps has one of the rarer half.
        """
        by_rarity = sorted(mine, key=lambda word: (len(self._holding.get(word, ())), word))
        # Common words have long lists of texts, which would cost most of the time.
        rarest = by_rarity[: len(mine) // 2 + 1]
        shared = Counter(chain.from_iterable(self._holding.get(word, ()) for word in rarest))
        common = len(mine) - len(rarest)
        return [
            at
            for at, rare in shared.items()
            if (rare + common) / min(len(mine), len(self._words[at])) > threshold
        ]


def _shared(mine: frozenset[str], theirs: frozenset[str]) -> float:
    least = min(len(mine), len(theirs))
    return len(mine & theirs) / least if least else 0.0


def _content(text: str) -> frozenset[str]:
    return frozenset(min(FORMS.get(word, (word,))) for word in words(text) if word not in STOP)
