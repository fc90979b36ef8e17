"""The sentence of a message to quote: one contiguous piece that is not too long."""

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
"""Of a message with more sentences, the judge sees only those that share most with the entry."""


def heard_sentence(message: str, about: str) -> str:
    """The sentences of a message that most likely correct an entry, on one line."""
    spans = [span for span in sentences(message) if any(map(str.isalnum, span.text))]
    if not spans:
        return ""
    known = content_words(about)
    weights = [_weight(span.text, known) for span in spans]
    likeliest = sorted(range(len(spans)), key=lambda at: -weights[at])[:_FEW]
    best = max(likeliest, key=lambda at: weights[at] + acts(spans[at].text).corrects)
    first, last = _grown(spans, weights, best)
    piece = message[spans[first].start : spans[last].end]
    line = " ".join(piece.split())
    return line if len(line) <= LONGEST else _cut(spans[best].text, known)


def _weight(sentence: str, known: frozenset[str]) -> float:
    """How much a sentence is about the entry. A question corrects nothing."""
    if len(sentence) <= LONGEST and doubt(sentence) == ASKS:
        return 0.0
    shared = len(content_words(sentence) & known)
    return shared + 0.5 if _exact(sentence) else shared


def _grown(spans: Sequence[Span], weights: Sequence[float], best: int) -> tuple[int, int]:
    """The first and last of the best sentence and its neighbours: those that are about the entry
    too, or are only a word or two, while there is room.
    """
    first = last = best
    while (
        last + 1 < len(spans)
        and weights[last + 1]
        and spans[last + 1].end - spans[first].start <= LONGEST
    ):
        last += 1
    while first and (weights[first - 1] or len(spans[first - 1].text) <= _FEW):
        if spans[last].end - spans[first - 1].start > LONGEST:
            break
        first -= 1
    return first, last


def _cut(sentence: str, known: frozenset[str]) -> str:
    """Of a sentence that is too long, the part around the words that are about the entry."""
    line = " ".join(core(sentence).text.split())
    if len(line) <= LONGEST:
        return line
    start = max(0, min(_middle(line, known) - LONGEST // 2, len(line) - LONGEST))
    end = start + LONGEST
    # Both edges move inwards to the next blank, so that no word is cut.
    if start:
        start = line.find(" ", start) + 1 or start
    if end < len(line) and " " in line[start:end]:
        end = line.rfind(" ", start, end)
    return line[start:end].strip()


def _middle(line: str, known: frozenset[str]) -> int:
    """The place in a line with as many telling words before as after it."""
    places = [token.start for token in tokens(line) if content_words(token.text) & known]
    places += [value.start for value in _exact(line)]
    return sorted(places)[len(places) // 2] if places else 0


def _exact(text: str) -> list[Span]:
    return [
        Span(value.start, value.end, value.text) for value in values(text) if value.kind != "word"
    ]
