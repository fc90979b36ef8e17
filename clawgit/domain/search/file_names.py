"""What the names of a note's file and folders say of all that stands in it:
`projects/ember-migration.md` is about that migration, whether or not a line of it says so.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import accumulate, islice

from clawgit.domain.search.snippet import stem
from clawgit.domain.search.terms import words
from clawgit.language.simplified import simplified

_KEPT = 8192
"""Files whose words are kept."""

_MOST = 2000
"""At most so many paths are cut into words for one word of a question."""

_ALL = "memory"
"""The name that most files have in common, which tells nothing about one."""


class FileNames:
    """The paths of all files. Few of them are cut into words, since there may be thousands."""

    def __init__(self, paths: Sequence[str]) -> None:
        small = [path.lower() for path in paths]
        self._paths, self._text = paths, "\n".join(small)
        self._starts = [0, *accumulate(len(path) + 1 for path in small)]
        # Letters with accents have no accent among the stems.
        self._accented = [at for at, path in enumerate(paths) if not path.isascii()]

    def saying(self, stems: AbstractSet[str]) -> list[int]:
        """The places of the paths with a word that has one of these stems; none if it may be in too
        many to tell anything.
        """
        plain = {at for each in stems if each for at in islice(self._with(each), _MOST + 1)}
        if len(plain) > _MOST:
            return []
        likely = {*self._accented, *plain}
        return [at for at in sorted(likely) if not stems.isdisjoint(_stems_in(self._paths[at]))]

    def called(self, name: str) -> list[int]:
        """The places of the paths that end in this name of a file, `kiln.md` or `projects/kiln.md`,
        however its letters are written.
        """
        plain = name.lower().removeprefix("./").lstrip("/")
        if "." not in plain:
            return []
        places = self._with(plain)
        return [at for at in places if f"/{self._paths[at].lower()}".endswith(f"/{plain}")]

    def _with(self, letters: str) -> Iterator[int]:
        found = self._text.find(letters)
        while found >= 0:
            at = bisect_right(self._starts, found) - 1
            yield at
            found = self._text.find(letters, self._starts[at + 1])


@lru_cache(maxsize=_KEPT)
def _stems_in(path: str) -> frozenset[str]:
    """The stems of the words in a path. The figures of a date are none."""
    said = words(simplified(path.rpartition(".")[0]))
    return frozenset(stem(word) for word in said if word != _ALL and not word.isdecimal())
