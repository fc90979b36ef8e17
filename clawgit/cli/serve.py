"""`clawgit serve`."""

import click

from clawgit.cli import output
from clawgit.cli.command import clock, command, workspace
from clawgit.errors import UsageError


@command()
@click.option(
    "--socket", is_flag=True, help="Listen on a Unix socket in the state folder of the workspace."
)
def serve(socket: bool) -> None:
    """Keep the memory open and answer searches at once, until Ctrl-C.

    `clawgit memory search` asks this process while it runs, and answers the same without it. A chat
    runtime can send its messages to the socket too, as docs/chat.md tells.

    Example: clawgit serve --socket
    """
    from clawgit.ops.search.serve import Service  # noqa: PLC0415 - a command loads what it needs
    from clawgit.ops.search.serve import serve as answer_all  # noqa: PLC0415
    from clawgit.ops.search.service import Open  # noqa: PLC0415

    if not socket:
        raise UsageError("Say where to listen.", hint="clawgit serve --socket")
    tick = clock()
    with workspace() as ws:
        service = Service(
            opened=lambda opened: Open(opened, tick, output.note),
            clock=tick,
            encoded=output.jsonable,
            ready=lambda path: output.note(f"answering on {path}; Ctrl-C ends it"),
        )
        answer_all(ws, service)
