"""C git as a child process: the one place that starts it, and what its failures mean."""

import subprocess
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from clawgit.errors import BusyError, ClawgitError, StorageError

_LOCAL = frozenset(
    (
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_CONFIG",
        "GIT_CONFIG_PARAMETERS",
        "GIT_CONFIG_COUNT",
        "GIT_OBJECT_DIRECTORY",
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_IMPLICIT_WORK_TREE",
        "GIT_GRAFT_FILE",
        "GIT_INDEX_FILE",
        "GIT_NO_REPLACE_OBJECTS",
        "GIT_REPLACE_REF_BASE",
        "GIT_PREFIX",
        "GIT_SHALLOW_FILE",
        "GIT_COMMON_DIR",
        "GIT_INTERNAL_SUPER_PREFIX",
        "GIT_QUARANTINE_PATH",
        "GIT_NAMESPACE",
        "GIT_LITERAL_PATHSPECS",
        "GIT_GLOB_PATHSPECS",
        "GIT_NOGLOB_PATHSPECS",
        "GIT_ICASE_PATHSPECS",
        "GIT_EXTERNAL_DIFF",
    )
)
"""What `git rev-parse --local-env-vars` names, and what else would turn a question to git into another one."""


class CGitError(ClawgitError):
    """C git said no. `stderr` holds its own words."""

    kind = "git"

    def __init__(self, args: Sequence[str], code: int, stderr: str) -> None:
        super().__init__(f"git {args[0]} failed: {stderr.strip() or f'exit {code}'}", code=code)
        self.stderr = stderr


class CGit:
    """Starts git in one repository, free of what a hook or a shell has set for another one."""

    def __init__(self, root: Path, env: Mapping[str, str]) -> None:
        self.root = root
        kept = {name: value for name, value in env.items() if name not in _LOCAL}
        self._env = {**kept, "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0"}

    def run(self, *args: str, stdin: bytes = b"", index: Path | None = None, ok: tuple[int, ...] = (0,)) -> bytes:
        """The standard output of `git ARGS`; an exit code outside `ok` raises `CGitError`."""
        return self.call(*args, stdin=stdin, index=index, ok=ok)[1]

    def call(
        self, *args: str, stdin: bytes = b"", index: Path | None = None, ok: tuple[int, ...] = (0,)
    ) -> tuple[int, bytes]:
        return self.start(*args, stdin=stdin, index=index).finish(ok)

    def start(self, *args: str, stdin: bytes = b"", index: Path | None = None) -> "Running":
        """Starts git and comes back at once; `finish` waits for it."""
        env = self._env if index is None else {**self._env, "GIT_INDEX_FILE": str(index)}
        pipe = subprocess.PIPE
        try:
            child = subprocess.Popen(["git", *args], cwd=self.root, env=env, stdin=pipe, stdout=pipe, stderr=pipe)
        except FileNotFoundError as error:
            if not self.root.is_dir():
                raise
            raise ClawgitError("git is not installed, or not on PATH.", hint="Install git 2.30 or newer.") from error
        return Running(args, child, stdin)

    def text(self, *args: str, ok: tuple[int, ...] = (0,)) -> str:
        return self.run(*args, ok=ok).decode("utf-8", "surrogateescape")


class Running:
    """A git process under way. Whoever started it must let it finish."""

    def __init__(self, args: Sequence[str], child: "subprocess.Popen[bytes]", stdin: bytes) -> None:
        self._args, self._child, self._stdin = args, child, stdin
        if len(stdin) <= _PIPE_HOLDS and child.stdin is not None:
            child.stdin.write(stdin)
            child.stdin.close()
            child.stdin, self._stdin = None, b""

    def lines(self) -> Iterator[bytes]:
        """Its standard output line by line as it comes, however much it is; an exit code but 0 raises at the end.
        Whoever stops listening stops git.
        """
        out, into = self._child.stdout, self._child.stdin
        assert out is not None  # noqa: S101 - `start` makes the pipe
        try:
            if into is not None:
                into.write(self._stdin)
                into.close()
                self._child.stdin, self._stdin = None, b""
            yield from iter(partial(out.readline, _LINE), b"")
        except GeneratorExit:
            self._child.kill()
            raise
        finally:
            _, err = self._child.communicate()
        if self._child.returncode:
            raise _failure(self._args, self._child.returncode, err.decode("utf-8", "replace"))

    def finish(self, ok: tuple[int, ...] = (0,)) -> tuple[int, bytes]:
        """Its exit code and standard output."""
        out, err = self._child.communicate(self._stdin or None)
        if self._child.returncode not in ok:
            raise _failure(self._args, self._child.returncode, err.decode("utf-8", "replace"))
        return self._child.returncode, out


_LINE = 1 << 20
"""A longer line comes in parts."""

_PIPE_HOLDS = 4096
"""What can be written to a pipe without waiting for its reader, everywhere."""


def _failure(args: Sequence[str], code: int, stderr: str) -> ClawgitError:
    full = any(words in stderr for words in ("No space left on device", "File too large", "Out of diskspace"))
    if full or code == -25:  # noqa: PLR2004 - SIGXFSZ
        return StorageError("The disk is full.", hint="Free some space and run the command again; nothing is lost.")
    if ".lock': File exists" in stderr:
        return BusyError("Another git process holds a lock here.", hint="Wait for it; `clawgit doctor` shows which.")
    return CGitError(args, code, stderr)
