"""`completion`: what a shell must read to complete commands, options and files."""

from typing import Any

import click
from click.shell_completion import get_completion_class

from clawgit.cli.command import Answer, command


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
    return {"shell": shell, "script": script}, lambda made: str(made["script"])
