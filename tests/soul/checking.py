"""Whether CHANGELOG.md says what history says."""

import re
from dataclasses import dataclass

from clawgit.core.markdown.decoding import exact_text
from clawgit.git.place import is_shallow
from clawgit.safety.own_files import changelog_file
from clawgit.soul.changelog import changelog
from clawgit.soul.rules.changelog import between_markers, render_markdown
from clawgit.workspace.workspace import Workspace

SAME, STALE, UNKNOWN = "same", "stale", "unknown"


@dataclass(frozen=True, slots=True)
class Checked:
    """`waiting` counts the changes that are not in the file yet."""

    state: str
    waiting: int = 0


def check(workspace: Workspace) -> Checked:
    """Whether each entry of CHANGELOG.md in HEAD is what history says."""
    if is_shallow(workspace.place):
        return Checked(UNKNOWN)
    data = workspace.git.read(workspace.git.head().oid, changelog_file(workspace))
    told = _entries(between_markers(exact_text(data)) or "")
    known = _entries(render_markdown(changelog(workspace)))
    state = SAME if [entry for entry in known if entry in told] == told else STALE
    return Checked(state, max(len(known) - len(told), 0))


def _entries(body: str) -> list[str]:
    return [
        *filter(
            None, (entry.strip("\n") for entry in re.split(r"^(?=### )", body, flags=re.MULTILINE))
        )
    ]
