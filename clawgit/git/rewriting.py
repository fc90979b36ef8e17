"""Makes a second history without certain words, and puts it in the place of the old one.

Only objects with the words, and those that refer to them, get a new id. Authors, dates and all
lines of a message but those with the words stay, and so do change ids. A signature is over the old
content, so a changed commit has none.

The result depends only on the objects and the words: two clones that forget the same words get the
same commits.

Then it is put in the place of the old one. It can be asked for again, and goes on where it stopped.
What `kill -9` leaves:

- before `rewrite-moved`: objects to which nothing refers. Nothing has happened; all refs move in
  one step of git, or, if others moved one meanwhile, none.
- `rewrite-moved`: the refs are new, the old objects still there. Reflogs and the ids that git
  leaves are emptied, and git prunes.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from shutil import rmtree

from clawgit.core import NamedTuple
from clawgit.core.doors import pygit2
from clawgit.core.errors import ClawgitError, ConflictError
from clawgit.core.markdown.decoding import exact_bytes, exact_text
from clawgit.git.cgit import CGit, CGitError, listed
from clawgit.git.looked import MOVING, NOTES, keep_noted, noted
from clawgit.git.place import NO_OBJECT, RepoPlace
from clawgit.git.repo import Repo
from clawgit.language.lazily import lazily

_FOLDER = b"40000"
_NESTED = b"160000"
_LEFT_OUT = ("gpgsig", "gpgsig-sha256", "mergetag")
_OID = lazily(r"\b[0-9a-f]{40}\b")
_OID_BYTES = 20


class Wipes(NamedTuple):
    """The functions that remove words: from the file at a path, from a message, from a file
    name.
    """

    file: Callable[[str, bytes], bytes]
    message: Callable[[str], str]
    name: Callable[[str], str]


class Rewriting:
    """One rewrite.

    `blobs`: what changed files became, by their ids and paths; `commits`: changed commits.
    """

    def __init__(self, raw: "pygit2.Repository", wipes: Wipes) -> None:
        self._odb = raw.odb
        self._wipes = wipes
        self.blobs: dict[tuple[str, str], str] = {}
        self._clean: set[str] = set()
        self._trees: dict[tuple[str, str], str] = {}
        self.commits: dict[str, str] = {}
        self.first: list[str] = []
        """The changed commits without a changed parent."""

    def follow(self, commits: Iterable[str]) -> None:
        """Rewrites commits, parents before children."""
        for oid in commits:
            header, _, body = self.read(oid).partition(b"\n\n")
            fields = [*_fields(header)]
            after = [(name, self._value(name, value)) for name, value in fields]
            message = self._message(body)
            if after != fields or message != body:
                self._note_change(oid, fields)
                kept = [pair for pair in after if pair[0] not in _LEFT_OUT]
                content = _joined(kept, message)
                self.commits[oid] = self._write(pygit2.GIT_OBJECT_COMMIT, content)

    def tree_of(self, commit: str) -> tuple[str, str]:
        """The tree of a commit, before and after."""
        header = self.read(commit).partition(b"\n\n")[0]
        tree = dict(_fields(header))["tree"]
        return tree, self._tree(tree, "")

    def _note_change(self, oid: str, fields: Iterable[tuple[str, str]]) -> None:
        parents = {value for name, value in fields if name == "parent"}
        if parents.isdisjoint(self.commits):
            self.first.append(oid)

    def _value(self, name: str, value: str) -> str:
        if name == "tree":
            return self._tree(value, "")
        return self.commits.get(value, value) if name == "parent" else value

    def _message(self, body: bytes) -> bytes:
        text = exact_text(body)
        # A message may name an earlier commit, as that of an undo does.
        named = _OID.sub(lambda found: self.commits.get(found[0], found[0]), text)
        return exact_bytes(self._wipes.message(named))

    def _tree(self, oid: str, path: str) -> str:
        key = (oid, path)
        if key not in self._trees:
            rows = [*_rows(self.read(oid))]
            after = self._distinct([self._row(row, path) for row in rows])
            self._trees[key] = oid
            if after != rows:
                self._trees[key] = self._write(pygit2.GIT_OBJECT_TREE, _tree_content(after))
        return self._trees[key]

    def _row(self, row: "_Row", path: str) -> "_Row":
        name = os.fsdecode(row.name)
        inner = f"{path}{name}"
        oid = row.oid
        if row.mode == _FOLDER:
            oid = self._tree(oid, f"{inner}/")
        elif row.mode != _NESTED:
            oid = self._blob(oid, inner)
        return _Row(row.mode, os.fsencode(self._wipes.name(name)), oid)

    def _distinct(self, rows: list["_Row"]) -> list["_Row"]:
        """The rows, changed so that two names which became the same differ."""
        seen: set[bytes] = set()
        apart = []
        for row in rows:
            name = row.name if row.name not in seen else b"%b-%b" % (row.name, row.oid[:8].encode())
            seen.add(name)
            apart.append(row._replace(name=name))
        return apart

    def _blob(self, oid: str, path: str) -> str:
        # By its path too: the same bytes lose a whole entry in a memory, and only the words
        # elsewhere.
        key = (oid, path)
        if key not in self.blobs and oid not in self._clean:
            content = self.read(oid)
            after = self._wipes.file(path, content)
            if after == content:
                self._clean.add(oid)
            else:
                self.blobs[key] = self._write(pygit2.GIT_OBJECT_BLOB, after)
        return self.blobs.get(key, oid)

    def read(self, oid: str) -> bytes:
        return self._odb.read(pygit2.Oid(hex=oid))[1]

    def _write(self, kind: int, content: bytes) -> str:
        return str(self._odb.write(kind, content))


class _Row(NamedTuple):
    """An entry of a tree."""

    mode: bytes
    name: bytes
    oid: str


def in_order(git: CGit, tips: Iterable[str]) -> list[str]:
    """All commits that the tips reach, parents first."""
    asked = listed(tips)
    if not asked:
        return []
    order = ("rev-list", "--topo-order", "--reverse", "--stdin")
    return git.text(*order, stdin=asked).split()


def renamed(name: str, commits: Mapping[str, str]) -> str:
    """The name of a reference; some of ours name a commit."""
    head, _, last = name.rpartition("/")
    return f"{head}/{commits[last]}" if last in commits else name


def _fields(header: bytes) -> Iterator[tuple[str, str]]:
    """The fields of a header; a field of several lines stays as it is."""
    name, value = "", ""
    for line in exact_text(header).split("\n"):
        if line.startswith(" "):
            value += f"\n{line}"
            continue
        if name:
            yield name, value
        name, _, value = line.partition(" ")
    yield name, value


def _joined(fields: Iterable[tuple[str, str]], message: bytes) -> bytes:
    lines = (exact_bytes(f"{name} {value}") for name, value in fields)
    return b"\n".join(lines) + b"\n\n" + message


def _rows(content: bytes) -> Iterator[_Row]:
    at = 0
    while at < len(content):
        blank = content.index(b" ", at)
        end = content.index(b"\0", blank)
        after = end + 1 + _OID_BYTES
        oid = content[end + 1 : after].hex()
        yield _Row(content[at:blank], content[blank + 1 : end], oid)
        at = after


def _tree_content(rows: Iterable[_Row]) -> bytes:
    ordered = sorted(rows, key=lambda row: row.name + (b"/" if row.mode == _FOLDER else b""))
    return b"".join(b"%b %b\0%b" % (row.mode, row.name, bytes.fromhex(row.oid)) for row in ordered)


def names_in(tree: bytes) -> list[str]:
    """The names that a tree gives its files and folders."""
    return [os.fsdecode(row.name) for row in _rows(tree)]


_LEFT_BY_GIT = ("ORIG_HEAD", "FETCH_HEAD", "COMMIT_EDITMSG", "MERGE_MSG", "SQUASH_MSG")
"""Files that git leaves in its folder, with ids of old commits, and messages."""

_RESOLVED = "rr-cache"
"""The folder of resolved conflicts that git remembers, with the text of both sides."""


class Rewrite(NamedTuple):
    """What a rewrite has to do.

    `refs`: name → old and new value; "" as the old one makes it, as the new one deletes it.
    `commits`: old → new.
    """

    refs: Mapping[str, tuple[str, str]]
    commits: Mapping[str, str]


def land_rewrite(repo: Repo, rewrite: Rewrite) -> None:
    """Puts a rewritten history in the place of the old one. The caller holds the lock."""
    # For whoever comes after a power cut: git's locks are ours then.
    # Of those in other letters doctor tells.
    moving = filter(str.isascii, (*rewrite.refs, "packed-refs", "HEAD"))
    keep_noted(repo.place, MOVING, " ".join(moving))
    # All new objects at once, before anything names them: there may be thousands.
    os.sync()
    repo.seam("rewrite-made")
    try:
        _move(repo, rewrite)
    finally:
        keep_noted(repo.place, MOVING, "")
    repo.seam("rewrite-moved")
    _let_go(repo, rewrite)
    os.sync()


def _move(repo: Repo, rewrite: Rewrite) -> None:
    orders = ""
    for name, (old, new) in rewrite.refs.items():
        order = f"update {name} {new} {old or NO_OBJECT}" if new else f"delete {name} {old}"
        orders += f"option no-deref\n{order}\n"
    try:
        # One call, so all move or none: half of them would leave the words in the other half.
        repo.git.run("update-ref", "--stdin", stdin=exact_bytes(orders))
    except CGitError as error:
        raise ConflictError(
            "Somebody committed meanwhile or holds a lock, and history was left as it is: "
            f"{error.stderr.strip()}",
            hint="Run this again.",
        ) from error
    # After the refs: cut off in between, a note names a commit that is gone, and all is looked at
    # once more.
    for note in NOTES:
        if (known := noted(repo.place, note)) in rewrite.commits:
            keep_noted(repo.place, note, rewrite.commits[known])


def _let_go(repo: Repo, rewrite: Rewrite) -> None:
    """Removes everything that refers to the old objects, and has git delete them."""
    common = repo.place.common_dir
    for folder in {common, repo.place.git_dir}:
        for name in _LEFT_BY_GIT:
            (folder / name).unlink(missing_ok=True)
    if (resolved := common / _RESOLVED).is_dir() and not resolved.is_symlink():
        rmtree(resolved)
        resolved.mkdir()  # with this folder, git remembers resolved conflicts
    # The sides of a conflict that was resolved: the index keeps them until the next checkout.
    repo.git.run("update-index", "--clear-resolve-undo")
    # Before git deletes anything: what a log still names, it keeps.
    repo.git.run("reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all")
    for name in (name for name, (_, new) in rewrite.refs.items() if not new):
        with suppress(OSError):
            (common / "logs" / name).unlink()
    # Asked again: somebody may have set it while history was rewritten.
    refuse_own_hook(repo.git)
    repo.git.run("gc", "--prune=now", "--quiet")


_HOOK = "gc.recentObjectsHook"


_DEAD = 60
"""Seconds. Git writes that file in a few, and never takes away the lock of one that died."""


def pack(git: CGit, place: RepoPlace) -> str:
    """Lets git pack what it wants to; returns why it did not, "" if it did.

    Git runs every value of `gc.recentObjectsHook`, and no option can remove one from that list.
    """
    if own_hook(git):
        return (
            f"git packed nothing: {_HOOK} of this repository's own configuration would run a "
            "program"
        )
    lock = place.common_dir / "objects/info/commit-graph.lock"
    if lock.exists() and time.time() - lock.stat().st_mtime < _DEAD:
        return f"git packed nothing: another git writes, or has just left, {lock}"
    lock.unlink(missing_ok=True)
    git.run("gc", "--auto", "--quiet")
    git.run("commit-graph", "write", "--reachable", "--changed-paths")
    return ""


def refuse_own_hook(git: CGit) -> None:
    """Raises before git would ask such a program what to delete."""
    if own_hook(git):
        raise ClawgitError(
            "A hook of this repository's own configuration decides what git may delete.",
            hint=f"git config --unset-all {_HOOK}",
        )


def own_hook(git: CGit) -> bool:
    """Whether the repository's own configuration names a program that decides what git keeps."""
    listed = git.text("config", "-z", "--show-scope", "--get-all", _HOOK, ok=(0, 1)).split("\0")
    return not {"local", "worktree"}.isdisjoint(listed[0::2])
