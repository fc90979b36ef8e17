"""JSON5 as a tree of places in its text, so that an edit can leave every other character as it
is.
"""

import re
from typing import NamedTuple

from clawgit.doors import json5
from clawgit.errors import ConfigError
from clawgit.language.lazily import lazily

_SPACE = lazily(r"(?:\s|\ufeff|//[^\n\r\u2028\u2029]*|/\*[\s\S]*?\*/)*")
_STRING = lazily(r'"(?:[^"\\\n\r]|\\(?:\r\n|[\s\S]))*"|\'(?:[^\'\\\n\r]|\\(?:\r\n|[\s\S]))*\'')
_BARE = lazily(r"[^\s,:\[\]{}\"'/]+")
_IDENTIFIER = lazily(r"(?:[^\W\d]|\$|\\u[0-9a-fA-F]{4})(?:[\w$]|\\u[0-9a-fA-F]{4})*")
_SCALAR = lazily(
    r"true|false|null|[+-]?(?:Infinity|NaN|0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)",
    re.ASCII,
)
_DEEPEST = 200

OBJECT = "object"
ARRAY = "array"
SCALAR = "scalar"


class JsonNode(NamedTuple):
    """A value and where it stands."""

    kind: str
    start: int
    end: int
    members: tuple["Member", ...] = ()


class Member(NamedTuple):
    """A key with its value, or an element of an array, whose key is ""."""

    key: str
    start: int
    value: JsonNode


class Json5Error(ConfigError):
    """A text that is not JSON5; `message` names the line."""

    kind = "json5"


def parse(text: str) -> JsonNode:
    """The one value of a text."""
    root = _value(text, after_space(text, 0), 0)
    rest = after_space(text, root.end)
    if rest < len(text):
        raise _error(text, rest, "there is text after the end")
    return root


def after_space(text: str, at: int) -> int:
    """Where white space and comments end."""
    match = _SPACE.match(text, at)
    at = match.end() if match else at
    if text.startswith("/*", at):
        raise _error(text, at, "a comment is not closed")
    return at


def plain(text: str, node: JsonNode) -> object:
    """The value as Python has it."""
    return loads(text[node.start : node.end])


def loads(text: str) -> object:
    """Reads a whole JSON5 text. ValueError if it is not one."""
    return json5.loads(text)


def is_identifier(key: str) -> bool:
    """Whether a key needs no quotes."""
    return _IDENTIFIER.fullmatch(key) is not None and "\\" not in key


def _value(text: str, at: int, depth: int) -> JsonNode:
    if depth > _DEEPEST:
        raise _error(text, at, "it is nested too deeply")
    if text.startswith(("{", "["), at):
        return _container(text, at, depth)
    if string := _STRING.match(text, at):
        return JsonNode(SCALAR, at, string.end())
    bare = _BARE.match(text, at)
    if bare is None or not _SCALAR.fullmatch(bare[0]):
        raise _error(
            text, at, "a value is missing" if bare is None else f"{bare[0][:20]} is not a value"
        )
    return JsonNode(SCALAR, at, bare.end())


def _container(text: str, start: int, depth: int) -> JsonNode:
    kind, closing = (OBJECT, "}") if text[start] == "{" else (ARRAY, "]")
    members: list[Member] = []
    at = after_space(text, start + 1)
    while not text.startswith(closing, at):
        member = _member(text, at, kind, depth)
        members.append(member)
        at = after_space(text, member.value.end)
        if text.startswith(",", at):
            at = after_space(text, at + 1)
        elif not text.startswith(closing, at):
            raise _error(text, at, f"a comma or {closing} is missing")
    return JsonNode(kind, start, at + 1, tuple(members))


def _member(text: str, at: int, kind: str, depth: int) -> Member:
    if kind == ARRAY:
        return Member("", at, _value(text, at, depth + 1))
    key, end = _key(text, at)
    colon = after_space(text, end)
    if not text.startswith(":", colon):
        raise _error(text, colon, "a colon is missing")
    return Member(key, at, _value(text, after_space(text, colon + 1), depth + 1))


def _key(text: str, at: int) -> tuple[str, int]:
    match = _STRING.match(text, at) or _IDENTIFIER.match(text, at)
    if match is None:
        raise _error(text, at, "a key is missing")
    key = match[0]
    quoted = key[0] in "\"'"
    if "\\" in key:
        key = str(plain(text, JsonNode(SCALAR, at, match.end()))) if quoted else _unescaped(key)
        return key, match.end()
    return key[1:-1] if quoted else key, match.end()


def _unescaped(key: str) -> str:
    return re.sub(r"\\u([0-9a-fA-F]{4})", lambda match: chr(int(match[1], 16)), key)


def _error(text: str, at: int, why: str) -> Json5Error:
    # Nothing of the text itself: such files hold keys and tokens.
    line = text.count("\n", 0, at) + 1
    return Json5Error(
        f"Line {line} is not JSON: {why}.",
        hint="Fix that line, then run the command again.",
        line=line,
    )
