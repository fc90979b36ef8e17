"""A long answer at the operator's terminal goes through a pager, as in git."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from clawgit.doors import shutil, signal, subprocess

_OFF = ("", "cat")
_LESS = "FRX"
"""The options with which git calls less: it ends by itself if all fits, shows colours, and leaves
the text on the screen."""


def pager(text: str, env: Mapping[str, str]) -> str:
    """The command to show a text with; empty if it is just printed.

    Only a person can leave a pager. So standard input must be a terminal too, and an agent that
    opened one must not have named itself.
    """
    command = env.get("CLAWGIT_PAGER", env.get("PAGER", "less"))
    if command in _OFF or not _somebody_reads(env):
        return ""
    if text.count("\n") + 1 < shutil.get_terminal_size().lines:
        return ""
    return command if shutil.which(command.split(maxsplit=1)[0]) else ""


def _somebody_reads(env: Mapping[str, str]) -> bool:
    if env.get("CLAWGIT_ACTOR") or env.get("TERM") in ("dumb", "unknown"):
        return False
    return sys.stdout.isatty() and sys.stdin is not None and sys.stdin.isatty()


def show(text: str, command: str) -> None:
    """Shows a text in a pager, and waits until it is left."""
    env = {"LESS": _LESS, **os.environ}
    with _left_to_the_pager():
        # The shell splits the command: it may hold options and quotes.
        subprocess.run(  # noqa: S604 - the operator's own setting
            command,
            shell=True,
            input=text.encode("utf-8", "replace"),
            check=False,
            env=env,
        )


@contextmanager
def _left_to_the_pager() -> Iterator[None]:
    """Ctrl-C belongs to the pager while it runs: it ends a search in it, not the pager."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
