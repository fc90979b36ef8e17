"""How alike texts are, and whether two of them may become one.

Likeness is a score: by meaning if there are vectors, else by words. Merging has a rule of its own:
texts that differ in a number, a name, a date, a negation or any other telling word stay two,
however alike they are.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise
from typing import NamedTuple, Protocol

from clawgit.domain.facts.same_fact import same_fact, words
from clawgit.domain.search.question_words import FORMS, STOP
from clawgit.doors import rapidfuzz
from clawgit.language.calendar import month_forms, weekday_forms

_SHORT = 3
_SLACK = 1e-6
"""A margin, so that rounding never decides which texts are compared."""
_ENDING = re.compile(r"(?<=..)(?:(?<=..)ies|(?<=.)(?:ing|ed|es|s|e))$")
_NAME = re.compile(r"[A-Z][\w.&-]*\w|[a-z]+[A-Z]\w*")
_SPELLED = re.compile(r"[^\W\d_](?:[^\W\d_]|[.&-](?=[^\W\d_]))+")
_OPENING = re.compile(
    r"(?:^|[.!?:\n]\s{1,40}|^[-*+]\s+)[*_`\"'“(]*([A-Z][\w'’-]*)(?:[^\w\n]+([\w’'-]+))?",
    re.MULTILINE,
)
_BETWEEN = re.compile(r"[.&-]")
_LONG_NAME = 6
"""From this length on a name may have initials after it or not. `Graph` and `GraphQL` are two."""

_JOINT = re.compile(r",? (?:because|since|so that|as)\b|[;:(–—]|, (?:which|so|and)\b|[,。]|, ")

_DAYS = frozenset(min(forms) for forms in (*month_forms(), *weekday_forms())) | {
    "today",
    "tomorrow",
    "yesterday",
}
_DENYING = """
    not no never none nobody nothing nowhere neither nor without hardly stop stopped stops avoid
    except unless """
_DENIALS = frozenset(_DENYING.split())
_DENYING_SIGNS = frozenset(
    ("不", "没", "沒", "無", "无", "别", "別", "未", "않", "안 ", "못", "없", "말고", "ない")
)
_DIRECTED = frozenset(
    ("before", "after", "than", "from", "to", "into", "over", "under", "above", "below", "replaces")
)
_INFINITIVES = frozenset(("use", "run", "live", "go", "choose", "pick"))

_TURNING = """
    before after above below up down out off over under more less most least all some any only
    always sometimes usually must may could should might if when until since first last old new """
_TURNS = frozenset(_TURNING.split())
"""Small words that turn a sentence into another fact."""

_SAYING_NOTHING = """
    each every use uses used using run runs running live lives sit sits decide decided decides
    agree agreed go goes going went choose chose chosen pick picked plan planned plans want wants
    remember note also please really just let s operator """
_EMPTY = (STOP | frozenset(_SAYING_NOTHING.split())) - _DENIALS - _TURNS
"""Words that say nothing about the matter, or only that somebody decided it."""


class VectorNearness(Protocol):
    """How near texts are in meaning: for each of `ones` a row of cosines, one for each
    of `others`.
    """

    def cosines(self, ones: Sequence[str], others: Sequence[str]) -> Sequence[Sequence[float]]: ...


@dataclass(frozen=True, slots=True)
class Alike:
    """One of the texts that were compared, by its place among them."""

    index: int
    score: float


def likeness(first: str, second: str) -> float:
    """How alike two texts are, from 0 to 1, by words alone: how many they share, or how near their
    letters are.
    """
    return _score(_content(first), _content(second))


def may_merge(first: str, second: str) -> bool:
    """Whether two texts state one fact, so that either can go. One may add a clause at its end."""
    if same_fact(first, second):
        return True
    if _hard(first) != _hard(second) or _opens_with_another(first, second):
        return False
    mine, theirs = _content(first), _content(second)
    # Texts of small words alone have nothing to compare, and `same_fact` has already said no.
    if not mine or not theirs:
        return False
    short, long = sorted((mine, theirs), key=len)
    # With as many words on both sides, only their order can differ.
    if len(short) == len(long):
        return _same_order(short, long, _directed(first) or _directed(second))
    return long[: len(short)] == short and _adds_a_clause(max(first, second, key=len), short)


def may_merge_if_near(first: str, second: str) -> bool:
    """The same for two texts whose vectors are near: one name may have two spellings, such as
    `Postgres` and `PostgreSQL`, `e-mail` and `email`.

    Nearness alone proves nothing: `the left pedal` and `the right pedal` have a cosine of .97.
    """
    return may_merge(first, second) or may_merge(first, _spelled_alike(second, first))


def fuller(first: str, second: str) -> str:
    """Of two texts that may merge, the one that says more, else the first."""
    return second if len(_content(second)) > len(_content(first)) else first


class Likeness:
    """Texts by their words, so that each query only compares those that can be alike."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._texts: list[str] = []
        self._words: list[tuple[str, ...]] = []
        self._letters: list[str] = []
        self._holding: defaultdict[str, list[int]] = defaultdict(list)
        for text in texts:
            self.add(text)

    def add(self, text: str) -> int:
        """Adds a text and returns its number."""
        at = len(self._texts)
        self._texts.append(text)
        self._words.append(_content(text))
        self._letters.append(_in_order(self._words[at]))
        for word in set(self._words[at]):
            self._holding[word].append(at)
        return at

    def alike(self, text: str, threshold: float) -> tuple[Alike, ...]:
        """The texts at least so alike by words, best first."""
        mine = _content(text)
        candidates = self._candidates(set(mine), threshold)
        scores = self._by_letters(mine, candidates, threshold)
        scores |= {
            at: _score(mine, self._words[at]) for at in self._by_words(mine, candidates, threshold)
        }
        return _best([Alike(at, score) for at, score in scores.items() if score >= threshold])

    def all_alike(
        self, texts: Sequence[str], threshold: float, nearness: VectorNearness | None = None
    ) -> list[tuple[Alike, ...]]:
        """The same for many texts, with one call of `nearness` if it is given."""
        if nearness is None or not texts or not self._texts:
            return [self.alike(text, threshold) for text in texts]
        rows = nearness.cosines(texts, self._texts)
        # Most texts are far off: making an object of each costs more than comparing them.
        return [
            _best([Alike(at, float(score)) for at, score in enumerate(row) if score >= threshold])
            for row in rows
        ]

    def _candidates(self, mine: set[str], threshold: float) -> list[int]:
        """The texts that share enough words to reach the threshold, and maybe some more.

        Such a text has at least one of the rarest words. One word more allows for a typo.
        """
        least = threshold * len(mine) / (2 - threshold)
        by_rarity = sorted(mine, key=lambda word: (len(self._holding.get(word, ())), word))
        rarest = by_rarity[: len(mine) - int(least) + 1]
        return [*set(chain.from_iterable(self._holding.get(word, ()) for word in rarest))]

    def _by_letters(
        self, mine: Sequence[str], candidates: Sequence[int], threshold: float
    ) -> dict[int, float]:
        """The scores of those whose letters are near enough, by one call for all of them."""
        if not candidates:
            return {}
        library = rapidfuzz
        letters = [self._letters[at] for at in candidates]
        cutoff = max(threshold * 100 - _SLACK, 0)
        near = library.process.extract(
            _in_order(mine), letters, scorer=library.fuzz.ratio, limit=None, score_cutoff=cutoff
        )
        return {candidates[place]: score / 100 for _, score, place in near}

    def _by_words(
        self, mine: Sequence[str], candidates: Sequence[int], threshold: float
    ) -> set[int]:
        """The texts that may share enough words. Words that `mine` repeats count as shared."""
        once = set(mine)
        shared = Counter(chain.from_iterable(self._holding.get(word, ()) for word in once))
        repeated, size = len(mine) - len(once), len(mine)
        return {
            at
            for at in candidates
            if 2 * (shared[at] + repeated) >= threshold * (size + len(self._words[at]))
        }


