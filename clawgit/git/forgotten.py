"""The record of what was forgotten, on its own ref: `refs/clawgit/forgotten`.

Each command that shows or stores a text reads it, so there is a copy in a file of ours.
"""

from collections.abc import Callable
from contextlib import suppress

from clawgit.core.errors import StorageError
from clawgit.git import RECORD
from clawgit.git.batch import Batch
from clawgit.git.cgit import CGit
from clawgit.git.place import FORGOTTEN_REF, RepoPlace, record_of
from clawgit.history.rules.record import Forgotten, read, written


def forgotten_at(git: CGit, revision: str) -> Forgotten:
    """The record in a commit, our own or a fetched one."""
    data = Batch(git).data(f"{revision}:{RECORD}")
    if data is None:
        raise StorageError(
            f"{revision} holds no record of what was forgotten.", hint=f"git log {FORGOTTEN_REF}"
        )
    try:
        return read(data)
    except ValueError as error:
        raise StorageError(
            f"The record of what was forgotten cannot be read ({error}).",
            hint=f"git show {revision}:{RECORD}; a newer clawgit may have written it.",
        ) from error


def forgotten_in(place: RepoPlace, git: Callable[[], CGit]) -> Forgotten:
    """The record of this repository. Nothing is read where nothing was ever forgotten, and git is
    asked only where our copy is not of today.
    """
    oid = record_of(place)
    if not oid:
        return Forgotten()
    copy = place.shared / RECORD
    with suppress(OSError, ValueError):
        head, _, data = copy.read_bytes().partition(b"\n")
        if head.decode("ascii") == oid:
            return read(data)
    found = forgotten_at(git(), oid)
    with suppress(OSError):  # it is read from git again
        copy.write_bytes(oid.encode("ascii") + b"\n" + written(found))
    return found
