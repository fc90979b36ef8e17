"""The sentence that is quoted: one contiguous piece of the message, on sentence borders, and not
too long.
"""

from collections.abc import Sequence

from clawgit.domain.corrections.doubts import ASKS, doubt
from clawgit.judges.acts import acts
from clawgit.language.edges import core
from clawgit.language.sentences import sentences
from clawgit.language.spans import Span
from clawgit.language.stems import content_words
from clawgit.language.tokens import tokens
from clawgit.language.values import values

LONGEST = 300
_FEW = 12
"""Of a longer message only the sentences that share most with the entry are weighed."""


def heard_sentence(message: str, about: str) -> str:
    """The sentences that most likely set right what an entry is about, as they stand in the
    message, on one line.
    """
    found = [one for one in sentences(message) if any(sign.isalnum() for sign in one.text)]
    if not found:
        return ""
    known = content_words(about)
    weights = [_weight(one.text, known) for one in found]
    likeliest = sorted(range(len(found)), key=lambda at: -weights[at])[:_FEW]
    best = max(likeliest, key=lambda at: weights[at] + acts(found[at].text).corrects)
    first, last = _grown(found, weights, best)
    piece = message[found[first].start : found[last].end]
    line = " ".join(piece.split())
    return line if len(line) <= LONGEST else _cut(found[best].text, known)


def _weight(sentence: str, known: frozenset[str]) -> float:
    """How much a sentence speaks of the entry; a question sets nothing right."""
    if len(sentence) <= LONGEST and doubt(sentence) == ASKS:
        return 0.0
    return len(content_words(sentence) & known) + 0.5 * bool(_exact(sentence))


def _grown(found: Sequence[Span], weights: Sequence[float], best: int) -> tuple[int, int]:
    """With the neighbours that speak of it too, or are only a word or two, while there is room."""
    first = last = best
    while (
        last + 1 < len(found)
        and weights[last + 1]
        and found[last + 1].end - found[first].start <= LONGEST
    ):
        last += 1
    while first and (weights[first - 1] or len(found[first - 1].text) <= _FEW):
        if found[last].end - found[first - 1].start > LONGEST:
            break
        first -= 1
    return first, last


def _cut(sentence: str, known: frozenset[str]) -> str:
    """Of a sentence without an end, the words around those that speak of it."""
    line = " ".join(core(sentence).text.split())
    if len(line) <= LONGEST:
        return line
    places = [at.start for at in tokens(line) if content_words(at.text) & known] + [
        at.start for at in _exact(line)
    ]
    middle = sorted(places)[len(places) // 2] if places else 0
    start = max(0, min(middle - LONGEST // 2, len(line) - LONGEST))
    end = start + LONGEST
    if start:
        start = line.find(" ", start) + 1 or start
    if end < len(line):
        end = line.rfind(" ", start, end) if " " in line[start:end] else end
    return line[start:end].strip()


def _exact(text: str) -> list[Span]:
    return [Span(one.start, one.end, one.text) for one in values(text) if one.kind != "word"]
