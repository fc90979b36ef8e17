"""Transcripts of the third era: events in OpenClaw's SQLite database, which is in use.

SQLite would leave files next to a database that it only reads. Without a log (`-wal`) the file is
final and opened as immutable; with a log, and its index by a running gateway (`-shm`), it is read
through that index; else a copy is read.
"""

import hashlib
import importlib
import json
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from clawgit.stores.database import opened
from clawgit.stores.transcripts.jsonl import jsonl_transcripts, session_of
from clawgit.stores.transcripts.source import (
    COMPRESSED,
    LONGEST_LINE,
    TOO_LONG,
    Session,
    Transcript,
    TranscriptLine,
    name_of,
    parsed,
)

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


class EventTranscript(NamedTuple):
    """The events of one session in an open database. Positions are the numbers of events."""

    db: sqlite3.Connection
    path: Path
    session: Session
    last: int
    changes: str
    event: str

    @property
    def source(self) -> str:
        return f"{name_of(self.path)}#{self.session.id}"

    def state(self) -> str:
        return self.changes

    def size(self) -> int:
        return self.last + 1

    def trace(self, end: int) -> str:
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


@contextmanager
def event_transcripts(state: Path, notes: list[str]) -> Iterator[list[EventTranscript]]:
    """The transcripts in the database of an agent, the latest written last."""
    path = state / _DATABASE
    with ExitStack() as opened:
        transcripts: list[EventTranscript] = []
        try:
            if path.is_file():
                transcripts = _listed(opened.enter_context(read_only(path)), path)
        except (sqlite3.Error, OSError) as error:
            notes.append(f"{path} cannot be read: {error}")
        yield transcripts


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


def _listed(db: sqlite3.Connection, path: Path) -> list[EventTranscript]:
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
        EventTranscript(
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
                named[known] = session_of(known, key, _object(label))
    return named


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


class Transcripts(NamedTuple):
    """The transcripts, and notes about those that cannot be read."""

    all: tuple[Transcript, ...]
    notes: list[str]


@contextmanager
def open_transcripts(state: Path) -> Iterator[Transcripts]:
    """The transcripts of the agent with this state folder.

    Nothing in it is changed, and nothing broken is an error.
    """
    notes: list[str] = []
    with event_transcripts(state, notes) as events:
        yield Transcripts((*jsonl_transcripts(state, notes), *events), notes)
