"""What `init` does to a folder: of what kind it is, and one plan, which a dry run shows and a run
carries out.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from clawgit.core import NamedTuple
from clawgit.core.layout import (
    ALL,
    BANKS,
    CHANGELOG,
    CLAUDE_FILES,
    CONFIG,
    LAYOUTS,
    LOGS,
    NOTEBOOK,
    OPENCLAW,
    OPENCLAW_FILES,
    OPENCLAW_HOME,
    OTHER_CHANGELOG,
    OTHER_CONFIG,
    OWN,
    SIDE_BY_SIDE,
    Layout,
    Scope,
    changelog_name,
    escaped,
    is_foreign,
    is_markdown,
    is_our_log,
    name_of,
    scope_in_force,
)
from clawgit.core.markdown.tag_table import PRIMARY
from clawgit.core.tiers import note_of
from clawgit.language.files import listed
from clawgit.language.lazily import lazily

_FOLDERS = "_folders"
"""The lists of what a kind of folder is recognised by."""

_BANK, _CLAUDE = SIDE_BY_SIDE

_OPENCLAW_CORE = {OPENCLAW_HOME, "SOUL.md", "IDENTITY.md", "HEARTBEAT.md"}
"""One of these, or a note of a day, is there in every one of its workspaces."""

_A_HOME = 5
"""If this many of the files are there, the folder is the agent's own, whatever it has built."""

_WRITING = 3
"""Times as much Markdown as code makes a project a piece of writing, which a program renders."""

_A_FAIR_PART = 4
"""With at least a quarter of its code in `src/` or the like, a folder is laid out as a program."""

_MANY_NOTES = 30
"""A project with fewer Markdown files is always a program: small programs have long manuals."""

IDENTITY = (
    "SOUL.md",
    "USER.md",
    "IDENTITY.md",
    "AGENTS.md",
    "TOOLS.md",
    "HEARTBEAT.md",
    "BOOTSTRAP.md",
)
"""Written into a brand-new folder only: the ritual's last step deletes BOOTSTRAP.md, and it never
comes back."""

NAMES = (CONFIG, NOTEBOOK, *LOGS, CHANGELOG, OTHER_CONFIG, OTHER_CHANGELOG)
"""The names whose texts tell whether a file is clawgit's."""
FOLDERS = ("memory", "Archive/Chronicles", "Archive/Corrections")

_MEMORY = lazily(
    r"\A\s*#[ \t]+(?:long-term[ \t]+)?memory(?:\.md)?[ \t]*$|<!-- (?:claw:|openclaw-memory)"
    rf"|^[-*] .*#(?:{'|'.join(PRIMARY)})\b",
    re.MULTILINE | re.IGNORECASE,
)
"""What shows that a MEMORY.md is an agent's: its title, marks of clawgit or OpenClaw, or a tagged
entry.
"""

_SETTING = lazily(
    r"^[ \t]*#?[ "
    r"\t]*(?:[a-z_]+_tokens|soul_policy|cron_[a-z_]+|memory_retention_hours|scope|search_mode"
    r"|llm_model|timezone|secrets_allow|chat_store|allow_paths|shared_memory)[ \t]*:",
    re.MULTILINE,
)


class Recognised(NamedTuple):
    layout: Layout
    scope: tuple[str, ...]


def recognise(paths: frozenset[str]) -> Recognised:
    """The layout of a repository with these paths: the first one that fits.

    If agents of several kinds work in the repository, the scope is that of all of them.
    """
    # The files and folders at the top; a folder ends in a slash.
    top = {"".join(path.partition("/")[:2]) for path in paths}
    # Whether it has a build file at its top level.
    names, endings = listed(_FOLDERS, "built_from"), listed(_FOLDERS, "projects")
    is_project = any(name in names or name.endswith(endings) for name in top)
    is_code = _is_code(paths, is_project=is_project)
    fits = {
        OPENCLAW: _is_openclaw(paths, top),
        _BANK: not top.isdisjoint(f"{name}/" for name in BANKS),
        # Of a vault all notes are memory, whoever works in it.
        _CLAUDE: (is_code or ".obsidian/" not in top) and any(map(_is_claudes, paths)),
        "markdown": not is_code and any(map(is_markdown, paths)),
        "code": True,
    }
    is_other = {OPENCLAW: is_project and is_code and not _is_home(paths, top), _CLAUDE: not is_code}
    first = next(filter(fits.get, fits))
    patterns = _scope_of(first, is_other)
    if first in (*SIDE_BY_SIDE, OPENCLAW):
        for name in filter(fits.get, SIDE_BY_SIDE):
            patterns = _with(patterns, _scope_of(name, is_other))
    return Recognised(LAYOUTS[first], patterns)


