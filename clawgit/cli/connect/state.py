"""What `connect` shows when it is called alone."""

from clawgit.cli import output
from clawgit.cli.opening import workspace
from clawgit.cli.output import dim, shown
from clawgit.ops.clients.connections import Connection, Connections, connections


def state() -> None:
    """Lists the programs that are connected to the workspace."""
    with workspace() as opened:
        listing = Connections(connections(opened))
        output.emit(listing, _connections_text)


def _connections_text(listing: Connections) -> str:
    rows = [_connection_text(connection) for connection in listing.connections]
    return "\n".join(rows) or dim("no program is connected to this workspace")


def _connection_text(connection: Connection) -> str:
    where = f" in {shown(str(connection.project))}" if connection.project else ""
    return f"connected: {connection.client}{where}  {dim(shown(connection.command))}"
