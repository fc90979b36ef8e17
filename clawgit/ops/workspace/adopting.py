"""Looks at a folder before it becomes a workspace: of what kind it is, and which of clawgit's file
names are taken.
"""

import os
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from clawgit.config import shown
from clawgit.config.written import set_value
from clawgit.domain.workspace.adoption import (
    CORE,
    IDENTITY,
    NAMES,
    FolderContents,
    InitPlan,
    Made,
    config_name,
    init_plan,
)
from clawgit.domain.workspace.layout import (
    CHANGELOG,
    CONFIG,
    HOMES_BELOW,
    LAYOUTS,
    NOTEBOOK,
    Recognised,
    is_home,
    is_instruction,
)
from clawgit.domain.workspace.pointers import pointed
from clawgit.domain.workspace.seen import (
    NoteHead,
    Seen,
    folder_of,
    is_foreign,
    is_markdown,
    name_of,
)
from clawgit.ops.search.outside import Outside, outside_of
from clawgit.ops.workspace.changelog_file import had_changelog
from clawgit.ops.workspace.kept_config import kept_config, unaccepted_config
from clawgit.ops.workspace.workspace_base import Caller
from clawgit.resources import resource
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.place import RepoPlace
from clawgit.stores.index.discover import Reach, in_scope
from clawgit.stores.index.sources import DEFAULT_SOURCES
from clawgit.stores.plainfile import start_of

_MOST_PATHS = 50_000
_SAMPLED = 12
"""How many files of a folder are read, at their beginning, to see what they are."""

_HEAD = 2000
_LONGEST = 1_000_000
_MARKERS = (".obsidian", ".openclaw", ".clawdbot", ".moltbot")
"""Folders that a .gitignore usually hides, but that show what kind a workspace is."""

_VAULT_SAMPLE = 24
"""How many notes are read, at their beginning, from all over a folder, to see if it is a vault."""

_A_THIRD = 3
"""In a vault at least every third note links to others, or has aliases."""


class Adoption(NamedTuple):
    """What `init` will do to a folder, and what a search will find there afterwards.

    `homes`: the agents' homes below, if the folder is adopted for the first time and is none.
    """

    plan: InitPlan
    searched: int
    outside: Outside | None
    homes: tuple[Path, ...] = ()


def plan_for(folder: Path, place: RepoPlace | None, caller: Caller, *, full: bool) -> Adoption:
    """What `init` will do, or would do."""
    contents = look(folder, place, caller)
    plan = init_plan(contents, _roles(), full=full)
    paths = (*contents.seen.paths, *plan.created)
    reach = Reach(folder, layout=plan.searched, covers=plan.scope.covers)
    sources = in_scope(paths, reach)
    count = sum(source in DEFAULT_SOURCES for source in sources.values())
    # Skills and prompts are excluded on purpose; nobody should be told to add them.
    facts = (path for path in paths if not is_instruction(path))
    is_new = not (contents.settled or is_home(contents.seen))
    homes = tuple(homes_below(folder)) if is_new else ()
    return Adoption(plan, count, outside_of(facts, sources), homes)


def template(made: Made, plan: InitPlan) -> bytes:
    """The first content of a file. Only the settings differ from workspace to workspace."""
    templates = resource("templates")
    if made.template.startswith("agents/"):
        return (templates / made.template / "SOUL.md").read_bytes()
    text = (templates / "workspace" / made.template).read_bytes()
    if made.template not in CORE or (made.path == made.template and made.template != CONFIG):
        return text
    text = text.replace(
        f"# {made.template}".encode(), f"# {PurePosixPath(made.path).name}".encode(), 1
    )
    return _with_scope(text, plan) if made.template == CONFIG else text


def look(folder: Path, place: RepoPlace | None, caller: Caller) -> FolderContents:
    """What is in a folder: names, and the beginnings of a few files.

    Nothing is written or cached.
    """
    git = CGit(folder, caller.env) if place else None
    past = git if git and git.text("rev-parse", "-q", "--verify", "HEAD", ok=(0, 1, 128)) else None
    listed = git.files() if git else _walked(folder)
    paths = frozenset(islice(filter(_is_file, listed), _MOST_PATHS)) | frozenset(_marked(folder))
    texts = {path: _text(folder / path, _LONGEST) for path in _named(folder, paths)}
    contents = FolderContents(
        _seen(folder, paths),
        texts,
        empty=past is None and all(map(_is_repository, _entries(folder))),
        had_identity=bool(past and past.run("log", "-1", "--format=%H", "HEAD", "--", *IDENTITY)),
        had_changelog=bool(past and CHANGELOG in texts and had_changelog(past)),
        pointed=tuple(sorted(pointed(NOTEBOOK, texts.get(NOTEBOOK, ""), paths))),
    )
    name = config_name(contents)
    # Without a settings file, nobody has chosen a layout: the plan recognises one.
    if contents.text(name) is None:
        return contents
    return contents._replace(settled=_settled(folder, place, caller))


