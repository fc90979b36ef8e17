"""freshen: brings the index and what else is derived up to date, after a commit."""

import os
from collections.abc import Iterable, Sequence

from clawgit.hooks.border import run_safely, workspace
from clawgit.ops.hooks.finding import HookCheck, HookFinding
from clawgit.ops.hooks.freshen import freshen


def run(_: Sequence[str]) -> int:
    """Works in the background: in a session of its own, and slower than what somebody waits for."""
    os.setsid()
    os.nice(10)
    run_safely(_freshened, HookCheck("freshening", "the index", tuple))
    return 0


def _freshened() -> Iterable[HookFinding]:
    opened = workspace()
    try:
        freshen(opened)
    finally:
        # The script starts no second one while this process lives. The note goes at the end, since
        # the number may belong to another program by tomorrow.
        note = opened.place.private / "freshen.pid"
        if note.is_file() and note.read_text("ascii").strip() == str(os.getpid()):
            note.unlink()
    return ()
