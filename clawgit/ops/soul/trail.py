"""Finds the versions of a file, including those under the names that it had before."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from clawgit.language.lazily import lazily
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.history.pathlog import PathLog, Version, Versions

_SAME_FILE = 0.5
"""If this share of lines is equal, a deleted and a new file count as a rename."""

_MOST_FILES = 200
"""A commit that touches more files is an import. No rename is looked for in it."""

_MARKDOWN = lazily(r".*\.md", re.IGNORECASE)


class Trail:
    """Gathers the versions of a file, and of the files that it was renamed from."""

    def __init__(self, index: PathLog, objects: Batch, cut_off: Callable[[str], bool]) -> None:
        self._index = index
        self._objects = objects
        self._cut_off = cut_off
        self._names: list[str] = []

    def versions(self, path: str) -> Versions:
        gathered = self._gathered(path)
        # Never renamed: a merge then has the file under this name in each parent, or not at all.
        if len(self._names) == 1:
            return Versions(gathered)
        return Versions(
            self._with_every_side(version) if len(version.before) > 1 else version
            for version in gathered
        )

    def _gathered(self, path: str) -> list[Version]:
        self._names.append(path)
        own, earlier = list(self._index.versions(path)), list[Version]()
        for place, born in enumerate(own):
            source = self._source(born) if born.after and not any(born.before) else None
            if source is None:
                continue
            own[place] = born._replace(before=source.before)
            if source.path not in self._names:
                earlier += self._before_the_rename(source)
        return self._in_order(earlier, own) if earlier else own

    def _source(self, born: Version) -> Version | None:
        """The file that the same commit deleted and that this one was renamed from, if any."""
        # Where a shallow clone begins, nothing was deleted: each file only seems new there.
        if self._cut_off(born.oid) or not self._objects.read_commits([born.oid])[0].parents:
            return None
        others = [
            name
            for name in self._index.paths(born.oid)
            if name != born.path and _MARKDOWN.fullmatch(name)
        ]
        if len(others) > _MOST_FILES:
            return None
        likeness, source = max(
            ((self._likeness(born, version), version) for version in self._gone(born.oid, others)),
            default=_NONE,
        )
        return source if likeness >= _SAME_FILE else None

    def _gone(self, oid: str, names: Sequence[str]) -> Iterator[Version]:
        """The files among these that a commit deleted."""
        blobs = self._objects.read([f"{oid}:{name}" for name in names])
        for name in (name for name, blob in zip(names, blobs, strict=True) if blob is None):
            version = self._index.versions(name).made_by(oid)
            # A link has no version of a file before it was deleted.
            if version and any(version.before):
                yield version

    def _likeness(self, born: Version, gone: Version) -> float:
        """The share of lines that two files have in common; 1 for the same text or name."""
        if born.path.lower() == gone.path.lower() or born.after in gone.before:
            return 1.0
        blobs = self._objects.read([*filter(None, (born.after, *gone.before))][:2])
        new, old = (Counter(blob.data.split(b"\n") if blob else ()) for blob in blobs)
        return 2 * (new & old).total() / ((new + old).total() or 1)

    def _before_the_rename(self, gone: Version) -> list[Version]:
        """The versions up to the rename. A later file of the old name is another file, unless the
        names differ only in capitals.
        """
        gathered = self._gathered(gone.path)
        if gone.path.lower() == self._names[0].lower():
            return gathered
        return gathered[[version.oid for version in gathered].index(gone.oid) :]

    def _in_order(self, earlier: list[Version], own: list[Version]) -> list[Version]:
        """Both lists, newest first by the time of their commits. A rename counts once.

        Clocks may be wrong, so within one file a later version always gets a later rank.
        """
        commits = {
            commit.sha: commit
            for commit in self._objects.read_commits([version.oid for version in (*earlier, *own)])
        }
        ranks: dict[str, int] = {}
        for versions in (earlier, own):
            floor = 0
            for version in reversed(versions):
                time = int(commits[version.oid].time.timestamp())
                floor = ranks[version.oid] = max(floor + 1, time, ranks.get(version.oid, 0))
        # A rename is one commit in both lists. The version that has the file comes last, and wins.
        joined = {
            version.oid: version
            for version in sorted([*earlier, *own], key=lambda version: version.after is not None)
        }
        return sorted(joined.values(), key=lambda version: ranks[version.oid], reverse=True)

    def _with_every_side(self, merge: Version) -> Version:
        """A merge that finds the file under its old name in one parent."""
        parents = self._objects.read_commits([merge.oid])[0].parents
        sides = zip(merge.before, parents, strict=False)
        return merge._replace(before=tuple(blob or self._blob_in(parent) for blob, parent in sides))

    def _blob_in(self, oid: str) -> str | None:
        blobs = self._objects.read([f"{oid}:{name}" for name in self._names])
        return next((blob.oid for blob in blobs if blob), None)


_NONE: tuple[float, Version | None] = (0.0, None)
