"""Installs git's hooks next to existing ones, checks them, and removes them."""

import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from clawgit.domain.change.actors import reserved_patterns
from clawgit.domain.markdown.decoding import exact_text
from clawgit.doors import subprocess
from clawgit.errors import ClawgitError, UsageError
from clawgit.ops.workspace.operator import confirm, require_operator
from clawgit.ops.workspace.workspace import Workspace
from clawgit.resources import resource
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.place import RepoPlace
from clawgit.stores.plainfile import read_plain

BODIES: Mapping[str, str] = {
    "pre-commit": "pre-commit",
    "commit-msg": "commit-msg",
    "post-commit": "post",
    "post-merge": "post",
    "post-checkout": "post",
    "post-rewrite": "post",
    "pre-push": "pre-push",
    "reference-transaction": "reference-transaction",
}
"""Each hook, and its script in hooks/, which comes after the lines that all hooks share."""

SIGNATURE = "reference-transaction"
"""Git runs it twice for each commit, which takes as long as our other hooks together. So the first
commit whose signature has to be checked installs it.
"""

FIRST = tuple(name for name in BODIES if name != SIGNATURE)
"""The hooks that are installed from the start."""

UNWANTED = "clawgit.hooks"
"""The setting of git that is `false` after the operator removed the hooks. `init` obeys it."""

_AT_A_TERMINAL = "The operator runs this at a terminal: clawgit hooks uninstall"

_KEPT = ".before-clawgit"
_OLD = ".clawgit-old"
_MARK = "# clawgit "

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
    detail: str


class Hooks(NamedTuple):
    """`shared`: other repositories use the same hooks folder. `ok`: all are installed, or not
    wanted.
    """

    folder: Path
    shared: bool
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
    commit: None = None
    id: None = None
    changed: tuple[str, ...] = ()
    dry_run: bool = False


def hooks(workspace: Workspace) -> Hooks:
    """The state of each hook. Changes nothing."""
    folder = _folder(workspace)
    hooks_here = _look(folder)
    if not any(hook.state in _OURS for hook in hooks_here):
        _refuse_tracked(workspace, folder)
    wanted = _wanted(workspace)
    # If the operator refused them, it is right that none is there, but not that only some are.
    ok = all(hook.state == INSTALLED for hook in hooks_here) or (
        not wanted and not any(hook.state in _OURS for hook in hooks_here)
    )
    return Hooks(folder, _is_shared(workspace.place, folder), wanted, ok, hooks_here)


def install(
    workspace: Workspace, *, python: str = sys.executable, dry_run: bool = False
) -> Changed:
    """Installs every hook that is missing or outdated.

    An earlier hook is kept and called first.
    """
    folder = _folder(workspace)
    _refuse_tracked(workspace, folder)
    before = _look(folder, python)
    stuck = [_stuck(folder, hook) for hook in before]
    due = [hook for hook in before if hook.state != INSTALLED and not _stuck(folder, hook)]
    kept = tuple(hook.name for hook in due if hook.state == FOREIGN)
    if not dry_run:
        workspace.place.shared.mkdir(exist_ok=True)
        folder.mkdir(parents=True, exist_ok=True)
        for hook in due:
            _put(folder, hook.name, shim(hook.name, python))
        _want(workspace, wanted=True)
    notes = tuple(filter(None, [*stuck, _shared_note(workspace.place, folder)]))
    return Changed(folder, tuple(hook.name for hook in due), kept, notes=notes, dry_run=dry_run)


def install_signature_check(workspace: Workspace) -> bool:
    """Installs the hook that checks a signature before a branch moves, as it is in this clawgit;
    False if it cannot be.
    """
    try:
        folder = _folder(workspace)
        _refuse_tracked(workspace, folder)
        state, _ = _state(folder / SIGNATURE, SIGNATURE, sys.executable)
        if state == FOREIGN and _kept(folder, SIGNATURE):
            return False
        if state != INSTALLED:
            _put(folder, SIGNATURE, shim(SIGNATURE, sys.executable))
    except (HooksError, OSError):
        return False
    return True


def uninstall(workspace: Workspace, *, dry_run: bool = False) -> Changed:
    """Removes our hooks and restores the earlier ones. `init` will not install them again.

    Only the operator may: without them, git commits what they would refuse.
    """
    require_operator(workspace.caller, "take the hooks out", _AT_A_TERMINAL)
    if not dry_run:
        confirm(workspace.caller, f"hooks uninstall {workspace.root}")
    return _taken_out(workspace, dry_run=dry_run)


