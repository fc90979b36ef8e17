"""OpenClaw's transcripts: the events of a session in its SQLite database, which is in use.

They are read and never written. SQLite would leave files next to a database that it only reads.
Without a log (`-wal`) the file is final and opened as immutable; with a log, and its index by a
running gateway (`-shm`), it is read through that index; else a copy is read.
"""

import hashlib
import importlib
import json
import os
import shutil
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from clawgit.domain.conversation.chat import plain
from clawgit.domain.conversation.transcript import TranscriptEntry, branch, entry_of
from clawgit.errors import ClawgitError
from clawgit.stores.database import opened

LONGEST_LINE = 16 * 1024 * 1024
NOT_JSON = "not a JSON object"
TOO_LONG = f"longer than {LONGEST_LINE // 1024**2} MiB"
NOT_UTF8 = "read with the bytes replaced that are not UTF-8"
COMPRESSED = "compressed with zstd, which this Python cannot read (pip install backports.zstd)"

_DATABASE = "agent/openclaw-agent.sqlite"
_SLICE = 200
_NUMBERED = f"seq BETWEEN 0 AND {2**62}"
"""SQLite allows any value in a column; after one that is no valid number there is no next one."""

_ZSTD = ("compression.zstd", "backports.zstd")
_NOTHING_TOLD = "'{}'"
_NAMED_IN = (
    ("session_windows", "session_id", _NOTHING_TOLD),
    ("session_entries", "session_id", "entry_json"),
    ("session_nodes", "current_session_id", "entry_json"),
)
"""The tables in which releases store the names of sessions; for a session the later row counts."""


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
    channel: str = ""


class Transcript(NamedTuple):
    """The events of one session in an open database. Positions are the numbers of events.

    `state` is a text that changes when the transcript does.
    """

    db: sqlite3.Connection
    path: Path
    session: Session
    last: int
    state: str
    event: str

    @property
    def source(self) -> str:
        """A name by which the next reading finds it, and that any database can store."""
        path = os.fsencode(self.path).decode("utf-8", "backslashreplace")
        return f"{path}#{self.session.id}"

    def size(self) -> int:
        return self.last + 1

    def trace(self, end: int) -> str:
        """A hash of what is before `end`, to see whether that is still the same."""
        rows = self._rows("seq < ? ORDER BY seq DESC LIMIT 1", end)
        return hashlib.sha256(b"".join(raw or b"" for row in rows for raw in row[1:3])).hexdigest()[
            :16
        ]

    def lines(self, start: int) -> Iterator[TranscriptLine]:
        """Read in slices, so that our reading does not stop the gateway from clearing its log."""
        while rows := self._rows(f"seq >= ? ORDER BY seq LIMIT {_SLICE}", start):
            for seq, text, packed, length in rows:
                yield _line(seq, text, packed, length)
            start = rows[-1][0] + 1

    def _rows(
        self, condition: str, bound: int
    ) -> list[tuple[int, bytes | None, bytes | None, int]]:
        query = (
            f"SELECT seq, {self.event} FROM transcript_events WHERE session_id = ? AND "  # noqa: S608 - names of ours
            f"{_NUMBERED} AND {condition}"
        )
        return self.db.execute(query, (self.session.id, bound)).fetchall()


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
            self.state = transcript.state

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


class Transcripts(NamedTuple):
    """The transcripts, the latest written last, and notes about those that cannot be read."""

    all: tuple[Transcript, ...]
    notes: list[str]


@contextmanager
def open_transcripts(state: Path) -> Iterator[Transcripts]:
    """The transcripts of the agent with this state folder.

    Nothing in it is changed, and nothing broken is an error.
    """
    path, notes = state / _DATABASE, list[str]()
    with ExitStack() as used:
        transcripts: list[Transcript] = []
        try:
            if path.is_file():
                transcripts = _listed(used.enter_context(read_only(path)), path)
        except (sqlite3.Error, OSError) as error:
            notes.append(f"{path} cannot be read: {error}")
        yield Transcripts(tuple(transcripts), notes)


