"""Which corrections count for nothing until the operator has looked at what was done to them."""

from collections.abc import Collection, Mapping

from clawgit.git.looked import PROVEN, keep_noted, noted_names
from clawgit.git.place import head_of
from clawgit.git.rules.ids import digest
from clawgit.safety.correction_files import logs
from clawgit.talk.rules.corrections import corrections
from clawgit.workspace.workspace_base import WorkspaceBase


def doubted(workspace: WorkspaceBase) -> Mapping[str, str]:
    """The ids of these corrections, each with what to do about it.

    Where nothing is in doubt, this is recorded, so that git is asked once for each state of the
    corrections.
    """
    files = logs(workspace)
    claims = {each.id for text in files.values() for each in corrections(text) if each.is_claim}
    head = head_of(workspace.place)
    if not claims or not head:
        return {}
    state = digest(repr(files))
    if noted_names(workspace.place, PROVEN) == [state]:
        return {}
    from clawgit.safety.committed_texts import doubts  # noqa: PLC0415 - the messages, 30 ms

    steps = doubts(workspace, head, files)
    found = {ident: step for ident, step in steps if ident in claims}
    if not found:
        keep_noted(workspace.place, PROVEN, state)
    return found


def doubt_note(doubted: Collection[str]) -> str:
    """What a reader is told, "" if nothing is in doubt."""
    if not doubted:
        return ""
    named = ", ".join(sorted(doubted))
    return f"corrections in doubt are left out: {named} (clawgit corrections list)"
