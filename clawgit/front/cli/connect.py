"""`connect`: connects OpenClaw, Claude Code, Cursor and Codex to clawgit, and disconnects them.
`mcp`: what they call. `page`: shows what the agent remembers in a browser.
"""

import io
import os
import select
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import partial
from importlib.util import find_spec
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from clawgit.core import surroundings
from clawgit.core.doors import signal
from clawgit.core.errors import ClawgitError, MissingExtraError, UsageError
from clawgit.front.cli.root import run
from clawgit.safety.trust_store import trust_file
from clawgit.terminal import output
from clawgit.terminal.command import Answer, command, dry_run_option, option
from clawgit.terminal.command_table import load
from clawgit.terminal.opening import caller, clock, find_start, standard_input, workspace
from clawgit.terminal.text import options, table

if TYPE_CHECKING:
    from clawgit.front.connect.connect import Connected, Connections, Touched

_CLIENTS = ("openclaw", "claude-code", "cursor", "codex")
_EVENT = "event"
"""`connect event`: what a hook of Claude Code calls, with its event on standard input. Nothing that
it does not need is loaded: the user waits for it at each prompt."""

_MOST_SHOWN = 15
"""How many lines of a new file --dry-run shows. A longer file is copied from the package."""

_ANSWERS = {
    "SessionStart": "front.connect.turns:started",
    "UserPromptSubmit": "front.connect.events:prompted",
    "Stop": "front.connect.turns:stopped",
}


@command("connect")
@click.argument(
    "client", required=False, type=click.Choice([*_CLIENTS, _EVENT]), metavar="[CLIENT]"
)
@option("--project DIR", "The project whose own config to change.", default=None,
        type=click.Path(exists=True, file_okay=False, path_type=Path))  # fmt: skip
@option("--name NAME", "Name of the server there.  [default: clawgit]")
@option("--remove", "Remove it again; what you edited since stays.")
@dry_run_option
def connect(client: str | None, project: Path | None, name: str, remove: bool) -> Answer | int:
    """Connect OpenClaw, Claude Code, Cursor or Codex to clawgit.

    CLIENT is openclaw, claude-code, cursor or codex; without it, what is connected is listed. A few
    files are written: --dry-run shows them first, --remove removes them again.

    Example: clawgit connect openclaw --dry-run
    """
    if client == _EVENT:
        return _answer_event()
    if project and client == "openclaw":
        raise UsageError("OpenClaw has no projects.", hint="Leave out --project.")
    with workspace() as opened:
        if client is None:
            return load("front.connect.connect:listing")(opened), _listed_text
        where = str(project.absolute()) if project else ""
        asked = load("front.connect.connect:Connection")(client, where, name)
        change = load("front.connect.connect:connect")
        return change(opened, asked, removing=remove), _connected_text


def _answer_event() -> int:
    """Answers a hook of Claude Code; events that are not known with nothing."""
    try:
        event = load("front.connect.events:event_in")(standard_input())
        where = _ANSWERS.get(str(event.get("hook_event_name")))
        session = f"claude-code:{event.get('session_id') or 'unknown'}"
        with workspace() as opened:
            if where and (answer := load(where)(opened, session, event)):
                output.line(answer)
    except ClawgitError as error:
        # Not the error's own code: with 2, a hook of Claude Code stops the user's message.
        return min(output.fail(error, as_json=False), 1)
    return 0


def _listed_text(listed: "Connections") -> str:
    remove = load("front.connect.connect:command_to_remove")
    lines = table([[row.client, output.dim(remove(row))] for row in listed.connections])
    return "\n".join(lines) or output.dim("no program is connected to this workspace")


def _connected_text(done: "Connected") -> str:
    rows = [_file_text(file, dry_run=done.change.dry_run) for file in done.files if file.diff]
    rows = rows or [f"no change needed for {done.client}"]
    steps = [] if done.change.dry_run else [f"next: {step}" for step in done.steps]
    return "\n".join([*rows, *output.notes(done.notes), *steps])


def _file_text(file: "Touched", *, dry_run: bool) -> str:
    if dry_run:
        lines = file.diff.count("\n+") - 1
        if file.action == "added" and lines > _MOST_SHOWN:
            return f"would add {file.path}, {lines} lines"
        return output.colored_diff(file.diff)
    backup = f"  backup: {file.backup}" if file.backup and file.action != "added" else ""
    return f"{file.action} {file.path}{output.dim(backup)}"


