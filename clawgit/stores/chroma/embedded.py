"""The embedded Chroma of a repository: one owner reads it, a child writes it.

A damaged one is set aside and built again.
"""

import os
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import StorageError
from clawgit.stores.chroma import generation, library, ownership
from clawgit.stores.chroma.backend import (
    Contents,
    Family,
    FilledCollection,
    Progress,
    Stop,
    never,
    pages,
    silent,
)
from clawgit.stores.chroma.collection import ChromaLimits, Collection, open_collection
from clawgit.stores.chroma.errand import Errands
from clawgit.stores.chroma.failures import ChromaBrokenError, ChromaFillingError
from clawgit.stores.chroma.generation import Generation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clawgit.stores.chroma.backend import Page, Record, Vector, Wanted

_LIMITS = ChromaLimits()


class _Reader(NamedTuple):
    place: Generation
    contents: Contents
    kept: Collection


class Embedded:
    """Owns the Chroma below the folder `chroma` until it is closed.

    It answers once `fill` has found it complete.
    """

    def __init__(self, chroma: Path, family: Family, limits: ChromaLimits = _LIMITS) -> None:
        library.require()
        self._lock = ownership.take(chroma)
        self._home, self._name, self._limits = chroma / family.collection, family.collection, limits
        self._errands = Errands(self._lock)
        self._filling = Lock()
        self._reader: _Reader | None = None
        self._doubted = False

    def similar(self, vector: "Vector", n: int) -> list[tuple[str, float]]:
        """The nearest by cosine; a `ChromaError` says why the exact scan must answer instead."""
        reader = self._reader  # a filling may close it meanwhile
        if reader is None:
            raise ChromaFillingError(
                "Chroma is being filled.", hint="It answers when that is done."
            )
        try:
            return reader.kept.similar(vector, n)
        except ChromaBrokenError:
            self._doubted = True
            raise

    def fill(
        self, wanted: "Wanted", stop: Stop = never, progress: Progress = silent
    ) -> FilledCollection:
        """Makes it hold exactly `wanted`, which is called more than once.

        If it is damaged or dirty, it is built again.
        """
        with self._filling, _plain_errors(self._home):
            if self._doubted:
                self._unread(in_peace=False)
            there = self._reader.contents if self._reader else self._trusted()
            if there is not None and there == _contents(wanted()):
                filled = FilledCollection(0, 0, there, complete=True)
            else:
                self._unread()
                filled = self._written(wanted, stop, progress)
            if filled.complete and self._reader is None:
                self._read(filled.contents)
            return filled

    def close(self) -> None:
        """Ends a filling in progress; stop that first to save what it has done."""
        self._errands.stop()
        with self._filling:
            try:
                self._unread()
            finally:
                os.close(self._lock)

    def _written(self, wanted: "Wanted", stop: Stop, progress: Progress) -> FilledCollection:
        """Fills the existing store; if that fails, a new one."""
        for _ in range(2):
            place = generation.newest(self._home) or generation.begin(self._home)
            if filled := self._attempt(place, wanted, stop, progress):
                generation.leave_only(self._home, place)
                return filled
            place.set_aside()
        raise ChromaBrokenError("Chroma could not be filled, twice.", hint="clawgit doctor")

    def _attempt(
        self, place: Generation, wanted: "Wanted", stop: Stop, progress: Progress
    ) -> FilledCollection | None:
        """None if the child died or wrote something wrong."""
        sent = Contents()

        def told() -> "Iterator[Page]":
            nonlocal sent
            for hashes, vectors in pages(wanted()):
                yield hashes, vectors
                sent = sent.plus(hashes)
                progress(sent.size)

        place.unseal()
        try:
            filled = self._errands.fill(place.store, self._name, told(), stop)
        except ChromaBrokenError:
            return None
        if filled.complete and filled.contents != sent:
            return None
        if self._errands.prove(place.store, self._name) != filled.contents:
            return None
        place.seal(filled.contents)
        return filled

    def _trusted(self) -> Contents | None:
        """The verified contents.

        A generation that is dirty, or crashed its last reader, is set aside.
        """
        place = generation.newest(self._home)
        if place is None:
            return None
        contents = place.sealed
        if (
            contents
            and place.reading.exists()
            and self._errands.prove(place.store, self._name) != contents
        ):
            contents = None
        if contents is None:
            place.set_aside()
        return contents

    def _read(self, contents: Contents) -> None:
        place = generation.newest(self._home)
        if place is None:
            return
        place.reading.touch()
        connect = partial(library.open_folder, place.store)
        kept = open_collection(connect, self._name, library.judge_files, self._limits)
        kept.count()  # loads the graph, which the first answer would wait for
        self._reader = _Reader(place, contents, kept)

    def _unread(self, *, in_peace: bool = True) -> None:
        """Closes the reader; if not `in_peace`, its mark stays, and the store is verified again."""
        if self._reader is None:
            return
        reader, self._reader, self._doubted = self._reader, None, False
        reader.kept.close()
        if in_peace:
            reader.place.reading.unlink()


@contextmanager
def _plain_errors(home: Path) -> "Iterator[None]":
    try:
        yield
    except OSError as error:
        raise StorageError(
            f"{home} cannot be written: {error.strerror}.",
            hint="Check the free space, and the rights of the .git folder.",
        ) from error


def _contents(wanted: "Iterable[Record]") -> Contents:
    contents = Contents()
    for hashes, _ in pages(wanted):
        contents = contents.plus(hashes)
    return contents
