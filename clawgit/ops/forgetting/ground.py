"""What the search of every place needs: the workspace, the words, and clawgit's folders."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from clawgit.domain.change.history import FORGET, Intent
from clawgit.domain.forgetting.needle import Matcher
from clawgit.domain.forgetting.wiping import Standing, standings, wiped_bytes
from clawgit.domain.markdown.decoding import wide_encoding
from clawgit.errors import BusyError, ClawgitError, PathRefusedError, StorageError
from clawgit.ops.change.described import Change, described
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.batch import RawObject
from clawgit.stores.git.lock import lock_holder
from clawgit.stores.git.rewriting import names_in
from clawgit.stores.git.worktree import read_file
from clawgit.stores.state_log import StateLog, repository_log
from clawgit.stores.xdg import state_home

_LOCKS = ("runner.lock", "serve.lock")
"""Locks held by processes that keep the memory open."""


class Ground(NamedTuple):
    """A workspace, and the words to forget."""

    workspace: Workspace
    matcher: Matcher

    @property
    def folders(self) -> list[Path]:
        """Our own folders in `.git`: the shared one, and one for each worktree."""
        common = self.workspace.place.common_dir
        return [common / "clawgit", *sorted((common / "worktrees").glob("*/clawgit"))]

    @property
    def log(self) -> StateLog:
        """The log of state.db."""
        caller = self.workspace.caller
        return repository_log(self.workspace.place, caller.env, caller.home)

    @property
    def state_home(self) -> Path:
        """What all workspaces of this user share: what `connect` changed, and the log of bugs."""
        return state_home(self.workspace.caller.env, self.workspace.caller.home) / "clawgit"

    @property
    def logs(self) -> list[Path]:
        return [file for file in sorted(self.state_home.glob("*.log*")) if file.is_file()]

    def is_in(self, file: Path) -> bool:
        """Whether the raw bytes of a file hold the words."""
        try:
            return self.matcher.is_in_bytes(file.read_bytes())
        except FileNotFoundError:
            return False


def files_below(folder: Path) -> Iterator[Path]:
    """The plain files below a folder; links are not followed."""
    if folder.is_dir():
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.is_symlink():
                yield path


def refuse_running(ground: Ground) -> None:
    """Raises while a process of ours keeps the memory open: it would still have the words."""
    for folder in ground.folders:
        for name in _LOCKS:
            if holder := lock_holder(folder / name):
                raise BusyError(
                    f"A clawgit process that has read the memory is running: {holder}.",
                    hint="Stop it (`clawgit run`) and try again. Afterwards, "
                    "restart connected agents too.",
                )


_NAME = "forgotten"


class FilesWith(NamedTuple):
    """`lines` are those with the words in files of the scope; `named` are paths in the scope with
    the words. `outside` are other files of the folder, which clawgit does not change.
    """

    lines: tuple[Standing, ...]
    named: tuple[str, ...]
    outside: tuple[str, ...]

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*(line.path for line in self.lines), *self.named)))


def files_with(ground: Ground) -> FilesWith:
    lines: list[Standing] = []
    named: list[str] = []
    outside: list[str] = []
    for path in ground.workspace.cgit.files():
        found = standings(path, _data(ground, path), ground.matcher)
        in_name = wiped_name(ground, path) != path
        if not ground.workspace.scope.covers(path):
            outside += [path] if found or in_name else []
            continue
        lines += found
        named += [path] if in_name else []
    return FilesWith(tuple(lines), tuple(named), tuple(outside))


def wiped_name(ground: Ground, path: str) -> str:
    """The name of a file without the words, part by part, as git stores it."""
    return "/".join(ground.matcher.without(part, _NAME) for part in path.split("/"))


def forget_files(ground: Ground, found: FilesWith, *, dry_run: bool = False) -> Change:
    """Takes the words out of the files by one commit, whose message does not have them."""
    workspace = ground.workspace
    intent = Intent(
        workspace.caller.actor,
        FORGET,
        "remove what is to be forgotten",
        "It is not repeated here. `git log refs/clawgit/forgotten` lists what was forgotten.",
    )
    with workspace.git.transaction(intent, workspace.now, dry_run=dry_run) as tx:
        for path in found.paths:
            data = tx.read(path)
            if data is None:
                continue
            after, name = wiped_bytes(path, data, ground.matcher), wiped_name(ground, path)
            if name != path:
                if tx.read(name) is not None:
                    raise ClawgitError(
                        f"{path} cannot be renamed to {name}, which is another file.",
                        hint=f"Give it another name: git mv '{path}' NAME",
                    )
                tx.delete(path)
            tx.put(name, after)
    # An earlier snapshot may have anybody's message, so our commit cites no evidence.
    return described(tx, dry_run=dry_run)


def _data(ground: Ground, path: str) -> bytes:
    try:
        return read_file(ground.workspace.root, path).data or b""
    except (PathRefusedError, StorageError):
        return b""


def holds(found: RawObject, matcher: Matcher) -> bool:
    """Whether an object of git has the words: a file, a message, or the name of a file."""
    if found.kind == "tree":
        return any(matcher.is_in(name) for name in names_in(found.data))
    if not matcher.is_in_bytes(found.data):
        return False
    encoding = wide_encoding(found.data)
    if b"\0" in found.data and not encoding:
        return True
    return matcher.is_in(found.data.decode(encoding or "utf-8", "replace"))
