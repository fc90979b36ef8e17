"""One open repository: its HEAD, objects and references, and the filters between disk and blob."""

import errno
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path

from clawgit.core import NamedTuple
from clawgit.core.disk.failures import explained
from clawgit.core.disk.plainfile import sync_all, text_at
from clawgit.core.doors import pygit2
from clawgit.core.errors import BusyError, PathRefusedError, StorageError, UnsupportedRepoError
from clawgit.core.layout import SOULS, Scope
from clawgit.git.cgit import CGit
from clawgit.git.dirt import Pause, pause
from clawgit.git.gitindex import Blob, GitIndex, unreadable
from clawgit.git.guards.filters import filtered, why_filtered
from clawgit.git.looked import MOVING, PARKED, keep_noted
from clawgit.git.objects import (
    Changes,
    NewObjects,
    append,
    blob_at,
    file_of,
    log_line,
    loose_folders,
    move,
    patiently,
    signature,
    write_tree,
)
from clawgit.git.place import NO_OBJECT, OURS, RepoPlace, packed
from clawgit.git.placing import Placer
from clawgit.git.rules.actors import CLAWGIT, OPERATOR
from clawgit.git.rules.history import Intent, author_of, render_message
from clawgit.git.rules.ids import change_id

_ON = ("true", "input", "yes", "on", "1")
"""How git's setting `core.autocrlf` says that line ends are converted."""

_CONVERTING = ("filter", "text", "eol", "crlf", "ident", "working-tree-encoding")
"""The attributes by which git stores a file differently from the disk."""


class Head(NamedTuple):
    """Where HEAD is.

    `ref` is the branch's full name, or `HEAD` itself when detached; `oid` is None when unborn.
    """

    ref: str
    oid: str | None

    @property
    def detached(self) -> bool:
        return self.ref == "HEAD"


def new_id() -> str:
    """The id of a new change. The module `secrets` loads OpenSSL and takes the same bytes."""
    return change_id(int.from_bytes(os.urandom(4)))


class RefMovedError(Exception):
    """A ref did not have the expected value; raised and caught only inside the store."""


