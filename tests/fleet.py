"""Two agents and more, each with a real workspace of its own in one home."""

import json
import os
from pathlib import Path

from clawgit.git.gitdir import find_repo
from clawgit.git.rules.actors import AGENT, Actor
from clawgit.workspace.reach import registry_file
from clawgit.workspace.workspace import Caller, Workspace
from tests.conftest import NOW, Git
from tests.trusting import accept_settings

THEIRS = "The vault code of the harbor is heliotrope."
CORE = {"CLAWGIT_SEARCH_MODE": "core"}


def asker(actor: Actor = AGENT, **env: str) -> Caller:
    return Caller(actor, {**os.environ, **CORE, **env}, NOW, Path(os.environ["HOME"]))


def agent(root: Path, memory: str = "", *, config: str = "", begun: bool = True) -> Git:
    """A workspace with one line of memory and no commit yet; one that is not begun has no
    repository."""
    root.mkdir(parents=True, exist_ok=True)
    made = Git(root)
    made.write("MEMORY.md", f"# Memory\n\n- {memory or f'{root.name} likes tea.'} #knowledge\n")
    if config:
        made.write("CONFIG.md", f"# Config\n\n```yaml\n{config}\n```\n")
    if begun:
        for folder in (
            "objects",
            "refs/heads",
            "clawgit",
        ):  # what `git init` makes, without a process
            (root / ".git" / folder).mkdir(parents=True)
        (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        (root / ".git" / "config").write_text(
            "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"
        )
    if config and begun:
        accept_settings(root)
    return made


def at(git: Git, actor: Actor = AGENT, **env: str) -> Workspace:
    return Workspace(find_repo(git.root), asker(actor, **env))


def allow(git: Git, *settings: str) -> None:
    git.write("CONFIG.md", "# Config\n\n```yaml\n" + "\n".join(settings) + "\n```\n")
    accept_settings(git.root)


def name(**agents: Path) -> None:
    """Puts agents on the user's list."""
    file = registry_file(asker())
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({agent: str(path) for agent, path in agents.items()}))


def openclaw(config: object) -> Path:
    """An OpenClaw with this configuration; gives its state folder."""
    state = Path(os.environ["HOME"]) / ".openclaw"
    state.mkdir(exist_ok=True)
    (state / "openclaw.json").write_text(json.dumps(config))
    return state