def _scope_of(name: str, is_other: Mapping[str, bool]) -> tuple[str, ...]:
    return LAYOUTS[name].other_scope if is_other.get(name) else LAYOUTS[name].scope


def _with(patterns: tuple[str, ...], by: Iterable[str]) -> tuple[str, ...]:
    """A scope with that of another layout beside it."""
    more = [pattern for pattern in by if pattern not in patterns]
    if ALL in patterns:
        # Nothing to add to all Markdown, but what is left out.
        more = [pattern for pattern in more if pattern.startswith("!")]
    return (*patterns, *more)


def _is_openclaw(paths: Iterable[str], top: set[str]) -> bool:
    named = OPENCLAW_FILES & top
    has_days = any(map(note_of, paths))
    return bool(named & _OPENCLAW_CORE or has_days) and len(named) + has_days > 1


def _is_home(paths: Iterable[str], top: set[str]) -> bool:
    """Whether it is an agent's own folder, which may hold programs that it has built."""
    code = [path for path in paths if _is_source(path)]
    inside = sum(path.partition("/")[0] in listed(_FOLDERS, "source_trees") for path in code)
    has_source_tree = 0 < len(code) <= inside * _A_FAIR_PART
    return len(OPENCLAW_FILES & top) >= _A_HOME and not has_source_tree


def _is_source(path: str) -> bool:
    ending = f".{path.lower().rpartition('.')[2]}"
    return ending in listed(_FOLDERS, "code") and not is_foreign(path)


def _is_claudes(path: str) -> bool:
    return name_of(path) in CLAUDE_FILES or (path.startswith(".claude/") and is_markdown(path))


def _is_code(paths: Iterable[str], *, is_project: bool) -> bool:
    """Whether a repository is a program: a project, or more code than Markdown."""
    code = sum(map(_is_source, paths))
    notes = sum(is_markdown(path) and not is_foreign(path) for path in paths)
    if is_project:
        return notes <= max(_WRITING * code, _MANY_NOTES)
    return code > 0 and code >= notes


class FolderContents(NamedTuple):
    """What is in a folder before `init`. `texts` are the files with one of clawgit's names.

    `settled` are the layout and the scope of a workspace that has its settings already.
    """

    paths: frozenset[str]
    texts: Mapping[str, str]
    empty: bool
    settled: Recognised | None = None

    def text(self, name: str) -> str | None:
        """The text of the file with this name, in any letter case: many disks ignore case."""
        return next(
            (text for path, text in self.texts.items() if path.lower() == name.lower()), None
        )


class InitPlan(NamedTuple):
    """Everything that `init` writes.

    `patterns` are the scope as the settings will name it. `makes`: each file to be written, and the
    template that it starts from. `taken`: each name that somebody else's file has, and what is used
    instead, "" where a file has no second name, so that writing it is refused.
    """

    layout: Layout
    patterns: tuple[str, ...]
    makes: Mapping[str, str]
    taken: Mapping[str, str]
    config: str
    folders: tuple[str, ...]

    @property
    def scope(self) -> Scope:
        return scope_in_force(self.layout.name, self.patterns, self.config)

    @property
    def notes(self) -> tuple[str, ...]:
        """What becomes of the files whose names are taken."""
        unwritten = "give it another name, or what belongs there cannot be written"
        return tuple(
            f"{name} is not clawgit's, and stays as it is; "
            + (f"{other} is used instead" if other else unwritten)
            for name, other in self.taken.items()
        )


