"""`python -m clawgit.stores.chroma.child`: a separate process for what may crash in Chroma.

It fills a store, since Chroma's writing stops every thread of its process and may crash it. It
verifies a store, by reading all of it and asking it for its own vectors. The order is a line of
JSON on stdin, followed by the records; the answer is JSON.
"""

import json
import os
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from clawgit.stores.chroma import library
from clawgit.stores.chroma.backend import Contents, fill
from clawgit.stores.chroma.collection import ChromaLimits, Collection, open_collection
from clawgit.stores.chroma.errand import HEAD, ID, Order

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.stores.chroma.backend import Page

_PATIENCE = ChromaLimits(answer=600.0, page=600.0)
_ASKED = 200
_UNIT = 1e-3
_SAME = 1 - _UNIT


class _Incoming:
    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self.cut_off = False

    def pages(self) -> "Iterator[Page]":
        while len(head := self._stream.read(HEAD.size)) == HEAD.size:
            count, width = HEAD.unpack(head)
            if not count:
                return
            body = self._stream.read(count * (ID + 4 * width))
            if len(body) < count * (ID + 4 * width):
                break
            names = [body[at : at + ID].hex() for at in range(0, count * ID, ID)]
            yield names, np.frombuffer(body, np.float32, offset=count * ID).reshape(count, width)
        self.cut_off = True


def _fill(kept: Collection, stream: IO[bytes]) -> dict[str, Any]:
    incoming = _Incoming(stream)
    filled = fill(kept, incoming.pages(), lambda: incoming.cut_off)
    return {**filled._asdict(), "contents": list(filled.contents)}


def _prove(kept: Collection, _: IO[bytes]) -> dict[str, Any]:
    """Reads the whole store.

    `sound`: each vector has the right length, and the graph finds a sample.
    """
    contents, unit, sample = Contents(), True, list[Any]()
    step = max(1, kept.count() // _ASKED)
    for names, rows in kept.rows():
        sample += [rows[at] for at in range(-contents.size % step, len(rows), step)]
        contents = contents.plus(names)
        unit = unit and bool(np.all(np.abs(np.linalg.norm(rows, axis=1) - 1) < _UNIT))
    hits = sum(
        any(close > _SAME for _, close in kept.similar(np.asarray(vector, np.float32), 10))
        for vector in sample
    )
    return {"contents": list(contents), "sound": unit and hits >= 0.9 * len(sample)}


TASKS = {"fill": _fill, "prove": _prove}


def main() -> None:
    os.nice(10)  # processes that somebody waits for go first
    order = Order(**json.loads(sys.stdin.buffer.readline()))
    store = Path(order.store)
    kept = open_collection(
        lambda: library.open_folder(store), order.collection, library.judge_files, _PATIENCE
    )
    answer = TASKS[order.task](kept, sys.stdin.buffer)
    kept.close()
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    main()