def _taken_out(workspace: Workspace, *, dry_run: bool) -> Changed:
    folder = _folder(workspace)
    removed, restored, notes = [], [], []
    for hook in _look(folder):
        file, aside = folder / hook.name, folder / f"{hook.name}{_KEPT}"
        if hook.state in _OURS:
            removed.append(hook.name)
            if not dry_run:
                _set_aside(file, hook.state)
        if hook.kept and hook.state == FOREIGN:
            notes.append(
                f"{file} is not clawgit's and stays; {aside} is the one that was there before."
            )
        elif hook.kept:
            restored.append(hook.name)
            if not dry_run:
                aside.rename(file)
    if not dry_run:
        _want(workspace, wanted=False)
    return Changed(
        folder,
        removed=tuple(removed),
        restored=tuple(restored),
        notes=tuple(notes),
        dry_run=dry_run,
    )


def run(workspace: Workspace, name: str, arguments: Sequence[str]) -> int:
    """Runs only our own hook, as git would, and returns its exit code.

    Its output goes to ours. From the git process above us the script finds out who commits, and
    how.
    """
    place, env = workspace.place, dict(workspace.caller.env)
    place.shared.mkdir(exist_ok=True)
    if place.git_dir != place.root / ".git":
        env.setdefault("GIT_DIR", str(place.git_dir))
    text, caller = shim(name, sys.executable), _calling_git()
    argv = ["sh", "-c", text.replace("$PPID", caller) if caller else text, name, *arguments]
    return subprocess.run(argv, cwd=place.root, env=env, check=False).returncode


def install_unasked(workspace: Workspace, *, dry_run: bool = False) -> Changed:
    """Installs the hooks for `init`, unless they are shared or were refused."""
    nothing = Changed(workspace.root, dry_run=dry_run)
    if not _wanted(workspace):
        return nothing
    try:
        folder = _folder(workspace)
        if not _is_shared(workspace.place, folder):
            return install(workspace, dry_run=dry_run)
        reason = f"{_shared_note(workspace.place, folder)} `clawgit hooks install` installs them."
    except HooksError as error:
        reason = f"{error.message} `clawgit hooks` says what to do."
    return nothing._replace(notes=(f"git's hooks are not installed: {reason}",))


def uninstall_unasked(workspace: Workspace, *, dry_run: bool = False) -> Changed:
    """Removes the hooks for `deinit`, unless they are shared. Git's setting goes too."""
    try:
        folder = _folder(workspace)
    except HooksError as error:
        return Changed(workspace.root, notes=(error.message,), dry_run=dry_run)
    if _is_shared(workspace.place, folder):
        return Changed(
            folder, notes=(f"the hooks in {folder}, which serves others",), dry_run=dry_run
        )
    done = _taken_out(workspace, dry_run=dry_run)
    if not dry_run:
        forget(workspace)
    return done


def forget(workspace: Workspace) -> None:
    """Removes git's setting, so that nothing is left."""
    workspace.cgit.run("config", "--local", "--unset-all", UNWANTED, ok=(0, 5))


def shim(name: str, python: str) -> str:
    """The text of one hook; UsageError if there is no hook of that name."""
    if name not in BODIES:
        raise UsageError(f"There is no hook {name}.", hint=f"One of: {', '.join(BODIES)}.")
    folder = resource("hooks")
    text = (folder / "head.sh").read_text("utf-8") + (folder / f"{BODIES[name]}.sh").read_text(
        "utf-8"
    )
    text = text.replace("@RESERVED@", " | ".join(reserved_patterns()))
    return text.replace("@NAME@", name).replace("@PYTHON@", python.replace("'", "'\\''"))


def _calling_git() -> str:
    """The id of the git process above us; "" if there is none or the system does not show it."""
    process = os.getppid()
    # A shell may stand between git and us.
    while process > 1:
        try:
            status = Path(f"/proc/{process}/status").read_text("utf-8", "replace")
        except OSError:
            return ""
        known = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
        if known["Name"] == "git":
            return str(process)
        process = int(known["PPid"])
    return ""


def _look(folder: Path, python: str | None = None) -> tuple[Hook, ...]:
    rows = ((name, *_state(folder / name, name, python)) for name in BODIES)
    return tuple(
        Hook(name, state, _kept(folder, name), detail)
        for name, state, detail in rows
        if name != SIGNATURE or state in _OURS
    )


def _state(file: Path, name: str, python: str | None) -> tuple[str, str]:
    if not os.path.lexists(file):
        return MISSING, "it is not there"
    try:
        text = exact_text(read_plain(file))
    except OSError as error:
        return FOREIGN, str(error.strerror)
    marked = next(iter(text.split("\n")[1:2]), "")
    if not marked.startswith(f"{_MARK}{name}:"):
        return FOREIGN, "somebody else's"
    recorded = _interpreter(text)
    faults = (
        (text != shim(name, recorded), "edited, or of another version of clawgit"),
        (python not in (None, recorded), f"for another interpreter, {recorded}"),
        (not os.access(recorded, os.X_OK), f"its interpreter is gone: {recorded}"),
        (not os.access(file, os.X_OK), "not executable, so git skips it"),
    )
    return next(((OUTDATED, what) for wrong, what in faults if wrong), (INSTALLED, recorded))


