"""Writes to a standard stream, and says what it means where that fails."""

from typing import TextIO

from clawgit.errors import StorageError


class ReaderGoneError(Exception):
    """Nobody reads the answer any more, as with `| head`. No OSError: click would end the process
    with 1 then.
    """


class UnwrittenError(StorageError):
    """The answer could not be written, and neither could this error, there."""


def write(stream: TextIO, text: str) -> None:
    try:
        _write(stream, text)
    except BrokenPipeError as error:
        raise ReaderGoneError from error
    except OSError as error:
        raise UnwrittenError(
            f"The answer could not be written: {error.strerror or error}.",
            hint="The command came to its end: see `clawgit log -n 1` before you repeat a change.",
        ) from error


def _write(stream: TextIO, text: str) -> None:
    try:
        stream.write(text)
    except UnicodeEncodeError:
        # The stream, or a file's name, is not UTF-8.
        as_bytes = text.encode(stream.encoding, "backslashreplace")
        stream.write(as_bytes.decode(stream.encoding))
    stream.flush()
