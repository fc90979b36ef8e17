"""The work of the merge driver: reads the versions of all files that both sides changed, and stores
results for its next calls.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from clawgit.doors import shutil
from clawgit.stores.git.staged import StagedEdit, StagedPath, StagedText, edits, output, read_staged
from clawgit.stores.plainfile import put_in_place

if TYPE_CHECKING:
    from pathlib import Path

    from clawgit.stores.git.place import RepoPlace

_HEADS = "GITHEAD_"
"""How the variable begins in which `git merge` names the commit that it merges."""

_STEPS = (("rebase-merge/done", -1), ("sequencer/todo", 0))
"""The files in which git records what it picks, and which line of each is the current one."""

_STASH = "refs/stash"
_REVERT = "revert"
_PICKS = ("cherry-pick", _REVERT, "stash")

_NO_FILE = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
_FORMS = ("filter", "ident", "working-tree-encoding")
_UNSET = frozenset({b"unspecified", b"unset"})

_KEPT_FOR = 3600.0
"""Seconds for which results are held."""

_FILES = ("100644", "100755")


class Trio(NamedTuple):
    """A file that both sides changed. `key` is the three blob ids in a row."""

    path: str
    key: str
    base: bytes
    ours: bytes
    theirs: bytes


def merging(env: Mapping[str, str], words: Sequence[str] = ()) -> Iterator[Trio]:
    """All files that both sides of the current merge changed; none if the merge is unknown.

    `words` are git's command line. A wrong guess does no harm: a result is used only for the same
    three versions. After a criss-cross there is no single base, and after a rename no single path:
    git calls the driver for each of these files.
    """
    sides = _merged(env) or _picked(env, words)
    if sides is None:
        return
    yield from _changed_by_both(env, *sides)


def _changed_by_both(env: Mapping[str, str], base: str, head: str) -> Iterator[Trio]:
    mine, other = ({row.path: row for row in _changed(env, base, to)} for to in ("HEAD", head))
    both = [path for path in mine if path in other and _is_clash(mine[path], other[path])]
    ours = edits([mine[path] for path in both], env)
    theirs = edits([other[path] for path in both], env)
    yield from filter(None, map(_trio, ours, theirs))


def words_of(process: str) -> Sequence[str]:
    """The command line of a process; empty if it cannot be read."""
    try:
        with open(f"/proc/{process}/cmdline", "rb") as file:  # noqa: PTH123 - pathlib takes 5 ms
            return file.read().decode("utf-8", "surrogateescape").split("\0")[:-1]
    except OSError:
        return ()


def _merged(env: Mapping[str, str]) -> tuple[str, str] | None:
    """The base of a `git merge`, and the commit that is merged into HEAD."""
    named = {name.removeprefix(_HEADS) for name in env if name.startswith(_HEADS)}
    heads = sorted(named - {_said(env, "rev-parse", "HEAD")}) if named else []
    if len(heads) != 1:
        return None
    bases = _said(env, "merge-base", "--all", "HEAD", heads[0]).split()
    return (bases[0], heads[0]) if len(bases) == 1 else None


def _picked(env: Mapping[str, str], words: Sequence[str]) -> tuple[str, str] | None:
    """The two sides of a commit that is picked, reverted or unstashed: its base, and its result."""
    for verb, rev in (*_noted_steps(env), *_typed_steps(words)):
        ends = (rev, f"{rev}^1") if verb == _REVERT else (f"{rev}^1", rev)
        oids = _said(env, "rev-parse", "--revs-only", *ends).split()
        if len(oids) == len(ends):
            return oids[0], oids[1]
    return None


def _noted_steps(env: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The current step of a rebase or a series of picks: the verb and the commit."""
    asked = [word for name, _ in _STEPS for word in ("--git-path", name)]
    files = _said(env, "rev-parse", *asked).splitlines()
    for file, (_, at) in zip(files, _STEPS, strict=False):
        lines = [line.split() for line in _lines_of(file) if not line.startswith("#")]
        if lines and len(lines[at]) > 1:
            yield lines[at][0], lines[at][1]


def _typed_steps(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What git may have been told to pick: each word after its command that is no option."""
    verb = next((word for word in words if word in _PICKS), "")
    if verb:
        behind = (word for word in words[words.index(verb) + 1 :] if not word.startswith("-"))
        yield from ((verb, word) for word in behind)
    if verb == "stash":
        yield verb, _STASH


def _lines_of(file: str) -> list[str]:
    try:
        with open(file, encoding="utf-8", errors="surrogateescape") as opened:  # noqa: PTH123 - see above
            return opened.read().splitlines()
    except OSError:
        return []


def _trio(ours: StagedEdit, theirs: StagedEdit) -> Trio | None:
    base, mine, other = map(_data, (ours.before, ours.after, theirs.after))
    if base is None or not mine or not other:
        return None
    key = "".join((ours.staged.before or _NO_FILE, ours.staged.after, theirs.staged.after))
    return Trio(ours.path, key, base, mine, other)


def _data(text: StagedText | None) -> bytes | None:
    """The text of a file, "" if there is none; None if it is too long to read here."""
    if text is None:
        return b""
    return text.data if len(text.data) == text.size else None


def _said(env: Mapping[str, str], *argv: str) -> str:
    return output(("git", *argv), env).decode("ascii", "replace").strip()


def _changed(env: Mapping[str, str], base: str, to: str) -> list[StagedPath]:
    flags = ("-r", "--raw", "-z", "--no-abbrev", "--no-renames")
    return read_staged(output(("git", "diff-tree", *flags, base, to), env))


def _is_clash(mine: StagedPath, other: StagedPath) -> bool:
    is_file = mine.mode in _FILES and other.mode in _FILES
    return is_file and mine.path.lower().endswith(".md") and mine.after != other.after


def results_in(place: "RepoPlace") -> "Path":
    """The folder in which the driver's script looks for results."""
    return place.shared / "merged"


def keep_result(folder: str, trio: Trio, data: bytes, *, conflict: bool) -> None:
    """Stores a result for the call of the driver with these three versions."""
    file = f"{folder}/{'marked' if conflict else 'clean'}/{trio.key}/{trio.path}"
    os.makedirs(os.path.dirname(file), exist_ok=True)  # noqa: PTH103, PTH120 - pathlib takes 5 ms
    put_in_place(file, data)


def drop_results(folder: str) -> None:
    """Removes results that no call used. Another merge in progress makes its results again."""
    shutil.rmtree(folder, ignore_errors=True)


def drop_old_results(folder: str, now: float) -> None:
    """Removes old results that were not removed after their merge, as happens without hooks."""
    try:
        is_old = os.stat(folder).st_mtime < now - _KEPT_FOR  # noqa: PTH116 - pathlib takes 5 ms
    except OSError:
        return
    if is_old:
        drop_results(folder)


def as_stored(path: str, ours: bytes, env: Mapping[str, str]) -> bytes:
    """A file of the work tree as git would store it, with the line ends of our version.

    If git stores it in another form than on disk, our version: we run no program that a repository
    names, and a file that git encrypts must not be stored as it is on disk.
    """
    asked = output(("git", "check-attr", "-z", *_FORMS, "--", path), env).split(b"\0")
    if not {*asked[2::3]} <= _UNSET:
        return ours
    with open(path, "rb") as file:  # noqa: PTH123 - pathlib takes 5 ms
        data = file.read()
    return data if b"\r\n" in ours else data.replace(b"\r\n", b"\n")
