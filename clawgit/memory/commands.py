"""`memory`: adds, reads, lists and edits what is remembered; index and bench. Its upkeep, which
previews unless --apply is given: `promote`, `compact` and `tidy`.
"""

from collections import Counter
from collections.abc import Mapping
from itertools import groupby
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from clawgit.core.markdown.comment import ACTIVE, STATUSES
from clawgit.core.markdown.excerpt import in_a_line
from clawgit.core.markdown.tag_table import PRIMARY, listed
from clawgit.terminal import output
from clawgit.terminal.change_text import change_text, done_text, outcome, warning_lines
from clawgit.terminal.command import (
    SHARE,
    Answer,
    apply_option,
    command,
    dry_run_option,
    limit_option,
    option,
    revision_option,
)
from clawgit.terminal.command_table import load
from clawgit.terminal.opening import (
    existing_in_workspace,
    given_text,
    in_workspace,
    place_in_workspace,
)
from clawgit.terminal.output import counted, dim
from clawgit.terminal.text import cut, room_beside, width
from clawgit.workspace.workspace import Workspace

if TYPE_CHECKING:
    from clawgit.git.transaction import Change
    from clawgit.health.memory_index import Indexed
    from clawgit.memory.editing import EditedEntry, RemovedEntries
    from clawgit.memory.entries import EntryList
    from clawgit.memory.rules.fact import ListedEntry
    from clawgit.memory.rules.promotion import PromotionCandidate
    from clawgit.memory.upkeep import Promotion, QuarterlyCompaction, Tidying

_ANY = "all"


@command("add")
@click.argument("text")
@option("--tag TAG", f"{listed(PRIMARY)}; by default, the words decide.")
@option("--to PATH", "MEMORY.md or a file below memory/; by default, the tag decides.")
@option(
    "--source",
    "Whether the operator said it or it was concluded; by default, explicit at a terminal and "
    "inferred from a program, whose explicit cites the message.",
    type=click.Choice(("explicit", "inferred")),
)
@option("--evidence REF", "Its source, such as memory/2026-02-14.md#L9.", multiple=True)
@option("--session S", "The session in which it was said.")
@option("--allow-secret", "Store a key or password anyway; only the operator may.")
@option("--shared", "Write to the memory that all agents read; only main may.")
@dry_run_option
def add(
    ws: Workspace, text: str, to: str, source: str | None, *, shared: bool, allow_secret: bool,
    **typed: Any,
) -> Answer:  # fmt: skip
    """Remember one fact, as one entry.

    TEXT is the fact; - reads it from standard input. A fact that memory has already is counted as a
    mention; one that the operator has corrected is ignored.

    Example: clawgit memory add "Billing uses PostgreSQL, not MySQL." --tag decision
    """
    new = load("memory.remember:NewFact")
    if allow_secret:
        typed["let_in"] = load("safety.secrets:let_in")
    fact = new(
        text=given_text(text), to=existing_in_workspace(ws, to), source=source or "", **typed
    )
    act = "memory.shared:remember_shared" if shared else "memory.remember:remember"
    return output.jsonable(load(act)(ws, fact)), _added_text


def _added_text(done: Mapping[str, Any]) -> str:
    entry = done["entry"]
    where = f"{entry['path']}:{entry['line']}" if entry["line"] else entry["path"]
    times = f", {entry['mentions']} mentions" if done["action"] == "merged" else ""
    strength = dim(f"{entry['confidence']:.2f}{times}")
    made = f"{done['action']} {where}  {entry['text']}  {strength}"
    return outcome(SimpleNamespace(**done), made, f"{done['action']}: {done['reason']}")


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
    asked_lines = load("history.past_lines:asked_lines")
    path, first, count = asked_lines(ws, path, first, count)
    cited = load("workspace.workspaces:cited")
    owner, name = cited(ws, existing_in_workspace(ws, path))
    excerpt = load("history.past_lines:lines")(owner, name, first, count, at)
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
    wanted = load("memory.entries:EntryFilter")(**typed, **where)
    if count:
        return load("memory.entries:counted")(ws, wanted), output.told
    return load("memory.entries:listed")(ws, wanted, limit, skip), _list_text


@command("edit")
@click.argument("ident", metavar="ID")
@click.argument("text")
@dry_run_option
def edit(ws: Workspace, ident: str, text: str) -> Answer:
    """Reword an entry, in one commit.

    The entry keeps its place, its id and its tags. ID is an id, a content hash as `memory list`
    shows it, or PATH:LINE; if TEXT is -, it is read from standard input. Of an entry that the
    operator corrected, words by anybody else are only quoted under it.

    Example: clawgit memory edit m7k2q9 "Billing uses PostgreSQL 17."
    """
    act = load("memory.editing:edit")
    return act(ws, place_in_workspace(ws, ident), given_text(text)), _edited_text


