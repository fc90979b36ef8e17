"""The slots of a context that are the same for every message. `status` measures them."""

from collections.abc import Iterator, Sequence

from clawgit.domain.change.authority import IDENTITY, SOUL
from clawgit.domain.context.correction_slot import corrections_slot
from clawgit.domain.context.passage import ContextPassage
from clawgit.domain.context.slot import Slot
from clawgit.domain.context.slots import identity_slot, longterm_slot, user_slot
from clawgit.domain.corrections.corrections import CORRECTIONS
from clawgit.domain.markdown.tags import visible
from clawgit.domain.model.tokens import estimate_tokens
from clawgit.errors import ClawgitError
from clawgit.ops.context.files import Files
from clawgit.ops.context.memory import MemoryFiles
from clawgit.ops.context.moments import moment
from clawgit.ops.soul.history import origins, protection, soul_history
from clawgit.ops.workspace.workspace import Workspace


def standing_slots(
    workspace: Workspace, memory: MemoryFiles | None = None, *, shared: bool = False
) -> Iterator[Slot]:
    """The slots that need no message. A `shared` session sees nothing of the notebook."""
    settings = workspace.config.settings
    memory = memory or MemoryFiles(Files(workspace), moment(workspace, ""))
    soul = memory.of(SOUL)
    most = settings.identity_tokens
    protected = protected_texts(workspace, soul, most, memory.commit)
    yield identity_slot(soul, memory.of(IDENTITY), most, protected)
    yield user_slot(memory.of("USER.md"), settings.user_profile_tokens)
    yield corrections_slot(
        memory.corrections(CORRECTIONS), memory.archived, settings.corrections_tokens
    )
    notebook = [] if shared else memory.of(memory.notebook)
    yield longterm_slot(notebook, settings, memory.today, settings.longterm_memory_tokens)


def protected_texts(
    workspace: Workspace, soul: Sequence[ContextPassage], budget: int, commit: str = ""
) -> frozenset[str]:
    """Their texts, as a reader sees them. Empty, without a search, if the whole soul has room."""
    if sum(estimate_tokens(passage.text) for passage in soul) <= budget:
        return frozenset()
    try:
        with soul_history(workspace) as history:
            version = history.version_at(commit) if commit else history.current
            lines = [
                visible(origin.text).strip()
                for origin in origins(history, version)
                if protection(history, origin)
            ]
    except ClawgitError:
        # A context must not fail if the history cannot be read; then nothing is protected.
        return frozenset()
    return frozenset(filter(None, lines))
