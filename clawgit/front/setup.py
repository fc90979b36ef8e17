"""Makes a folder a workspace, and removes clawgit from it again."""

import fcntl
import os
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext, suppress
from itertools import islice
from operator import attrgetter
from pathlib import Path, PurePosixPath

from clawgit.core import NamedTuple
from clawgit.core.config.kinds import shown
from clawgit.core.config.load import set_value
from clawgit.core.disk.plainfile import text_at
from clawgit.core.errors import BusyError, ClawgitError, UnsupportedRepoError, UsageError, counted
from clawgit.core.layout import CONFIG, LAYOUTS
from clawgit.core.resources import resource
from clawgit.front.adoption import (
    NAMES,
    FolderContents,
    InitPlan,
    Recognised,
    config_name,
    init_plan,
)
from clawgit.front.connect.connect import take_out
from clawgit.git.cgit import CGit
from clawgit.git.gitdir import new_repository, repo_at
from clawgit.git.guards.belonging import note_folder
from clawgit.git.info import hide_nested, hide_passing, passing_lines, show_passing
from clawgit.git.looked import FOLLOWED, NOTES, PARKED, WAITING, keep_noted, noted
from clawgit.git.place import OURS, RepoPlace, looks_bare
from clawgit.git.repo import open_repository, storage_errors
from clawgit.git.rules.actors import CLAWGIT
from clawgit.git.rules.history import Intent
from clawgit.git.transaction import Change
from clawgit.run import schedule_install
from clawgit.safety.in_force import config_in_force, unaccepted_config
from clawgit.safety.operator import confirm, require_operator
from clawgit.safety.rules.planted import PlantedBlock
from clawgit.safety.trust import accept_value, drop_acceptances
from clawgit.safety.waiting_texts import adopted_texts
from clawgit.workspace import githooks
from clawgit.workspace.stores import openclaw
from clawgit.workspace.workspace import Caller, Workspace, workspace_around

_MOST_PATHS = 50_000
_MARKERS = (".obsidian", ".openclaw")
"""Folders that a .gitignore usually hides, but that show what kind a workspace is."""

_NAMED = {name.lower() for name in (*NAMES, "memory.md")}
"""The files whose texts tell whether they are clawgit's."""

_AT_A_TERMINAL = "The operator runs this at a terminal: clawgit deinit"


class Initialized(NamedTuple):
    """What `init` found and made, or would make.

    `created` are new files only; `layout` and `scope` are what CONFIG.md says from now on.
    `repository`: a new one was made. `waiting` says what `init` left for later, and why. `planted`
    looks planted: it is the operator's if he adopts the folder at a terminal, else it is withheld
    from agents until he accepts it.
    """

    workspace: Path
    adopted: bool
    layout: str = ""
    scope: tuple[str, ...] = ()
    repository: bool = False
    created: tuple[str, ...] = ()
    hooks: tuple[str, ...] = ()
    planted: tuple[PlantedBlock, ...] = ()
    notes: tuple[str, ...] = ()
    waiting: str = ""
    change: Change = Change()


class Removed(NamedTuple):
    """What `deinit` removed; files and history stay. The commit removes OpenClaw's skill."""

    workspace: Path
    removed: tuple[str, ...]
    kept: tuple[str, ...]
    change: Change


