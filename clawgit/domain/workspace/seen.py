"""What a kind of workspace is recognised by: the paths of a folder, and the heads of notes."""

import re
from typing import NamedTuple

from clawgit.language.files import listed
from clawgit.language.lazily import lazily

_FRONT = lazily(r"\ufeff?---[ \t]*\r?\n(?P<body>.*?)^---[ \t]*\r?$", re.DOTALL | re.MULTILINE)

_TYPE = lazily(r"^[ \t]*type:[ \t]*(?:user|feedback|project|reference)[ \t]*\r?$", re.MULTILINE)
"""The types that Claude Code gives its memories."""

_DESCRIPTION = lazily(r"^[ \t]*description:", re.MULTILINE)


FOLDERS = "_folders"
"""The lists of what a kind of folder is recognised by."""

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
    """A folder as `init` looks at it. In the `typed` folders lie notes that say which type of
    memory they are, as Claude Code writes them.
    """

    paths: frozenset[str]
    typed: frozenset[str] = frozenset()

    @property
    def top(self) -> frozenset[str]:
        """Files and folders at the top level; folders end in a slash."""
        return frozenset(
            path.partition("/")[0] + ("/" if "/" in path else "") for path in self.paths
        )


def is_typed(head: str) -> bool:
    """Whether the beginning of a note says that it is a memory of some type."""
    front = _FRONT.match(head)
    body = front["body"] if front else ""
    return bool(_TYPE.search(body) and _DESCRIPTION.search(body))


def is_project(seen: Seen) -> bool:
    """Whether a repository has a build file at its top level."""
    return any(
        name in listed(FOLDERS, "built_from") or name.endswith(listed(FOLDERS, "projects"))
        for name in seen.top
    )


def has_source_tree(seen: Seen) -> bool:
    """Whether a fair part of the code is in folders that are those of a program."""
    code = [path for path in seen.paths if _is_source(path)]
    inside = sum(path.partition("/")[0] in listed(FOLDERS, "source_trees") for path in code)
    return 0 < len(code) <= inside * _A_FAIR_PART


def is_code(seen: Seen) -> bool:
    """Whether a repository is a program: a project, or more code than Markdown."""
    code = sum(map(_is_source, seen.paths))
    notes = sum(is_markdown(path) and not is_foreign(path) for path in seen.paths)
    if is_project(seen):
        return notes <= max(_WRITING * code, _MANY_NOTES)
    return code > 0 and code >= notes


def is_program(seen: Seen) -> bool:
    """Whether it is the repository of a program, which has files of its own like README.md."""
    return is_project(seen) and is_code(seen)


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
    _, dot, suffix = name_of(path).lower().rpartition(".")
    return dot + suffix in listed(FOLDERS, "code") and not is_foreign(path)
