"""What guards a setting: the harm that a value could do, and which values are harmless."""

from collections.abc import Callable
from typing import NamedTuple

from clawgit.config.kinds import CustomPattern, Value

RUNS = "runs a program"
SENDS = "sends text out"
SPENDS = "spends"
DESTROYS = "destroys evidence"
WIDENS = "widens reach"
WEAKENS = "weakens a guard"

_POLICIES = ("evolve", "review", "locked")
"""From the freest to the strictest."""

_AS_GOOD_AS_MARKDOWN = ("/.gitignore", "/.clinerules")
"""Other files in the scope of a layout: one that clawgit created, and rules in plain text."""


def unless(*harmless: Value) -> Callable[[Value, Value], bool]:
    """Every value allows more, except the harmless ones."""
    return lambda _before, after: after not in harmless


is_on = unless("", (), False)


class Guard(NamedTuple):
    """Why only the operator may change a setting. `does` completes “if accepted, it …”.

    `weaker(before, after)`: whether `after` allows more than `before`, which is the accepted value
    or the default. `ordered`: anybody may set a stricter value. `each`: each item of the list is
    judged alone. `program`: a value, or an item, may name a file that is run. `inside`: a path
    inside the workspace is harmless. `free(item)`: whether an item is always harmless.
    """

    harms: tuple[str, ...]
    does: str
    weaker: Callable[[Value, Value], bool] = is_on
    ordered: bool = False
    each: bool = False
    program: bool = False
    inside: bool = False
    free: Callable[[object], bool] | None = None


def differs(before: Value, after: Value) -> bool:
    return before != after


def more(before: Value, after: Value) -> bool:
    return _number(after) > _number(before)


def less(before: Value, after: Value) -> bool:
    return _number(after) < _number(before)


def sooner(before: Value, after: Value) -> bool:
    """Days until something is deleted; 0 keeps it for ever."""
    return (_number(after) or float("inf")) < (_number(before) or float("inf"))


def turned_off(before: Value, after: Value) -> bool:
    return bool(before) and not after


def looser(before: Value, after: Value) -> bool:
    return _POLICIES.index(str(after)) < _POLICIES.index(str(before))


def rarer(before: Value, after: Value) -> bool:
    """A job that is switched off, or that runs weekly instead of daily."""
    return _frequency(str(after)) < _frequency(str(before))


def beyond_markdown(before: Value, after: Value) -> bool:
    """Before a scope was accepted, one with only Markdown allows no more than the default.

    After that, every other scope needs the operator: files outside of a narrower one would lose
    their guard.
    """
    if before:
        return before != after
    patterns = after if isinstance(after, tuple) else ()
    return not all(_is_markdown_only(str(pattern)) for pattern in patterns)


def other_layout(before: Value, after: Value) -> bool:
    """Each layout means Markdown alone, so only one that was accepted must stay."""
    return before not in ("openclaw", after)


def calls_no_script(value: object) -> bool:
    """A route with a slash is a script. Any other names a queue or an agent."""
    return isinstance(value, CustomPattern) and "/" not in value.route


def _is_markdown_only(pattern: str) -> bool:
    is_narrower = pattern.startswith("!")
    return is_narrower or pattern.lower().endswith(".md") or pattern in _AS_GOOD_AS_MARKDOWN


def _frequency(when: str) -> int:
    if when == "off":
        return 0
    return 1 if " " in when else 7


def _number(value: Value) -> float:
    return float(value) if isinstance(value, (int, float)) else 0.0
