"""Generations of the embedded Chroma's files; a seal says that one can be trusted."""

import json
from pathlib import Path
from typing import NamedTuple

from clawgit.doors import shutil
from clawgit.stores.chroma.backend import Contents
from clawgit.stores.plainfile import put_in_place, sync

_LIVE = "generation-"
_BROKEN = "broken-"


class Generation(NamedTuple):
    """A folder with Chroma's store and two marks.

    Without its seal it is dirty: a writer began and the result was never verified. The seal is
    removed before the first write. It is written again after a clean close and after a child has
    read every embedding. It has the size of each file, so that one cut short later is found too.
    """

    folder: Path

    @property
    def store(self) -> Path:
        return self.folder / "store"

    @property
    def reading(self) -> Path:
        """The mark that exists while somebody reads; if it is left behind, the reader crashed."""
        return self.folder / "reading"

    @property
    def sealed(self) -> Contents | None:
        """The verified contents; None if it is dirty or its files have changed since."""
        try:
            seal = json.loads(self._seal.read_bytes())
            contents = Contents(int(seal["size"]), int(seal["fold"], 16))
            return contents if seal["sizes"] == self._sizes() else None
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None

    def seal(self, contents: Contents) -> None:
        for path in self._files():
            sync(path)
        seal = {"size": contents.size, "fold": f"{contents.fold:x}", "sizes": self._sizes()}
        put_in_place(self._seal, json.dumps(seal).encode(), synced=True)
        sync(self.folder)

    def unseal(self) -> None:
        self._seal.unlink(missing_ok=True)
        sync(self.folder)

    def set_aside(self) -> Path:
        """Moves it aside, to look at, and deletes the one set aside before."""
        home = self.folder.parent
        for old in home.glob(_BROKEN + "*"):
            shutil.rmtree(old)
        return self.folder.rename(home / self.folder.name.replace(_LIVE, _BROKEN))

    @property
    def _seal(self) -> Path:
        return self.folder / "seal.json"

    def _files(self) -> list[Path]:
        return sorted(path for path in self.store.rglob("*") if path.is_file())

    def _sizes(self) -> dict[str, int]:
        return {
            path.relative_to(self.store).as_posix(): path.stat().st_size for path in self._files()
        }


def newest(home: Path) -> Generation | None:
    folders = sorted(home.glob(_LIVE + "*"))
    return Generation(folders[-1]) if folders else None


def begin(home: Path) -> Generation:
    """An empty one with a new number."""
    numbers = [
        int(path.name.rpartition("-")[2])
        for mark in (_LIVE, _BROKEN)
        for path in home.glob(mark + "*")
    ]
    made = Generation(home / f"{_LIVE}{max(numbers, default=0) + 1:06}")
    made.store.mkdir(parents=True)
    return made


def homes(chroma: Path) -> list[Path]:
    """The folder of each family that was ever filled."""
    return sorted(path for path in chroma.glob("*") if path.is_dir()) if chroma.is_dir() else []


def leave_only(home: Path, kept: Generation) -> None:
    """Removes other generations and other models' files, which a crash may have left."""
    for old in home.glob(_LIVE + "*"):
        if old != kept.folder:
            shutil.rmtree(old)
    for other in homes(home.parent):
        if other != home:
            shutil.rmtree(other)
