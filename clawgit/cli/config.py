"""`config`: shows settings with their origin, finds mistakes, changes one."""

import click

from clawgit.cli import output
from clawgit.cli.change_text import change_text
from clawgit.cli.command import command, dry_run_option
from clawgit.cli.lazy import group
from clawgit.cli.opening import workspace
from clawgit.config import shown
from clawgit.ops.workspace import config as settings

_EMBEDS = frozenset({"embedder", "embedder_model"})
"""The settings after which the vectors that are kept do not fit."""


@group("config")
@click.option("--all", "everything", is_flag=True, help="Every setting, not only what differs.")
def config(everything: bool) -> int:
    """Show, set and check settings.

    Without a command, it lists what differs from the defaults; --json has every setting. Where
    CONFIG.md or the environment has mistakes, it lists those, and exits with 1.

    Example: clawgit config set soul_max_tokens 900
    """
    with workspace() as ws:
        checked = settings.check(ws.config)
        if not checked.ok:
            output.emit(checked, _check_text)
            return 1
        text = _listing_text if everything else _differing_text
        output.emit(settings.settings(ws.config), text)
    return 0


@command("get")
@click.argument("key")
def get(key: str) -> None:
    """Show one setting.

    Example: clawgit config get soul_policy
    """
    with workspace() as ws:
        answer = settings.settings(ws.config, key)
        output.emit(answer, lambda listing: shown(listing.settings[0].value))
        if answer.settings[0].pending is not None:
            # On standard error, so that a script gets only the value.
            output.note(f"note: {output.shown(_pending_text(answer.settings[0]))}")


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
        output.emit(done, lambda made: change_text(made.change, f"set {made.key} in"))
        if done.accepted:
            would = "would be " if dry_run else ""
            output.note(
                f"note: {would}accepted on this machine: `clawgit trust --revoke {done.key}` "
                "takes it back"
            )
        if done.key in _EMBEDS and done.changed and not dry_run:
            output.note(
                "next: `clawgit memory index` embeds the whole memory anew; "
                "without it, each search embeds a part"
            )


def _listing_text(listing: settings.ConfigListing) -> str:
    notes = (f"note: {note}" for note in listing.notes)
    return "\n".join([*_setting_rows([*listing.settings]), *notes])


def _differing_text(listing: settings.ConfigListing) -> str:
    """The settings that are not at their defaults, and how many are."""
    differing = [setting for setting in listing.settings if not setting.is_at_default]
    count, total = len(listing.settings) - len(differing), len(listing.settings)
    at_default = "all" if not differing else f"{count} of"
    rest = f"{at_default} {total} settings are at their defaults: clawgit config --all"
    notes = (f"note: {note}" for note in listing.notes)
    return "\n".join([*_setting_rows(differing), output.dim(rest), *notes])


def _setting_rows(listed: list[settings.Setting]) -> list[str]:
    rows, width = [], max((len(setting.key) for setting in listed), default=0)
    for setting in listed:
        row = f"{setting.key:<{width}}  {shown(setting.value)}"
        if setting.origin != "default":
            row = output.heading(row) + output.dim(f"  ← {setting.origin}")
        rows.append(row)
        if setting.pending is not None:
            rows.append(output.warning(f"{'':<{width}}  {_pending_text(setting)}"))
    return rows


def _pending_text(setting: settings.Setting) -> str:
    return f"{shown(setting.pending)} waits: clawgit trust {setting.key}"


def _check_text(checked: settings.ConfigCheck) -> str:
    rows = []
    for problem in checked.problems:
        rows.append(f"{problem.where}: {problem.message}")
        rows += [f"  next: {problem.hint}"] if problem.hint else []
    return "\n".join([*rows, *(f"note: {note}" for note in checked.notes)])
