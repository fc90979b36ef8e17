"""The folders from the workspace down to a file.

As strings and plain calls: a snapshot checks tens of thousands of files, and a `Path` of each
folder costs more than the check.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from clawgit.language.lazily import lazily

_UNSEEN = lazily("[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]")
_FORBIDDEN = frozenset(("", ".", "..", ".git", "git~1"))

LEADS_AWAY = "no file may have that name: it would be written outside, or into git's own folder"


def leads_away(path: str) -> bool:
    """Whether a path leads out of the workspace or into git's folder.

    Git refuses such names at a checkout, but a tree or an index that somebody else made may have
    them. Some file systems ignore case and invisible characters.
    """
    seen = path if path.isascii() else _UNSEEN.sub("", path)
    return not _FORBIDDEN.isdisjoint(seen.lower().split("/"))


def folders_on_the_way(root: Path | str, path: str) -> Iterator[str]:
    """From the top down; the workspace itself is left out."""
    folder = os.fspath(root)
    for part in path.split("/")[:-1]:
        folder = f"{folder}/{part}"
        yield folder


class Ways:
    """The ways to many files, each folder looked at once.

    For one pass over the files only: a reader of a file checks its folders again.
    """

    def __init__(self, root: Path) -> None:
        self.root = os.fspath(root)
        self._known: dict[str, str] = {}

    def obstacle(self, path: str) -> str:
        """Why a path is not ours to follow; "" if it is."""
        if leads_away(path):
            return LEADS_AWAY
        nearest = f"{self.root}/{path.rpartition('/')[0]}"
        if nearest not in self._known:
            reason = ""
            for folder in folders_on_the_way(self.root, path):
                if folder not in self._known:
                    self._known[folder] = reason or _why_not_followed(folder)
                reason = self._known[folder]
            self._known[nearest] = reason
        return self._known[nearest]


def _why_not_followed(folder: str) -> str:
    if os.path.islink(folder):  # noqa: PTH114 - see above
        return "behind a symlink"
    return "in a repository of its own" if os.path.exists(f"{folder}/.git") else ""  # noqa: PTH110
