"""Commands that make a folder a workspace, and undo that: init, deinit; `workspace`: the agents
of this machine, each with its own; `hooks`: those of git; `completion`: what a shell must read.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click
from click.shell_completion import get_completion_class

from clawgit.core import NamedTuple
from clawgit.core.errors import NotAWorkspaceError, UsageError
from clawgit.core.layout import LAYOUTS
from clawgit.front import setup
from clawgit.memory import shared
from clawgit.safety.masking import cover
from clawgit.safety.rules.secrets import masked
from clawgit.terminal import output
from clawgit.terminal.command import Answer, Answers, command, dry_run_option, group, option
from clawgit.terminal.opening import caller, start_folder, workspace
from clawgit.terminal.text import options
from clawgit.workspace import githooks, workspaces
from clawgit.workspace.workspace import Workspace


@command("install")
@dry_run_option
def install(ws: Workspace) -> Answer:
    """Install the hooks; existing ones are called first.

    Example: clawgit hooks install
    """
    return githooks.install(ws), output.told


@command("uninstall")
@dry_run_option
def uninstall(ws: Workspace) -> Answer:
    """Remove the hooks; restore what was there before.

    Only the operator may, at a terminal.

    Example: clawgit hooks uninstall --dry-run
    """
    return githooks.uninstall(ws), output.told


@group("hooks")
def hooks(ws: Workspace) -> None:
    """Make plain `git commit` follow the rules.

    Example: clawgit hooks install
    """
    # Not returned: that one is missing is told, and is no failure of this command.
    output.emit(githooks.hooks(ws), _status_text)


@command("hook", hidden=True, context_settings={"ignore_unknown_options": True})
@click.argument("name", metavar="NAME")
@click.argument("arguments", nargs=-1, metavar="[ARGUMENTS]...", type=click.UNPROCESSED)
def hook(name: str, arguments: tuple[str, ...]) -> int:
    """Run one of git's hooks as git would.

    To try it, or to call it from a hook of your own. `pre-commit` judges what is staged.

    Example: clawgit hook pre-commit
    """
    with workspace() as opened:
        return githooks.run(opened, name, arguments)


def _status_text(seen: githooks.Hooks) -> str:
    rows = [output.told(seen, without="ok wanted")]
    if not seen.ok:
        rows.append(output.next_step("clawgit hooks install"))
    elif not seen.wanted:
        rows.append("removed by the operator; `clawgit hooks install` installs them again")
    return "\n".join(rows)


class Script(NamedTuple):
    """What the shell reads."""

    shell: str
    script: str


@command("completion", verbatim=True)
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
def completion(shell: str) -> Answer:
    """Make the shell complete commands and options.

    Prints what the shell must read at its start. bash and zsh: eval "$(clawgit completion bash)" in
    ~/.bashrc or ~/.zshrc; fish: clawgit completion fish > ~/.config/fish/completions/clawgit.fish

    Example: clawgit completion bash
    """
    made: Any = get_completion_class(shell)
    top = click.get_current_context().find_root().command
    script = made(top, {}, "clawgit", "_CLAWGIT_COMPLETE").source()
    return Script(shell, script), lambda made: made.script


_PATTERNS = 4
"""Patterns of a scope that are named; `clawgit config get scope` has them all."""

_LISTED = 20


@command()
@click.argument("folder", metavar="[DIR]", required=False)
@option(
    "--openclaw/--no-openclaw openclaw",
    "Whether OpenClaw sets the workspace up first; by default, clawgit finds out.",
    default=None,
)
@option("--full", "Write every file that a brand-new workspace starts with.")
@option(
    "--hooks/--no-hooks hooks", "Whether to install git's hooks.", default=True, show_default=True
)
@dry_run_option
def init(folder: str | None, openclaw: bool | None, full: bool, hooks: bool) -> Answers:
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
    if unnamed and (outer := setup.outer_workspace(target, asker.env)):
        raise UsageError(
            f"{target} is in the workspace {outer}.",
            hint="`clawgit status` shows it; `clawgit init .` makes a second one inside it.",
        )
    with output.progress(f"looking at {target.name}"):
        done = setup.init(target, asker, openclaw_rules=openclaw, hooks=hooks, full=full)
    is_operator = asker.actor.is_operator
    if not is_operator:
        output.mask_by(masked, cover=cover)
    yield done, partial(_init_text, is_operator=is_operator)
    if done.planted and not is_operator:
        texts = output.counted(len(done.planted), "planted-looking text")
        output.note(f"{texts} withheld from agents until the operator has run clawgit trust")


@command()
@dry_run_option
def deinit(ws: Workspace) -> Answer:
    """Remove clawgit from a workspace; keep files and history.

    It removes hooks, drivers, state, references, what `connect` wrote into other programs for this
    workspace, and what `schedule install` set up. Proposals that wait must be decided first.

    Example: clawgit deinit --dry-run
    """
    return setup.deinit(ws), output.told


@group("workspace")
def agents() -> Answer:
    """List the agents and their workspaces; add one.

    Example: clawgit workspace list
    """
    return _agents(), _agents_text


@command("list")
def listing() -> Answer:
    """List the agents and their workspaces.

    Those in OpenClaw's config, and those added here.

    Example: clawgit workspace list --json
    """
    return _agents(), _agents_text


_agents_text = partial(output.told, nothing="no agents yet; clawgit workspace add NAME adds one")


def _agents() -> workspaces.Workspaces:
    try:
        with workspace() as ws:
            return workspaces.workspaces(ws.caller, ws)
    # Agents belong to the machine, so they are also listed outside a workspace.
    except NotAWorkspaceError:
        return workspaces.workspaces(caller())


@command("add")
@click.argument("agent")
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@dry_run_option
def add(agent: str, folder: Path | None) -> Answer:
    """Add an agent that OpenClaw's config does not name.

    FOLDER is its workspace, by default the current folder. AGENT `shared` sets up the memory that
    all agents read, in the folder that the setting shared_memory names.

    Example: clawgit workspace add coder ~/agents/coder
    """
    if agent == "shared":
        with workspace() as ws:
            return shared.begin(ws), output.told
    where = folder.expanduser() if folder else start_folder()
    return workspaces.add(caller(), agent, where), output.told


def _init_text(done: setup.Initialized, *, is_operator: bool) -> str:
    rows = [*_found_rows(done)]
    if is_operator:
        rows += _planted_rows(done)
    made = _made(done)
    if made:
        rows.append(f"{_DID[done.change.dry_run]}: {', '.join(made)}")
    rows += output.notes(done.notes)
    if done.change.commit:
        rows.append(f"{output.ident(done.change.id or '')}  {done.workspace} is a workspace")
        if done.adopted:
            step = "clawgit conflicts scan  # finds what contradicts itself"
            rows.append(output.next_step(step))
    elif not (done.waiting or done.change.dry_run or made):
        rows.append(f"{done.workspace} is a workspace already; nothing to do")
    return "\n".join(rows)


_DID = {False: "created", True: "would be created"}


def _found_rows(done: setup.Initialized) -> Iterator[str]:
    """What was in the folder, and what was done with it."""
    if done.layout:
        # The first patterns of a scope, without the fixed exclusions.
        named = (pattern for pattern in done.scope if not pattern.startswith("!"))
        scope = output.shown(output.first_of(named, _PATTERNS))
        yield f"{LAYOUTS[done.layout].title}; its scope: {scope}"
    if done.waiting:
        yield output.warning("waiting: ") + done.waiting


def _made(done: setup.Initialized) -> list[str]:
    repository = ["a git repository"] if done.repository and not done.waiting else []
    return [*repository, *done.created, *(["git's hooks"] if done.hooks else [])]


def _planted_rows(done: setup.Initialized) -> Iterator[str]:
    """What the operator adopts although it looks planted, so that he may take it out."""
    if done.planted:
        texts = output.counted(len(done.planted), "text")
        yield f"looks planted: {texts}, yours by adopting them here"
        places = (f"  {text.path}:{text.line}  {text.reason}" for text in done.planted)
        yield output.first_of(places, _LISTED, "\n")
