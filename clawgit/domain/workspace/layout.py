"""The kinds of workspace, one row each: how it is recognised, which paths are clawgit's, what goes
where.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from clawgit.domain.workspace.scope import Scope, escaped
from clawgit.domain.workspace.seen import (
    FOLDERS,
    PACKAGES,
    Seen,
    folder_of,
    has_source_tree,
    is_code,
    is_markdown,
    is_program,
    name_of,
)
from clawgit.language.files import listed
from clawgit.language.lazily import lazily

CONFIG = "CONFIG.md"
OTHER_CONFIG = "CLAWGIT.md"
"""The settings; the second name is for a repository whose CONFIG.md is about something else."""

CHANGELOG = "CHANGELOG.md"
OTHER_CHANGELOG = "SOUL_CHANGELOG.md"
CHANGELOG_START = "<!-- clawgit:changelog:start -->"
"""How the identity grew; the second name is for a repository with a program's changelog."""

NOTEBOOK = "MEMORY.md"
OTHER_NOTEBOOK = "memory/NOTEBOOK.md"
"""Lasting facts; the second name is for a repository whose MEMORY.md is about something else."""

LESSONS = "memory/lessons.md"

GUIDES = ("AGENTS.md", "CLAUDE.md", "CLAUDE.local.md")
"""How an agent is to work, in the operator's words. Unless clawgit wrote it, it is only changed by
proposals."""


OWN = (
    f"/{NOTEBOOK}",
    "/memory.md",
    "/memory/**/*.md",
    "/Archive/**/*.md",
    "/CORRECTIONS.md",
    "/CONFLICTS.md",
    "/COMPACTION_LOG.md",
    f"/{OTHER_CHANGELOG}",
    "/agents/*/SOUL.md",
    "/skills/clawgit/SKILL.md",
)
"""The files that clawgit writes. They are always in scope, unless the name is used for something
else."""

_GUARDED = ("/SOUL.md", "/IDENTITY.md")
"""No pattern can exclude these, since they would no longer be guarded."""

_NEVER = tuple(f"!{name}/" for name in PACKAGES)
"""Markdown that comes with packages."""

_ALL = "*.md"
_ALL_MARKDOWN = (_ALL, *_NEVER)

GITIGNORE = "/.gitignore"
"""In scope only if clawgit wrote it, which it does in a new workspace."""

OPENCLAW = "openclaw"

_OPENCLAW_HOME = ".openclaw/"

_OPENCLAW_FILES = frozenset(
    {
        _OPENCLAW_HOME, "SOUL.md", "IDENTITY.md", "USER.md", "AGENTS.md", "TOOLS.md",
        "HEARTBEAT.md", "BOOTSTRAP.md", "MEMORY.md", "memory.md", "DREAMS.md",
    }
)  # fmt: skip

_OPENCLAW_CORE = frozenset({_OPENCLAW_HOME, "SOUL.md", "IDENTITY.md", "HEARTBEAT.md"})
"""One of these, or a note of a day, is there in every one of its workspaces."""

_A_HOME = 5
"""If this many of the files are there, the folder is the agent's own, whatever it has built."""

_LEARNED = ("/.learnings/**/*.md",)
"""Where a skill that many agents have writes down errors and what was learned from them."""

_INSTRUCTIONS = (
    "!/HEARTBEAT.md", "!/BOOTSTRAP.md", "!/BOOT.md", "!/SOUL.md", "!/AGENTS.md", "!/TOOLS.md",
    "!skills/", "!hooks/", "!prompts/", "!templates/", "!commands/", "!agents/", "!plugins/",
    "!LICENSE.md", "!CODE_OF_CONDUCT.md",
)  # fmt: skip
"""Not memory: what tells an agent how to work, and what somebody else wrote for everybody."""

_NO_INSTRUCTIONS = Scope(("*.md", *_INSTRUCTIONS))

_BANKS = ("memory-bank", "memory_bank", ".memory-bank")


_BANK_PATHS = tuple(f"/{name}/**/*.md" for name in _BANKS)

_SIDE_BY_SIDE = ("memory-bank", "claude-code")
"""Layouts that name their files, so that several can be in one repository."""

_CLAUDE_FILES = ("CLAUDE.md", "CLAUDE.local.md")

_DAY = lazily(r"memory/[0-9]{4}-[0-9]{2}-[0-9]{2}[^/]*\.md")


