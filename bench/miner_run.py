"""A run of the Memory Miner over many messages, beside the reading of the same messages from the
store."""

import os
import re
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count, islice
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from bench.conversations import DEV, conversations
from bench.lab import open_lab
from clawgit.agents.frame.agents import run_agent
from clawgit.core.markdown.entry import entries, holds_entries
from clawgit.front.setup import init
from clawgit.git.gitdir import find_repo
from clawgit.git.rules.actors import OPERATOR
from clawgit.talk.chat import open_chat
from clawgit.talk.rules.chat import Message, recorded
from clawgit.talk.stores.chat import MessageQuery
from clawgit.workspace.workspace import Caller, Workspace

_NOW = datetime(2026, 12, 31, 6, 0, tzinfo=UTC)
_NUMBER = re.compile(r"\d+")


class MinerRun(NamedTuple):
    """How long the run took, what it wrote, and what came of a second one."""

    messages: int
    seconds: float
    commits: int
    entries: int
    reading: float
    second_commits: int


def miner_run(messages: int = 5000) -> MinerRun:
    """By rules, in a workspace of its own that is new."""
    with tempfile.TemporaryDirectory(prefix="clawgit-bench-") as folder:
        lab = open_lab(Path(folder))
        caller = Caller(OPERATOR, {**lab.env, "PATH": os.environ["PATH"]}, _NOW, lab.root)
        init(lab.root / "ws", caller, openclaw_rules=False, hooks=False)
        workspace = Workspace(find_repo(lab.root / "ws"), caller)
        try:
            return _measured(workspace, messages)
        finally:
            workspace.close()


def _measured(workspace: Workspace, messages: int) -> MinerRun:
    with open_chat(workspace) as chat:
        chat.take([*islice(_told(), messages)], None)
    start = perf_counter()
    with open_chat(workspace) as chat:
        found = len(chat.find(MessageQuery()))
    reading = perf_counter() - start
    start = perf_counter()
    run = run_agent(workspace, "memory-miner", clock=lambda: _NOW)
    seconds = perf_counter() - start
    again = run_agent(workspace, "memory-miner", clock=lambda: _NOW)
    return MinerRun(
        found, seconds, len(run.commits), _entries(workspace.root), reading, len(again.commits)
    )


def _told() -> Iterator[Message]:
    """Our conversations, repeated with other numbers, so that each repetition says something
    new.
    """
    for turn in count():
        for talk in conversations(DEV):
            session = f"{talk.id}-{turn}"
            for message in talk.messages:
                text = _NUMBER.sub(lambda found, turn=turn: str(int(found[0]) + turn), message.text)  # type: ignore[misc]
                time = message.time - timedelta(days=turn)
                yield recorded(session, session, message.role, text, time, message.id)


def _entries(root: Path) -> int:
    files = (file for file in root.rglob("*.md") if holds_entries(str(file.relative_to(root))))
    return sum(len(entries(file.read_text(encoding="utf-8"))) for file in files)
