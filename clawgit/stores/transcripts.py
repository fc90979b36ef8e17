"""OpenClaw's transcripts: the events of a session in its SQLite database, which is in use.

They are read and never written. SQLite would leave files next to a database that it only reads.
Without a log (`-wal`) the file is final and opened as immutable; with a log, and its index by a
running gateway (`-shm`), it is read through that index; else a copy is read.
"""

import importlib
import json
import os
import shutil
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
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
    """One line: its place, its JSON object or None, and what is wrong."""

    place: int
    value: Mapping[str, Any] | None
    fault: str = ""


class Session(NamedTuple):
    """What OpenClaw says of a session. `key` is its name, "" if that is no longer known."""

    id: str
    key: str = ""
    channel: str = ""


class Transcript(NamedTuple):
    """The events of one session in an open database. `state` is a text that changes when the
    transcript does.
    """

    db: sqlite3.Connection
    path: Path
    session: Session
    state: str
    event: str

    @property
    def source(self) -> str:
        """A name by which the next reading finds it, and that any database can store."""
        path = os.fsencode(self.path).decode("utf-8", "backslashreplace")
        return f"{path}#{self.session.id}"

    def lines(self) -> Iterator[TranscriptLine]:
        """Read in slices, so that our reading does not stop the gateway from clearing its log."""
        query = (
            f"SELECT seq, {self.event} FROM transcript_events WHERE session_id = ? AND "  # noqa: S608 - names of ours
            f"{_NUMBERED} AND seq >= ? ORDER BY seq LIMIT {_SLICE}"
        )
        start = 0
        while rows := self.db.execute(query, (self.session.id, start)).fetchall():
            for seq, text, packed, length in rows:
                yield _line(seq, text, packed, length)
            start = rows[-1][0] + 1


class Position(NamedTuple):
    """How far a transcript was read: the last entry, and the state if nothing came after it."""

    leaf: str = ""
    state: str = ""

    @classmethod
    def parse(cls, text: str | None) -> "Position":
        return cls(*json.loads(text)) if text else cls()

    def render(self) -> str:
        return json.dumps([*self])


class TranscriptReading:
    """One reading of a transcript.

    `faults` counts what was wrong with its lines, once it has been gone through.
    """

    def __init__(self, transcript: Transcript, position: Position) -> None:
        self.transcript = transcript
        self.faults: Counter[str] = Counter()
        self._from = position

    @property
    def is_news(self) -> bool:
        return self._from.state != self.transcript.state

    def entries(self) -> Iterator[TranscriptEntry]:
        """The entries of the current branch that were not read before.

        All of them, when the branch has left what was read.
        """
        try:
            yield from self._entries()
        except (OSError, sqlite3.Error) as error:
            raise UnreadableTranscriptError(
                f"{self.transcript.source} cannot be read: {error}.",
                hint="Check its owner and permissions.",
            ) from error

    def _entries(self) -> Iterator[TranscriptEntry]:
        """Reads the lines twice, since all of them may be too much to hold: which entries are on
        the branch, then these. Lines newer than the first time are for the next reading.
        """
        ids: list[str] = []
        wanted = self._unread(branch(self._noted(ids)), ids)
        first, held = min(wanted, default=len(ids) + 1) - 1, frozenset(wanted)

        for at, line in self._numbered(len(ids)):
            if line.fault and at >= first:
                self.faults[line.fault] += 1
            if line.value is not None and at in held:
                yield entry_of(line.value, str(line.place))

    def _unread(self, path: list[int], ids: list[str]) -> list[int]:
        """The part of the branch after the last entry that was read."""
        read = [number for number, at in enumerate(path, 1) if ids[at] == self._from.leaf]
        return path[max(read, default=0) :]

    def _numbered(self, count: int) -> Iterator[tuple[int, TranscriptLine]]:
        """The lines, each with the number of the entry in it or before it, of so many entries."""
        at = -1
        for line in self.transcript.lines():
            at += line.value is not None
            if at >= count:
                return
            yield at, line

    def _noted(self, ids: list[str]) -> Iterator[TranscriptEntry]:
        """All entries; their ids are noted on the way."""
        for line in self.transcript.lines():
            if line.value is not None:
                entry = entry_of(line.value, str(line.place))
                ids.append(entry.id)
                yield entry


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


def parsed(place: int, raw: bytes) -> TranscriptLine:
    """Parses a line. A crash of the machine may leave NULs in a file; they are skipped."""
    stripped = raw.strip(b"\0 \t\r\n")
    text = stripped.decode("utf-8", "replace")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return TranscriptLine(place, None, NOT_JSON)
    if not isinstance(value, dict):
        return TranscriptLine(place, None, NOT_JSON)
    return TranscriptLine(
        place, value, NOT_UTF8 if "\ufffd" in text and not _is_utf8(stripped) else ""
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
        Transcript(db, path, named.get(ident) or Session(ident), f"{last}:{count}:{when}", event)
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
            return TranscriptLine(seq, None, COMPRESSED)
    if length > LONGEST_LINE or (text is not None and len(text) > LONGEST_LINE):
        return TranscriptLine(seq, None, TOO_LONG)
    return parsed(seq, text or b"")


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


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True