class Repo:
    """The open repository, which the parts of the store share.

    `seam` is called at each step of a transaction, for tests.
    """

    def __init__(
        self,
        place: RepoPlace,
        env: Mapping[str, str],
        seam: Callable[[str], object],
        signer: Callable[[bytes], str] | None,
        trusted_filters: frozenset[str],
        scope: Scope,
    ) -> None:
        self.place = place
        self.scope = scope
        self._signer = signer
        self.git = CGit(place.root, env, trusted_filters)
        self.seam = seam
        self.raw = open_repository(place)
        self.objects = NewObjects(self.raw, f"{place.common_dir}/objects")
        self._sound: set[str] = set()
        self.index = GitIndex(place)
        self.placer = Placer(place, self._merge_on_disk, seam, self.index.held)
        # Read once: libgit2 looks at all files of settings each time that it is asked.
        self._config = {entry.name: entry.raw_value or b"" for entry in self.raw.config}
        self.keeps_modes = not self._is_off("core.filemode")
        self._converts_line_ends = self._configured("core.autocrlf").lower() in _ON

    def close(self) -> None:
        """Gives back memory and files at once: pygit2's objects refer to each other, so that they
        stay until Python looks for garbage. What is asked for later is opened again.
        """
        self.raw.free()

    def head(self) -> Head:
        try:
            head = self.raw.lookup_reference("HEAD")
        except pygit2.GitError:
            # Libgit2 sizes the file, then reads it, and git may replace it in between.
            head = self.raw.lookup_reference("HEAD")
        try:
            # A branch may be another name of one: `git symbolic-ref refs/heads/old refs/heads/new`.
            end = head.resolve()
        except KeyError:
            return Head(str(head.target), None)
        return Head(end.name, str(end.target))

    @property
    def journal(self) -> str:
        """The reference to a change while it is written."""
        return f"refs/clawgit/tx/{self.place.worktree}"

    @property
    def tip(self) -> str | None:
        """The commit that HEAD is at now; None before the first."""
        return self.head().oid

    def ref(self, name: str) -> str | None:
        """The commit of a reference, by its full name."""
        try:
            return str(self.raw.lookup_reference(name).resolve().target)
        except KeyError:
            return None

    def move_ref(
        self, name: str, old: str | None, new: str, note: str, sync: Callable[[], object]
    ) -> None:
        """Moves a ref by compare-and-swap: `RefMovedError` if its value is no longer `old`.

        `sync` puts on the disk what must be there first. It is called as late as possible: most of
        it is there by then.
        """
        # The objects before anything names them: a power cut must not leave a branch at a commit
        # that is cut off.
        self.objects.sync()
        line = log_line(old or NO_OBJECT, new, self.user(), note)
        logged = () if self._is_off("core.logallrefupdates") else dict.fromkeys((name, "HEAD"))
        logs = [file_of(self.place, f"logs/{log}") for log in logged]

        def may_move() -> bool:
            if not self._points_to(name, old):
                return False
            sync()
            # Under the lock of the ref, and before it moves, as git does: a line too many does no
            # harm, but recovery asks the log of HEAD which commits it ever stood at.
            for log in logs:
                append(log, line)
            return True

        if not patiently(lambda: move(file_of(self.place, name), new, may_move)):
            raise RefMovedError(name)
        self.sync_ref(name)

    def _points_to(self, name: str, oid: str | None) -> bool:
        try:
            return str(self.raw.lookup_reference(name).target) == oid
        except KeyError:
            return oid is None

    def refuse_immovable(self, name: str) -> None:
        """Raises if the folder of a ref is not writable."""
        folder = file_of(self.place, name)
        while not folder.is_dir():
            folder = folder.parent
        if not os.access(folder, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))

    def set_ref(self, name: str, oid: str) -> None:
        """Sets one of our own refs, whatever its value was."""
        self.keep_journal(name, oid)
        self.sync_ref(name)

    def keep_journal(self, name: str, oid: str) -> None:
        """Sets the journal of a transaction, which `sync_ref` then puts on the disk."""
        # What it names comes first: a journal that leads to nothing could not be finished.
        self.objects.sync()
        patiently(lambda: move(file_of(self.place, name), oid, lambda: True), self._lock_of(name))

    def sync_ref(self, name: str) -> None:
        """Puts the name of a ref on the disk, as `move` has put its value there."""
        sync_all([file_of(self.place, name).parent])

    def delete_ref(self, name: str) -> None:
        if self.ref(name) is None:
            return
        is_packed = name in packed(self.place)
        # All packed references are written anew, under a lock that git never removes. Whoever comes
        # after a kill in there is told that it is ours: these we delete under the workspace lock.
        is_noted = is_packed and name.startswith((PARKED, f"{OURS}tx/"))
        if is_noted:
            keep_noted(self.place, MOVING, "packed-refs")

        def delete() -> None:
            # After a failure libgit2 takes a packed reference for deleted, until it is opened anew.
            raw = open_repository(self.place) if is_packed else self.raw
            raw.lookup_reference(name).delete()

        try:
            patiently(delete, self._lock_of(name))
        finally:
            if is_noted:
                keep_noted(self.place, MOVING, "")

    def _lock_of(self, name: str) -> Path | None:
        """The lock of a ref of ours; None if another git may hold it, too."""
        file = file_of(self.place, name)
        return file.with_name(f"{file.name}.lock") if name.startswith(OURS) else None

    def refs_below(self, prefix: str) -> dict[str, str]:
        """The references whose names begin with `prefix`, and their commits."""
        names = sorted(map(os.fsdecode, self.raw.raw_listall_references()))
        return {name: oid for name in names if name.startswith(prefix) and (oid := self.ref(name))}

    def tree(self, oid: str | None) -> "pygit2.Tree | None":
        """The tree of a commit; None for the empty history before the first one."""
        if oid is None:
            return None
        commit = self.raw_commit(oid)
        self._refuse_cut_off(str(commit.tree_id))
        return commit.peel(pygit2.Tree)

    def raw_commit(self, oid: str) -> "pygit2.Commit":
        self._refuse_cut_off(oid)
        return self.raw[oid].peel(pygit2.Commit)

    def _refuse_cut_off(self, oid: str) -> None:
        """Raises if git's file for an object, or for one below a tree, ends too early, as after a
        power cut; libgit2 1.9 hangs when it reads one.
        """
        seen, waiting = set[str](), [oid]
        while waiting:
            name = waiting.pop()
            if name not in self._sound and name not in seen:
                seen.add(name)
                waiting += loose_folders(self.place.common_dir / "objects", name)
        # Only now: a folder is sound if everything below it is.
        self._sound |= seen

    def blob_at(self, oid: str | None, path: str) -> Blob | None:
        return blob_at(self.tree(oid), path)

    def data(self, blob: Blob | None) -> bytes | None:
        if blob is None:
            return None
        self._refuse_cut_off(blob.oid)
        return self.raw.odb.read(blob.oid)[1]

    def store_blob(self, data: bytes | None, mode: int) -> Blob | None:
        if data is None:
            return None
        return Blob(str(self.objects.stored(lambda: self.raw.create_blob(data))), mode or 0o100644)

    def create_commit(
        self,
        author: "pygit2.Signature",
        message: str,
        tree: "pygit2.Oid",
        parents: Iterable[str],
        when: datetime,
        signer: Callable[[bytes], str] | None = None,
    ) -> str:
        """Makes a commit object, signed if there is a signer; no ref leads to it yet."""
        name, email = self.user()
        above = [pygit2.Oid(hex=parent) for parent in parents]
        committer = signature(name, email, when)
        if signer is None:
            make = self.raw.create_commit
            write = partial(make, None, author, committer, message, tree, above)
            return str(self.objects.stored(write))
        # pygit2's stub says Oid here; it is the text of the commit.
        unsigned = str(self.raw.create_commit_string(author, committer, message, tree, [*above]))
        # Signed before it is stored: if the operator does not confirm, nothing is written.
        armor = signer(unsigned.encode("utf-8", "surrogateescape"))
        keep = self.raw.create_commit_with_signature
        return str(self.objects.stored(lambda: keep(unsigned, armor, "gpgsig")))

    def commit_on(
        self,
        parent: str | None,
        changes: Changes,
        intent: Intent,
        now: datetime,
        ident: str | None = None,
        *,
        joins: str = "",
    ) -> str:
        """Makes a commit of ours with these changes to its parent's tree; no ref leads to it yet.

        `joins` is the other parent of a merge, which only the journal has.
        """
        tree = write_tree(self.objects, self.tree(parent), changes)
        name, email = author_of(intent, self.user())
        message = render_message(intent, ident or new_id())
        # The key proves that the operator made a commit, so nobody else's is signed with it. What
        # clawgit itself writes into the soul, it writes for the operator who called it.
        is_for_operator = intent.actor == CLAWGIT and not changes.keys().isdisjoint(SOULS)
        is_signed = intent.actor == OPERATOR or is_for_operator
        # This brings in what others did, so the operator's key must not sign it.
        signer = self._signer if is_signed and not joins else None
        parents = [oid for oid in (parent, joins) if oid]
        return self.create_commit(signature(name, email, now), message, tree, parents, now, signer)

    def user(self) -> tuple[str, str]:
        """The git user; a machine without one commits as clawgit, which `doctor` mentions."""
        return (
            self._configured("user.name") or "clawgit",
            self._configured("user.email") or "clawgit@clawgit.invalid",
        )

    def _configured(self, key: str) -> str:
        return self._config.get(key, b"").decode("utf-8", "replace")

    def _is_off(self, key: str) -> bool:
        return self._configured(key).lower() in ("false", "no", "off", "0")

    def contains(self, head: str | None, oid: str) -> bool:
        """Whether a commit is `head` or one of its ancestors."""
        return head is not None and (head == oid or self.raw.descendant_of(head, oid))

    def landed(self, oid: str) -> bool:
        """Whether HEAD, or any local branch, already has a commit."""
        heads = dict.fromkeys((self.tip, *self.refs_below("refs/heads/").values()))
        return any(self.contains(head, oid) for head in heads)

    def pause(self) -> Pause | None:
        """Why no branch may be moved here now."""
        return pause(self.place.git_dir)

    def refuse_when_busy(self) -> None:
        if waiting := self.pause():
            raise BusyError(
                f"{waiting.why}, so clawgit changes nothing.",
                hint=f"{waiting.hint}; then run this again. Nothing was changed.",
            )

    def clean(self, path: str, data: bytes) -> bytes:
        """From the form on disk to the form in a blob."""
        if not self._converted(path):
            return data
        oid = self.git.text("hash-object", "-w", "--stdin", f"--path={path}", stdin=data).strip()
        return self.raw.odb.read(oid)[1]

    def smudge(self, path: str, data: bytes | None) -> bytes | None:
        """From the form in a blob to the form on disk."""
        if data is None or not self._converted(path):
            return data
        oid = str(self.raw.create_blob(data))
        return self.git.run("cat-file", "--filters", f"--path={path}", oid)

    def refuse_filtered(self, path: str) -> None:
        """Refuses a file under an untrusted filter: without it, the wrong bytes would be stored."""
        for name in filtered(self.git, [path]).values():
            raise PathRefusedError(
                f"{path} is {why_filtered(name)}, so clawgit leaves it alone.",
                hint=f"If you trust that program, put it into your own configuration: "
                f"git config --global filter.{name}.clean PROGRAM (and .smudge or .process).",
            )

    def _converted(self, path: str) -> bool:
        """Whether git stores a file differently from the disk: by a filter, line ends, an encoding.

        Asked for each file anew: attributes may have been added meanwhile.
        """
        self.refuse_filtered(path)
        try:
            told = {name: self.raw.get_attr(path, name) for name in _CONVERTING}
        except pygit2.GitError as error:  # a file of attributes may be in git's index only
            raise unreadable(str(error)) from error
        if self._converts_line_ends and told["text"] is not False:
            return True
        return any(value not in (None, False) for value in told.values())

    def _merge_on_disk(
        self, path: str, base: bytes | None, ours: bytes | None, theirs: bytes | None
    ) -> bytes | None:
        """Merges texts in the form on disk; theirs may have parts of ours already."""
        forms = (None if side is None else self.clean(path, side) for side in (base, ours, theirs))
        return self.smudge(path, merged(*forms, again=True))


