"""`corrections`: what the operator has corrected, and what is still open; `conflicts`: where two
memories disagree, and which of them stands.
"""

from typing import Any

import click

from clawgit.agents.frame import corrections as op
from clawgit.core.markdown import frames
from clawgit.memory import conflicts as claims
from clawgit.memory.rules.conflict_log import Conflict
from clawgit.talk.rules.corrections import (
    CONFIRMED,
    DISMISSED,
    KEPT,
    OPEN,
    QUOTED,
    SETTLED,
    status_of,
)
from clawgit.terminal import output
from clawgit.terminal.change_text import changed, outcome
from clawgit.terminal.command import Answer, command, dry_run_option, group, option
from clawgit.terminal.output import dim
from clawgit.workspace.workspace import Workspace


@group("corrections")
def corrections(ws: Workspace) -> Answer:
    """Show what the operator corrected; add, settle, archive.

    Example: clawgit corrections list --open
    """
    return op.listed(ws, only_open=True), _waiting_text


@command("list")
@option("--open only_open", "Only those that are open, quoted or in doubt.")
def list_(ws: Workspace, *, only_open: bool) -> Answer:
    """List corrections, the archived ones too; the oldest first.

    Example: clawgit corrections list --open
    """
    return op.listed(ws, only_open=only_open), _list_text


@command("add")
@click.argument("text")
@option("--was ENTRY", "The entry that is wrong, by its id or its text.")
@option("--evidence REF", "The operator's message: chat:SESSION/MESSAGE.", multiple=True)
@option("--closes ID", "The open or quoted correction that this answers.")
@option("--allow-secret", "Store a key or password anyway; only the operator may.")
@dry_run_option
def add(ws: Workspace, text: str, **typed: Any) -> Answer:
    """Correct memory: TEXT is what is true, as a whole sentence.

    The entry that says otherwise is corrected in place, and CORRECTIONS.md keeps its old value. If
    an agent calls and cites no message of the operator, the correction is logged as open and
    memory is not changed; what the operator corrected gets it as a quotation.

    Example: clawgit corrections add "The office is in Berlin." --was "The office is in Paris."
    """
    return op.add(ws, text, **typed), _added_text


@command("settle")
@click.argument("ident", metavar="ID")
@click.argument("text", default="")
@option("--was ENTRY", "The entry that TEXT is about, by its id or text.")
@option("--accept", "The sentence that is offered is right.")
@option("--keep", "The entry is right: remove the quote.")
@option("--dismiss", "It was not a correction: remove the quote and the mark.")
@dry_run_option
def settle(ws: Workspace, ident: str, text: str, **typed: Any) -> Answer:
    """Settle an open or quoted correction: TEXT is what is true.

    TEXT is a whole sentence. It replaces the entry that is wrong, and a quote below it is removed.
    Only the operator may settle.

    Example: clawgit corrections settle kmnpqr "The weekly call is on Thursday at 3:30."
    """
    done = op.settle(ws, ident, text, **typed)
    return done, lambda done: outcome(done, f"{done.status}  {done.reason}")


@command("archive")
@dry_run_option
def archive(ws: Workspace) -> Answer:
    """Move finished corrections to Archive/Corrections/.

    Those older than correction_archive_days. They still apply there.

    Example: clawgit corrections archive --dry-run
    """
    done = op.archive(ws)
    archived = f"archived {', '.join(done.moved)}"
    return done, lambda done: outcome(done, archived, "Nothing is due.")


def _waiting_text(listing: op.Corrections) -> str:
    nothing = dim("none waits; all: clawgit corrections list")
    return _list_text(listing) if listing.corrections else nothing


def _list_text(listing: op.Corrections) -> str:
    return "\n".join(map(_row, listing.corrections)) or dim("no correction to show")


_AGAINST = dict.fromkeys((QUOTED, SETTLED, KEPT, DISMISSED), "{}  disputed: “{}”")
"""Where something was said against an entry, which need not say what is right: “That's wrong.”"""


def _row(correction: op.ListedCorrection) -> str:
    status = correction.status
    if status == QUOTED:
        status = f"quoted ({correction.why})"
    elif status == CONFIRMED and not correction.re_embedded:
        status += ", not in the index yet"
    when = f"{correction.time:%Y-%m-%d}" if correction.time else " " * 10
    row = f"{output.ident(correction.id)}  {when}  {_change(correction)}  {dim(status)}"
    if correction.question or correction.status == QUOTED:
        row += _below(correction.question or "") + _to_settle(correction)
    return row + _below(correction.next)


def _change(correction: op.ListedCorrection) -> str:
    """What was wrong and what is right, as far as both are known."""
    was, now = correction.was.partition(" ")[2], correction.correct
    if not correction.said.startswith(frames.EARLIER):
        was = was or correction.said
    if not (was and now):
        return now or correction.words or was
    return _AGAINST.get(correction.status, "{} → {}").format(was, now)


def _to_settle(correction: op.ListedCorrection) -> str:
    offered = "--accept | " if correction.status == OPEN and correction.correct else ""
    return _below(f"clawgit corrections settle {correction.id} {offered}“…” | --keep | --dismiss")


def _below(text: str) -> str:
    return f"\n          {output.key(text)}" if text else ""


def _added_text(done: op.Corrected) -> str:
    outcome_of = status_of(done.status).result or done.status
    step = _to_settle(done.correction) if done.correction and done.status == QUOTED else ""
    nothing = f"nothing to do: {done.reason}"
    return outcome(done, f"{outcome_of}  {done.reason}{step}", nothing)


@group("conflicts")
def conflicts(ws: Workspace) -> Answer:
    """Show where two memories disagree, and decide which holds.

    Example: clawgit conflicts list
    """
    return claims.conflicts(ws), _conflicts_text


@command("list")
@option("--all everything", "Also those that wait their turn, are settled or closed.")
def list_conflicts(ws: Workspace, everything: bool) -> Answer:
    """List the conflicts that wait for a decision.

    Example: clawgit conflicts list --all
    """
    return claims.conflicts(ws, everything=everything), _conflicts_text


@command("resolve")
@click.argument("ident", metavar="ID")
@option("--keep", "The side to keep.", required=True, type=click.Choice(("a", "b", "both")))
@dry_run_option
def resolve(ws: Workspace, ident: str, keep: str, **typed: Any) -> Answer:
    """Resolve a conflict.

    The other side is marked superseded, all of it; nothing is erased.

    Example: clawgit conflicts resolve k3x9ab --keep b
    """
    return changed(claims.resolve(ws, ident, keep, **typed), "decided")


def _conflicts_text(listing: claims.Conflicts) -> str:
    rows = [*map(_conflict_text, listing.conflicts)]
    if listing.next:
        rows.append("\n".join(output.next_step(step).lstrip() for step in listing.next))
    return "\n\n".join(rows) or dim("no conflict is open")


def _conflict_text(conflict: Conflict) -> str:
    when = dim(f"  {conflict.time:%Y-%m-%d}" if conflict.time else "")
    sides = [
        f"   {output.key(name)}  {side.text}  {dim(f'{side.path} {side.day or str()}'.rstrip())}"
        for name, side in zip("ab", conflict.sides, strict=True)
    ]
    rule, now = f"   {dim('rule')}  {conflict.rule}", f"   {dim('now')}   {conflict.outcome}"
    return "\n".join([output.ident(conflict.id) + when, *sides, rule, now])
