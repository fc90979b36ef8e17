"""What `init` does to a folder: one plan, which a dry run shows and a run carries out."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from clawgit.domain.markdown.tag_table import PRIMARY
from clawgit.domain.workspace.layout import (
    CHANGELOG,
    CHANGELOG_START,
    CONFIG,
    LAYOUTS,
    NOTEBOOK,
    OPENCLAW,
    OTHER_CHANGELOG,
    OTHER_CONFIG,
    OTHER_NOTEBOOK,
    OWN,
    Layout,
    Recognised,
    recognise,
    scope_in_force,
)
from clawgit.domain.workspace.scope import Scope, escaped
from clawgit.domain.workspace.seen import Seen
from clawgit.language.lazily import lazily

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

LOGS = ("CORRECTIONS.md", "CONFLICTS.md", "COMPACTION_LOG.md")
NAMES = (CONFIG, NOTEBOOK, *LOGS, CHANGELOG, OTHER_CONFIG, OTHER_CHANGELOG, OTHER_NOTEBOOK)
"""The names whose texts tell whether a file is clawgit's."""

FOLDERS = ("memory", "Archive/Chronicles", "Archive/Corrections")


_MOST_POINTED = 100
"""MEMORY.md may bring at most this many notes into the scope, each as a pattern of its own."""

_WITHOUT_NOTEBOOK = ("obsidian", "markdown", "code")

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
    r"\t]*(?:[a-z_]+_tokens|soul_policy|cron_[a-z_]+|memory_retention_hours|layout|scope|search_mode"
    r"|llm_model|timezone|secrets_allow|chat_store|allow_paths|shared_memory)[ \t]*:",
    re.MULTILINE,
)

_SECTION = lazily(r"^## [a-z0-9]{4,12} · [0-9]{4}-", re.MULTILINE)


class FolderContents(NamedTuple):
    """What is in a folder before `init`. `texts` are the files with one of clawgit's names.

    `had_identity`: an identity file was there once, so a wiped workspace is not seeded again.
    `settled` are the layout and the scope of a workspace that has its settings already. `pointed`
    are the notes that MEMORY.md points at.
    """

    seen: Seen
    texts: Mapping[str, str]
    empty: bool
    had_identity: bool = False
    settled: Recognised | None = None
    pointed: tuple[str, ...] = ()

    def text(self, name: str) -> str | None:
        """The text of the file with this name, in any letter case: many disks ignore case."""
        return next(
            (text for path, text in self.texts.items() if path.lower() == name.lower()), None
        )


class Renamed(NamedTuple):
    """A file of clawgit's whose name is taken, and the name that it gets instead; "" if it has no
    second name, so that writing it is refused.
    """

    name: str
    to: str


class Made(NamedTuple):
    """A file to be written, and the template that it starts from."""

    path: str
    template: str


class InitPlan(NamedTuple):
    """Everything that `init` writes. `patterns` are the scope as the settings will name it."""

    layout: Layout
    patterns: tuple[str, ...]
    makes: tuple[Made, ...]
    folders: tuple[str, ...]
    renamed: tuple[Renamed, ...]
    config: str

    @property
    def created(self) -> tuple[str, ...]:
        return tuple(made.path for made in self.makes)

    @property
    def scope(self) -> Scope:
        return scope_in_force(self.layout.name, self.patterns, self.config)


def init_plan(folder: FolderContents, roles: Iterable[str], *, full: bool = False) -> InitPlan:
    """What `init` will do: as little as will work.

    An empty folder, or `full`, gets the full set of files. `roles` are the agents that have a
    prompt.
    """
    whole = full or folder.empty
    layout, patterns = folder.settled or _chosen(folder)
    config = config_name(folder)
    renamed = tuple(_renamed(folder, layout, config))
    makes = _makes(folder, layout, config, renamed, roles if whole else None)
    # A workspace that has its settings names its scope itself.
    if not folder.settled:
        patterns = (*patterns, *_taken_out(renamed, patterns))
        scope = scope_in_force(layout.name, patterns, config)
        more = (*(made.path for made in makes), *_pointed(folder, renamed))
        patterns = (*patterns, *(f"/{escaped(path)}" for path in more if not scope.covers(path)))
    scope = scope_in_force(layout.name, patterns, config)
    # What the scope leaves out is not made: it could never be committed.
    made_here = tuple(made for made in makes if scope.covers(made.path))
    return InitPlan(layout, patterns, made_here, FOLDERS if whole else (), renamed, config)


