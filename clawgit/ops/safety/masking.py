"""Covers what clawgit shows, and what chats bring: secrets are masked, forgotten words are cut, and
planted text is withheld from programs. Secrets that the operator allows, and text that is the
operator's, are left.
"""

from collections.abc import Callable, Collection
from contextlib import suppress
from copy import copy
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING

from clawgit.domain.change.actors import OPERATOR
from clawgit.domain.markdown.decoding import text_of
from clawgit.domain.safety.masks import Mask, is_judged, named_paths
from clawgit.domain.safety.secrets import masked, places
from clawgit.errors import ClawgitError
from clawgit.stores.plainfile import part_at

if TYPE_CHECKING:
    from clawgit.domain.safety.planted import PlantedBlock, Provenance
    from clawgit.ops.workspace.workspace_base import WorkspaceBase
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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


def cover_of(workspace: "WorkspaceBase", answer: object = None) -> Mask:
    """The function that covers a text which a program or a model reads.

    A part of an `answer` that stands in a file which the answer names is judged as it stands there:
    else it might be withheld where the file is not, and nobody could release it. The trust store,
    and a file, are read only if the text has a block that would be withheld.
    """
    return Coverage(workspace, cache(lambda: _whole_files(workspace, answer))).covered


def lines_for_caller(workspace: "WorkspaceBase", text: str) -> str:
    """Covers a text of which the caller gets some lines, before it is cut."""
    if workspace.caller.actor == OPERATOR:
        return text
    covered: str = _judge().line_by_line(text, Coverage(workspace).is_own)
    return covered


def cover_for_caller(workspace: "WorkspaceBase", answer: object = None) -> Mask:
    """The same for an answer to the caller: the operator at a terminal sees planted text too."""
    if workspace.caller.actor == OPERATOR:
        return mask_of(workspace)
    return cover_of(workspace, answer)


_Wholes = Callable[[], Collection[str]]
"""The whole files that a text may come from."""


class Coverage:
    """How texts of a workspace, or of these whole files of it, are covered. What this takes is read
    once, where a text needs it.
    """

    def __init__(self, workspace: "WorkspaceBase", files: _Wholes = tuple) -> None:
        own = cache(workspace.own_texts)
        self._is_for_operator = workspace.caller.actor == OPERATOR
        self._mask = mask_of(workspace)
        self._files = files
        self.is_own: Provenance = lambda block: own().covers(block)

    def of(self, whole: Callable[[], str]) -> "Coverage":
        """The same for parts of a whole file."""
        made = copy(self)
        made._files = lambda: (whole(),)  # noqa: SLF001 - our own copy
        return made

    def covered(self, text: str) -> str:
        """The text as a program is shown it."""
        # In this order: the operator's text is recognised by its exact words, secrets included.
        return self._mask(_without(text, self._is_let))

    def shown(self, text: str) -> str:
        """The text as the caller is shown it."""
        return self._mask(text) if self._is_for_operator else self.covered(text)

    def is_planted(self, text: str) -> bool:
        """Whether a text has a block that is withheld from programs."""
        return is_judged(text) and bool(_judge().withheld(text, self._is_let))

    def _is_let(self, block: "PlantedBlock") -> bool:
        """Whether a block is the operator's, or looks planted only without the file that it stands
        in.
        """
        if self.is_own(block):
            return True
        judge, own, mask = _judge(), self.is_own, self._mask
        verdicts = {judge.is_shown_in(block, text, own, mask) for text in self._files()}
        # One file that holds it is enough: a harmless file may quote what another one plants.
        return True in verdicts and False not in verdicts


def _without(text: str, is_let: "Provenance") -> str:
    if not is_judged(text):
        return text
    left: str = _judge().without(text, is_let)
    return left


def _judge() -> ModuleType:
    """Loaded where it is needed: commands of the operator, and those without text, need none."""
    from clawgit.domain.safety import planted  # noqa: PLC0415 - the judge, 10 ms

    return planted


def _whole_files(workspace: "WorkspaceBase", answer: object) -> Collection[str]:
    texts = []
    for path in named_paths(answer):
        # What an outside system names as its source may be no name of a file.
        with suppress(ValueError):
            texts.append(text_of(part_at(workspace.root / path)))
    return texts


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
    return wanted.intersection(workspace.config.settings.secrets_allow) if wanted else frozenset()


def how_to_allow(entry: str) -> str:
    if entry.startswith(REMOTE):
        return f"clawgit secrets allow --remote {entry.removeprefix(REMOTE)}"
    return f"clawgit secrets allow {entry}"
