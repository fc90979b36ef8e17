"""`memory promote`, `compact` and `tidy`: the upkeep of memory; each previews unless --apply is
given. `digest`: what the agent learned.
"""

import re
import sys
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli import output
from clawgit.cli.command import (
    SHARE,
    Answer,
    Answers,
    apply_option,
    command,
    dry_run_option,
    option,
)
from clawgit.cli.command_table import load
from clawgit.cli.opening import in_workspace
from clawgit.cli.output import counted, dim
from clawgit.domain.markdown.excerpt import in_a_line
from clawgit.doors import html
from clawgit.ops.upkeep.digest import Digest, deliver, markdown
from clawgit.ops.upkeep.digest import digest as op
from clawgit.ops.workspace.workspace import Workspace

if TYPE_CHECKING:
    from clawgit.agents.memory_compactor import GatheredNote
    from clawgit.domain.upkeep.plan import PromotionCandidate
    from clawgit.ops.change.described import Change
    from clawgit.ops.upkeep.promote import Promotion, QuarterlyCompaction, Tidying


_OUTCOMES = {
    "sent": "sent to {}", "failed": "not sent to {}", "nothing": "nothing new for {}",
    "kept": "{} already has it",
    "unsent": "would be sent to {}",
}  # fmt: skip


@command()
@option("--since WHEN", "From this date or time on.  [default: a week ago]")
@option("--send sending", "Send it to digest_to: to each address what it has not received yet.")
@dry_run_option
def digest(ws: Workspace, since: str, sending: bool, dry_run: bool) -> Answers:
    """Show what was learned in the last week, or since a day.

    All of it comes from git. The runner sends it to digest_to, if that is set, at 08:00.

    Example: clawgit digest --since "4 weeks ago"
    """
    done = op(ws, since, dry_run=dry_run)
    if sending:
        done = replace(done, sent=deliver(ws, ws.now, since, dry_run=dry_run))
    yield done, _text
    yield int(any(delivery.outcome == "failed" for delivery in done.sent))


def _text(done: Digest) -> str:
    text = markdown(done)
    if sys.stdout.isatty():
        # A person reads it without the signs that keep words from being Markdown.
        text = html.unescape(_ESCAPED.sub(r"\1", text))
    told = [
        _OUTCOMES[each.outcome].format(each.to) + output.after_colon(each.trouble)
        for each in done.sent
    ]
    return "\n".join([text, *(told or [done.delivery])])


_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")

_LINE = 100
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
def promote(ws: Workspace, target: str, *, apply_it: bool, dry_run: bool, **typed: Any) -> Answer:
    """Move lines that should last out of the daily notes.

    They go to MEMORY.md, or to the file of their category, such as memory/legal.md, if it exists. A
    line that is there already stays in its note. Each candidate shows how its confidence was
    computed. A line that only has a word such as “launch” is flagged, and stays.

    Example: clawgit memory promote --days 30 --apply
    """
    to = target and in_workspace(ws, target)
    wish = load("clawgit.ops.upkeep.promote:PromotionWish")(**typed, target=to)
    promote_now = load("clawgit.ops.upkeep.promote:promote")
    return promote_now(ws, wish, dry_run=dry_run or not apply_it), _promotion_text


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
def compact(ws: Workspace, days: int, *, apply_it: bool, remove: bool, dry_run: bool) -> Answer:
    """Gather old daily notes into an archive for each quarter.

    The archives in memory/archive/ are searched like the notes; a line that is in both is shown
    once. A removed note is listed in COMPACTION_LOG.md, and restore or undo brings it back.

    Example: clawgit memory compact --days 60 --apply --remove
    """
    gather = load("clawgit.ops.upkeep.promote:compact_quarterly")
    done = gather(ws, days=days, remove=remove, dry_run=dry_run or not apply_it)
    return done, _compact_text


@command("tidy")
@apply_option
@dry_run_option
def tidy(ws: Workspace, *, apply_it: bool, dry_run: bool) -> Answer:
    """Keep MEMORY.md short by moving detail into topic files.

    Nothing moves while it has at most 200 lines and 20,000 characters, which is what OpenClaw reads
    of it. The oldest entries move first, corrections last. A line such as `Billing: 12 facts` says
    where the rest is, and the search finds it there.

    Example: clawgit memory tidy --apply
    """
    done = load("clawgit.ops.upkeep.promote:tidy_notebook")(ws, dry_run=dry_run or not apply_it)
    return done, _tidying_text


def _promotion_text(done: "Promotion") -> str:
    rows = [row for candidate in done.candidates for row in _rows(candidate)]
    rows += [dim(f"stays  {stay.path}:{stay.startLine}: {stay.why[0]}") for stay in done.left]
    flagged = sum(candidate.action == _FLAGGED for candidate in done.candidates)
    count = counted(len(done.candidates) - flagged, "line")
    more = f"; {counted(flagged, 'more line')} flagged: --min-confidence 0.4" if flagged else ""
    would = f"{count} would be promoted" if done.candidates else "Nothing to promote."
    return "\n".join([*rows, _closing(done, f"promoted {count}{more}", f"{would}{more}")])


def _rows(candidate: "PromotionCandidate") -> list[str]:
    how = "flagged for" if candidate.action == _FLAGGED else "→"
    move = f"{candidate.path}:{candidate.startLine} {how} {candidate.target}"
    text = in_a_line(candidate.text, _LINE)
    return [
        f"{candidate.confidence:.2f}  {candidate.category:<12}  {text}",
        dim(f"      {move}; {', '.join(candidate.why)}"),
    ]


def _compact_text(done: "QuarterlyCompaction") -> str:
    rows = [f"left alone  {left.what}: {left.why}" for left in done.skipped]
    rows += [_note_row(note) for note in done.notes if note.new]
    notes, gone = counted(len(done.notes), "note"), len(done.removed)
    would = f"{notes} would be gathered{' and removed' if gone else ''}"
    if not done.changed:
        would = f"{notes}, all already gathered" if done.notes else "No note is old enough."
    removed = f", {gone:,} removed" if gone else ""
    return "\n".join([*rows, _closing(done, f"gathered {notes}{removed}", would)])


def _note_row(note: "GatheredNote") -> str:
    kept = dim("  its corrections stay") if note.kept else ""
    return f"{note.path} → {note.archive}{kept}"


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
    closing = _closing(done, f"moved {moved}", f"{moved} would be moved")
    return "\n".join([f"{before} → {after}", *rows, closing])


def _closing(done: "Change", did: str, would: str) -> str:
    """What was done, else what waits and why, else what would be done."""
    if done.commit:
        return f"written: {output.ident(done.id or '')}  {did}"
    return "\n".join([*done.held, "it waits for the operator"]) if done.held else would
