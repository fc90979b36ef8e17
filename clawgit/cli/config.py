"""`config`: shows settings with their origin, finds mistakes, changes one."""

from collections.abc import Iterator, Sequence

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
        loaded = ws.config
        if loaded.problems:
            output.emit(settings.ConfigCheck(loaded.problems, loaded.notes), _check_text)
            return 1
        output.emit(settings.settings(loaded), _listing_text if everything else _differing_text)
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
        output.emit(done, lambda made: change_text(made, f"set {made.key} in"))
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
    return "\n".join([*_setting_rows(listing.settings), *_notes(listing.notes)])


def _differing_text(listing: settings.ConfigListing) -> str:
    """The settings that are not at their defaults, and how many are."""
    differing = [setting for setting in listing.settings if not setting.is_at_default]
    total = len(listing.settings)
    count = f"{total - len(differing)} of" if differing else "all"
    rest = output.dim(f"{count} {total} settings are at their defaults: clawgit config --all")
    return "\n".join([*_setting_rows(differing), rest, *_notes(listing.notes)])


def _setting_rows(listed: Sequence[settings.Setting]) -> Iterator[str]:
    width = max((len(setting.key) for setting in listed), default=0)
    for setting in listed:
        row = f"{setting.key:<{width}}  {shown(setting.value)}"
        if setting.origin != "default":
            row = output.heading(row) + output.dim(f"  ← {setting.origin}")
        yield row
        if setting.pending is not None:
            yield output.warning(f"{'':<{width}}  {_pending_text(setting)}")


def _pending_text(setting: settings.Setting) -> str:
    return f"{shown(setting.pending)} waits: clawgit trust {setting.key}"


def _check_text(checked: settings.ConfigCheck) -> str:
    rows = []
    for problem in checked.problems:
        rows.append(f"{problem.where}: {problem.message}")
        rows += [f"  next: {problem.hint}"] if problem.hint else []
    return "\n".join([*rows, *_notes(checked.notes)])


def _notes(notes: Sequence[str]) -> Iterator[str]:
    return (f"note: {note}" for note in notes)
