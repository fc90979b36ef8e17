"""Finds merges that took a file from one side though the other had changed it.

Git does not list such a file with the merge, since it is the same as in a parent: `git merge -s
ours` can take back anything, and no commit shows it.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from clawgit.stores.git.cgit import CGit

_NOTHING = ""


class Dropped(NamedTuple):
    """What a merge left out.

    `before` is the blob or tree of that parent, `after` the merge's; "" if there is none.
    """

    commit: str
    parent: str
    path: str
    before: str
    after: str


def dropped_by_merges(git: CGit, paths: Sequence[str], *which: str) -> Iterator[Dropped]:
    """What merges among some commits left out of files or folders, newest first."""
    listed = git.text("rev-list", "--merges", "--parents", *which, "--").splitlines()
    merges = [line.split() for line in listed]
    known = _objects(git, {commit for merge in merges for commit in merge}, paths)
    for (commit, *parents), path in product(merges, paths):
        held = {parent: known[parent, path] for parent in parents}
        for parent in _left_out(git, path, known[commit, path], held):
            yield Dropped(commit, parent, path, held[parent], known[commit, path])


def _left_out(git: CGit, path: str, after: str, held: Mapping[str, str]) -> Iterator[str]:
    """The sides whose change is not in a merge; `held` is what each side has."""
    taken = [parent for parent, before in held.items() if before == after]
    # If the merge is like no side, git lists the file with it.
    others = [parent for parent, before in held.items() if taken and before != after]
    for parent in others:
        if _changed(git, parent, taken[0], path, held[parent]):
            yield parent


def _changed(git: CGit, parent: str, taken: str, path: str, before: str) -> bool:
    """Whether a side has changed a file since it left the other one."""
    bases = git.text("merge-base", "--all", parent, taken, ok=(0, 1)).split()
    known = _objects(git, set(bases), (path,))
    return all(known[base, path] != before for base in bases)


def _objects(git: CGit, commits: set[str], paths: Sequence[str]) -> dict[tuple[str, str], str]:
    """The object with a name in each commit; "" if there is none."""
    named = [*product(sorted(commits), paths)]
    if not named:
        return {}
    asked = "".join(f"{commit}:{path}\n" for commit, path in named).encode()
    lines = git.run("cat-file", "--batch-check=%(objectname)", stdin=asked).decode().splitlines()
    # For what does not exist, git says the name and "missing".
    found = (_NOTHING if line.endswith(" missing") else line for line in lines)
    return dict(zip(named, found, strict=True))
