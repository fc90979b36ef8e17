"""Signals that must wait while a child process is started."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager

from clawgit.core.doors import threading


@contextmanager
def signals_wait() -> Iterator[None]:
    """What a signal raises comes at the end of the block: before that, what is started there has no
    number yet by which somebody could end it.
    """
    heard: list[int] = []
    theirs = {}
    try:
        # No other thread hears a signal.
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                if callable(signal.getsignal(number)):
                    theirs[number] = signal.signal(number, lambda heeded, _: heard.append(heeded))
        yield
    finally:
        for number, handler in theirs.items():
            signal.signal(number, handler)
        for heeded in heard:
            signal.raise_signal(heeded)
