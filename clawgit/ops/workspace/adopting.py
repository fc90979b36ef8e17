"""Looks at a folder before it becomes a workspace: of what kind it is, and which of clawgit's file
names are taken.
"""

import os
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path, PurePosixPath

from clawgit.config import shown
from clawgit.config.written import set_value
from clawgit.domain.workspace.adoption import (
    IDENTITY,
    NAMES,
    FolderContents,
    InitPlan,
    config_name,
    init_plan,
)
from clawgit.domain.workspace.layout import (
    CONFIG,
    LAYOUTS,
    NOTEBOOK,
    Recognised,
)
from clawgit.domain.workspace.seen import Seen, folder_of, is_markdown, is_typed, name_of
from clawgit.ops.workspace.in_force import config_in_force, unaccepted_config
from clawgit.ops.workspace.workspace_base import Caller
from clawgit.resources import resource
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.place import RepoPlace
from clawgit.stores.plainfile import start_of

_MOST_PATHS = 50_000
_SAMPLED = 12
"""How many notes of a folder are read, at their beginning, to see what they are."""

_HEAD = 2000
_LONGEST = 1_000_000
_MARKERS = (".obsidian", ".openclaw")
"""Folders that a .gitignore usually hides, but that show what kind a workspace is."""


def plan_for(folder: Path, place: RepoPlace | None, caller: Caller, *, full: bool) -> InitPlan:
    """What `init` will do, or would do."""
    prompts = (resource("templates") / "agents").glob("*/SOUL.md")
    roles = sorted(path.parent.name for path in prompts)
    return init_plan(look(folder, place, caller), roles, full=full)


def content(path: str, template: str, plan: InitPlan) -> bytes:
    """The first content of a file. Only the settings differ from workspace to workspace."""
    templates = resource("templates")
    if template.startswith("agents/"):
        return (templates / template / "SOUL.md").read_bytes()
    text = (templates / "workspace" / template).read_text("utf-8")
    text = text.replace(f"# {template}\n", f"# {PurePosixPath(path).name}\n", 1)
    if template == CONFIG:
        text = set_value(text, "scope", shown((plan.layout.name, *plan.patterns)))
    return text.encode()


def look(folder: Path, place: RepoPlace | None, caller: Caller) -> FolderContents:
    """What is in a folder: names, and the beginnings of a few files.

    Nothing is written or cached.
    """
    git = CGit(folder, caller.env) if place else None
    past = git if git and git.text("rev-parse", "-q", "--verify", "HEAD", ok=(0, 1, 128)) else None
    listed = filter(_is_file, git.files() if git else _walked(folder))
    markers = (f"{name}/" for name in _MARKERS if (folder / name).is_dir())
    paths = frozenset(islice(listed, _MOST_PATHS)) | frozenset(markers)
    texts = {path: _text(folder / path, _LONGEST) for path in _named(folder, paths)}
    contents = FolderContents(
        Seen(paths, frozenset(_typed(folder, paths))),
        texts,
        empty=past is None and all(map(_is_repository, _entries(folder))),
        had_identity=bool(past and past.run("log", "-1", "--format=%H", "HEAD", "--", *IDENTITY)),
    )
    # Without a settings file, nobody has chosen a layout: the plan recognises one.
    if contents.text(config_name(contents)) is None:
        return contents
    return contents._replace(settled=_settled(folder, place, caller))


def _settled(folder: Path, place: RepoPlace | None, caller: Caller) -> Recognised:
    """The layout and the scope in force, of those that CONFIG.md names."""
    loaded = unaccepted_config(folder, caller) if place is None else config_in_force(place, caller)
    layout = LAYOUTS[loaded.settings.layout]
    return Recognised(layout, loaded.settings.patterns or layout.scope)


def _is_file(path: str) -> bool:
    """Whether a path that git lists is no repository inside this one."""
    return not path.endswith("/")


def _typed(root: Path, paths: frozenset[str]) -> Iterator[str]:
    """The folders with memories as Claude Code writes them: beside their index, or of that name.

    Only the notes of a folder that may be one are opened.
    """
    notes: dict[str, list[str]] = {}
    for path in sorted(filter(is_markdown, paths)):
        notes.setdefault(folder_of(path), []).append(path)
    for folder, files in notes.items():
        may_be = name_of(folder) in ("memory", "memories") or NOTEBOOK in map(name_of, files)
        if may_be and any(is_typed(_text(root / path, _HEAD)) for path in files[:_SAMPLED]):
            yield folder


def _walked(folder: Path) -> Iterator[str]:
    """The files of a folder that is no repository yet, without repositories inside it."""
    for top, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not _is_repository(Path(top, name))]
        for name in files:
            yield (Path(top) / name).relative_to(folder).as_posix()


def _named(folder: Path, paths: Iterable[str]) -> Iterator[str]:
    """The files that have one of clawgit's names, ignored ones too, since they are in the way all
    the same.
    """
    names = {name.lower() for name in (*NAMES, "memory.md")}
    there = {*paths, *(entry.name for entry in _entries(folder) if entry.is_file())}
    return (path for path in there if path.lower() in names and (folder / path).is_file())


def _is_repository(entry: Path) -> bool:
    """Whether it is git's own folder, or a repository inside this one."""
    return entry.name == ".git" or (entry / ".git").exists()


def _entries(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.is_dir() else []


def _text(file: Path, most: int) -> str:
    try:
        return start_of(file, most).decode("utf-8", "replace")
    except OSError:
        return ""
