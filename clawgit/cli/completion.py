"""`completion`: what a shell must know to complete commands, options, ids, paths and names."""

from collections.abc import Mapping
from types import MappingProxyType

import click
from click.shell_completion import CompletionItem, get_completion_class

from clawgit.cli import output
from clawgit.cli.command import command
from clawgit.cli.opening import workspace
from clawgit.errors import ClawgitError
from clawgit.ops.workspace.completing import Script, offers

_SHELLS = ("bash", "zsh", "fish")

TAKES: Mapping[str, str] = MappingProxyType(
    {
        "ID": "change",
        "REV": "revision",
        "ID|DATE": "revision",
        "A": "revision",
        "B": "revision",
        "A [B]] [PATH": "revision",
        "PATH": "path",
        "PLACE": "place",
        "ENTRY": "entry",
        "KEY": "setting",
        "memory edit ID": "place",
        "memory rm ID": "place",
        "soul approve ID": "proposal",
        "soul reject ID": "proposal",
        "conflicts resolve ID": "conflict",
        "corrections add ID": "correction",
        "corrections archive IDS": "correction",
        "agent run NAME": "agent",
        "context KEY": "",
        "queue drop ID": "",
        "queue retry ID": "",
    }
)
"""The name of a parameter in the help, alone or after its command → the kind of words that it
takes."""


@command("completion")
@click.argument("shell", type=click.Choice(_SHELLS))
def completion(shell: str) -> None:
    """Make the shell complete commands, ids and paths.

    Prints what the shell must read at its start. bash and zsh: eval "$(clawgit completion bash)" in
    ~/.bashrc or ~/.zshrc; fish: clawgit completion fish > ~/.config/fish/completions/clawgit.fish

    Example: clawgit completion bash
    """
    made = get_completion_class(shell)
    if made is None:
        raise click.UsageError(f"click does not support {shell}.")
    top = click.get_current_context().find_root().command
    script = made(top, {}, "clawgit", "_CLAWGIT_COMPLETE").source()
    output.emit(Script(shell, script), lambda made: made.script, verbatim=True)


def teach(top: click.Group, typed: str) -> None:
    """Sets the completion of the parameters of the typed commands.

    Only these commands are loaded.
    """
    context = click.Context(top, info_name="clawgit")
    for name in typed.split():
        if subcommand := top.get_command(context, name):
            _teach(subcommand, name, context)


def _teach(taught: click.Command, path: str, parent: click.Context) -> None:
    context = click.Context(taught, info_name=path, parent=parent)
    if isinstance(taught, click.Group):
        for name in taught.list_commands(context):
            if subcommand := taught.get_command(context, name):
                _teach(subcommand, f"{path} {name}", context)
    for param in taught.params:
        if kind := kind_of(param, path, context):
            param.type = _Word(kind)


def kind_of(param: click.Parameter, path: str, context: click.Context) -> str:
    """The kind of words that a parameter of the command `path` takes, "" if unknown."""
    called = param.make_metavar(context).removesuffix("...").strip("[]")
    return TAKES.get(f"{path} {called}", TAKES.get(called, ""))


class _Word(click.types.StringParamType):
    """A parameter type for any text, with completions."""

    name = "text"

    def __init__(self, kind: str) -> None:
        self._kind = kind

    def shell_complete(
        self,
        ctx: click.Context,
        param: click.Parameter,  # noqa: ARG002 - click's signature
        incomplete: str,
    ) -> list[CompletionItem]:
        try:
            with ctx.scope(cleanup=False), workspace() as opened:
                offered = offers(opened, self._kind, incomplete)
        except ClawgitError:  # no workspace here: a completion shows no errors
            return []
        return [
            CompletionItem(
                output.safe(offer.value), help=output.safe(offer.about) if offer.about else None
            )
            for offer in offered
        ]
