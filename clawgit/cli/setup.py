"""Commands that make a folder a workspace, and undo that: init, deinit."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import click

from clawgit.cli import output
from clawgit.cli.command import command, dry_run_option
from clawgit.cli.given import options
from clawgit.cli.opening import caller, start_folder, workspace
from clawgit.cli.outside_text import outside_text
from clawgit.domain.change.actors import OPERATOR, Actor
from clawgit.domain.safety.secrets import masked
from clawgit.domain.workspace.layout import LAYOUTS
from clawgit.errors import UsageError
from clawgit.ops.safety.masking import cover
from clawgit.ops.workspace import setup

_MANY = {"hook": "hook", "info/exclude:": "info/exclude line"}
"""How the names of things begin of which `deinit` removes many, and what they are."""


@command()
@click.argument("folder", metavar="[DIR]", required=False)
@click.option(
    "--openclaw/--no-openclaw", "openclaw", default=None,
    help="Whether OpenClaw sets the workspace up first; by default, clawgit finds out.",
)  # fmt: skip
@click.option(
    "--full", is_flag=True, help="Write every file that a brand-new workspace starts with."
)
@click.option(
    "--hooks/--no-hooks",
    "hooks",
    default=True,
    help="Whether to install git's hooks.",
    show_default=True,
)
@dry_run_option
def init(folder: str | None, openclaw: bool | None, full: bool, hooks: bool, dry_run: bool) -> None:
    """Create or adopt a workspace.

    Existing files stay as they are, and a second run changes nothing. An empty folder gets all the
    files that an agent starts with. A folder that has files gets CONFIG.md, which says which of
    them are clawgit's; other files are added when they are needed.

    Example: clawgit init ~/.openclaw/workspace
    """
    if folder == "":
        raise UsageError("The folder has no name.", hint="Name one: clawgit init DIR")
    target, asker = Path(folder).absolute() if folder else start_folder(), caller()
    unnamed = not folder and not options().directory
    if unnamed and (outer := setup.workspace_around(target, asker.env)):
        raise UsageError(
            f"{target} is in the workspace {outer}.",
            hint="`clawgit status` shows it; `clawgit init .` makes a second one inside it.",
        )
    with output.progress(f"looking at {target.name}") as progress:
        done = setup.init(
            target, asker, openclaw_rules=openclaw, hooks=hooks, full=full, dry_run=dry_run,
            phase=progress.phase,
        )  # fmt: skip
    if asker.actor != OPERATOR:
        output.mask_by(masked, cover=lambda _: cover)
    output.emit(done, partial(_init_text, actor=asker.actor))
    if done.planted and asker.actor != OPERATOR:
        texts = output.counted(len(done.planted), "planted-looking text")
        output.note(f"{texts} withheld from agents until the operator has run clawgit trust")


_LISTED = 20


def _planted_rows(done: setup.Initialized, actor: Actor) -> Iterator[str]:
    """What the operator adopts although it looks planted, so that he may take it out."""
    if not done.planted or actor != OPERATOR:
        return
    yield f"looks planted: {output.counted(len(done.planted), 'text')}, yours by adopting them here"
    for text in done.planted[:_LISTED]:
        yield f"  {output.shown(text.path)}:{text.line}  {output.shown(text.reason)}"
    more = len(done.planted) - _LISTED
    if more > 0:
        yield f"  and {more} more: --json lists them all"


@command()
@click.option("--verbose", is_flag=True, help="Name each thing that is removed.")
@dry_run_option
def deinit(*, verbose: bool, dry_run: bool) -> None:
    """Remove clawgit from a workspace; keep files and history.

    It removes hooks, drivers, state, references, what `connect` wrote into other programs for this
    workspace, and what `schedule install` set up. Proposals that wait must be decided first.

    Example: clawgit deinit --dry-run
    """
    with workspace() as ws:
        done = setup.deinit(ws, dry_run=dry_run)
        output.emit(done, lambda removed: _deinit_text(removed, verbose=verbose))


def _init_text(done: setup.Initialized, actor: Actor) -> str:
    rows = [*_found_rows(done, actor), *_planted_rows(done, actor), *_made_rows(done)]
    rows += output.notes(done.notes)
    if done.commit:
        rows.append(f"{output.ident(done.id or '')}  {done.workspace} is a workspace")
    elif not (done.waiting or done.dry_run or done.created or done.hooks):
        rows.append(f"{done.workspace} is a workspace already; nothing to do")
    return "\n".join(rows)


_PATTERNS = 4
"""Patterns of a scope that are named; `clawgit config get scope` has them all."""


def _found_rows(done: setup.Initialized, actor: Actor) -> Iterator[str]:
    """What was in the folder, and what was done with it."""
    if done.layout:
        scope = output.scope_text(done.scope, _PATTERNS)
        yield f"{LAYOUTS[done.layout].title}; in its scope: {scope}"
        if done.adopted and not done.waiting:
            yield from _searched_rows(done, actor)
    if done.waiting:
        yield output.warning("waiting: ") + done.waiting
    if done.snapshots:
        yield f"kept what was there: {output.counted(len(done.snapshots), 'snapshot')}"


def _searched_rows(done: setup.Initialized, actor: Actor) -> Iterator[str]:
    yield f"searched: {output.counted(done.searched, 'file') if done.searched else 'no file yet'}"
    if done.outside:
        yield outside_text(output.jsonable(done.outside), actor)


def _made_rows(done: setup.Initialized) -> Iterator[str]:
    if done.repository and not done.waiting:
        yield "would make a git repository" if done.dry_run else "made a git repository"
    head = "would create" if done.dry_run else "created"
    if done.created:
        hooks = ", and git's hooks" if done.hooks else ""
        yield f"{head} {', '.join(done.created)}{hooks}"
    elif done.hooks:
        yield f"{head} git's hooks"


def _deinit_text(done: setup.Removed, *, verbose: bool) -> str:
    head = "would remove" if done.dry_run else "removed"
    names = done.removed if verbose else _in_few_rows(done.removed)
    return "\n".join(
        [*(f"{head} {name}" for name in names), *(f"kept {kept}" for kept in done.kept)]
    )


def _in_few_rows(removed: Sequence[str]) -> Iterator[str]:
    """Counts things of which there are many, and names the others."""
    counts, named = Counter[str](), []
    for name in removed:
        noun = _MANY.get(name.partition(" ")[0])
        if noun:
            counts[noun] += 1
        else:
            named.append(name)
    if counts:
        yield " and ".join(output.counted(count, noun) for noun, count in counts.items())
    yield from named
