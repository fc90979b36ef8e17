"""What others do to a file of a workspace, event by event, and which of their lines must last."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

import pygit2

FILE = "MEMORY.md"
SEED = "# Memory\n\n- first\n- second\n- third\n"
GIT = ("git", "-c", "user.name=O", "-c", "user.email=o@example.org")


def litter(root: Path) -> list[str]:
    """What a process of ours left lying about."""
    inside = root / ".git"
    left = (
        *(*root.rglob(".clawgit-*"), *inside.rglob("*.lock")),
        *(*inside.glob("clawgit-*"), *(inside / "clawgit/held").glob("*")),
    )
    return [str(path.relative_to(root)) for path in left]


class World:
    """One workspace, and what others do in it.

    `known` are all lines that there may be, `expected` those that must last. Others take lines out
    of the file, too: all these are `taken`, and `free` are those that nobody of ours had by then.
    """

    def __init__(self, root: Path, *, early: bool) -> None:
        self.root, self.file = root, root / FILE
        self.known = set(SEED.splitlines()) - {""}
        self.expected = set(self.known)
        self.free: set[str] = set()
        self.taken: set[str] = set()
        self.buffer = SEED
        self.early = os.open(self.file, os.O_WRONLY | os.O_APPEND) if early else -1
        self.rewriting: tuple[int, bytes, str] | None = None
        self._dead = set[int]()
        self._numbers = count(1)

    def descriptors(self) -> list[int]:
        rewriting = [self.rewriting[0]] if self.rewriting else []
        return [*([self.early] if self.early >= 0 else []), *rewriting]

    def does(self, event: str) -> bool:
        """Whether the event was possible."""
        before = self._texts()
        inode = self._inode()
        if not EVENTS[event](self):
            return False
        if inode is not None and self._inode() != inode:
            self._dead.add(inode)
        self._count_gone(before)
        return True

    def _count_gone(self, before: dict[str, str]) -> None:
        after = self._texts()
        lost = {
            line
            for name, text in before.items()
            for line in _lines(text) - _lines(after.get(name, text))
        }
        if lost:
            self.taken |= lost
            kept = map(_lines, (self.text(), *history(self.root)))
            self.free |= lost.difference(*kept, *self._displaced())

    def _texts(self) -> dict[str, str]:
        """What the file has, and the files that we hold."""
        held = (*self.root.glob(".clawgit-*"), *self.root.glob(".git/clawgit/held/*.was"))
        return {"": self.text(), **{str(file): file.read_text() for file in held}}

    def _displaced(self) -> Iterator[set[str]]:
        """What is new in each file that we displaced. Of what we had read we promise nothing: it
        was in the file that was there next.
        """
        for card in self.root.glob(".git/clawgit/held/*.json"):
            base = _base(card)
            for file in (card.with_suffix(".was"), self.root / f".clawgit-{card.stem}.tmp"):
                if file.exists():
                    yield _lines(file.read_text()) - _lines(base)

    def _inode(self) -> int | None:
        try:
            return self.file.stat().st_ino
        except FileNotFoundError:
            return None

    def _is_rewritten(self, inode: int | None) -> bool:
        """Whether an editor is about to write over whatever is written there."""
        return self.rewriting is not None and os.fstat(self.rewriting[0]).st_ino == inode

    def text(self) -> str:
        try:
            return self.file.read_text()
        except FileNotFoundError:
            return ""

    def line(self, kind: str) -> str:
        return f"- {kind} {next(self._numbers)}"

    def saved(self, line: str) -> None:
        self.known.add(line)
        self.expected.add(line)

    # events

    def append_early(self) -> bool:
        """A descriptor that was opened before everything writes a line, and closes."""
        if self.early < 0 or self._is_rewritten(os.fstat(self.early).st_ino):
            return False
        line = self.line("early")
        os.write(self.early, f"{line}\n".encode())
        self.known.add(line)
        if os.fstat(self.early).st_ino not in self._dead:
            self.expected.add(line)
        os.close(self.early)
        self.early = -1
        return True

    def append(self) -> bool:
        if self._is_rewritten(self._inode()):
            return False
        line = self.line("appended")
        with self.file.open("a") as file:
            file.write(f"{line}\n")
        self.saved(line)
        return True

    def read(self) -> bool:
        """The editor with a buffer takes up what is on disk."""
        if self.buffer == self.text():
            return False
        self.buffer = self.text()
        return True

    def save(self) -> bool:
        """It saves its buffer with a line more, by rename."""
        line = self.line("saved")
        self.buffer += f"{line}\n"
        beside = self.root / "editor.tmp"
        beside.write_text(self.buffer)
        beside.replace(self.file)
        self.saved(line)
        return True

    def write_over(self) -> bool:
        """It saves its buffer with a line more, by one write into the file."""
        if self._is_rewritten(self._inode()):
            return False
        line = self.line("written")
        self.buffer += f"{line}\n"
        self.file.write_text(self.buffer)
        self.saved(line)
        return True

    def save_fresh(self) -> bool:
        """An editor reads the file, adds a line at its end, and saves by rename."""
        line = self.line("fresh")
        beside = self.root / "editor.tmp"
        beside.write_text(f"{self.text()}{line}\n")
        beside.replace(self.file)
        self.saved(line)
        return True

    def rewrite(self) -> bool:
        """An editor reads the file, cuts it, and writes the first half, or the second one."""
        if self.rewriting is not None:
            descriptor, rest, line = self.rewriting
            os.write(descriptor, rest)
            self.known.add(line)
            if os.fstat(descriptor).st_ino not in self._dead:
                self.expected.add(line)
            os.close(descriptor)
            self.rewriting = None
            return True
        line = self.line("rewritten")
        text = f"{self.text()}{line}\n".encode()
        middle = text.index(b"\n", len(text) // 2) + 1
        descriptor = os.open(self.file, os.O_WRONLY | os.O_TRUNC | os.O_CREAT)
        os.write(descriptor, text[:middle])
        self.rewriting = (descriptor, text[middle:], line)
        return True

    def delete(self) -> bool:
        with suppress(FileNotFoundError):
            self.file.unlink()
            return True
        return False

    def commit(self) -> bool:
        """Somebody commits by hand; git may be locked, or have nothing to commit."""
        call = [*GIT, "commit", "-qam", "by hand"]
        return not subprocess.run(call, cwd=self.root, capture_output=True, check=False).returncode

    def move(self) -> bool:
        """A push, or `git update-ref`, which ask for no lock, put a commit on the branch."""
        repo = pygit2.Repository(str(self.root))
        head, who = repo.head.peel(pygit2.Commit), pygit2.Signature("O", "o@example.org")
        repo.create_commit("refs/heads/main", who, who, "moved", head.tree_id, [head.id])
        repo.free()
        return True

    def finish(self) -> None:
        if self.rewriting:
            self.does("t")
        if self.early >= 0:
            os.close(self.early)
            self.early = -1


EVENTS: dict[str, Callable[[World], bool]] = {
    "e": World.append_early,
    "a": World.append,
    "r": World.read,
    "s": World.save,
    "w": World.write_over,
    "f": World.save_fresh,
    "t": World.rewrite,
    "d": World.delete,
    "c": World.commit,
    "m": World.move,
}
"""By a letter each, as an order of events names them."""


def _lines(text: str) -> set[str]:
    return {*text.splitlines()} - {""}


def _base(card: Path) -> str:
    """What we had read before we displaced the file of a card."""
    return str(json.loads(card.read_text())["base"])


def history(root: Path) -> list[str]:
    """The file in each commit that a ref leads to, newest first."""
    repo = pygit2.Repository(str(root))
    walker = repo.walk(repo.head.target, pygit2.enums.SortMode.TOPOLOGICAL)
    for name in repo.references:
        walker.push(repo.references[name].peel(pygit2.Commit).id)
    trees = [commit.tree for commit in walker]
    texts = [tree[FILE].peel(pygit2.Blob).data.decode() if FILE in tree else "" for tree in trees]
    repo.free()
    return texts
