"""Which commits have been looked at: those of ours were judged before they were made, and those of
others when a hook or a command came to them.
"""

from collections.abc import Callable

from clawgit.stores.git.place import RepoPlace

_NOTE = "looked"

PLANTED_COMMITS = "refs/clawgit/planted/"
"""The commits by plain git that brought text which looks planted, unsigned by the operator."""

LEAKY_COMMITS = "refs/clawgit/leaks/"
"""The commits by plain git that brought a secret which the operator does not allow."""

TAKING_COMMITS = "refs/clawgit/taking/"
"""The commits by plain git that took a correction of the operator's out, or worded it anew."""

RETURNED_COMMITS = "refs/clawgit/returned/"
"""The commits by plain git that brought words back which the operator had forgotten."""

UNREAD_COMMITS = "refs/clawgit/unread/"
"""The newest of commits by plain git that brought too much to look at."""


def last_looked(place: RepoPlace) -> str:
    """The commit up to which all were looked at; "" where nobody knows."""
    try:
        return (place.private / _NOTE).read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def keep_looked(place: RepoPlace, oid: str) -> None:
    """Notes that HEAD was looked at. Where nothing is kept of a worktree, there is no note."""
    if place.private.is_dir():
        (place.private / _NOTE).write_text(f"{oid}\n", "ascii")


def advance(
    place: RepoPlace, before: str | None, made: list[str], parent_of: Callable[[str], str | None]
) -> None:
    """Moves the note over our own new commits, oldest first, if it stood where they begin."""
    if not made or last_looked(place) != (before or ""):
        return
    # Somebody else's commit may have come in between.
    if [parent_of(oid) for oid in made] == [before, *made[:-1]]:
        keep_looked(place, made[-1])
