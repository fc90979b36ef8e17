"""`trust`: what waits for the operator's leave, shown and asked about one by one."""

from typing import TYPE_CHECKING

import click

from clawgit.cli import output
from clawgit.cli.command import command, workspace
from clawgit.cli.options import dry_run_option, options
from clawgit.config import shown as setting_text
from clawgit.domain.change.actors import OPERATOR
from clawgit.errors import UsageError
from clawgit.ops.workspace import trust as op
from clawgit.ops.workspace.trust import refuse_others

if TYPE_CHECKING:
    from clawgit.ops.workspace.workspace import Workspace


@command("trust")
@click.argument("keys", nargs=-1, metavar="[KEY…]")
@click.option(
    "--revoke", is_flag=True, help="Forget what was accepted, of these settings or of all."
)
@dry_run_option
def trust(keys: tuple[str, ...], revoke: bool, dry_run: bool) -> int:
    """Accept settings that could do harm, on this machine.

    What runs a program, sends, spends, deletes, reaches further or weakens a guard is in force only
    as the operator accepted it here. Each setting that waits is shown with what it would do, and
    asked about. With --json they are listed, and nothing is asked.

    Example: clawgit trust llm_model
    """
    with workspace() as ws:
        if revoke:
            if not (keys or dry_run) and not _confirmed(ws):
                output.line("nothing was changed")
                return 0
            output.emit(
                op.revoke(ws, keys, dry_run=dry_run), _decided_text, as_json=options().as_json
            )
            return 0
        known = op.listing(ws, keys)
        if options().as_json:
            output.emit(known, _trust_text, as_json=True)
            return 0
        if dry_run or not known.pending:
            output.emit(known, _trust_text, as_json=False)
            return 0
        return _asked(ws, known)


def _asked(ws: "Workspace", known: op.Trust) -> int:

    if ws.caller.actor != OPERATOR:
        output.emit(known, _trust_text, as_json=False)
        op.refuse_others(ws, "accept a setting")
    accepted = []
    for pending in known.pending:
        output.line(_waiting_text(pending))
        if click.confirm("Accept it on this machine?", default=False):
            accepted.append(pending)
    output.emit(op.accept(ws, accepted), _decided_text, as_json=False)
    return 0


def _confirmed(ws: "Workspace") -> bool:
    """One key too few must not switch everything off."""
    refuse_others(ws, "revoke what was accepted")
    if options().as_json:
        raise UsageError(
            "--revoke --json needs the settings by name.",
            hint="clawgit trust --revoke llm_model --json",
        )
    return click.confirm("Revoke everything that was accepted for this workspace?", default=False)


def _trust_text(known: op.Trust) -> str:
    parts = [_waiting_text(pending) for pending in known.pending]
    rows = [
        f"accepted  {accepted.key}: {_value_text(accepted.value)}" for accepted in known.accepted
    ]
    return "\n".join([*parts, *rows]) or "nothing waits, and nothing was accepted"


def _waiting_text(setting: op.WaitingSetting) -> str:

    lines = [
        click.style(f"{setting.key}: {output.shown(setting_text(setting.value))}", bold=True),
        f"  set by      {output.shown(setting.origin)}",
        f"  would do    {setting.does} ({', '.join(setting.harms)})",
        f"  until then  {_off_or(setting.in_force)}: {output.shown(setting.why)}",
    ]
    if setting.files:
        names = ", ".join(output.shown(path) for path in setting.files)
        lines.append(f"  covers      the bytes of {names}; not what they load in turn")
    return "\n".join(lines)


def _off_or(value: object) -> str:

    if value in ("", []) or value is False:
        return "off"
    return output.shown(setting_text(value))


def _value_text(value: object) -> str:

    return "(kept as a hash)" if value is None else output.shown(setting_text(value))


def _decided_text(done: op.TrustDecision) -> str:
    would = "would be " if done.dry_run else ""
    lines = (
        [f"{would}accepted on this machine: {', '.join(done.accepted)}"] if done.accepted else []
    )
    lines += [f"{would}revoked on this machine: {', '.join(done.revoked)}"] if done.revoked else []
    return "\n".join(lines) or "nothing was changed"