@command("rm")
@click.argument("idents", metavar="ID...", nargs=-1, required=True)
@dry_run_option
def rm(ws: Workspace, idents: tuple[str, ...]) -> Answer:
    """Remove entries from memory, in one commit.

    ID is as for `memory edit`. History keeps what they said: `clawgit undo` brings them back. If
    the operator corrected one, its removal by anybody else waits for the operator.

    Example: clawgit memory rm m7k2q9
    """
    places = [place_in_workspace(ws, ident) for ident in idents]
    return load("memory.editing:remove")(ws, places), _removed_text


@command("index")
@option("--force", "Read everything again, then replace the old index in one step.")
def index(ws: Workspace, force: bool) -> Answer:
    """Update the index, with a vector for each text.

    A search does this itself for what has changed. Use this the first time, and with embedders that
    cost time or money.

    Example: clawgit memory index --force
    """
    with output.progress("indexing") as bar:
        done = load("health.memory_index:index")(ws, force=force, progress=bar)
    return done, _indexed_text


def _indexed_text(done: "Indexed") -> str:
    held = f"{counted(done.items, 'item')} of {counted(done.files, 'file')}"
    read = f"{counted(done.vectors, 'vector')}; {counted(done.changed, 'file')} read"
    return "\n".join(filter(None, (f"{held}, {read}", done.note)))


@command("bench")
@click.argument("fixture", type=click.Path(path_type=Path))
@limit_option(10, "Hits for each question.", most=200)
def bench(ws: Workspace, fixture: Path, limit: int) -> Answer:
    """Measure the search with questions of your own.

    FIXTURE has a JSON line for each: {"query": "…", "expect": [{"path": "MEMORY.md", "line": 12}]}.

    Example: clawgit memory bench questions.jsonl -n 10
    """
    with output.progress("asking") as bar:
        done = load("health.memory_index:bench")(ws, fixture, limit, bar)
    return done, lambda figures: output.told(figures, without="hits expect")


def _list_text(listing: "EntryList") -> str:
    key_width = max((len(entry.key) for entry in listing.entries), default=0)
    # If no entry has a day, as in notes by hand, there is no column for it.
    has_days = any(entry.day for entry in listing.entries)
    blocks = []
    for path, entries in groupby(listing.entries, key=lambda entry: entry.path):
        rows = [_row(entry, key_width, has_days=has_days) for entry in entries]
        blocks.append("\n".join([output.heading(path), *rows]))
    return "\n\n".join(blocks) or dim("no entry matches")


def _row(entry: "ListedEntry", key_width: int, *, has_days: bool) -> str:
    """One entry, no wider than the terminal."""
    left = f"  {output.ident(entry.key.ljust(key_width))}  "
    if has_days:
        left += dim(entry.day.isoformat() if entry.day else " " * len("2026-02-14")) + "  "
    if entry.status != ACTIVE:
        left += output.warning(f"{entry.status}: ")
    return left + cut(_first_line(entry), room_beside(width(left)))


def _first_line(entry: "ListedEntry") -> str:
    return output.one_line(entry.text.partition("\n")[0])


def _edited_text(done: "EditedEntry") -> str:
    entry = done.entry
    if done.change.note:
        return change_text(done.change, "quoted the new words under")
    key = "" if entry.id else dim(f"  now {entry.key}")
    return outcome(done, f"edited {entry.path}:{entry.line}  {_first_line(entry)}{key}")


def _removed_text(done: "RemovedEntries") -> str:
    rows = [f"removed {entry.path}:{entry.line}  {_first_line(entry)}" for entry in done.entries]
    pronoun = "it" if len(rows) == 1 else "them"
    back = (
        f"{output.next_step(f'clawgit undo {done.change.id}')}  {dim(f'# brings {pronoun} back')}"
    )
    return outcome(done, "\n          ".join(rows) + f"\n{back}")


_WIDEST = 100
_FLAGGED = "flagged"


@command("promote")
@option("--days N", "Look at the last N days.  [default: 7]", type=click.IntRange(min=0))
@option(
    "--min-confidence C",
    "List and move lines of at least this confidence.  [default: 0.4 to list, 0.6 to move]",
    type=SHARE,
)
@option("--frequency", "Only lines that were retrieved 3 times or more, in different sessions.")
@apply_option
@option("--target PATH", "Move all of them to this file.")
@dry_run_option
def promote(ws: Workspace, target: str, **typed: Any) -> Answer:
    """Move lines that should last out of the daily notes.

    They go to MEMORY.md, or to the file of their category, such as memory/legal.md, if it exists. A
    line that is there already stays in its note. Each candidate shows how its confidence was
    computed. A line that only has a word such as “launch” is flagged, and stays.

    Example: clawgit memory promote --days 30 --apply
    """
    to = target and in_workspace(ws, target)
    wish = load("memory.upkeep:PromotionWish")(**typed, target=to)
    return load("memory.upkeep:promote")(ws, wish), _promotion_text


