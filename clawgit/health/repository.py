"""Checks of the repository itself, by C git: its version, HEAD, index and objects; and of what an
interrupted process leaves: locks of git, and changes that are not in history.

What clawgit itself left, the next command finishes.
"""

import re
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from clawgit.core.disk.plainfile import put_in_place, text_at
from clawgit.core.errors import ClawgitError, DamagedError, Finding, Mend
from clawgit.core.markdown.excerpt import in_a_line
from clawgit.git.cgit import CGit, CGitError
from clawgit.git.dirt import pause
from clawgit.git.gitindex import INDEX_HINT, GitIndex
from clawgit.git.held import TORN
from clawgit.git.lock import has_our_mark, lock_holder, may_need_recovery, workspace_lock
from clawgit.git.place import RepoPlace
from clawgit.git.rebuilding import complaints, rebuild_index, rebuild_objects
from clawgit.git.repo import open_repository, storage_errors
from clawgit.health.files import Site, several
from clawgit.history.backup import noted_backups
from clawgit.workspace.workspace import is_workspace

_OLDEST = (2, 30)
_LONGEST = 80
_SHORT = 10
_LEAST = 1 << 16
_ANY_CODE = tuple(range(256))
_NO_GIT = "Install git 2.30 or newer: https://git-scm.com/downloads"
_FIX = "Copy the whole folder first. Then `clawgit doctor --fix` rebuilds what is on disk"
_NEWEST = ("rev-list", "--verify-objects", "--no-walk", "--quiet", "HEAD")
_COMMITS = ("-c", "core.commitGraph=false", "rev-list", "--count", "HEAD")
"""Has git read each commit itself, not the commit graph: 30 ms for 10,000 commits."""


def git_findings(env: Mapping[str, str]) -> Iterator[Finding]:
    """Whether git is installed, in a version that is new enough."""
    try:
        # Asked outside of the repository, whose damage is no fault of git.
        answer = CGit(Path("/"), env).text("--version").strip()
    except ClawgitError as error:
        yield Finding(error.message, _NO_GIT)
        return
    # Two numbers are enough, and a vendor may add text: 2.39.3 (Apple Git-146).
    version = re.match(r"git version (\d+)\.(\d+)", answer)
    if version is None:
        answer = f"this is not git: `git --version` says {in_a_line(answer, _LONGEST) or 'nothing'}"
    if version is None or tuple(map(int, version.groups())) < _OLDEST:
        yield Finding(answer, _NO_GIT)


def look_at_repository(site: Site) -> Iterator[Finding]:
    """Whether clawgit and git can work here, and on which branch."""
    open_repository(site.place)
    try:
        site.git.run("rev-parse", "--git-dir")
    except CGitError as error:
        folder = site.place.git_dir
        remedy = (
            f"HEAD, config, objects/ or refs/ in {folder} is damaged. A HEAD that is empty: "
            f"echo 'ref: refs/heads/BRANCH' > '{folder}/HEAD'"
        )
        yield Finding(error.message, remedy)
        return
    yield from _head_findings(site)
    if not is_workspace(site.place):
        why = f"{site.root} is a git repository, but not a clawgit workspace"
        yield Finding(why, f"clawgit init '{site.root}'")


def _head_findings(site: Site) -> Iterator[Finding]:
    """A branch whose file is damaged: git names no commit, though the branch is there."""
    # Git does not say where HEAD leads if there is nothing readable.
    ref = text_at(site.place.git_dir / "HEAD").strip().removeprefix("ref:").strip()
    file = site.place.common_dir / ref
    asked = ("rev-parse", "-q", "--verify", "HEAD^{commit}")
    if not site.git.call(*asked, ok=_ANY_CODE)[0] or not file.is_file():
        return
    tip = text_at(file).strip()[:_SHORT]
    why = f"{ref.removeprefix('refs/heads/')} cannot be read: it is at {tip or 'nothing'}"
    # Written as a file: git itself refuses to move a branch that it cannot read.
    log = text_at(site.place.common_dir / "logs" / ref, sys.maxsize).splitlines()
    # Each line begins with the commit before and the one after.
    passed = (oid for line in log[::-1] for oid in line.split(" ")[1::-1])
    is_lost = partial(site.git.call, "cat-file", "-e", ok=_ANY_CODE)
    last = next((oid for oid in passed if not is_lost(f"{oid}^{{commit}}")[0]), "")
    back = f"echo {last} > '{file}'" if last else "write the id of a commit into it"
    yield Finding(why, f"The last commit of its reflog that can be read brings it back: {back}")


def look_at_disk(site: Site) -> tuple[Finding, ...]:
    """Whether a command can write as much as it needs at least. Raises what the command would."""
    probe = site.place.private / "probe"
    if probe.parent.is_dir():
        with storage_errors():
            put_in_place(probe, bytes(_LEAST))
            probe.unlink(missing_ok=True)
    return ()