@command()
def mcp() -> None:
    """Offer this memory to other agents as tools, over MCP.

    An MCP client starts this command and talks over its standard input and output.

    Example: openclaw mcp set clawgit
    '{"command":"clawgit","args":["mcp"],"cwd":"/path/to/workspace"}'
    """
    if not find_spec("mcp"):
        raise MissingExtraError(
            "The MCP server needs the mcp package.", hint="pip install 'clawgit[mcp]'"
        )
    asker = caller()
    start = find_start(asker)
    if sys.stdin.isatty():
        output.note(
            "An agent's MCP client starts this and talks to it here; Ctrl-C ends it. See "
            "docs/connect.md."
        )
    front = load("front.mcp.worker:Front")(start, asker, clock())
    surroundings.look_often()
    load("front.mcp.server:serve_stdio")(front)


_PORT = click.IntRange(0, 65535)


@command("page")
@option("--port N", "The port; 0 takes a free one.", type=_PORT, default=0)
@option("--no-open", "Only print the address.")
@option("--read-only", "Nothing can be changed on the page.")
@option("--out FILE", "Write the page to a file instead, which needs no server.", default=None)
@option("--of WHAT", "What --out writes: a day, soul, or whole.", default="whole")
def page(port: int, out: str | None, of: str, *, no_open: bool, read_only: bool) -> None:
    """Show in a browser what the agent remembers, and why.

    The address opens the page once, for reading. To change something there, type the code that
    appears at this terminal then. Return prints a new address, Ctrl-C ends the page.

    Example: clawgit page
    """
    if not (find_spec("starlette") and find_spec("uvicorn") and find_spec("jinja2")):
        raise MissingExtraError("The page needs starlette, uvicorn and jinja2.",
                                hint="pip install 'clawgit[web]'")  # fmt: skip
    with workspace() as opened:
        root, zone = str(opened.root), opened.settings.timezone
        git_dirs = {opened.place.git_dir, opened.place.shared.parent}
        files = (opened.root, git_dirs, trust_file(opened.caller).parent)
    if zone:
        # The operator reads this, and the machine may be elsewhere.
        os.environ["TZ"] = zone
        time.tzset()
    if out is not None:
        write = load("front.web.rendering:write_page")
        said = write(_asker(root), Path(out), Path(root), of, clock()())
        output.emit({"file": out, "holds": said}, itemgetter("holds"))
        return
    by_operator = caller().actor.is_operator

    def ready(new_address: Callable[[], str]) -> None:
        address = new_address()
        output.line(address)
        if by_operator:
            # In the background, reading the terminal would stop the server.
            signal.signal(signal.SIGTTIN, signal.SIG_IGN)
            threading.Thread(target=_at_return, args=(sys.stdin, new_address), daemon=True).start()
            output.note("Return shows another address, Ctrl-C ends the page.")
            if not no_open:
                _open(address)

    # A program that catches what is printed may have a terminal as its input, which it was given.
    shows = sys.stdout.isatty() and sys.stderr.isatty()
    tell = _show_code if by_operator and shows and not read_only else None
    mark = partial(load("front.web.asking:mark"), *files)
    surroundings.look_often()
    load("front.web.app:serve")(port, _asker(root), mark, clock(), ready, tell)


_AT_THE_TERMINAL = threading.Lock()
"""Held by whoever prints: while a command runs for the page, its answer is caught, and so would be
whatever else is printed.
"""


def _asker(root: str) -> Callable[[Sequence[str], bool], str]:
    """Runs commands in this process. They neither ask at the terminal nor print there."""
    now = options().now
    given = ["-C", root, "--json", *(["--now", now] if now else [])]

    def ask(words: Sequence[str], as_operator: bool) -> str:
        answer = io.StringIO()
        with _AT_THE_TERMINAL:
            terminal, sys.stdin = sys.stdin, io.StringIO()
            try:
                with redirect_stdout(answer), redirect_stderr(io.StringIO()):
                    run([*given, *words], seated=as_operator)
            finally:
                sys.stdin = terminal
        return answer.getvalue()

    return ask


def _open(address: str) -> None:
    """Opens a browser beside the terminal. One that opens in it, as over ssh, would read what is
    typed for the page.
    """
    windows = {"BROWSER", "DISPLAY", "WAYLAND_DISPLAY"}
    if sys.platform == "darwin" or not windows.isdisjoint(os.environ):
        # Some wait until their window is closed.
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _at_return(terminal: TextIO, new_address: Callable[[], str]) -> None:
    with suppress(OSError):  # the terminal is gone, or another program's now
        while select.select([terminal], [], [])[0]:
            with _AT_THE_TERMINAL:
                # Meanwhile a command may have read it, as a passphrase of the operator key.
                if select.select([terminal], [], [], 0)[0]:
                    if not terminal.readline():
                        return
                    output.line(new_address())


def _show_code(code: str) -> None:
    with _AT_THE_TERMINAL:
        output.note(
            f"To change something on the page, type this code there: {code}",
            "Nobody else needs it. Was it not you who asked? Then leave it.",
        )
