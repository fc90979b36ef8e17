"""Puts a rewritten history in the place of the old one, and lets git delete the old objects.

The journal is a file, `clawgit/rewrite.json`. It has the old and the new value of each ref, and
none of the words. What `kill -9` leaves, and what the next command does about it:

- before `rewrite-journaled`: objects to which nothing refers. Nothing has happened.
- `rewrite-journaled`: the journal. All refs move in one step of git; if others moved one
  meanwhile, what they added is put on the new history. If the new objects are gone (a
  `git gc --prune=now` by hand), the journal is dropped, and the old history stays.
- `rewrite-moved`, `rewrite-checked-out`: the refs are new, the old objects still there. Other
  worktrees get the new files, reflogs and the ids that git leaves are emptied, and git prunes.
- `rewrite-pruned`: only the journal, which is deleted.
"""

import json
import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from clawgit.domain.workspace.limits import MOST_BYTES
from clawgit.doors import pygit2
from clawgit.errors import StorageError
from clawgit.stores.git.bundle import read_refs
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.forgetting.rewriting import Became, Rewriting, in_order
from clawgit.stores.git.gitdir import repo_at
from clawgit.stores.git.leftovers import journal_file
from clawgit.stores.git.looked import NOTES, keep_noted, noted
from clawgit.stores.git.packing import refuse_own_hook
from clawgit.stores.git.place import NO_OBJECT, RepoPlace, is_commit_id
from clawgit.stores.git.repo import Repo
from clawgit.stores.plainfile import put_in_place, read_plain

_LEFT_BY_GIT = ("ORIG_HEAD", "FETCH_HEAD", "COMMIT_EDITMSG", "MERGE_MSG", "SQUASH_MSG")
"""Files that git leaves in its folder, with ids of old commits, and messages."""

_LEFT_FOLDERS = ("rr-cache",)
"""The folder of resolved conflicts that git remembers, with the text of both sides."""


_NO_DEREF = "option no-deref"


Pairs = Mapping[str, tuple[str, str]]


class Worktree(NamedTuple):
    """A worktree of the repository, and the commit that it is on; `detached`: on no branch."""

    root: Path
    head: str
    detached: bool


class RewriteJournal(NamedTuple):
    """What a rewrite has to do.

    `refs`: name → old and new value; "" as the old one makes it, as the new one deletes it.
    `heads`: the root of a worktree → its detached HEAD, before and after. `trees`: the root of a
    worktree → its files, before and after.
    """

    refs: Pairs
    heads: Pairs
    trees: Pairs
    became: Became


def land_rewrite(repo: Repo, journal: RewriteJournal) -> None:
    """Takes all steps, or those that are left after a crash."""
    # All new objects at once, before anything names them: there may be thousands.
    os.sync()
    _write(journal_file(repo.place), journal)
    repo.seam("rewrite-journaled")
    finish_rewrite(repo)


def finish_rewrite(repo: Repo) -> bool:
    """Goes on from the journal; False if it is of no use. The caller holds the lock."""
    file = journal_file(repo.place)
    journal = _of_this(repo.place, _read(file))
    if not _is_whole(repo, journal):
        file.unlink()
        return False
    _move(repo, journal)
    repo.seam("rewrite-moved")
    _check_out(repo, journal)
    repo.seam("rewrite-checked-out")
    _let_go(repo, journal)
    repo.seam("rewrite-pruned")
    # The files that git has written, before the journal goes by which that would be repeated.
    os.sync()
    file.unlink()
    return True


def strange_rows(place: RepoPlace) -> list[str]:
    """What the journal names that is left alone, since it is not of this repository or no commit;
    StorageError if it cannot be read.
    """
    journal = _read(journal_file(place))
    ours = _of_this(place, journal)
    return [
        name
        for rows, sound in zip(journal[:3], ours[:3], strict=True)
        for name in rows.keys() - sound.keys()
    ]


def worktrees(git: CGit) -> list[Worktree]:
    """All worktrees of the repository whose folder is there."""
    rows = git.text("worktree", "list", "--porcelain").strip().split("\n\n")
    fields = [dict(line.partition(" ")[::2] for line in row.splitlines()) for row in rows]
    return [
        Worktree(Path(row["worktree"]), row.get("HEAD", ""), detached="detached" in row)
        for row in fields
        if "bare" not in row and Path(row["worktree"]).is_dir()
    ]


def _of_this(place: RepoPlace, journal: RewriteJournal) -> RewriteJournal:
    """The journal without what leads out of the repository, and what is no id: git would take that
    for an option. Whoever prepared a `.git` folder may have written it.
    """
    is_ours = partial(_is_worktree, place)
    return journal._replace(
        refs=_sound(journal.refs, _is_ref),
        heads=_sound(journal.heads, is_ours),
        trees=_sound(journal.trees, is_ours),
    )


def _sound(rows: Pairs, is_ours: Callable[[str], bool]) -> Pairs:
    return {
        name: pair
        for name, pair in rows.items()
        if all(map(is_commit_id, filter(None, pair))) and is_ours(name)
    }


