"""`agent`: lists the agents, runs one now, shows what a run did, changes a prompt, compares. The
upkeep of memory, which previews unless --apply is given: `promote`, `compact` and `tidy`. `digest`:
what the agent learned.
"""

import re
import sys
from collections import Counter
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from clawgit.agents.frame import agents as running
from clawgit.agents.frame import runs
from clawgit.core.doors import html
from clawgit.core.markdown.excerpt import in_a_line
from clawgit.memory import promote as promoting
from clawgit.run import digest as digests
from clawgit.run.digest import Digest, markdown
from clawgit.terminal import output
from clawgit.terminal.change_text import change_text
from clawgit.terminal.command import (
    SHARE,
    Answer,
    Answers,
    apply_option,
    command,
    dry_run_option,
    group,
    option,
)
from clawgit.terminal.command_table import load
from clawgit.terminal.opening import clock, heed_sigterm, in_workspace
from clawgit.terminal.output import counted, dim, named, notes, one_line
from clawgit.workspace.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clawgit.agents.contract import Proposed, Skipped
    from clawgit.agents.frame.comparing import Compared
    from clawgit.agents.llm import ModelCall
    from clawgit.memory.rules.plan import PromotionCandidate
    from clawgit.workspace.described import Change

_MOST = 20
"""How many lines of a run are shown: the first run over a year of notes changes hundreds."""

_MOST_OF_A_DIFF = 40
_LONGEST = 400


@group("agent")
def agent(ws: Workspace) -> Answer:
    """Run the agents that keep memory true; see what they did.

    Example: clawgit agent list
    """
    return runs.agents(ws), _agents_text


@group("memory lessons")
def lessons() -> None:
    """Collect lessons from the notes.

    Example: clawgit memory lessons extract
    """


@command("list")
def list_(ws: Workspace) -> Answer:
    """List the agents, and when each ran last.

    Example: clawgit agent list
    """
    return runs.agents(ws), _agents_text


_agents_text = partial(output.told, without="title hears queue run")


@command("run")
@click.argument("name")
@option("--since WHEN", "Read the messages from this time on again.")
@option("--if-waiting", "Run only if something waits in its queue.")
@dry_run_option
def run(ws: Workspace, name: str, **typed: Any) -> Answer:
    """Run one agent now.

    What it changes is committed with reason and evidence; `clawgit undo` takes it back. NAME is one
    that `agent list` shows.

    Example: clawgit agent run memory-miner --dry-run
    """
    heed_sigterm()
    with output.progress(name):
        done = running.run_agent(ws, name, clock=clock(), **typed)
    return done, _run_text


@command("show")
@click.argument("run", metavar="RUN")
def show(ws: Workspace, run: str) -> Answer:
    """Show what a run did, on what evidence, and what it left alone.

    It also shows what a language model was asked. RUN is the id of a run, the beginning of one, or
    the ID of a change that the run made.

    Example: clawgit agent show r0f3a91c2e
    """
    return runs.show_run(ws, run), _shown_text


@command("edit")
@click.argument("name")
@option("--file", "The whole new text; - is standard input.", type=click.File("rb"))
@dry_run_option
def edit(ws: Workspace, name: str, file: "BinaryIO | None", dry_run: bool) -> Answer:
    """Change the prompt of an agent.

    The prompt is copied from the package to agents/NAME/SOUL.md, and used from there. At a
    terminal, $EDITOR opens. Delete the file to go back to the package's prompt.

    Example: clawgit agent edit memory-miner
    """
    text = file.read().decode("utf-8", "surrogateescape") if file else None
    if text is None and sys.stdin.isatty() and not dry_run:
        prompt = runs.prompt_of(ws, name)
        text = click.edit(prompt.text, extension=".md") if prompt else None
    done = runs.edit_prompt(ws, name, text, dry_run=dry_run)
    return done, lambda change: change_text(change, "wrote")


@command("compare")
@click.argument("name")
@option("--days N", "How many days back.  [default: 7]", default=7)
def compare(ws: Workspace, name: str, days: int) -> Answer:
    """Show what an agent writes with and without a model.

    Compares the built-in judges with the language model: both read your last days, starting from
    memory as it was before them. Nothing is written; the model's tokens are counted.

    Example: clawgit agent compare memory-miner
    """
    heed_sigterm()
    compared = load("agents.frame.comparing:compare")
    done = compared(ws, name, clock=clock(), days=days)
    return done, _compared_text


def _rows(proposed: "Iterable[Proposed]", skipped: "Iterable[Skipped]" = ()) -> list[str]:
    """A row for each thing that a run does, and for what it left alone, and why."""
    return [
        *(f"{output.good(f'{row.kind:<11}')} {row.path}  {one_line(row.summary)}"
          for row in proposed),
        *(f"{dim('left')}        {one_line(left.what)}  {dim(one_line(left.why))}"
          for left in skipped),
    ]  # fmt: skip


def _commit_rows(commits: "Iterable[runs.Landed]") -> list[str]:
    """Each commit that was made, or the change that waits for the operator."""
    return [
        f"{named(made.id, made.commit)}  {one_line(made.summary)}" if made.commit
        else f"{made.id}  waits for the operator: {one_line(made.summary)}"
        for made in commits
    ]  # fmt: skip