class Layout(NamedTuple):
    """One kind of workspace. All patterns are those of a scope.

    `scope`: clawgit's paths besides the files that it writes itself.
    """

    name: str
    title: str
    recognised: Callable[[Seen], bool]
    scope: tuple[str, ...]
    lessons: tuple[str, str] = (LESSONS, LESSONS)
    """Where lessons are written, and those about tools."""
    memory: tuple[str, ...] = ()
    """What is memory besides clawgit's own files, and so is searched."""
    notes: tuple[str, ...] = ()
    """What else is searched."""
    other_scope: tuple[str, ...] = ()
    """The scope in a program's repository, where README and manual are not the agent's, or the
    other way round."""
    has_other: Callable[[Seen], bool] = is_program
    folders: Callable[[Seen], frozenset[str]] = lambda _: frozenset()
    """Folders that are memory by what stands in them, and so belong to the scope."""


class Recognised(NamedTuple):
    layout: Layout
    scope: tuple[str, ...]


class Searched(NamedTuple):
    """What is searched besides clawgit's own files: what is memory, and what else."""

    memory: Scope = Scope(())
    notes: Scope = Scope(())

    @property
    def places(self) -> tuple[str, ...]:
        """The files and folders that contain all of it."""
        return Scope((*self.memory.patterns, *self.notes.patterns)).places


def scope_in_force(layout: str, patterns: Iterable[str], config: str = CONFIG) -> Scope:
    """The scope that the settings define: their patterns, or else those of the layout."""
    return _scope_in_force(layout, tuple(patterns), config)


@lru_cache(maxsize=8)  # a server asks at each question, and a scope compiles its patterns
def _scope_in_force(layout: str, chosen: tuple[str, ...], config: str) -> Scope:
    if not chosen:
        chosen = LAYOUTS[layout].scope
        if layout == OPENCLAW:
            chosen = (*chosen, GITIGNORE)
    # The last pattern that fits decides, so what must stay in scope comes last.
    return Scope((*OWN, *chosen, *_GUARDED, f"/{config}"))


def searched(layout: Layout, scope: Iterable[str]) -> Searched:
    """What of a scope is searched.

    That is the memory of all layouts that can be side by side, each place that only the scope
    names, and all Markdown if the scope takes it all.
    """
    patterns = tuple(scope) or layout.scope
    rows = dict.fromkeys((layout, *map(LAYOUTS.__getitem__, _SIDE_BY_SIDE)))
    known: set[str] = set()
    memory: list[str] = []
    for row in rows:
        known.update(row.scope, row.other_scope)
        memory += row.memory
    named = filter(_names_a_place, patterns)
    places = [pattern for pattern in named if pattern not in known]
    notes = layout.notes
    if _ALL in patterns:
        notes = (_ALL, *notes)
    return Searched(Scope((*memory, *places, *_NEVER)), Scope((*notes, *_NEVER)))


def is_instruction(path: str) -> bool:
    """Whether a file tells an agent how to work, rather than what is so."""
    return not _NO_INSTRUCTIONS.covers(path)


def _names_a_place(pattern: str) -> bool:
    return not pattern.startswith("!") and "/" in pattern.rstrip("/")


def recognise(seen: Seen) -> Recognised:
    """The layout of a repository: the first one that fits.

    If agents of several kinds work in the repository, the scope is that of all of them.
    """
    fitting = [layout for layout in LAYOUTS.values() if layout.recognised(seen)]
    first = fitting[0]
    patterns = _scope_of(first, seen)
    if first.name not in (*_SIDE_BY_SIDE, OPENCLAW):
        return Recognised(first, patterns)
    for layout in fitting[1:]:
        if layout.name in _SIDE_BY_SIDE:
            patterns = _widened(patterns, _scope_of(layout, seen))
    return Recognised(first, patterns)


def _widened(patterns: tuple[str, ...], by: Iterable[str]) -> tuple[str, ...]:
    """A scope with that of another layout beside it."""
    more = [pattern for pattern in by if pattern not in patterns]
    if _ALL in patterns:
        # Nothing to add to all Markdown, but what is left out.
        more = [pattern for pattern in more if pattern.startswith("!")]
    return (*patterns, *more)


def _scope_of(layout: Layout, seen: Seen) -> tuple[str, ...]:
    is_other = layout.other_scope and layout.has_other(seen)
    folders = (f"/{escaped(name)}/**/*.md" if name else "/*.md" for name in layout.folders(seen))
    return (*(layout.other_scope if is_other else layout.scope), *sorted(folders))


