"""Examines the embedded Chroma while no process owns it, for `doctor`."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from clawgit.stores.chroma import generation, ownership
from clawgit.stores.chroma.errand import Errands
from clawgit.stores.chroma.generation import Generation


class ExaminationResult(NamedTuple):
    """`fault` is empty if a new process has read every vector back."""

    generation: Generation
    size: int
    fault: str


def examine(chroma: Path) -> list[ExaminationResult]:
    """Examines each family's newest generation.

    `ChromaBusyError` while a process owns the Chroma.
    """
    with _owned(chroma) as errands:
        return [
            _verdict(place, errands)
            for home in generation.homes(chroma)
            if (place := generation.newest(home))
        ]


def set_aside(chroma: Path) -> None:
    """Sets damaged generations aside, to look at; the next filling begins again."""
    with _owned(chroma):
        for home in generation.homes(chroma):
            place = generation.newest(home)
            if place and (place.sealed is None or place.reading.exists()):
                place.set_aside()


def _verdict(place: Generation, errands: Errands) -> ExaminationResult:
    sealed = place.sealed
    if sealed is None:
        return ExaminationResult(
            place, 0, "its last writer was cut off, or its files are not those that were checked"
        )
    if errands.prove(place.store, place.folder.parent.name) != sealed:
        place.reading.touch()  # it is not trusted again until it is verified
        return ExaminationResult(place, sealed.size, "its vectors cannot all be read back")
    place.reading.unlink(missing_ok=True)
    return ExaminationResult(place, sealed.size, "")


@contextmanager
def _owned(chroma: Path) -> Iterator[Errands]:
    lock = ownership.take(chroma)
    try:
        yield Errands(lock)
    finally:
        os.close(lock)
