"""`clawgit serve`."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from clawgit.cli import output
from clawgit.cli.command import caller, command, workspace
from clawgit.errors import UsageError

if TYPE_CHECKING:
    from clawgit.ops.search import Answer
    from clawgit.ops.workspace import Workspace


@command()
@click.option("--socket", is_flag=True, help="Listen on a Unix socket in the state folder of the workspace.")
def serve(socket: bool) -> None:
    """Keep the memory open and answer searches at once, until Ctrl-C.

    `clawgit memory search` asks this process while it runs, and answers the same without it.

    Example: clawgit serve --socket
    """
    from clawgit.ops.serve import Service  # noqa: PLC0415 - a command loads what it needs
    from clawgit.ops.serve import serve as answer_all  # noqa: PLC0415

    if not socket:
        raise UsageError("Say where to listen.", hint="clawgit serve --socket")
    with workspace() as ws:
        service = Service(
            opened=_Recall,
            clock=lambda: caller().now,
            encoded=output.jsonable,
            ready=lambda path: output.note(f"answering on {path}; Ctrl-C ends it"),
        )
        answer_all(ws, service)


class _Recall:
    """The search as the server keeps it open."""

    def __init__(self, ws: "Workspace") -> None:
        from clawgit.ops.owning import owner_of  # noqa: PLC0415 - only who serves keeps these
        from clawgit.ops.search import WARM, Searcher  # noqa: PLC0415

        self._owner = owner_of(ws)
        self._searcher = Searcher(ws, self._owner, patience=WARM)

    def answer(self, op: str, arguments: Mapping[str, object]) -> "Answer":
        from clawgit.ops.search import Request  # noqa: PLC0415

        if op != "search":
            raise UsageError(f"{op!r} is not answered here.", hint="clawgit memory search")
        return self._searcher.answer(Request(**arguments))  # type: ignore[arg-type]  # a client of this very version

    def freshen(self) -> None:
        """Each answer looks first what has changed."""

    def close(self) -> None:
        self._searcher.close()
        if self._owner:
            self._owner.close()
