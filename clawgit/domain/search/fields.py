"""Fields, which give a value for a label: `Partner: Mili`, or a row `Email | ana@example.com`."""

from clawgit.domain.markdown.label import label_of
from clawgit.domain.search.question import SearchQuestion
from clawgit.domain.search.question_words import STOP
from clawgit.domain.search.snippet import stem
from clawgit.domain.search.terms import words
from clawgit.language.lazily import lazily

FIELD = "field"
"""The name of the factor that a field gets that a question names."""

_CELL = lazily(r"[\W_]*([^|\n]{1,60}?)[\W_]*\|[^|\n]*\w")
"""The first cell of a row that has another."""


def gives_field(question: SearchQuestion, text: str) -> bool:
    """Whether a text is a field whose label is most of a question, which says all of it."""
    label = label_of(text) or _first_cell(text)
    said = {stem(word) for word in words(label) if word not in STOP}
    asked = {stem(form) for forms in question.words for form in forms}
    return bool(said) and said <= asked and 2 * len(said) >= len(question.words)


def _first_cell(text: str) -> str:
    cell = _CELL.match(text)
    return cell[1] if cell else ""
