"""Syncs once and kills itself, with no chance to clean up, at the n-th time the named step is
reached: one of a transaction's, or one between two calls of git over the network.
"""

import os
import signal
import sys
from datetime import datetime
from pathlib import Path

from clawgit.domain.change.actors import OPERATOR
from clawgit.ops.sync.sync import sync
from clawgit.ops.workspace.workspace import Caller, open_workspace


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
    repo = workspace.git._repo
    repo.seam = repo.placer._seam = reached
    print(sync(workspace, tell=reached).state)
    workspace.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
