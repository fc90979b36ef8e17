"""The kinds of workspace: how each is recognised, which paths are clawgit's, what goes where."""

import re
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from clawgit.domain.workspace.scope import Scope

CONFIG = "CONFIG.md"
OTHER_CONFIG = "CLAWGIT.md"
"""The settings; the second name is for a repository whose CONFIG.md is about something else."""

CHANGELOG = "CHANGELOG.md"
OTHER_CHANGELOG = "SOUL_CHANGELOG.md"
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

_NEVER = ("!node_modules/", "!.venv/", "!venv/", "!site-packages/", "!vendor/", "!.git/")
"""Markdown that comes with packages."""

_ALL_MARKDOWN = ("*.md", *_NEVER)

GITIGNORE = "/.gitignore"
"""In scope only if clawgit wrote it, which it does in a new workspace."""

OPENCLAW = "openclaw"

_OPENCLAW_FILES = frozenset(
    {
        "SOUL.md", "IDENTITY.md", "USER.md", "AGENTS.md", "TOOLS.md", "HEARTBEAT.md",
        "BOOTSTRAP.md", "MEMORY.md",
        "memory.md", "DREAMS.md", ".openclaw/",
    }
)  # fmt: skip

_OPENCLAW_BESIDE_CODE = (
    *(f"/{name}" for name in sorted(_OPENCLAW_FILES) if name.endswith(".md")),
    "/BOOT.md",
    "/skills/**/*.md",
    "/hooks/**/*.md",
    *_NEVER,
)
"""For an agent in a program's repository, where README and manual belong to the program."""

_BANK_FILES = frozenset(
    {
        "projectbrief.md", "productContext.md", "activeContext.md", "systemPatterns.md",
        "techContext.md",
        "progress.md", "decisionLog.md", "brief.md", "product.md", "context.md", "architecture.md",
        "tech.md",
    }
)  # fmt: skip

_SIDE_BY_SIDE = ("letta", "memory-bank", "claude-code")
"""Layouts that name their files, so that several can be in one repository."""

_CLAUDE_SCOPE = (
    "CLAUDE.md",
    "CLAUDE.local.md",
    "AGENTS.md",
    ".claude/**/*.md",
    "!.claude/worktrees/",
    *_NEVER,
)

_DAY = re.compile(r"memory/[0-9]{4}-[0-9]{2}-[0-9]{2}[^/]*\.md")

_FRONT = re.compile(r"\ufeff?---[ \t]*\r?\n(?P<body>.*?)^---[ \t]*\r?$", re.DOTALL | re.MULTILINE)

_KEY = re.compile(r"^[ \t]*(?P<key>[A-Za-z_]+):[ \t]*(?P<value>.*?)[ \t]*\r?$", re.MULTILINE)

_BUILT_FROM = frozenset(
    {
        "package.json", "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Cargo.toml",
        "go.mod",
        "pom.xml", "build.gradle", "build.gradle.kts", "Gemfile", "composer.json", "CMakeLists.txt",
        "mix.exs",
        "deno.json", "Package.swift", "pubspec.yaml", "configure.ac", "meson.build", "build.sbt",
        "stack.yaml",
    }
)  # fmt: skip

_PROJECTS = (".sln", ".csproj", ".xcodeproj/", ".cabal", ".gemspec")

_CODE = frozenset(
    {
        ".py", ".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".go", ".rs", ".java", ".kt", ".scala",
        ".c", ".h",
        ".cc", ".cpp", ".hpp", ".cs", ".rb", ".php", ".swift", ".m", ".lua", ".pl", ".ex", ".exs",
        ".hs", ".clj",
        ".dart", ".vue", ".svelte", ".sol", ".zig", ".r", ".jl", ".sql", ".sh",
    }
)  # fmt: skip


class Targets(NamedTuple):
    """The file for each kind of write, if layouts differ in it; `{day}` is replaced by a date.

    The logs, the soul and the profile of the operator have the same names everywhere.
    """

    notebook: str = NOTEBOOK
    day: str = "memory/{day}.md"
    lessons: str = LESSONS
    tool_lessons: str = LESSONS
    changelog: str = OTHER_CHANGELOG


class Seen(NamedTuple):
    """What a layout is recognised by: the paths of a repository, and some of its folders.

    `typed` folders have Markdown with a memory `type` in its front matter; `described` ones have
    Markdown with the `description` of a block.
    """

    paths: frozenset[str]
    typed: frozenset[str] = frozenset()
    described: frozenset[str] = frozenset()

    @property
    def top(self) -> frozenset[str]:
        """Files and folders at the top level; folders end in a slash."""
        return frozenset(
            path.partition("/")[0] + ("/" if "/" in path else "") for path in self.paths
        )


class Layout(NamedTuple):
    """One kind of workspace. `scope`: clawgit's paths besides the files that it writes itself."""

    name: str
    title: str
    recognised: Callable[[Seen], bool]
    scope: tuple[str, ...]
    targets: Targets = Targets()
    searched: tuple[str, ...] = ()
    """What the search covers besides clawgit's own files."""
    beside_code: tuple[str, ...] = ()
    """The scope in a program's repository, where README and manual are not the agent's."""


class Recognised(NamedTuple):
    layout: Layout
    scope: tuple[str, ...]


def scope_in_force(layout: str, patterns: Iterable[str], config: str = CONFIG) -> Scope:
    """The scope that the settings define: their patterns, or else those of the layout."""
    chosen = tuple(patterns)
    if not chosen:
        chosen = LAYOUTS[layout].scope
        if layout == OPENCLAW:
            chosen = (*chosen, GITIGNORE)
    # The last pattern that fits decides, so what must stay in scope comes last.
    return Scope((*OWN, *chosen, *_GUARDED, f"/{config}"))


