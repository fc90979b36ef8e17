"""Slugs: one or two words of a conversation that can stand in the name of a file."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise

from clawgit.domain.search.question_words import STOP

_WORDS = 2
_LONGEST = 40
_SAID = """
    actually agree agreed already also always answer ask asked asking back better cannot check day
    days decided decision done else even every everything fine first forget forgot found good got
    great happy hello help hey hour idea important instead keep last later left let like look made
    make makes mean mind minute month morning need needs never new next nice night note noted
    nothing now okay old once people please put question quite read ready really right said say says
    see self set show since sorry still sure take talk thank thanks thing things think thought time
    today told tomorrow try two understood until use used user uses using want way week welcome well
    without wonder work works write wrong yeah year yes yesterday yet """
_TALK = frozenset(_SAID.split())
"""Words of any conversation, beside those of any question."""

_NOISE = re.compile(
    r"```.*?(?:```|\Z)|https?://\S+|\S*[/\\]\S*|\[[^\]\n]*\](?:\s*\w+:)?", re.DOTALL
)
_CLAUSE = re.compile(r"[.,;:!?()\n\"“”]+|\s[-–—]+\s")
_WORD = re.compile(r"[a-z][a-z0-9]*(?:['’][a-z]+)?")
_SHORTEST = 3


def slug(text: str) -> str:
    """A text as a slug, "" if no letter or digit of it can stand in a file name anywhere."""
    words = re.findall("[a-z0-9]+", _folded(text))[:_WORDS]
    # The cut may leave a hyphen at the end.
    return "-".join(words)[:_LONGEST].strip("-")


def keywords(texts: Iterable[tuple[int, str]]) -> str:
    """What some texts, each with its weight, are about: their weightiest word, with the neighbour
    it has most often.
    """
    weights: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    for weight, text in texts:
        clauses = [*_clauses(text)]
        for word in {word: None for clause in clauses for word in clause if word}:
            weights[word] += weight
        for clause in clauses:
            pairs.update(dict.fromkeys(_neighbours(clause), weight))
    if not weights:
        return ""
    # The first of those that weigh the same: what a talk begins with is what it is about.
    top = max(weights, key=lambda word: weights[word])
    beside = [pair for pair in pairs if top in pair]
    best = max(
        beside, key=lambda pair: (pairs[pair], weights[pair[0]] + weights[pair[1]]), default=(top,)
    )
    return slug(" ".join(best))


def _clauses(text: str) -> Iterator[list[str]]:
    """The words of each clause, "" in the place of those that say nothing of the subject."""
    for clause in _CLAUSE.split(_folded(_NOISE.sub(" ", text))):
        yield ["" if _is_empty(word) else word for word in _WORD.findall(clause)]


def _neighbours(clause: list[str]) -> Iterator[tuple[str, str]]:
    """Words side by side, or with one between them that says nothing of the subject."""
    apart = (
        (left, right)
        for left, gap, right in zip(clause, clause[1:], clause[2:], strict=False)
        if not gap
    )
    return (pair for pair in chain(pairwise(clause), apart) if all(pair) and pair[0] != pair[1])


def _is_empty(word: str) -> bool:
    return len(word) < _SHORTEST or not word.isalnum() or word in STOP or word in _TALK


def _folded(text: str) -> str:
    """Lower case, without accents."""
    plain = unicodedata.normalize("NFKD", text.lower())
    return "".join(sign for sign in plain if not unicodedata.combining(sign))
