"""Every place that can hold what is remembered: how it is searched, and how it is cleared; the
files of the workspace first.

docs/history.md says what each holds. A module of the stores that writes and has no place fails
tests/history/forgetting/test_places.py. Of clawgit's own files the derived ones are deleted, others
lose the words.
"""

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from functools import partial
from itertools import chain, filterfalse
from pathlib import Path
from types import MappingProxyType

from clawgit.core import NamedTuple
from clawgit.core.config.trust import TrustRow
from clawgit.core.disk.database import clear as clear_files
from clawgit.core.disk.database import connect, parts, plain_errors
from clawgit.core.disk.xdg import state_home
from clawgit.core.doors import shutil
from clawgit.core.errors import BusyError, ClawgitError, PathRefusedError, StorageError
from clawgit.core.markdown.decoding import wide_encoding
from clawgit.git.batch import Object
from clawgit.git.lock import lock_holder
from clawgit.git.looked import PARKED, REJECTED, WAITING
from clawgit.git.rewriting import names_in
from clawgit.git.rules.history import FORGET
from clawgit.git.transaction import Change
from clawgit.git.worktree import read_file
from clawgit.history.rules.needle import Matcher
from clawgit.history.rules.wiping import Standing, standings, wiped_bytes
from clawgit.safety.own_texts import follow_adopted
from clawgit.safety.trust_store import accepted_rows, change_rows
from clawgit.talk.chat import open_chat
from clawgit.workspace.stores import state_log
from clawgit.workspace.stores.state import repository_log, state_file
from clawgit.workspace.stores.state_log import KEYS, StateLog
from clawgit.workspace.workspace import Workspace

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
        return repository_log(self.workspace.place, self.workspace.caller)

    @property
    def state_home(self) -> Path:
        """What all workspaces of this user share: what `connect` changed, and the log of bugs."""
        return state_home(self.workspace.env, self.workspace.caller.home) / "clawgit"

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


def forget_files(ground: Ground, found: FilesWith) -> Change:
    """Takes the words out of the files by one commit, whose message does not have them."""
    workspace = ground.workspace
    with workspace.change(
        FORGET,
        "remove what is to be forgotten",
        "It is not repeated here. `git log refs/clawgit/forgotten` lists what was forgotten.",
    ) as tx:
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
                tx.put(path, None)
            tx.put(name, after)
    # An earlier snapshot may have anybody's message, so our commit cites no evidence.
    return tx.outcome


def _data(ground: Ground, path: str) -> bytes:
    try:
        return read_file(ground.workspace.root, path).data or b""
    except (PathRefusedError, StorageError):
        return b""


def holds(found: Object, matcher: Matcher) -> bool:
    """Whether an object of git has the words: a file, a message, or the name of a file."""
    if found.kind == "tree":
        return any(matcher.is_in(name) for name in names_in(found.data))
    if not matcher.is_in_bytes(found.data):
        return False
    encoding = wide_encoding(found.data)
    if b"\0" in found.data and not encoding:
        return True
    return matcher.is_in(found.data.decode(encoding or "utf-8", "replace"))


Clear = Callable[[Ground, bool], int]
"""How many texts, rows or files of a place hold, or held, the words; True: it is emptied."""


class Found(NamedTuple):
    """A place, and how many texts, rows or files of it have, or had, the words."""

    place: str
    count: int  # type: ignore[assignment]  # hides a method of tuples that nobody needs
    trouble: str = ""


def in_places(ground: Ground, *, clear: bool) -> tuple[Found, ...]:
    """The places that hold the words, emptied if told so. One that cannot be emptied now says
    why.
    """
    found: list[Found] = []
    for name, work in PLACES.items():
        try:
            found.append(Found(name, work(ground, clear)))
        except ClawgitError as error:
            found.append(Found(name, 0, error.with_hint))
    return tuple(one for one in found if one.count or one.trouble)


# Refs beside the branches (parked, proposed, rejected) that would bring the words back.


def _proposals(ground: Ground, clear: bool) -> int:
    """Their objects stay until history is rewritten, or git prunes."""
    git = ground.workspace.git
    tips = [
        item for prefix in (WAITING, REJECTED, PARKED) for item in git.refs_below(prefix).items()
    ]
    names = [name for name, tip in tips if _brings(ground, tip)]
    for name in names if clear else ():
        git.delete_ref(name)
    return len(names)


def _brings(ground: Ground, tip: str) -> bool:
    git = ground.workspace.git
    changes = git.differences(git.commit(tip).first_parent, tip)
    return any(ground.matcher.is_in_bytes(after or b"") for _, (_, after) in changes)


# The messages of a chat server.


def has_server(ground: Ground) -> bool:
    return ground.workspace.settings.chat_store != "sqlite"


def messages(ground: Ground, clear: bool) -> int:
    """ServerAwayError if the server cannot be reached."""
    if not has_server(ground):
        return 0
    with open_chat(ground.workspace) as chat:
        return chat.forget(ground.matcher.is_in, dry_run=not clear)


# state.db, and its log.

_OID = re.compile(r"\b[0-9a-f]{40}\b")

_WHOLE = frozenset({"search_hit", "queue_item", "chat_message"})
"""Rows of these are deleted: they are useless without their text. In other tables only the words
are cut."""


def _state(ground: Ground, clear: bool) -> int:
    """The rows with the words, else the files: a deleted row may still be in a free page."""
    file, count = state_file(ground.workspace.place), 0
    if file.is_file():
        with plain_errors(file), closing(connect(file, "ro")) as db:
            count = sum(1 for _ in _rows(db, ground))
    kept = (*ground.workspace.place.shared.glob("state.db*"), *files_below(ground.log.folder))
    count = count or sum(map(ground.is_in, kept))
    if not (clear and count):
        return count
    # One that is lost is made again here, from the log that has the words.
    with ground.workspace.state() as state:
        return state.purge(lambda db: _forget(db, ground))


