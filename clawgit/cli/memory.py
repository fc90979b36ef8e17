"""The `memory` command group: what the agent remembers, written, found and looked after."""

import click

from clawgit.cli.lazy import LazyGroup, Row
from clawgit.cli.options import shared_options

# A runtime calls `add` and `search` all the time, so each command loads only what it needs itself.
_COMMANDS = {
    "add": Row("memory_add:add"),
    "bench": Row("memory_index:bench"),
    "compact": Row("memory_compact:compact"),
    "get": Row("memory_read:get"),
    "index": Row("memory_index:index"),
    "promote": Row("memory_promote:promote"),
    "search": Row("memory_search:search"),
    "status": Row("memory_read:status"),
    "tidy": Row("memory_tidy:tidy"),
}


@click.group("memory", cls=LazyGroup, rows=_COMMANDS)
@shared_options
def memory() -> None:
    """Remember facts, read them back, see what there is.

    Example: clawgit memory status
    """
