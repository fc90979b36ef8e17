"""Installs git's hooks next to existing ones, and the merge driver, by which plain git merges
memory entry by entry; checks them, and removes them.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from shlex import quote, split

from clawgit.core import NamedTuple
from clawgit.core.disk.plainfile import put_in_place, text_at
from clawgit.core.doors import subprocess
from clawgit.core.errors import ClawgitError, Committed, refuse_unknown
from clawgit.core.markdown.decoding import exact_bytes
from clawgit.core.resources import resource
from clawgit.git.cgit import CGit
from clawgit.git.info import DRIVER, drive, driven, lines_for
from clawgit.git.rules.actors import reserved_patterns
from clawgit.safety.operator import confirm, require_operator
from clawgit.workspace.workspace import Workspace

NAMES = ("pre-commit", "commit-msg", "post-commit", "pre-push")
"""The hooks. Each is `head.sh` and its own script in hooks/."""

_NOTED = "clawgit.hooks"
"""The setting of git that is `true` when the hooks were installed, `false` after the operator
removed them. `init` obeys it.
"""

_AT_A_TERMINAL = "The operator runs this at a terminal: clawgit hooks uninstall"

_KEPT = ".before-clawgit"

_STUCK = (
    "{} replaced clawgit's and stays: {} is kept already. Merge the two, delete one, and install "
    "again."
)
_LEFT = "{} is not clawgit's and stays; {} was there before."

INSTALLED = "installed"
MISSING = "missing"
OUTDATED = "outdated"
FOREIGN = "foreign"
"""The states of a hook. Outdated: ours, but of another version, edited, or unable to run."""

_OURS = (INSTALLED, OUTDATED)


class HooksError(ClawgitError):
    kind = "hooks"


class Hook(NamedTuple):
    """`kept`: the earlier hook, which is called first; "" if there is none."""

    name: str
    state: str
    kept: str


class Hooks(NamedTuple):
    """`ok`: all are installed, or not wanted."""

    folder: Path
    wanted: bool
    ok: bool
    hooks: tuple[Hook, ...]


class Changed(NamedTuple):
    """What was installed, kept, removed and restored. `notes` say what was left alone."""

    folder: Path
    installed: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    change: Committed = Committed()
    dry_run: bool = False


def hooks(workspace: Workspace) -> Hooks:
    """The state of each hook. Changes nothing."""
    _refuse_elsewhere(workspace)
    seen, wanted = _look(workspace), _wanted(workspace)
    # If the operator refused them, it is right that none is there, but not that only some are.
    states = {hook.state for hook in seen}
    ok = states == {INSTALLED} or (not wanted and states.isdisjoint(_OURS))
    return Hooks(_folder(workspace), wanted, ok, seen)


def install(workspace: Workspace, *, python: str = sys.executable) -> Changed:
    """Installs every hook that is missing or outdated.

    An earlier hook is kept and called first.
    """
    _refuse_elsewhere(workspace)
    folder, seen = _folder(workspace), _look(workspace)
    due = [
        hook
        for hook in seen
        if not _is_stuck(hook)
        if hook.state != INSTALLED or text_at(folder / hook.name) != shim(hook.name, python)
    ]
    if not workspace.dry_run:
        workspace.place.shared.mkdir(exist_ok=True)
        folder.mkdir(exist_ok=True)
        for hook in due:
            _put(folder, hook, python)
        workspace.cgit.run("config", "--local", _NOTED, "true")
    kept = [hook for hook in due if hook.state == FOREIGN]
    notes = tuple(_STUCK.format(folder / hook.name, hook.kept) for hook in filter(_is_stuck, seen))
    return Changed(folder, _names(due), _names(kept), notes=notes, dry_run=workspace.dry_run)


def _is_stuck(hook: Hook) -> bool:
    return hook.state == FOREIGN and bool(hook.kept)


def install_unasked(workspace: Workspace) -> Changed:
    """Installs the hooks for `init`, unless they were refused or git looks elsewhere for hooks."""
    nothing = Changed(workspace.root, dry_run=workspace.dry_run)
    if not _wanted(workspace):
        return nothing
    try:
        return install(workspace)
    except HooksError as error:
        return nothing._replace(notes=(error.with_hint,))


def uninstall(workspace: Workspace) -> Changed:
    """Removes our hooks and restores the earlier ones. `init` will not install them again.

    Only the operator may: without them, git commits what they would refuse.
    """
    require_operator(workspace.caller, "take the hooks out", _AT_A_TERMINAL)
    if not workspace.dry_run:
        confirm(workspace.caller, f"hooks uninstall {workspace.root}")
        workspace.cgit.run("config", "--local", _NOTED, "false")
    return take_out(workspace)


def take_out(workspace: Workspace) -> Changed:
    """Removes our hooks and restores the earlier ones, as `deinit` does."""
    folder, seen = _folder(workspace), _look(workspace)
    ours = [hook for hook in seen if hook.state in _OURS]
    kept = [hook for hook in seen if hook.kept]
    # Earlier hooks come back as they were, but never over one that replaced ours.
    back = [hook for hook in kept if hook.state != FOREIGN]
    left = (_LEFT.format(folder / hook.name, hook.kept) for hook in kept if hook not in back)
    if not workspace.dry_run:
        for hook in ours:
            (folder / hook.name).unlink()
        for hook in back:
            Path(hook.kept).rename(folder / hook.name)
    return Changed(
        folder,
        removed=_names(ours),
        restored=_names(back),
        notes=tuple(left),
        dry_run=workspace.dry_run,
    )


def _names(hooks_there: Sequence[Hook]) -> tuple[str, ...]:
    return tuple(hook.name for hook in hooks_there)


def forget(workspace: Workspace) -> None:
    """Removes git's setting, so that nothing is left."""
    workspace.cgit.run("config", "--local", "--unset-all", _NOTED, ok=(0, 5))


