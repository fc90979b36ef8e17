"""The programs that write while the power is cut. `python -m bench.power_writers DISK CUT NAME…`

Each writer repeats its action in a thread of its own. A line of JSON tells of its beginning, and one
of its end by exit code 0, which is the acknowledgement; whoever reads these lines is not on the
disk. It runs in a process namespace of its own: killed, it takes everything along that was started.
"""

import json
import os
import pty
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import NamedTuple

_CLAWGIT = str(Path(sys.executable).with_name("clawgit"))
NOTES = "memory/saved.md"
FORGOTTEN = "zanzibarwort"
"""The word that is forgotten; the workspace `told` has it in its history."""


class Desk(NamedTuple):
    """The disk, with the workspace in which all write, and what others are made from."""

    disk: Path
    env: dict[str, str]

    @property
    def main(self) -> Path:
        return self.disk / "main"

    def clawgit(self, folder: Path, *args: str, typed: str | None = None) -> tuple[int, str]:
        """The exit code and what it printed; `typed` at a terminal, as the operator."""
        argv = [_CLAWGIT, "--actor", "bench", *args] if typed is None else [_CLAWGIT, *args]
        if typed is None:
            return self.run(folder, *argv)
        master, slave = pty.openpty()
        try:
            os.write(master, typed.encode())
            return self.run(folder, *argv, stdin=slave)
        finally:
            os.close(slave)
            os.close(master)

    def run(self, folder: Path, *argv: str, stdin: int = subprocess.DEVNULL) -> tuple[int, str]:
        done = subprocess.run(
            argv, cwd=folder, env=self.env, stdin=stdin, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout.decode("utf-8", "replace")


def _add(desk: Desk, word: str) -> tuple[int, str]:
    return desk.clawgit(desk.main, "memory", "add", f"Machine {word} of the yard runs since 2004.")


def _correct(desk: Desk, word: str) -> tuple[int, str]:
    old = f"The office of Kim{word} is in Paris."
    done = desk.clawgit(desk.main, "memory", "add", old, typed="")
    if done[0]:
        return done
    new = f"The office of Kim{word} is in {word}."
    return desk.clawgit(desk.main, "corrections", "add", new, "--was", old, typed="")


def _undo(desk: Desk, word: str) -> tuple[int, str]:
    code, printed = _add(desk, word)
    return (code, printed) if code else desk.clawgit(desk.main, "undo", printed.split()[0])


def _soul(desk: Desk, word: str) -> tuple[int, str]:
    add = ("--section", "Boundaries", "--add", f"Ask before you start machine {word}.")
    return desk.clawgit(desk.main, "soul", "edit", *add, "--reason", "It is loud.", typed="")


def _save(desk: Desk, word: str) -> tuple[int, str]:
    """A program that saves two files as most do, without a sync, and one that takes a snapshot."""
    notes = desk.main / NOTES
    with notes.open("a", encoding="utf-8") as file:
        file.write(f"- the yard has {word}\n")
    (notes.parent / f"{word}.md").write_text(f"- a page of {word}new\n", encoding="utf-8")
    return desk.clawgit(desk.main, "snapshot")


def _commit(desk: Desk, word: str) -> tuple[int, str]:
    """Plain git, which syncs nothing of this, and a write of ours on top."""
    file = desk.main / f"memory/{word}.md"
    file.write_text(f"- a page of {word}\n", encoding="utf-8")
    for args in (("add", str(file)), ("commit", "-qm", "by hand", "--", str(file))):
        done = desk.run(desk.main, "git", *args)
        if done[0]:
            return done
    return desk.clawgit(desk.main, "memory", "add", f"Machine {word}new runs since 2005.")


def _heartbeat(desk: Desk, word: str) -> tuple[int, str]:
    return desk.clawgit(desk.main, "heartbeat", f"You forgot machine {word}.", "--session", "s")


def _pack(desk: Desk, _: str) -> tuple[int, str]:
    return desk.run(desk.main, "git", "gc", "--quiet")


def _copied(desk: Desk, origin: str, word: str) -> Path:
    """A copy under that name, which is there whole or not at all."""
    part = desk.disk / f"{word}.part"
    shutil.copytree(desk.disk / origin, part)
    os.sync()
    part.rename(desk.disk / word)
    os.sync()
    return desk.disk / word


def _init(desk: Desk, word: str) -> tuple[int, str]:
    folder = _copied(desk, "plain", word)
    return desk.clawgit(folder, "init", ".", typed="")


def _adopt(desk: Desk, word: str) -> tuple[int, str]:
    folder = _copied(desk, "history", word)
    return desk.clawgit(folder, "init", ".", typed="")


def _forget(desk: Desk, word: str) -> tuple[int, str]:
    folder = _copied(desk, "told", word)
    return desk.clawgit(folder, "forget", FORGOTTEN, "--history", typed="forget\n")


def _backup(desk: Desk, word: str) -> tuple[int, str]:
    return desk.clawgit(desk.disk / "told", "backup", "save", str(desk.disk / f"{word}.backup"))


def _restore(desk: Desk, word: str) -> tuple[int, str]:
    saved = str(desk.disk / "told.backup")
    return desk.clawgit(desk.disk, "backup", "restore", saved, str(desk.disk / word))


def _sync(desk: Desk, word: str) -> tuple[int, str]:
    """Another machine sends a line, and this one takes it and sends one of its own."""
    steps = (
        ("other", ("memory", "add", f"Machine {word}far of the quay runs since 2006.")),
        ("other", ("sync",)),
        ("near", ("memory", "add", f"Machine {word} of the pier runs since 2007.")),
        ("near", ("sync",)),
    )
    for place, args in steps:
        done = desk.clawgit(desk.disk / place, *args)
        if done[0]:
            break
    return done


def plant(desk: Desk) -> None:
    """The workspace in which all write, and what the others are copied from."""
    (desk.disk / "home").mkdir()
    plain, history, told = (desk.disk / name for name in ("plain", "history", "told"))
    for folder in (plain, history, told):
        (folder / "memory").mkdir(parents=True)
        for name in ("SOUL.md", "MEMORY.md", "memory/2026-02-13.md"):
            (folder / name).write_text(f"# {name}\n\n- A line of {name}.\n", encoding="utf-8")
    steps = [
        *((history, *order) for order in _COMMITTED),
        (desk.disk, "git", "init", "-q", "--bare", "remote.git"),
    ]
    for folder, *argv in steps:
        _must(desk.run(folder, *argv))
    for folder in (desk.main, told, desk.disk / "other"):
        folder.mkdir(exist_ok=True)
        _must(desk.clawgit(folder, "init", ".", typed=""))
    _must(desk.clawgit(told, "memory", "add", f"The barn is called {FORGOTTEN}."))
    _must(desk.clawgit(told, "memory", "add", "The house is called Seaview."))
    _must(desk.clawgit(told, "backup", "save", str(desk.disk / "told.backup")))
    remote = str(desk.disk / "remote.git")
    # What another machine acknowledges is up to it.
    _must(desk.run(desk.disk, "git", "-C", remote, "config", "core.fsync", "all"))
    _must(desk.run(desk.disk / "other", "git", "remote", "add", "origin", remote))
    _must(desk.clawgit(desk.disk / "other", "sync", typed=""))
    _must(desk.run(desk.disk, "git", "clone", "-q", remote, "near"))
    _must(desk.clawgit(desk.disk / "near", "init", ".", typed=""))
    os.sync()


_COMMITTED = (
    ("git", "init", "-q"), ("git", "add", "."), ("git", "commit", "-qm", "one"),
    ("git", "commit", "-qm", "two", "--allow-empty"),
)  # fmt: skip


def _must(done: tuple[int, str]) -> None:
    if done[0]:
        raise RuntimeError(done[1])


WRITERS: dict[str, Callable[[Desk, str], tuple[int, str]]] = {
    "add": _add,
    "correct": _correct,
    "undo": _undo,
    "soul": _soul,
    "save": _save,
    "commit": _commit,
    "heartbeat": _heartbeat,
    "pack": _pack,
    "init": _init,
    "adopt": _adopt,
    "forget": _forget,
    "backup": _backup,
    "restore": _restore,
    "sync": _sync,
}


def _repeat(desk: Desk, name: str, cut: str) -> None:
    number = 0
    while True:
        word = f"{name}{cut}x{number:03}"
        _say("begun", name, word, "")
        try:
            code, printed = WRITERS[name](desk, word)
        except OSError as error:
            code, printed = 1, str(error)
        _say("failed" if code else "done", name, word, printed)
        if code:
            return  # mostly because the disk is gone
        number += 1


def _say(*row: str) -> None:
    sys.stdout.write(json.dumps(row) + "\n")
    sys.stdout.flush()


def main(disk: str, cut: str, *names: str) -> None:
    desk = Desk(Path(disk), dict(os.environ))
    if "service" in names:
        argv = [_CLAWGIT, "serve"]
        null, pipe = subprocess.DEVNULL, subprocess.PIPE
        service = subprocess.Popen(argv, cwd=desk.main, stdin=null, stdout=null, stderr=pipe)
        assert service.stderr is not None
        service.stderr.readline()
    for name in names:
        if name in WRITERS:
            Thread(target=_repeat, args=(desk, name, cut)).start()


if __name__ == "__main__":
    main(*sys.argv[1:])
