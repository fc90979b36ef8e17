"""Finds the Markdown of a workspace that no search covers, and the command that adds it."""

import json
import shlex
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from clawgit.domain.workspace.layout import is_foreign, is_instruction, is_markdown
from clawgit.ops.workspace.workspace_base import WorkspaceBase
from clawgit.stores.git.cgit import CGit
from clawgit.stores.index.sources import is_log, is_never, source_of

_MOST = 3
"""How many places are listed, and added by the command."""


class OutsidePlace(NamedTuple):
    """A folder or a file at the top of the workspace, with the Markdown files in it."""

    path: str
    files: int


class Outside(NamedTuple):
    """`places` are the largest ones; `next` is the command that adds them to the search, and `by`
    says who may run it.
    """

    files: int
    places: tuple[OutsidePlace, ...]
    next: str
    by: str = "the operator, at a terminal"


def outside(workspace: WorkspaceBase, searched: Iterable[str]) -> Outside | None:
    """What the search does not cover; None if it covers everything. No file is read."""
    root, known = workspace.root, set(searched)
    paths = CGit(root, workspace.caller.env).files(":(icase)*.md")
    # Git also lists what was committed and is no longer there.
    left = (path for path in paths if path not in known and (root / path).is_file())
    return outside_of(left, known, workspace.config.settings.extra_paths)


def outside_of(
    paths: Iterable[str], searched: Iterable[str], extra: tuple[str, ...] = ()
) -> Outside | None:
    """Those of these paths that are not searched.

    `extra` are the paths that the setting has already.
    """
    left = {path for path in paths if is_markdown(path) and _is_meant(path)} - set(searched)
    if not left:
        return None
    counts = Counter(path.partition("/")[0] for path in left)
    facts = {path.partition("/")[0] for path in left if not is_instruction(path)}
    # Guides for an agent come last: they are missed least.
    order = sorted(counts, key=lambda name: (name not in facts, -counts[name], name))
    chosen = order[:_MOST]
    places = tuple(OutsidePlace(_shown(name, left), counts[name]) for name in chosen)
    value = json.dumps([*extra, *chosen], ensure_ascii=False)
    return Outside(len(left), places, f"clawgit config set extra_paths {shlex.quote(value)}")


def _is_meant(path: str) -> bool:
    """Whether somebody may miss a file: not what steers this agent, such as BOOT.md."""
    if "/" not in path and is_instruction(path):
        return False
    return not (is_foreign(path) or is_never(path) or is_log(path) or source_of(path))


def _shown(name: str, paths: set[str]) -> str:
    return name if name in paths else f"{name}/"
