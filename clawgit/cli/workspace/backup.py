"""`clawgit backup FILE`, `backup verify FILE`, `backup restore FILE DIR`."""

from pathlib import Path
from typing import Any

import click

from clawgit.cli import output
from clawgit.cli.command import caller, workspace
from clawgit.cli.options import dry_run_option, options, shared_options
from clawgit.ops.change.backup import Backup, back_up
from clawgit.ops.change.restoring import Restored, Verification, restore_backup, verify

_FILE = click.Path(path_type=Path)


class _SaveByDefault(click.Group):
    """`backup FILE` is `backup save FILE`; a file that is named like a command is reached as
    ./verify.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not {*self.commands, *self.get_help_option_names(ctx)}.intersection(args):
            args = ["save", *args]
        return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return ["[OPTIONS]", "FILE | verify FILE | restore FILE DIR"]


@click.group(cls=_SaveByDefault, short_help="Save everything to one file; verify it; restore it.")
@shared_options
def backup() -> None:
    """Save everything to one file; verify it; restore it.

    The file holds the whole history, what is not committed yet, and clawgit's own state. It does
    not hold what git ignores, repositories inside the workspace, empty folders, and git's
    configuration, hooks and reflogs.

    Example: clawgit backup ~/agent.backup && clawgit backup verify ~/agent.backup
    """


@backup.command(
    "save", cls=click.Command, short_help="Write FILE; the default, so `backup FILE` will do."
)
@click.argument("file", type=_FILE)
@click.option("--force", is_flag=True, help="Overwrite FILE.")
@dry_run_option
@shared_options
def _save(file: Path, **flags: Any) -> None:
    """Take a snapshot, write FILE, and prove it: it is restored aside and compared, as `backup
    verify` does.

    A file that does not give everything back is not kept.

    Example: clawgit backup ~/agent.backup
    """
    with workspace() as opened:
        result = back_up(opened, file, **flags)
        for note in result.notes:
            output.note(note)
        output.emit(result, _saved, as_json=options().as_json)


@backup.command("verify", cls=click.Command, short_help="Restore FILE aside and compare.")
@click.argument("file", type=_FILE)
@shared_options
def _verify(file: Path) -> int:
    """Restore FILE aside and compare; exit 1 where anything differs. Needs no workspace.

    Example: clawgit backup verify ~/agent.backup
    """
    result = verify(file, caller().env)
    output.emit(result, _verified, as_json=options().as_json)
    return 0 if result.ok else 1


@backup.command("restore", cls=click.Command, short_help="Make the workspace anew in DIR.")
@click.argument("file", type=_FILE)
@click.argument("folder", metavar="DIR", type=_FILE)
@dry_run_option
@shared_options
def _restore(file: Path, folder: Path, dry_run: bool) -> None:
    """Make the workspace anew in DIR, a folder that is absent or empty.

    Example: clawgit backup restore ~/agent.backup ~/agent
    """
    result = restore_backup(file, folder, caller().env, dry_run=dry_run)
    output.emit(result, _made_anew, as_json=options().as_json)


def _saved(result: Backup) -> str:
    lines = [f"{result.file} would be written"]
    if result.bytes:
        lines = [f"{result.file}: {result.bytes:,} bytes, restored aside and compared"]
    if result.changed:
        lines.append(f"snapshot {result.id or 'to be taken'}: {', '.join(result.changed)}")
    lines.append(_holds(result))
    lines += [f"left out: {path} ({why})" for path, why in result.left_out.items()]
    return "\n".join(lines)


def _verified(result: Verification) -> str:
    marks = {True: click.style("ok    ", fg="green"), False: click.style("FAILED", fg="red")}
    return "\n".join(f"{marks[check.ok]} {check.name}: {check.detail}" for check in result.checks)


def _made_anew(result: Restored) -> str:
    return f"{result.workspace}, as it was at {result.time}\n{_holds(result)}"


def _holds(result: Backup | Restored) -> str:
    loose, rows = len(result.files) + len(result.deleted), sum(result.state.values())
    return (
        f"commits: {result.commits}, references: {result.refs}, uncommitted files: {loose}, "
        f"rows of state: {rows}"
    )
