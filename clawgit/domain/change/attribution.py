"""Guesses who wrote an edit that clawgit did not make, from marks in the edit itself."""

import re

from clawgit.domain.change.actors import (
    AGENT,
    OPENCLAW_DREAMING,
    OPENCLAW_FLUSH,
    OPENCLAW_SESSION,
    UNKNOWN,
    Actor,
)
from clawgit.domain.markdown.decoding import exact_text
from clawgit.language.lazily import lazily

_DAILY = lazily(r"memory/\d{4}-\d{2}-\d{2}\.md")
_SLUGGED = lazily(r"memory/\d{4}-\d{2}-\d{2}-[^/]+\.md")
_DREAMING = lazily(
    r"<!--\s*openclaw-memory-promotion:|<!--\s*openclaw:dreaming:|^## Promoted From Short-Term "
    r"Memory \(",
    re.MULTILINE,
)
_OBSERVED = lazily(r"<!--\s*observed:\s*\d{4}-\d{2}-\d{2}\s*\|")
_CONFLICT_MARKERS = lazily(r"^(<{7} |={7}$|>{7} )", re.MULTILINE)
_WORTH_GUARDING = 300
"""Bytes; a smaller file that shrinks is not worth an alert."""

_WOKEN_WITH = frozenset({"SOUL.md", "IDENTITY.md", "USER.md", "AGENTS.md", "TOOLS.md", "MEMORY.md"})


def attribute(path: str, before: bytes | None, after: bytes | None, *, openclaw: bool) -> Actor:
    """The actor of one file's edit. `openclaw`: whether OpenClaw uses this workspace."""
    old, new = exact_text(before), exact_text(after)
    added = "\n".join(_added_lines(old, new))
    # The surest first: what OpenClaw marks itself, then what only looks like its work.
    marks = (
        (
            OPENCLAW_DREAMING,
            path == "DREAMS.md" or path.startswith("memory/dreaming/") or _DREAMING.search(added),
        ),
        (
            OPENCLAW_SESSION,
            _SLUGGED.fullmatch(path) and before is None and new.lstrip().startswith("# Session:"),
        ),
        (AGENT, path == "BOOTSTRAP.md" and after is None),
        (AGENT, path == "USER.md" and _OBSERVED.search(added)),
        (
            OPENCLAW_FLUSH,
            openclaw and _DAILY.fullmatch(path) and after and new.startswith(old.rstrip("\n")),
        ),
    )
    return next((actor for actor, marked in marks if marked), UNKNOWN)


def loss_alert(path: str, before: bytes | None, after: bytes | None) -> str | None:
    """The alert for an edit that removed most of a file, or a file that every session starts with.

    Agents cause this when they use `write` with only a part of the file instead of `edit`.
    """
    if before is None:
        return None
    if after is None:
        return f"deleted {path} ({len(before)} bytes)" if path in _WOKEN_WITH else None
    if len(before) < _WORTH_GUARDING or len(after) * 2 > len(before):
        return None
    return f"shrink {path} {len(before)} -> {len(after)} bytes"


def has_conflict_markers(data: bytes) -> bool:
    """Whether a file has the markers of an unfinished merge."""
    if b"<<<<<<< " not in data:
        return False
    # All three kinds, since seven equals signs alone may underline a Markdown heading.
    return len({match[1][:7] for match in _CONFLICT_MARKERS.finditer(exact_text(data))}) == len(
        "<=>"
    )


def _added_lines(old: str, new: str) -> list[str]:
    known = set(old.splitlines())
    return [line for line in new.splitlines() if line not in known]
