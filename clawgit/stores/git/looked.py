"""How far commits have been looked at, and merges followed up. Commits of ours were judged before
they were made; those of others are when a hook or a command comes to them.
"""

from collections.abc import Callable

from clawgit.stores.git.place import RepoPlace

LOOKED = "looked"
"""The note of the commit up to which all texts were looked at."""

FOLLOWED = "followed"
"""The note of the commit up to which all merges were followed up."""

NOTES = (LOOKED, FOLLOWED)

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


def noted(place: RepoPlace, note: str) -> str:
    """The commit that a note names; "" where nobody knows."""
    try:
        return (place.private / note).read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def keep_noted(place: RepoPlace, note: str, oid: str) -> None:
    """Has a note name a commit. Where nothing is kept of a worktree, there is no note."""
    if place.private.is_dir():
        (place.private / note).write_text(f"{oid}\n", "ascii")


def advance(
    place: RepoPlace, before: str | None, made: list[str], parent_of: Callable[[str], str | None]
) -> None:
    """Moves the notes over our own new commits, oldest first, if they stood where they begin."""
    stood = _standing_at(place, before or "")
    if not stood or not made:
        return
    parents = [parent_of(oid) for oid in made]
    # Somebody else's commit may have come in between.
    if parents != [before, *made[:-1]]:
        return
    for note in stood:
        keep_noted(place, note, made[-1])


def _standing_at(place: RepoPlace, oid: str) -> list[str]:
    return [note for note in NOTES if noted(place, note) == oid]
