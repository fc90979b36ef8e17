"""Git's hooks: `hooks install` and `uninstall`, and `hook NAME`, which runs one of them."""

import click

from clawgit.cli import output
from clawgit.cli.command import Answer, command, dry_run_option
from clawgit.cli.lazy import group
from clawgit.cli.opening import workspace
from clawgit.ops.hooks import githooks as op
from clawgit.ops.workspace.workspace import Workspace

_listed = ", ".join


@command("install")
@dry_run_option
def install(ws: Workspace, dry_run: bool) -> Answer:
    """Install the hooks; existing ones are called first.

    Example: clawgit hooks install
    """
    return op.install(ws, dry_run=dry_run), _changed_text


@command("uninstall")
@dry_run_option
def uninstall(ws: Workspace, dry_run: bool) -> Answer:
    """Remove the hooks; restore what was there before.

    Only the operator may, at a terminal.

    Example: clawgit hooks uninstall --dry-run
    """
    return op.uninstall(ws, dry_run=dry_run), _changed_text


@group("hooks")
def hooks(ws: Workspace) -> None:
    """Make plain `git commit` follow the rules.

    Example: clawgit hooks install
    """
    # Not returned: that one is missing is told, and is no failure of this command.
    output.emit(op.hooks(ws), _status_text)


@command("hook", hidden=True, context_settings={"ignore_unknown_options": True})
@click.argument("name", metavar="NAME")
@click.argument("arguments", nargs=-1, metavar="[ARGUMENTS]...", type=click.UNPROCESSED)
def hook(name: str, arguments: tuple[str, ...]) -> int:
    """Run one of git's hooks as git would.

    To try it, or to call it from a hook of your own. `pre-commit` judges what is staged.

    Example: clawgit hook pre-commit
    """
    with workspace() as opened:
        return op.run(opened, name, arguments)


def _changed_text(done: op.Changed) -> str:
    would = "would " if done.dry_run else ""
    rows = [f"{would}install {_listed(done.installed)}"] if done.installed else []
    rows += [f"{would}keep and call first {_listed(done.kept)}"] if done.kept else []
    rows += [f"{would}remove {_listed(done.removed)}"] if done.removed else []
    rows += [f"{would}restore {_listed(done.restored)}"] if done.restored else []
    rows += [f"{output.warning('note: ')}{note}" for note in done.notes]
    return "\n".join([output.dim(str(done.folder)), *rows]) if rows else "nothing to do"


def _status_text(seen: op.Hooks) -> str:
    rows = [_hook_row(hook) for hook in seen.hooks]
    last = "" if seen.ok else f"{output.key('→')} clawgit hooks install"
    if seen.ok and not seen.wanted:
        last = "removed by the operator; `clawgit hooks install` installs them again"
    return "\n".join(filter(None, [output.dim(str(seen.folder)), *rows, last]))


def _hook_row(hook: op.Hook) -> str:
    sign = output.good("✓") if hook.state == op.INSTALLED else output.error("✗")
    after = f", after {hook.kept}" if hook.kept else ""
    return f"{sign} {hook.name:<21}  {hook.state}{after}"