def _settled(folder: Path, place: RepoPlace | None, caller: Caller) -> Recognised:
    """The layout and the scope in force, of those that CONFIG.md names."""
    loaded = unaccepted_config(folder, caller) if place is None else kept_config(place, caller)
    settings = loaded.settings
    return Recognised(LAYOUTS[settings.layout], settings.scope or LAYOUTS[settings.layout].scope)


def _seen(folder: Path, paths: frozenset[str]) -> Seen:
    folders: dict[str, list[str]] = {}
    for path in sorted(filter(is_markdown, paths)):
        folders.setdefault(folder_of(path), []).append(path)
    typed = (name or "." for name, files in folders.items() if _is_typed(folder, name, files))
    described = (
        name for name in ("system", "memory/system") if _is_described(folder, folders.get(name, []))
    )
    return Seen(paths, frozenset(typed), frozenset(described), _is_linked(folder, paths))


def _is_typed(root: Path, name: str, files: list[str]) -> bool:
    """Whether a folder has Claude Code's memories: each names its type.

    Only the files of a folder that may be one are opened.
    """
    has_index = len(files) > 1 and any(name_of(path) == NOTEBOOK for path in files)
    if not has_index and name_of(name) not in ("memory", "memories"):
        return False
    return any(_head(root / path).is_typed for path in files[:_SAMPLED])


def _is_described(root: Path, files: list[str]) -> bool:
    return any(_head(root / path).is_described for path in files[:_SAMPLED])


def _is_linked(root: Path, paths: frozenset[str]) -> bool:
    """Whether the notes of a folder link to each other as those of a vault do."""
    notes = sorted(path for path in paths if is_markdown(path) and not is_foreign(path))
    sample = notes[:: max(1, len(notes) // _VAULT_SAMPLE)][:_VAULT_SAMPLE]
    linked = sum(_head(root / path).is_linked for path in sample)
    return len(sample) > 1 and linked * _A_THIRD >= len(sample)


def _head(file: Path) -> NoteHead:
    return NoteHead(_text(file, _HEAD))


def _is_file(path: str) -> bool:
    """Whether a path that git lists is no repository inside this one."""
    return not path.endswith("/")


def _walked(folder: Path) -> Iterator[str]:
    """The files of a folder that is no repository yet, without repositories inside it."""
    for top, folders, files in os.walk(folder):
        folders[:] = [
            name for name in folders if not (Path(top) / name / ".git").exists() and name != ".git"
        ]
        for name in files:
            yield (Path(top) / name).relative_to(folder).as_posix()


def homes_below(folder: Path) -> Iterator[Path]:
    """The agents' homes in the usual places that are no workspace yet.

    They are looked for on the disk: most are repositories of their own, or ignored by this one.
    """
    found = (path for usual in HOMES_BELOW for path in sorted(folder.glob(usual)))
    return filter(_may_be_adopted, found)


def _may_be_adopted(path: Path) -> bool:
    try:
        is_adopted = (path / ".git").exists() and (path / CONFIG).is_file()
        return not is_adopted and is_home(Seen(frozenset(_names_in(path))))
    except PermissionError:  # it is another user's
        return False


def _names_in(folder: Path) -> Iterator[str]:
    """The files of a folder and of its memory/, and what marks its kind."""
    yield from _marked(folder)
    for inside in ("", "memory/"):
        _, _, files = next(os.walk(folder / inside), ("", (), ()))
        yield from (inside + name for name in files)


def _marked(folder: Path) -> Iterator[str]:
    return (f"{name}/" for name in _MARKERS if (folder / name).is_dir())


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


def _roles() -> list[str]:
    return sorted(path.parent.name for path in (resource("templates") / "agents").glob("*/SOUL.md"))


def _with_scope(text: bytes, plan: InitPlan) -> bytes:
    written = set_value(text.decode(), "layout", shown(plan.layout.name))
    return set_value(written, "scope", shown(plan.patterns)).encode()


def _text(file: Path, most: int) -> str:
    try:
        return start_of(file, most).decode("utf-8", "replace")
    except OSError:
        return ""
