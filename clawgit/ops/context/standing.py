"""The slots of a context that are the same for every message. `status` measures them."""

from collections.abc import Iterator

from clawgit.domain.context.context import Slot
from clawgit.domain.context.slots import corrections_slot, identity_slot, longterm_slot, user_slot
from clawgit.domain.corrections.corrections import CORRECTIONS
from clawgit.ops.context.files import Files, moment
from clawgit.ops.context.memory import MemoryFiles
from clawgit.ops.workspace.workspace import Workspace


def standing_slots(
    workspace: Workspace, memory: MemoryFiles | None = None, *, shared: bool = False
) -> Iterator[Slot]:
    """The slots that need no message. A `shared` session sees nothing of the notebook."""
    settings = workspace.config.settings
    memory = memory or MemoryFiles(Files(workspace), moment(workspace, ""))
    yield identity_slot(memory.of("SOUL.md"), memory.of("IDENTITY.md"), settings.identity_tokens)
    yield user_slot(memory.of("USER.md"), settings.user_profile_tokens)
    yield corrections_slot(
        memory.corrections(CORRECTIONS), memory.archived, settings.corrections_tokens
    )
    notebook = [] if shared else memory.of(memory.notebook)
    yield longterm_slot(notebook, settings, memory.today, settings.longterm_memory_tokens)
