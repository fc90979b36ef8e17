"""Reads what a commit will contain, by git's pipes; without `subprocess`, which takes 8 ms."""

import os
from _thread import start_new_thread
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import BinaryIO

from clawgit.core import NamedTuple
from clawgit.git.guards.hardened import guarded, hardened

NOTHING = "0"
"""How the id of a missing blob, and the mode of a missing file, begins."""

LONGEST_READ = 16 * 1024 * 1024
_LINK = "120000"
_GITLINK = "160000"


class StagedPath(NamedTuple):
    """One path of the coming commit. `before` and `after` are blob ids, "" if there is no file."""

    path: str
    before: str
    after: str


class StagedText(NamedTuple):
    """A file's text. `data` is empty if it is too long to read in a hook."""

    size: int
    data: bytes

    @property
    def is_text(self) -> bool:
        return b"\0" not in self.data[:8000]


class StagedEdit(NamedTuple):
    """What a commit does to one file; None if there is no file."""

    staged: StagedPath
    before: StagedText | None
    after: StagedText | None

    @property
    def path(self) -> str:
        return self.staged.path


def read_staged(raw: bytes) -> list[StagedPath]:
    """Parses `git diff --cached --raw --no-abbrev --no-renames`, without submodules, which have no
    text.
    """
    staged = []
    for line in filter(None, raw.split(b"\n")):
        head, _, path = line.partition(b"\t")
        old_mode, mode, before, after, _ = head.decode("ascii").lstrip(":").split(" ")
        if _GITLINK not in (old_mode, mode):
            name = os.fsdecode(_unquoted(path))
            staged.append(StagedPath(name, _file(before, old_mode), _file(after, mode)))
    return staged


def _unquoted(path: bytes) -> bytes:
    """A name as git says it to a shell, which cannot keep a zero: one with signs is quoted as in
    C.
    """
    if not path.startswith(b'"'):
        return path
    return path[1:-1].decode("unicode_escape").encode("latin-1")


def merge_heads(env: Mapping[str, str]) -> list[str]:
    """The branches that are being merged, as git's folder names them."""
    try:
        with open(f"{env.get('GIT_DIR', '.git')}/MERGE_HEAD", encoding="ascii") as heads:  # noqa: PTH123 - pathlib takes 5 ms to load
            return heads.read().split()
    except OSError:
        return []


def differing_from_all(
    staged: Sequence[StagedPath], merged: Iterable[str], env: Mapping[str, str]
) -> list[StagedPath]:
    """The files of a merge that differ from all sides; others were judged when they were
    committed.
    """
    left = list(staged)
    for parent in merged:
        argv = ("git", "diff", "--cached", "--raw", "--no-abbrev", "--no-renames", parent)
        there = {entry.path for entry in read_staged(output(argv, env))}
        left = [entry for entry in left if entry.path in there]
    return left


def edits(staged: Sequence[StagedPath], env: Mapping[str, str]) -> Iterator[StagedEdit]:
    """Each path with its texts, read by one `git cat-file` as they are asked for."""
    blobs = _blobs([oid for entry in staged for oid in (entry.before, entry.after) if oid], env)
    for entry in staged:
        before = next(blobs) if entry.before else None
        yield StagedEdit(entry, before, next(blobs) if entry.after else None)


def texts(names: Sequence[str], env: Mapping[str, str]) -> list[str]:
    """The files with these names, such as `HEAD:SOUL.md`; "" for one that does not exist."""
    found = [*_blobs(names, env)]
    return [blob.data.decode("utf-8", "surrogateescape") if blob else "" for blob in found]


def _blobs(names: Sequence[str], env: Mapping[str, str]) -> Iterator[StagedText | None]:
    """What a running `git cat-file --batch` answers, in the order of the names.

    A thread writes the names while the answers are read: neither pipe has room for all. Git may
    buffer its answers; flushing each would take a third of its time.
    """
    theirs_in, ours_out = os.pipe()
    pid, ours_in = _spawned(("git", "cat-file", "--batch", "--buffer"), env, theirs_in)
    os.close(theirs_in)
    start_new_thread(_ask, (ours_out, "".join(f"{name}\n" for name in names).encode()))
    try:
        # Git ends when nobody reads its answers any more, and so does the thread.
        with os.fdopen(ours_in, "rb") as answers:
            for _ in names:
                _, _, field = answers.readline().decode("ascii").strip().rpartition(" ")
                yield _text(answers, int(field)) if field.isdecimal() else None
    finally:
        os.waitpid(pid, 0)


def _text(answers: BinaryIO, size: int) -> StagedText:
    if size <= LONGEST_READ:
        return StagedText(size, answers.read(size + 1)[:-1])
    for at in range(0, size + 1, LONGEST_READ):
        answers.read(min(LONGEST_READ, size + 1 - at))
    return StagedText(size, b"")


def _ask(pipe: int, names: bytes) -> None:
    try:
        with os.fdopen(pipe, "wb") as requests:
            requests.write(names)
    except BrokenPipeError:
        return


def output(argv: tuple[str, ...], env: Mapping[str, str]) -> bytes:
    """The output of git, "" if it fails."""
    pid, reads = _spawned((argv[0], *guarded(argv[1:])), env)
    with os.fdopen(reads, "rb") as answers:
        answer = answers.read()
    return answer if os.waitpid(pid, 0)[1] == 0 else b""


def _spawned(argv: tuple[str, ...], env: Mapping[str, str], stdin: int = 0) -> tuple[int, int]:
    """Starts git; its number, and the pipe with its output."""
    reads, writes = os.pipe()
    actions = [(os.POSIX_SPAWN_DUP2, stdin, 0), (os.POSIX_SPAWN_DUP2, writes, 1)]
    # That of git's hook, GIT_INDEX_FILE too, without what changes git's answers.
    plain = hardened({name: value for name, value in env.items() if name != "GIT_EXTERNAL_DIFF"})
    pid = os.posix_spawnp(argv[0], argv, plain, file_actions=actions)
    os.close(writes)
    return pid, reads


def _file(oid: str, mode: str) -> str:
    return "" if mode.startswith(NOTHING) or mode == _LINK else oid
