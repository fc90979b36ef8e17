"""How changes are told in words: one that a command made, and a list of them."""

import sys
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

import click

from clawgit.cli import output
from clawgit.cli.options import options

if TYPE_CHECKING:
    from clawgit.ops.change.changes import Change


_LEAST = 12
"""Columns of a summary that are shown however narrow the terminal is."""


class ChangeRow(NamedTuple):
    """A change in a list; `undone_by` took it back."""

    name: str
    time: datetime
    actor: str
    summary: str
    undone_by: str = ""


def change_rows(changes: Iterable[ChangeRow], *, indent: int = 0) -> list[str]:
    """A line for each change, no wider than the terminal."""
    rows, terminal = list(changes), output.columns()
    width = max((len(row.actor) for row in rows), default=0)
    return [_row_text(row, width, terminal, indent) for row in rows]


def _row_text(row: ChangeRow, width: int, terminal: int | None, indent: int) -> str:
    head = f"{row.name}  {row.time:%Y-%m-%d %H:%M}  "
    room = None if terminal is None else max(terminal - indent - len(head) - width - 2, _LEAST)
    ident, time = click.style(row.name, fg="yellow"), output.dim(f"{row.time:%Y-%m-%d %H:%M}")
    actor = click.style(output.shown(row.actor), fg="cyan") + " " * (width - len(row.actor))
    return f"{' ' * indent}{ident}  {time}  {actor}  {_summary_text(row, room)}"


def _summary_text(row: ChangeRow, room: int | None) -> str:
    """What a change did, struck where it was taken back; without colour that is said in words."""
    summary = output.one_line(row.summary)
    if not row.undone_by:
        return output.clipped(summary, room)
    mark = f" (undone by {row.undone_by})"
    rest = None if room is None else max(room - len(mark), _LEAST)
    if not output.use_color(sys.stdout):
        return output.clipped(summary, rest) + mark
    # At a terminal the line through it says enough: the mark stands where there is room for it.
    is_marked = output.clipped(summary, rest) == summary
    struck = click.style(output.clipped(summary, room), strikethrough=True, dim=True)
    return struck + output.dim(mark) if is_marked else struck


def change_text(change: "Change", did: str) -> str:
    """What a command did, under which id, to which files; `did` is the verb, in the past."""
    return with_warnings(change, _outcome_text(change, did))


def emit_change(change: "Change", did: str) -> None:
    """Prints a change that a command made; its warnings go to standard error.

    With --json they stand in the answer as well.
    """
    output.beside(change.note)
    for warning in change.warnings:
        output.note(click.style("warning: ", fg="yellow") + warning)
    output.emit(change, lambda made: _outcome_text(made, did), as_json=options().as_json)


def with_warnings(change: "Change", text: str) -> str:
    warnings = [click.style(f"warning: {warning}", fg="yellow") for warning in change.warnings]
    return "\n".join([text, *warnings])


def _outcome_text(change: "Change", did: str) -> str:
    if change.dry_run:
        preview = output.colored_diff(change.preview) if change.preview else "nothing would change"
        return preview + "".join(f"\nwould wait for the operator: {why}" for why in change.held)
    files = ", ".join(change.changed)
    if change.held:
        reasons = "".join(f"\n          {why}" for why in change.held)
        ident = click.style(change.id or "", fg="yellow")
        return f"{ident}  waits for the operator: {files}{reasons}"
    if change.parked:
        return (
            f"the change waits as {change.id}: it is applied when git is done and HEAD is on a "
            "branch"
        )
    if change.commit is None:
        return "nothing to change: it is so already"
    ident = click.style(change.id or change.commit[:10], fg="yellow")
    return f"{ident}  {did} {change.of}: {files}"
