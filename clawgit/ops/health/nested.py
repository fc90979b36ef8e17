"""Checks of one repository inside another: neither may take the other's files for its own."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from clawgit.errors import ClawgitError
from clawgit.ops.health.finding import GITLINK, Finding, Mend, Site, several
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.exclude import hide_nested
from clawgit.stores.git.gitdir import repo_at
from clawgit.stores.git.place import RepoPlace


def look_inside(site: Site) -> Finding:
    """Repositories in this one: git must track none of their files, and must not list them."""
    swallowed = _swallowed(site)
    if swallowed:
        fix = (
            f"git rm -r --cached '{swallowed[0]}' takes it out of this history and leaves the "
            "files."
        )
        return Finding(
            False, f"a repository of its own, yet tracked here: {several(swallowed)}", fix
        )
    # Git lists an untracked repository as a folder, and an ordinary folder by its files.
    bare = [
        path.rstrip("/") for path in site.others if path.endswith("/") and _concerns(site, path)
    ]
    if not bare:
        return Finding(True, "no repository in this one is in the way")
    mends = tuple(
        Mend(f"hide {path}/ (.git/info/exclude)", partial(hide_nested, site.place, path))
        for path in bare
    )
    fix = "`clawgit doctor --fix` hides it in .git/info/exclude; its own history is not touched."
    return Finding(
        False,
        f"a repository of its own, which `git add` would swallow: {several(bare)}",
        fix,
        mends,
    )


def _swallowed(site: Site) -> list[str]:
    """Repositories that git tracks here, as a link without a submodule or by their files.

    After a clone, the folder of such a link is empty: nothing is there to be lost.
    """
    links = [path for path, mode in site.tracked.items() if mode == GITLINK]
    inner = (path for path in (*links, *_folders(site)) if (site.root / path / ".git").exists())
    return [path for path in inner if path not in links or _is_stray_link(site, path)]


def _is_stray_link(site: Site, path: str) -> bool:
    # The cheap question first: a submodule is looked up with a call of git.
    return _concerns(site, path) and not _is_submodule(site, path)


def look_around(site: Site) -> Finding:
    """The repository around this one, if any, must not take the workspace for its own."""
    outer = _repo_above(site.root, site.workspace.caller.env)
    if outer is None:
        return Finding(True, "it is not inside another repository")
    git = CGit(outer.root, site.workspace.caller.env)
    path = site.root.relative_to(outer.root).as_posix()
    listed = git.text("ls-files", "-s", "-z", "--", path)
    held = [line.split(" ")[0] for line in listed.split("\0") if line]
    if held and (held != [f"{GITLINK:o}"] or not (outer.root / ".gitmodules").is_file()):
        fix = (
            f"git -C '{outer.root}' rm -r --cached '{path}' takes it out of there and leaves "
            "the files."
        )
        return Finding(False, f"{outer.root} tracks files of this workspace", fix)
    if held or git.call("check-ignore", "-q", f"{path}/", ok=(0, 1))[0] == 0:
        return Finding(True, f"{outer.root} leaves this workspace alone")
    mend = Mend(f"hide it from {outer.root} (info/exclude)", partial(hide_nested, outer, path))
    fix = f"`clawgit doctor --fix` hides it in {outer.common_dir / 'info' / 'exclude'}."
    return Finding(False, f"`git add` in {outer.root} would add this workspace to it", fix, (mend,))


def _folders(site: Site) -> list[str]:
    """Every folder that holds a file of the workspace."""
    folders = set[str]()
    for path in site.files:
        folder = path.rpartition("/")[0]
        while folder and folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    return sorted(folders)


def _concerns(site: Site, folder: str) -> bool:
    """Whether Markdown in a folder would be clawgit's, if it were not a repository of its own."""
    return site.scope.covers(f"{folder.rstrip('/')}/_.md")


def _is_submodule(site: Site, path: str) -> bool:
    known = site.git.text("config", "--file", ".gitmodules", "--get-regexp", r"\.path$", ok=(0, 1))
    return path in {line.partition(" ")[2] for line in known.splitlines()}


def _repo_above(root: Path, env: Mapping[str, str]) -> RepoPlace | None:
    for folder in root.parents:
        try:
            if place := repo_at(folder, env):
                return place
        except ClawgitError:
            continue
    return None
