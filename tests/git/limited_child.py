"""Runs one transaction over a whole memory under a limit, and says in one line how it ended.

usage: python limited_child.py ROOT FILES (full BYTES | as UID | free)
"""

import os
import resource
import signal
import subprocess  # noqa: F401 - as nobody, nothing more can be loaded
import sys
from datetime import UTC, datetime
from pathlib import Path

import pygit2  # noqa: F401 - loaded before the limits are set: nobody may not read where it lies

from clawgit.core.doors import hashlib, json
from clawgit.core.errors import ClawgitError
from clawgit.git.gitdir import find_repo
from clawgit.git.rules.actors import Actor
from clawgit.git.rules.history import Intent
from clawgit.git.store import GitStore
from clawgit.safety.rules.rules import SECRETS, rules

LINE = "- a fact that nobody knew before\n"
LINES = 200


def main(root: str, *limit: str) -> None:
    if (
        limit[0] == "as"
    ):  # before anything is looked at: root may not use the folder of somebody else
        rules(SECRETS)  # who it becomes may not be able to load these
        json.dumps([hashlib.sha1(usedforsecurity=False).name, hashlib.sha256().name])
        os.setgroups([])
        os.setgid(int(limit[1]))
        os.setuid(int(limit[1]))
    place = find_repo(Path(root), os.environ)
    try:
        store = GitStore(place, os.environ)
        if limit[0] == "full":
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit[1]), int(limit[1])))
        write(store)
    except ClawgitError as error:
        print(error.kind, error.message, error.hint, sep=" | ")
        sys.exit(error.exit_code)


def write(store: GitStore) -> None:
    intent = Intent(Actor("memory-miner", "Memory Miner"), "mine", "a long day")
    with store.transaction(intent, datetime(2026, 2, 14, 9, 0, tzinfo=UTC)) as tx:
        tx.put("MEMORY.md", tx.read_text("MEMORY.md") + LINE * LINES)
        tx.put("memory/2026-02-14.md", "# 2026-02-14\n\n- short\n")
    print(tx.outcome.commit)
    store.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
