"""`memory` alone, which says what there is. It is loaded by each of its commands."""

from typing import TYPE_CHECKING

from clawgit.terminal import output
from clawgit.terminal.command import Answer, command, group
from clawgit.terminal.command_table import load
from clawgit.workspace.workspace import Workspace

if TYPE_CHECKING:
    from clawgit.health.memory_index import MemoryStatus


@group("memory")
def memory(ws: Workspace) -> Answer:
    """Remember facts, read them back, keep them in order.

    Example: clawgit memory status
    """
    return load("health.memory_index:memory_status")(ws), _status_text


@command("status")
def status(ws: Workspace) -> Answer:
    """Show how much is remembered, and how it is searched.

    Example: clawgit memory status
    """
    return load("health.memory_index:memory_status")(ws), _status_text


def _status_text(seen: "MemoryStatus") -> str:
    tiers = zip(
        ("identity (T0)", "lasting (T1)", "of a day (T2)"), seen.tiers.values(), strict=True
    )
    files = dict(tiers) | {"others": seen.others}
    search = f"{seen.mode}: {seen.provider} {seen.model}, {output.counted(seen.vectors, 'vector')}"
    told = {"files": files, "entries": seen.entries, "index": seen.index, "search": search}
    return output.told(told | {"bytes": seen.sizes})
