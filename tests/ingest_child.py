"""Takes in OpenClaw's transcripts, and kills itself, meets a full disk or has little memory on the
way.

usage: python ingest_child.py ROOT (batch N | judge N | full BYTES | memory BYTES)
`memory` is how much more it may take than it has at first.
"""

import os
import resource
import signal
import sqlite3
import sys
from pathlib import Path

from clawgit.core.errors import ClawgitError
from clawgit.talk import ingest
from clawgit.talk.rules.chat import Message
from tests.chatting import judge, opened


def main(root: str, where: str, times: str) -> None:
    left = int(times)

    def reached(step: str) -> None:
        nonlocal left
        left -= step == where
        if left == 0 and step == where:
            os.kill(os.getpid(), signal.SIGKILL)

    def judging(message: Message, db: sqlite3.Connection) -> bool:
        priority = judge(message, db)
        reached("judge")
        return priority

    take = ingest._Intake.take

    def taking(intake: ingest._Intake, batch: list[Message], mark: tuple[str, str] | None) -> None:
        take(intake, batch, mark)
        reached("batch")

    ingest._Intake.take = taking  # type: ignore[method-assign,assignment]
    workspace = opened(Path(root))
    if where == "full":
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (left, left))
    if where == "memory":
        # What is loaded already does not count: this may be a copy of a Python with everything.
        most = left + _address_space()
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    try:
        ingest.ingest_openclaw(workspace, judge=judging)
    except ClawgitError as error:
        print(error.kind, error.message, sep=" | ")


def _address_space() -> int:
    pages = Path("/proc/self/statm").read_text("ascii").split()[0]
    return int(pages) * resource.getpagesize()


if __name__ == "__main__":
    main(*sys.argv[1:])
