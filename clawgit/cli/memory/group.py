"""The `memory` command group: writes, finds and maintains what the agent remembers."""

import click

from clawgit.cli.command_table import COMMANDS
from clawgit.cli.lazy import LazyGroup
from clawgit.cli.options import shared_options


@click.group("memory", cls=LazyGroup, row=COMMANDS["memory"])
@shared_options
def memory() -> None:
    """Remember facts, read them back, keep them in order.

    Example: clawgit memory status
    """
