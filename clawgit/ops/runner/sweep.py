"""Whether OpenClaw's nightly sweep is running in a workspace: jobs wait for its end."""

from collections.abc import Iterator
from datetime import UTC, datetime, tzinfo
from pathlib import Path

from clawgit.domain.runner.schedule import sweeping
from clawgit.ops.workspace.workspace import Workspace

_TRACES = ("memory/.dreams", "memory/dreaming", "DREAMS.md")
"""Files that the sweep writes if it is enabled."""


def is_sweeping(workspace: Workspace, zone: tzinfo) -> bool:
    """True from its start until no file of memory has changed for a minute, for half an hour at
    most. Never if the sweep has left no files here.
    """
    if not sweeping(workspace.now, zone, workspace.now):
        return False
    if not any((workspace.root / trace).exists() for trace in _TRACES):
        return False
    return sweeping(workspace.now, zone, max(_written(workspace.root), default=None))


def _written(root: Path) -> Iterator[datetime]:
    memory = root / "memory"
    for file in (root / "MEMORY.md", root / "DREAMS.md", *memory.rglob("*")):
        if file.is_file():
            yield datetime.fromtimestamp(file.stat().st_mtime, UTC)
