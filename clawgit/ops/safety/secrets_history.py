"""Scans the whole history for secrets.

The result is cached, so each commit is read once. The cache can be deleted. After a change of the
rules, everything is read again.
"""

import json
from collections.abc import Generator, Iterable, Iterator, Mapping
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.domain.safety.secrets import rules_mark
from clawgit.ops.safety.secrets_found import FoundSecret, SecretPlace, gathered, in_commits
from clawgit.stores.git.cgit import CGit, CGitError
from clawgit.stores.git.history.added import Added, added
from clawgit.stores.plainfile import put_in_place

if TYPE_CHECKING:
    from clawgit.ops.workspace.workspace_base import WorkspaceBase

_MOST = 1000
"""How many secrets are cached. Nobody reads a longer list."""


class ScanProgress(NamedTuple):
    """What was found so far, each secret once. `tips`: the newest commits that were read."""

    found: tuple[FoundSecret, ...] = ()
    tips: frozenset[str] = frozenset()
    complete: bool = True


def in_history(workspace: "WorkspaceBase", seconds: float | None = None) -> ScanProgress:
    """The secrets in all commits that a reference reaches. If the seconds run out, the next call
    continues from there.
    """
    git, file = workspace.cgit, workspace.place.shared / "secrets.json"
    mark = _mark(workspace)
    known = _remembered(file, mark)
    if not _still_reached(git, known.tips):
        known = ScanProgress()
    deadline = None if seconds is None else monotonic() + seconds
    walk = _Walk(known.tips, deadline)
    revisions = [*_references(git), *(f"^{tip}" for tip in known.tips)]
    brought = walk.follow(added(git, revisions, workspace.scope)) if revisions else ()
    met = gathered((*known.found, *in_commits(brought))) if revisions else ()
    read = ScanProgress(met[:_MOST], frozenset(walk.tips), walk.complete)
    if read != known:
        _remember(file, read, mark)
    return read


class _Walk:
    """Follows commits, parents first, until the time is up.

    A commit counts as read when the next one begins: until then more parts of it may follow.
    """

    def __init__(self, tips: frozenset[str], deadline: float | None) -> None:
        self.tips = set(tips)
        self.complete = True
        self._deadline = deadline

    def follow(self, parts: Generator[Added]) -> Iterator[Added]:
        last: Added | None = None
        for part in parts:
            if last is not None and part.commit != last.commit:
                self._done(last)
                if self._deadline is not None and monotonic() > self._deadline:
                    self.complete = False
                    parts.close()
                    return
            last = part
            yield part
        if last is not None:
            self._done(last)

    def _done(self, part: Added) -> None:
        self.tips.difference_update(part.parents)
        self.tips.add(part.commit)


def _references(git: CGit) -> set[str]:
    """The commits of all references, and of HEAD, which may be detached."""
    rows = git.text("for-each-ref", "--format=%(objecttype) %(objectname)").splitlines()
    oids = {
        oid for kind, _, oid in (row.partition(" ") for row in rows) if kind in ("commit", "tag")
    }
    head = git.text("rev-parse", "-q", "--verify", "HEAD^{commit}", ok=(0, 1, 128)).strip()
    return {*oids, *([head] if head else [])}


def _still_reached(git: CGit, tips: Iterable[str]) -> bool:
    """False after history was rewritten: the secrets found before may be gone."""
    tips = list(tips)
    if not tips:
        return True
    listed = "".join(f"{one}\n" for one in (*tips, *(f"^{oid}" for oid in _references(git))))
    try:
        return git.run("rev-list", "--count", "--stdin", stdin=listed.encode()).strip() == b"0"
    except CGitError:
        return False


def _mark(workspace: "WorkspaceBase") -> str:
    """The rules and the scope. If either changes, the cached result is not used."""
    return f"{rules_mark()} {' '.join(workspace.scope.patterns)}"


def _remembered(file: Path, mark: str) -> ScanProgress:
    try:
        kept = json.loads(file.read_bytes())
        if kept["rules"] != mark:
            return ScanProgress()
        return ScanProgress(
            tuple(map(_recalled, kept["found"])), frozenset(kept["tips"]), bool(kept["complete"])
        )
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return ScanProgress()


def _recalled(kept: Mapping[str, Any]) -> FoundSecret:
    return FoundSecret(**{**kept, "places": tuple(SecretPlace(*place) for place in kept["places"])})


def _remember(file: Path, read: ScanProgress, mark: str) -> None:
    """Writes the cache. If that fails, the next call reads everything again."""
    names = ("path", "line", "rule", "shown", "fingerprint", "commit", "count", "places")
    found = [{name: getattr(one, name) for name in names} for one in read.found]
    kept = {"rules": mark, "complete": read.complete, "tips": sorted(read.tips), "found": found}
    try:
        file.parent.mkdir(exist_ok=True)
        put_in_place(file, json.dumps(kept).encode())
    except OSError:
        return
