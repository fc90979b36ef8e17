"""The embedder by which a search compares meanings."""

from typing import NamedTuple

from clawgit.errors import ClawgitError
from clawgit.ops.search.vector_search import is_wanted, with_hint
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.embed import EmbedderOptions, EmbedLimits, open_embedder
from clawgit.stores.embed.contract import Embedder

_ANSWER_SECONDS = 3.0
_ANSWER_PATIENCE = 2.0
"""How long a service may take for one request of a search, and for how long it is retried."""


class VectorChoice(NamedTuple):
    """`embedder` is None if only words are searched; `reason` says why, if more was set."""

    embedder: Embedder | None = None
    reason: str = ""


def choose(workspace: Workspace, *, hurried: bool = False) -> VectorChoice:
    """The embedder of the settings, if it can be opened; `hurried` if somebody waits for it."""
    if not is_wanted(workspace):
        return VectorChoice()
    try:
        return VectorChoice(opened(workspace, hurried=hurried))
    except ClawgitError as error:
        return VectorChoice(reason=with_hint(error))


def opened(workspace: Workspace, *, hurried: bool = False) -> Embedder:
    """The embedder of the settings. Raises ClawgitError if it cannot be used."""
    named = workspace.config.settings.embedding
    limits = EmbedLimits(_ANSWER_SECONDS, _ANSWER_PATIENCE) if hurried else EmbedLimits()
    wanted = EmbedderOptions(workspace.caller.env, named.model, named.url, limits)
    return open_embedder(named.provider, wanted)
