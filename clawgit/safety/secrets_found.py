"""Finds the secrets in files and commits, and marks those that the operator allows; keeps secrets,
their masks, and forgotten words out of what clawgit itself writes.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from clawgit.core import NamedTuple
from clawgit.core.disk.plainfile import open_plain
from clawgit.core.errors import ClawgitError, few
from clawgit.core.markdown.decoding import TextChange, text_of, texts_of, wide_encoding
from clawgit.git.batch import Batch
from clawgit.git.commit_rules import Changes
from clawgit.git.dirt import Dirt, SkippedChange
from clawgit.git.rules.history import FROM_HISTORY, SYNC, Intent
from clawgit.history.rules.record import Forgotten
from clawgit.safety.masking import SecretsError, allowed, how_to_allow
from clawgit.safety.rules.masks import new_masks
from clawgit.safety.rules.secrets import FINGERPRINT, Secret, findings, new_findings
from clawgit.workspace.workspace_base import WorkspaceBase

if TYPE_CHECKING:
    from pathlib import Path

    from clawgit.git.history.streams import Added

_ALERTS = 3
"""How many secrets the alerts of one file list."""

_SNIFFED = 8000
"""A file with a zero byte in its first bytes is binary; git checks as many."""

_FILM = 2 * 1024 * 1024
"""A binary file above this size is not read: it is probably a film or an archive."""

LONGEST = 16 * 1024 * 1024
"""How many bytes of one file are read."""

_MOST_STATES = 2000
"""How many earlier versions of files are searched for a secret that comes back from history."""


class SecretPlace(NamedTuple):
    """The place of a secret. `commit` added it; None for a file on disk."""

    path: str
    line: int
    commit: str | None = None

    def __str__(self) -> str:
        where = f"{self.commit[:10]}  " if self.commit else ""
        return f"{where}{self.path}:{self.line}"


class FoundSecret(NamedTuple):
    """One secret, with its places, the first one first; `shown` is masked."""

    rule: str
    shown: str
    fingerprint: str
    places: tuple[SecretPlace, ...]
    allowed: bool = False

    @property
    def place(self) -> SecretPlace:
        return self.places[0]

    @property
    def committed(self) -> bool:
        return any(place.commit for place in self.places)

    @property
    def named(self) -> str:
        """Its masked text, with its kind where that does not begin with it."""
        return self.shown if self.shown.startswith(self.rule) else f"{self.rule} {self.shown}"


def brought(changes: Iterable[TextChange]) -> list[tuple[str, Secret]]:
    """The secrets that a change adds to texts and to the names of new files, each with its path.

    One that only moves from file to file is not new.
    """
    changes = tuple(changes)
    found = [(change.path, one) for change in changes for one in _added(change)]
    if not found:
        return []
    # Only now: searching all old texts is slow, and hardly any change adds a secret.
    moved = {one.fingerprint for change in changes for one in findings("", change.before)}
    return [(path, one) for path, one in found if one.fingerprint not in moved]


def _added(change: TextChange) -> tuple[Secret, ...]:
    # The place of a secret in a name is the first line of the file.
    named = () if change.before else findings("", change.path)
    return (*named, *new_findings(change.path, change.before, change.after))


def refused(
    workspace: WorkspaceBase, found: Iterable[Secret], passed: Iterable[str] = ()
) -> list[Secret]:
    """The secrets among these that the operator does not allow."""
    found = tuple(found)
    passed = allowed(workspace, {one.fingerprint for one in found}).union(passed)
    return [one for one in found if one.fingerprint not in passed]


def leaks(
    workspace: WorkspaceBase, path: str, before: bytes | None, after: bytes | None
) -> tuple[str, ...]:
    """The secrets that a change adds to a file, as alerts for its commit."""
    [change] = texts_of({path: (before, after)})
    first = {one.fingerprint: one for one in reversed(refused(workspace, _added(change)))}
    alerts = [f"secret {path}:{one.line} {one.rule}" for one in sorted(first.values())]
    return tuple(few(alerts, _ALERTS, f"secret {path}: {{}} more"))


def held_back(workspace: WorkspaceBase, new: Iterable[str]) -> tuple[FoundSecret, ...]:
    """The first secret of each new file that a snapshot does not commit because of it."""
    texts = (TextChange(path, "", read_text(workspace.root / path)) for path in new)
    held = ((each.path, refused(workspace, _added(each))[:1]) for each in texts)
    return tuple(_found(path, one) for path, first in held for one in first)


def as_skipped(held: Iterable[FoundSecret]) -> tuple[SkippedChange, ...]:
    return tuple(SkippedChange(one.place.path, f"secret {one.place} {one.rule}") for one in held)


def without_held(workspace: WorkspaceBase, dirt: Dirt) -> Dirt:
    """The edits that a snapshot commits."""
    return dirt.without(as_skipped(held_back(workspace, dirt.new)))


def in_file(path: str, text: str) -> list[FoundSecret]:
    return [_found(path, one) for one in findings(path, text)]


def in_commits(parts: Iterable["Added"]) -> Iterator[FoundSecret]:
    for part in parts:
        for one in findings(part.path, part.text):
            line = part.lines[min(one.line, len(part.lines)) - 1]
            path = part.path or "(commit message)"
            yield _found(path, one._replace(line=line), part.commit)


def _found(path: str, secret: Secret, commit: str | None = None) -> FoundSecret:
    place = SecretPlace(path, secret.line, commit)
    return FoundSecret(secret.rule, secret.shown, secret.fingerprint, (place,))


def gathered(workspace: WorkspaceBase, found: Iterable[FoundSecret]) -> tuple[FoundSecret, ...]:
    """Each secret once, with all its places; those that the operator allows are marked."""
    first: dict[str, FoundSecret] = {}
    places: dict[str, list[SecretPlace]] = {}
    for one in found:
        first.setdefault(one.fingerprint, one)
        places.setdefault(one.fingerprint, []).extend(one.places)
    passed = allowed(workspace, first)
    return tuple(
        one._replace(places=tuple(places[key]), allowed=key in passed) for key, one in first.items()
    )


def read_text(file: "Path") -> str:
    """The text of a file; "" for a film, a link, or a file that cannot be read."""
    with suppress(OSError), open_plain(file) as opened:
        size, first = os.fstat(opened.fileno()).st_size, opened.read(_SNIFFED)
        rest = b"" if _is_film(first, size) else opened.read(LONGEST - _SNIFFED)
        return scanned_text(first + rest, size)
    return ""


def scanned_text(data: bytes, size: int) -> str:
    """The text of a file of that size, of which up to `LONGEST` bytes were read; "" for a film."""
    return "" if _is_film(data[:_SNIFFED], size) else text_of(data)


def _is_film(first: bytes, size: int) -> bool:
    return size > _FILM and b"\0" in first and not wide_encoding(first)


# What clawgit writes.


def refuse_secrets(workspace: WorkspaceBase, intent: Intent, changes: Changes) -> None:
    """Raises if a change adds a secret, or the mask of one, to the text or the name of a file.

    A secret may move between the files of the change, and come back from the history of HEAD, which
    has it anyway. A commit outside that history does not count: anybody can make one.
    """
    returns = intent.verb in FROM_HISTORY
    if returns and intent.actor.is_operator:
        return
    texts = texts_of(changes)
    if not returns:
        known = "\n".join(change.before for change in texts)
        for change in texts:
            _refuse_masks(change.path, known, change.after)
    added = brought(texts)
    past = _in_history(workspace, {path for path, _ in added}) if returns and added else set[str]()
    _refuse_found(workspace, added, {*intent.lets_in, *past})


def refuse_telling(
    workspace: WorkspaceBase, path: str, text: str, lets_in: tuple[str, ...] = ()
) -> None:
    """Raises if a text for a file has a secret, or the mask of one."""
    _refuse_masks(path, "", text)
    _refuse_found(workspace, brought([TextChange(path, "", text)]), lets_in)


def _refuse_found(
    workspace: WorkspaceBase, added: list[tuple[str, Secret]], lets_in: Iterable[str]
) -> None:
    wrong = refused(workspace, (one for _, one in added), lets_in)
    for path, one in added:
        if one in wrong:
            raise SecretsError(
                f"{path}: this looks like a secret ({one.rule}: {one.shown}), and history never "
                "forgets.",
                hint="Note where it is kept, not the secret itself. The operator may keep it "
                "anyway: --allow-secret with `memory add` and `corrections add`, or "
                f"{how_to_allow(one.fingerprint)}",
                findings=[
                    {
                        "path": path,
                        "line": one.line,
                        "rule": one.rule,
                        "fingerprint": one.fingerprint,
                    }
                ],
            )


def _refuse_masks(path: str, before: str, after: str) -> None:
    for mask in new_masks(before, after):
        named = mask.removeprefix("[secret:")[:FINGERPRINT]
        raise SecretsError(
            f"{path} would get {mask}, which clawgit shows in place of other text: the file holds "
            "the real text.",
            hint="Write only what you change, and leave the line with the mask as the file has it.",
            findings=[{"path": path, "rule": "mask", "fingerprint": named}],
        )


def _in_history(workspace: WorkspaceBase, paths: set[str]) -> set[str]:
    """The secrets that files had in the history of HEAD."""
    git = workspace.cgit
    named = [f":(literal){path}" for path in sorted(paths)]
    asked = ("log", "--raw", "-m", "--no-abbrev", "--no-renames", "--format=", "HEAD", "--", *named)
    records = git.text(*asked, ok=(0, 128)).splitlines()
    oids = dict.fromkeys(record.split()[3] for record in records)
    states = Batch(git).read([oid for oid in oids if oid.strip("0")][:_MOST_STATES])
    found: set[str] = set()
    for blob in filter(None, states):
        found |= {secret.fingerprint for secret in findings("", text_of(blob.data))}
    return found


class ForgottenError(ClawgitError):
    """A text that the operator had forgotten was to be stored again."""

    kind = "forgotten"


def refuse_forgotten(workspace: WorkspaceBase, intent: Intent, changes: Changes) -> None:
    """Raises if a change brings forgotten words back. Only the operator may learn them again.

    A sync has removed such words before: see `history/bringing.py`.
    """
    known = workspace.forgotten()
    if intent.actor.is_operator or intent.verb == SYNC or not known:
        return
    for path, (before, after) in changes.items():
        if _has(known, path, before, after):
            raise ForgottenError(
                f"{path} would get words that `clawgit forget` removed.",
                hint="Leave them out, or have the operator add them back at a terminal.",
            )


def _has(known: Forgotten, path: str, before: bytes | None, after: bytes | None) -> bool:
    """Whether the new lines of a file, or the name of a new file, have such words."""
    if known.is_back(text_of(before), text_of(after)):
        return True
    return before is None and known.holds(path)
