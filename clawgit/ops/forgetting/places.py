"""Every place that can hold what is remembered: how it is searched, and how it is cleared.

docs/forget.md says what each holds. A module of `stores/` that writes and has no place fails
tests/ops/forgetting/test_places.py.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from clawgit.errors import ClawgitError
from clawgit.ops.forgetting import leftovers, rows
from clawgit.ops.forgetting.ground import Ground, files_below
from clawgit.stores.git.looked import PARKED, REJECTED, WAITING

Find = Callable[[Ground], int]
"""How many texts, rows or files of a place hold the words."""


class Place(NamedTuple):
    name: str
    find: Find
    empty: Find


@dataclass(frozen=True, slots=True)
class Found:
    """A place, and how many texts, rows or files of it have, or had, the words."""

    place: str
    count: int
    trouble: str = ""


def _log(ground: Ground) -> int:
    return sum(map(ground.is_in, files_below(ground.log)))


def _raw_state(ground: Ground) -> int:
    """The rows with the words, else the files: a deleted row may still be in a free page."""
    files = ground.workspace.place.shared.glob("state.db*")
    return sum(rows.rows_with(ground).values()) or sum(map(ground.is_in, files))


def _emptied_state(ground: Ground) -> int:
    if not (_raw_state(ground) or _log(ground)):
        return 0
    return rows.forget_rows(ground)


def _drop_waiting(ground: Ground) -> int:
    """Deletes their refs. Their objects stay until history is rewritten, or git prunes."""
    names = _waiting(ground)
    ground.workspace.git.delete_refs(names)
    return len(names)


def _waiting(ground: Ground) -> list[str]:
    """Refs beside the branches (parked, proposed, rejected) that would bring the words back."""
    git = ground.workspace.git
    tips = {
        name: tip
        for prefix in (WAITING, REJECTED, PARKED)
        for name, tip in git.refs_below(prefix).items()
    }
    return [name for name, tip in tips.items() if _brings(ground, tip)]


def _brings(ground: Ground, tip: str) -> bool:
    git = ground.workspace.git
    parents = git.commit(tip).parents
    changes = git.differences(parents[0] if parents else None, tip)
    return any(ground.matcher.is_in_bytes(after or b"") for _, (_, after) in changes)


PLACES: tuple[Place, ...] = (
    Place("proposals", lambda ground: len(_waiting(ground)), _drop_waiting),
    Place("chat server", rows.messages_with, rows.forget_server),
    Place("state.db", _raw_state, _emptied_state),
    Place("log of state.db", _log, lambda ground: rows.forget_rows(ground) if _log(ground) else 0),
    Place("vectors", lambda ground: len(leftovers.vectors_with(ground)), leftovers.drop_vectors),
    Place("indexes", lambda ground: len(leftovers.indexes_with(ground)), leftovers.clear_indexes),
    Place(
        "what was accepted",
        lambda ground: len(leftovers.accepted_with(ground)),
        leftovers.cut_accepted,
    ),
    Place("logs and notes", lambda ground: len(leftovers.notes_with(ground)), leftovers.cut_notes),
)


def search(ground: Ground, places: Iterable[Place] = PLACES) -> tuple[Found, ...]:
    """The places that hold the words."""
    return _each(ground, places, lambda place: place.find)


def empty(ground: Ground, places: Iterable[Place] = PLACES) -> tuple[Found, ...]:
    """Empties the places that hold the words. One that cannot be emptied now says why."""
    return _each(ground, places, lambda place: place.empty)


def _each(
    ground: Ground, places: Iterable[Place], work: Callable[[Place], Find]
) -> tuple[Found, ...]:
    found = (_one(ground, place, work(place)) for place in places)
    return tuple(one for one in found if one.count or one.trouble)


def _one(ground: Ground, place: Place, work: Find) -> Found:
    try:
        return Found(place.name, work(ground))
    except ClawgitError as error:
        return Found(place.name, 0, f"{error.message} {error.hint}".strip())