def init_plan(folder: FolderContents, roles: Iterable[str], *, full: bool) -> InitPlan:
    """What `init` will do: as little as will work.

    An empty folder, or `full`, gets the full set of files. `roles` are the agents that have a
    prompt.
    """
    usual = Recognised(LAYOUTS[OPENCLAW], LAYOUTS[OPENCLAW].scope)
    layout, patterns = folder.settled or (usual if folder.empty else recognise(folder.paths))
    config = config_name(folder)
    taken = dict(_taken(folder, layout, config))
    makes, whole = {config: CONFIG}, full or folder.empty
    if whole:
        makes |= _makes(folder, layout, taken)
        makes |= {f"agents/{role}/SOUL.md": f"agents/{role}" for role in roles}
    # Without case: some file systems take MEMORY.md and memory.md for one file.
    existing = {path.lower() for path in folder.paths}
    makes = _only(makes, lambda path: path.lower() not in existing)
    if not folder.settled:  # else the settings name the scope
        patterns = _widened(patterns, taken, config, layout, makes)
    plan = InitPlan(layout, patterns, makes, taken, config, FOLDERS if whole else ())
    # What the scope leaves out is not made: it could never be committed.
    return plan._replace(makes=_only(makes, plan.scope.covers))


def _only(makes: Mapping[str, str], wanted: Callable[[str], bool]) -> dict[str, str]:
    return {path: template for path, template in makes.items() if wanted(path)}


def _widened(
    patterns: tuple[str, ...],
    taken: Mapping[str, str],
    config: str,
    layout: Layout,
    paths: Iterable[str],
) -> tuple[str, ...]:
    """The patterns with these paths, and without the files of others."""
    # Where the user chose all Markdown, files of others are in the scope too, but for a MEMORY.md,
    # into which facts would go.
    out = taken if ALL not in patterns else taken.keys() & {NOTEBOOK}
    patterns += tuple(f"!/{name}" for name in out if f"/{name}" in OWN)
    covers = scope_in_force(layout.name, patterns, config).covers
    return patterns + tuple(f"/{escaped(path)}" for path in paths if not covers(path))


def config_name(folder: FolderContents) -> str:
    """The file of the settings. It has its second name only if somebody else's has the first."""
    text = folder.text(CONFIG)
    if folder.text(OTHER_CONFIG) is not None:
        return OTHER_CONFIG
    is_ours = text is None or not text.strip() or _SETTING.search(text)
    return CONFIG if is_ours else OTHER_CONFIG


def _taken(folder: FolderContents, layout: Layout, config: str) -> Iterator[tuple[str, str]]:
    """Our file names that somebody else's files have already, and our other names."""
    if config != CONFIG:
        yield CONFIG, config
    if folder.text(CHANGELOG) is not None and _changelog(folder, layout) != CHANGELOG:
        yield CHANGELOG, OTHER_CHANGELOG
    if _is_page(folder, layout):
        yield NOTEBOOK, ""
    yield from ((name, "") for name in LOGS if not is_our_log(name, folder.text(name) or ""))


def _changelog(folder: FolderContents, layout: Layout) -> str:
    return changelog_name(layout, folder.text(CHANGELOG), folder.text(OTHER_CHANGELOG))


def _is_page(folder: FolderContents, layout: Layout) -> bool:
    """Whether MEMORY.md is an ordinary page, not an agent's memory."""
    text = folder.text(NOTEBOOK) or ""
    if folder.settled or layout.name == OPENCLAW:
        return False
    return bool(text.strip()) and not _MEMORY.search(text)


def _makes(folder: FolderContents, layout: Layout, taken: Mapping[str, str]) -> dict[str, str]:
    """The set of files that the specification names, besides the settings."""
    logs = {name: name for name in LOGS if name not in taken}
    is_new = folder.paths.isdisjoint(IDENTITY)
    return {
        ".gitignore": "gitignore",
        **logs,
        _changelog(folder, layout): CHANGELOG,
        **({} if NOTEBOOK in taken else {NOTEBOOK: NOTEBOOK}),
        **({name: name for name in IDENTITY} if is_new else {}),
    }
