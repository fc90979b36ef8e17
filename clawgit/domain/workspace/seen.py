"""What a kind of workspace is recognised by: paths, and the heads of a few files."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from clawgit.language.lazily import lazily

_FRONT = lazily(r"\ufeff?---[ \t]*\r?\n(?P<body>.*?)^---[ \t]*\r?$", re.DOTALL | re.MULTILINE)

_KEY = lazily(r"^[ \t]*(?P<key>[A-Za-z_]+):[ \t]*(?P<value>.*?)[ \t]*\r?$", re.MULTILINE)

_WIKI_LINK = lazily(r"\[\[[^\[\]\n]+\]\]")

_OF_A_VAULT = frozenset({"aliases", "alias", "permalink", "cssclass", "cssclasses"})
"""Front matter that Obsidian and the programs around it read."""

_TYPES = frozenset({"user", "feedback", "project", "reference"})
"""The types that Claude Code gives its memories."""

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

_SOURCE_TREES = frozenset(
    {"src/", "lib/", "app/", "tests/", "test/", "packages/", "cmd/", "internal/", "pkg/", "crates/"}
)

_CODE = frozenset(
    {
        ".py", ".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".go", ".rs", ".java", ".kt", ".scala",
        ".c", ".h",
        ".cc", ".cpp", ".hpp", ".cs", ".rb", ".php", ".swift", ".m", ".lua", ".pl", ".ex", ".exs",
        ".hs", ".clj",
        ".dart", ".vue", ".svelte", ".sol", ".zig", ".r", ".jl", ".sql", ".sh",
    }
)  # fmt: skip

_WRITING = 3
"""Times as much Markdown as code makes a project a piece of writing, which a program renders."""

_A_FAIR_PART = 4
"""With at least a quarter of its code in `src/` or the like, a folder is laid out as a program.

An agent's home may have such a folder beside its scripts: up to 18 % of the code in real ones."""

_MANY_NOTES = 30
"""A project with fewer Markdown files is always a program: small programs have long manuals."""

PACKAGES = (
    *("node_modules", ".venv", "venv", "site-packages", "vendor", ".git"),
    *(".obsidian", ".trash"),
)
"""Folders whose Markdown comes with packages or plugins, or was deleted in Obsidian."""


class Seen(NamedTuple):
    """A folder as `init` looks at it.

    `typed` folders have Markdown with a memory `type` in its front matter, as Claude Code writes
    it; `described` ones have Markdown with the `description` of a block. `is_linked`: the notes
    link to each other as those of a vault do.
    """

    paths: frozenset[str]
    typed: frozenset[str] = frozenset()
    described: frozenset[str] = frozenset()
    is_linked: bool = False

    @property
    def top(self) -> frozenset[str]:
        """Files and folders at the top level; folders end in a slash."""
        return frozenset(
            path.partition("/")[0] + ("/" if "/" in path else "") for path in self.paths
        )


class NoteHead(NamedTuple):
    """The beginning of a note."""

    text: str

    @property
    def keys(self) -> Mapping[str, str]:
        return front_matter(self.text)

    @property
    def is_typed(self) -> bool:
        """Whether it says of itself that it is a memory of some type, as Claude Code's do."""
        keys = self.keys
        return keys.get("type") in _TYPES and "description" in keys

    @property
    def is_described(self) -> bool:
        return "description" in self.keys

    @property
    def is_linked(self) -> bool:
        """Whether it is written as a note of a vault: with wiki links, or with other names."""
        return _WIKI_LINK.search(self.text) is not None or not _OF_A_VAULT.isdisjoint(self.keys)


def is_project(seen: Seen) -> bool:
    """Whether a repository has a build file at its top level."""
    return any(name in _BUILT_FROM or name.endswith(_PROJECTS) for name in seen.top)


def has_source_tree(seen: Seen) -> bool:
    """Whether a fair part of the code is in folders that are those of a program."""
    code = [path for path in seen.paths if _is_source(path)]
    inside = sum(path.partition("/")[0] + "/" in _SOURCE_TREES for path in code)
    return 0 < len(code) <= inside * _A_FAIR_PART


def is_code(seen: Seen) -> bool:
    """Whether a repository is a program: a project, or more code than Markdown."""
    code = sum(map(_is_source, seen.paths))
    notes = sum(_suffix(path) == ".md" and not is_foreign(path) for path in seen.paths)
    if is_project(seen):
        return notes <= max(_WRITING * code, _MANY_NOTES)
    return code > 0 and code >= notes


def is_program(seen: Seen) -> bool:
    """Whether it is the repository of a program, which has files of its own like README.md."""
    return is_project(seen) and is_code(seen)


def front_matter(text: str) -> Mapping[str, str]:
    """The plain keys of a file's front matter, also those one level down. YAML is not parsed."""
    head = _FRONT.match(text)
    if head is None:
        return {}
    return {match["key"]: match["value"].strip() for match in _KEY.finditer(head["body"])}


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


def _is_source(path: str) -> bool:
    return _suffix(path) in _CODE and not is_foreign(path)


def _suffix(path: str) -> str:
    """The ending of a path with its dot; "" if there is none."""
    name = name_of(path)
    return "".join(name.lower().rpartition(".")[1:]) if "." in name else ""
