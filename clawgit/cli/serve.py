"""`serve`: a process that holds the memory open, answers searches and writes for agents."""

import click

from clawgit import garbage
from clawgit.cli import output
from clawgit.cli.command import command
from clawgit.cli.opening import clock, workspace
from clawgit.ops.search.serve import Service
from clawgit.ops.search.serve import serve as answer_all
from clawgit.ops.search.service import Open


@command()
@click.option(
    "--socket", is_flag=True, help="Listen on a Unix socket in the state folder, as it always does."
)
def serve(socket: bool) -> None:  # noqa: ARG001 - scripts and units give it
    """Only keep the memory open and answer searches, until Ctrl-C.

    While it runs, `clawgit memory search` asks this process, and an agent's `clawgit memory add`
    writes through it; both work the same without it. A chat runtime can send its messages to the
    socket too; see docs/chat.md.

    Example: clawgit run serve
    """
    garbage.look_often()
    tick = clock()
    with workspace() as ws:
        service = Service(
            opened=lambda opened: Open(opened, tick, output.tell),
            clock=tick,
            encoded=output.jsonable,
            ready=lambda path: output.tell(f"answering on {path}; Ctrl-C ends it"),
        )
        answer_all(ws, service)
