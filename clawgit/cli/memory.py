"""`memory`: reads, lists, edits and counts what is remembered; index and bench."""

from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli import output
from clawgit.cli.change_text import change_text, outcome
from clawgit.cli.command import (
    SHARE,
    Answer,
    command,
    dry_run_option,
    limit_option,
    option,
    revision_option,
)
from clawgit.cli.command_table import load
from clawgit.cli.lazy import group
from clawgit.cli.opening import (
    existing_in_workspace,
    given_text,
    in_workspace,
    place_in_workspace,
)
from clawgit.cli.output import counted, dim
from clawgit.cli.text import cut, room_beside, width
from clawgit.domain.markdown.comment import ACTIVE, STATUSES
from clawgit.ops.workspace.workspace import Workspace

if TYPE_CHECKING:
    from clawgit.domain.facts.fact import ListedEntry
    from clawgit.ops.facts.editing import EditedEntry, RemovedEntries
    from clawgit.ops.facts.entries import EntryCounts, EntryList
    from clawgit.ops.search.memory_index import Figures, Indexed, MemoryStatus

_ANY = "all"
_TIERS = {"T0": "who the agent is", "T1": "what stays true", "T2": "daily notes"}
_LEAST = 24
"""Columns of an entry that are shown however narrow the terminal is."""


@group("memory")
def memory(ws: Workspace) -> Answer:
    """Remember facts, read them back, keep them in order.

    Example: clawgit memory status
    """
    return _status(ws)


@command("get", exact=True)
@click.argument("path")
@option("--from N first", "The first line.", type=click.IntRange(min=1), default=1)
@option("--lines M count", "How many lines.  [default: all]", type=click.IntRange(min=1))
@revision_option("As it was at a change id, a git revision or a date.")
def get(ws: Workspace, path: str, first: int, count: int | None, at: str) -> Answer:
    """Read lines of a memory file.

    A path may end in a line or lines, as a search shows them: MEMORY.md:9, MEMORY.md#L9-L12.
    Only files that the search covers can be read. A missing file has no lines, which is not an
    error; to begin after the last line of a file is one. A path that a search cites, such as
    `coder:MEMORY.md`, works if that agent's memory may be read. With --at, a day before the
    history means the first state of the file.

    Example: clawgit memory get memory/2026-02-14.md --from 9 --lines 5
    """
    asked_lines = load("clawgit.ops.change.past_lines:asked_lines")
    path, first, count = asked_lines(ws, path, first, count)
    cited = load("clawgit.ops.workspace.workspaces:cited")
    owner, name = cited(ws, existing_in_workspace(ws, path))
    excerpt = load("clawgit.ops.change.past_lines:lines_there")(owner, name, first, count, at)
    output.beside(excerpt["note"])
    return excerpt, lambda excerpt: str(excerpt["text"])


@command("list")
@option("--tag TAG", "Only entries with this tag.")
@option("--file PATH", "Only those of a file or folder.")
@option("--since T", "Only what was said from this day on.")
@option(
    "--status S", f"Only {', '.join(STATUSES)}, or {_ANY}; by default, all that still hold.",
    type=click.Choice([*STATUSES, _ANY]),
)  # fmt: skip
@option("--until T", "Only what was said up to this day.")
@option("--grep TEXT", "Only entries that contain this.")
@option("--sure N", "Only those of at least this confidence.", type=SHARE, default=0.0)
@limit_option(100)
@option("--skip N", "Leave out the first N.", type=click.IntRange(0, 10**9), default=0)
@option("--count", "Only count them: by file, tag, status and month.")
def list_(
    ws: Workspace, file: str, status: str | None, limit: int, skip: int, *, count: bool,
    **typed: Any,
) -> Answer:  # fmt: skip
    """List the entries of memory, by file.

    Each line begins with the entry's id, or with a hash of its text if it has none.

    Example: clawgit memory list --tag decision --since monday
    """
    where = {"file": file and in_workspace(ws, file), "status": status or ""}
    wanted = load("clawgit.ops.facts.entries:EntryFilter")(**typed, **where)
    if count:
        return load("clawgit.ops.facts.entries:counted")(ws, wanted), _counts_text
    return load("clawgit.ops.facts.entries:listed")(ws, wanted, limit, skip), _list_text


@command("edit")
@click.argument("ident", metavar="ID")
@click.argument("text")
@dry_run_option
def edit(ws: Workspace, ident: str, text: str, *, dry_run: bool) -> Answer:
    """Reword an entry, in one commit.

    The entry keeps its place, its id and its tags. ID is an id, a content hash as `memory list`
    shows it, or PATH:LINE; if TEXT is -, it is read from standard input. Of an entry that the
    operator corrected, words by anybody else are only quoted under it.

    Example: clawgit memory edit m7k2q9 "Billing uses PostgreSQL 17."
    """
    act = load("clawgit.ops.facts.editing:edit")
    done = act(ws, place_in_workspace(ws, ident), given_text(text), dry_run=dry_run)
    return done, _edited_text


@command("rm")
@click.argument("idents", metavar="ID...", nargs=-1, required=True)
@dry_run_option
def rm(ws: Workspace, idents: tuple[str, ...], *, dry_run: bool) -> Answer:
    """Remove entries from memory, in one commit.

    ID is as for `memory edit`. History keeps what they said: `clawgit undo` brings them back. If
    the operator corrected one, its removal by anybody else waits for the operator.

    Example: clawgit memory rm m7k2q9
    """
    places = [place_in_workspace(ws, ident) for ident in idents]
    return load("clawgit.ops.facts.editing:remove")(ws, places, dry_run=dry_run), _removed_text


