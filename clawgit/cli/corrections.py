"""`corrections`: what the operator has corrected, and what is still open."""

import click

from clawgit.cli import output
from clawgit.cli.command import Answer, command, dry_run_option, option
from clawgit.cli.lazy import group
from clawgit.cli.output import dim
from clawgit.domain.corrections.statuses import CONFIRMED, OPEN, QUOTED, status_of
from clawgit.ops.corrections.corrections import (
    ArchivedCorrections,
    Corrected,
    Corrections,
    ListedCorrection,
    SettledCorrection,
    TypedCorrection,
    listed,
)
from clawgit.ops.corrections.corrections import add as add_correction
from clawgit.ops.corrections.corrections import archive as archive_corrections
from clawgit.ops.corrections.corrections import settle as settle_correction
from clawgit.ops.workspace.workspace import Workspace


@group("corrections")
def corrections(ws: Workspace) -> Answer:
    """Show what the operator corrected; add, settle, archive.

    Example: clawgit corrections list --open
    """
    return listed(ws, only_open=True), _open_text


def _open_text(listing: Corrections) -> str:
    return _list_text(listing) if listing.corrections else dim("no correction is open")


@command("list")
@option("--open only_open", "Only those that are open, quoted or in doubt.")
def list_(ws: Workspace, *, only_open: bool) -> Answer:
    """List corrections, the archived ones too; the oldest first.

    Example: clawgit corrections list --open
    """
    render = _open_text if only_open else _list_text
    return listed(ws, only_open=only_open), render


@command("add")
@click.argument("text")
@option("--was ENTRY", "The entry that is wrong, by its id or its text.")
@option("--evidence REF", "The operator's message: chat:SESSION/MESSAGE.", multiple=True)
@option("--closes ID", "The open or quoted correction that this answers.")
@option("--allow-secret", "Store a key or password anyway; only the operator may.")
@dry_run_option
def add(
    ws: Workspace, text: str, was: str, evidence: tuple[str, ...], closes: str, *,
    allow_secret: bool, dry_run: bool,
) -> Answer:  # fmt: skip
    """Correct memory: TEXT is what is true, as a whole sentence.

    The entry that says otherwise is corrected in place, and CORRECTIONS.md keeps its old value. If
    an agent calls and cites no message of the operator, the correction is logged as open, and
    memory is not changed.

    Example: clawgit corrections add "The office is in Berlin." --was "The office is in Paris."
    """
    done = add_correction(
        ws, TypedCorrection(text, was, evidence, closes, allow_secret), dry_run=dry_run
    )
    return done, _added_text


@command("settle")
@click.argument("ident", metavar="ID")
@click.argument("text", default="")
@option("--was ENTRY", "The entry that TEXT is about, by its id or text.")
@option("--accept", "The sentence that is offered is right.")
@option("--keep", "The entry is right: remove the quote.")
@option("--dismiss", "It was not a correction: remove the quote and the mark.")
@dry_run_option
def settle(
    ws: Workspace, ident: str, text: str, was: str, *, accept: bool, keep: bool, dismiss: bool,
    dry_run: bool,
) -> Answer:  # fmt: skip
    """Settle an open or quoted correction: TEXT is what is true.

    TEXT is a whole sentence. It replaces the entry that is wrong, and a quote below it is removed.
    Only the operator may settle.

    Example: clawgit corrections settle kmnpqr "The weekly call is on Thursday at 3:30."
    """
    done = settle_correction(
        ws, ident, text, was=was, accept=accept, keep=keep, dismiss=dismiss, dry_run=dry_run
    )
    return done, _settled_text


@command("archive")
@click.argument("ids", nargs=-1)
@dry_run_option
def archive(ws: Workspace, ids: tuple[str, ...], *, dry_run: bool) -> Answer:
    """Move finished corrections to Archive/Corrections/.

    They still apply there. Without IDS, those older than correction_archive_days.

    Example: clawgit corrections archive --dry-run
    """
    return archive_corrections(ws, ids, dry_run=dry_run), _archived_text


def _list_text(listing: Corrections) -> str:
    rows = [_row(correction) for correction in listing.corrections]
    return "\n".join(rows) or "Nothing was corrected."


def _row(correction: ListedCorrection) -> str:
    if correction.status == QUOTED:
        return _quoted_row(correction)
    status = correction.status
    if status == CONFIRMED and not correction.re_embedded:
        status += ", not in the index yet"
    row = f"{_heading(correction)}  {_change(correction)}  {dim(status)}"
    if correction.question:
        row += _below(correction.question) + _to_settle(correction)
    return row + _below(correction.next) if correction.next else row


def _change(correction: ListedCorrection) -> str:
    """What was wrong and what is right, as far as both are known."""
    was = _wrong_text(correction) or correction.said
    if was and correction.correct:
        return f"{was} → {correction.correct}"
    return correction.correct or correction.words or was


def _quoted_row(correction: ListedCorrection) -> str:
    disputed = f"{_wrong_text(correction)}  disputed: “{correction.correct}”"
    status = dim(f"quoted ({correction.why})")
    return f"{_heading(correction)}  {disputed}  {status}{_to_settle(correction)}"


def _to_settle(correction: ListedCorrection) -> str:
    offered = "--accept | " if correction.status == OPEN and correction.correct else ""
    return _below(f"clawgit corrections settle {correction.id} {offered}“…” | --keep | --dismiss")


def _heading(correction: ListedCorrection) -> str:
    when = f"{correction.time:%Y-%m-%d}" if correction.time else " " * 10
    return f"{output.ident(correction.id)}  {when}"


def _wrong_text(correction: ListedCorrection) -> str:
    """The text of the entry that was wrong, without its place."""
    return correction.was.partition(" ")[2]


def _below(text: str) -> str:
    return f"\n          {output.key(text)}"


def _added_text(done: Corrected) -> str:
    if done.dry_run:
        rows = [output.colored_diff(done.preview)]
    elif done.correction is None:
        rows = [f"nothing to do: {done.reason}"]
    else:
        rows = _became(done)
    return "\n".join([*rows, *output.notes(done.notes)])


def _became(done: Corrected) -> list[str]:
    ident = output.ident(done.id or "")
    if done.held:
        return [
            f"{ident}  waits for the operator",
            *(f"          {why}" for why in done.held),
        ]
    outcome = status_of(done.status).result or done.status
    step = _to_settle(done.correction) if done.correction and done.status == QUOTED else ""
    return [f"{ident}  {outcome}  {done.reason}{step}"]


def _settled_text(done: SettledCorrection) -> str:
    if done.dry_run:
        return output.colored_diff(done.preview)
    return f"{output.ident(done.id or '')}  {done.status}  {done.reason}"


def _archived_text(done: ArchivedCorrections) -> str:
    if done.dry_run:
        return output.colored_diff(done.preview) or "Nothing is due."
    if not done.moved:
        return "Nothing is due."
    return f"{output.ident(done.id or '')}  archived {', '.join(done.moved)}"
