"""freshen: brings the index and what else is derived up to date, after a commit."""

import os
from collections.abc import Iterable, Sequence
from functools import partial

from clawgit.hooks.border import run_safely, workspace
from clawgit.ops.hooks.finding import HookCheck, HookFinding

_COMMITTED, _MERGED = "post-commit", "post-merge"


def run(arguments: Sequence[str]) -> int:
    """Works in the background: in a session of its own, and slower than what somebody waits for.

    The argument is the hook that starts it.
    """
    os.setsid()
    os.nice(10)
    freshened = partial(_freshened, committed=_COMMITTED in arguments, merged=_MERGED in arguments)
    run_safely(freshened, HookCheck("freshening", "the index", tuple))
    return 0


def _freshened(*, committed: bool, merged: bool) -> Iterable[HookFinding]:
    # Imported here: at the low priority, and with `run_safely` around it. Nobody sees the output of
    # this hook, so a broken install must be found in the log.
    from clawgit.ops.hooks.freshen import freshen  # noqa: PLC0415 - as said above

    opened = workspace()
    try:
        freshen(opened, committed=committed, merged=merged)
    finally:
        # The script starts no second one while this process lives. The note goes at the end, since
        # the number may belong to another program by tomorrow.
        note = opened.place.private / "freshen.pid"
        if note.is_file() and note.read_text("ascii").strip() == str(os.getpid()):
            note.unlink()
    return ()