def _interpreter(text: str) -> str:
    quoted = text.partition("\npython='")[2].partition("'\n")[0]
    return quoted.replace("'\\''", "'")


def _kept(folder: Path, name: str) -> str:
    aside = folder / f"{name}{_KEPT}"
    return str(aside) if os.path.lexists(aside) else ""


def _stuck(folder: Path, hook: Hook) -> str:
    """Why a hook is left alone; "" if it is not."""
    file = folder / hook.name
    if hook.state != FOREIGN or not hook.kept:
        return ""
    with suppress(OSError):
        if read_plain(file) == read_plain(hook.kept):
            return ""
    return (
        f"{file} replaced clawgit's and stays: {hook.kept} is kept already. Merge the two, delete "
        "one, and install again."
    )


def _put(folder: Path, name: str, text: str) -> None:
    """Moves the existing file aside, as it is, and then renames the new one into place."""
    file, made = folder / name, folder / f".{name}.clawgit-new"
    made.unlink(missing_ok=True)  # through a link of that name we would write elsewhere
    with made.open("x", encoding="utf-8", errors="surrogateescape") as new:
        new.write(text)
    made.chmod(0o755)
    state, _ = _state(file, name, None)
    if state == FOREIGN:
        file.rename(folder / f"{name}{_KEPT}")
    elif state == OUTDATED:
        _set_aside(file, state)
    made.rename(file)


def _set_aside(file: Path, state: str) -> None:
    """Removes a hook of ours. One that somebody may have edited is renamed: git does not run it."""
    if state == INSTALLED:
        file.unlink()
    else:
        file.rename(file.with_name(f"{file.name}{_OLD}"))


def _folder(workspace: Workspace) -> Path:
    """The folder in which git looks for hooks. All worktrees share it."""
    configured = hooks_path(workspace.cgit)
    folder = workspace.place.common_dir / "hooks"
    if configured is not None:
        folder = Path(os.path.normpath(workspace.root / configured))
    # An empty path, or /dev/null, is how hooks are turned off.
    if configured == "" or (folder.exists() and not folder.is_dir()):
        raise HooksError(
            f"Git looks for hooks in {configured or 'no folder'}, so they are turned off here.",
            hint="`git config --show-origin core.hooksPath` says by whom.",
        )
    # A link leads to a folder that others use too, as core.hooksPath does.
    return folder.resolve() if folder.is_symlink() else folder


def hooks_path(git: CGit) -> str | None:
    """The value of core.hooksPath; None if it is not set.

    Our own git commands turn hooks off on the command line; that value is skipped.
    """
    asked = ("config", "-z", "--show-scope", "--type=path", "--get-all", "core.hooksPath")
    fields = iter(git.text(*asked, ok=(0, 1)).split("\0"))
    values = [value for scope, value in zip(fields, fields, strict=False) if scope != "command"]
    return values[-1] if values else None


def _refuse_tracked(workspace: Workspace, folder: Path) -> None:
    """Raises if the hooks folder is part of the work tree, which others clone: our hooks belong to
    one machine.
    """
    if not folder.is_relative_to(workspace.root) or folder.is_relative_to(
        workspace.place.common_dir
    ):
        return
    inside = (folder / "pre-commit").relative_to(workspace.root).as_posix()
    if workspace.cgit.call("check-ignore", "-q", "--", inside, ok=(0, 1))[0] == 0:
        return
    raise HooksError(
        f"{folder} is in the work tree and not ignored: hooks of one machine do not belong there.",
        hint='Call it from your own, with its arguments: clawgit hook pre-commit "$@" || exit',
    )


def _is_shared(place: RepoPlace, folder: Path) -> bool:
    return not any(
        folder.is_relative_to(home.resolve()) or folder.is_relative_to(home)
        for home in (place.root, place.common_dir)
    )


def _shared_note(place: RepoPlace, folder: Path) -> str:
    if not _is_shared(place, folder):
        return ""
    return (
        f"{folder} serves other repositories too; clawgit's hooks do nothing outside a workspace."
    )


def _wanted(workspace: Workspace) -> bool:
    return (
        workspace.cgit.text("config", "--get", "--type=bool", UNWANTED, ok=(0, 1)).strip()
        != "false"
    )


def _want(workspace: Workspace, *, wanted: bool) -> None:
    if wanted:
        forget(workspace)
    else:
        workspace.cgit.run("config", "--local", UNWANTED, "false")