def _makes(
    folder: FolderContents,
    layout: Layout,
    config: str,
    renamed: Iterable[Renamed],
    roles: Iterable[str] | None,
) -> list[Made]:
    """The files to write that are not there; with `roles`, the full set."""
    wanted = [*_wanted(folder, layout, config, {file.name: file.to for file in renamed})]
    if roles is None:
        # A user's workspace gets the settings, and a notebook if it has another name: later
        # commands see by that file that it has.
        wanted = [made for made in wanted if made.path in (config, OTHER_NOTEBOOK)]
    else:
        wanted += [Made(f"agents/{role}/SOUL.md", f"agents/{role}") for role in roles]
    # Without case: some file systems take MEMORY.md and memory.md for one file.
    existing = {path.lower() for path in folder.seen.paths}
    return [made for made in wanted if made.path.lower() not in existing]


def _pointed(folder: FolderContents, renamed: Iterable[Renamed]) -> tuple[str, ...]:
    """What an index of memory links to; an ordinary page is none."""
    if any(file.name == NOTEBOOK for file in renamed):
        return ()
    return folder.pointed[:_MOST_POINTED]


def config_name(folder: FolderContents) -> str:
    """The file of the settings. It has its second name only if somebody else's has the first."""
    text = folder.text(CONFIG)
    if folder.text(OTHER_CONFIG) is not None:
        return OTHER_CONFIG
    return CONFIG if text is None or is_our_config(text) else OTHER_CONFIG


def changelog_name(layout: Layout, text: str | None, other: str | None) -> str:
    """The file of the identity's history. `text` and `other` are the texts under its two names."""
    if other is not None and CHANGELOG_START in other:
        return OTHER_CHANGELOG
    if text is not None and CHANGELOG_START in text:
        return CHANGELOG
    if text is None or layout.targets.changelog != CHANGELOG:
        return layout.targets.changelog
    return OTHER_CHANGELOG if text.strip() else CHANGELOG


def is_our_config(text: str) -> bool:
    """Whether a CONFIG.md holds settings of ours."""
    return not text.strip() or bool(_SETTING.search(text))


def is_our_log(name: str, text: str) -> bool:
    """Whether we began a log, or wrote a section into it."""
    return not text.strip() or text.startswith(f"# {name}") or bool(_SECTION.search(text))


def _chosen(folder: FolderContents) -> Recognised:
    if not folder.empty:
        return recognise(folder.seen)
    return Recognised(LAYOUTS[OPENCLAW], LAYOUTS[OPENCLAW].scope)


def _renamed(folder: FolderContents, layout: Layout, config: str) -> Iterator[Renamed]:
    """Our file names that somebody else's files have already."""
    if config != CONFIG:
        yield Renamed(CONFIG, config)
    if folder.text(CHANGELOG) is not None and _changelog(folder, layout) != CHANGELOG:
        yield Renamed(CHANGELOG, OTHER_CHANGELOG)
    if _has_other_notebook(folder, layout):
        yield Renamed(NOTEBOOK, OTHER_NOTEBOOK)
    for name in LOGS:
        if not is_our_log(name, folder.text(name) or ""):
            yield Renamed(name, "")


def _has_other_notebook(folder: FolderContents, layout: Layout) -> bool:
    if folder.text(OTHER_NOTEBOOK) is not None:
        return True
    return folder.settled is None and _is_page(folder, layout)


def _changelog(folder: FolderContents, layout: Layout) -> str:
    return changelog_name(layout, folder.text(CHANGELOG), folder.text(OTHER_CHANGELOG))


def _is_page(folder: FolderContents, layout: Layout) -> bool:
    """Whether MEMORY.md is an ordinary page, not an agent's memory."""
    text = folder.text(NOTEBOOK) or ""
    return layout.name in _WITHOUT_NOTEBOOK and bool(text.strip()) and not _MEMORY.search(text)


def _taken_out(renamed: Iterable[Renamed], patterns: tuple[str, ...]) -> Iterator[str]:
    """Patterns that exclude files that would otherwise always be in the scope."""
    # Where the user chose all Markdown, files of others are in the scope too.
    if "*.md" not in patterns:
        yield from (f"!/{file.name}" for file in renamed if f"/{file.name}" in OWN)


def _wanted(
    folder: FolderContents, layout: Layout, config: str, names: Mapping[str, str]
) -> Iterator[Made]:
    """The set of files that the specification names. `names` are taken → what is used instead."""
    yield Made(config, CONFIG)
    yield Made(".gitignore", "gitignore")
    yield from (Made(name, name) for name in LOGS if name not in names)
    yield Made(_changelog(folder, layout), CHANGELOG)
    # In whatever letter case: memory.md is OpenClaw's old name for it.
    if folder.text("memory.md") is None or NOTEBOOK in names:
        yield Made(names.get(NOTEBOOK, NOTEBOOK), NOTEBOOK)
    if not folder.had_identity and folder.seen.paths.isdisjoint(IDENTITY):
        yield from (Made(name, name) for name in IDENTITY)
