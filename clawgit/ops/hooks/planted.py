"""The check of planted text at `git commit`: an agent is refused, everybody else is warned. Other
comments, which a rendered page does not show, are only named.
"""

from collections.abc import Iterator

from clawgit.domain.safety.injection import foreign_comments
from clawgit.domain.safety.planted import PlantedBlock, planted
from clawgit.ops.hooks.finding import COMMENT, PLANTED, Asker, HookFinding

_PROPOSE = "Write it with `clawgit memory add`: then it waits for the operator instead."
_LOOK = "Until the operator has seen it with `clawgit trust`, agents do not see it."
_READ = "Look into the file: programs that read it see such comments too."


def planted_findings(asker: Asker, path: str, before: str, after: str) -> Iterator[HookFinding]:
    """Findings for planted blocks that a file gets and that the operator has not seen.

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


def comment_findings(path: str, before: str, after: str) -> Iterator[HookFinding]:
    """One warning for all the comments that a file gets, without those that look planted."""
    found = foreign_comments(before, after)
    if not found:
        return
    blocks = planted(after, before)
    lines = [
        comment.line
        for comment in found
        if not any(block.line <= comment.line <= block.last_line for block in blocks)
    ]
    if lines:
        yield HookFinding(path, lines[0], COMMENT, named(len(lines)), _READ, refused=False)


def named(count: int) -> str:
    """What is said of so many comments in one file."""
    if count == 1:
        return "a comment that a rendered page does not show"
    return f"{count:,} comments that a rendered page does not show"


def _finding(path: str, block: PlantedBlock, *, refused: bool) -> HookFinding:
    message = f"looks planted ({block.kind}): {block.reason}"
    hint = _PROPOSE if refused else _LOOK
    return HookFinding(path, block.line, PLANTED, message, hint, refused=refused)