def run(workspace: Workspace, name: str, arguments: Sequence[str]) -> int:
    """Runs only our own hook, as git would, and returns its exit code.

    Its output goes to ours. From the git process above us the script finds out who commits, and
    how.
    """
    place, env = workspace.place, dict(workspace.env)
    place.shared.mkdir(exist_ok=True)
    if place.git_dir != place.root / ".git":
        env.setdefault("GIT_DIR", str(place.git_dir))
    text, caller = shim(name, sys.executable), _calling_git()
    argv = ["sh", "-c", text.replace("$PPID", caller) if caller else text, name, *arguments]
    return subprocess.run(argv, cwd=place.root, env=env, check=False).returncode


def shim(name: str, python: str) -> str:
    """The text of one hook; UsageError if there is no hook of that name."""
    refuse_unknown("hook", name, NAMES)
    folder = resource("hooks")
    text = "".join((folder / f"{part}.sh").read_text("utf-8") for part in ("head", name))
    text = text.replace("@RESERVED@", " | ".join(reserved_patterns()))
    return text.replace("@NAME@", name).replace("@PYTHON@", python.replace("'", "'\\''"))


def elsewhere(git: CGit) -> str | None:
    """The value of core.hooksPath; None if it is not set.

    Our own git commands turn hooks off on the command line; that value is skipped.
    """
    asked = ("config", "-z", "--show-scope", "--type=path", "--get-all", "core.hooksPath")
    fields = iter(git.text(*asked, ok=(0, 1)).split("\0"))
    values = [value for scope, value in zip(fields, fields, strict=False) if scope != "command"]
    return values[-1] if values else None


def _calling_git() -> str:
    """The id of the git process above us; "" if there is none or the system does not show it."""
    process = os.getppid()
    # A shell may stand between git and us.
    while process > 1:
        status = text_at(f"/proc/{process}/status")
        known = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
        if known.get("Name") == "git":
            return str(process)
        process = int(known.get("PPid", 0))
    return ""


def _look(workspace: Workspace) -> tuple[Hook, ...]:
    return tuple(_hook(_folder(workspace), name) for name in NAMES)


def _hook(folder: Path, name: str) -> Hook:
    aside = folder / f"{name}{_KEPT}"
    return Hook(name, _state(folder / name), str(aside) if os.path.lexists(aside) else "")


def _state(file: Path) -> str:
    if not os.path.lexists(file):
        return MISSING
    text = text_at(file)
    if f"\n# clawgit {file.name}: " not in text:
        return FOREIGN
    python = text.partition("\npython='")[2].partition("'\n")[0].replace("'\\''", "'")
    is_whole = text == shim(file.name, python) and os.access(python, os.X_OK)
    return INSTALLED if is_whole and os.access(file, os.X_OK) else OUTDATED


