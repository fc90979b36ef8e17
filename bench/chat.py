"""What the chat store and reading transcripts cost, compared with the least possible work."""

import json
import random
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import NamedTuple

from bench.lab import Lab
from bench.race import Race
from bench.workspaces import NOW
from clawgit.talk.rules.chat import Message, recorded, told
from clawgit.talk.rules.transcript import message_of
from clawgit.talk.stores.chat import MessageQuery
from clawgit.talk.stores.chat.sqlite import SqliteChat
from clawgit.talk.stores.transcripts import open_transcripts
from clawgit.workspace.stores.state import open_state
from clawgit.workspace.stores.state_log import log_of


class Scale(NamedTuple):
    """How many messages are there before anything is measured, and how often each thing is done."""

    known: int
    laps: int


FULL = Scale(known=100_000, laps=15)
QUICK = Scale(known=300, laps=1)

LINES = "lines.jsonl"

_BATCH = 1000
_BATCH_BUDGET_MS, _SINGLE_BUDGET_MS = 100.0, 10.0
_WORDS = [f"word{number:04}" for number in range(4000)]
_INSERT = "INSERT INTO message VALUES (?, ?, ?, ?, ?)"


def races(lab: Lab, quick: bool) -> Iterator[Race]:
    scale = QUICK if quick else FULL
    plain = _plain(lab.root / "plain.db")
    fresh = _messages()
    with open_state(lab.root / "state.db", log_of(lab.root, lab.root), NOW) as state:
        chat = SqliteChat(state)
        for _ in range(0, scale.known, _BATCH):
            batch = [next(fresh) for _ in range(min(_BATCH, scale.known))]
            chat.take(batch)
            _insert(plain, batch)
        size = f"{scale.known:,} messages there"
        yield Race(
            f"{_BATCH:,} messages, {size}",
            lambda: chat.take([next(fresh) for _ in range(_BATCH)]),
            {
                "a bare INSERT of the same": lambda: _insert(
                    plain, [next(fresh) for _ in range(_BATCH)]
                )
            },
            scale.laps,
            _BATCH_BUDGET_MS,
        )
        yield Race(
            f"one message, {size}",
            lambda: chat.take([told("agent:main:main", "user", "yes", next(fresh).time)]),
            {"a bare INSERT, synced": lambda: _insert(plain, [next(fresh)])},
            scale.laps * 3,
            _SINGLE_BUDGET_MS,
        )
        yield Race(
            f"search, {size}",
            lambda: chat.find(MessageQuery("word0017 word0004", limit=20)),
            {
                "LIKE over all": lambda: plain.execute(
                    _LIKE, ("%word0017%", "%word0004%")
                ).fetchall()
            },
            scale.laps,
        )
    plain.close()
    agent = _transcript(lab.root, scale.known // 5)
    yield Race(
        f"reading a transcript of {scale.known // 5:,} lines",
        lambda: _read(agent),
        {"json.loads of each": lambda: _parse(agent)},
        max(1, scale.laps // 3),
    )


_LIKE = "SELECT * FROM message WHERE text LIKE ? AND text LIKE ? ORDER BY time DESC LIMIT 20"


def _messages() -> Iterator[Message]:
    """Of a few sessions, a minute apart, as long as messages are."""
    dice = random.Random(1)
    for number in count():
        text = " ".join(dice.choices(_WORDS, k=dice.randint(3, 60)))
        role, session = ("user", "assistant")[number % 2], f"agent:main:{number % 7}"
        yield recorded(
            f"conversation-{number % 7}",
            session,
            role,
            text,
            NOW + timedelta(minutes=number),
            f"{number:08x}",
        )


def _plain(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute(
        "CREATE TABLE message (id TEXT PRIMARY KEY, session TEXT, role TEXT, text TEXT, time TEXT)"
    )
    return db


def _insert(db: sqlite3.Connection, messages: list[Message]) -> None:
    db.execute("BEGIN IMMEDIATE")
    db.executemany(
        _INSERT,
        [(one.id, one.session, one.role, one.text, one.time.isoformat()) for one in messages],
    )
    db.execute("COMMIT")


def _transcript(root: Path, lines: int) -> Path:
    """The folder of an agent with one session; its lines are in a file, too."""
    agent = root / "agent"
    (agent / "agent").mkdir(parents=True)
    with (agent / LINES).open("w", encoding="utf-8") as out:
        for number, one in zip(range(lines), _messages(), strict=False):
            said = {
                "role": one.role,
                "content": one.text,
                "timestamp": int(one.time.timestamp() * 1000),
            }
            parent = f"m{number - 1}" if number else None
            line = {"type": "message", "id": f"m{number}", "parentId": parent, "message": said}
            out.write(f"{json.dumps(line)}\n")
    with closing(sqlite3.connect(agent / "agent/openclaw-agent.sqlite")) as db, db:
        db.execute("CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT)")
        with (agent / LINES).open(encoding="utf-8") as rows:
            db.executemany("INSERT INTO transcript_events VALUES ('s', ?, ?)", enumerate(rows))
    return agent


def _read(agent: Path) -> None:
    with open_transcripts(agent) as found:
        for one in found.all[0].entries(Counter()):
            message_of(one, "s", "", NOW)


def _parse(agent: Path) -> None:
    with (agent / LINES).open(encoding="utf-8") as lines:
        for line in lines:
            json.loads(line)
