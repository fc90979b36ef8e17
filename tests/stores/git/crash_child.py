"""Runs one transaction and kills itself, with no chance to clean up, at the n-th time the named step is reached."""

import os
import signal
import sys
from datetime import UTC, datetime
from pathlib import Path

from clawgit.domain.actors import Actor
from clawgit.domain.history import Intent
from clawgit.stores.git.gitdir import repo_at
from clawgit.stores.git.store import GitStore


def main(root: str, step: str, times: str) -> None:
    left = int(times)

    def seam(reached: str) -> None:
        nonlocal left
        if reached == step:
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    place = repo_at(Path(root))
    assert place is not None
    store = GitStore(place, os.environ, seam=seam)
    intent = Intent(actor=Actor("memory-miner", "Memory Miner"), verb="mine", summary="three files at once")
    with store.transaction(intent, datetime(2026, 2, 14, 9, 0, tzinfo=UTC)) as tx:
        tx.put("MEMORY.md", (tx.read_text("MEMORY.md") or "") + "- ours\n")
        tx.put("memory/2026-02-14.md", "# 2026-02-14\n\n- ours too\n")
        tx.delete("memory/2026-02-13.md")
    print(tx.outcome.commit)


if __name__ == "__main__":
    main(*sys.argv[1:])
