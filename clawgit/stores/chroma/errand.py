"""Starts the child, sends it records and reads its answer. Its death counts as an answer too."""

import json
import struct
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from clawgit.doors import tempfile
from clawgit.stores.chroma.backend import Contents, FilledCollection, Stop
from clawgit.stores.chroma.failures import ChromaBrokenError, ChromaFillingError
from clawgit.stores.chroma.standing import SIZE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clawgit.stores.chroma.backend import Page, Vector


HEAD = struct.Struct("<II")
"""How many vectors a page has, and of how many dimensions."""

ID = 16 + SIZE
"""Bytes of an id: the hash of a text and its standing."""

END = HEAD.pack(0, 0)
"""A page without records is the end; a pipe that ends earlier was cut off."""


class Order(NamedTuple):
    """The first line: what the child should do, and where."""

    task: str
    store: str
    collection: str


def packed(hashes: list[str], vectors: "Vector") -> bytes:
    """A page as it goes through the pipe."""
    return HEAD.pack(*vectors.shape) + bytes.fromhex("".join(hashes)) + vectors.tobytes()


class Errands:
    """The children of one owner, one after the other. They share the owner's lock."""

    def __init__(self, lock: int) -> None:
        self._lock = lock
        self._guard = Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._stopped = False

    def fill(
        self, store: Path, collection: str, pages: "Iterable[Page]", stop: Stop
    ) -> FilledCollection:
        """Once `stop` says so the child closes properly with what it has."""
        answer = self._send(Order("fill", str(store), collection), pages, stop)
        return FilledCollection(
            answer["added"], answer["deleted"], Contents(*answer["contents"]), answer["complete"]
        )

    def prove(self, store: Path, collection: str) -> Contents | None:
        """What a new process reads there; None if the store is damaged."""
        try:
            answer = self._send(Order("prove", str(store), collection), (), lambda: True)
        except ChromaBrokenError:
            return None
        return Contents(*answer["contents"]) if answer["sound"] else None

    def stop(self) -> None:
        """Ends the running one, and lets no other begin."""
        with self._guard:
            self._stopped = True
            if self._child is not None:
                self._child.kill()

    def _send(self, order: Order, pages: "Iterable[Page]", stop: Stop) -> Any:
        with tempfile.TemporaryFile() as words:
            child = self._start(order, words)
            try:
                answer = _exchange(child, order, pages, stop)
            finally:
                # After an answer the child has ended; after an error of ours it must not be left
                # waiting.
                child.kill()
                child.wait()
            words.seek(0)
            last = words.read().decode("utf-8", "replace").strip().rpartition("\n")[2]
        if self._stopped:
            raise ChromaFillingError(
                "Chroma was stopped meanwhile.", hint="The next start continues."
            )
        if not answer:
            raise _failure(child.returncode, last)
        return json.loads(answer)

    def _start(self, order: Order, words: IO[bytes]) -> subprocess.Popen[bytes]:
        with self._guard:
            if self._stopped:
                raise ChromaFillingError(
                    "Chroma is being stopped.", hint="The next start continues."
                )
            self._child = subprocess.Popen(
                # -P: no module of the workspace is imported.
                [sys.executable, "-P", "-m", "clawgit.stores.chroma.child"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=words,
                # Chroma reads the .env file of the folder where it starts.
                cwd=Path(order.store).parent,
                pass_fds=(self._lock,),
                # Ctrl-C is for us: the child ends properly when its pipe does.
                start_new_session=True,
            )
            return self._child


def _exchange(
    child: subprocess.Popen[bytes], order: Order, pages: "Iterable[Page]", stop: Stop
) -> bytes:
    """The answer; empty if the child died. It counts only if the child ended well."""
    pipe, answer = child.stdin, child.stdout
    if pipe is None or answer is None:
        return b""
    with suppress(BrokenPipeError), pipe, answer:
        pipe.write(json.dumps(order._asdict()).encode() + b"\n")
        for hashes, vectors in pages:
            if stop():
                break
            pipe.write(packed(hashes, vectors))
        else:
            pipe.write(END)
        pipe.close()
        text = answer.read()
        return text if child.wait() == 0 else b""
    return b""


def _failure(code: int, words: str) -> ChromaBrokenError:
    how = f"by signal {-code}" if code < 0 else f"with “{words[:200]}”"
    return ChromaBrokenError(
        f"The process that had Chroma open ended {how}.", hint="clawgit doctor --fix"
    )
