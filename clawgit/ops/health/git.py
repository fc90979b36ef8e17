"""Checks of the repository itself, by C git: its objects, HEAD, user, and room to write."""

import re
import shutil
from functools import partial

from clawgit.domain.markdown.excerpt import in_a_line
from clawgit.errors import ClawgitError, ForeignOwnerError, counted
from clawgit.ops.health.finding import Finding, Mend, Site, several
from clawgit.ops.health.objects import mends_of_head
from clawgit.ops.workspace.workspace import is_workspace
from clawgit.stores.git.cgit import CGit, CGitError
from clawgit.stores.git.dirt import unfinished
from clawgit.stores.git.gitindex import INDEX_HINT, sound_index
from clawgit.stores.git.lock import workspace_lock
from clawgit.stores.git.packing import pack
from clawgit.stores.git.place import is_shallow
from clawgit.stores.git.rebuilding import rebuild_index
from clawgit.stores.git.repo import open_repository
from clawgit.stores.git.stranded import StrandedCommit, stranded_commits

_OLDEST = (2, 30)
_GC_AUTO = "6700"
_LEAST_FREE = 200_000_000
_LEAST_SHARE = 0.05
_LONGEST = 80
_ANY_CODE = tuple(range(256))
_NO_GIT = "Install git 2.30 or newer: https://git-scm.com/downloads"


def look_at_git(site: Site) -> Finding:
    return git_finding(site.git)


def git_finding(git: CGit) -> Finding:
    """Whether git is installed, in a version that is new enough."""
    try:
        answer = git.text("--version").strip()
    except ClawgitError as error:
        return Finding(False, error.message, _NO_GIT, ends=True)
    # Two numbers are enough, and a vendor may add text: 2.39.3 (Apple Git-146).
    found = re.match(r"git version (\d+)\.(\d+)", answer)
    if found is None:
        said = in_a_line(answer, _LONGEST) or "nothing"
        return Finding(False, f"this is not git: `git --version` says {said}", _NO_GIT, ends=True)
    version = tuple(map(int, found.groups()))
    return Finding(version >= _OLDEST, answer, "" if version >= _OLDEST else _NO_GIT)


def look_at_owner(site: Site) -> Finding:
    """Git refuses to work in a repository that is damaged or belongs to another user."""
    try:
        site.git.run("rev-parse", "--git-dir")
    except ForeignOwnerError as error:
        return Finding(False, error.message, error.hint, ends=True)
    except CGitError as error:
        look = (
            f"Look into {site.place.git_dir}: HEAD, config, objects/ or refs/ is damaged or "
            "missing."
        )
        mends = mends_of_head(site)
        fix = "`clawgit doctor --fix` repairs HEAD: no file is changed." if mends else look
        return Finding(False, error.message, fix, mends, ends=True)
    return Finding(True, "git accepts this repository")


def look_at_repository(site: Site) -> Finding:
    try:
        open_repository(site.place)
    except ClawgitError as error:
        return Finding(False, error.message, error.hint, ends=True)
    kind = (
        f"the linked worktree {site.place.git_dir.name}"
        if site.place.worktree != "main"
        else "a repository"
    )
    if is_shallow(site.place):
        return Finding(
            True,
            f"{kind}, shallow: older history is not here",
            "`git fetch --unshallow` brings it.",
        )
    return Finding(True, kind)


def look_at_staging(site: Site) -> Finding:
    """Git's index: without it most git commands fail. It can be rebuilt from HEAD."""
    try:
        sound_index(site.place.git_dir / "index")
        site.git.run("ls-files", "--stage", "-z")
    except ClawgitError as error:
        mend = Mend(
            "rebuild git's index from HEAD; the damaged one, and what only it had staged, are "
            "kept in .git/clawgit/damaged",
            partial(_rebuild_index, site),
            always=True,
        )
        return Finding(False, in_a_line(error.message, _LONGEST), INDEX_HINT, (mend,), ends=True)
    return Finding(True, "git's index can be read")


def _rebuild_index(site: Site) -> None:
    with workspace_lock(site.place.private / "lock", "doctor", 0):
        rebuild_index(site.git, site.place)


