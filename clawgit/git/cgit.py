"""Starts C git as a child process, the only place that does, and explains its failures."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import IO, TypeVar

from clawgit.core.doors import subprocess, threading
from clawgit.core.errors import DAMAGE_HINT, BusyError, ClawgitError, StorageError
from clawgit.git.guards.filters import Driver, local_drivers, may_have_drivers, off
from clawgit.git.guards.hardened import (
    SYNCS,
    guarded,
    hardened,
    subcommand_at,
    with_config,
    without_local,
)
from clawgit.git.place import foreign_owner

_DAMAGE_WORDS = (
    "bad object",
    "nonexistent object",
    "bad tree",
    "unable to read",
    "error: Could not read ",
    "missing blob",
    "missing tree",
    "corrupt",
    "inflate",
    "not a git repository",
    "bad ref",
    "index file",
    "unable to unpack",
)
_FULL_WORDS = ("No space left on device", "File too large", "Out of diskspace")


class CGitError(ClawgitError):
    """C git failed. `stderr` has its own words, `stdout` its output until then."""

    kind = "git"

    def __init__(self, args: Sequence[str], code: int, stderr: str, stdout: bytes) -> None:
        # `git --version` has no command after git's own options.
        command = "".join(args[subcommand_at(args) :][:1]) or args[-1]
        super().__init__(
            f"git {command} failed: {stderr.strip() or f'exit {code}'}",
            hint=DAMAGE_HINT if any_of(_DAMAGE_WORDS, stderr) else "",
            code=code,
        )
        self.stderr = stderr
        self.stdout = stdout


def any_of(words: Iterable[str], text: str) -> bool:
    return any(word in text for word in words)


def listed(names: Iterable[str]) -> bytes:
    """Names as git reads them from its standard input."""
    return "".join(f"{name}\n" for name in names).encode()


class CGit:
    """Starts git in one repository, so that it runs no program that the repository names.

    Variables that a hook or a shell set for another repository are left out. Filters of the
    repository's own configuration are off, except the trusted ones: each row of `trusted_filters`
    is a key with its value, `filter.NAME.clean=PROGRAM`.
    """

    ends_with_us = False
    """Whether a git is ended where nobody waits for it any more. Most may finish their work."""

    def __init__(
        self, root: Path, env: Mapping[str, str], trusted_filters: frozenset[str] = frozenset()
    ) -> None:
        self.root = root
        self._trusted = trusted_filters
        own = without_local(env)
        if os.path.lexists(root / ".git"):
            # This overrides core.worktree, with which git would look at another folder and call
            # this one clean.
            own["GIT_WORK_TREE"] = str(root)
        self._base = hardened(own)

    @cached_property
    def untrusted_filters(self) -> tuple[Driver, ...]:
        """The filters in the repository's own configuration that nobody has accepted.

        If its files name none, no process is started.
        """
        if not may_have_drivers(self.root):
            return ()
        listing = self._started(
            ("config", "-z", "--show-scope", "--get-regexp", r"^filter\."), self._base
        )
        return local_drivers(listing.finish((0, 1))[1], self._trusted)

    @cached_property
    def _env(self) -> Mapping[str, str]:
        return with_config(self._base, off(self.untrusted_filters))

    def run(
        self, *args: str, stdin: bytes = b"", index: Path | None = None, ok: tuple[int, ...] = (0,)
    ) -> bytes:
        """The standard output of `git ARGS`; an exit code outside `ok` raises `CGitError`."""
        return self.start(*args, stdin=stdin, index=index).finish(ok)[1]

    def call(self, *args: str, ok: tuple[int, ...]) -> tuple[int, bytes]:
        """The exit code, too."""
        return self.start(*args).finish(ok)

    def start(self, *args: str, stdin: bytes = b"", index: Path | None = None) -> "Running":
        """Starts git and comes back at once; `finish` waits for it."""
        env = self._env if index is None else {**self._env, "GIT_INDEX_FILE": str(index)}
        return self._started(args, env, stdin)

    def _started(
        self, args: Sequence[str], env: Mapping[str, str], stdin: bytes = b""
    ) -> "Running":
        pipe = subprocess.PIPE
        argv = ["git", *guarded(args)]
        try:
            child = subprocess.Popen(
                argv, cwd=self.root, env=env, stdin=pipe, stdout=pipe, stderr=pipe
            )
        except FileNotFoundError as error:
            if not self.root.is_dir():
                raise
            raise ClawgitError(
                "git is not installed, or not on PATH.", hint="Install git 2.30 or newer."
            ) from error
        return Running(args, child, stdin, self)

    def have_synced(self) -> None:
        """Has the git of users sync what it writes, unless somebody has decided about that.

        A change of ours stands on their commits; a power cut must not leave it without them.
        """
        scopes = ("--system", "--global", "--local")
        if not any(self.text("config", scope, "--get", SYNCS, ok=(0, 1)) for scope in scopes):
            self.run("config", "--local", SYNCS, _OURS)
        os.sync()

    def let_unsynced(self, *, dry_run: bool) -> tuple[str, ...]:
        """Takes that back; returns the settings that are removed."""
        ours = self.text("config", "--local", "--get", SYNCS, f"^{_OURS}$", ok=(0, 1))
        if ours and not dry_run:
            self.run("config", "--local", "--unset-all", SYNCS, f"^{_OURS}$")
        return (f"git's setting {SYNCS} {_OURS}",) if ours else ()

    def files(self, *patterns: str) -> Iterator[str]:
        """The files that git tracks, or would track. A repository inside ends with a slash."""
        listed = self.run(
            "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate",
            "--", *patterns,
        )  # fmt: skip
        return (os.fsdecode(path) for path in listed.split(b"\0") if path)

    def holds(self, tip: str, oid: str) -> bool:
        """Whether a commit is in the history of another; False if either is not here."""
        return self.call("merge-base", "--is-ancestor", oid, tip, ok=(0, 1, 128))[0] == 0

    def text(self, *args: str, stdin: bytes = b"", ok: tuple[int, ...] = (0,)) -> str:
        return self.run(*args, stdin=stdin, ok=ok).decode("utf-8", "surrogateescape")


_OURS = "added,reference"
"""Objects, index and references: a form of `all` by which we know our own value again."""


Piece = TypeVar("Piece")


class Running:
    """A running git process. The caller who started it must let it finish."""

    def __init__(
        self, args: Sequence[str], child: "subprocess.Popen[bytes]", stdin: bytes, git: CGit
    ) -> None:
        self._args, self._child, self._stdin, self._git = args, child, stdin, git

    def lines(self) -> Iterator[bytes]:
        """Its standard output, line by line."""
        return self.pieces(lambda out: out.readline(_LINE) or None)

    def fields(self) -> Iterator[bytes]:
        """What it says between zero bytes, as it comes."""
        rest = b""
        for piece in self.pieces(lambda out: os.read(out.fileno(), _LINE) or None):
            *whole, rest = (rest + piece).split(b"\0")
            yield from whole
        yield rest

    def pieces(self, read: Callable[[IO[bytes]], Piece | None]) -> Iterator[Piece]:
        """Its standard output as it comes, until `read` has no more; closing the iterator stops
        git.

        An exit code other than 0 raises at the end.
        """
        into, out = self._child.stdin, self._child.stdout
        assert into  # noqa: S101 - `start` makes the pipes
        assert out  # noqa: S101
        # By a thread of its own: git answers before it has read all, and would wait for us to read
        # while we wait for it.
        self._child.stdin = None
        threading.Thread(target=_fed, args=(into, self._stdin), daemon=True).start()
        try:
            while (piece := read(out)) is not None:
                yield piece
        except GeneratorExit:
            self._child.kill()
            raise
        finally:
            _, err = self._child.communicate()
        if self._child.returncode:
            raise self._failure(err)

    def finish(self, ok: tuple[int, ...] = (0,)) -> tuple[int, bytes]:
        """Its exit code and standard output."""
        try:
            out, err = self._child.communicate(self._stdin)
        finally:
            if self._git.ends_with_us:
                # Asked to end, if it still runs, it takes its locks away.
                self._child.terminate()
        if self._child.returncode not in ok:
            raise self._failure(err, out)
        return self._child.returncode, out

    def _failure(self, err: bytes, out: bytes = b"") -> ClawgitError:
        """The error, or one that explains it if the cause is known."""
        code, stderr = self._child.returncode, err.decode("utf-8", "replace")
        if any_of(_FULL_WORDS, stderr) or code == -25:  # noqa: PLR2004 - SIGXFSZ
            return StorageError(
                "The disk is full.",
                hint="Free some space and run the command again; nothing is lost.",
            )
        # On a read-only disk no lock can be made, and nobody holds one.
        if "lock" in stderr and ": File exists" in stderr:
            return BusyError(
                "Another git process holds a lock here.",
                hint="Wait for it; `clawgit doctor` shows which.",
            )
        if "dubious ownership" in stderr or "unsafe repository" in stderr:
            # An older git knows fewer forms of safe.directory than we do.
            return foreign_owner(self._git.root)
        return CGitError(self._args, code, stderr, out)


def _fed(into: IO[bytes], data: bytes) -> None:
    # A git that ends before it has read all says why by its exit code.
    with suppress(BrokenPipeError), into:
        into.write(data)


_LINE = 1 << 20
"""A longer line comes in parts."""
