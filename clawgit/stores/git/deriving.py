"""Files derived from others, updated in the commit that changes these."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from clawgit.stores.git.foreign import ForeignGroup, Look
from clawgit.stores.git.gitindex import Blob
from clawgit.stores.git.repo import Repo
from clawgit.stores.git.rules import Changes, Derived, PendingChange

PLAIN_FILE = 0o100644

OwnChanges = dict[str, tuple[bytes | None, int]]
"""Path → what we put there, and its mode."""


def before_and_after(own: OwnChanges, looks: Mapping[str, Look]) -> Changes:
    return {path: (looks[path].data, after) for path, (after, _) in own.items()}


def with_derived(
    derived: Iterable[Derived], pending: PendingChange, own: OwnChanges, looks: Mapping[str, Look]
) -> OwnChanges:
    """Our changes, with updates of the files derived from them."""
    changes = dict(own)
    for file in derived:
        look = looks[file.path]
        text, mode = changes.pop(file.path, (look.data, look.raw.mode or PLAIN_FILE))
        text = file.text(pending, text)
        if text != look.data:
            changes[file.path] = text, mode
    return changes


class Follower(NamedTuple):
    """Updates derived files if only others have changed their sources."""

    repo: Repo
    derived: tuple[Derived, ...]
    looks: Mapping[str, Look]
    now: datetime

    def of(self, parent: str | None, ident: str, group: ForeignGroup) -> OwnChanges:
        """Updates of derived files for the commit `ident` of the last foreign edits.

        Missing files are not created: adopting a folder must not add files.
        """
        there = [file for file in self.derived if self._is_there(file.path)]
        if not there:
            return {}
        files = {
            path: (self.repo.data(self.repo.blob_at(parent, path)), self.repo.data(blob))
            for path, blob in group.changes.items()
        }
        pending = PendingChange(parent, ident, group.intent, self.now, files)
        return with_derived(there, pending, {}, self.looks)

    def blobs(self, changes: OwnChanges) -> dict[str, Blob | None]:
        return {
            path: self.repo.store_blob(text, self.looks[path].raw.mode or mode)
            for path, (text, mode) in changes.items()
        }

    def _is_there(self, path: str) -> bool:
        return path in self.looks and self.looks[path].data is not None
