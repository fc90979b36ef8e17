"""What a setting may be. A kind reads a written value, and says in words what it allows. A guard
says which harm a value could do, and which values are harmless.
"""

import re
import warnings
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

from clawgit.core import NamedTuple
from clawgit.core.doors import json, zoneinfo
from clawgit.core.errors import near


class CustomPattern(NamedTuple):
    """A trigger of the operator: `pattern` in `/…/i` notation; `route` is the recipient."""

    pattern: str
    route: str
    confidence: str = "medium"


Value: TypeAlias = bool | int | float | str | tuple[str, ...] | tuple[CustomPattern, ...]

Written: TypeAlias = "str | list[Written] | dict[str, Written]"
"""A value as it was written. Only its setting knows that `off` is a word and `12:30` a time."""


class Sourced(NamedTuple):
    """A JSON value from another program's config, and its place there."""

    value: object
    origin: str


class WrongValueError(ValueError):
    """A value that its kind does not allow. `expected` completes the sentence “it must be …”."""

    def __init__(self, expected: str, hint: str = "") -> None:
        super().__init__(expected)
        self.expected = expected
        self.hint = hint


class Kind(NamedTuple):
    """`allowed` completes “it must be …”. `element` reads the value, or each item of a list; what
    it cannot read is wrong.
    """

    allowed: str
    element: Callable[[Any], Any]
    many: bool = False

    def read(self, written: Written) -> Value:
        """Raises WrongValueError."""
        try:
            if not self.many:
                return self.element(_text(written))  # type: ignore[no-any-return]
            return tuple(map(self.element, _items(written)))
        except WrongValueError:
            raise
        except ValueError as error:
            raise WrongValueError(self.allowed) from error


def as_written(value: object) -> Written:
    """A value from JSON or another program's config, as if it had been written."""
    if isinstance(value, Mapping):
        return {str(name): as_written(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_written(item) for item in value]
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def plain(value: object) -> object:
    """The value as JSON."""
    if isinstance(value, CustomPattern):
        return value._asdict()
    return [plain(item) for item in value] if isinstance(value, tuple) else value


def shown(value: object) -> str:
    """The value on one line that is YAML, JSON and readable, and that reads back as the same
    value.
    """
    line = json.dumps(plain(value), ensure_ascii=False)
    return re.sub(
        "[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]",
        lambda match: f"\\u{ord(match[0]):04x}",
        line,
    )


def whole(low: int, high: int) -> Kind:
    return Kind(f"a whole number from {low} to {high}", partial(_bounded, int, low, high))


def number(low: float, high: float) -> Kind:
    return Kind(f"a number from {low:g} to {high:g}", partial(_bounded, float, low, high))


def choice(*names: str) -> Kind:
    allowed = f"one of {', '.join(names)}"

    def read(text: str) -> str:
        if text not in names:
            raise WrongValueError(allowed, near(text, names))
        return text

    return Kind(allowed, read)


def text(allowed: str = "text", pattern: str = r"[^\0]*") -> Kind:
    """A text that `pattern` matches whole; `allowed` must say what that means."""
    return Kind(allowed, partial(_matched, pattern))


def texts(allowed: str = "a list of texts", pattern: str = r"[^\0]+") -> Kind:
    """A list of texts; one text alone is a list of one."""
    return Kind(allowed, partial(_matched, pattern), many=True)


def _text(written: Written) -> str:
    if not isinstance(written, str):
        raise ValueError("a list")  # noqa: TRY004 - a wrong value, like all others
    return written.strip()


def _items(written: Written) -> list[Written]:
    if isinstance(written, list):
        return written
    # An empty text is an empty list, and not a list of one empty text.
    return [written] if _text(written) else []


def _bounded(read: Callable[[str], float], low: float, high: float, text: str) -> float:
    value = read(text)
    if not low <= value <= high:
        raise ValueError("too low or too high")
    return value


def _matched(pattern: str, written: Written) -> str:
    found = re.fullmatch(pattern, _text(written))
    if found is None:
        raise ValueError("other text")
    return found[0]


def _switch(text: str) -> bool:
    if text.lower() not in _WORDS:
        raise ValueError("no word for it")
    return _WORDS[text.lower()]


_WORDS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}

SWITCH = Kind("true or false", _switch)

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def _when(text: str) -> str:
    if text.lower() == "off":
        return "off"
    match = re.fullmatch(r"(?:([A-Za-z]+) +)?([01]?[0-9]|2[0-3]):([0-5][0-9])", text)
    day = match[1].title() if match and match[1] else ""
    if match is None or day not in ("", *WEEKDAYS):
        raise WrongValueError(WHEN.allowed, near(text.partition(" ")[0], WEEKDAYS))
    # Without a day the text begins with a blank.
    return f"{day} {int(match[2]):02}:{match[3]}".lstrip()


WHEN = Kind('a time such as "02:30" or "Sunday 03:00", or "off"', _when)


def _zone(name: str) -> str:
    try:
        return zoneinfo.ZoneInfo(name).key if name else ""
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError) as error:
        zones = sorted(zoneinfo.available_timezones())
        missing = "This system has no time zone data: install the package tzdata."
        raise WrongValueError(ZONE.allowed, near(name, zones) if zones else missing) from error


ZONE = Kind('empty, or a time zone such as "Europe/Berlin"', _zone)


def _custom(written: Written) -> CustomPattern:
    if not isinstance(written, dict) or not written.keys() <= {*CustomPattern._fields}:
        raise ValueError("other fields")
    fields = {name: _text(value) for name, value in written.items()}
    custom = CustomPattern(**{"pattern": "", "route": "", **fields})
    match = re.fullmatch("/(.+)/[imsu]*", custom.pattern, re.DOTALL)
    if not match or not custom.route or custom.confidence not in ("high", "medium"):
        raise ValueError("a wrong field")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(match[1])
    except (re.error, OverflowError, RecursionError) as error:
        raise WrongValueError(f"a list of patterns that compile ({error})") from error
    return custom


PATTERNS = Kind(
    "a list of {pattern: /…/i, route: …, confidence: high or medium}", _custom, many=True
)


# What guards a setting

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
