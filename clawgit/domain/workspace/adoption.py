"""What `init` does to a folder: one plan, which a dry run shows and a run carries out."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
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

_WITHOUT_NOTEBOOK = ("markdown", "code")

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

_SECTION = lazily(r"^## [a-z0-9]{4,12} · [0-9]{4}-", re.MULTILINE)


class FolderContents(NamedTuple):
    """What is in a folder before `init`. `texts` are the files with one of clawgit's names.

    `had_identity`: an identity file was there once, so a wiped workspace is not seeded again.
    `settled` are the layout and the scope of a workspace that has its settings already.
    """

    seen: Seen
    texts: Mapping[str, str]
    empty: bool
    had_identity: bool = False
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
    folders: tuple[str, ...] = ()

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


def init_plan(folder: FolderContents, roles: Iterable[str], *, full: bool = False) -> InitPlan:
    """What `init` will do: as little as will work.

    An empty folder, or `full`, gets the full set of files. `roles` are the agents that have a
    prompt.
    """
    layout, patterns = folder.settled or _chosen(folder)
    config = config_name(folder)
    taken = dict(_taken(folder, layout, config))
    makes, whole = _makes(folder, layout, config, taken), full or folder.empty
    if whole:
        makes |= {f"agents/{role}/SOUL.md": f"agents/{role}" for role in roles}
    else:
        # A user's workspace gets the settings, and a notebook if it has another name: later
        # commands see by that file that it has.
        makes = _only(makes, (config, OTHER_NOTEBOOK).__contains__)
    # Without case: some file systems take MEMORY.md and memory.md for one file.
    existing = {path.lower() for path in folder.seen.paths}
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
    # Where the user chose all Markdown, files of others are in the scope too.
    if "*.md" not in patterns:
        patterns += tuple(f"!/{name}" for name in taken if f"/{name}" in OWN)
    covers = scope_in_force(layout.name, patterns, config).covers
    return patterns + tuple(f"/{escaped(path)}" for path in paths if not covers(path))


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
    is_free = text is None or not text.strip()
    return CHANGELOG if is_free and layout.name == OPENCLAW else OTHER_CHANGELOG


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


def _taken(folder: FolderContents, layout: Layout, config: str) -> Iterator[tuple[str, str]]:
    """Our file names that somebody else's files have already, and our other names."""
    if config != CONFIG:
        yield CONFIG, config
    if folder.text(CHANGELOG) is not None and _changelog(folder, layout) != CHANGELOG:
        yield CHANGELOG, OTHER_CHANGELOG
    if _has_other_notebook(folder, layout):
        yield NOTEBOOK, OTHER_NOTEBOOK
    yield from ((name, "") for name in LOGS if not is_our_log(name, folder.text(name) or ""))


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


def _makes(
    folder: FolderContents, layout: Layout, config: str, taken: Mapping[str, str]
) -> dict[str, str]:
    """The set of files that the specification names."""
    logs = [name for name in LOGS if name not in taken]
    is_new = not folder.had_identity and folder.seen.paths.isdisjoint(IDENTITY)
    return {
        config: CONFIG,
        ".gitignore": "gitignore",
        **dict(zip(logs, logs, strict=True)),
        _changelog(folder, layout): CHANGELOG,
        taken.get(NOTEBOOK, NOTEBOOK): NOTEBOOK,
        **(dict(zip(IDENTITY, IDENTITY, strict=True)) if is_new else {}),
    }
