"""State folders of OpenClaw with what was said in them, which is invented."""

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from tests.conftest import NOW

Line = Mapping[str, Any]


def header(ident: str) -> Line:
    return {
        "type": "session",
        "version": 3,
        "id": ident,
        "timestamp": NOW.isoformat(),
        "cwd": "/ws",
    }


def message(
    ident: str, parent: str | None, text: str, role: str = "user", when: datetime = NOW
) -> Line:
    said = {"role": role, "content": text, "timestamp": int(when.timestamp() * 1000)}
    return {
        "type": "message",
        "id": ident,
        "parentId": parent,
        "timestamp": when.isoformat(),
        "message": said,
    }


def talk(*texts: str, start: int = 1, when: datetime = NOW) -> list[Line]:
    """A conversation without branches: user and assistant in turn, a minute apart, with ids m1, m2
    …"""
    ids = [None if at == 0 else f"m{at}" for at in range(start - 1, start + len(texts))]
    return [
        message(
            f"m{at}",
            ids[at - start],
            text,
            ("assistant", "user")[at % 2],
            when + timedelta(minutes=at),
        )
        for at, text in enumerate(texts, start)
    ]


class Written(NamedTuple):
    """The transcript of a session, in the database of an agent."""

    agent: Path
    session: str


def write(agent: Path, name: str, lines: Iterable[Line]) -> Written:
    """The transcript of a session, in place of the one it had."""
    session = name.removesuffix(".jsonl")
    with closing(_opened(agent)) as db:
        db.execute("DELETE FROM transcript_events WHERE session_id = ?", (session,))
        add_events(db, session, lines)
    return Written(agent, session)


def append(written: Written, *lines: Line) -> None:
    with closing(_opened(written.agent)) as db:
        [(start,)] = db.execute(
            "SELECT coalesce(max(seq), -1) + 1 FROM transcript_events WHERE session_id = ?",
            (written.session,),
        )
        add_events(db, written.session, lines, start)


def index(agent: Path, **sessions: str) -> None:
    """The name of each session by its id, and of no other."""
    with closing(_opened(agent)) as db:
        db.execute("DELETE FROM session_entries")
        db.executemany(
            """INSERT INTO session_entries VALUES (?, ?, '{"chatType": "direct"}', 1)""",
            [(key, ident) for ident, key in sessions.items()],
        )


def _opened(agent: Path) -> sqlite3.Connection:
    if not (agent / FILE).exists():
        database(agent).execute("DELETE FROM session_entries").connection.close()
    return sqlite3.connect(agent / FILE, isolation_level=None)


FILE = "agent/openclaw-agent.sqlite"
SHAPES = {
    "first": """
        CREATE TABLE session_entries (session_key TEXT PRIMARY KEY, session_id TEXT, entry_json TEXT,
            updated_at INTEGER);
        CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT NOT NULL,
            created_at INTEGER NOT NULL, PRIMARY KEY (session_id, seq));
        INSERT INTO session_entries VALUES ('agent:main:main', 's1', '{"chatType": "direct", "channel": "webchat"}', 1);
    """,
    "later": """
        CREATE TABLE session_nodes (session_key TEXT PRIMARY KEY, current_session_id TEXT, entry_json TEXT);
        CREATE TABLE session_windows (session_id TEXT PRIMARY KEY, session_key TEXT NOT NULL);
        CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT,
            event_zstd BLOB, event_utf8_bytes INTEGER, created_at INTEGER NOT NULL, PRIMARY KEY (session_id, seq));
        INSERT INTO session_windows VALUES ('s1', 'agent:main:main'), ('s0', 'agent:main:main');
        INSERT INTO session_nodes VALUES ('agent:main:main', 's1', '{"chatType": "direct", "channel": "webchat"}');
    """,
}


def database(agent: Path, shape: str = "first", *, wal: bool = False) -> sqlite3.Connection:
    """The database, open as its gateway has it."""
    (agent / "agent").mkdir(parents=True, exist_ok=True)
    db = sqlite3.connect(agent / FILE, isolation_level=None)
    if wal:
        db.execute("PRAGMA journal_mode = WAL")
    db.executescript(f"PRAGMA user_version = 8; {SHAPES[shape]}")
    return db


def add_events(db: sqlite3.Connection, session: str, lines: Iterable[Line], start: int = 0) -> None:
    rows = [(session, seq, json.dumps(line), 1000 + seq) for seq, line in enumerate(lines, start)]
    db.execute("BEGIN")
    db.executemany(
        "INSERT INTO transcript_events (session_id, seq, event_json, created_at) VALUES (?, ?, ?, "
        "?)",
        rows,
    )
    db.execute("COMMIT")


def picture(folder: Path) -> dict[str, tuple[int, int, str]]:
    """All that can be seen of a folder: names, times, modes, bytes."""
    return {
        str(path.relative_to(folder)): (
            path.stat().st_mtime_ns,
            path.stat().st_mode,
            hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "",
        )
        for path in sorted((folder, *folder.rglob("*")))
    }


def locked(folder: Path) -> None:
    """Takes the right to write from every folder and file."""
    for path in (folder, *folder.rglob("*")):
        os.chmod(path, 0o555 if path.is_dir() else 0o444)  # noqa: PTH101 - a symlink's target is meant, too
