"""`memory list`, `memory edit` and `memory rm`: list, reword and remove entries."""

from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

import click

from clawgit.cli import columns, output
from clawgit.cli.change_text import change_text, with_warnings
from clawgit.cli.command import command
from clawgit.cli.opening import given_text, in_workspace, place_in_workspace, workspace
from clawgit.cli.options import dry_run_option, limit_option
from clawgit.cli.output import dim, shown
from clawgit.domain.markdown.statuses import ACTIVE, STATUSES
from clawgit.ops.facts import editing as op
from clawgit.ops.facts.entries import ANY, LIMIT, EntryFilter, EntryList, ListedEntry, listed

_DAY = len("2026-02-14")


@command("list")
@click.option("--tag", default="", metavar="TAG", help="Only entries with this tag.")
@click.option("--file", "path", default="", metavar="PATH", help="Only those of a file or folder.")
@click.option("--since", default="", metavar="T", help="Only what was said from this day on.")
@click.option(
    "--status",
    type=click.Choice([*STATUSES, ANY]),
    metavar="S",
    help=f"Only {', '.join(STATUSES)}, or {ANY}; by default, all that still hold.",
)
@limit_option(LIMIT)
def list_(tag: str, path: str, since: str, status: str | None, limit: int) -> None:
    """List the entries of memory, by file.

    Each line begins with the entry's id, or with a hash of its text if it has none.

    Example: clawgit memory list --tag decision --since monday
    """
    with workspace() as ws:
        file = path and in_workspace(ws, path)
        listing = listed(ws, EntryFilter(tag, file, since, status or ""), limit)
        output.emit(listing, lambda entries: _list_text(entries, ws.root))
        if listing.more:
            output.note(f"more follow: -n {limit * 10}")


@command("edit")
@click.argument("ident", metavar="ID")
@click.argument("text")
@dry_run_option
def edit(ident: str, text: str, *, dry_run: bool) -> None:
    """Reword an entry, in one commit.

    The entry keeps its place, its id and its tags. ID is an id, a content hash as `memory list`
    shows it, or PATH:LINE; if TEXT is -, it is read from standard input. Of an entry that the
    operator corrected, words by anybody else are only quoted under it.

    Example: clawgit memory edit m7k2q9 "Billing uses PostgreSQL 17."
    """
    with workspace() as ws:
        done = op.edit(ws, place_in_workspace(ws, ident), given_text(text), dry_run=dry_run)
        output.beside(done.note)
        output.emit(done, _edited_text)


@command("rm")
@click.argument("idents", metavar="ID...", nargs=-1, required=True)
@dry_run_option
def rm(idents: tuple[str, ...], *, dry_run: bool) -> None:
    """Remove entries from memory, in one commit.

    ID is as for `memory edit`. History keeps what they said: `clawgit undo` brings them back. If
    the operator corrected one, its removal by anybody else waits for the operator.

    Example: clawgit memory rm m7k2q9
    """
    with workspace() as ws:
        done = op.remove(ws, [place_in_workspace(ws, ident) for ident in idents], dry_run=dry_run)
        output.emit(done, _removed_text)


def _list_text(listing: EntryList, root: Path) -> str:
    # If no entry has a day, as in notes by hand, there is no column for it.
    widths = (
        max((len(entry.key) for entry in listing.entries), default=0),
        _DAY if any(entry.day for entry in listing.entries) else 0,
    )
    groups = groupby(listing.entries, key=lambda entry: entry.path)
    blocks = (_file_text(path, entries, widths, root) for path, entries in groups)
    return "\n\n".join(blocks) or dim("no entry matches")


def _file_text(
    path: str, entries: Iterable[ListedEntry], widths: tuple[int, int], root: Path
) -> str:
    heading = output.heading(output.linked(shown(path), root / path))
    return "\n".join([heading, *(_row(entry, *widths) for entry in entries)])


def _row(entry: ListedEntry, key_width: int, day_width: int) -> str:
    """One entry, no wider than the terminal."""
    key = output.ident(entry.key.ljust(key_width))
    day = entry.day.isoformat() if entry.day else ""
    days = f"{dim(day.ljust(day_width))}  " if day_width else ""
    mark = "" if entry.status == ACTIVE else f"{entry.status}: "
    left = key_width + (day_width + 2 if day_width else 0) + len(mark) + 4
    room = columns.room_beside(left, key_width + 4)
    shown_mark = output.warning(mark) if mark else ""
    return f"  {key}  {days}{shown_mark}{columns.cut(_first_line(entry), room)}"


def _first_line(entry: ListedEntry) -> str:
    return output.one_line(entry.text.partition("\n")[0])


def _edited_text(done: op.EditedEntry) -> str:
    entry = done.entry
    if done.note:
        return change_text(done, "quoted the new words under")
    if entry is None or done.commit is None:
        return change_text(done, "edited")
    where = f"{shown(entry.path)}:{entry.line}"
    ident = output.named(done.id, done.commit)
    key = "" if entry.id else dim(f"  now {entry.key}")
    return with_warnings(done, f"{ident}  edited {where}  {_first_line(entry)}{key}")


def _removed_text(done: op.RemovedEntries) -> str:
    if done.commit is None:
        return change_text(done, "removed")
    rows = [
        f"{output.named(done.id, done.commit)}  removed {shown(entry.path)}:{entry.line}  "
        f"{_first_line(entry)}"
        for entry in done.entries
    ]
    pronoun = "it" if len(rows) == 1 else "them"
    back = output.next_step(f"clawgit undo {done.id} {dim(f'brings {pronoun} back')}")
    return with_warnings(done, "\n".join([*rows, back]))
