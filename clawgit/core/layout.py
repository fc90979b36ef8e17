"""The kinds of workspace, one row each: which paths are clawgit's, and what goes where."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import groupby
from types import MappingProxyType

from clawgit.core import NamedTuple
from clawgit.core.limits import INJECTED
from clawgit.language.lazily import lazily

_SPECIAL = lazily(r"[*?\[\\]")
"""Characters that mean something in a pattern."""

_CLASS = lazily(r"(?P<not>[!^]?)(?P<inside>(?:a-z|A-Z|0-9|[\w.,;@ ])+)\]")
"""`[a-z]`, `[!0-9]`, `[abc]`; anything else in brackets is matched literally."""


class Scope(tuple[str, ...]):  # noqa: SLOT001 - it keeps what was compiled
    """Patterns as in a .gitignore, but for what is included. The last one that fits decides.

    A pattern fits a file by its own path or by that of a folder above it; `!` excludes paths again.
    What no pattern names is not clawgit's: a new kind of file is left alone. Letter case does not
    matter, as on the file systems of macOS and Windows.
    """

    def covers(self, path: str) -> bool:
        """Whether a file of the repository is clawgit's; `path` as in git."""
        return self._covered.fullmatch(path) is not None

    def split(self, paths: Iterable[str]) -> tuple[list[str], list[str]]:
        """The paths inside, and those outside."""
        inside: list[str] = []
        outside: list[str] = []
        for path in paths:
            (inside if self.covers(path) else outside).append(path)
        return inside, outside

    @property
    def pathspecs(self) -> tuple[str, ...]:
        """Pathspecs that cover the scope, and perhaps more: in git their order has no meaning."""
        return tuple(_pathspec(pattern) for pattern in self if not pattern.startswith("!"))

    @cached_property
    def places(self) -> tuple[str, ...]:
        """The files and folders that contain all of the scope; "" is the top.

        A walk does not enter hidden folders, so one of these is a place by itself.
        """
        places = {_place(pattern) for pattern in self if not pattern.startswith("!")}
        lower = {one for one in places if any(is_below(one, other) for other in places - {one})}
        return tuple(sorted(places - lower))

    @cached_property
    def _covered(self) -> re.Pattern[str]:
        """All patterns as one: thousands of paths are asked about. Of neighbours that all include,
        or all exclude, the order does not matter.
        """
        regex = "(?!)"
        for excludes, run in groupby(self, key=lambda pattern: pattern.startswith("!")):
            fits = _regex([pattern.removeprefix("!") for pattern in run])
            regex = f"(?!(?:{fits})\\Z)(?:{regex})" if excludes else f"{fits}|{regex}"
        return re.compile(regex, re.IGNORECASE | re.DOTALL)


EVERYTHING = Scope(("**",))
"""The scope of a store that was opened without settings."""


def escaped(path: str) -> str:
    """A pattern that fits this path alone."""
    return _SPECIAL.sub(r"\\\g<0>", path)


def _place(pattern: str) -> str:
    """The file or folder that contains all that a pattern fits: the pattern up to its first special
    character.
    """
    body = pattern.strip("/")
    if "/" not in body and not pattern.startswith("/"):
        return ""
    names: list[str] = []
    for name in body.split("/"):
        if _SPECIAL.search(name):
            break
        names.append(name)
    return "/".join(names)


def is_below(path: str, folder: str) -> bool:
    """Whether a walk from a folder comes to a path: it does not enter hidden folders."""
    if path == folder:
        return True
    inside = path if not folder else path.removeprefix(f"{folder}/")
    return (not folder or inside != path) and "/." not in f"/{inside}"


def _regex(patterns: list[str]) -> str:
    """Patterns as one regex for the whole path of a file."""
    fits: dict[tuple[str, str], list[str]] = {}
    for pattern in patterns:
        body = pattern.rstrip("/")
        parts = body.strip("/").split("/")
        names = "".join(_part(parts, at) for at in range(len(parts)))
        above = "" if "/" in body else "(?:.*/)?"
        below = "/.+" if pattern.endswith("/") else "(?:/.+)?"
        fits.setdefault((above, below), []).append(names)
    # Each around all of its kind: written out for each of them, they take as long again to compile.
    kinds = (f"{above}(?:{'|'.join(names)}){below}" for (above, below), names in fits.items())
    return "|".join(kinds)


