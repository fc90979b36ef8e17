"""The options that every command takes, as they were given to this one."""

from collections.abc import Iterator
from contextlib import contextmanager


class Options:
    """The shared options, wherever on the command line they were.

    `exact`: the command shows secrets unmasked to the operator. `preview`: the note that a call
    prints at its end if it wrote nothing. `seated`: whether the operator asks, as the page knows
    it; None for a command line, whose terminal says so.
    """

    def __init__(self, seated: bool | None = None) -> None:
        self.seated = seated
        self.directory: str | None = None
        self.as_json = False
        self.now: str | None = None
        self.actor: str | None = None
        self.exact = False
        self.preview = ""


_running: list[Options] = []


def options() -> Options:
    """Those of the command that runs."""
    return _running[-1] if _running else Options()


@contextmanager
def running(given: Options) -> Iterator[None]:
    _running.append(given)
    try:
        yield
    finally:
        _running.pop()
