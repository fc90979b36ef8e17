"""Forks a process for each line of standard input, which runs one transaction and kills itself
where it is told to.

A line is JSON: root, step, times, line. The answer is one line: the signal or the exit code of the
fork. It is a process of its own, since a test runner has threads and must not fork.
"""

import json
import os
import signal
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from clawgit.core.errors import ClawgitError
from clawgit.git.gitdir import find_repo
from clawgit.git.rules.actors import Actor
from clawgit.git.rules.history import Intent
from clawgit.git.store import GitStore


def stop_at(step: str, times: int) -> Callable[[str], None]:
    left = times

    def seam(reached: str) -> None:
        nonlocal left
        left -= reached == step
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)

    return seam


def write(root: str, step: str, times: int, line: str) -> int:
    """One line in a file that is there, and the same in a new one: both arrive, or neither."""
    store = GitStore(find_repo(Path(root)), os.environ, seam=stop_at(step, times))
    intent = Intent(Actor("memory-miner", "Memory Miner"), "mine", line)
    try:
        with store.transaction(intent, datetime.now(UTC)) as tx:
            tx.put("MEMORY.md", (tx.read_text("MEMORY.md") or "") + f"- {line}\n")
            tx.put(f"memory/{line}.md", f"- twin of {line}\n")
    except ClawgitError:
        return 1
    return 0


def main() -> None:
    for request in sys.stdin:
        child = os.fork()
        if not child:
            os._exit(write(**json.loads(request)))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    main()
