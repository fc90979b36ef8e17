"""Who may change the soul: what is said of a foreign edit, and of a commit that nobody with
authority made.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from clawgit.domain.change.actors import CLAWGIT, HUMAN, OPERATOR, SNAPSHOT, Actor
from clawgit.domain.workspace.layout import CHANGELOG, OTHER_CHANGELOG

if TYPE_CHECKING:
    from clawgit.domain.change.history import CommitMessage

SOUL = "SOUL.md"
IDENTITY = "IDENTITY.md"
SOULS = (SOUL, IDENTITY)
"""The files that say who the agent is; `soul_policy` covers them."""

ENTER_SESSIONS = frozenset({*SOULS, "USER.md", "AGENTS.md", "TOOLS.md", "MEMORY.md"})
"""The files that enter every session of the agent, named from the root of the workspace."""

_CHANGELOGS = (CHANGELOG, OTHER_CHANGELOG)
"""Derived from the history of the souls, and written with each change to them."""

EVOLVE = "evolve"
REVIEW = "review"
LOCKED = "locked"
POLICIES = (EVOLVE, REVIEW, LOCKED)
"""From the freest to the strictest."""


def soul_alert(
    path: str, before: bytes | None, after: bytes | None, policy: str, actor: Actor
) -> str | None:
    """The alert that a foreign edit of the soul deserves; its birth deserves none."""
    if (
        path not in SOULS
        or policy == EVOLVE
        or actor == OPERATOR
        or before is None
        or before == after
    ):
        return None
    return (
        f"soul {path} {'deleted' if after is None else 'changed'} without authority under {policy}"
    )


def strictest(*policies: str) -> str:
    return max(policies, key=POLICIES.index)


def is_agent(message: "CommitMessage") -> bool:
    """Whether a commit says that an agent made it. Plain git says nothing of the kind."""
    return (
        bool(message.op)
        and message.verb != SNAPSHOT
        and not _trusted(message)
        and message.actor_slug != HUMAN.slug
    )


def why_unauthorised(message: "CommitMessage", policy: str) -> str | None:
    """What a commit that changes the soul lacks under a policy, None where it lacks nothing. A
    commit's own word counts here: only a signature can prove it.
    """
    if _trusted(message):
        return None
    if message.verb == SNAPSHOT and (policy == LOCKED or message.actor_slug != HUMAN.slug):
        return "a foreign edit, of which nothing tells that the operator made it"
    if policy == LOCKED:
        return (
            f"made by {message.actor_slug}"
            if message.op
            else "made by plain git, and by none of the signers"
        )
    if policy == REVIEW and is_agent(message):
        return f"made by {message.actor_slug} without approval"
    return None


def joins_only(after: str, parents: tuple[str, ...]) -> bool:
    """Whether a merge only brings together what its parents say: it then is no change of its
    own.
    """
    lines, sides = set(after.split("\n")), [set(text.split("\n")) for text in parents]
    return set.intersection(*sides) <= lines <= set.union(*sides)


def without_derived(paths: Iterable[str]) -> list[str]:
    """The files that are to be taken back when a change is: what follows from others follows them
    there too.
    """
    paths = list(paths)
    return [path for path in paths if path not in _CHANGELOGS] if set(SOULS) & set(paths) else paths


def _trusted(message: "CommitMessage") -> bool:
    return message.actor_slug in (OPERATOR.slug, CLAWGIT.slug)