def _run_text(done: runs.AgentRun) -> str:
    rows = _rows(done.proposed[:_MOST], done.skipped)
    if len(done.proposed) > _MOST:
        rows.append(dim(f"… and {len(done.proposed) - _MOST:,} more: --json lists them all"))
    if done.dry_run and done.preview:
        # The rows above say what the run does; a long diff is only begun.
        diff = done.preview.splitlines()
        rows.append(output.colored_diff("\n".join(diff[:_MOST_OF_A_DIFF])))
        rows += [dim("… --json has the whole diff")] if len(diff) > _MOST_OF_A_DIFF else []
    rows += _commit_rows(done.commits)
    rows += notes((*done.held, *done.alerts, *done.warnings, *done.notes))
    if not rows:
        rows.append(dim("nothing to do"))
    if done.used.calls:
        rows.append(dim(f"{done.used.model}: {done.used.tokens:,} tokens"))
    return "\n".join([*rows, dim(f"run {done.run}")])


def _shown_text(seen: runs.ShownRun) -> str:
    head = f"{output.ident(seen.run)}  {seen.job}  {seen.started:%Y-%m-%d %H:%M}  {seen.outcome}"
    rows = [head, *([f"  {seen.trouble}"] if seen.trouble else [])]
    for commit in seen.commits:
        rows += _commit_rows([commit])
        rows += [f"  {one_line(line)}" for line in commit.reason.splitlines()]
        rows += [dim(f"  evidence: {place}") for place in commit.evidence]
    rows += _rows(seen.proposed, seen.skipped)
    rows += notes(seen.notes)
    return "\n".join([*rows, *(_call_text(call) for call in seen.calls)])


def _call_text(call: "ModelCall") -> str:
    reply = f"! {call.trouble}" if call.trouble else call.answer
    head = f"{call.model}  {call.tokens:,} tokens  {call.ms:,} ms"
    return f"{dim(head)}\n  {one_line(call.prompt)[:_LONGEST]}\n  → {one_line(reply)[:_LONGEST]}"


def _compared_text(done: "Compared") -> str:
    days = f"{done.since:%Y-%m-%d} to {done.until:%Y-%m-%d}"
    head = f"{done.agent}  {days}, {counted(done.heard, 'message')}, {done.used.model}"
    rows = [output.ident(head)]
    for label, side in (("judges", done.judges), ("model", done.model)):
        rows.append(f"{label}: {len(side.proposed):,} written, {len(side.skipped):,} left")
        rows += _rows(side.proposed)
        rows += notes(side.notes)
    tokens = f"{counted(done.used.tokens, 'token')} in {counted(done.used.calls, 'call')}"
    return "\n".join([*rows, dim(f"{done.same:,} the same; {tokens}; nothing was written")])


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
    done = digests.digest(ws, since, dry_run=dry_run)
    if sending:
        done = replace(done, sent=digests.deliver(ws, ws.now, since, dry_run=dry_run))
    yield done, _digest_text
    yield int(any(delivery.outcome == "failed" for delivery in done.sent))


def _digest_text(done: Digest) -> str:
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
    wish = promoting.PromotionWish(**typed, target=to)
    done = promoting.promote(ws, wish, dry_run=dry_run or not apply_it)
    return done, _promotion_text


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
    preview = dry_run or not apply_it
    done = promoting.compact_quarterly(ws, days=days, remove=remove, dry_run=preview)
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
    done = promoting.tidy_notebook(ws, dry_run=dry_run or not apply_it)
    return done, _tidying_text


def _promotion_text(done: promoting.Promotion) -> str:
    rows = [row for candidate in done.candidates for row in _candidate_rows(candidate)]
    rows += [dim(f"stays  {stay.path}:{stay.startLine}: {stay.why[0]}") for stay in done.left]
    flagged = sum(candidate.action == _FLAGGED for candidate in done.candidates)
    count = counted(len(done.candidates) - flagged, "line")
    more = f"; {counted(flagged, 'more line')} flagged: --min-confidence 0.4" if flagged else ""
    would = f"{count} would be promoted" if done.candidates else "Nothing to promote."
    return "\n".join([*rows, _closing(done, f"promoted {count}{more}", f"{would}{more}")])


def _candidate_rows(candidate: "PromotionCandidate") -> list[str]:
    how = "flagged for" if candidate.action == _FLAGGED else "→"
    move = f"{candidate.path}:{candidate.startLine} {how} {candidate.target}"
    text = in_a_line(candidate.text, _LINE)
    return [
        f"{candidate.confidence:.2f}  {candidate.category:<12}  {text}",
        dim(f"      {move}; {', '.join(candidate.why)}"),
    ]


def _compact_text(done: promoting.QuarterlyCompaction) -> str:
    rows = _rows((), done.skipped)
    rows += [
        f"{note.path} → {note.archive}{dim('  its corrections stay') if note.kept else ''}"
        for note in done.notes
        if note.new
    ]
    notes, gone = counted(len(done.notes), "note"), len(done.removed)
    would = f"{notes} would be gathered{' and removed' if gone else ''}"
    if not done.changed:
        would = f"{notes}, all already gathered" if done.notes else "No note is old enough."
    removed = f", {gone:,} removed" if gone else ""
    return "\n".join([*rows, _closing(done, f"gathered {notes}{removed}", would)])


def _tidying_text(done: promoting.Tidying) -> str:
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
