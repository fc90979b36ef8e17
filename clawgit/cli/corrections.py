"""`corrections`: what the operator set right."""

import click

from clawgit.cli import output
from clawgit.cli.command import command, workspace
from clawgit.cli.options import dry_run_option, options, shared_options
from clawgit.cli.output import dim, shown
from clawgit.ops.corrections.corrections import (
    Corrected,
    Corrections,
    Listed,
    Moved,
    Wanted,
    listed,
)
from clawgit.ops.corrections.corrections import add as add_correction
from clawgit.ops.corrections.corrections import archive as archive_corrections
from clawgit.ops.corrections.settling import Settled
from clawgit.ops.corrections.settling import settle as settle_correction


@click.group("corrections")
@shared_options
def corrections() -> None:
    """Show what the operator set right; add to it, settle, archive.

    Example: clawgit corrections list --open
    """


@command("list")
@click.option("--open", "only_open", is_flag=True, help="Only those that are open or quoted.")
def list_(*, only_open: bool) -> None:
    """List corrections, the archived ones too; the oldest first.

    Example: clawgit corrections list --open
    """
    with workspace() as ws:
        output.emit(listed(ws, only_open=only_open), _list_text, as_json=options().as_json)


@command("add")
@click.argument("text")
@click.option(
    "--was", default="", metavar="ENTRY", help="The entry that is wrong, by its id or its text."
)
@click.option(
    "--evidence", multiple=True, metavar="REF", help="The operator's message: chat:SESSION/MESSAGE."
)
@click.option(
    "--closes", default="", metavar="ID", help="The open or quoted correction that this answers."
)
@click.option(
    "--allow-secret",
    is_flag=True,
    help="Keep a key or password all the same; the operator's alone.",
)
@dry_run_option
def add(
    text: str, was: str, evidence: tuple[str, ...], closes: str, *, allow_secret: bool,
        dry_run: bool
) -> None:  # fmt: skip
    """Put memory right: TEXT is what is true, as a whole sentence.

    The entry that says otherwise is corrected in its place and keeps its old value as a comment.
    What an agent brings without citing the operator is logged as open, and memory stays as it is.

    Example: clawgit corrections add "The office is in Berlin." --was "The office is in Paris."
    """
    with workspace() as ws:
        done = add_correction(
            ws, Wanted(text, was, evidence, closes, allow_secret), dry_run=dry_run
        )
        output.emit(done, _added_text, as_json=options().as_json)


@command("settle")
@click.argument("ident", metavar="ID")
@click.argument("text", default="")
@click.option("--keep", is_flag=True, help="The entry is right as it is: the quote goes.")
@click.option(
    "--dismiss", is_flag=True, help="It was no correction at all: the quote and the mark go."
)
@dry_run_option
def settle(ident: str, text: str, *, keep: bool, dismiss: bool, dry_run: bool) -> None:
    """End an open or quoted correction: TEXT is what is true, as a whole sentence.

    TEXT takes the place of the entry that is disputed, and the quote below it goes. Only the
    operator may settle.

    Example: clawgit corrections settle kmnpqr "The weekly call is on Thursday at 3:30."
    """
    with workspace() as ws:
        done = settle_correction(ws, ident, text, keep=keep, dismiss=dismiss, dry_run=dry_run)
        output.emit(done, _settled_text, as_json=options().as_json)


@command("archive")
@click.argument("ids", nargs=-1)
@dry_run_option
def archive(ids: tuple[str, ...], *, dry_run: bool) -> None:
    """Move corrections that were taken in to Archive/Corrections/, where they still win.

    Without IDS, those older than correction_archive_days.

    Example: clawgit corrections archive --dry-run
    """
    with workspace() as ws:
        output.emit(
            archive_corrections(ws, ids, dry_run=dry_run), _archived_text, as_json=options().as_json
        )


def _list_text(found: Corrections) -> str:
    return "\n".join(_row(one) for one in found.corrections) or "Nothing was corrected."


def _row(one: Listed) -> str:
    when = f"{one.time:%Y-%m-%d}" if one.time else " " * 10
    was = one.was.partition(" ")[2] or one.said
    if one.status == "quoted":
        return _quoted_row(one, when)
    told = (
        f"{shown(was)} → {shown(one.correct)}"
        if was and one.correct
        else shown(one.correct or one.words or was)
    )
    mark = "" if one.re_embedded or one.status != "confirmed" else ", not in the index yet"
    asked = f"\n          {click.style(shown(one.question), fg='cyan')}" if one.question else ""
    return (
        f"{click.style(one.id, fg='yellow')}  {when}  {told}  {dim(f'{one.status}{mark}')}{asked}"
    )


def _quoted_row(one: Listed, when: str) -> str:
    asked = (
        "\n          "
        f"{click.style(f'clawgit corrections settle {one.id} “…” | --keep | --dismiss', fg='cyan')}"
    )
    told = f"{shown(one.was.partition(' ')[2])}  disputed: “{shown(one.correct)}”"
    return (
        f"{click.style(one.id, fg='yellow')}  {when}  {told}  "
        f"{dim(f'quoted ({shown(one.why)})')}{asked}"
    )


def _added_text(done: Corrected) -> str:
    if done.dry_run:
        rows = [output.colored_diff(done.preview)]
    elif done.correction is None:
        rows = [f"nothing to do: {shown(done.reason)}"]
    else:
        rows = _became(done)
    return "\n".join([*rows, *(dim(f"note: {shown(note)}") for note in done.notes)])


def _became(done: Corrected) -> list[str]:
    ident = click.style(done.id or "", fg="yellow")
    if done.held:
        return [
            f"{ident}  waits for the operator",
            *(f"          {shown(why)}" for why in done.held),
        ]
    said = {"confirmed": "corrected", "settled": "corrected", "open": "asked"}.get(
        done.status, done.status
    )
    return [f"{ident}  {said}  {shown(done.reason)}"]


def _settled_text(done: Settled) -> str:
    if done.dry_run:
        return output.colored_diff(done.preview)
    return f"{click.style(done.id or '', fg='yellow')}  {done.status}  {shown(done.reason)}"


def _archived_text(done: Moved) -> str:
    if done.dry_run:
        return output.colored_diff(done.preview) or "Nothing is due."
    if not done.moved:
        return "Nothing is due."
    return f"{click.style(done.id or '', fg='yellow')}  archived {', '.join(done.moved)}"


for _one in (list_, add, settle, archive):
    corrections.add_command(_one)