def init(
    folder: Path,
    caller: Caller,
    *,
    openclaw_rules: bool | None = None,
    hooks: bool = True,
    full: bool = False,
) -> Initialized:
    """Creates or adopts a workspace. Existing files stay, and a second call changes nothing.

    Adopting adds as little as will work, unless `full`. If OpenClaw has yet to set the folder up,
    `init` waits for it: `openclaw_rules` forces or forbids that, None looks. With `hooks`, git
    hooks are installed unless git looks elsewhere for them or the operator removed them.
    """
    folder = Path(os.path.normpath(folder.absolute()))
    _refuse_odd_folders(folder, caller.home)
    _refuse_kept(folder, caller.env)
    done = Initialized(
        folder, folder.is_dir() and any(folder.iterdir()), change=Change(dry_run=caller.dry_run)
    )
    if waiting := _waits_for(folder, caller, openclaw_rules):
        return done._replace(waiting=waiting)
    with storage_errors(), nullcontext() if caller.dry_run else _alone_in(folder):
        place = repo_at(folder, caller.env)
        plan = _plan_for(folder, place, caller, full=full)
        done = done._replace(
            layout=plan.layout.name, scope=plan.patterns, notes=plan.notes, repository=place is None
        )
        if caller.dry_run:
            made = tuple(plan.makes)
            return _with_hooks(
                done._replace(created=made, change=done.change._replace(changed=made)),
                _hooks_to_come(folder, place, caller) if hooks else githooks.Changed(folder, ()),
            )
        place = place or _begun(folder, caller)
        note_folder(place)
        with closing(Workspace(place, caller, adopting=(plan.layout, plan.scope))) as workspace:
            done = _fill(workspace, plan, done)
            if hooks and not done.waiting:
                done = _with_hooks(done, githooks.install_unasked(workspace))
            if plan.config in done.created:
                done = _settled(workspace, plan, done)
            # Earlier history is the operator's: it was judged as files, not as commits. Not that of
            # a workspace elsewhere: the first look here says what was told there.
            _note_head(workspace, NOTES if plan.config in done.created else (FOLLOWED,))
            githooks.put_driver_in(workspace)
            workspace.cgit.have_synced()
            # Read again, so that the cache for git's hooks has the new settings.
            config_in_force(place, caller)
            return done


def _hooks_to_come(folder: Path, place: RepoPlace | None, caller: Caller) -> githooks.Changed:
    if place is None:
        return githooks.Changed(folder, githooks.NAMES)
    return githooks.install_unasked(Workspace(place, caller).dry())


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Makes the folder, and waits for another `init` of it."""
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # some file systems lock no folders: git's own locks are left
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _begun(folder: Path, caller: Caller) -> RepoPlace:
    """A new repository. One that git refuses, as in another user's folder, is not left behind."""
    was_there = os.path.lexists(folder / ".git")
    try:
        return new_repository(folder, caller.env)
    except ClawgitError:
        if not was_there:
            _drop_refused(folder, caller)
        raise


def _drop_refused(folder: Path, caller: Caller) -> None:
    try:
        repo_at(folder, caller.env)  # one that is not refused is of another `init` at this moment
    except ClawgitError:
        shutil.rmtree(folder / ".git", ignore_errors=True)


def outer_workspace(folder: Path, env: Mapping[str, str]) -> Path | None:
    """The workspace that a folder is in, unless it is the folder itself."""
    with suppress(UnsupportedRepoError):
        if (place := workspace_around(folder, env)) and place.root != folder:
            return place.root
    return None


def _drop(workspace: Workspace, refs: Iterable[str], folders: Iterable[Path]) -> None:
    for name in refs:
        workspace.git.delete_ref(name)
    for path in folders:
        shutil.rmtree(path)


def deinit(workspace: Workspace) -> Removed:
    """Removes hooks, drivers, state, references, and what `connect` and `schedule` added elsewhere.

    Every file and every commit stays, and so does the log of state. Only the operator may,
    since what he accepted on this machine is removed too.
    """
    require_operator(workspace.caller, "remove clawgit", _AT_A_TERMINAL)
    place, git = workspace.place, workspace.git
    of_worktrees = place.common_dir.glob("worktrees/*/clawgit")
    folders = sorted(filter(Path.is_dir, {place.private, place.shared, *of_worktrees}))
    _refuse_unfinished(place, git.refs_below(OURS), folders)
    if not workspace.dry_run:
        confirm(workspace.caller, f"deinit {place.root}")
    taken, left = take_out(workspace)
    changed = {path: done.client for done in taken for path in done.change.changed}
    # Closing releases the files that its commit replaced, before their folder is removed.
    git.close()
    refs = git.refs_below(OURS)
    services = schedule_install.uninstall_all(workspace)
    out = githooks.take_out(workspace)
    removed = (
        *(f"{client}: {path}" for path, client in changed.items()),
        *(f"runner: {service.where}" for service in services),
        *(f"hook {name}" for name in out.removed),
        *map(str, folders),
        *refs,
        *(f"info/exclude: {line}" for line in passing_lines(place)),
        *githooks.take_driver_out(workspace),
        *workspace.cgit.let_unsynced(dry_run=workspace.dry_run),
        *drop_acceptances(workspace),
    )
    if not workspace.dry_run:
        githooks.forget(workspace)
        _drop(workspace, refs, folders)
        show_passing(place)
    kept = (
        "all files and commits",
        "the log of state, outside the repository",
        *out.notes,
        *left,
        *(f"to run by hand: {step}" for service in services for step in service.steps),
    )
    # One skill serves all programs, so at most one of them has a commit.
    made = filter(attrgetter("commit"), map(attrgetter("change"), taken))
    change = next(made, Change(dry_run=workspace.dry_run))
    return Removed(place.root, removed, kept, change._replace(changed=tuple(changed)))


