"""JSON5 edited in place: a value set, an item added, both taken out; all other text stays as it
was written.
"""

import json
import re
from collections.abc import Callable, Sequence
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
_REST_OF_LINE = lazily(r"[ \t]*(?:/\*(?:(?!\*/)[^\r\n])*\*/[ \t]*)*(?://[^\r\n]*)?(?=[\r\n]|\Z)")
_DEEPEST = 200
_STEP = "  "

OBJECT = "object"
ARRAY = "array"
SCALAR = "scalar"

Keys = Sequence[str]
Test = Callable[[object], bool]

MISSING = object()
"""What a place without a value holds; null would be a value."""


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


# edits


def refuse_broken(text: str) -> None:
    """Json5Error for a text that cannot be edited; one without anything in it can."""
    if not is_blank(text):
        parse(text)


def is_blank(text: str) -> bool:
    return not text.strip("\ufeff \t\r\n")


def value_at(text: str, keys: Keys) -> object:
    """The value there, or `MISSING`."""
    node = None if is_blank(text) else _node(parse(text), keys)
    return MISSING if node is None else plain(text, node)


def with_value(text: str, keys: Keys, value: object) -> str:
    """The text with that value there. Objects on the way are made; what stands there already is
    left untouched.
    """
    text = f"{text}{{}}\n" if is_blank(text) else text
    node = parse(text)
    for depth, key in enumerate(keys):
        _refuse_other(node, OBJECT, keys[:depth])
        member = _member_of(node, key)
        if member is None:
            return _inserted(text, node, key, _nested(keys[depth + 1 :], value))
        node = member.value
    # Equal as a value, however it is written: the user's spelling and comments stay.
    return text if plain(text, node) == value else _replaced(text, node, value)


def with_item(text: str, keys: Keys, item: object, matches: Test) -> str:
    """The text with the item in the list there, in the place of the one that `matches` accepts,
    else at its end.
    """
    node = None if is_blank(text) else _node(parse(text), keys)
    if node is None:
        return with_value(text, keys, [item])
    _refuse_other(node, ARRAY, keys)
    for member in node.members:
        there = plain(text, member.value)
        if matches(there):
            return text if there == item else _replaced(text, member.value, item)
    return _inserted(text, node, "", item)


def without(text: str, keys: Keys) -> str:
    """The text without that value, and without the objects around it that are empty then."""
    if value_at(text, keys) is MISSING:
        return text
    while keys:
        *above, last = keys
        text = _removed(text, above, lambda member, last=last: member.key == last)  # type: ignore[misc]
        node = _node(parse(text), above)
        if node is None or text[node.start + 1 : node.end - 1].strip():
            break
        keys = above
    return text


def without_items(text: str, keys: Keys, matches: Test) -> str:
    """The text without the items that `matches` accepts, and without an empty list they leave."""
    node = None if is_blank(text) else _node(parse(text), keys)
    items = node.members if node and node.kind == ARRAY else ()
    if not any(matches(plain(text, item.value)) for item in items):
        return text
    text = _removed(text, keys, lambda member: matches(plain(text, member.value)))
    return text if value_at(text, keys) else without(text, keys)


def _node(node: JsonNode, keys: Keys) -> JsonNode | None:
    for key in keys:
        member = _member_of(node, key) if node.kind == OBJECT else None
        if member is None:
            return None
        node = member.value
    return node


def _member_of(node: JsonNode, key: str) -> Member | None:
    """The member with a key; of several, the last counts."""
    return next((member for member in reversed(node.members) if member.key == key), None)


def _nested(keys: Keys, value: object) -> object:
    for key in reversed(keys):
        value = {key: value}
    return value


def _refuse_other(node: JsonNode, kind: str, keys: Keys) -> None:
    if node.kind != kind:
        where = ".".join(keys) or "The file"
        article = "an object" if kind == OBJECT else "a list"
        raise Json5Error(
            f"{where} is not {article}, as it should be.",
            hint="Fix that, then run the command again.",
        )


def _replaced(text: str, node: JsonNode, value: object) -> str:
    return text[: node.start] + _written(value, _indent(text, node.start)) + text[node.end :]


def _inserted(text: str, node: JsonNode, key: str, value: object) -> str:
    """The text with a member after the last one, on a line of its own if the others have one."""
    head = f"{json.dumps(key)}: " if key else ""
    if not node.members:
        outer = _indent(text, node.start)
        inner = text[node.start + 1 : node.end - 1].rstrip()
        entry = head + _written(value, outer + _STEP)
        added = f"{inner}\n{outer}{_STEP}{entry}\n{outer}"
        return text[: node.start + 1] + added + text[node.end - 1 :]
    last = node.members[-1].value.end
    comma = after_space(text, last)
    has_comma = text[comma] == ","
    if "\n" not in text[node.start : node.members[0].start]:
        entry = head + json.dumps(value, ensure_ascii=False)
        if has_comma:
            return f"{text[: comma + 1]} {entry},{text[comma + 1 :]}"
        return f"{text[:last]}, {entry}{text[last:]}"
    indent = _indent(text, node.members[0].start)
    end = _line_end(text, comma + 1 if has_comma else last)
    before = text[:end] if has_comma else f"{text[:last]},{text[last:end]}"
    entry = head + _written(value, indent)
    return f"{before}\n{indent}{entry}{',' if has_comma else ''}{text[end:]}"


def _written(value: object, indent: str) -> str:
    return json.dumps(value, ensure_ascii=False, indent=len(_STEP)).replace("\n", f"\n{indent}")


def _removed(text: str, keys: Keys, goes: Callable[[Member], bool]) -> str:
    """The text without the members that `goes` accepts. Comments stay: they are the user's."""
    node = _node(parse(text), keys)
    # From the end, so that the places of those before it stay.
    for at in reversed(range(len(node.members) if node else 0)):
        if node and goes(node.members[at]):
            text = _cut(text, node, at)
            node = _node(parse(text), keys)
    return text


def _cut(text: str, node: JsonNode, at: int) -> str:
    member = node.members[at]
    start = _line_start(text, node.start + 1, member.start)
    comma = after_space(text, member.value.end)
    has_comma = text[comma] == ","
    end = comma + 1 if has_comma else member.value.end
    if len(node.members) == 1:
        rest = text[node.start + 1 : start] + text[end : node.end - 1]
        return text[: node.start + 1] + (rest if rest.strip() else "") + text[node.end - 1 :]
    if at == 0 and "\n" not in text[node.start : member.start]:
        return text[: member.start] + text[end:].lstrip(" \t")
    if at == len(node.members) - 1 and not has_comma:
        last = after_space(text, node.members[at - 1].value.end)
        return text[:last] + text[last + 1 : start] + text[end:]
    return text[:start] + text[end:]


def _line_start(text: str, first: int, at: int) -> int:
    """Where the line end before a member begins, or the blanks before it, where it stands after
    others.
    """
    before = text[first:at].rstrip(" \t")
    before = before.removesuffix("\n").removesuffix("\r") if before.endswith("\n") else before
    return first + len(before)


def _line_end(text: str, at: int) -> int:
    """Where the line of a member ends: after a comment on the same line."""
    rest = _REST_OF_LINE.match(text, at)
    return rest.end() if rest else at


def _indent(text: str, at: int) -> str:
    """The white space that the line there begins with."""
    line = text[text.rfind("\n", 0, at) + 1 : at].lstrip("\ufeff")
    return line[: len(line) - len(line.lstrip(" \t"))]
