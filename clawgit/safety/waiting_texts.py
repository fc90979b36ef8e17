"""The planted text of a workspace that waits for the operator, and the operator's answer."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from math import inf

from clawgit.core.errors import PathRefusedError, StorageError
from clawgit.core.markdown.decoding import text_of
from clawgit.git.looked import WITHHELD, keep_noted
from clawgit.git.worktree import read_file
from clawgit.safety.committed_texts import settle_commits
from clawgit.safety.operator import confirm
from clawgit.safety.own_texts import keep_adopted, keep_as_own
from clawgit.safety.rules.planted import PlantedBlock, is_served, planted
from clawgit.safety.trust_store import AT_A_TERMINAL, TEXT
from clawgit.workspace.workspace import Workspace

_MOST_ADOPTED = 2_000_000
"""How many characters `init` judges, so that it does not take minutes; the rest is judged when
shown."""


def waiting_texts(workspace: Workspace) -> tuple[PlantedBlock, ...]:
    """The planted blocks of the files as they are on disk that are withheld.

    A text that is in several places is listed once.
    """
    return tuple(_recorded(workspace, inf)[0])


def keep_texts(workspace: Workspace, texts: Sequence[PlantedBlock]) -> None:
    """Records texts as seen by the operator; if there is an operator key, it must confirm that."""
    if not texts:
        return
    confirm(workspace.caller, f"have seen {', '.join(text.key for text in texts)}")
    keep_as_own(workspace, texts, AT_A_TERMINAL)
    settle_commits(workspace)


def adopted_texts(workspace: Workspace) -> tuple[tuple[PlantedBlock, ...], tuple[str, ...]]:
    """What looks planted in an adopted folder; and whether files were left unread.

    All that stands there is the operator's from now on if he adopts it; else it waits for him.
    """
    texts, unread = _recorded(workspace, _MOST_ADOPTED)
    head = workspace.git.tip
    if workspace.actor.is_operator and head:
        keep_adopted(workspace, head)
        # What holds a secret stays out of the commit, and is his as well.
        left_out = (text for text in texts if workspace.git.read(head, text.path) is None)
        keep_as_own(workspace, left_out, AT_A_TERMINAL)
        keep_noted(workspace.place, WITHHELD, "")
    left = f"not looked at for text that looks planted: {unread} of the files"
    return tuple(texts), (left,) if unread else ()


def _recorded(workspace: Workspace, most: float) -> tuple[Iterable[PlantedBlock], int]:
    """What waits in the first so many characters, and how many files were left unread.

    It is recorded for `status`, which reads no files.
    """
    own, covers = workspace.own_texts(), workspace.scope.covers
    paths = [path for path in workspace.cgit.files() if is_served(path) and covers(path)]
    found: dict[str, PlantedBlock] = {}
    unread = len(paths)
    # Those at the top come first, since every session gets them.
    for path in sorted(paths, key=lambda path: (path.count("/"), path)):
        text = _text(workspace, path)
        most -= len(text)
        if most < 0:
            break
        waiting = (block for block in planted(text, path=path) if not own.covers(block))
        found |= {block.key: block for block in waiting}
        unread -= 1
    names = (key.removeprefix(f"{TEXT}:") for key in found)
    # A read-only disk must not hide the texts.
    with suppress(OSError):
        keep_noted(workspace.place, WITHHELD, " ".join(names))
    return found.values(), unread


def _text(workspace: Workspace, path: str) -> str:
    try:
        data = read_file(workspace.root, path).data or b""
    except (PathRefusedError, StorageError):
        return ""
    return text_of(data)
