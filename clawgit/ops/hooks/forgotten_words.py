"""The check of forgotten words at `git commit`: an agent is refused, everybody else is warned."""

import os
from collections.abc import Iterator, Mapping

from clawgit.ops.hooks.finding import FORGOTTEN, Asker, HookFinding
from clawgit.ops.workspace.kept_scope import common_folder
from clawgit.stores.git.forgetting import RECORD

_HINT = "Leave them out, or have the operator add them back at a terminal."


def has_forgotten(env: Mapping[str, str]) -> bool:
    """Whether anything was ever forgotten here."""
    return os.path.isfile(f"{common_folder(env)}/clawgit/{RECORD}")  # noqa: PTH113 - pathlib takes 5 ms to load


def forgotten_findings(asker: Asker, path: str, before: str, after: str) -> Iterator[HookFinding]:
    """Whether a file gets words that `clawgit forget` removed."""
    if asker.workspace().forgotten().is_back(before, after):
        message = "words that `clawgit forget` removed"
        yield HookFinding(path, 0, FORGOTTEN, message, _HINT, refused=asker.is_agent)
