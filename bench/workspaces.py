"""Workspaces of any size, made by one `git fast-import`; the same every time."""

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bench.lab import Lab
from clawgit.git.rules.actors import AGENT
from clawgit.git.rules.history import Intent, render_message
from clawgit.git.rules.ids import change_id

NOW = datetime(2026, 2, 14, 9, 0, tzinfo=UTC)
"""The day on which the workspaces are used: the one after their last daily file."""

_BEGIN = datetime(2024, 1, 1, tzinfo=UTC)
_PACE = timedelta(minutes=10)
_EVERY = 200
"""Of so many commits one goes to MEMORY.md and one to SOUL.md; the others fill the daily files, day
by day."""

_SETTINGS = {
    "user.name": "Bench",
    "user.email": "bench@example.org",
    "commitGraph.readChangedPaths": "false",
}
_ENTRIES, _PRINCIPLES, _NOTES = 100, 30, 8


def plant(lab: Lab, name: str, *, files: int, commits: int = 1) -> Path:
    """A clean workspace of so many Markdown files, most of them daily notes in folders by month. It
    has a commit graph, as `git gc` would leave it; its path filters are there, but off unless a
    command turns them on."""
    root = lab.root / name
    root.mkdir()
    lab.finish(root, "git", "init", "-q")
    for key, value in _SETTINGS.items():
        lab.finish(root, "git", "config", key, value)
    _import(lab, root, _history(files, commits))
    lab.finish(
        root, "git", "commit-graph", "write", "--reachable", "--changed-paths", "--no-progress"
    )
    lab.finish(root, "git", "reset", "-q", "--hard")
    _settle(lab, root)
    return root


def copy(lab: Lab, original: Path, name: str) -> Path:
    """A copy of a workspace, so that contenders do not meet each other's leftovers."""
    root = lab.root / name
    shutil.copytree(original, root)
    _settle(lab, root)
    return root


def _settle(lab: Lab, root: Path) -> None:
    """Makes the files older than git's index, as in a lived-in workspace: git reads younger ones
    again each time."""
    long_ago = _BEGIN.timestamp()
    for file in root.rglob("*.md"):
        os.utime(file, (long_ago, long_ago))
    lab.finish(root, "git", "update-index", "-q", "--refresh")


def _import(lab: Lab, root: Path, stream: Iterator[bytes]) -> None:
    argv = ["git", "fast-import", "--quiet"]
    with subprocess.Popen(
        argv, cwd=root, env=lab.env, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
    ) as child:
        assert child.stdin is not None
        child.stdin.writelines(stream)
    assert child.returncode == 0, "git fast-import failed"


def _history(files: int, commits: int) -> Iterator[bytes]:
    """The first commit brings all files; each later one appends a line to one of them."""
    core = _core()
    days = [_daily(back) for back in range(files - len(core), 0, -1)]
    texts = {**core, **{path: f"# {path[-13:-3]}\n\n{_lines(path, _NOTES)}" for path in days}}
    yield _commit(0, texts)
    fixed = {0: "SOUL.md", _EVERY // 2: "MEMORY.md"}
    for number in range(1, commits):
        path = fixed.get(number % _EVERY) or days[number * len(days) // commits]
        texts[path] += _lines(f"commit {number}", 1)
        yield _commit(number, {path: texts[path]})


def _core() -> dict[str, str]:
    return {
        "AGENTS.md": "# How I work\n\n" + _lines("habit", _PRINCIPLES),
        "CONFIG.md": "# Settings\n\nAll of them are the defaults.\n",
        "IDENTITY.md": "# Identity\n\n- **Name:** Bench\n- **Creature:** lobster\n",
        "MEMORY.md": "# Memory\n\n" + _lines("fact", _ENTRIES),
        "SOUL.md": "# Soul\n\n" + _lines("principle", _PRINCIPLES),
        "USER.md": "# User\n\n- Measures everything.\n",
    }


def _daily(back: int) -> str:
    day = NOW - timedelta(days=back)
    return f"memory/{day:%Y-%m}/{day:%Y-%m-%d}.md"


def _lines(about: str, count: int) -> str:
    return "".join(
        f"- Note {number} of {about}: the invoice run was checked by hand.\n"
        for number in range(count)
    )


def _commit(number: int, texts: Mapping[str, str]) -> bytes:
    intent = Intent(
        AGENT, "remember", f"note {number}", evidence=("memory/2024-01/2024-01-01.md#L3",)
    )
    when = f"{int((_BEGIN + number * _PACE).timestamp())} +0000"
    parts = [
        f"commit refs/heads/main\nauthor {AGENT.name} <{AGENT.email}> {when}\n",
        f"committer Bench <bench@example.org> {when}\n",
        _data(render_message(intent, change_id(number))),
        *(f"M 100644 inline {path}\n{_data(text)}" for path, text in texts.items()),
    ]
    return "".join(parts).encode()


def _data(text: str) -> str:
    """A block of fast-import's; all texts here are ASCII, so characters are bytes."""
    return f"data {len(text)}\n{text}\n"