def _part(parts: list[str], at: int) -> str:
    """The regex of one name of a pattern, with the slash after it; `**` is any folders."""
    last = at == len(parts) - 1
    if parts[at] == "**":
        return ".+" if last else "(?:.*/)?"
    # `*` stays within one name, as in git, so names are joined by their slashes here.
    return "".join(_signs(parts[at])) + ("" if last else "/")


def _signs(name: str) -> Iterator[str]:
    at = 0
    while at < len(name):
        sign = name[at]
        at += 1
        if sign == "*":
            yield "[^/]*"
        elif sign == "?":
            yield "[^/]"
        elif sign == "[" and (match := _CLASS.match(name, at)):
            yield f"(?!/)[{'^' if match['not'] else ''}{match['inside']}]"
            at = match.end()
        elif sign == "\\" and at < len(name):
            yield re.escape(name[at])
            at += 1
        else:
            yield re.escape(sign)


def _pathspec(pattern: str) -> str:
    body = pattern.rstrip("/")
    top = body.lstrip("/") if "/" in body else f"**/{body}"
    return f":(top,icase,glob){top}/**" if pattern.endswith("/") else f":(top,icase,glob){top}"


CONFIG = "CONFIG.md"
OTHER_CONFIG = "CLAWGIT.md"
"""The settings; the second name is for a repository whose CONFIG.md is about something else."""

CHANGELOG = "CHANGELOG.md"
OTHER_CHANGELOG = "SOUL_CHANGELOG.md"
CHANGELOGS = (CHANGELOG, OTHER_CHANGELOG)
"""Derived from the history of the souls, and written with each change to them."""

CHANGELOG_START = "<!-- clawgit:changelog:start -->"
"""How the identity grew; the second name is for a repository with a program's changelog."""

SOUL = "SOUL.md"
IDENTITY = "IDENTITY.md"
SOULS = (SOUL, IDENTITY)
"""The files that say who the agent is; `soul_policy` covers them."""

NOTEBOOK = "MEMORY.md"
"""Lasting facts."""

LOGS = ("CORRECTIONS.md", "CONFLICTS.md", "COMPACTION_LOG.md")
_SECTION = lazily(r"^## [a-z0-9]{4,12} · [0-9]{4}-", re.MULTILINE)

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

_GUARDED = tuple(f"/{name}" for name in SOULS)
"""No pattern can exclude these, since they would no longer be guarded."""

PACKAGES = (
    "node_modules", ".venv", "venv", "site-packages", "vendor", ".git", ".obsidian", ".trash",
)  # fmt: skip
"""Folders whose Markdown comes with packages or plugins, or was deleted in Obsidian."""

_NEVER = tuple(f"!{name}/" for name in PACKAGES)

ALL = "*.md"
_ALL_MARKDOWN = (ALL, *_NEVER)

GITIGNORE = "/.gitignore"
"""In scope only if clawgit wrote it, which it does in a new workspace."""

OPENCLAW = "openclaw"

OPENCLAW_HOME = ".openclaw/"

OPENCLAW_FILES = frozenset({OPENCLAW_HOME, *INJECTED, "memory.md", "DREAMS.md"})

_LEARNED = ("/.learnings/**/*.md",)
"""Where a skill that many agents have writes down errors and what was learned from them."""

_INSTRUCTIONS = (
    "!/HEARTBEAT.md", "!/BOOTSTRAP.md", "!/BOOT.md", "!/SOUL.md", "!/AGENTS.md", "!/TOOLS.md",
    "!skills/", "!hooks/", "!prompts/", "!templates/", "!commands/", "!agents/", "!plugins/",
    "!LICENSE.md", "!CODE_OF_CONDUCT.md",
)  # fmt: skip
"""Not memory: what tells an agent how to work, and what somebody else wrote for everybody."""

_NO_INSTRUCTIONS = Scope(("*.md", *_INSTRUCTIONS))

BANKS = ("memory-bank", "memory_bank", ".memory-bank")

_BANK_PATHS = tuple(f"/{name}/**/*.md" for name in BANKS)

CLAUDE_FILES = ("CLAUDE.md", "CLAUDE.local.md")

SIDE_BY_SIDE = ("memory-bank", "claude-code")
"""Layouts that name their files, so that several can be in one repository."""


