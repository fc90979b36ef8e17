"""What guards a setting: the harm that a value could do, and which values are harmless."""

from collections.abc import Callable
from typing import Any, NamedTuple

from clawgit.config.kinds import CustomPattern

RUNS = "runs a program"
SENDS = "sends text out"
SPENDS = "spends"
DESTROYS = "destroys evidence"
WIDENS = "widens reach"
WEAKENS = "weakens a guard"

LAYOUTS = ("openclaw", "memory-bank", "claude-code", "markdown", "code")
"""The kinds of workspace; the first is meant where none is named."""

_AS_GOOD_AS_MARKDOWN = ("/.gitignore", "/.clinerules")
"""Other files in the scope of a layout: one that clawgit created, and rules in plain text."""


class Guard(NamedTuple):
    """Why only the operator may change a setting. `does` completes “if accepted, it …”.

    Every value but the default is guarded, unless one of these says more. `rank`: how much a value
    allows; anybody may set a lower one. `weaker(before, after)`: whether `after` allows more than
    `before`, which is the accepted value or the default. `each`: each item of the list is judged
    alone. `program`: a value, or an item, may name a file that is run. `inside`: a path inside the
    workspace is harmless. `free(item)`: whether an item is always harmless.
    """

    harms: tuple[str, ...]
    does: str
    rank: Callable[[Any], float] | None = None
    weaker: Callable[[Any, Any], bool] | None = None
    each: bool = False
    program: bool = False
    inside: bool = False
    free: Callable[[object], bool] | None = None

    def allows_more(self, before: object, after: object, default: object) -> bool:
        if self.weaker:
            return self.weaker(before, after)
        if self.rank:
            return self.rank(after) > self.rank(before)
        return after != default


def freedom(policy: str) -> int:
    """What agents may do to the soul."""
    return ("locked", "review", "evolve").index(policy)


def how_often(when: str) -> int:
    """The runs of a job in a week."""
    if when == "off":
        return 0
    return 1 if " " in when else 7


def parted(scope: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The layout that a scope names, and its patterns."""
    if scope[:1] and scope[0] in LAYOUTS:
        return scope[0], scope[1:]
    return LAYOUTS[0], scope


def other_scope(before: tuple[str, ...], after: tuple[str, ...]) -> bool:
    """Each layout means Markdown alone, so only one that was accepted must stay.

    Before patterns were accepted, ones with only Markdown allow no more than the default. After
    that, all others need the operator: files outside of a narrower scope would lose their guard.
    """
    (layout, patterns), (other, wanted) = parted(before), parted(after)
    if layout not in (LAYOUTS[0], other):
        return True
    if patterns:
        return patterns != wanted
    return not all(map(_is_markdown_only, wanted))


def calls_no_script(value: object) -> bool:
    """A route with a slash is a script. Any other names a queue or an agent."""
    return isinstance(value, CustomPattern) and "/" not in value.route


def runs_here(value: object) -> bool:
    return value == "embedded"


def _is_markdown_only(pattern: str) -> bool:
    is_narrower = pattern.startswith("!")
    return is_narrower or pattern.lower().endswith(".md") or pattern in _AS_GOOD_AS_MARKDOWN
