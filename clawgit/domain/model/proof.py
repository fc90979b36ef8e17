"""Proves what a language model answers by the texts that it was shown.

A model chooses, and never words: it quotes, and what is written is the whole passage around the
quotation. A shorter piece may say something else: “the call is off” of “I doubt that the call is
off”.
"""

from collections.abc import Iterable

from clawgit.domain.extraction.quoting import bears
from clawgit.language.lexicon import content_words

_EDGES = " \n.,;:!?…。！？\"'“”„«»"
"""Signs around a quotation that are not always quoted."""


def proven(quote: str, evidence: str) -> bool:
    """Whether a quotation says something, and its words stand side by side in the evidence."""
    words = quote.strip(_EDGES).casefold()
    return bool(content_words(words)) and bears(evidence.casefold(), words)


def is_chosen(passage: str, quotes: Iterable[str]) -> bool:
    """Whether one of these quotations is of a passage, or holds all of it."""
    return any(proven(quote, passage) or proven(passage, quote) for quote in quotes)