def _best(matches: Iterable[Alike]) -> tuple[Alike, ...]:
    return tuple(sorted(matches, key=lambda match: (-match.score, match.index)))


def _score(mine: Sequence[str], theirs: Sequence[str]) -> float:
    if not mine or not theirs:
        return 0.0
    shared = sum((Counter(mine) & Counter(theirs)).values())
    dice = 2 * shared / (len(mine) + len(theirs))
    if dice in (0, 1):
        return dice
    ratio: float = rapidfuzz.fuzz.ratio(_in_order(mine), _in_order(theirs))
    return max(dice, ratio / 100)


def _in_order(words: Iterable[str]) -> str:
    return " ".join(sorted(words))


class _Hard(NamedTuple):
    """What must be the same in two texts, however they say the rest."""

    figures: tuple[str, ...]
    names: frozenset[str]
    days: frozenset[str]
    denials: int
    turns: frozenset[str]


@lru_cache(maxsize=4096)
def _hard(text: str) -> _Hard:
    in_order = words(text)
    roots = [_root(word) for word in in_order]
    denials = sum(word in _DENIALS for word in in_order)
    denials += sum(text.count(sign) for sign in _DENYING_SIGNS)
    return _Hard(
        figures=tuple(root for root in roots if not root[0].isalpha()),
        names=frozenset(_names(text)),
        days=_DAYS.intersection(roots),
        denials=denials,
        turns=_TURNS.intersection(in_order),
    )


@lru_cache(maxsize=16384)
def _content(text: str) -> tuple[str, ...]:
    """The telling words of a text in order, each by its root."""
    return tuple(_root(word) for word in words(text) if word not in _EMPTY)


def _root(word: str) -> str:
    """One form for `use`, `used` and `using`, and for `two` and `2`. It need not be a word."""
    if forms := FORMS.get(word):
        return min(forms)
    if not word.isascii() or not word.isalpha() or len(word) <= _SHORT:
        return word.removesuffix("'s")
    root = _ENDING.sub("", word)
    return root[:-1] if len(root) > _SHORT and root[-1] == root[-2] else root


