"""What `init` does to a folder: one plan, which a dry run shows and a run carries out."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from clawgit.domain.soul.changelog import START
from clawgit.domain.workspace.layout import (
    CHANGELOG,
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
    Seen,
    recognise,
    scope_in_force,
)
from clawgit.domain.workspace.scope import Scope

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
CORE = (CONFIG, NOTEBOOK, "CORRECTIONS.md", "CONFLICTS.md", CHANGELOG, "COMPACTION_LOG.md")
NAMES = (*CORE, OTHER_CONFIG, OTHER_CHANGELOG, OTHER_NOTEBOOK)
"""The names whose texts tell whether a file is clawgit's."""

FOLDERS = ("memory", "Archive/Chronicles", "Archive/Corrections")


_WITHOUT_NOTEBOOK = ("obsidian", "markdown", "code")

_MEMORY = re.compile(
    r"\A\s*#[ \t]+(?:long-term[ \t]+)?memory(?:\.md)?[ \t]*$|<!-- (?:claw:|openclaw-memory)"
    r"|^[-*] .*#(?:event|knowledge|skill|decision)\b",
    re.MULTILINE | re.IGNORECASE,
)
"""By what a MEMORY.md is known as an agent's: its title, marks of clawgit or OpenClaw, or a tagged
entry."""

_SETTING = re.compile(
    r"^[ \t]*#?[ "
    r"\t]*(?:[a-z_]+_tokens|soul_policy|cron_[a-z_]+|memory_retention_hours|layout|scope|search_mode"
    r"|llm_model|timezone|secrets_allow|chat_store|allow_paths|shared_memory)[ \t]*:",
    re.MULTILINE,
)

_SECTION = re.compile(r"^## [a-z0-9]{4,12} · [0-9]{4}-", re.MULTILINE)


class Found(NamedTuple):
    """What lies in a folder before `init`. `texts` are the files that bear one of clawgit's names.
    `had_identity`: an identity file was there once, so a wiped workspace is not seeded again;
    `had_changelog`: CHANGELOG.md was once clawgit's. `settled` are the layout and the scope of a
    workspace that has its settings already.
    """

    seen: Seen
    texts: Mapping[str, str]
    empty: bool
    had_identity: bool = False
    had_changelog: bool = False
    settled: Recognised | None = None

    def text(self, name: str) -> str | None:
        """What lies under a name, in whatever letter case: half of all disks know no difference."""
        return next(
            (text for path, text in self.texts.items() if path.lower() == name.lower()), None
        )


class Renamed(NamedTuple):
    """A file of clawgit's whose name is taken, and the name that it has instead; "" where it has no
    second one, and what would be written there is refused.
    """

    name: str
    to: str


class Made(NamedTuple):
    """A file to be written, and the template that it starts from."""

    path: str
    template: str


@dataclass(frozen=True, slots=True)
class InitPlan:
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


def init_plan(found: Found, roles: Iterable[str], *, full: bool = False) -> InitPlan:
    """What `init` will do. The full set of files is for a folder that is empty, or `full`; else it
    is as little as will work. `roles` are the agents that have a prompt.
    """
    chosen = found.settled or _chosen(found)
    config = config_name(found)
    renamed = tuple(_renamed(found, chosen.layout, config))
    names = {one.name: one.to for one in renamed}
    makes = [Made(config, CONFIG)]
    if NOTEBOOK in names:
        makes.append(
            Made(OTHER_NOTEBOOK, NOTEBOOK)
        )  # its being there tells every later command where to look
    whole = full or found.empty
    if whole:
        makes += _manifest(found, chosen.layout, names, roles)
    there = {path.lower() for path in found.seen.paths}
    makes = [made for made in makes if made.path.lower() not in there]
    patterns = chosen.scope
    if not found.settled:
        patterns = (*patterns, *_taken_out(renamed, patterns))
        scope = scope_in_force(chosen.layout.name, patterns, config)
        patterns = (*patterns, *(f"/{made.path}" for made in makes if not scope.covers(made.path)))
    scope = scope_in_force(chosen.layout.name, patterns, config)
    makes = [made for made in makes if scope.covers(made.path)]
    return InitPlan(
        chosen.layout, patterns, tuple(makes), FOLDERS if whole else (), renamed, config
    )


