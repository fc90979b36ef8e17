"""merge: the merge driver, which git calls for each file of memory that both sides changed."""

import os
from collections.abc import Iterable, Sequence
from time import time

from clawgit.domain.merging.memory import merge_memory
from clawgit.ops.workspace.kept_scope import kept_scope
from clawgit.stores.git.remotes.mergework import (
    Trio,
    as_stored,
    drop_old_results,
    keep_result,
    merging,
    words_of,
)
from clawgit.stores.plainfile import put_in_place

_SAVED = "--saved"


def run(arguments: Sequence[str]) -> int:
    """Writes the result for the script, and those of all other files of the same merge.

    The arguments: the folder for results, the key of the three versions, git's process, the files
    of the versions, and the name of the file in the repository. With `--saved`: a result, the file
    with our version, and the name of a file that was saved since the merge began.
    """
    if arguments[0] == _SAVED:
        _take_in(*arguments[1:])
        return 0
    folder, key, process, *files, path = arguments
    drop_old_results(folder, time())
    base, ours, theirs = map(_read, files)
    asked = Trio(path, key, base, ours, theirs)
    for trio in _once([asked, *_others(process)]):
        joined = merge_memory(trio.path, trio.base, trio.ours, trio.theirs)
        keep_result(folder, trio, joined.data or b"", conflict=joined.conflict)
    return 0


def _take_in(result: str, ours: str, path: str) -> None:
    """Merges what was saved into a result."""
    before, merged = _read(ours), _read(result)
    joined = merge_memory(path, before, merged, as_stored(path, before, os.environ))
    if not joined.conflict:
        put_in_place(result, joined.data or b"")


def _others(process: str) -> Iterable[Trio]:
    scope = kept_scope(os.environ)
    trios = merging(os.environ, words_of(process))
    return [trio for trio in trios if scope is None or scope.covers(trio.path)]


def _once(trios: Iterable[Trio]) -> Iterable[Trio]:
    return {(trio.path, trio.key): trio for trio in trios}.values()


def _read(name: str) -> bytes:
    with open(name, "rb") as file:  # noqa: PTH123 - pathlib takes 5 ms to load
        return file.read()