def look_at_index(site: Site) -> Iterator[Finding]:
    """Git's index: without it most git commands fail. It can be rebuilt from HEAD."""
    try:
        GitIndex(site.place).read(())
        site.git.run("ls-files", "--stage", "-z")
    except (DamagedError, CGitError) as error:
        what = (
            "rebuild git's index from HEAD; the damaged one, and what only it had staged, are "
            "kept in .git/clawgit/damaged"
        )
        mend = Mend(what, partial(_rebuild_index, site))
        yield Finding(in_a_line(error.message, _LONGEST), INDEX_HINT, mend=mend)


def _rebuild_index(site: Site) -> None:
    with workspace_lock(site.place.private / "lock", "doctor", 0):
        rebuild_index(site.git, site.place)


def look_at_objects(site: Site) -> Iterator[Finding]:
    """Reads the files of the newest commit, and all commits before it; if deep, every object.

    Only the deep check finds damage in older files, and it is slow on a long history.
    """
    return (_every_object if site.deep else _glance)(site)


def _glance(site: Site) -> Iterator[Finding]:
    if site.git.call("rev-parse", "-q", "--verify", "HEAD", ok=_ANY_CODE)[0]:
        return  # there is no commit yet
    try:
        site.git.run(*_NEWEST)
        site.git.run(*_COMMITS)
    except CGitError as error:
        why = several(error.stderr.splitlines()) or error.message
        yield Finding(f"git {_NEWEST[0]}: {why}", f"{_FIX}, and says where the rest is.")


def _every_object(site: Site) -> Iterator[Finding]:
    report = complaints(site.git, "--name-objects")
    if report:
        lost = [line for line in report.splitlines() if line.startswith("missing ")]
        mend = Mend(
            "rebuild lost objects from the files on disk, as far as they have them; damaged ones "
            "are kept in .git/clawgit/damaged",
            partial(_rebuild, site),
        )
        why = f"git fsck: {several(lost or report.splitlines())}"
        yield Finding(why, f"{_FIX}. {_ways_back(site)}", mend=mend)


def _rebuild(site: Site) -> None:
    report, before = complaints(site.git), ""
    # Again and again: a damaged object hides what else is missing.
    while report not in ("", before):
        rebuild_objects(site.git, site.place, report, site.files)
        report, before = complaints(site.git), report
    if report:
        raise ClawgitError("no file on this disk has the content of them all")


def _ways_back(site: Site) -> str:
    """The places known here that may have what was lost."""
    remotes = site.git.text("remote", ok=_ANY_CODE).split()
    ways = [f"`git fetch --refetch {name}`" for name in remotes]
    ways += [f"`clawgit backup restore '{kept}' DIR`" for kept in noted_backups(site.place)]
    if not ways:
        return (
            "No remote and no backup is known here: only a copy of yours can bring the rest back."
        )
    return f"Bring the rest back, if it is there: {' or '.join(ways)}"


def look_at_locks(site: Site) -> Iterator[Finding]:
    """Every lock file of git."""
    for path in _lock_files(site.place):
        place = str(path.relative_to(site.root) if path.is_relative_to(site.root) else path)
        # Moved, never deleted: an index.lock is a whole index, with what somebody had staged.
        remedy = (
            "Make sure that no git runs here: editors, schedulers, a second terminal. Then move "
            f"it aside, do not delete it: mv '{path}' '{path}.aside'"
        )
        yield Finding("git works here, or has left this lock", remedy, place)


def _lock_files(place: RepoPlace) -> list[Path]:
    """Git's lock files, of this worktree and of all; not our own, which the next command takes."""
    locks = {
        lock
        for folder in (place.git_dir, place.common_dir)
        for where in ("", "refs/**/", "objects/[ip]*/**/")
        for lock in folder.glob(f"{where}*.lock")
    }
    ours = place.common_dir / "refs" / "clawgit"
    return sorted(lock for lock in locks if ours not in lock.parents and not has_our_mark(lock))


def look_at_interrupted(site: Site) -> Iterator[Finding]:
    """What was cut off. Recovery finishes it, unless somebody works on it still."""
    place = site.place
    if holder := lock_holder(place.private / "lock"):
        yield Finding(f"{holder} is working", "Look again when it is done.", refused=False)
        return
    if torn := sorted((place.private / "held").glob(f"*{TORN}")):
        was = several([str(file.with_suffix(".was")) for file in torn])
        remedy = (
            "Each may hold what somebody saved at that moment: compare it with the file it was, "
            "then delete both."
        )
        yield Finding(f"the note on {was} cannot be read", remedy)
    if not pause(place.git_dir) and may_need_recovery(place):
        mend = Mend("finish what was cut off", partial(_recover, site))
        why = "a command was cut off, or changes wait"
        yield Finding(why, "The next command that writes finishes it.", mend=mend)


def _recover(site: Site) -> None:
    site.workspace.git.heal(site.workspace.now)
    site.workspace.git.close()
