"""Syncs once and kills itself, with no chance to clean up, at the n-th time the named step is
reached: one of a transaction's, or one between two calls of git over the network.

With the step `full` nothing dies; no file can grow beyond so many bytes, as on a full disk.
"""

import os
import resource
import signal
import sys
from datetime import datetime
from pathlib import Path

from clawgit.core.errors import ClawgitError
from clawgit.git.rules.actors import OPERATOR
from clawgit.history.sync import sync
from clawgit.workspace.workspace import Caller, open_workspace


def main(root: str, now: str, step: str, times: str = "1") -> None:
    left = int(times)

    def reached(words: str) -> None:
        nonlocal left
        if words.split(" ", maxsplit=1)[0] == step:
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    env = {**os.environ, "CLAWGIT_SEARCH_MODE": "core"}
    caller = Caller(OPERATOR, env, datetime.fromisoformat(now), Path(os.environ["HOME"]))
    workspace = open_workspace(Path(root), caller)
    repo = workspace.git
    repo.seam = repo.placer._seam = reached
    if step == "full":
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(times), int(times)))
    try:
        print(sync(workspace, tell=reached).state)
    except ClawgitError as error:
        print(error.kind, error.message, sep=" | ")
        sys.exit(error.exit_code)
    workspace.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