def _refuse_unfinished(place: RepoPlace, refs: Collection[str], folders: Sequence[Path]) -> None:
    """Raises while something waits that is in no file and on no branch."""
    if any(ref.startswith(PARKED) for ref in refs):
        raise BusyError(
            "Changes are parked until HEAD is on a branch and git has no unfinished operation.",
            hint="`git status` names it; when it is finished, `clawgit status` applies them. For "
            "those of a worktree that is gone: `clawgit doctor --fix`.",
        )
    if waiting := sum(ref.startswith(WAITING) for ref in refs):
        raise BusyError(
            f"{counted(waiting, 'change')} waiting for the operator would be lost.",
            hint="`clawgit soul proposals` lists them: approve or reject each first.",
        )
    for folder in folders:
        if folder != place.private and any((folder / "held").glob("*")):
            raise BusyError(
                f"An interrupted command in another worktree has left text in {folder / 'held'}.",
                hint="Run `clawgit status` there; `git worktree list` names the worktrees.",
            )


def _refuse_odd_folders(folder: Path, home: Path) -> None:
    if folder in (home, folder.parent):
        raise UsageError(
            f"{folder} holds much more than an agent's files.",
            hint="Name a folder of its own: clawgit init DIR",
        )
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file.", hint="Name a folder: clawgit init DIR")
    if ".git" in folder.parts:
        raise UsageError(f"{folder} is inside a git directory.", hint="Name the work tree instead.")
    if looks_bare(folder):
        raise UnsupportedRepoError(
            f"{folder} is a bare repository.", hint="Clone it, and run `clawgit init` in the clone."
        )


def _refuse_kept(folder: Path, env: Mapping[str, str]) -> None:
    """A workspace whose files became another's would no longer see or keep them."""
    outer = outer_workspace(folder, env)
    if outer and CGit(outer, env).run("ls-files", "-z", "--", str(folder)):
        raise UsageError(
            f"The workspace {outer} keeps files of {folder}.",
            hint="Work in that workspace, or move the folder out of it first.",
        )


def _waits_for(folder: Path, caller: Caller, openclaw_rules: bool | None) -> str:
    """Why nothing may be written yet, "" if it may.

    An identity file or a .git that exists before OpenClaw's set-up suppresses its bootstrap ritual.
    """
    if openclaw_rules is False or openclaw.is_set_up(folder):
        return ""
    if openclaw_rules is None and openclaw.agent_in(folder, caller) is None:
        return ""
    return (
        "OpenClaw has not set this workspace up yet, and skips its bootstrap ritual where it finds "
        "files: start it once, then run `clawgit init` again (or `clawgit init --no-openclaw`)."
    )


def _with_hooks(done: Initialized, put_in: githooks.Changed) -> Initialized:
    return done._replace(hooks=put_in.installed, notes=(*done.notes, *put_in.notes))


def _settled(workspace: Workspace, plan: InitPlan, done: Initialized) -> Initialized:
    """Accepts the layout and the scope that the operator adopted, against later edits by others,
    and says what looks planted in what was there.
    """
    if workspace.actor.is_operator:
        accept_value(workspace, "scope", (plan.layout.name, *plan.patterns), commit=None)
    if not done.adopted:
        return done
    planted, notes = adopted_texts(workspace)
    return done._replace(planted=planted, notes=(*done.notes, *notes))


def _note_head(workspace: Workspace, notes: Iterable[str]) -> None:
    """Records that nothing in HEAD needs to be looked at or followed up, unless that is recorded
    already.
    """
    if head := workspace.git.tip:
        for note in notes:
            keep_noted(workspace.place, note, noted(workspace.place, note) or head)


