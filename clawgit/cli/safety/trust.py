"""`trust`: shows the settings that wait for the operator, and asks about each."""

from typing import TYPE_CHECKING

import click

from clawgit.cli import columns, output
from clawgit.cli.command import command
from clawgit.cli.given import options
from clawgit.cli.opening import workspace
from clawgit.cli.options import dry_run_option
from clawgit.cli.safety.planted import ask_about_texts, decided_text, planted_text
from clawgit.config import shown as setting_text
from clawgit.domain.change.actors import OPERATOR
from clawgit.errors import UsageError
from clawgit.ops.workspace import trust as op
from clawgit.ops.workspace.trust import refuse_others

if TYPE_CHECKING:
    from clawgit.ops.workspace.workspace import Workspace

_BESIDE = 14
"""Columns of the signs around the words of a text."""

_LEAST = 12


@command("trust")
@click.argument("keys", nargs=-1, metavar="[KEY…]")
@click.option(
    "--revoke", is_flag=True, help="Revoke what was accepted: these settings and texts, or all."
)
@dry_run_option
def trust(keys: tuple[str, ...], revoke: bool, dry_run: bool) -> int:
    """Accept settings and text that could do harm, on this machine.

    A setting that runs a program, sends text, spends money, deletes, widens access or weakens a
    guard has no effect until the operator accepts its value here. Text that looks planted, because
    it gives orders, hides something or sends data away, is withheld from agents until the operator
    has seen it here. Each waiting setting is shown with what it would do, and you are asked about
    it; texts are shown ten at a time, with one question. --json only lists them.

    Example: clawgit trust llm_model
    """
    with workspace() as ws:
        if revoke:
            if not (keys or dry_run) and not _confirmed(ws):
                output.line("nothing was changed")
                return 0
            revoked = op.revoke(ws, keys, dry_run=dry_run)
            output.emit(revoked, decided_text)
            return 0
        with output.progress("reading the files that agents are shown"):
            known = op.listing_with_texts(ws, keys)
        if options().as_json or dry_run or not (known.pending or known.texts):
            output.emit(known, _trust_text)
        else:
            _ask(ws, known)
        return 0


def _ask(ws: "Workspace", known: op.Trust) -> None:
    """Asks about each waiting setting, and accepts those that the operator agreed to."""
    if ws.caller.actor != OPERATOR:
        output.emit(known, _trust_text)
        refuse_others(ws, "accept what waits")
    accepted = []
    for pending in known.pending:
        output.line(_waiting_text(pending))
        if click.confirm("Accept it on this machine?", default=False):
            accepted.append(pending)
    if known.pending:
        output.emit(op.accept(ws, accepted), decided_text)
    if known.texts:
        output.emit(ask_about_texts(ws, known.texts), decided_text)


def _confirmed(ws: "Workspace") -> bool:
    """Asks before everything is revoked: a forgotten key on the command line must not do that."""
    refuse_others(ws, "revoke what was accepted")
    if options().as_json:
        raise UsageError(
            "--revoke with --json needs the names of the settings.",
            hint="clawgit trust --revoke llm_model --json",
        )
    return click.confirm("Revoke everything that was accepted for this workspace?", default=False)


def _trust_text(known: op.Trust) -> str:
    waiting = [_waiting_text(pending) for pending in known.pending]
    texts = [planted_text(text) for text in known.texts]
    rows = [_accepted_text(entry) for entry in known.accepted]
    return "\n".join([*waiting, *texts, *rows]) or "nothing waits, and nothing was accepted"


def _accepted_text(entry: op.Accepted) -> str:
    value = _value_text(entry.value)
    if not entry.key.startswith("text:"):
        return f"accepted  {entry.key}: {value}"
    beside = columns.width(entry.key) + columns.width(entry.reason) + _BESIDE
    words = columns.cut(output.one_line(value), max(_LEAST, columns.terminal_width() - beside))
    return f"seen      {entry.key}: {output.shown(entry.reason)}  {output.dim(words)}"


def _waiting_text(setting: op.WaitingSetting) -> str:
    lines = [
        output.heading(f"{setting.key}: {output.shown(setting_text(setting.value))}"),
        f"  set by      {output.shown(setting.origin)}",
        f"  would do    {setting.does} ({', '.join(setting.harms)})",
        f"  until then  {_effective_text(setting.in_force)}: {output.shown(setting.why)}",
    ]
    if setting.files:
        names = ", ".join(output.shown(path) for path in setting.files)
        lines.append(f"  covers      the content of {names}; not the files that they load")
    return "\n".join(lines)


def _effective_text(value: object) -> str:
    if value in ("", []) or value is False:
        return "off"
    return output.shown(setting_text(value))


def _value_text(value: object) -> str:
    return "(kept as a hash)" if value is None else output.shown(setting_text(value))
