"""The `config` command group: show settings with their origin, change one, find mistakes."""

import click

from clawgit.cli import output
from clawgit.cli.change_text import change_text
from clawgit.cli.command import command, workspace
from clawgit.cli.options import dry_run_option, options, shared_options
from clawgit.config import shown
from clawgit.ops.workspace import config as settings


@click.group(invoke_without_command=True)
@shared_options
@click.pass_context
def config(ctx: click.Context) -> None:
    """Show, set and check settings.

    Example: clawgit config set soul_max_tokens 900
    """
    if ctx.invoked_subcommand is None:
        with workspace() as ws:
            output.emit(settings.settings(ws.config), _listing_text, as_json=options().as_json)


@command("get")
@click.argument("key")
def get(key: str) -> None:
    """Show one setting.

    Example: clawgit config get soul_policy
    """
    with workspace() as ws:
        found = settings.settings(ws.config, key)
        output.emit(
            found, lambda listing: shown(listing.settings[0].value), as_json=options().as_json
        )
        if found.settings[0].pending is not None:
            output.note(f"note: {output.shown(_pending_text(found.settings[0]))}")


@command("set")
@click.argument("key")
@click.argument("value")
@dry_run_option
def set_(key: str, value: str, dry_run: bool) -> None:
    """Change one line of CONFIG.md, as a commit.

    If only the operator may change the setting, it is accepted on this machine in the same step,
    and an agent is refused.

    Example: clawgit config set timezone Europe/Berlin
    """
    with workspace() as ws:
        done = settings.set_setting(ws, key, value, dry_run=dry_run)
        if done.masked_by:
            output.note(f"note: {done.masked_by} overrides this")
        output.emit(
            done,
            lambda made: change_text(made.change, f"set {made.key} in"),
            as_json=options().as_json,
        )
        if done.accepted:
            would = "would be " if dry_run else ""
            output.note(
                f"note: {would}accepted on this machine: `clawgit trust --revoke {done.key}` "
                "takes it back"
            )


@command("check")
def check() -> int:
    """Find mistakes in CONFIG.md and the environment.

    Example: clawgit config check
    """
    with workspace() as ws:
        found = settings.check(ws.config)
        output.emit(found, _check_text, as_json=options().as_json)
        return int(not found.ok)


for _command in (get, set_, check):
    config.add_command(_command)


def _listing_text(listing: settings.ConfigListing) -> str:
    width = max(len(setting.key) for setting in listing.settings)
    rows = []
    for setting in listing.settings:
        changed = setting.origin != "default"
        row = f"{setting.key:<{width}}  {shown(setting.value)}"
        if changed:
            row = output.heading(row) + output.dim(f"  ← {setting.origin}")
        rows.append(row)
        if setting.pending is not None:
            rows.append(output.warning(f"{'':<{width}}  {_pending_text(setting)}"))
    return "\n".join([*rows, *(f"note: {note}" for note in listing.notes)])


def _pending_text(setting: settings.Setting) -> str:
    return f"{shown(setting.pending)} waits: clawgit trust {setting.key}"


def _check_text(found: settings.ConfigCheck) -> str:
    rows = []
    for problem in found.problems:
        rows.append(f"{problem.where}: {problem.message}")
        if problem.hint:
            rows.append(f"  next: {problem.hint}")
    rows += [f"note: {note}" for note in found.notes]
    return "\n".join(rows) or "no mistakes found"
