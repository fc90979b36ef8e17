"""A workspace in which somebody chats, and an OpenClaw beside it."""

import os
import sqlite3
from datetime import datetime
from pathlib import Path

from clawgit.git.gitdir import find_repo
from clawgit.git.rules.actors import AGENT, OPERATOR
from clawgit.talk.chat import messages, open_chat
from clawgit.talk.rules.chat import Message
from clawgit.talk.stores.chat import MessageQuery
from clawgit.workspace.workspace import Caller, Workspace
from tests.conftest import NOW

ALL = MessageQuery()


def opened(root: Path, now: datetime = NOW, **env: str) -> Workspace:
    return Workspace(find_repo(root), Caller(AGENT, {**os.environ, **env}, now, Path.home()))


def at_a_terminal(root: Path, now: datetime = NOW, **env: str) -> Workspace:
    """The operator's, whose own environment counts for his call."""
    return Workspace(find_repo(root), Caller(OPERATOR, {**os.environ, **env}, now, Path.home()))


def texts(workspace: Workspace, wanted: MessageQuery = ALL) -> list[str]:
    return [message.text for message in messages(workspace, wanted).messages]


def openclaw(*agents: str, workspaces: Path | None = None) -> Path:
    """The state folder of this home's OpenClaw; its agents live below `workspaces`."""
    state = Path.home() / ".openclaw"
    listed = ", ".join(
        f'{{id: "{name}", workspace: "{(workspaces or state) / name}"}}' for name in agents
    )
    state.mkdir(exist_ok=True)
    (state / "openclaw.json").write_text(f"{{agents: {{list: [{listed}]}}}}")
    for name in agents:
        (state / "agents" / name).mkdir(parents=True, exist_ok=True)
    return state


def judge(message: Message, db: sqlite3.Connection) -> bool:
    """A triage that leaves a trace, which it cannot leave twice."""
    db.execute("INSERT INTO chat_mark VALUES (?, ?)", (f"judged {message.text}", message.key))
    return "important" in message.text


def judged(workspace: Workspace) -> list[str]:
    with open_chat(workspace) as chat:
        known = [message.text for message in chat.find(ALL)]
        return [text for text in dict.fromkeys(known) if chat.local.mark(f"judged {text}")]
