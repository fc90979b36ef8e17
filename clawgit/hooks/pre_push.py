"""pre-push: refuses to let secrets leave the machine."""

import sys
from collections.abc import Iterator, Sequence
from functools import partial

from clawgit.core.errors import ClawgitError, Finding
from clawgit.hooks.border import run_safely, verdict, workspace
from clawgit.hooks.checks import SECRET
from clawgit.safety.secrets import refuse_push


def run(arguments: Sequence[str]) -> int:
    """Takes the caller, the name of the remote, and its address.

    If the scan fails, the push is refused: a push cannot be taken back.
    """
    _caller, remote, url = arguments
    return verdict(run_safely(SECRET, "", partial(_leaving, remote, url)), "push")


def _leaving(remote: str, url: str) -> Iterator[Finding]:
    try:
        refuse_push(workspace(), remote, url, sys.stdin.read().splitlines())
    except ClawgitError as error:
        yield Finding(error.message, error.hint)
