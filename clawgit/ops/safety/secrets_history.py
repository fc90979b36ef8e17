"""The whole history looked through for secrets, once: what was read is remembered, and only new
commits are read next.

What is remembered is derived; it can be deleted, and another version of the rules starts anew.
"""

import json
from collections.abc import Generator, Iterable, Iterator, Mapping
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.domain.safety.secrets import rules_mark
from clawgit.ops.safety.secrets_found import FoundSecret, SecretPlace, gathered, in_commits
from clawgit.stores.git.added import Added, added
from clawgit.stores.git.cgit import CGit, CGitError

if TYPE_CHECKING:
    from clawgit.ops.workspace.workspace_base import WorkspaceBase

_MOST = 1000
"""Who has more secrets in his history than this needs no longer list."""


class ScanProgress(NamedTuple):
    """What was found so far, each secret once. `tips` are the commits that were read and have no
    child that was.
    """

    found: tuple[FoundSecret, ...] = ()
    tips: frozenset[str] = frozenset()
    complete: bool = True


def in_history(workspace: "WorkspaceBase", seconds: float | None = None) -> ScanProgress:
    """The secrets that any reference of the repository reaches. With a limit, the next call goes on
    where it ended.
    """
    git, file = CGit(workspace.root, workspace.caller.env), workspace.place.shared / "secrets.json"
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
    """Follows commits, parents first, until there is no time left; a commit counts as read when the
    next one begins.
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
    """The commits that all references name, and HEAD, where it is none of them."""
    rows = git.text("for-each-ref", "--format=%(objecttype) %(objectname)").splitlines()
    oids = {
        oid for kind, _, oid in (row.partition(" ") for row in rows) if kind in ("commit", "tag")
    }
    head = git.text("rev-parse", "-q", "--verify", "HEAD^{commit}", ok=(0, 1, 128)).strip()
    return {*oids, *([head] if head else [])}


def _still_reached(git: CGit, tips: Iterable[str]) -> bool:
    """False after history was rewritten: what was found may be gone then."""
    tips = list(tips)
    if not tips:
        return True
    listed = "".join(f"{one}\n" for one in (*tips, *(f"^{oid}" for oid in _references(git))))
    try:
        return git.run("rev-list", "--count", "--stdin", stdin=listed.encode()).strip() == b"0"
    except CGitError:
        return False


def _mark(workspace: "WorkspaceBase") -> str:
    """Other rules, or another scope: what was read before says nothing."""
    return f"{rules_mark()} {' '.join(workspace.scope.patterns)}"


def _remembered(file: Path, mark: str) -> ScanProgress:
    try:
        kept = json.loads(file.read_bytes())
        if kept["rules"] != mark:
            return ScanProgress()
        return ScanProgress(
            tuple(map(_recalled, kept["found"])), frozenset(kept["tips"]), bool(kept["complete"])
        )
    except (OSError, ValueError, KeyError, TypeError):
        return ScanProgress()


def _recalled(kept: Mapping[str, Any]) -> FoundSecret:
    return FoundSecret(**{**kept, "places": tuple(SecretPlace(*place) for place in kept["places"])})


def _remember(file: Path, read: ScanProgress, mark: str) -> None:
    """Where nothing can be written, the next call reads it all again."""
    names = ("path", "line", "rule", "shown", "fingerprint", "commit", "count", "places")
    found = [{name: getattr(one, name) for name in names} for one in read.found]
    kept = {"rules": mark, "complete": read.complete, "tips": sorted(read.tips), "found": found}
    try:
        file.parent.mkdir(exist_ok=True)
        temp = file.with_suffix(".new")
        temp.write_text(json.dumps(kept), "utf-8")
        temp.replace(file)
    except OSError:
        return