@contextmanager
def read_only(path: Path) -> Iterator[sqlite3.Connection]:
    """Opens another program's database without changing anything, not even files next to it."""
    log, index = (path.with_name(f"{path.name}-{part}") for part in ("wal", "shm"))
    with ExitStack() as used:
        how = "readonly_shm=1" if log.exists() else "immutable=1"
        if log.exists() and not index.exists():
            folder = Path(used.enter_context(tempfile.TemporaryDirectory(prefix="clawgit-")))
            for part in (path, log):
                shutil.copyfile(part, folder / part.name)
            path, how = folder / path.name, "cache=private"
        db = used.enter_context(closing(opened(f"{path.absolute().as_uri()}?mode=ro&{how}")))
        db.text_factory = bytes  # we repair what is no UTF-8
        yield db


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


def _listed(db: sqlite3.Connection, path: Path) -> list[Transcript]:
    columns = _columns(db, "transcript_events")
    if not {"session_id", "seq", "event_json"} <= columns:
        return []
    named = _names(db)
    text = (
        f"CASE WHEN length(CAST(event_json AS BLOB)) <= {LONGEST_LINE} THEN CAST(event_json AS "
        "BLOB) END"
    )
    packed = "CAST(event_zstd AS BLOB)" if "event_zstd" in columns else "NULL"
    event = f"{text}, {packed}, coalesce(length(CAST(event_json AS BLOB)), 0)"
    when = "max(created_at)" if "created_at" in columns else "0"
    rows = db.execute(
        f"SELECT session_id, max(seq), count(*), {when} FROM transcript_events"  # noqa: S608 - ours
        f" WHERE {_NUMBERED} GROUP BY 1 ORDER BY 4, 1"
    )
    return [
        Transcript(
            db, path, named.get(ident) or Session(ident), last, f"{last}:{count}:{when}", event
        )
        for ident, last, count, when in ((_text(row[0]), *row[1:]) for row in rows)
    ]


def _columns(db: sqlite3.Connection, table: str) -> set[str]:
    """The columns of a table; none if it does not exist."""
    return {_text(row[1]) for row in db.execute(f"PRAGMA table_info({table})")}


def _names(db: sqlite3.Connection) -> dict[str, Session]:
    named: dict[str, Session] = {}
    for table, ident, about in _NAMED_IN:
        # A release that changes such a table costs us the names in it, not what was said.
        if {ident, "session_key", about} <= _columns(db, table) | {_NOTHING_TOLD}:
            for row in db.execute(f"SELECT {ident}, session_key, {about} FROM {table}"):  # noqa: S608 - all ours
                known, key, label = (_text(cell) for cell in row)
                named[known] = _session_of(known, key, _object(label))
    return named


def _session_of(ident: str, key: str, about: Mapping[str, Any]) -> Session:
    """A session, from OpenClaw's own entry about it."""
    channel = about.get("channel")
    return Session(plain(ident), plain(key), plain(channel) if isinstance(channel, str) else "")


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _line(seq: int, text: bytes | None, packed: bytes | None, length: int) -> TranscriptLine:
    if text is None and packed is not None:
        text = _unpacked(packed)
        if text is None:
            return TranscriptLine(seq, seq + 1, None, COMPRESSED)
    if length > LONGEST_LINE or (text is not None and len(text) > LONGEST_LINE):
        return TranscriptLine(seq, seq + 1, None, TOO_LONG)
    return parsed(seq, seq + 1, text or b"")


def _unpacked(packed: bytes) -> bytes | None:
    """The unpacked bytes; None if they cannot be unpacked here; one byte over the limit if too
    long.
    """
    for name in _ZSTD:
        try:
            zstd = importlib.import_module(name)
        except ImportError:
            continue
        try:
            return bytes(zstd.ZstdDecompressor().decompress(packed, max_length=LONGEST_LINE + 1))
        except zstd.ZstdError:
            return b""
    return None


def _text(cell: object) -> str:
    return cell.decode("utf-8", "replace") if isinstance(cell, bytes) else str(cell or "")


@contextmanager
def _readable(transcript: Transcript) -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise UnreadableTranscriptError(
            f"{transcript.source} cannot be read: {error}.", hint="Check its owner and permissions."
        ) from error


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


def _entries(lines: Iterable[TranscriptLine]) -> Iterator[TranscriptEntry]:
    return (entry_of(line.value, str(line.start)) for line in lines if line.value is not None)
