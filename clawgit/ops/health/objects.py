"""Checks of git's objects and of HEAD: what is lost, what can be rebuilt, and who has the rest."""

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from clawgit.errors import ClawgitError, counted
from clawgit.ops.health.finding import Finding, Mend, Site, several
from clawgit.ops.workspace.known_agents import known
from clawgit.ops.workspace.reach import same_folder
from clawgit.stores.backups import noted_backups
from clawgit.stores.git.cgit import CGit, CGitError
from clawgit.stores.git.lock import workspace_lock
from clawgit.stores.git.rebuilding import (
    LostObject,
    complaints,
    has_object,
    lost_objects,
    rebuild,
)

_ANY_CODE = tuple(range(256))
_NEWEST = ("rev-list", "--objects", "--no-walk", "--quiet", "HEAD")
_COMMITS = ("-c", "core.commitGraph=false", "rev-list", "--count", "HEAD")
"""Has git read each commit itself, not the commit graph: 30 ms for 10,000 commits."""

_COPY_FIRST = "Copy the whole folder first. "
_SHORT = 10


class Source(NamedTuple):
    """Another place that has an object, and what to type to bring it here."""

    name: str
    fix: str


def look_at_objects(site: Site) -> Finding:
    """Reads the files of the newest commit, and all commits before it; if deep, every object.

    Only the deep check finds damage in older files, and it is slow on a long history.
    """
    if not site.deep:
        return _glance(site)
    report = complaints(site.git)
    if not report:
        return Finding(True, "git fsck finds nothing wrong")
    lost = lost_objects(site.git, report)
    if not lost:
        fix = _COPY_FIRST + "Then bring the objects back: from a remote with `git fetch --refetch`,"
        fix += " or from a backup with `clawgit backup restore FILE DIR`."
        return Finding(False, f"git fsck: {several(report.splitlines())}", fix, hands_off=True)
    mend = Mend(
        f"rebuild {counted(len(lost), 'lost object')} from the files on disk, as far as they have "
        "them; damaged ones are kept in .git/clawgit/damaged",
        partial(_rebuild, site, lost),
    )
    named = several([_named(lost_object) for lost_object in lost])
    detail = f"{counted(len(lost), 'object')} of git missing or damaged: {named}"
    return Finding(False, detail, _COPY_FIRST + _ways_back(site, lost), (mend,), hands_off=True)


def _glance(site: Site) -> Finding:
    if site.git.call("rev-parse", "-q", "--verify", "HEAD", ok=_ANY_CODE)[0]:
        return Finding(True, "there is no commit yet")
    try:
        site.git.run(*_NEWEST)
        count = int(site.git.text(*_COMMITS))
    except CGitError as error:
        fix = _COPY_FIRST + "Then `clawgit doctor --fix` rebuilds what is on disk, and says where"
        fix += " the rest may be."
        detail = several(error.stderr.splitlines()) or error.message
        return Finding(False, f"git {_NEWEST[0]}: {detail}", fix, hands_off=True)
    return Finding(True, f"{counted(count, 'commit')}, none is missing; the newest is whole")


def _rebuild(site: Site, lost: list[LostObject]) -> None:
    back = rebuild(site.git, site.place, [lost_object.oid for lost_object in lost], site.files)
    # A damaged object hides what else is missing: fsck may end at the first one.
    more = [lost_object.oid for lost_object in lost_objects(site.git, complaints(site.git))]
    back |= rebuild(site.git, site.place, more, site.files)
    if not back:
        raise ClawgitError("no file on this disk has their content")


def _named(lost: LostObject) -> str:
    if not lost.path:
        return lost.oid[:_SHORT]
    when = f"as of {lost.commit[:_SHORT]}" if lost.commit else "as it is staged"
    return f"{lost.path} {when} ({lost.oid[:_SHORT]})"


def _ways_back(site: Site, lost: list[LostObject]) -> str:
    """Names the first place that has what was lost, or says that none is known."""
    ways: dict[Source | None, list[LostObject]] = {}
    for lost_object in lost:
        # The first place is enough: each further one costs calls of git.
        ways.setdefault(next(_sources(site, lost_object), None), []).append(lost_object)
    sentences = []
    for source, objects in ways.items():
        what = several([_named(lost_object) for lost_object in objects])
        if source is None:
            sentences.append(
                f"No remote, clone or backup that is known here has {what}; if no copy of yours "
                "has it, that version is gone for good (the file on disk stays as it is)."
            )
        else:
            sentences.append(f"{source.name} has {what}: {source.fix}")
    return " ".join(sentences)


