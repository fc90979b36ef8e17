"""Who can make a change. A commit's author is its actor; the committer stays the git user.

Inside of clawgit, an actor is one of the values below. A caller from outside names itself, on the
command line, in the environment, to the MCP server or on the service's socket: `caller_named` says
which names it may have. The hook commit-msg follows the same rule.
"""

from collections.abc import Iterator

from clawgit.agents import AGENTS
from clawgit.core import NamedTuple

SNAPSHOT = "snapshot"
"""The verb of a commit that only records what something else has written."""


class Actor(NamedTuple):
    """`slug` goes into `Clawgit-Op`, `name` into the author line."""

    slug: str
    name: str

    @property
    def email(self) -> str:
        return f"{self.slug}@clawgit.invalid"

    @property
    def is_operator(self) -> bool:
        return self == OPERATOR


OPERATOR = Actor("operator", "Operator")
AGENT = Actor("agent", "Agent")
HUMAN = Actor("human", "Human")
UNKNOWN = Actor("unknown", "Unknown")
CLAWGIT = Actor("clawgit", "clawgit")
OPENCLAW_FLUSH = Actor("openclaw-flush", "OpenClaw Memory Flush")
OPENCLAW_DREAMING = Actor("openclaw-dreaming", "OpenClaw Dreaming")
OPENCLAW_SESSION = Actor("openclaw-session", "OpenClaw Session Memory")

LONGEST_NAME = 40
"""The most characters that a name may have, so that it fits into a subject line."""

_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")
"""A letter of another script can look like one of these, so no other letter is in a name."""

_LIKE = str.maketrans({"0": "o", "1": "l", "i": "l", "3": "e", "4": "a", "5": "s", "-": None})
"""Characters that look alike become the same letter; dashes are dropped."""
_PATTERNS = {"o": "[o0]", "l": "[li1]", "e": "[e3]", "a": "[a4]", "s": "[s5]"}
"""For each of those letters, the characters that become it."""

_OUTSIDE = (OPERATOR, AGENT, HUMAN, UNKNOWN, OPENCLAW_FLUSH, OPENCLAW_DREAMING, OPENCLAW_SESSION)


def _titled(slug: str) -> Actor:
    return Actor(slug, slug.replace("-", " ").title())


_OURS = frozenset({CLAWGIT.slug, *AGENTS})
_KNOWN = {actor.slug: actor for actor in (*_OUTSIDE, CLAWGIT, *map(_titled, AGENTS))}

_RESERVED = {_slug.translate(_LIKE) for _slug in _KNOWN if _slug != AGENT.slug}


def is_reserved(slug: str) -> bool:
    """Whether a name is, or looks like, one that no caller may give itself.

    Those are the operator's, clawgit's, and the names of our own agents: the rules trust them.
    """
    return slug.lower().translate(_LIKE) in _RESERVED


def reserved_patterns() -> Iterator[str]:
    """The reserved names as shell patterns, to match against names without their dashes."""
    for name in sorted(_RESERVED):
        yield "".join(_PATTERNS.get(letter, letter) for letter in name)


def caller_named(name: str) -> Actor | None:
    """The actor for the name that an outside caller gives itself; None if it may not use it."""
    slug = name.strip().lower()
    is_sound = len(slug.replace("-", "")) > 0 and len(slug) <= LONGEST_NAME
    if not is_sound or not _LETTERS.issuperset(slug) or is_reserved(slug):
        return None
    return actor_named(slug)


def is_named(actor: Actor) -> bool:
    """Whether a caller named itself. A terminal needs no name, and a runtime gives none."""
    return actor not in (OPERATOR, AGENT) and not is_ours(actor)


def is_ours(actor: Actor) -> bool:
    """Whether an actor is clawgit itself or one of its agents."""
    return actor.slug in _OURS


def is_known(name: str) -> bool:
    """Whether a name is that of one of our actors. With plain git an author can have any name."""
    return name.strip().lower().replace(" ", "-") in _KNOWN


def actor_named(slug: str) -> Actor:
    """The actor with this slug; an unknown one gets a name made of its slug."""
    return _KNOWN.get(slug) or _titled(slug)