def merged(
    base: bytes | None, ours: bytes | None, theirs: bytes | None, *, again: bool
) -> bytes | None:
    """One file that loses nothing of ours and theirs. `again`: theirs may have parts of ours."""
    from clawgit.history.rules.merge import merge_files  # noqa: PLC0415 - 8 ms of each write

    return merge_files(base, ours, theirs, keep_both=True, again=again).data


def holds_all(base: bytes, data: bytes, theirs: bytes) -> bool:
    """Whether a file holds each line that theirs added to base."""
    from clawgit.history.rules import merge  # noqa: PLC0415 - as above

    return merge.holds_all(base, data, theirs)


def open_repository(place: RepoPlace) -> "pygit2.Repository":
    """Opens a repository, or raises with a plain reason why libgit2 cannot."""
    try:
        repo = pygit2.Repository(str(place.root))
    except pygit2.GitError as error:
        raise _unsupported(place, str(error)) from error
    if any(key.name.endswith((".promisor", ".partialclone")) for key in repo.config):
        raise _unsupported(place, "objects are missing")
    if repo.is_bare:
        raise UnsupportedRepoError(
            f"{place.root} is a bare repository.", hint="clawgit needs a work tree."
        )
    return repo


@contextmanager
def storage_errors() -> Iterator[None]:
    """Turns errors of a full or forbidden disk, and libgit2's, into ours, with a next step."""
    try:
        yield
    except (OSError, KeyError, pygit2.GitError) as error:
        if isinstance(error, KeyError) and explained(error) is None:
            raise  # a bug of ours
        if isinstance(error, PermissionError) and error.filename:
            raise PathRefusedError(
                f"{error.filename} cannot be written: {error.strerror}.",
                hint="Check its owner and permissions.",
            ) from error
        raise explained(error) or StorageError(
            f"The workspace cannot be read or written: {error}.", hint=_LOOK
        ) from error


_LOOK = (
    "Check the owner and the permissions of the workspace and its .git folder; `clawgit "
    "doctor` looks closer."
)


def _unsupported(place: RepoPlace, reason: str) -> UnsupportedRepoError:
    text = text_at(place.common_dir / "config").lower()
    for sign, what, hint in _UNREADABLE:
        if sign in text:
            return UnsupportedRepoError(f"{place.root} {what}.", hint=hint)
    return UnsupportedRepoError(
        f"{place.root} cannot be opened: {reason}.", hint="Run `git fsck` and look."
    )


_UNREADABLE = (
    ("objectformat = sha256", "uses sha256 object names, which clawgit cannot read",
     "Use a repository with the default format: `git init` without --object-format."),
    ("refstorage", "stores its references as a reftable, which clawgit cannot read",
     "`git refs migrate --ref-format=files` brings it back to the usual form."),
    ("promisor", "is a partial clone, in which objects are missing",
     "`git clone` it again without --filter."),
)  # fmt: skip
"""What stands in the configuration of a repository that clawgit cannot use, in small letters."""
