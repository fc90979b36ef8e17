"""The kinds of settings. Each reads a written value, and says in words what it allows."""

import json
import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from clawgit.config.nearest import near
from clawgit.doors import zoneinfo
from clawgit.language.calendar import weekday_names


@dataclass(frozen=True, slots=True)
class YamlNode:
    """A value as it was written: a scalar's text, a list's items or a mapping's pairs. `line` is 0
    outside a file. Two are equal if they say the same, wherever they stand.

    Scalars stay text, because YAML's own guesses (`off` is False, `12:30` is 750) are wrong for
    half of our keys.
    """

    text: str = ""
    items: tuple["YamlNode", ...] | None = None
    pairs: tuple[tuple["YamlNode", "YamlNode"], ...] | None = None
    line: int = field(default=0, compare=False)
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)

    @property
    def is_scalar(self) -> bool:
        return self.items is None and self.pairs is None


def node_of(value: object) -> YamlNode:
    """A value from JSON or another program's config, as if it had been written."""
    if isinstance(value, Mapping):
        return YamlNode(
            pairs=tuple((YamlNode(str(key)), node_of(item)) for key, item in value.items())
        )
    if isinstance(value, (list, tuple)):
        return YamlNode(items=tuple(node_of(item) for item in value))
    if isinstance(value, bool):
        return YamlNode("true" if value else "false")
    return YamlNode("" if value is None else str(value))


class CustomPattern(NamedTuple):
    """A trigger of the operator: `pattern` in `/…/i` notation; `route` is the recipient."""

    pattern: str
    route: str
    confidence: str = "medium"


Value: TypeAlias = bool | int | float | str | tuple[str, ...] | tuple[CustomPattern, ...]


class WrongValueError(ValueError):
    """A value that its kind does not allow. `expected` completes the sentence “it must be …”."""

    def __init__(self, expected: str, node: YamlNode, hint: str = "") -> None:
        super().__init__(expected)
        self.expected = expected
        self.node = node
        self.hint = hint


class Kind(NamedTuple):
    """`allowed` completes “it must be …”, in errors and in the reference; `read` raises
    WrongValueError.
    """

    allowed: str
    read: Callable[[YamlNode], Value]
    many: bool = False


def whole(low: int, high: int) -> Kind:
    allowed = f"a whole number from {low} to {high}"

    def read(node: YamlNode) -> int:
        if not node.is_scalar or not re.fullmatch(r"[+-]?[0-9]{1,15}", node.text):
            raise WrongValueError(allowed, node)
        if not low <= int(node.text) <= high:
            raise WrongValueError(allowed, node)
        return int(node.text)

    return Kind(allowed, read)


def number(low: float, high: float) -> Kind:
    allowed = f"a number from {low:g} to {high:g}"

    def read(node: YamlNode) -> float:
        if not node.is_scalar or not re.fullmatch(
            r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?", node.text, re.ASCII | re.IGNORECASE
        ):
            raise WrongValueError(allowed, node)
        if not low <= float(node.text) <= high:
            raise WrongValueError(allowed, node)
        return float(node.text)

    return Kind(allowed, read)


def choice(*names: str) -> Kind:
    allowed = f"one of {', '.join(names)}" if len(names) > 1 else names[0]

    def read(node: YamlNode) -> str:
        if not node.is_scalar or node.text not in names:
            raise WrongValueError(allowed, node, near(node.text, names))
        return node.text

    return Kind(allowed, read)


def text(allowed: str = "text", pattern: str = r"[^\0]*") -> Kind:
    """One line or more of text that `pattern` matches whole; `allowed` must say what that means."""

    def read(node: YamlNode) -> str:
        if not node.is_scalar or not re.fullmatch(pattern, node.text.strip()):
            raise WrongValueError(allowed, node)
        return node.text.strip()

    return Kind(allowed, read)


def texts(allowed: str = "a list of texts", pattern: str = r"[^\0]+") -> Kind:
    """A list of texts; one text alone is a list of one."""
    element = text(allowed, pattern)

    def read(node: YamlNode) -> tuple[str, ...]:
        if node.pairs is not None:
            raise WrongValueError(allowed, node)
        # An empty text is an empty list, and not a list of one empty text.
        items = node.items if node.items is not None else (node,) * bool(node.text.strip())
        return tuple(str(element.read(item)) for item in items)

    return Kind(allowed, read, many=True)


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


