"""A process that remembers one fact as soon as its parent lets it, for tests with several at
once."""

import os
import sys
from datetime import datetime
from pathlib import Path

from clawgit.git.rules.actors import AGENT
from clawgit.memory.remember import NewFact, remember
from clawgit.workspace.workspace import Caller, open_workspace


def main() -> None:
    root, now, *facts = sys.argv[1:]
    workspace = open_workspace(
        Path(root), Caller(AGENT, dict(os.environ), datetime.fromisoformat(now), Path.home())
    )
    sys.stdin.readline()
    for fact in facts:
        remember(workspace, NewFact(fact))
    workspace.close()


if __name__ == "__main__":
    main()
