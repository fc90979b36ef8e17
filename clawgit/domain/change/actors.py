"""Who can make a change. A commit's author is its actor; the committer stays the git user."""

from typing import NamedTuple

SNAPSHOT = "snapshot"
"""The verb of a commit that only records what something else has written."""


class Actor(NamedTuple):
    """`slug` goes into `Clawgit-Op`, `name` into the author line."""

    slug: str
    name: str

    @property
    def email(self) -> str:
        return f"{self.slug}@clawgit.invalid"


OPERATOR = Actor("operator", "Operator")
AGENT = Actor("agent", "Agent")
HUMAN = Actor("human", "Human")
UNKNOWN = Actor("unknown", "Unknown")
CLAWGIT = Actor("clawgit", "clawgit")
OPENCLAW_FLUSH = Actor("openclaw-flush", "OpenClaw Memory Flush")
OPENCLAW_DREAMING = Actor("openclaw-dreaming", "OpenClaw Dreaming")
OPENCLAW_SESSION = Actor("openclaw-session", "OpenClaw Session Memory")


_KNOWN = {
    actor.slug: actor
    for actor in (
        OPERATOR, AGENT, HUMAN, UNKNOWN, CLAWGIT, OPENCLAW_FLUSH, OPENCLAW_DREAMING,
            OPENCLAW_SESSION,
        Actor("memory-miner", "Memory Miner"),
        Actor("soul-keeper", "Soul Keeper"),
        Actor("recall-validator", "Recall Validator"),
        Actor("conflict-detector", "Conflict Detector"),
        Actor("memory-compactor", "Memory Compactor"),
        Actor("vector-hygiene", "Vector Hygiene"),
        Actor("organizer", "Organizer"),
        Actor("decay-engine", "Decay Engine"),
        Actor("lesson-extractor", "Lesson Extractor"),
    )
}  # fmt: skip


def is_known(name: str) -> bool:
    """Whether a name is that of one of our actors. With plain git an author can have any name."""
    return name.strip().lower().replace(" ", "-") in _KNOWN


def actor_named(slug: str) -> Actor:
    """The actor with this slug; an unknown one gets a name made of its slug."""
    return _KNOWN.get(slug) or Actor(slug, slug.replace("-", " ").title())