def _is_worktree(ours: RepoPlace, root: str) -> bool:
    place = repo_at(Path(root))
    return place is not None and place.common_dir == ours.common_dir


def _is_ref(name: str) -> bool:
    return name.startswith("refs/") and pygit2.reference_is_valid_name(name)


def _is_whole(repo: Repo, journal: RewriteJournal) -> bool:
    """Whether the new history exists. Once one ref has moved, git keeps its objects."""
    wanted = [new for _, new in (*journal.refs.values(), *journal.heads.values()) if new]
    return all(new in repo.raw for new in wanted)


def _move(repo: Repo, journal: RewriteJournal) -> None:
    now = read_refs(repo.git).oids
    orders = [
        order
        for name, pair in journal.refs.items()
        for order in _orders(repo, journal, name, now.get(name, ""), pair)
    ]
    if orders:
        listed = "\n".join([*orders, ""]).encode("utf-8", "surrogateescape")
        repo.git.run("update-ref", "--stdin", stdin=listed)
    for root, (old, new) in journal.heads.items():
        git = repo.git.at(Path(root))
        if git.text("rev-parse", "HEAD").strip() == old:
            git.run("update-ref", "--no-deref", "HEAD", new, old)


def _orders(
    repo: Repo, journal: RewriteJournal, name: str, current: str, pair: tuple[str, str]
) -> tuple[str, ...]:
    """The lines for `git update-ref --stdin` that move a ref; none if it has moved already."""
    old, new = pair
    if current == new or (old and not current):
        return ()
    if not new:
        return _NO_DEREF, f"delete {name}"
    target = new if current == old else _on_top(repo, journal, current)
    return _NO_DEREF, f"update {name} {target} {current or NO_OBJECT}"


def _on_top(repo: Repo, journal: RewriteJournal, tip: str) -> str:
    """Puts what others committed on the old history meanwhile on the new one."""
    rewriting = Rewriting(repo.raw, before=journal.became)
    known = {oid for pair in journal.refs.values() for oid in pair if oid}
    for _ in rewriting.follow(in_order(repo.git, [tip, *(f"^{oid}" for oid in known)])):
        pass
    return rewriting.commits.get(tip, tip)


def _check_out(repo: Repo, journal: RewriteJournal) -> None:
    for root, (old, new) in journal.trees.items():
        # Git leaves a file that somebody has changed meanwhile, and says so.
        repo.git.at(Path(root)).run("read-tree", "-m", "-u", old, new)
    for note in NOTES:
        if (known := noted(repo.place, note)) in journal.became.commits:
            keep_noted(repo.place, note, journal.became.commits[known])


def _let_go(repo: Repo, journal: RewriteJournal) -> None:
    """Removes everything that refers to the old objects, and has git delete them."""
    common = repo.place.common_dir
    for folder in (common, *(common / "worktrees").glob("*")):
        for name in _LEFT_BY_GIT:
            (folder / name).unlink(missing_ok=True)
        for inner in _LEFT_FOLDERS:
            _empty(folder / inner)
    repo.git.run("reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all")
    _drop_logs(common, (name for name, (_, new) in journal.refs.items() if not new))
    refuse_own_hook(repo.git)
    repo.git.run("gc", "--prune=now", "--quiet")


def _empty(folder: Path) -> None:
    if folder.is_symlink():
        return
    for file in sorted(folder.rglob("*"), reverse=True):
        if file.is_dir() and not file.is_symlink():
            file.rmdir()
        else:
            file.unlink()


def _drop_logs(common: Path, names: Iterable[str]) -> None:
    for name in names:
        with suppress(OSError):
            (common / "logs" / name).unlink()


def _write(file: Path, journal: RewriteJournal) -> None:
    blobs = [[*key, new] for key, new in journal.became.blobs.items()]
    became = {"commits": dict(journal.became.commits), "blobs": blobs}
    rows = {name: dict(getattr(journal, name)) for name in ("refs", "heads", "trees")}
    text = json.dumps({**rows, "became": became})
    put_in_place(file, text.encode(), 0o600, synced=True)


def _read(file: Path) -> RewriteJournal:
    try:
        kept: dict[str, Any] = json.loads(read_plain(file, MOST_BYTES))
        refs, heads, trees = (
            {str(key): (str(old), str(new)) for key, (old, new) in kept[name].items()}
            for name in ("refs", "heads", "trees")
        )
        blobs = {(oid, path): new for oid, path, new in kept["became"]["blobs"]}
        became = Became(dict(kept["became"]["commits"].items()), blobs)
    except (
        OSError, AttributeError, KeyError, TypeError, ValueError, RecursionError,
    ) as error:  # fmt: skip
        raise StorageError(
            f"{file}, the journal of a rewrite of history, cannot be read.",
            hint=f"Move it away: mv '{file}' '{file}.aside'. If a `clawgit forget` was cut off, "
            "run it again then.",
        ) from error
    return RewriteJournal(refs, heads, trees, became)
