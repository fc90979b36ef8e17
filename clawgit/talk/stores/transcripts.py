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
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from clawgit.core import NamedTuple
from clawgit.core.disk.database import opened
from clawgit.core.errors import ClawgitError
from clawgit.talk.rules.chat import plain
from clawgit.talk.rules.transcript import TranscriptEntry, branch, entry_of

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
_NAMED_IN = (
    "SELECT session_id, session_key, x'7b7d' FROM session_windows",
    "SELECT session_id, session_key, CAST(entry_json AS BLOB) FROM session_entries",
    "SELECT current_session_id, session_key, CAST(entry_json AS BLOB) FROM session_nodes",
)
"""Where releases store the names of sessions; for a session the later row counts."""


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

    def entries(self, faults: Counter[str], after: str = "") -> Iterator[TranscriptEntry]:
        """The entries of the current branch after the one with this id; all of them, when the
        branch has left that. `faults` counts what is wrong with their lines.
        """
        try:
            yield from self._entries(faults, after)
        except (OSError, sqlite3.Error) as error:
            raise UnreadableTranscriptError(
                f"{self.source} cannot be read: {error}.", hint="Check its owner and permissions."
            ) from error

    def _entries(self, faults: Counter[str], after: str) -> Iterator[TranscriptEntry]:
        """Reads the lines twice, since all of them may be too much to hold: which entries are on
        the branch, then these. Entries newer than the first time are for the next reading.
        """
        # Without what they hold.
        seen = [
            (line.place, entry_of(line.value, str(line.place))._replace(said={}))
            for line in self._lines()
            if line.value is not None
        ]
        path = [seen[at] for at in branch(entry for _, entry in seen)]
        read = max(
            (number for number, (_, each) in enumerate(path, 1) if each.id == after), default=0
        )
        start = path[read - 1][0] + 1 if read else 0
        wanted = {place for place, _ in path[read:]}
        for line in self._lines(start):
            faults.update(filter(None, [line.fault]))
            if line.value is not None and line.place in wanted:
                yield entry_of(line.value, str(line.place))

    def _lines(self, start: int = 0) -> Iterator[TranscriptLine]:
        """Read in slices, so that our reading does not stop the gateway from clearing its log."""
        query = (
            f"SELECT seq, {self.event} FROM transcript_events WHERE session_id = ? AND "  # noqa: S608 - names of ours
            f"{_NUMBERED} AND seq >= ? ORDER BY seq LIMIT {_SLICE}"
        )
        while rows := self.db.execute(query, (self.session.id, start)).fetchall():
            for row in rows:
                yield _line(*row)
            start = rows[-1][0] + 1


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
        transcripts = list[Transcript]()
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
    raw, fault = raw.strip(b"\0 \t\r\n"), ""
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        text, fault = raw.decode("utf-8", "replace"), NOT_UTF8
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    return TranscriptLine(place, *((value, fault) if isinstance(value, dict) else (None, NOT_JSON)))


def _listed(db: sqlite3.Connection, path: Path) -> list[Transcript]:
    columns = {_text(row[1]) for row in db.execute("PRAGMA table_info(transcript_events)")}
    if not columns:
        return []
    named = _names(db)
    text = "CAST(event_json AS BLOB)"
    packed = "CAST(event_zstd AS BLOB)" if "event_zstd" in columns else "NULL"
    size = f"coalesce(length({text}), 0)"
    event = f"CASE WHEN {size} <= {LONGEST_LINE} THEN {text} END, {packed}, {size}"
    rows = db.execute(
        "SELECT session_id, max(seq), count(*), max(created_at) FROM transcript_events"  # noqa: S608
        f" WHERE {_NUMBERED} GROUP BY 1 ORDER BY 4, 1"
    )
    return [
        Transcript(db, path, named.get(ident) or Session(ident), f"{last}:{count}:{when}", event)
        for ident, last, count, when in ((_text(row[0]), *row[1:]) for row in rows)
    ]


def _names(db: sqlite3.Connection) -> dict[str, Session]:
    named: dict[str, Session] = {}
    for query in _NAMED_IN:
        # A release that changes such a table costs us the names in it, not what was said.
        with suppress(sqlite3.OperationalError):
            for ident, key, label in db.execute(query).fetchall():
                channel = (parsed(0, label or b"").value or {}).get("channel")
                named[_text(ident)] = Session(
                    plain(_text(ident)),
                    plain(_text(key)),
                    plain(channel) if isinstance(channel, str) else "",
                )
    return named


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
