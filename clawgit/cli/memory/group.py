"""The `memory` command group: what the agent remembers, written, found and looked after."""

import click

from clawgit.cli.lazy import LazyGroup, Row
from clawgit.cli.options import shared_options

# A runtime calls `add` and `search` all the time, so each command loads only what it needs itself.
_COMMANDS = {
    "add": Row("memory.add:add"),
    "bench": Row("memory.index:bench"),
    "compact": Row("memory.compact:compact"),
    "edit": Row("memory.entries:edit"),
    "get": Row("memory.read:get"),
    "index": Row("memory.index:index"),
    "list": Row("memory.entries:list_"),
    "promote": Row("memory.promote:promote"),
    "rm": Row("memory.entries:rm"),
    "search": Row("memory.search:search"),
    "status": Row("memory.read:status"),
    "tidy": Row("memory.tidy:tidy"),
}


@click.group("memory", cls=LazyGroup, rows=_COMMANDS)
@shared_options
def memory() -> None:
    """Remember facts, read them back, see what there is.

    Example: clawgit memory status
    """
