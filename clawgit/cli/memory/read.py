"""`memory get` and `memory status`: read and count what is remembered."""

import click

from clawgit.cli import output
from clawgit.cli.command import command
from clawgit.cli.opening import existing_in_workspace, workspace
from clawgit.cli.options import revision_option
from clawgit.cli.output import dim, shown
from clawgit.ops.change.past_lines import asked_lines, lines_there
from clawgit.ops.search.memory_status import MemoryStatus, memory_status
from clawgit.ops.workspace.workspaces import cited


@command("get", exact=True)
@click.argument("path")
@click.option(
    "--from", "first", type=click.IntRange(min=1), default=1, metavar="N", help="The first line."
)
@click.option(
    "--lines",
    "count",
    type=click.IntRange(min=1),
    default=None,
    metavar="M",
    help="How many lines.  [default: all]",
)
@revision_option("As it was at a change id, a git revision or a date.")
def get(path: str, first: int, count: int | None, at: str) -> None:
    """Read lines of a memory file.

    A path may end in a line or lines, as a search shows them: MEMORY.md:9, MEMORY.md#L9-L12.
    Only files that the search covers can be read. A missing file has no lines, which is not an
    error; to begin after the last line of a file is one. A path that a search cites, such as
    `coder:MEMORY.md`, works if that agent's memory may be read. With --at, a day before the
    history means the first state of the file.

    Example: clawgit memory get memory/2026-02-14.md --from 9 --lines 5
    """
    with workspace() as ws:
        path, first, count = asked_lines(ws, path, first, count)
        owner, name = cited(ws, existing_in_workspace(ws, path))
        excerpt = lines_there(owner, name, first, count, at)
        output.beside(excerpt["note"])
        output.emit(excerpt, lambda excerpt: shown(excerpt["text"]))


@command("status")
def status() -> None:
    """Show how much is remembered, and how it is searched.

    Example: clawgit memory status
    """
    with workspace() as ws:
        output.emit(memory_status(ws), _status_text)


def _status_text(seen: MemoryStatus) -> str:
    meanings = {
        "T0": "who the agent is",
        "T1": "what stays true",
        "T2": "daily notes",
        "--": "other files that are searched",
    }
    counts = seen.tiers | ({"--": seen.others} if seen.others else {})
    rows = [
        f"{name}  {count:>7,} {'file ' if count == 1 else 'files'}    {dim(meanings[name])}"
        for name, count in counts.items()
    ]
    how = " ".join(
        [seen.mode, *([seen.provider, shown(seen.model)] if seen.mode == "enhanced" else [])]
    ).rstrip()
    amounts = {"items": seen.items, "vectors": seen.vectors}
    counted = ", ".join(f"{count:,} {name}" for name, count in amounts.items() if count)
    sizes = ", ".join(f"{name} {_size(size)}" for name, size in seen.sizes.items() if size)
    return "\n".join(
        [
            *rows,
            "",
            f"entries  {seen.entries:,}",
            f"search   {how}" + (f": {counted}" if counted else ""),
            f"index    {shown(seen.index)}",
            f"on disk  {sizes or 'nothing'}",
        ]
    )


def _size(count: int) -> str:
    size, unit = float(count), "B"
    for unit in ("B", "kB", "MB", "GB"):
        if size < _THOUSAND or unit == "GB":
            break
        size /= _THOUSAND
    return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"


_THOUSAND = 1000
