"""Edits of JSON5 text: a value set, an item added, and both taken back; all else stays as it was
written.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from clawgit.domain.clients.json5text import (
    ARRAY,
    OBJECT,
    Json5Error,
    JsonNode,
    Member,
    after_space,
    is_identifier,
    parse,
    plain,
)

Keys = Sequence[str]
Test = Callable[[object], bool]

MISSING = object()
"""What a place without a value holds; null would be a value."""

_REST_OF_LINE = re.compile(
    r"[ \t]*(?:/\*(?:(?!\*/)[^\r\n])*\*/[ \t]*)*(?://[^\r\n]*)?(?=[\r\n]|\Z)"
)


class _Style(NamedTuple):
    """How a text is written: its line end, one step of indentation, its quotes, and whether keys
    have none.
    """

    newline: str
    step: str
    quote: str
    bare: bool


def refuse_broken(text: str) -> None:
    """Json5Error for a text that cannot be edited; one without anything in it can."""
    if not _is_blank(text):
        parse(text)


def value_at(text: str, keys: Keys) -> object:
    """The value there, or `MISSING`."""
    node = None if _is_blank(text) else _node(parse(text), keys)
    return MISSING if node is None else plain(text, node)


def with_value(text: str, keys: Keys, value: object) -> str:
    """The text with that value there. Objects on the way are made; what stands there already is
    left untouched.
    """
    text = f"{text}{{}}\n" if _is_blank(text) else text
    node = parse(text)
    for depth, key in enumerate(keys):
        _refuse_other(node, OBJECT, keys[:depth])
        member = _member(node, key)
        if member is None:
            return _inserted(text, node, key, _nested(keys[depth + 1 :], value))
        node = member.value
    # Equal as a value, however it is written: the user's spelling and comments stay.
    if plain(text, node) == value:
        return text
    return (
        text[: node.start]
        + _written(value, _style(text), _indent(text, node.start))
        + text[node.end :]
    )


def with_item(text: str, keys: Keys, item: object, matches: Test) -> str:
    """The text with the item in the list there, in the place of the one that `matches` accepts,
    else at its end.
    """
    if value_at(text, keys) is MISSING:
        return with_value(text, keys, [item])
    node = _node(parse(text), keys)
    if node is None:
        return text
    _refuse_other(node, ARRAY, keys)
    known = next(
        (member.value for member in node.members if matches(plain(text, member.value))), None
    )
    if known is None:
        return _inserted(text, node, "", item)
    if plain(text, known) == item:
        return text
    return (
        text[: known.start]
        + _written(item, _style(text), _indent(text, known.start))
        + text[known.end :]
    )


def value_taken_back(text: str, keys: Keys, before: str | None) -> str:
    """The text with that value as it was before, or gone, and with it the objects around it that
    are new and empty.
    """
    if value_at(text, keys) is MISSING:
        return text
    old = _raw(before, keys)
    if old is None:
        return _pruned(
            _removed(text, keys[:-1], lambda member: member.key == keys[-1]), keys[:-1], before
        )
    node = _node(parse(text), keys)
    return text if node is None else text[: node.start] + old + text[node.end :]


def item_taken_back(text: str, keys: Keys, matches: Test, before: str | None) -> str:
    """The text without the items that `matches` accepts, and without the list and objects around
    them that are new and now empty.
    """
    node = None if _is_blank(text) else _node(parse(text), keys)
    if (
        node is None
        or node.kind != ARRAY
        or not any(matches(plain(text, member.value)) for member in node.members)
    ):
        return text
    return _pruned(
        _removed(text, keys, lambda member: matches(plain(text, member.value))), keys, before
    )


def _is_blank(text: str) -> bool:
    return not text.strip("\ufeff \t\r\n")


def _pruned(text: str, keys: Keys, before: str | None) -> str:
    """The text without objects on the way to `keys` that are empty and new.

    One that was there before and is empty again gets its old spacing back.
    """
    for depth in range(len(keys), -1, -1):
        node = _node(parse(text), keys[:depth])
        if node is None:
            return text
        inner = text[node.start + 1 : node.end - 1].strip()
        old = _raw(before, keys[:depth])
        if old is not None:
            is_same = inner == old[1:-1].strip()
            return text[: node.start] + old + text[node.end :] if is_same else text
        if inner or not depth:
            return text
        text = _removed(text, keys[: depth - 1], _has_key(keys[depth - 1]))
    return text


def _has_key(key: str) -> Callable[[Member], bool]:
    return lambda member: member.key == key


def _raw(text: str | None, keys: Keys) -> str | None:
    """How a value was written."""
    if text is None or _is_blank(text):
        return None
    try:
        node = _node(parse(text), keys)
    except Json5Error:
        return None
    return None if node is None else text[node.start : node.end]


def _node(node: JsonNode, keys: Keys) -> JsonNode | None:
    for key in keys:
        member = _member(node, key) if node.kind == OBJECT else None
        if member is None:
            return None
        node = member.value
    return node


def _member(node: JsonNode, key: str) -> Member | None:
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


def _inserted(text: str, node: JsonNode, key: str, value: object) -> str:
    """The text with a member after the last one, written like the others: each on its line or all
    on one, with a last comma or without.
    """
    style = _style(text)
    if not node.members:
        return _inserted_first(text, node, key, value, style)
    last = node.members[-1].value.end
    comma = after_space(text, last)
    has_comma = text[comma] == ","
    if "\n" not in text[node.start : node.members[0].start]:
        written = _entry(key, value, style)
        if has_comma:
            return f"{text[: comma + 1]} {written},{text[comma + 1 :]}"
        return f"{text[:last]}, {written}{text[last:]}"
    indent = _indent(text, node.members[0].start)
    end = _line_end(text, comma + 1 if has_comma else last)
    head = text[:end] if has_comma else f"{text[:last]},{text[last:end]}"
    added = f"{style.newline}{indent}{_entry(key, value, style, indent)}{',' if has_comma else ''}"
    return head + added + text[end:]


def _inserted_first(text: str, node: JsonNode, key: str, value: object, style: _Style) -> str:
    outer = _indent(text, node.start)
    inner = text[node.start + 1 : node.end - 1].rstrip()
    entry = _entry(key, value, style, outer + style.step)
    added = f"{inner}{style.newline}{outer}{style.step}{entry}{style.newline}{outer}"
    return text[: node.start + 1] + added + text[node.end - 1 :]


def _removed(text: str, keys: Keys, goes: Callable[[Member], bool]) -> str:
    """The text without the members that `goes` accepts. Comments stay: they are the user's."""
    node = _node(parse(text), keys)
    if node is None:
        return text
    # From the end, so that the numbers of those before it stay; their places are read again each
    # time.
    for at in reversed(range(len(node.members))):
        if goes(node.members[at]):
            text = _without(text, node, at)
            node = _node(parse(text), keys) or node
    return text