def _put(folder: Path, hook: Hook, python: str) -> None:
    file = folder / hook.name
    if hook.state == FOREIGN:
        file.rename(folder / f"{hook.name}{_KEPT}")
    put_in_place(file, exact_bytes(shim(hook.name, python)), 0o777)


def _folder(workspace: Workspace) -> Path:
    """Git's own folder of hooks, which all worktrees share."""
    return workspace.place.common_dir / "hooks"


def _refuse_elsewhere(workspace: Workspace) -> None:
    """Raises if git looks for hooks in a folder that others share, or that is in the work tree: it
    belongs to its owners, who can call ours from theirs.
    """
    folder, named = _folder(workspace), elsewhere(workspace.cgit)
    if named is not None or folder.is_symlink():
        raise HooksError(
            f"Git looks for hooks in {named or folder.resolve()}, which is not clawgit's.",
            hint='Call ours from yours, with its arguments: clawgit hook NAME "$@" || exit',
        )


def _wanted(workspace: Workspace) -> bool:
    return noted(workspace) != "false"


def noted(workspace: Workspace) -> str:
    """`true` if the hooks were installed here, `false` if the operator removed them, or ""."""
    asked = ("config", "--get", "--type=bool", _NOTED)
    return workspace.cgit.text(*asked, ok=(0, 1)).strip()


# The merge driver.

_SECTION = f"merge.{DRIVER}"
_DRIVER_NAME = "clawgit: memory, merged by meaning"
_FOLDER, _DRIVER_SCRIPT = "clawgit", "merge-driver"
_GITS_OWN = "git merge-file -q --marker-size=%L -L ours -L base -L theirs %A %O %B"
"""Git's own merge, so that a driver that cannot run leaves conflict markers, and never only our
side."""


def driver_is_in(workspace: Workspace) -> bool:
    """Whether plain git uses this clawgit's driver here, for the files in scope."""
    place = workspace.place
    text = text_at(place.shared / _DRIVER_SCRIPT)
    quoted = text.partition("\npython=")[2].partition("\n")[0]
    python = "".join(split(quoted))
    return (
        _rows(workspace) == _rows_wanted()
        and driven(place) == lines_for(workspace.scope)
        and text == driver_script(python)
        and os.access(python, os.X_OK)
    )


def put_driver_in(workspace: Workspace) -> None:
    """Installs the driver for the files in scope: script, setting, then the lines that name it."""
    place, git = workspace.place, workspace.cgit
    file = place.shared / _DRIVER_SCRIPT
    file.parent.mkdir(exist_ok=True)
    put_in_place(file, exact_bytes(driver_script(sys.executable)))
    for key, value in _rows_wanted().items():
        git.run("config", "--local", "--replace-all", key, value)
    drive(place, lines_for(workspace.scope))


def take_driver_out(workspace: Workspace) -> tuple[str, ...]:
    """Removes the driver, the lines that name it first. Returns what was removed."""
    place = workspace.place
    rows, lines = _rows(workspace), driven(place)
    if not workspace.dry_run:
        drive(place, ())
        if rows:
            workspace.cgit.run("config", "--local", "--remove-section", _SECTION)
    return ("merge driver",) if rows or lines else ()


def driver_script(python: str) -> str:
    """The text of the driver's script."""
    text = (resource("hooks") / f"{_DRIVER_SCRIPT}.sh").read_text("utf-8")
    return text.replace("'@PYTHON@'", quote(python))


def _rows_wanted() -> dict[str, str]:
    # The script runs in a subshell: however it ends, the shell that git started goes on. Git runs
    # it at the top of the work tree, so a relative path finds the driver in a moved folder too.
    common = "d=.git; [ -d $d ] || d=$(git rev-parse --git-common-dir)"
    call = f'(set -- %O %A %B %P %L; {common}; . "$d/{_FOLDER}/{_DRIVER_SCRIPT}")'
    return {
        f"{_SECTION}.name": _DRIVER_NAME,
        f"{_SECTION}.driver": f"{call}; case $? in 0) exit 0;; 10) exit 1;; esac; {_GITS_OWN}",
    }


def _rows(workspace: Workspace) -> dict[str, str]:
    """Git's settings of the driver in this repository."""
    asked = ("config", "--local", "-z", "--get-regexp", rf"^{_SECTION}\.".replace(".", r"\.", 1))
    answer = workspace.cgit.text(*asked, ok=(0, 1))
    pairs = (row.partition("\n") for row in answer.split("\0") if row)
    return {key: value for key, _, value in pairs}
