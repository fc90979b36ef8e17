"""Covers what clawgit shows, and what chats bring: secrets are masked, forgotten words are cut, and
planted text is withheld from programs. Secrets that the operator allows, and text that is the
operator's, are left.
"""

from collections.abc import Iterable
from functools import cache, partial
from types import ModuleType
from typing import TYPE_CHECKING

from clawgit.core.errors import ClawgitError
from clawgit.git.place import record_of
from clawgit.safety.rules.masks import Mask, is_judged
from clawgit.safety.rules.secrets import masked, places

if TYPE_CHECKING:
    from clawgit.safety.rules.planted import Provenance
    from clawgit.workspace.workspace_base import WorkspaceBase


def mask_of(workspace: "WorkspaceBase") -> Mask:
    """The function that masks a text. `secrets_allow` is read only if the text has a secret."""
    record, known = cache(partial(record_of, workspace.place)), cache(workspace.forgotten)

    def mask(text: str) -> str:
        text = known().without(text) if record() else text
        found = frozenset(place.fingerprint for place in places(text))
        return masked(text, _allowed(workspace, found)) if found else text

    return mask


def cover(text: str) -> str:
    """A text without anything that looks like a secret or planted, whatever the operator allows."""
    return masked(_without(text, lambda _: False))


def cover_of(workspace: "WorkspaceBase") -> Mask:
    """The function that covers a text which a program or a model reads. The trust store is read
    only if the text has a block that would be withheld.
    """
    return Coverage(workspace).covered


def lines_for_caller(workspace: "WorkspaceBase", text: str) -> str:
    """A text of which the caller gets some lines, before it is cut: the operator sees all of it."""
    return text if workspace.actor.is_operator else cover_of(workspace)(text)


def cover_for_caller(workspace: "WorkspaceBase") -> Mask:
    """The same for an answer to the caller: the operator at a terminal sees planted text too."""
    return Coverage(workspace).shown


class Coverage:
    """How texts of a workspace are covered. What this takes is read once, where a text needs it."""

    def __init__(self, workspace: "WorkspaceBase") -> None:
        own = cache(workspace.own_texts)
        self._is_for_operator = workspace.actor.is_operator
        self._mask = mask_of(workspace)
        self.is_own: Provenance = lambda block: own().covers(block)

    def covered(self, text: str) -> str:
        """The text as a program is shown it."""
        # In this order: the operator's text is recognised by its exact words, secrets included.
        return self._mask(_without(text, self.is_own))

    def shown(self, text: str) -> str:
        """The text as the caller is shown it."""
        return self._mask(text) if self._is_for_operator else self.covered(text)

    def is_planted(self, text: str) -> bool:
        """Whether a text has a block that is withheld from programs."""
        return is_judged(text) and bool(_judge().withheld(text, self.is_own))


def _without(text: str, is_let: "Provenance") -> str:
    if not is_judged(text):
        return text
    left: str = _judge().without(text, is_let)
    return left


def _judge() -> ModuleType:
    """Loaded where it is needed: commands of the operator, and those without text, need none."""
    from clawgit.safety.rules import planted  # noqa: PLC0415 - the judge, 10 ms

    return planted


def _allowed(workspace: "WorkspaceBase", fingerprints: frozenset[str]) -> frozenset[str]:
    """The allowed ones. If the settings cannot be read, nothing is allowed."""
    try:
        return allowed(workspace, fingerprints)
    except ClawgitError:
        return frozenset()


REMOTE = "remote:"
KEY = "secrets_allow"


class SecretsError(ClawgitError):
    """A secret would leave this machine, or somebody without authority would allow it."""

    kind = "secrets"


def allowed(workspace: "WorkspaceBase", wanted: Iterable[str]) -> frozenset[str]:
    """The fingerprints and remotes among `wanted` that the operator has allowed."""
    wanted = frozenset(wanted)
    return wanted.intersection(workspace.settings.secrets_allow) if wanted else frozenset()


def how_to_allow(entry: str) -> str:
    if entry.startswith(REMOTE):
        return f"clawgit secrets allow --remote {entry.removeprefix(REMOTE)}"
    return f"clawgit secrets allow {entry}"
