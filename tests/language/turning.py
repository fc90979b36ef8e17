"""Words that change what a sentence says: denials, conditions, hedges, `X says`."""

from clawgit.language.clauses import Span, negations, span
from clawgit.language.lexicon import lexicons_for
from clawgit.language.tokens import tokens

_CLASSES = ("conditions", "hedges", "reports")


def turns(text: str) -> tuple[Span, ...]:
    """Every such word, from left to right."""
    among = tokens(text)
    places = {(piece.start, piece.end) for piece in negations(text)}
    for language in lexicons_for(text):
        for name in _CLASSES:
            places |= {
                (match.start, match.end) for match in language.phrases(name).every(text, among)
            }
    return tuple(span(text, *at) for at in sorted(places))
