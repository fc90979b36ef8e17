"""What a commit is checked for: each staged file (`staged`), the soul and the settings (`soul`)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from clawgit.core import NamedTuple

SOUL = "soul"
SECRET = "secret"  # noqa: S105 - a kind, not a secret
CONFIG_RULE = "config"
CORRECTIONS_RULE = "corrections"
ENTRIES = "entries"

CORRECTIONS = "CORRECTIONS.md"


class Asker(NamedTuple):
    """Who commits, and the workspace, which is opened only if a check needs it.

    `gone` returns the texts of the files that the commit deletes. A caller who is not the operator
    is certainly an agent only if it gives an actor's name. No type here is a text: Python would
    compile it, and set its compiler up for that, 1 ms of each commit.
    """

    operator: bool
    env: Mapping[str, str]
    workspace: Callable[[], Any]
    gone: Callable[[], Sequence[str]]

    @property
    def is_agent(self) -> bool:
        return bool(self.env.get("CLAWGIT_ACTOR"))
