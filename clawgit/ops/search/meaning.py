"""The one door to vectors: numpy is an extra, so whoever only may need them comes here."""

from typing import TYPE_CHECKING

from clawgit.ops.search.vector_search import Nearest
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.embed.contract import Embedder

if TYPE_CHECKING:
    from clawgit.ops.search.text_vectors import Meaning


def meaning_of(workspace: Workspace, embedder: Embedder, owner: Nearest | None = None) -> "Meaning":
    """The vectors of a workspace by this embedder."""
    from clawgit.ops.search.text_vectors import Meaning  # noqa: PLC0415 - numpy, 60 ms, and an extra

    return Meaning(workspace, embedder, owner)