def look_at_head(site: Site) -> Finding:
    ref = site.git.text("symbolic-ref", "-q", "HEAD", ok=_ANY_CODE).strip()
    oid = site.git.text("rev-parse", "-q", "--verify", "HEAD^{commit}", ok=_ANY_CODE).strip()
    if oid and not ref:
        return Finding(
            True,
            f"detached at {oid[:10]}: clawgit commits nothing here; facts from `memory add` "
            "wait for a branch",
            "`git switch -c NAME` makes a branch here, `git switch main` goes back to one.",
        )
    branch = ref.removeprefix("refs/heads/")
    if oid:
        return Finding(True, f"on {branch} at {oid[:10]}")
    if ref and not (site.place.common_dir / ref).exists():
        return Finding(
            True, f"on {branch}, which has no commit yet", "`clawgit snapshot` makes the first one."
        )
    if mends := mends_of_head(site):
        fix = "`clawgit doctor --fix` repairs it: no file is changed."
        return Finding(False, f"{branch or 'HEAD'} cannot be read", fix, mends)
    return Finding(
        False,
        f"{branch or 'HEAD'} names a commit that cannot be read",
        f"`git reflog` lists the commits before it; `git update-ref {ref or 'HEAD'} COMMIT` goes "
        "back to one.",
    )


def look_at_unfinished(site: Site) -> Finding:
    doing = unfinished(site.place.git_dir)
    conflicted = sorted(
        {
            line.partition("\t")[2]
            for line in site.git.text("ls-files", "-u", "-z").split("\0")
            if line
        }
    )
    if not doing and not conflicted:
        return Finding(True, "git has no unfinished operation")
    what = [f"git is in the middle of {doing}"] if doing else []
    what += [f"in conflict: {', '.join(conflicted)}"] if conflicted else []
    return Finding(
        False,
        f"{several(what)}; until that is finished, clawgit changes no branch",
        "`git status` says how to finish or abort.",
    )


def look_at_stranded(site: Site) -> Finding:
    """Finds commits of clawgit on no branch: git deletes them when its reflog expires."""
    lost = stranded_commits(site.place, site.git)
    if not lost:
        return Finding(True, "every commit of clawgit is on a branch")
    detail = (
        f"{counted(len(lost), 'commit')} of clawgit on no branch: "
        f"{several([commit.summary for commit in lost])}"
    )
    mend = Mend(
        f"bring {counted(len(lost), 'commit')} to the branch you are on",
        partial(_adopt, site, lost),
    )
    fix = (
        "`clawgit doctor --fix` brings them to the branch you are on, and keeps them from git's "
        "garbage collection."
    )
    return Finding(False, detail, fix, (mend,))


def _adopt(site: Site, lost: list[StrandedCommit]) -> None:
    site.workspace.git.adopt(lost, site.workspace.now)
    site.workspace.git.close()


def look_at_user(site: Site) -> Finding:
    missing = [
        key
        for key in ("user.name", "user.email")
        if not site.git.text("config", key, ok=(0, 1)).strip()
    ]
    if not missing:
        return Finding(True, "git knows who commits")
    fix = (
        f"git config --global {missing[0]} "
        f"{'YOU' if missing[0] == 'user.name' else 'you@example.org'}"
    )
    return Finding(True, f"{' and '.join(missing)} not set: your commits have clawgit's name", fix)


def look_at_packing(site: Site) -> Finding:
    """Loose objects cost time but lose nothing, so they are at most a note.

    There is none if the operator has turned off `gc.auto`.
    """
    # If nothing is set, git exits with 1 and uses its own default.
    limit = int(site.git.text("config", "--type=int", "gc.auto", ok=(0, 1)) or _GC_AUTO)
    counts = dict(line.split(": ", 1) for line in site.git.text("count-objects", "-v").splitlines())
    loose = int(counts["count"])
    if limit <= 0 or loose <= limit:
        return Finding(
            True, f"{counted(loose, 'loose object')}, {counted(int(counts['packs']), 'pack')}"
        )
    return Finding(
        True,
        f"{counted(loose, 'loose object')}: git gets slower",
        "`clawgit doctor --fix` packs them, and so does `git gc`.",
        (Mend("pack loose objects (git gc --auto)", partial(_pack, site)),),
    )


def _pack(site: Site) -> None:
    if why_not := pack(site.git):
        raise ClawgitError(why_not)


def look_at_disk(site: Site) -> Finding:
    usage = shutil.disk_usage(site.place.git_dir)
    return disk_finding(usage.free, usage.total)


def disk_finding(free: int, total: int) -> Finding:
    """Under 200 MB is a problem; under 5 % of a larger disk is a note."""
    room = f"{free // 1_000_000:,} MB free"
    if free < _LEAST_FREE:
        return Finding(
            False,
            f"{room}, which is too little",
            "Free some space; clawgit refuses to write on a full disk.",
        )
    if free < total * _LEAST_SHARE:
        return Finding(
            True, f"{room}, {free * 100 / total:.0f} % of the disk", "Free some space soon."
        )
    return Finding(True, room)


def look_at_workspace(site: Site) -> Finding:
    if is_workspace(site.place):
        return Finding(True, f"{site.root}")
    return Finding(
        False,
        f"{site.root} is a git repository, but not a clawgit workspace",
        f"clawgit init '{site.root}'",
        ends=True,
    )
