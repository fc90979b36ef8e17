"""Whether OpenClaw's nightly sweep is at work in a workspace: jobs wait for its end."""

from collections.abc import Iterator
from datetime import UTC, datetime, tzinfo
from pathlib import Path

from clawgit.domain.runner.schedule import sweeping
from clawgit.ops.workspace.workspace import Workspace

_TRACES = ("memory/.dreams", "memory/dreaming", "DREAMS.md")
"""Files that the sweep leaves if it is switched on."""


def is_sweeping(workspace: Workspace, zone: tzinfo) -> bool:
    """From its start until memory has been quiet for a minute, for half an hour at most.

    Never if the sweep has left no traces here.
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