@command("compact")
@option(
    "--days N",
    "Gather notes that are more than N days old.",
    type=click.IntRange(min=0),
    default=90,
    show_default=True,
)
@apply_option
@option("--remove", "Remove the gathered notes; #correction lines stay.")
@dry_run_option
def compact(ws: Workspace, days: int, *, remove: bool) -> Answer:
    """Gather old daily notes into an archive for each quarter.

    The archives in memory/archive/ are searched like the notes; a line that is in both is shown
    once. A removed note is listed in COMPACTION_LOG.md, and restore or undo brings it back.

    Example: clawgit memory compact --days 60 --apply --remove
    """
    act = load("memory.upkeep:compact_quarterly")
    return act(ws, days=days, remove=remove), _compact_text


@command("tidy")
@apply_option
@dry_run_option
def tidy(ws: Workspace) -> Answer:
    """Keep MEMORY.md short by moving detail into topic files.

    Nothing moves while it has at most 200 lines and 20,000 characters, which is what OpenClaw reads
    of it. The oldest entries move first, corrections last. A line such as `Billing: 12 facts` says
    where the rest is, and the search finds it there.

    Example: clawgit memory tidy --apply
    """
    return load("memory.upkeep:tidy_notebook")(ws), _tidying_text


def _promotion_text(done: "Promotion") -> str:
    rows = [row for candidate in done.candidates for row in _candidate_rows(candidate)]
    rows += [dim(f"stays  {stay.path}:{stay.startLine}: {stay.why[0]}") for stay in done.left]
    flagged = sum(candidate.action == _FLAGGED for candidate in done.candidates)
    count = counted(len(done.candidates) - flagged, "line")
    more = f"; {counted(flagged, 'more line')} flagged: --min-confidence 0.4" if flagged else ""
    would = f"{count} would be promoted" if done.candidates else "Nothing to promote."
    return "\n".join([*rows, _closing(done.change, f"promoted {count}{more}", f"{would}{more}")])


def _candidate_rows(candidate: "PromotionCandidate") -> list[str]:
    how = "flagged for" if candidate.action == _FLAGGED else "→"
    move = f"{candidate.path}:{candidate.startLine} {how} {candidate.target}"
    text = in_a_line(candidate.text, _WIDEST)
    return [
        f"{candidate.confidence:.2f}  {candidate.category:<12}  {text}",
        dim(f"      {move}; {', '.join(candidate.why)}"),
    ]


def _compact_text(done: "QuarterlyCompaction") -> str:
    rows = [dim(output.one_line(f"left {left.what}: {left.why}")) for left in done.skipped]
    rows += [
        f"{note.path} → {note.archive}{dim('  its corrections stay') if note.kept else ''}"
        for note in done.notes
        if note.new
    ]
    notes = counted(len(done.notes), "note")
    removed = f", {len(done.removed):,} removed" if done.removed else ""
    would = (
        f"{notes} would be gathered{removed}"
        if done.change.changed
        else f"{notes}, nothing to gather"
    )
    return "\n".join([*rows, _closing(done.change, f"gathered {notes}{removed}", would)])


def _tidying_text(done: "Tidying") -> str:
    size = "{0.lines:,} lines, {0.characters:,} characters"
    before, after = f"{done.path}: {size.format(done.before)}", size.format(done.after)
    if not done.moved:
        return f"{before}: " + (
            "nothing to tidy" if done.enough else "too long, but nothing in it may move"
        )
    targets = Counter(piece.target for piece in done.moved)
    rows = [f"  {count:>4} → {path}" for path, count in sorted(targets.items())]
    if not done.enough:
        rows.append("What is left must stay, and is still too long.")
    moved = counted(len(done.moved), "piece")
    closing = _closing(done.change, f"moved {moved}", f"{moved} would be moved")
    return "\n".join([f"{before} → {after}", *rows, closing])


def _closing(done: "Change", did: str, would: str) -> str:
    """What was done, and what would be, in place of its diff: the rows above say which lines."""
    told = done_text(done._replace(preview=""), did, would)
    return "\n".join([told, *warning_lines(done.alerts, done.warnings)])