def follow_commits(ground: Ground, commits: Mapping[str, str]) -> None:
    """Updates the marks of agents, what the operator adopted or acknowledged, and whose the log of
    state.db is, which name commits: a rewritten commit has another hash.
    """
    state_log.follow_commits(ground.log, commits)
    follow_adopted(ground.workspace, commits)
    if not commits or not state_file(ground.workspace.place).is_file():
        return
    with ground.workspace.state() as state:
        runs = state.query("SELECT seq, base, marks FROM job_run")
        with state.write() as db:
            for seq, *texts in runs:
                after = [_OID.sub(lambda oid: commits.get(oid[0], oid[0]), text) for text in texts]
                row = (*after, seq)
                if after != texts:
                    db.execute("UPDATE job_run SET base = ?, marks = ? WHERE seq = ?", row)
        seen = state.acknowledged()
        for before, now in commits.items():
            if before[:10] in seen:
                state.acknowledge(now[:10])


def _forget(db: sqlite3.Connection, ground: Ground) -> int:
    rows = [*_rows(db, ground)]
    for name, values in rows:
        key = KEYS[name]
        after = {
            column: ground.matcher.without(value) if isinstance(value, str) else value
            for column, value in values.items()
        }
        is_named_so = after[key] != values[key]
        if is_named_so or name in _WHOLE:
            db.execute(f'DELETE FROM "{name}" WHERE "{key}" = ?', (values[key],))  # noqa: S608 - names of our own schema
            continue
        columns = ", ".join(f'"{column}" = ?' for column in after)
        update = f'UPDATE "{name}" SET {columns} WHERE "{key}" = ?'  # noqa: S608 - as above
        db.execute(update, (*after.values(), values[key]))
    return len(rows)


def _rows(db: sqlite3.Connection, ground: Ground) -> Iterator[tuple[str, dict[str, object]]]:
    for table in KEYS:
        cursor = db.execute(f'SELECT * FROM "{table}"')  # noqa: S608 - as above
        columns = [column[0] for column in cursor.description]
        for values in cursor.fetchall():
            if any(isinstance(value, str) and ground.matcher.is_in(value) for value in values):
                yield table, dict(zip(columns, values, strict=True))


# Indexes and vectors.

_INDEXES = ("search.db", "index.db", "past/*.db")
_VECTORS = ("vectors", "chroma")


def _databases(ground: Ground) -> list[Path]:
    every = (folder.glob(pattern) for folder in ground.folders for pattern in _INDEXES)
    return [base for found in every for base in sorted(found)]


def _derived(ground: Ground, clear: bool) -> int:
    """Deletes all of them, and all vectors: much of a text can be guessed from its vector, and of
    some nobody knows any more what they said. The next search makes them anew.
    """
    count = sum(any(map(ground.is_in, parts(base))) for base in _databases(ground))
    if clear:
        clear_history(ground)
        for name in _VECTORS:
            shutil.rmtree(ground.workspace.place.shared / name, ignore_errors=True)
    return count


def clear_history(ground: Ground) -> None:
    """Deletes what was derived from the old commits; it is made again from the new ones."""
    for base in _databases(ground):
        clear_files(base)


# What the operator has accepted.


def _accepted(ground: Ground, clear: bool) -> int:
    """Cuts the words and leaves the hash, as for a text with a secret."""
    caller, place = ground.workspace.caller, ground.workspace.place

    def cut(rows: Iterable[TrustRow]) -> list[TrustRow]:
        return [_without(row, ground) for row in rows]

    before = [*accepted_rows(caller, place)]
    count = sum(after is not row for row, after in zip(before, cut(before), strict=True))
    if clear and count:
        change_rows(caller, place, cut)
    return count


def _without(row: TrustRow, ground: Ground) -> TrustRow:
    texts = (row.value, row.reason)
    if any(isinstance(text, str) and ground.matcher.is_in(text) for text in texts):
        return row._replace(value=None, reason=ground.matcher.without(row.reason))
    return row


# All other files of clawgit's own: logs, settings, displaced or damaged files.

_ASIDE = ".broken-"
"""The part of the name that marks a damaged database which was set aside."""


def _notes(ground: Ground, clear: bool) -> int:
    """Removes the words from each. A damaged database that was set aside is deleted."""
    every = [*files_below(ground.state_home / "connected"), *ground.logs]
    for folder in ground.folders:
        every.extend(filterfalse(partial(_is_elsewhere, folder), files_below(folder)))
    derived = {*chain.from_iterable(map(parts, _databases(ground)))}
    found = [*filter(ground.is_in, filterfalse(derived.__contains__, every))]
    for file in found if clear else ():
        if _ASIDE in file.name:
            clear_files(file)
        else:
            file.write_bytes(wiped_bytes(file.name, file.read_bytes(), ground.matcher))
    return len(found)


def _is_elsewhere(folder: Path, file: Path) -> bool:
    """Whether another row of the table clears this file."""
    name = file.relative_to(folder).parts[0]
    return name in _VECTORS or (name.startswith("state.") and _ASIDE not in name)


PLACES: Mapping[str, Clear] = MappingProxyType(
    {
        "proposals": _proposals,
        "chat server": messages,
        "state.db and its log": _state,
        "indexes and vectors": _derived,
        "what was accepted": _accepted,
        "logs and notes": _notes,
    }
)
