"""Finds files that git stores differently from the disk: by filters, line ends and encodings.
libgit2 cannot do this: it needs the index, which may be split or sparse. C git is asked only if a
file of attributes exists.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.guards.filters import attributes
from clawgit.stores.git.place import RepoPlace
from clawgit.stores.git.remotes.attributes import holds_more
from clawgit.stores.git.ways import folders_on_the_way

_ATTRIBUTES = ("filter", "text", "eol", "crlf", "ident", "working-tree-encoding")
_UNSET = frozenset({"unspecified", "unset"})


class Conversions:
    """Asked for each file. `line_ends`: `core.autocrlf` converts every text that is not exempt."""

    def __init__(
        self, place: RepoPlace, git: CGit, outer: Sequence[Path], *, line_ends: bool
    ) -> None:
        self._root = os.fspath(place.root)
        self._git = git
        self._everywhere = (
            f"{place.common_dir}/info/attributes",
            *map(os.fspath, outer),
            f"{self._root}/.gitattributes",
        )
        self._line_ends = line_ends
        self._known: dict[str, bool] = {}

    def converts(self, path: str) -> bool:
        known = self._known.get(path)
        return self._asked([path])[path] if known is None else known

    @contextmanager
    def known_for(self, paths: Iterable[str]) -> Iterator[None]:
        """Inside, these files are known: git is asked about all of them at once.

        For one look only: a later one must see attributes that were added meanwhile.
        """
        self._known = self._asked(paths)
        try:
            yield
        finally:
            self._known = {}

    def _asked(self, paths: Iterable[str]) -> dict[str, bool]:
        answers = dict.fromkeys(paths, False)
        doubtful = [*answers] if self._may_apply_to_all() else self._below_attributes(answers)
        if not doubtful:
            return answers
        answered = attributes(self._git, doubtful, *_ATTRIBUTES)
        return answers | {path: self._converts(answered[path]) for path in doubtful}

    def _may_apply_to_all(self) -> bool:
        return self._line_ends or any(map(holds_more, map(Path, self._everywhere)))

    def _below_attributes(self, paths: Iterable[str]) -> list[str]:
        """The paths with a file of attributes in one of their folders."""
        known: dict[str, bool] = {}

        def has_attributes(folder: str) -> bool:
            if folder not in known:
                known[folder] = os.path.exists(f"{folder}/.gitattributes")  # noqa: PTH110 - see ways
            return known[folder]

        return [
            path for path in paths if any(map(has_attributes, folders_on_the_way(self._root, path)))
        ]

    def _converts(self, values: dict[str, str]) -> bool:
        if self._line_ends and values["text"] != "unset":
            return True
        return any(value not in _UNSET for value in values.values())