def _openclaw(seen: Seen) -> bool:
    named = _OPENCLAW_FILES & seen.top
    has_days = any(_DAY.fullmatch(path) for path in seen.paths)
    return bool(named & _OPENCLAW_CORE or has_days) and len(named) + has_days > 1


def _is_not_its_home(seen: Seen) -> bool:
    """Whether an agent works in a program's repository. A folder of its own may hold programs that
    it has built.
    """
    is_home = len(_OPENCLAW_FILES & seen.top) >= _A_HOME and not has_source_tree(seen)
    return is_program(seen) and not is_home


def _banks(seen: Seen) -> frozenset[str]:
    """The folders that are a memory bank; of several the ones nearest to the top, since the others
    are examples and templates. A page may have several endings, as in `activeContext.lite.md`.
    """
    pages: dict[str, set[str]] = {}
    for path in filter(is_markdown, seen.paths):
        pages.setdefault(folder_of(path), set()).add(name_of(path).partition(".")[0].lower())
    banks = [folder for folder, names in pages.items() if folder and _is_bank(folder, names)]
    nearest = min((folder.count("/") for folder in banks), default=0)
    return frozenset(folder for folder in banks if folder.count("/") == nearest)


def _is_bank(folder: str, names: set[str]) -> bool:
    is_named = name_of(folder) in _BANKS and not names.isdisjoint(listed(FOLDERS, "bank_pages"))
    return is_named or len(names.intersection(listed(FOLDERS, "bank_distinct"))) > 1


def _claude_code(seen: Seen) -> bool:
    # Of a vault all notes are memory, whoever works in it.
    if ".obsidian/" in seen.top and not is_code(seen):
        return False
    if seen.typed or any(name_of(path) in _CLAUDE_FILES for path in seen.paths):
        return True
    return any(path.startswith(".claude/") and is_markdown(path) for path in seen.paths)


def _markdown(seen: Seen) -> bool:
    return any(map(is_markdown, seen.paths)) and not is_code(seen)


_ROWS = (
    Layout(
        OPENCLAW,
        "an OpenClaw workspace",
        _openclaw,
        _ALL_MARKDOWN,
        ("AGENTS.md", "TOOLS.md"),
        memory=_LEARNED,
        notes=_INSTRUCTIONS,
        other_scope=(
            *(f"/{name}" for name in sorted(_OPENCLAW_FILES) if name.endswith(".md")),
            "/BOOT.md",
            "/skills/**/*.md",
            "/hooks/**/*.md",
            *_LEARNED,
            *_NEVER,
        ),
        has_other=_is_not_its_home,
    ),
    Layout(
        "memory-bank",
        "a memory bank",
        lambda seen: bool(_banks(seen)),
        (
            *_BANK_PATHS,
            "/.clinerules",
            "/.clinerules/**/*.md",
            "/.roo/**/*.md",
            "/.kilocode/**/*.md",
            *_NEVER,
        ),
        memory=_BANK_PATHS,
        notes=("/.clinerules/**/*.md", "/.roo/**/*.md", "/.kilocode/**/*.md"),
        folders=lambda seen: _banks(seen).difference(_BANKS),
    ),
    Layout(
        "claude-code",
        "a repository that Claude Code works in",
        _claude_code,
        (
            *_CLAUDE_FILES,
            "AGENTS.md",
            ".claude/**/*.md",
            "!.claude/worktrees/",
            *_NEVER,
        ),
        memory=("/CLAUDE.md", "/CLAUDE.local.md", "/.claude/memory/", "/.claude/memories/"),
        notes=("/.claude/**/*.md", "!.claude/worktrees/", *_INSTRUCTIONS),
        other_scope=(*_ALL_MARKDOWN, "!.claude/worktrees/"),
        has_other=lambda seen: not is_code(seen),
        folders=lambda seen: seen.typed,
    ),
    Layout("markdown", "a folder of Markdown", _markdown, _ALL_MARKDOWN, memory=_ALL_MARKDOWN),
    Layout("code", "a repository of code", lambda _: True, ()),
)
"""In the order in which they are tried: the most specific first."""

LAYOUTS: Mapping[str, Layout] = MappingProxyType({layout.name: layout for layout in _ROWS})
