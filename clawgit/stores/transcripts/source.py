"""What every kind of transcript offers, and how to read its current branch from a mark on."""

import json
import os
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from clawgit.domain.conversation.transcript import TranscriptEntry, branch, entry_of
from clawgit.errors import ClawgitError

LONGEST_LINE = 16 * 1024 * 1024
NOT_JSON = "not a JSON object"
TOO_LONG = f"longer than {LONGEST_LINE // 1024**2} MiB"
NOT_UTF8 = "read with the bytes replaced that are not UTF-8"
COMPRESSED = "compressed with zstd, which this Python cannot read (pip install backports.zstd)"


class UnreadableTranscriptError(ClawgitError):
    """A transcript is missing, forbidden or unreadable. The run goes on with the others."""

    kind = "unreadable_transcript"


class TranscriptLine(NamedTuple):
    """One line: where it begins and ends, its JSON object or None, and what is wrong."""

    start: int
    end: int
    value: Mapping[str, Any] | None
    fault: str = ""


class Session(NamedTuple):
    """What OpenClaw says of a session. `key` is its name, "" if that is no longer known."""

    id: str
    key: str = ""
    chat_type: str = ""
    channel: str = ""


class Transcript(Protocol):
    """One session's transcript, whatever holds it."""

    @property
    def source(self) -> str:
        """A name by which the next reading finds it."""

    @property
    def session(self) -> Session: ...

    def state(self) -> str:
        """A text that changes when the transcript does."""

    def size(self) -> int:
        """The end of its lines, in the unit of `TranscriptLine.end`."""

    def trace(self, end: int) -> str:
        """A hash of what is before `end`, to see whether that is still the same."""

    def lines(self, start: int) -> Iterator[TranscriptLine]:
        """All lines from `start`, without one that is still being written."""


class Position(NamedTuple):
    """How far a transcript was read, the last entry up to there, and how to recognise it."""

    end: int = 0
    leaf: str = ""
    trace: str = ""
    state: str = ""

    @classmethod
    def parse(cls, text: str | None) -> "Position":
        return cls(*json.loads(text)) if text else cls()

    def render(self) -> str:
        return json.dumps([*self])


class BranchEntry(NamedTuple):
    """An entry of the branch, and where its line ends.

    The last item has no entry: its `end` is where reading stopped.
    """

    entry: TranscriptEntry | None
    end: int
    leaf: str


class TranscriptReading:
    """One reading of a transcript.

    `faults` counts what was wrong with its lines, once it has been gone through.
    """

    def __init__(self, transcript: Transcript, position: Position) -> None:
        self.transcript = transcript
        self.faults: Counter[str] = Counter()
        self._from = position
        with _readable(transcript):
            self.state = transcript.state()

    @property
    def is_news(self) -> bool:
        return self._from.state != self.state

    def entries(self) -> Iterator[BranchEntry]:
        """The entries of the current branch that were not read before.

        All of them, when what was read has changed or the branch has left it.
        """
        with _readable(self.transcript):
            start, leaf = self._begin()
            places = branch(_entries(self.transcript.lines(start)), leaf)
            if places is None:
                start, leaf = 0, ""
                places = branch(_entries(self.transcript.lines(start))) or []
            yield from self._on(places, start, leaf)

    def position(self, reached: BranchEntry) -> Position:
        """Where the next reading goes on after `reached`."""
        with _readable(self.transcript):
            trace = self.transcript.trace(reached.end)
        # The state is recorded only at the end: after a reading that stopped earlier there is more
        # to read.
        return Position(
            reached.end, reached.leaf, trace, self.state if reached.entry is None else ""
        )

    def _begin(self) -> tuple[int, str]:
        known = self._from.end and self.transcript.trace(self._from.end) == self._from.trace
        return (self._from.end, self._from.leaf) if known else (0, "")

    def _on(self, places: list[range], start: int, leaf: str) -> Iterator[BranchEntry]:
        """Reads the lines a second time.

        Lines newer than the first time are for the next reading.
        """
        at, end, ahead = -1, start, places[::-1]
        for line in self.transcript.lines(start):
            if line.value is not None:
                at += 1
                if ahead and at >= ahead[-1].stop:
                    ahead.pop()
                if not ahead:
                    break
            end = line.end
            if line.fault:
                self.faults[line.fault] += 1
            if line.value is not None and at in ahead[-1]:
                entry = entry_of(line.value, str(line.start))
                leaf = entry.id
                yield BranchEntry(entry, end, leaf)
        yield BranchEntry(None, end, leaf)


@contextmanager
def _readable(transcript: Transcript) -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise UnreadableTranscriptError(
            f"{transcript.source} cannot be read: {error}.", hint="Check its owner and permissions."
        ) from error


def name_of(path: Path) -> str:
    """A path that any database can store, with bytes that are not UTF-8 escaped; still unique."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def parsed(start: int, end: int, raw: bytes) -> TranscriptLine:
    """Parses a line. A crash of the machine may leave NULs in a file; they are skipped."""
    stripped = raw.strip(b"\0 \t\r\n")
    text = stripped.decode("utf-8", "replace")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return TranscriptLine(start, end, None, NOT_JSON)
    if not isinstance(value, dict):
        return TranscriptLine(start, end, None, NOT_JSON)
    return TranscriptLine(
        start, end, value, NOT_UTF8 if "\ufffd" in text and not _is_utf8(stripped) else ""
    )


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


def _entries(lines: Iterable[TranscriptLine]) -> Iterator[TranscriptEntry]:
    return (entry_of(line.value, str(line.start)) for line in lines if line.value is not None)
