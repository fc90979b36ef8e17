"""Words that only ask, and word forms that no stemmer finds."""

from collections.abc import Iterator, Mapping
from functools import cache

from clawgit.language.files import LAST_RESORT, SEARCH, listed
from clawgit.language.lexicon import lexicon

STOP = frozenset(listed(SEARCH, "stop_en"))
"""English only. In other languages the language kit lists them."""


@cache  # it reads the data of English, which a command that is answered elsewhere does not need
def forms() -> Mapping[str, tuple[str, ...]]:
    """Each word with its other forms and names, the word itself first."""
    by_word: dict[str, tuple[str, ...]] = {}
    for group in _groups():
        for word in group:
            by_word[word] = (word, *(other for other in group if other != word))
    return by_word


def _groups() -> Iterator[list[str]]:
    """The words that mean the same. A word in two groups has the forms of the later one."""
    for group in listed(SEARCH, "forms_en"):
        yield group.split()
    english = lexicon(LAST_RESORT)
    for long, *short in (*english.data["months"], *english.data["weekdays"]):
        if short:
            # The short forms stand first, as everywhere here.
            yield [*short, long]
    for figures, words in english.table("numbers").items():
        yield [*words, figures]