def _without(text: str, node: JsonNode, at: int) -> str:
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


def _style(text: str) -> _Style:
    root = parse(text)
    first = root.members[0] if root.members else None
    step = _indent(text, first.start) if first and "\n" in text[root.start : first.start] else ""
    return _Style(
        "\r\n" if "\r\n" in text else "\n",
        step or "  ",
        next(_quotes(text, root), '"'),
        bare=first is not None and root.kind == OBJECT and text[first.start] not in "\"'",
    )


def _quotes(text: str, node: JsonNode) -> Iterator[str]:
    """The quotes of its strings, as they come."""
    if text[node.start] in "\"'":
        yield text[node.start]
    for member in node.members:
        if text[member.start] in "\"'":
            yield text[member.start]
        yield from _quotes(text, member.value)


def _entry(key: str, value: object, style: _Style, indent: str | None = None) -> str:
    """A member as it is written; without an indent on one line."""
    written = _written(value, style, indent)
    return f"{_key(key, style)}: {written}" if key else written


def _lines(items: Sequence[str], style: _Style, indent: str) -> str:
    """Items on lines of their own."""
    return "".join(f"{style.newline}{indent}{item}," for item in items).removesuffix(",")


def _written(value: object, style: _Style, indent: str | None) -> str:
    """A value as text; with an indent, objects and lists of objects go over several lines."""
    if isinstance(value, Mapping) and value:
        return _written_object(value, style, indent)
    if isinstance(value, (list, tuple)):
        return _written_list(value, style, indent)
    return _quoted(value, style) if isinstance(value, str) else json.dumps(value)


def _written_object(value: Mapping[Any, object], style: _Style, indent: str | None) -> str:
    inner = None if indent is None else indent + style.step
    entries = [_entry(str(key), member, style, inner) for key, member in value.items()]
    if inner is None:
        return f"{{ {', '.join(entries)} }}"
    return f"{{{_lines(entries, style, inner)}{style.newline}{indent}}}"


def _written_list(value: Sequence[object], style: _Style, indent: str | None) -> str:
    holds_objects = any(isinstance(item, Mapping) for item in value)
    if indent is None or not holds_objects:
        return f"[{', '.join(_written(item, style, None) for item in value)}]"
    inner = indent + style.step
    items = [_written(item, style, inner) for item in value]
    return f"[{_lines(items, style, inner)}{style.newline}{indent}]"


def _key(key: str, style: _Style) -> str:
    return key if style.bare and is_identifier(key) else _quoted(key, style)


def _quoted(text: str, style: _Style) -> str:
    written = json.dumps(text, ensure_ascii=False)
    if style.quote == '"':
        return written
    inner = written[1:-1].replace('\\"', '"').replace("'", "\\'")
    return f"'{inner}'"
