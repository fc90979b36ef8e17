"""Calls into Chroma with a time limit, in a thread that the process does not wait for."""

from collections.abc import Callable
from threading import Lock, Thread
from typing import Generic, TypeVar

from clawgit.stores.chroma.failures import ChromaError, ChromaFillingError, ChromaSlowError

T = TypeVar("T")
Judge = Callable[[BaseException], ChromaError | None]


class _Call(Thread, Generic[T]):
    def __init__(self, work: Callable[[], T]) -> None:
        super().__init__(daemon=True, name="chroma")
        self._work = work
        self.result: list[T] = []
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            self.result.append(self._work())
        except BaseException as error:  # noqa: BLE001 - raised again in the caller's thread; a panic of Rust is one too
            self.error = error


class Calls:
    """One Chroma's calls.

    While one is overdue no other is begun, so that a dead server does not collect threads.
    """

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._lock = Lock()
        self._running = set[Thread]()
        self._overdue: Thread | None = None
        self._closed = False

    def run(self, work: Callable[[], T], seconds: float) -> T:
        call = _Call(work)
        with self._lock:
            if self._closed:
                raise ChromaFillingError("Chroma was closed meanwhile.", hint="Ask again.")
            if self._overdue is not None and self._overdue.is_alive():
                raise ChromaSlowError(
                    "Chroma has not given an earlier answer yet.", hint="clawgit doctor"
                )
            self._running.add(call)
            call.start()
        call.join(seconds)
        with self._lock:
            if call.is_alive():
                self._overdue = call
                raise ChromaSlowError(
                    f"Chroma did not answer within {seconds:g} s.", hint="clawgit doctor"
                )
            self._running.discard(call)
        if call.error is not None:
            raise (self._judge(call.error) or call.error) from call.error
        return call.result[0]

    def close(self, seconds: float) -> bool:
        """Takes no more calls; whether those under way have ended in time."""
        with self._lock:
            self._closed = True
            left = list(self._running)
        for call in left:
            call.join(seconds)
        return not any(call.is_alive() for call in left)
