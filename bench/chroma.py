"""Chroma, embedded and as a server, compared with an exact numpy scan of the same vectors: answers,
filling, import.
"""

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bench.lab import Lab
from bench.race import Race, Task
from clawgit.stores.chroma.backend import Family
from clawgit.stores.chroma.collection import ChromaLimits
from clawgit.stores.chroma.embedded import Embedded
from clawgit.stores.chroma.failures import ChromaError
from clawgit.stores.chroma.server import Address, Served, greet
from clawgit.stores.chroma.standing import Standing

if TYPE_CHECKING:
    from clawgit.ops.search.vectors_owner import VectorShelf
    from clawgit.stores.chroma.backend import Record, Vector

_DIMENSIONS, _ASKED = 256, 50
_PATIENT = ChromaLimits(answer=60.0)


class Corpus(NamedTuple):
    """Vectors in loose clusters, as texts have them: HNSW is at its worst where there is no
    structure at all."""

    names: list[str]
    rows: "Vector"
    questions: "Vector"

    def records(self) -> "Iterator[Record]":
        return zip(self.names, self.rows, strict=True)


def races(lab: Lab, quick: bool) -> Iterator[Race]:
    sizes = (600, 1500) if quick else (12_000, 120_000)
    laps = 3 if quick else 50
    with _server(lab.root / "server") as where:
        for size in sizes:
            yield from _answers(lab, where, _corpus(size), laps)
        yield _filling(lab, where, _corpus(sizes[0]), 1 if quick else 3)
    references = {f"import {name}": lab.python(f"import {name}") for name in ("numpy", "sqlite3")}
    yield Race("import chromadb", lab.python("import chromadb"), references, 2 if quick else 10)


def _answers(lab: Lab, where: Address, corpus: Corpus, laps: int) -> Iterator[Race]:
    import numpy as np  # noqa: PLC0415 - the other benchmarks start without it

    family = Family("bench", "random", _DIMENSIONS, str(len(corpus.names)))
    embedded: VectorShelf = Embedded(lab.root / family.collection, family, _PATIENT)
    served: VectorShelf = Served(where, family, _PATIENT)
    for shelf in (embedded, served):
        shelf.fill(corpus.records)

    def scan(question: "Vector") -> object:
        close = corpus.rows @ question
        best = np.argpartition(-close, _ASKED)[:_ASKED]
        return best[np.argsort(-close[best])]

    def asking(shelf: "VectorShelf") -> Task:
        questions = cycle(corpus.questions)
        return lambda: shelf.similar(next(questions), _ASKED)

    questions = cycle(corpus.questions)
    references = {"exact scan": lambda: scan(next(questions)), "Chroma, server": asking(served)}
    yield Race(
        f"Chroma, embedded, {len(corpus.names):,} vectors", asking(embedded), references, laps
    )
    for shelf in (embedded, served):
        shelf.close()


def _filling(lab: Lab, where: Address, corpus: Corpus, laps: int) -> Race:
    """From nothing to answering; the embedded one with its two children and its proof."""
    number = iter(range(1000))

    def embedded() -> None:
        family = Family("bench", "filling", _DIMENSIONS, f"embedded {next(number)}")
        _filled(Embedded(lab.root / family.collection, family), corpus)

    def served() -> None:
        _filled(
            Served(where, Family("bench", "filling", _DIMENSIONS, f"server {next(number)}")), corpus
        )

    what = f"filling with {len(corpus.names):,} vectors, embedded"
    return Race(what, embedded, {"server": served}, laps)


def _filled(shelf: "VectorShelf", corpus: Corpus) -> None:
    shelf.fill(corpus.records)
    shelf.close()


def _corpus(size: int) -> Corpus:
    import numpy as np  # noqa: PLC0415

    chance = np.random.default_rng(size)

    def near(middles: "Vector", spread: float) -> "Vector":
        rows = middles + spread * chance.standard_normal(middles.shape, dtype=np.float32)
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)

    middles = chance.standard_normal((300, _DIMENSIONS), dtype=np.float32)
    rows = near(middles[chance.integers(0, 300, size)], 0.7)
    return Corpus(
        [Standing().ident(chance.bytes(16).hex()) for _ in range(size)],
        rows,
        near(rows[:100], 0.02),
    )


@contextmanager
def _server(folder: Path) -> Iterator[Address]:
    folder.mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    where = Address(f"http://127.0.0.1:{port}")
    program, quiet = str(Path(sys.executable).with_name("chroma")), subprocess.DEVNULL
    command = [program, "run", "--path", str(folder), "--host", "127.0.0.1", "--port", str(port)]
    with subprocess.Popen(command, cwd=folder, stdout=quiet, stderr=quiet) as server:
        while not _answers_at(where):
            with suppress(subprocess.TimeoutExpired):
                raise subprocess.CalledProcessError(server.wait(0.05), command)
        yield where
        server.terminate()


def _answers_at(where: Address) -> bool:
    try:
        greet(where, 1.0)
    except ChromaError:
        return False
    return True
