"""After vector hygiene: index, vector file and Chroma drop what is no longer compared."""

from clawgit.errors import ClawgitError, counted
from clawgit.ops.agents.agents import Ended, Followed
from clawgit.ops.search.embedder_choice import choose
from clawgit.ops.search.indexing import opened
from clawgit.ops.search.memory_index import fill_chroma
from clawgit.ops.search.old_values import old_values
from clawgit.ops.search.text_vectors import Meaning
from clawgit.ops.search.vector_search import with_hint
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.index.sources import SOURCES


def sweep(workspace: Workspace, ended: Ended) -> Followed:
    """Removes only derived data that a new index would not have either. Texts stay."""
    workspace = Workspace(workspace.place, workspace.caller._replace(now=ended.clock()))
    chosen = choose(workspace)
    texts = vectors = 0
    trouble = chosen.reason
    with opened(workspace, frozenset(SOURCES)) as live:
        live.refresh()
        texts = live.shrink()
        if chosen.embedder:
            meaning = Meaning(workspace, chosen.embedder)
            try:
                vectors = meaning.shrink(live, (old.key for old in old_values(workspace)))
                fill_chroma(workspace, live, meaning)
            except ClawgitError as error:
                trouble = with_hint(error)
    counts = [
        counted(count, name) for count, name in ((texts, "old text"), (vectors, "vector")) if count
    ]
    went = f"The index removed {' and '.join(counts)}." if counts else ""
    return Followed(notes=tuple(filter(None, (went, trouble))))
