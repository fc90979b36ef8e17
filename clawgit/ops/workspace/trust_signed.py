"""Accepts settings without a terminal, by the signature of a key that the operator accepted."""

import hashlib
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from clawgit.config import KEYS
from clawgit.config.kinds import node_of
from clawgit.config.trust import SETTING, DiskFacts, PendingSetting, TrustRow, rows_for
from clawgit.errors import ClawgitError, ConfigError
from clawgit.ops.workspace.config_file import config_name
from clawgit.ops.workspace.sensitive_values import is_secret
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.place import RepoPlace
from clawgit.stores.git.signatures import Signers, signed_by, signers
from clawgit.stores.plainfile import open_plain
from clawgit.stores.trust import change_rows, trust_file

if TYPE_CHECKING:
    from clawgit.ops.workspace.workspace_base import Caller

SIGNERS = "soul_signers"
"""The setting that lists the keys whose signature accepts a setting."""

_SHA1 = 40
_AS_STORED = ("--no-replace-objects", "-c", "core.commitGraph=false")
"""The repository's caches must not say which commit touched a file: anybody can write there."""


def accepted_by_signature(
    place: RepoPlace,
    caller: "Caller",
    pending: Iterable[PendingSetting],
    rows: Iterable[TrustRow],
    facts: DiskFacts,
) -> tuple[TrustRow, ...]:
    """New rows for pending settings of CONFIG.md that an accepted signer has signed.

    The commit that brought CONFIG.md as it is on disk must be signed, and so must that of each
    program that the setting names. The rows are stored, so this is checked once.
    """
    known, name = _signers(rows), config_name(place.root)
    waiting = [setting for setting in pending if setting.origin.startswith(f"{name}:")]
    if not waiting:
        return ()
    git = CGit(place.root, caller.env)
    commit = _signed_commit(git, name, known)
    if not commit:
        return ()
    by, time = f"the signature of commit {commit[:10]}", caller.now.isoformat()
    added: list[TrustRow] = []
    for setting in waiting:
        value = KEYS[setting.key].kind.read(node_of(setting.value))
        new = rows_for(setting.key, value, facts, is_secret)
        # A list is accepted whole or not at all: one unsigned program leaves the setting pending.
        if _are_programs_signed(git, new, known):
            added += [row._replace(time=time, by=by) for row in new]
    if added:
        with suppress(ClawgitError):  # if it cannot be stored, the signature is checked again
            _store(place, caller, added)
    return tuple(added)


def _are_programs_signed(git: CGit, rows: Iterable[TrustRow], known: Signers) -> bool:
    return all(_signed_commit(git, path, known) for row in rows for path in row.files)


def _store(place: RepoPlace, caller: "Caller", added: Sequence[TrustRow]) -> None:
    """Replaces the rows that were accepted for the same settings."""
    names = {row.name for row in added}

    def exchanged(old: tuple[TrustRow, ...]) -> list[TrustRow]:
        kept = [row for row in old if row.kind != SETTING or row.name not in names]
        return [*kept, *added]

    change_rows(trust_file(caller.home, caller.env), place, exchanged)


def _signers(rows: Iterable[TrustRow]) -> Signers:
    """The accepted keys. A row of `soul_signers` is a whole list: a removed key does not count."""
    listed = [
        row.value
        for row in rows
        if row.kind == SETTING and row.name == SIGNERS and isinstance(row.value, list)
    ]
    try:
        return signers(str(key) for keys in listed for key in keys)
    except ConfigError:
        return Signers((), frozenset())


def _signed_commit(git: CGit, path: str, known: Signers) -> str:
    """The signed commit that made a file what it is on disk, "" if an unsigned one did.

    Its tree must have exactly these bytes, and those of its parents must not. Each object is
    checked by its hash, so nothing else in `.git` matters: no grafts, no shallow border, no object
    with other content.
    """
    try:
        commit = git.text(
            *_AS_STORED, "log", "-1", "--format=%H", "HEAD", "--", f":(literal){path}"
        ).strip()
        if not commit or not signed_by(git, [commit], known):
            return ""
        with open_plain(git.root / path) as file:
            content = _hashed("blob", file.read(), commit)
        header = _header(git, commit)
        if _blob_at(git, commit, path) != content:
            return ""
        brought = all(_blob_at(git, parent, path) != content for parent in _ids(header, "parent"))
    except (ClawgitError, OSError, ValueError):
        return ""
    return commit if brought else ""


def _blob_at(git: CGit, commit: str, path: str) -> str:
    """The id of a file in a commit, "" without one. ValueError for an object that is not what its
    id says.
    """
    oid = _ids(_header(git, commit), "tree")[0]
    for name in path.encode("utf-8", "surrogateescape").split(b"/"):
        oid = _entries(_object(git, "tree", oid), len(oid) // 2).get(name, "")
        if not oid:
            return ""
    return oid


def _header(git: CGit, commit: str) -> str:
    return _object(git, "commit", commit).partition(b"\n\n")[0].decode("utf-8", "replace")


def _ids(header: str, field: str) -> list[str]:
    return [line.partition(" ")[2] for line in header.split("\n") if line.startswith(f"{field} ")]


def _entries(tree: bytes, size: int) -> dict[bytes, str]:
    entries, at = {}, 0
    while at < len(tree):
        end = tree.index(b"\0", at)
        name = tree[at:end].partition(b" ")[2]
        entries[name] = tree[end + 1 : end + 1 + size].hex()
        at = end + 1 + size
    return entries


def _object(git: CGit, kind: str, oid: str) -> bytes:
    data = git.run(*_AS_STORED, "cat-file", kind, oid)
    if _hashed(kind, data, oid) != oid:
        raise ValueError(oid)
    return data


def _hashed(kind: str, data: bytes, like: str) -> str:
    """The id that git gives to an object, by the hash of the repository that `like` is from."""
    framed = f"{kind} {len(data)}\0".encode() + data
    # A repository that uses SHA-256 has longer ids.
    return (
        hashlib.sha1(framed, usedforsecurity=False)
        if len(like) == _SHA1
        else hashlib.sha256(framed)
    ).hexdigest()
