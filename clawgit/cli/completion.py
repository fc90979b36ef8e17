"""`completion`: what a shell must read to complete commands, options and files."""

from dataclasses import dataclass

import click
from click.shell_completion import get_completion_class

from clawgit.cli import output
from clawgit.cli.command import command


@dataclass(frozen=True, slots=True)
class Script:
    """What a shell must read at its start."""

    shell: str
    script: str


@command("completion")
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
def completion(shell: str) -> None:
    """Make the shell complete commands and options.

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