def recognise(seen: Seen) -> Recognised:
    """The layout of a repository: the first one that fits.

    If agents of several kinds work in the repository, the scope is that of all of them.
    """
    fitting = [layout for layout in LAYOUTS.values() if layout.recognised(seen)]
    first = fitting[0]
    patterns = _scope_of(first, seen)
    for layout in fitting[1:]:
        if layout.name in _SIDE_BY_SIDE and first.name in (*_SIDE_BY_SIDE, OPENCLAW):
            more = [pattern for pattern in _scope_of(layout, seen) if pattern not in patterns]
            patterns = (*patterns, *more)
    return Recognised(first, patterns)


def is_project(seen: Seen) -> bool:
    """Whether a repository has a build file at its top level."""
    return any(name in _BUILT_FROM or name.endswith(_PROJECTS) for name in seen.top)


def is_code(seen: Seen) -> bool:
    """Whether a repository is a program: a project, or more code than Markdown."""
    if is_project(seen):
        return True
    suffixes = [_suffix(path) for path in seen.paths if not _is_foreign(path)]
    code = sum(suffix in _CODE for suffix in suffixes)
    return code > 0 and code >= suffixes.count(".md")


def front_matter(text: str) -> Mapping[str, str]:
    """The plain keys of a file's front matter, also those one level down. YAML is not parsed."""
    head = _FRONT.match(text)
    if head is None:
        return {}
    return {match["key"]: match["value"].strip() for match in _KEY.finditer(head["body"])}


def _is_foreign(path: str) -> bool:
    """Whether a path belongs to a package, or to a plugin in a hidden folder."""
    folders = path.split("/")[:-1]
    return any(
        name.startswith(".") or name in ("node_modules", "vendor", "venv", "site-packages")
        for name in folders
    )


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _suffix(path: str) -> str:
    """With its dot; "" if there is none."""
    return "".join(_name(path).lower().rpartition(".")[1:]) if "." in _name(path) else ""


def _is_markdown(path: str) -> bool:
    return path.lower().endswith(".md")


def _openclaw(seen: Seen) -> bool:
    named = _OPENCLAW_FILES & seen.top
    days = any(_DAY.fullmatch(path) for path in seen.paths)
    return (
        bool(named & {"SOUL.md", "IDENTITY.md", "HEARTBEAT.md", ".openclaw/"})
        and len(named) + days > 1
    )


def _letta(seen: Seen) -> bool:
    if {
        "system/persona.md",
        "system/human.md",
        "memory/system/persona.md",
        "memory/system/human.md",
    } & seen.paths:
        return True
    return not {"system", "memory/system"}.isdisjoint(seen.described)


def _memory_bank(seen: Seen) -> bool:
    return any(_name(path) in _BANK_FILES and _in_bank(path) for path in seen.paths)


def _in_bank(path: str) -> bool:
    return any(
        part in ("memory-bank", "memory_bank", ".memory-bank") for part in path.split("/")[:-1]
    )


def _vault(seen: Seen) -> bool:
    return ".obsidian/" in seen.top and not is_code(seen)


def _claude_code(seen: Seen) -> bool:
    if seen.typed:
        return True
    return any(_name(path) in ("CLAUDE.md", "CLAUDE.local.md") for path in seen.paths) or any(
        path.startswith(".claude/") and _is_markdown(path) for path in seen.paths
    )


def _markdown(seen: Seen) -> bool:
    return any(map(_is_markdown, seen.paths)) and not is_code(seen)


def _any(_seen: Seen) -> bool:
    return True


def _scope_of(layout: Layout, seen: Seen) -> tuple[str, ...]:
    if layout.beside_code and is_project(seen):
        return layout.beside_code
    if layout.name == "claude-code":
        return (
            *layout.scope,
            *(f"/{folder}/**/*.md" if folder != "." else "/*.md" for folder in sorted(seen.typed)),
        )
    return layout.scope


LAYOUTS: Mapping[str, Layout] = MappingProxyType(
    {
        layout.name: layout
        for layout in (
            Layout(
                OPENCLAW,
                "an OpenClaw workspace",
                _openclaw,
                _ALL_MARKDOWN,
                Targets(lessons="AGENTS.md", tool_lessons="TOOLS.md", changelog=CHANGELOG),
                beside_code=_OPENCLAW_BESIDE_CODE,
            ),
            Layout(
                "letta",
                "a Letta memory",
                _letta,
                _ALL_MARKDOWN,
                searched=(".",),
                beside_code=(
                    "/system/**/*.md",
                    "/reference/**/*.md",
                    "/blocks/**/*.md",
                    "/.letta/**/*.md",
                ),
            ),
            Layout(
                "memory-bank",
                "a memory bank",
                _memory_bank,
                (
                    "memory-bank/**/*.md",
                    "memory_bank/**/*.md",
                    ".memory-bank/**/*.md",
                    "/.clinerules",
                    "/.clinerules/**/*.md",
                    "/.roo/**/*.md",
                    "/.kilocode/**/*.md",
                    *_NEVER,
                ),
                searched=("memory-bank", "memory_bank", ".memory-bank"),
            ),
            Layout("obsidian", "an Obsidian vault", _vault, _ALL_MARKDOWN, searched=(".",)),
            Layout(
                "claude-code",
                "a repository that Claude Code works in",
                _claude_code,
                _CLAUDE_SCOPE,
                searched=("CLAUDE.md", "CLAUDE.local.md", ".claude/**/*.md"),
            ),
            Layout("markdown", "a folder of Markdown", _markdown, _ALL_MARKDOWN, searched=(".",)),
            Layout("code", "a repository of code", _any, ()),
        )
    }
)
"""In the order in which they are tried: the most specific first."""
