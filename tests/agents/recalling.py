"""What the tests of the Recall Validator share: a talk, a memory, and what came of both."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from clawgit.agents.contract import Call, ChangeSet, Snapshot
from clawgit.agents.recall_validator import propose
from clawgit.core.config.settings import Settings
from clawgit.core.markdown.entry import Entry, entries
from clawgit.talk.rules.chat import told
from clawgit.talk.rules.corrections import CORRECTIONS, Correction, corrections
from clawgit.talk.rules.triage import surest, triage
from tests.agents.applied import applied

NOW = datetime(2026, 2, 14, 9, tzinfo=UTC)
USER = "# User\n\n- **Name:** Mira\n"


class Came(NamedTuple):
    """The files after it."""

    found: ChangeSet
    files: Mapping[str, str]

    @property
    def memory(self) -> tuple[Entry, ...]:
        return entries(self.files.get("MEMORY.md", ""))

    @property
    def texts(self) -> list[str]:
        return [entry.text for entry in self.memory]

    @property
    def log(self) -> tuple[Correction, ...]:
        return corrections(self.files.get(CORRECTIONS, ""))


def memory(*items: str) -> dict[str, str]:
    return {"MEMORY.md": "# Memory\n\n" + "".join(f"- {item}\n" for item in items), "USER.md": USER}


def call(
    text: str, turn: str = "", question: str = "", ident: str = "m3", role: str = "user"
) -> Call:
    """A message, with what the agent said before it, and what that had been asked."""
    before = []
    if question:
        before.append(told("main", "user", question, NOW - timedelta(minutes=2), "m1"))
    if turn:
        before.append(told("main", "assistant", turn, NOW - timedelta(minutes=1), "m2"))
    found = tuple(triage(text))
    return Call(told("main", role, text, NOW, ident), found, tuple(before), surest(found))


def validate(files: Mapping[str, str], *calls: Call, run: str = "r1", **fields: Any) -> Came:
    seen = Snapshot(NOW, Settings(), files, run=run, calls=calls, **fields)
    return landed(files, propose(seen))


def landed(files: Mapping[str, str], found: ChangeSet) -> Came:
    return Came(found, applied(files, found))


def said(text: str, *items: str, turn: str = "", question: str = "") -> Came:
    """What one message does to a memory of these items."""
    return validate(memory(*items), call(text, turn, question))
