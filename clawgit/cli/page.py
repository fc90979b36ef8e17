"""`page`: shows what the agent remembers in a browser."""

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
from pathlib import Path
from typing import TextIO

import click

from clawgit import surroundings
from clawgit.cli import output
from clawgit.cli.command import command, option
from clawgit.cli.command_table import load
from clawgit.cli.given import options
from clawgit.cli.opening import caller, clock, workspace
from clawgit.cli.root import run
from clawgit.domain.change.actors import OPERATOR
from clawgit.doors import signal
from clawgit.errors import MissingExtraError
from clawgit.stores.trust import trust_file

_PORT = click.IntRange(0, 65535)


@command("page")
@option("--port N", "The port; 0 takes a free one.", type=_PORT, default=0)
@option("--no-open", "Only print the address.")
@option("--read-only", "Nothing can be changed on the page.")
@option("--out FILE", "Write the page to a file instead, which needs no server.")
@option("--of WHAT", "What --out writes: a day, soul, or whole.", default="whole")
def page(port: int, out: str, of: str, *, no_open: bool, read_only: bool) -> None:
    """Show in a browser what the agent remembers, and why.

    The address opens the page once, for reading. To change something there, type the code that
    appears at this terminal then. Return prints a new address, Ctrl-C ends the page.

    Example: clawgit page
    """
    if not (find_spec("starlette") and find_spec("uvicorn") and find_spec("jinja2")):
        raise MissingExtraError("The page needs starlette, uvicorn and jinja2.",
                                hint="pip install 'clawgit[web]'")  # fmt: skip
    with workspace() as opened:
        root, zone = str(opened.root), opened.config.settings.timezone
        git_dirs = {opened.place.git_dir, opened.place.shared.parent}
        files = (opened.root, git_dirs, trust_file(opened.caller.home, opened.caller.env).parent)
    if zone:
        # The operator reads this, and the machine may be elsewhere.
        os.environ["TZ"] = zone
        time.tzset()
    if out:
        write = load("clawgit.web.rendering:write_page")
        output.note(write(_asker(root), Path(out), Path(root), of, clock()()))
        return
    by_operator = caller().actor == OPERATOR

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
    mark = partial(load("clawgit.web.asking:mark"), *files)
    surroundings.look_often()
    serve = load("clawgit.web.server:serve")
    serve(port, _asker(root), mark, clock(), ready, tell, output.keep_bug)


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
