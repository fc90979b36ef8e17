"""Runs one transaction and kills itself, with no chance to clean up, at the n-th time the named
step is reached.

An editor may save the file in the moment before the exchange: by appending a line, or by a new file
over the old one. Or the power is cut (`power`): then all files are empty that were written since the
beginning and not synced. Or the line gets a twin in a new file, and nothing else (`twin`).
"""

import os
import signal
import stat
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from clawgit.core.errors import ClawgitError
from clawgit.git.gitdir import find_repo
from clawgit.git.rules.actors import Actor
from clawgit.git.rules.history import Intent
from clawgit.git.store import GitStore


def append(file: Path) -> None:
    with file.open("a") as editor:
        editor.write("- saved meanwhile\n")


def rename(file: Path) -> None:
    beside = file.with_name("editor.tmp")
    beside.write_text(file.read_text().replace("Billing", "All billing") + "- saved meanwhile\n")
    beside.replace(file)


class Power:
    """What is on the disk, and what only in memory."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.safe = {self._of(file.stat()) for file in self._files()}
        self._sync, os.fsync = os.fsync, self.sync  # type: ignore[assignment]
        self._touch, os.utime = os.utime, self.touch  # type: ignore[assignment]

    def sync(self, descriptor: int) -> None:
        self._sync(descriptor)
        self.safe.add(self._of(os.fstat(descriptor)))

    def touch(self, path: Path, *args: Any, **how: Any) -> None:
        was_safe = self._of(Path(path).stat()) in self.safe
        self._touch(path, *args, **how)
        if was_safe:
            self.safe.add(self._of(Path(path).stat()))

    def cut(self) -> None:
        for file in self._files():
            if self._of(file.stat()) not in self.safe:
                os.truncate(file, 0)

    def _files(self) -> list[Path]:
        return [file for file in Path(self.root).rglob("*") if stat.S_ISREG(file.lstat().st_mode)]

    def _of(self, found: os.stat_result) -> tuple[int, int]:
        return found.st_ino, found.st_mtime_ns


EDITORS = {"append": append, "rename": rename}


def main(root: str, step: str, times: str, editor: str = "", ours: str = "- ours\n") -> None:
    left, saved = int(times), False
    power = Power(root) if editor == "power" else None

    def seam(reached: str) -> None:
        nonlocal left, saved
        if reached == "prepared" and editor in EDITORS and not saved:
            saved = True
            EDITORS[editor](Path(root) / "MEMORY.md")
        if reached == step:
            left -= 1
            if left == 0:
                if power:
                    power.cut()
                os.kill(os.getpid(), signal.SIGKILL)

    store = GitStore(find_repo(Path(root)), os.environ, seam=seam)
    intent = Intent(
        actor=Actor("memory-miner", "Memory Miner"), verb="mine", summary="three files at once"
    )
    try:
        with store.transaction(intent, datetime(2026, 2, 14, 9, 0, tzinfo=UTC)) as tx:
            tx.put("MEMORY.md", tx.read_text("MEMORY.md") + ours)
            if editor == "twin":
                name = ours.strip("- \n")
                tx.put(f"memory/{name}.md", f"- twin of {name}\n")
            else:
                tx.put("memory/2026-02-14.md", "# 2026-02-14\n\n- ours too\n")
                tx.put("memory/2026-02-13.md", None)
    except ClawgitError:
        sys.exit(1)
    print(tx.outcome.commit)
    store.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