def _sources(site: Site, lost: LostObject) -> Iterator[Source]:
    for name in site.git.text("remote", ok=_ANY_CODE).split():
        url = site.git.text("remote", "get-url", "--", name, ok=_ANY_CODE).strip()
        # A remote elsewhere is not asked over the network. It is enough that one of its branches
        # had the commit when it was last fetched or pushed to.
        local = Path(url.removeprefix("file://"))
        if _has(site, local, lost.oid) or _was_pushed(site, name, lost.commit):
            yield Source(f"the remote {name}", f"git fetch --refetch {name}")
    for clone in _clones(site):
        if _has(site, clone, lost.oid):
            fix = f"git fetch --refetch '{clone}' HEAD"
            yield Source(f"the clone {clone}", fix)
    for backup in noted_backups(site.place):
        if _holds(site, backup.head, lost.commit):
            yield Source(f"the backup {backup.file}", f"clawgit backup restore '{backup.file}' DIR")


def _has(site: Site, folder: Path, oid: str) -> bool:
    # In a folder that is no repository, git would answer for one around it.
    is_repository = (folder / ".git").exists() or (folder / "objects").is_dir()
    return is_repository and has_object(folder, CGit(folder, site.workspace.caller.env), oid)


def _was_pushed(site: Site, remote: str, commit: str) -> bool:
    if not commit:
        return False
    refs = ("for-each-ref", "--contains", commit, f"refs/remotes/{remote}")
    return bool(site.git.text(*refs, ok=_ANY_CODE).strip())


def _clones(site: Site) -> list[Path]:
    """The workspaces of this user's other agents: one may be a clone of this one."""
    with suppress(ClawgitError, OSError):
        paths = [agent.path for agent in known(site.workspace.caller).agents]
        return [path for path in paths if not same_folder(path, site.root)]
    return []


def _holds(site: Site, head: str, commit: str) -> bool:
    """Whether a commit is `head` or before it; an unknown one may be."""
    if not commit or head == commit:
        return True
    return site.git.call("merge-base", "--is-ancestor", commit, head, ok=_ANY_CODE)[0] == 0


def mends_of_head(site: Site) -> tuple[Mend, ...]:
    """Repairs of a HEAD, or its branch, that git cannot read: by the reflog, if it is certain."""
    place = site.place
    head = place.git_dir / "HEAD"
    ref = _text(head).removeprefix("ref:").strip()
    if not ref.startswith("refs/heads/") or ".." in ref:
        branches = [path for path in (place.common_dir / "refs/heads").rglob("*") if path.is_file()]
        if len(branches) != 1:
            return ()
        name = branches[0].relative_to(place.common_dir).as_posix()
        return (Mend(f"point HEAD to {name}", partial(_replace, site, head, f"ref: {name}\n")),)
    last = _last_commit(site, ref)
    if not last:
        return ()
    what = f"set {ref} back to {last[:_SHORT]}, the last commit of its reflog"
    return (Mend(what, partial(_replace, site, place.common_dir / ref, f"{last}\n")),)


def _last_commit(site: Site, ref: str) -> str:
    """The newest commit of a branch's reflog, if it can be read."""
    lines = _text(site.place.common_dir / "logs" / ref).splitlines()
    fields = lines[-1].split(" ") if lines else []
    oid = fields[1] if len(fields) > 1 else ""
    code, _ = site.git.call("cat-file", "-e", f"{oid}^{{commit}}", ok=_ANY_CODE)
    return "" if code else oid


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace").strip()
    except OSError:
        return ""


def _replace(site: Site, path: Path, text: str) -> None:
    """Writes HEAD or a branch anew, as a small file. The old file is saved."""
    private = site.place.private
    with workspace_lock(private / "lock", "doctor", 0):
        aside = private / "damaged"
        aside.mkdir(parents=True, exist_ok=True)
        if path.exists():
            # Not next to it: in refs/ git would take it for a branch.
            path.replace(aside / path.name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