@command("status")
def status(ws: Workspace) -> Answer:
    """Show how much is remembered, and how it is searched.

    Example: clawgit memory status
    """
    return _status(ws)


def _status(ws: Workspace) -> Answer:
    return load("clawgit.ops.search.memory_index:memory_status")(ws), _status_text


@command("index")
@option("--force", "Read everything again, then replace the old index in one step.")
def index(ws: Workspace, force: bool) -> Answer:
    """Update the index, with a vector for each text.

    A search does this itself for what has changed. Use this the first time, and with embedders that
    cost time or money.

    Example: clawgit memory index --force
    """
    with output.progress("indexing") as bar:
        done = load("clawgit.ops.search.memory_index:index")(ws, force=force, progress=bar)
    return done, _indexed_text


@command("bench")
@click.argument("fixture", type=click.Path(path_type=Path))
@limit_option(10, "Hits for each question.", most=200)
def bench(ws: Workspace, fixture: Path, limit: int) -> Answer:
    """Measure the search with questions of your own.

    FIXTURE has a JSON line for each: {"query": "…", "expect": [{"path": "MEMORY.md", "line": 12}]}.

    Example: clawgit memory bench questions.jsonl -n 10
    """
    with output.progress("asking") as bar:
        done = load("clawgit.ops.search.memory_index:bench")(ws, fixture, limit, bar)
    return done, _figures_text


def _list_text(listing: "EntryList") -> str:
    key_width = max((len(entry.key) for entry in listing.entries), default=0)
    # If no entry has a day, as in notes by hand, there is no column for it.
    has_days = any(entry.day for entry in listing.entries)
    blocks = []
    for path, entries in groupby(listing.entries, key=lambda entry: entry.path):
        rows = [_row(entry, key_width, has_days=has_days) for entry in entries]
        blocks.append("\n".join([output.heading(path), *rows]))
    return "\n\n".join(blocks) or dim("no entry matches")


def _counts_text(counts: "EntryCounts") -> str:
    rows = [
        (f"#{row.name}" if part is counts.tags else row.name, row.entries)
        for part in (counts.files, counts.tags, counts.statuses)
        for row in part
    ]
    rows += [(row.month, row.entries) for row in counts.months]
    rows.append(("in all", counts.entries))
    return "\n".join(f"{number:>6,}  {name}" for name, number in rows)


def _row(entry: "ListedEntry", key_width: int, *, has_days: bool) -> str:
    """One entry, no wider than the terminal."""
    left = f"  {output.ident(entry.key.ljust(key_width))}  "
    if has_days:
        left += dim(entry.day.isoformat() if entry.day else " " * len("2026-02-14")) + "  "
    if entry.status != ACTIVE:
        left += output.warning(f"{entry.status}: ")
    return left + cut(_first_line(entry), room_beside(width(left), _LEAST))


def _first_line(entry: "ListedEntry") -> str:
    return output.one_line(entry.text.partition("\n")[0])


def _edited_text(done: "EditedEntry") -> str:
    entry = done.entry
    if entry is None or done.note:
        return change_text(done, "quoted the new words under" if done.note else "edited")
    key = "" if entry.id else dim(f"  now {entry.key}")
    return outcome(done, f"edited {entry.path}:{entry.line}  {_first_line(entry)}{key}")


def _removed_text(done: "RemovedEntries") -> str:
    rows = [f"removed {entry.path}:{entry.line}  {_first_line(entry)}" for entry in done.entries]
    pronoun = "it" if len(rows) == 1 else "them"
    back = output.next_step(f"clawgit undo {done.id} {dim(f'brings {pronoun} back')}")
    return outcome(done, "\n          ".join(rows) + f"\n{back}")


def _status_text(seen: "MemoryStatus") -> str:
    amounts = {"items": seen.items, "vectors": seen.vectors}
    by = f" {seen.provider} {seen.model}".rstrip() if seen.mode == "enhanced" else ""
    return output.facts(
        {tier: f"{counted(count, 'file')}, {_TIERS[tier]}" for tier, count in seen.tiers.items()}
        | {
            "others": seen.others and counted(seen.others, "other file"),
            "entries": f"{seen.entries:,}",
            "search": seen.mode + by,
            "held": ", ".join(f"{count:,} {name}" for name, count in amounts.items() if count),
            "index": seen.index,
            "on disk": ", ".join(
                f"{name} {_size(size)}" for name, size in seen.sizes.items() if size
            ),
        }
    )


def _size(count: int) -> str:
    return f"{count / 1_000_000:.1f} MB"


def _indexed_text(done: "Indexed") -> str:
    by = f"by {done.provider} {done.model}"
    vectors = f", {counted(done.vectors, 'vector')} {by}" if done.vectors else ""
    return (
        f"{counted(done.items, 'item')} of {counted(done.files, 'file')}{vectors}; "
        f"{counted(done.changed, 'file')} read in {done.seconds:.1f} s"
    )


def _figures_text(figures: "Figures") -> str:
    head = (
        f"{counted(len(figures.queries), 'question')}, {figures.k} hits each\n"
        f"recall {figures.recall:.3f}   MRR {figures.mrr:.3f}   p50 {figures.p50_ms:.1f} ms   "
        f"p95 {figures.p95_ms:.1f} ms"
    )
    missed = [f"  missed  {query.query}" for query in figures.queries if not query.rank]
    return "\n".join([head, *missed])
