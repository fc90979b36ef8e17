"""Shell completion: ids, paths and names for a word that is being typed. Each source is quick."""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from clawgit.agents import AGENTS
from clawgit.config import KEYS
from clawgit.domain.claims.conflicts import conflicts
from clawgit.domain.corrections.corrections import corrections
from clawgit.domain.markdown.entry import entries
from clawgit.domain.markdown.excerpt import in_a_line
from clawgit.ops.change.proposals import proposals
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.cgit import CGitError
from clawgit.stores.plainfile import read_plain

_NEWEST = 200
_LARGEST = 256 * 1024
_WORDS = 60


class Completion(NamedTuple):
    """A word that fits, and what it means."""

    value: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class Script:
    """The script that a shell reads once, to complete clawgit's words."""

    shell: str
    script: str


def offers(workspace: Workspace, kind: str, begun: str) -> tuple[Completion, ...]:
    """The words of a kind that start with `begun`, the newest first if they have a time."""
    # A source may have the same word twice, and a shell would show it twice.
    matching = dict.fromkeys(
        offer for offer in SOURCES[kind](workspace, begun) if offer.value.startswith(begun)
    )
    return tuple(matching)


def _changes(workspace: Workspace, _: str) -> Iterator[Completion]:
    """The newest changes by their ids; one made by plain git by its hash."""
    line = "--format=%(trailers:key=Clawgit-Id,valueonly,separator=%x20)%x00%h%x00%ar, %an: %s"
    try:
        # Nobody picks from a longer list, and a long history must not delay a keystroke.
        log = workspace.cgit.text("log", f"-n{_NEWEST}", line)
    except CGitError:  # a branch without a commit
        return
    for row in log.splitlines():
        ident, _, rest = row.partition("\0")
        sha, _, about = rest.partition("\0")
        yield Completion(ident.split(" ")[0] or sha, _short(about))


def _revisions(workspace: Workspace, begun: str) -> Iterator[Completion]:
    yield from (Completion(day) for day in ("yesterday", "HEAD"))
    yield from _changes(workspace, begun)


def _paths(workspace: Workspace, _: str) -> Iterator[Completion]:
    """Tracked files and their folders, relative to the workspace, as every command takes them."""
    listed = workspace.cgit.run("ls-files", "-z").split(b"\0")
    paths = [os.fsdecode(name) for name in listed if name]
    yield from map(Completion, paths)
    yield from map(
        Completion,
        sorted({f"{folder}/" for path in paths for folder in map(str, Path(path).parents[:-1])}),
    )


def _entries(workspace: Workspace, _: str) -> Iterator[Completion]:
    """Entries of the memory, those of MEMORY.md first and then those of the newest days."""
    days = sorted((workspace.root / "memory").glob("*.md"), reverse=True)[:_NEWEST]
    for file in (workspace.root / "MEMORY.md", *days):
        yield from (Completion(entry.key, _short(entry.text)) for entry in entries(_text(file)))


def _places(workspace: Workspace, begun: str) -> Iterator[Completion]:
    """What `why` takes: an entry, or a file, whose line the user adds."""
    yield from _entries(workspace, begun)
    yield from _paths(workspace, begun)


def _proposals(workspace: Workspace, _: str) -> Iterator[Completion]:
    return (
        Completion(proposal.id, _short(proposal.summary))
        for proposal in proposals(workspace).proposals
    )


def _conflicts(workspace: Workspace, _: str) -> Iterator[Completion]:
    listed = conflicts(_text(workspace.root / "CONFLICTS.md"))
    return (
        Completion(conflict.id, _short(f"{conflict.a.text} / {conflict.b.text}"))
        for conflict in listed
        if conflict.open
    )


def _corrections(workspace: Workspace, _: str) -> Iterator[Completion]:
    return (
        Completion(correction.id, _short(correction.correct))
        for correction in corrections(_text(workspace.root / "CORRECTIONS.md"))
    )


def _settings(workspace: Workspace, _: str) -> Iterator[Completion]:  # noqa: ARG001 - one shape for all sources
    return (Completion(name, _short(key.meaning)) for name, key in KEYS.items())


def _agents(workspace: Workspace, _: str) -> Iterator[Completion]:  # noqa: ARG001 - one shape for all sources
    return (Completion(name, _short(agent.does)) for name, agent in AGENTS.items())


SOURCES: Mapping[str, Callable[[Workspace, str], Iterator[Completion]]] = MappingProxyType(
    {
        "change": _changes,
        "revision": _revisions,
        "path": _paths,
        "entry": _entries,
        "place": _places,
        "proposal": _proposals,
        "conflict": _conflicts,
        "correction": _corrections,
        "setting": _settings,
        "agent": _agents,
    }
)
"""Kind of word → where such words come from."""


def _text(file: Path) -> str:
    """A file as text; "" if it does not exist or is too large to read between two keystrokes."""
    try:
        return read_plain(file, _LARGEST).decode("utf-8", "replace")
    except OSError:
        return ""


def _short(text: str) -> str:
    return in_a_line(text, _WORDS)