def _names(text: str) -> Iterator[str]:
    """Words that are written like names. At the beginning of a sentence, a capital says nothing."""
    for match in _NAME.finditer(text):
        name = match[0]
        before = text[: match.start()].rstrip(" *_`\"'“”(")
        opens = not before or before[-1] in ".!?:\n-"
        if not opens or name[1:] != name[1:].lower():
            plain = name.casefold()
            # Two names are two, whatever their endings: Christian, Christiane; Andrea, Andreas.
            yield _root(plain) if _root(plain) in _DAYS else plain.removesuffix("'s")


def _opens_with_another(first: str, second: str) -> bool:
    """Whether a sentence of one text opens with another name than in the other text.

    There a common word has a capital, too. A noun in the plural is told by its verb: “Backups run”
    and “Backup runs” are one, “Andreas runs” and “Andrea runs” are two.
    """
    openings = zip(_openings(first), _openings(second), strict=False)
    return any(_is_another(*sorted(pair, key=lambda opening: len(opening[0]))) for pair in openings)


def _openings(text: str) -> list[tuple[str, str]]:
    """The first two words of each sentence that opens with a capital."""
    return [
        (match[1].casefold().removesuffix("'s"), (match[2] or "").casefold())
        for match in _OPENING.finditer(text)
    ]


def _is_another(short: tuple[str, str], long: tuple[str, str]) -> bool:
    (one, its_next), (other, other_next) = short, long
    if one == other or _root(one) != _root(other) or other in FORMS:
        return False
    is_plural = its_next.endswith("s") and not other_next.endswith("s")
    return other.removeprefix(one).strip("e") != "s" or not is_plural


def _spelled_alike(text: str, other: str) -> str:
    """A text with its words spelled as in another text."""
    mine = {*_SPELLED.findall(text)}
    theirs = [word for word in _SPELLED.findall(other) if word not in mine]

    def spelled(match: re.Match[str]) -> str:
        return next((word for word in theirs if _is_spelling(match[0], word)), match[0])

    return _SPELLED.sub(spelled, text) if theirs else text


def _is_spelling(word: str, other: str) -> bool:
    """Whether two words differ only in signs between letters, or in initials at the end."""
    if _BETWEEN.sub("", word).casefold() == _BETWEEN.sub("", other).casefold():
        return word.casefold() != other.casefold()
    short, long = sorted((word, other), key=len)
    tail = long[len(short) :]
    if (
        len(short) < _LONG_NAME
        or short.isupper()
        or not long.casefold().startswith(short.casefold())
    ):
        return False
    return tail.isalpha() and tail.isupper()


def _same_order(first: tuple[str, ...], second: tuple[str, ...], directed: bool) -> bool:
    """Whether words are the same in a row, or with a part moved to the front: `on staging …`.

    In a `directed` text such as “from A to B”, nothing may move.
    """
    if Counter(first) != Counter(second):
        return False
    # Every rotation of the words; the first leaves them as they are.
    turned = any(first[at:] + first[:at] == second for at in range(len(first)))
    return turned and (first == second or not directed)


def _directed(text: str) -> bool:
    """Whether a text has a word that gives what follows it a direction: `before`, `to`."""
    in_order = words(text)
    return any(
        word in _DIRECTED and not (word == "to" and after in _INFINITIVES)
        for word, after in pairwise((*in_order, ""))
    )


def _adds_a_clause(text: str, core: tuple[str, ...]) -> bool:
    """Whether a text is `core` and a clause after it that does not change it."""
    return any(_content(text[: joint.start()]) == core for joint in _JOINT.finditer(text))


ALIKE_FACTS = 0.6
ALIKE_LESSONS = 0.7
"""The overlap above which two facts, or two lessons, may be one."""
_ENOUGH = 2


def overlap(first: str, second: str) -> float:
    """The share of the shorter text's telling words that the longer one has as well, 0 to 1."""
    return _shared(_telling(first), _telling(second))


def says_enough(text: str) -> bool:
    """Whether a text has enough telling words to stand for itself: “For 2026-12-06.” has not."""
    return len(_telling(text)) >= _ENOUGH


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
        self._words.append(_telling(text))
        for word in self._words[at]:
            self._holding[word].append(at)
        return at

    def over(self, text: str, threshold: float) -> list[int]:
        """The numbers of the texts that overlap by more than that, most alike first."""
        mine = _telling(text)
        shared = Counter(chain.from_iterable(self._holding.get(word, ()) for word in mine))
        scored = [
            (count / min(len(mine), len(self._words[at])), at) for at, count in shared.items()
        ]
        over = sorted((-score, at) for score, at in scored if score > threshold)
        return [at for _, at in over]


def _shared(mine: frozenset[str], theirs: frozenset[str]) -> float:
    least = min(len(mine), len(theirs))
    return len(mine & theirs) / least if least else 0.0


def _telling(text: str) -> frozenset[str]:
    return frozenset(min(FORMS.get(word, (word,))) for word in words(text) if word not in STOP)
