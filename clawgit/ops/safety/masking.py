"""Covers what clawgit shows, and what chats bring: secrets are masked, forgotten words are cut, and
planted text is withheld from programs. Secrets that the operator allows, and planted text that the
operator has seen, are left.
"""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from clawgit.domain.change.actors import OPERATOR
from clawgit.domain.safety.masks import Mask, is_judged
from clawgit.domain.safety.secrets import masked, places
from clawgit.errors import ClawgitError
from clawgit.ops.safety.secrets_allowed import allowed

if TYPE_CHECKING:
    from clawgit.domain.safety.planted import IsSeen
    from clawgit.ops.workspace.workspace_base import WorkspaceBase


def mask_of(workspace: "WorkspaceBase") -> Mask:
    """The function that masks a text. `secrets_allow` is read only if the text has a secret."""
    known = cache(workspace.forgotten)

    def mask(text: str) -> str:
        text = known().without(text)
        found = frozenset(place.fingerprint for place in places(text))
        return masked(text, _allowed(workspace, found)) if found else text

    return mask


def cover(text: str) -> str:
    """A text without anything that looks like a secret or planted, whatever the operator allows."""
    return masked(_without(text, lambda _: False))


def cover_of(workspace: "WorkspaceBase") -> Mask:
    """The function that covers a text which a program or a model reads.

    The trust store is read only if the text has a block that would be withheld.
    """
    mask, is_seen = mask_of(workspace), _is_seen(workspace)
    # In this order: text that the operator has seen is recognised by its exact words, secrets
    # included.
    return lambda text: mask(_without(text, is_seen))


def lines_for_caller(workspace: "WorkspaceBase", text: str) -> str:
    """Covers a text of which the caller gets some lines: blocks are judged before the text is
    cut.
    """
    if workspace.caller.actor == OPERATOR:
        return text
    from clawgit.domain.safety.planted import line_by_line  # noqa: PLC0415 - see `_without`

    return line_by_line(text, _is_seen(workspace))


def cover_for_caller(workspace: "WorkspaceBase") -> Mask:
    """The same for an answer to the caller: the operator at a terminal sees planted text too."""
    if workspace.caller.actor == OPERATOR:
        return mask_of(workspace)
    return cover_of(workspace)


def is_planted(workspace: "WorkspaceBase") -> Callable[[str], bool]:
    """Whether a text has a block that is withheld from programs."""
    is_seen = _is_seen(workspace)
    return lambda text: _without(text, is_seen) != text


def _without(text: str, is_seen: "IsSeen") -> str:
    if not is_judged(text):
        return text
    # Loaded here: commands of the operator, and those without text, need no judge.
    from clawgit.domain.safety.planted import without  # noqa: PLC0415 - the judge, 10 ms

    return without(text, is_seen)


def _is_seen(workspace: "WorkspaceBase") -> "IsSeen":
    seen = cache(workspace.seen_texts)
    return lambda block: seen().covers(block)


def _allowed(workspace: "WorkspaceBase", fingerprints: frozenset[str]) -> frozenset[str]:
    """The allowed ones. If the settings cannot be read, nothing is allowed."""
    try:
        return allowed(workspace, fingerprints)
    except ClawgitError:
        return frozenset()