def config_name(found: Found) -> str:
    """The file of the settings; the second name exists only where the first was taken."""
    text = found.text(CONFIG)
    if found.text(OTHER_CONFIG) is not None:
        return OTHER_CONFIG
    return CONFIG if text is None or is_our_config(text) else OTHER_CONFIG


def changelog_name(
    layout: Layout,
    text: str | None,
    other: str | None,
    once_ours: Callable[[], bool] = lambda: False,
) -> str:
    """Where the history of the identity stands. `text` and `other` are what lies under its two
    names; `once_ours` says whether the first ever held clawgit's marks, so that nobody who takes
    them out makes it another file.
    """
    if other is not None and START in other:
        return OTHER_CHANGELOG
    if text is not None and START in text:
        return CHANGELOG
    if text is None or layout.targets.changelog != CHANGELOG:
        return layout.targets.changelog
    return CHANGELOG if not text.strip() or once_ours() else OTHER_CHANGELOG


def is_our_config(text: str) -> bool:
    """Whether a CONFIG.md holds settings of clawgit's."""
    return not text.strip() or bool(_SETTING.search(text))


def is_our_log(name: str, text: str) -> bool:
    """Whether a log is one that clawgit began, or wrote a section into."""
    return not text.strip() or text.startswith(f"# {name}") or bool(_SECTION.search(text))


def _chosen(found: Found) -> Recognised:
    if not found.empty:
        return recognise(found.seen)
    return Recognised(LAYOUTS[OPENCLAW], LAYOUTS[OPENCLAW].scope)


def _renamed(found: Found, layout: Layout, config: str) -> Iterator[Renamed]:
    """The names of ours that files of somebody else bear."""
    if config != CONFIG:
        yield Renamed(CONFIG, config)
    if found.text(CHANGELOG) is not None and _changelog(found, layout) != CHANGELOG:
        yield Renamed(CHANGELOG, OTHER_CHANGELOG)
    if found.text(OTHER_NOTEBOOK) is not None or (
        found.settled is None and _is_page(found, layout)
    ):
        yield Renamed(NOTEBOOK, OTHER_NOTEBOOK)
    for name in LOGS:
        if not is_our_log(name, found.text(name) or ""):
            yield Renamed(name, "")


def _changelog(found: Found, layout: Layout) -> str:
    return changelog_name(
        layout, found.text(CHANGELOG), found.text(OTHER_CHANGELOG), lambda: found.had_changelog
    )


def _is_page(found: Found, layout: Layout) -> bool:
    """Whether MEMORY.md is a page like any other, and no agent's memory."""
    text = found.text(NOTEBOOK) or ""
    return layout.name in _WITHOUT_NOTEBOOK and bool(text.strip()) and not _MEMORY.search(text)


def _taken_out(renamed: Iterable[Renamed], patterns: tuple[str, ...]) -> Iterator[str]:
    """What the scope must leave out, since it is always in otherwise."""
    if "*.md" in patterns:
        return  # all Markdown here is in the scope, whoever wrote it
    yield from (f"!/{one.name}" for one in renamed if f"/{one.name}" in OWN)


def _manifest(
    found: Found, layout: Layout, names: Mapping[str, str], roles: Iterable[str]
) -> Iterator[Made]:
    """The full set of files that the specification names."""
    yield Made(".gitignore", "gitignore")
    yield from (Made(name, name) for name in LOGS if name not in names)
    yield Made(_changelog(found, layout), CHANGELOG)
    if NOTEBOOK not in names and found.text("memory.md") is None:
        yield Made(NOTEBOOK, NOTEBOOK)
    if not found.had_identity and not any(name in found.seen.paths for name in IDENTITY):
        yield from (Made(name, name) for name in IDENTITY)
    yield from (Made(f"agents/{role}/SOUL.md", f"agents/{role}") for role in roles)
