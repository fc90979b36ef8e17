"""The check of planted text at `git commit`: an agent is refused, everybody else is warned."""

from collections.abc import Iterator

from clawgit.domain.safety.planted import PlantedBlock, planted
from clawgit.ops.hooks.finding import PLANTED, Asker, HookFinding

_PROPOSE = "Write it with `clawgit memory add`: then it waits for the operator instead."
_LOOK = "Until the operator has seen it with `clawgit trust`, agents do not see it."


def planted_findings(asker: Asker, path: str, before: str, after: str) -> Iterator[HookFinding]:
    """The planted blocks that a file gets and that the operator has not seen.

    A caller without a terminal that names no actor may be an editor, so it is only warned.
    """
    blocks = planted(after, before)
    if not blocks:
        return
    seen = asker.workspace().seen_texts()
    moved = {block.digest for text in (before, *asker.gone()) for block in planted(text)}
    for block in blocks:
        if block.digest not in moved and not seen.has(block):
            yield _finding(path, block, refused=asker.is_agent)


def _finding(path: str, block: PlantedBlock, *, refused: bool) -> HookFinding:
    message = f"looks planted ({block.kind}): {block.reason}"
    hint = _PROPOSE if refused else _LOOK
    return HookFinding(path, block.line, PLANTED, message, hint, refused=refused)
