"""One thing that is wrong, as every door tells it: the hooks, `doctor`, the alerts."""

from collections.abc import Callable

from clawgit.core import NamedTuple


class Mend(NamedTuple):
    """A repair that is safe without asking. `do` returns an `Outcome` if it makes a commit."""

    what: str
    do: Callable[[], object]


class Finding(NamedTuple):
    """`path` is "" for the workspace, `line` 0 for the whole file. What is not `refused` is a
    warning. `kind` is the rule's name, filled in by who asks it.
    """

    why: str
    remedy: str
    path: str = ""
    line: int = 0
    refused: bool = True
    mend: Mend | None = None
    kind: str = ""

    @property
    def text(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.why}" if place else self.why
