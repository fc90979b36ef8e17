"""Records up to which commit texts were looked at, and merges followed up; and what was withheld.

Our commits are judged before they are made; those of others, and the edits that a snapshot commits,
when a hook or a command first sees them.
"""

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from clawgit.core.disk.plainfile import keep_note, text_at
from clawgit.git.place import MAIN, RepoPlace, is_commit_id, refs_below

if TYPE_CHECKING:
    from clawgit.git.rules.history import Commit

LOOKED = "looked"
"""The name under which the commit is recorded up to which all texts were looked at."""

FOLLOWED = "followed"
"""The name under which the commit is recorded up to which all merges were followed up."""

QUIET = "quiet"
"""The name under which the commit is recorded in whose history no message holds an alert that the
operator has not seen."""

NOTES = (LOOKED, FOLLOWED)

MOVING = "moving"
"""The name under which the references are recorded that we are about to move, and that other
programs move, too."""

PROVEN = "proven"
"""The name under which the hash of the corrections is recorded in which nothing was in doubt."""

DROPPED = "dropped"
"""The name under which the operator's commits are recorded that somebody reset or amended. No ref:
it would keep what is forgotten."""

WITHHELD = "withheld"
"""The name under which the planted texts are recorded that waited at the last look at all files."""

UNCHECKED_COMMITS = "refs/clawgit/unchecked/"
"""The refs of commits that were made here with `--no-verify`; post-commit writes them."""

PLANTED_COMMITS = "refs/clawgit/planted/"
"""Refs of commits by plain git with text that looks planted, not signed by the operator."""

LEAKY_COMMITS = "refs/clawgit/leaks/"
"""Refs of commits by plain git with a secret that the operator does not allow."""

TAKING_COMMITS = "refs/clawgit/taking/"
"""Refs of commits by plain git that took back what the operator said."""

CLAIMING_COMMITS = "refs/clawgit/claiming/"
"""Refs of commits by plain git that say, without proof, what the operator corrected."""

OVERSTEPPING_COMMITS = "refs/clawgit/overstepping/"
"""Refs of commits that changed settings, or the soul under a policy, without authority."""

ORDERING_COMMITS = "refs/clawgit/ordering/"
"""Refs of commits by agents that added a standing order to the soul."""

RETURNED_COMMITS = "refs/clawgit/returned/"
"""Refs of commits by plain git that brought back words which the operator had forgotten."""

UNREAD_COMMITS = "refs/clawgit/unread/"
"""The ref of the newest of the commits by plain git that were too many to look at."""

TOLD_COMMITS = (
    UNCHECKED_COMMITS, PLANTED_COMMITS, LEAKY_COMMITS, RETURNED_COMMITS, TAKING_COMMITS,
    OVERSTEPPING_COMMITS, ORDERING_COMMITS, CLAIMING_COMMITS, UNREAD_COMMITS,
)  # fmt: skip
"""The refs of commits by plain git that the operator is told of."""

WAITING = "refs/clawgit/proposals/"
"""Refs of changes that wait for the operator."""

PROPOSED = "proposed"
"""The first reason why a change waits that was made as a proposal; what the guard says follows."""

REJECTED = "refs/clawgit/rejected/"
"""Refs of rejected proposals, each as the parent of a commit with the operator's reason."""

RESCUE = "refs/clawgit/rescue/"
"""The prefix of rescue refs: HEAD before a sync moved it. The newest of each worktree stay."""

PARKED = "refs/clawgit/parked/"
"""Refs of changes that wait until HEAD is on a branch, by worktree; each with the time, so that
they land in their order."""


def parked_here(place: RepoPlace) -> list[str]:
    """The refs of the changes that land in this worktree, oldest first."""
    names = [name for name in refs_below(place, PARKED) if lands_here(place, name)]
    return sorted(names, key=os.path.basename)


def lands_here(place: RepoPlace, name: str) -> bool:
    """Whether a change was parked in this worktree, or in one that was removed since: what was
    acknowledged there is not lost with it. Whichever command comes first lands it.
    """
    worktree = name.removeprefix(PARKED).rpartition("/")[0]
    is_gone = worktree != MAIN and not (place.common_dir / worktree).is_dir()
    return worktree == place.worktree or is_gone


def noted(place: RepoPlace, note: str) -> str:
    """The recorded commit; "" if unknown, or if something else stands there: git would take that
    for an option.
    """
    text = _text_of(place, note)
    return text if is_commit_id(text) else ""


def begun(place: RepoPlace) -> str:
    """The commit with which a clone or a restored backup began here, as git's reflog has it; ""
    where history began here, or if that is unknown.
    """
    log = text_at(place.git_dir / "logs/HEAD", 4096)
    first, _, message = log.partition("\n")[0].partition("\t")
    oid = first.partition(" ")[2][:40]
    return oid if is_commit_id(oid) and message[:6] in ("", "clone:") else ""


def noted_names(place: RepoPlace, note: str) -> list[str]:
    """The recorded names of texts, or of commits."""
    return _text_of(place, note).split()


def _text_of(place: RepoPlace, note: str) -> str:
    return text_at(place.private / note).strip()


def keep_noted(place: RepoPlace, note: str, what: str) -> None:
    """Records a commit, or texts, unless the worktree has no state folder."""
    if place.private.is_dir():
        keep_note(place.private / note, f"{what}\n")


def advance(
    place: RepoPlace, before: str | None, made: "Sequence[Commit]", notes: Iterable[str]
) -> None:
    """Advances the records over our own new commits, oldest first, if they were right before
    these.
    """
    # Somebody else's commit may have come in between.
    if made and [one.first_parent for one in made] == [before, *(one.sha for one in made[:-1])]:
        for note in notes:
            if noted(place, note) == (before or ""):
                keep_noted(place, note, made[-1].sha)