class Layout(NamedTuple):
    """One kind of workspace. All patterns are those of a scope.

    `scope`: clawgit's paths besides the files that it writes itself.
    """

    name: str
    title: str
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


class Searched(NamedTuple):
    """What is searched besides clawgit's own files: what is memory, and what else."""

    memory: Scope = Scope(())
    notes: Scope = Scope(())

    @property
    def places(self) -> tuple[str, ...]:
        """The files and folders that contain all of it."""
        return Scope((*self.memory, *self.notes)).places


@lru_cache(maxsize=8)  # a server asks at each question, and a scope compiles its patterns
def scope_in_force(layout: str, patterns: tuple[str, ...], config: str = CONFIG) -> Scope:
    """The scope that the settings define: their patterns, or else those of the layout."""
    chosen = patterns
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
    rows = dict.fromkeys((layout, *map(LAYOUTS.__getitem__, SIDE_BY_SIDE)))
    known: set[str] = set()
    memory: list[str] = []
    for row in rows:
        known.update(row.scope, row.other_scope)
        memory += row.memory
    named = (one for one in patterns if not one.startswith("!") and "/" in one.rstrip("/"))
    places = [pattern for pattern in named if pattern not in known]
    notes = layout.notes
    if ALL in patterns:
        notes = (ALL, *notes)
    return Searched(Scope((*memory, *places, *_NEVER)), Scope((*notes, *_NEVER)))


def is_instruction(path: str) -> bool:
    """Whether a file tells an agent how to work, rather than what is so."""
    return not _NO_INSTRUCTIONS.covers(path)


def changelog_name(layout: Layout, text: str | None, other: str | None) -> str:
    """The file of the identity's history. `text` and `other` are the texts under its two names."""
    if other is not None and CHANGELOG_START in other:
        return OTHER_CHANGELOG
    if text is not None and CHANGELOG_START in text:
        return CHANGELOG
    is_free = text is None or not text.strip()
    return CHANGELOG if is_free and layout.name == OPENCLAW else OTHER_CHANGELOG


def is_our_log(name: str, text: str) -> bool:
    """Whether we began a log, or wrote a section into it."""
    return not text.strip() or text.startswith(f"# {name}") or bool(_SECTION.search(text))


def is_foreign(path: str) -> bool:
    """Whether a path belongs to a package, or to a plugin in a hidden folder."""
    folders = path.split("/")[:-1]
    return any(name.startswith(".") or name in PACKAGES for name in folders)


def is_markdown(path: str) -> bool:
    return path[-3:].lower() == ".md"


def name_of(path: str) -> str:
    return path.rpartition("/")[2]


def folder_of(path: str) -> str:
    """The folder of a path, "" at the top."""
    return path.rpartition("/")[0]


_ROWS = (
    Layout(
        OPENCLAW,
        "an OpenClaw workspace",
        _ALL_MARKDOWN,
        ("AGENTS.md", "TOOLS.md"),
        memory=_LEARNED,
        notes=_INSTRUCTIONS,
        other_scope=(
            *(f"/{name}" for name in sorted(OPENCLAW_FILES) if name.endswith(".md")),
            "/BOOT.md",
            "/skills/**/*.md",
            "/hooks/**/*.md",
            *_LEARNED,
            *_NEVER,
        ),
    ),
    Layout(
        "memory-bank",
        "a memory bank",
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
    ),
    Layout(
        "claude-code",
        "a repository that Claude Code works in",
        (*CLAUDE_FILES, "AGENTS.md", ".claude/**/*.md", "!.claude/worktrees/", *_NEVER),
        memory=("/CLAUDE.md", "/CLAUDE.local.md", "/.claude/memory/", "/.claude/memories/"),
        notes=("/.claude/**/*.md", "!.claude/worktrees/", *_INSTRUCTIONS),
        other_scope=(*_ALL_MARKDOWN, "!.claude/worktrees/"),
    ),
    Layout("markdown", "a folder of Markdown", _ALL_MARKDOWN, memory=_ALL_MARKDOWN),
    Layout("code", "a repository of code", ()),
)
"""In the order in which they are tried: the most specific first."""

LAYOUTS: Mapping[str, Layout] = MappingProxyType({layout.name: layout for layout in _ROWS})
