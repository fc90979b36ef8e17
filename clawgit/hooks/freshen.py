"""freshen: updates the index and other derived data after a commit."""

import os
from collections.abc import Iterable, Sequence
from functools import partial

from clawgit.hooks.border import run_safely, workspace
from clawgit.ops.hooks.finding import HookCheck, HookFinding

_COMMITTED, _MERGED = "post-commit", "post-merge"


def run(arguments: Sequence[str]) -> int:
    """Works in the background: in its own session, and at a low priority.

    The argument is the hook that starts it.
    """
    os.setsid()
    os.nice(10)
    freshened = partial(_freshened, committed=_COMMITTED in arguments, merged=_MERGED in arguments)
    run_safely(HookCheck("freshening", "the index", freshened))
    return 0


def _freshened(*, committed: bool, merged: bool) -> Iterable[HookFinding]:
    # Imported here: at the low priority, and with `run_safely` around it. Nobody sees the output of
    # this hook, so a broken install must be found in the log.
    from clawgit.ops.hooks.freshen import freshen  # noqa: PLC0415 - as said above

    opened = workspace()
    try:
        freshen(opened, committed=committed, merged=merged)
    finally:
        # The script starts no second one while this process lives. The file is deleted at the end,
        # since the process id may be another program's later.
        note = opened.place.private / "freshen.pid"
        if note.is_file() and note.read_text("ascii").strip() == str(os.getpid()):
            note.unlink()
    return ()
