"""Who may change the soul; who wrote an edit that clawgit did not make, by the marks in it; and the
alerts for edits and commits without authority.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from clawgit.core import NamedTuple
from clawgit.core.layout import CHANGELOGS, SOULS
from clawgit.core.markdown.decoding import exact_text
from clawgit.core.markdown.tag_table import CORRECTION_TAG
from clawgit.core.tiers import note_of
from clawgit.git.rules.actors import (
    AGENT,
    CLAWGIT,
    HUMAN,
    OPENCLAW_DREAMING,
    OPENCLAW_FLUSH,
    OPENCLAW_SESSION,
    OPERATOR,
    SNAPSHOT,
    UNKNOWN,
    Actor,
    is_ours,
)
from clawgit.language.lazily import lazily

if TYPE_CHECKING:
    from clawgit.git.rules.history import CommitMessage


_DREAMING = lazily(
    r"<!--\s*openclaw-memory-promotion:|<!--\s*openclaw:dreaming:|^## Promoted From Short-Term "
    r"Memory \(",
    re.MULTILINE,
)
_OBSERVED = lazily(r"<!--\s*observed:\s*\d{4}-\d{2}-\d{2}\s*\|")
_WORTH_GUARDING = 300
"""Bytes; a smaller file that shrinks is not worth an alert."""

_WOKEN_WITH = frozenset({"SOUL.md", "IDENTITY.md", "USER.md", "AGENTS.md", "TOOLS.md", "MEMORY.md"})


def attribute(path: str, before: bytes | None, after: bytes | None, *, openclaw: bool) -> Actor:
    """The actor of one file's edit. `openclaw`: whether OpenClaw uses this workspace."""
    old, new = exact_text(before), exact_text(after)
    added, slug = "\n".join(_added_lines(old, new)), _slug(path)
    # The surest first: what OpenClaw marks itself, then what only looks like its work.
    marks = (
        (
            OPENCLAW_DREAMING,
            path == "DREAMS.md" or path.startswith("memory/dreaming/") or _DREAMING.search(added),
        ),
        (
            OPENCLAW_SESSION,
            slug and before is None and new.lstrip().startswith("# Session:"),
        ),
        (AGENT, path == "BOOTSTRAP.md" and after is None),
        (AGENT, path == "USER.md" and _OBSERVED.search(added)),
        (
            OPENCLAW_FLUSH,
            openclaw and slug == "" and after and new.startswith(old.rstrip("\n")),
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


def _slug(path: str) -> str | None:
    """What a note of a day is about, "" for the day's own; None for any other file."""
    note = note_of(path)
    return note.slug if note else None


def _added_lines(old: str, new: str) -> list[str]:
    known = set(old.splitlines())
    return [line for line in new.splitlines() if line not in known]


EVOLVE = "evolve"
REVIEW = "review"
LOCKED = "locked"
POLICIES = (EVOLVE, REVIEW, LOCKED)
"""From the freest to the strictest."""


class Protected(NamedTuple):
    """A line of the operator's from before the edit: a correction of his brought it, or he wrote it
    himself, and then `correction` is "". `origin` is the commit that did it.
    """

    line: str
    correction: str
    time: datetime | None
    origin: str = ""


Edits = Mapping[str, tuple[str | None, str | None]]
"""Path → the text before and after; None if there is none."""


def at_stake(actor: Actor, edits: Edits) -> dict[str, str]:
    """The texts in which an actor may have taken back what the operator said. The operator may, and
    in memory clawgit's own agents, which correct it by his messages and move what is done to the
    archive. Most files hold nothing that he said.
    """
    return {
        path: text
        for path, (text, _) in edits.items()
        if text
        and not (actor == OPERATOR or (is_ours(actor) and path not in SOULS))
        and (path in SOULS or CORRECTION_TAG in f"{path} {text}".lower())
    }


def strictest(*policies: str) -> str:
    return max(policies, key=POLICIES.index)


def is_agent(message: "CommitMessage") -> bool:
    """Whether a commit says that an agent made it. A commit of plain git does not say who did."""
    if not message.op or message.verb == SNAPSHOT:
        return False
    return not _trusted(message) and message.actor_slug != HUMAN.slug


def why_unauthorised(message: "CommitMessage", policy: str) -> str | None:
    """Why a commit may not change the soul under a policy; None if it may.

    This believes what the commit says of itself: only a signature can prove it.
    """
    if _trusted(message):
        return None
    if message.verb == SNAPSHOT and (policy == LOCKED or message.actor_slug != HUMAN.slug):
        return "an edit by hand, and nothing shows that the operator made it"
    if policy == LOCKED:
        if message.op:
            return f"made by {message.actor_slug}"
        return "made by plain git, and by none of the signers"
    if policy == REVIEW and is_agent(message):
        return f"made by {message.actor_slug} without approval"
    return None


def joins_only(after: str, parents: tuple[str, ...]) -> bool:
    """Whether each line of a merge comes from a parent, so that the merge itself adds nothing."""
    lines, sides = set(after.split("\n")), [set(text.split("\n")) for text in parents]
    return set.intersection(*sides) <= lines <= set.union(*sides)


def without_derived(paths: Iterable[str]) -> list[str]:
    """The files to take back with a change, without those that are derived from other files among
    them.
    """
    paths = list(paths)
    if set(SOULS).isdisjoint(paths):
        return paths
    return [path for path in paths if path not in CHANGELOGS]


def _trusted(message: "CommitMessage") -> bool:
    return message.actor_slug in (OPERATOR.slug, CLAWGIT.slug)
