"""What the tests of soul commands share: one workspace with a soul, as its operator and its agents
open it."""

import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from clawgit.git.rules.actors import AGENT, Actor
from clawgit.git.rules.history import Intent
from clawgit.git.transaction import Change
from clawgit.workspace.workspace import Workspace
from tests.conftest import Git, poured
from tests.making import space_of
from tests.trusting import accept_settings

SOUL = """\
# Soul

## Core truths

- Be kind.
- Be brief.
- Look before you ask.
- Own the mistake.
- Finish what you begin.

## Boundaries

- What is private stays private.
- Ask before deleting files.

## Vibe

- Short when short will do.
"""

TEXTS = {
    "SOUL.md": SOUL,
    "IDENTITY.md": "# Identity\n\n- **Name:** Ada\n- **Vibe:** calm\n",
    "MEMORY.md": "# Memory\n\n- Billing uses PostgreSQL. #decision\n",
    "CONFIG.md": "# Config\n",
}
DATE = "2026-02-13T08:00:00+00:00"

KEEPER = Actor("soul-keeper", "Soul Keeper")


class Soulful:
    """A workspace and its clock, which each change moves by an hour."""

    def __init__(self, git: Git) -> None:
        self.git = git
        self.space = space_of(git)

    def as_actor(self, actor: Actor = AGENT) -> Workspace:
        return Workspace(self.space.place, self.space.caller._replace(actor=actor))

    def later(self, **passed: float) -> Workspace:
        """The operator's workspace after a while."""
        now = self.space.now + timedelta(**passed or {"hours": 1})
        self.space = self.space.at(now)
        return self.space

    def set(self, **settings: str) -> None:
        """Settings, committed by the operator."""
        text = "\n".join(f"{key}: {value}" for key, value in settings.items())
        self.git.write("CONFIG.md", f"# Config\n\n```yaml\n{text}\n```\n")
        self.git("add", "CONFIG.md")
        self.git("commit", "-q", "-m", "settings", "--", "CONFIG.md")
        accept_settings(self.git.root)
        self.later()

    def write(
        self,
        old: str,
        new: str,
        *,
        actor: Actor = KEEPER,
        path: str = "SOUL.md",
        evidence: str = "",
        **told: str,
    ) -> Change:
        """One change by an agent, as the Soul Keeper makes it: `new` instead of `old`."""
        space = self.later()
        proof = (evidence,) if evidence else ("memory/2026-02-13.md#L3",)
        intent = Intent(
            actor,
            told.get("verb", "edit"),
            told.get("summary", f"say {new!r}"),
            told.get("reason", ""),
            proof,
        )
        with space.transaction(intent) as tx:
            before = tx.read_text(path)
            assert old in before
            tx.put(path, before.replace(old, new, 1))
        return tx.outcome

    def text(self, path: str = "SOUL.md") -> str:
        return (self.git.root / path).read_bytes().decode()

    def committed(self, path: str = "SOUL.md") -> str:
        return self.git("show", f"HEAD:{path}")


@pytest.fixture
def soulful(git: Git, molds: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Soulful]:
    monkeypatch.setenv("GIT_COMMITTER_DATE", DATE)
    mold = molds / "soulful"
    if not mold.exists():
        made = Git(shutil.copytree(molds / "empty", mold))
        for path, text in TEXTS.items():
            made.write(path, text)
        made.commit_all("start")
    yield Soulful(poured(mold, git, TEXTS))
    assert git("fsck", "--strict", "--no-dangling") == ""
