"""Secrets in the files and in the commits of a workspace: found, and told apart from what the operator allows."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from stat import S_ISREG
from typing import TYPE_CHECKING, NamedTuple

from clawgit.domain.secrets import Secret, findings, new_findings
from clawgit.ops.secrets_allowed import allowed
from clawgit.stores.git.dirt import Skipped

if TYPE_CHECKING:
    from pathlib import Path

    from clawgit.ops.workspace import Workspace
    from clawgit.stores.git.added import Added

_TOLD = 3
_SNIFFED = 8000
_FILM, _LONGEST = 2 * 1024 * 1024, 16 * 1024 * 1024
MESSAGE = "(commit message)"


@dataclass(frozen=True, slots=True)
class Found:
    """`shown` is masked. `commit` brought it in, null for a file as it lies on disk."""

    path: str
    line: int
    rule: str
    shown: str
    fingerprint: str
    commit: str | None = None
    allowed: bool = False

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}"


class Held(NamedTuple):
    """A new file that stays uncommitted for a secret in it."""

    path: str
    first: Found


def leaks(workspace: "Workspace", path: str, before: bytes | None, after: bytes | None) -> tuple[str, ...]:
    """What of secrets a change brings in, as the alerts that its commit bears."""
    found = new_findings(path, _text(before), _text(after)) if after is not None else ()
    told = [f"secret {path}:{one.line} {one.rule}" for one in _not_allowed(workspace, found)]
    more = [f"secret {path}: {len(told) - _TOLD} more"] if len(told) > _TOLD else []
    return (*told[:_TOLD], *more)


def held_back(workspace: "Workspace", new: Iterable[str]) -> tuple[Held, ...]:
    """Those of some new files that a snapshot leaves where they are."""
    held = []
    for path in new:
        found = _not_allowed(workspace, findings(path, read_text(workspace.root / path)))
        held += [Held(path, _found(path, found[0]))] if found else []
    return tuple(held)


def as_skipped(held: Iterable[Held]) -> tuple[Skipped, ...]:
    return tuple(Skipped(one.path, f"secret {one.first.place} {one.first.rule}") for one in held)


def in_file(path: str, text: str) -> list[Found]:
    return [_found(path, one) for one in findings(path, text)]


def in_commits(parts: Iterable["Added"]) -> Iterator[Found]:
    for part in parts:
        for one in findings(part.path, part.text):
            line = part.lines[min(one.line, len(part.lines)) - 1]
            yield replace(_found(part.path or MESSAGE, one), line=line, commit=part.commit)


def judged(workspace: "Workspace", found: Iterable[Found]) -> tuple[Found, ...]:
    """With what the operator allows marked."""
    found = tuple(found)
    passed = allowed(workspace, {one.fingerprint for one in found})
    return tuple(replace(one, allowed=one.fingerprint in passed) for one in found)


def read_text(file: "Path") -> str:
    """The text of a file, as far as it is one and can be read; "" for a film, a link, a pipe that nobody writes to."""
    try:
        told = file.lstat()
        if not S_ISREG(told.st_mode):
            return ""
        with file.open("rb") as opened:
            first = opened.read(_SNIFFED)
            if b"\0" in first and told.st_size > _FILM:
                return ""
            return _text(first + opened.read(_LONGEST - _SNIFFED))
    except OSError:
        return ""


def _not_allowed(workspace: "Workspace", found: tuple[Secret, ...]) -> list[Secret]:
    passed = allowed(workspace, {one.fingerprint for one in found})
    return [one for one in found if one.fingerprint not in passed]


def _found(path: str, one: Secret) -> Found:
    return Found(path, one.line, one.rule, one.shown, one.fingerprint)


def _text(data: bytes | None) -> str:
    return (data or b"").decode("utf-8", "replace")