def _fill(workspace: Workspace, plan: InitPlan, done: Initialized) -> Initialized:
    """Commits what is there, and then what `init` adds."""
    place, git, now = workspace.place, workspace.git, workspace.now
    open_repository(place)
    place.shared.mkdir(exist_ok=True)
    hide_passing(place)
    if pause := git.pause():
        then = "the files follow when that is over and `clawgit init` runs again"
        return done._replace(waiting=f"{pause.why}; {then}. {pause.hint}.")
    # In a new repository, earlier files go into a commit of their own, so that the commit of `init`
    # has only what `init` adds.
    dirt = git.snapshot(now)[1] if git.tip is None else git.dirt()
    for path, _ in dirt.skipped:
        if path.endswith("/"):
            hide_nested(place, path)
    summary = "adopt this folder as a workspace" if done.adopted else "begin a workspace"
    reason = f"It is {plan.layout.title}; {plan.config} says which of its files are clawgit's."
    with git.transaction(Intent(CLAWGIT, "init", summary, reason=reason), now) as tx:
        for path, template in plan.makes.items():
            # Somebody may have made the file since it was planned: then theirs stays.
            if tx.read(path) is None:
                tx.put(path, _content(path, template, plan))
    for name in plan.folders:
        # Git does not store empty folders, so these are in no commit.
        (place.root / name).mkdir(parents=True, exist_ok=True)
    change = tx.outcome
    created = tuple(path for path in plan.makes if path in change.changed)
    return done._replace(created=created, change=change)


def _plan_for(folder: Path, place: RepoPlace | None, caller: Caller, *, full: bool) -> InitPlan:
    """What `init` will do, or would do."""
    prompts = (resource("templates") / "agents").glob("*/SOUL.md")
    roles = sorted(path.parent.name for path in prompts)
    return init_plan(_look(folder, place, caller), roles, full=full)


def _content(path: str, template: str, plan: InitPlan) -> bytes:
    """The first content of a file. Only the settings differ from workspace to workspace."""
    templates = resource("templates")
    if template.startswith("agents/"):
        return (templates / template / "SOUL.md").read_bytes()
    text = (templates / "workspace" / template).read_text("utf-8")
    text = text.replace(f"# {template}\n", f"# {PurePosixPath(path).name}\n", 1)
    if template == CONFIG:
        text = set_value(text, "scope", shown((plan.layout.name, *plan.patterns)))
    return text.encode()


def _look(folder: Path, place: RepoPlace | None, caller: Caller) -> FolderContents:
    """What is in a folder: names, and the beginnings of a few files.

    Nothing is written or cached.
    """
    git = CGit(folder, caller.env) if place else None
    has_past = git and git.text("rev-parse", "-q", "--verify", "HEAD", ok=(0, 1, 128))
    # A path that ends in a slash is a repository inside this one.
    listed = filter(lambda path: not path.endswith("/"), git.files() if git else _walked(folder))
    markers = (f"{name}/" for name in _MARKERS if (folder / name).is_dir())
    paths = frozenset(islice(listed, _MOST_PATHS)) | frozenset(markers)
    # Ignored ones too, since they are in the way all the same.
    named = (entry for entry in _entries(folder) if entry.name.lower() in _NAMED)
    texts = {entry.name: text_at(entry) for entry in named if entry.is_file()}
    contents = FolderContents(
        paths, texts, empty=not has_past and all(map(_is_repository, _entries(folder)))
    )
    # Without a settings file, nobody has chosen a layout: the plan recognises one.
    if contents.text(config_name(contents)) is None:
        return contents
    return contents._replace(settled=_in_force(folder, place, caller))


def _in_force(folder: Path, place: RepoPlace | None, caller: Caller) -> Recognised:
    """The layout and the scope in force, of those that CONFIG.md names."""
    loaded = unaccepted_config(folder, caller) if place is None else config_in_force(place, caller)
    layout = LAYOUTS[loaded.settings.layout]
    return Recognised(layout, loaded.settings.patterns or layout.scope)


def _walked(folder: Path) -> Iterator[str]:
    """The files of a folder that is no repository yet, without repositories inside it."""
    for top, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not _is_repository(Path(top, name))]
        for name in files:
            yield (Path(top) / name).relative_to(folder).as_posix()


def _is_repository(entry: Path) -> bool:
    """Whether it is git's own folder, or a repository inside this one."""
    return entry.name == ".git" or (entry / ".git").exists()


def _entries(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.is_dir() else []
