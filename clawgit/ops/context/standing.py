"""The slots of a context that are the same for every message. `status` measures them."""

from collections.abc import Iterator

from clawgit.domain.change.authority import IDENTITY, SOUL
from clawgit.domain.context.correction_slot import corrections_slot
from clawgit.domain.context.slot import Slot
from clawgit.domain.context.slots import identity_slot, longterm_slot, user_slot
from clawgit.domain.corrections.corrections import CORRECTIONS
from clawgit.ops.context.files import Files
from clawgit.ops.context.memory import MemoryFiles
from clawgit.ops.context.moments import moment
from clawgit.ops.context.protected import protected_texts
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
