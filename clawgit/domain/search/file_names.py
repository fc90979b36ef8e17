"""What the names of a note's file and folders say of all that stands in it:
`projects/ember-migration.md` is about that migration, whether or not a line of it says so.
"""

from functools import lru_cache

from clawgit.domain.search.snippet import stem
from clawgit.domain.search.terms import words
from clawgit.language.simplified import simplified

_KEPT = 8192
"""Files whose names are kept: they are read again after each change to any file."""

_ALL = "memory"
"""The name that most files have in common, which tells nothing about one."""


@lru_cache(maxsize=_KEPT)
def stems_in_name(path: str) -> frozenset[str]:
    """The stems of the words in a path. The figures of a date are none."""
    said = words(simplified(path.rpartition(".")[0]))
    return frozenset(stem(word) for word in said if word != _ALL and not word.isdecimal())