def split_pattern(pattern: str) -> tuple[str, str] | None:
    """Body and flags of `/body/flags`; None if it is not in that notation."""
    match = re.fullmatch(r"/(.+)/([imsu]*)", pattern, re.DOTALL)
    return (match[1], match[2]) if match else None


def _switch(node: YamlNode) -> bool:
    word = node.text.lower() if node.is_scalar else ""
    if word not in _WORDS:
        raise WrongValueError("true or false", node)
    return _WORDS[word]


_WORDS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}

SWITCH = Kind("true or false", _switch)

_DAYS = weekday_names()
_WHEN = r"(?:([a-z]+) +)?([01]?[0-9]|2[0-3]):([0-5][0-9])"


def _when(node: YamlNode) -> str:
    typed = node.text.strip() if node.is_scalar else ""
    if typed.lower() == "off":
        return "off"
    match = re.fullmatch(_WHEN, typed, re.IGNORECASE)
    day = match[1].title() if match and match[1] else ""
    if match is None or day not in ("", *_DAYS):
        raise WrongValueError(WHEN.allowed, node, near(typed.partition(" ")[0], _DAYS))
    # Without a day the text begins with a blank.
    return f"{day} {int(match[2]):02}:{match[3]}".lstrip()


WHEN = Kind('a time such as "02:30" or "Sunday 03:00", or "off"', _when)


def _zone(node: YamlNode) -> str:
    name = node.text.strip()
    if not node.is_scalar:
        raise WrongValueError(ZONE.allowed, node)
    if not name:
        return ""
    try:
        return zoneinfo.ZoneInfo(name).key
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError) as error:
        zones = sorted(zoneinfo.available_timezones())
        hint = (
            near(name, zones)
            if zones
            else "This system has no time zone data: install the package tzdata."
        )
        raise WrongValueError(ZONE.allowed, node, hint) from error


ZONE = Kind('empty, or a time zone such as "Europe/Berlin"', _zone)


def _patterns(node: YamlNode) -> tuple[CustomPattern, ...]:
    if node.items is None and (node.text.strip() or node.pairs is not None):
        raise WrongValueError(PATTERNS.allowed, node)
    return tuple(_custom(item) for item in node.items or ())


def _custom(node: YamlNode) -> CustomPattern:
    if node.pairs is None:
        raise WrongValueError(PATTERNS.allowed, node)
    fields: dict[str, str] = {}
    for name, value in node.pairs:
        if name.text not in CustomPattern._fields or name.text in fields or not value.is_scalar:
            raise WrongValueError(PATTERNS.allowed, name, near(name.text, CustomPattern._fields))
        fields[name.text] = _CUSTOM[name.text](value)
    if not {"pattern", "route"} <= fields.keys():
        raise WrongValueError(PATTERNS.allowed, node, "Each entry needs a pattern and a route.")
    return CustomPattern(**fields)


def _pattern(node: YamlNode) -> str:
    parts = split_pattern(node.text)
    if parts is None:
        raise WrongValueError("a list whose patterns are written /…/ or /…/i", node)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(parts[0])
    except (re.error, OverflowError, RecursionError) as error:
        raise WrongValueError(f"a list of patterns that compile ({error})", node) from error
    return node.text


_CUSTOM: dict[str, Callable[[YamlNode], str]] = {
    "pattern": _pattern,
    "route": lambda node: str(
        text("a list whose routes name an agent, a script or a queue", r".*\S.*").read(node)
    ),
    "confidence": lambda node: str(
        text("a list whose confidences are high or medium", "high|medium").read(node)
    ),
}

PATTERNS = Kind(
    "a list of {pattern: /…/i, route: …, confidence: high or medium}", _patterns, many=True
)


class UnreadableYamlError(ValueError):
    """Text that cannot be read as YAML. `at` is the offset of the trouble."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.message = message
        self.at = at
