"""A day of messages for the Memory Miner, and what it keeps of them."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from clawgit.agents.contract import ChangeSet, Snapshot
from clawgit.agents.memory_miner import propose
from clawgit.core.config.settings import Settings
from clawgit.core.markdown.entry import Entry, entries, holds_entries
from clawgit.talk.rules.chat import Message, recorded
from tests.agents.applied import applied

START = datetime(2026, 2, 14, 9, 0, tzinfo=UTC)
MAIN = "agent:main:main"
USER = {"USER.md": "- **Name:** Mira\n"}


def said(*texts: str, session: str = MAIN, start: datetime = START) -> tuple[Message, ...]:
    """Messages of the operator and, behind a `<`, of the assistant."""
    return tuple(
        recorded(
            "s1",
            session,
            "assistant" if text.startswith("<") else "user",
            text.removeprefix("<").strip(),
            start + timedelta(minutes=at),
            f"{start:%m%d}m{at}",
        )
        for at, text in enumerate(texts)
    )


def seen(messages: Sequence[Message], files: Mapping[str, str] = USER, **fields: Any) -> Snapshot:
    return Snapshot(
        START + timedelta(days=1), Settings(), files, run="r1", messages=tuple(messages), **fields
    )


def after(done: ChangeSet, files: Mapping[str, str] = USER) -> dict[str, str]:
    """The files once the steps have landed."""
    return applied(files, done)


def kept(files: Mapping[str, str]) -> list[Entry]:
    return [
        entry for path in sorted(files) if holds_entries(path) for entry in entries(files[path])
    ]


def mine(*texts: str, files: Mapping[str, str] = USER) -> tuple[ChangeSet, dict[str, str]]:
    done = propose(seen(said(*texts), files))
    return done, after(done, files)


def wording(files: Mapping[str, str]) -> list[str]:
    return [entry.text for entry in kept(files)]
