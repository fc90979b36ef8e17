"""One table of a TOML file, added and taken out again; the rest of the file keeps its bytes.

tomlkit writes our table. The text around it is copied: tomlkit would render some files in another
order, and counts a comment above the next table as part of the table before it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import tomlkit

from clawgit.doors import tomllib
from clawgit.errors import ConfigError

_BOM = "\ufeff"


class TomlError(ConfigError):
    """The text is not TOML, or the table is written in a form that cannot be edited."""

    kind = "toml"


def table_at(text: str, keys: Sequence[str]) -> Mapping[str, Any] | None:
    """The table of that name, or None."""
    value: Any = _read(text)
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else None


def with_table(text: str, keys: Sequence[str], table: Mapping[str, str | Sequence[str]]) -> str:
    """The text with exactly these keys in that table. A new table goes to the end of the file."""
    current = table_at(text, keys)
    if current == table:
        return text
    written = _written(keys, table)
    newline = "\n"
    if "\r\n" in text:
        newline = "\r\n"
        written = written.replace("\n", newline)
    if current is not None:
        start, end = _place(text, keys)
        result = text[:start] + written + text[end:]
    elif not text:
        result = written
    elif text.endswith("\n"):
        result = text + newline + written
    else:
        result = text + newline + newline + written
    _refuse_other_change(text, result, keys, table)
    return result


def table_taken_back(text: str, keys: Sequence[str], before: str | None) -> str:
    """The text with that table as it was written before, or without it and its sub-tables."""
    if table_at(text, keys) is None:
        return text
    start, end = _place(text, keys)
    if before is not None and table_at(before, keys) is not None:
        first, last = _place(before, keys)
        result = text[:start] + before[first:last] + text[end:]
        _refuse_other_change(text, result, keys, table_at(before, keys))
        return result
    head = text[:start]
    tail = text[end:]
    if not tail or head.endswith(("\n\n", "\n\r\n")):
        # `with_table` put an empty line above the table; it goes with the table.
        head = re.sub(r"(\n|\A)\r?\n\Z", r"\1", head)
    result = head + tail
    if before is not None and result in (f"{before}\n", f"{before}\r\n"):
        # `with_table` ended the last line, to put the table below it.
        result = before
    _refuse_other_change(text, result, keys, None)
    return result


def _read(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text.removeprefix(_BOM))
    except tomllib.TOMLDecodeError as error:
        raise TomlError(
            f"The file is not valid TOML: {error}.",
            hint="Correct it, then run the command again.",
        ) from error


def _written(keys: Sequence[str], table: Mapping[str, str | Sequence[str]]) -> str:
    """The table as a TOML file of its own."""
    nested: Any = table
    for key in reversed(keys):
        nested = {key: nested}
    return tomlkit.dumps(nested)


def _place(text: str, keys: Sequence[str]) -> tuple[int, int]:
    """Where the table is written: from its header to the last row, sub-tables included."""
    bom = len(text) - len(text.removeprefix(_BOM))
    start, end = _span(text[bom:], keys)
    start, end = bom + start, bom + end
    # Not found where it is an inline table (`a = {…}`) or written as dotted keys (`a.b = 1`).
    # Part of it is left where another table stands between it and a sub-table.
    if start == end or table_at(text[:start] + text[end:], keys) is not None:
        name = ".".join(keys)
        raise TomlError(
            f"{name} is written in a form that cannot be edited.",
            hint=f"Write it as a table [{name}].",
        )
    return start, start + len(_own_lines(text[start:end]))


def _span(source: str, keys: Sequence[str]) -> tuple[int, int]:
    """From the first header of the table to the next header of another one; an empty span if the
    table has no header.
    """
    start = None
    # What is parsed to tell a header from a line of a long string begins here.
    known = 0
    for position, name in _header_lines(source):
        is_ours = name[: len(keys)] == tuple(keys)
        if is_ours == (start is not None) or not _is_whole(source[known:position]):
            continue
        if start is not None:
            return start, position
        start = known = position
    if start is None:
        return 0, 0
    return start, len(source)


def _header_lines(source: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Each line that reads as `[a.b]` or `[[a.b]]`: where it starts, and the keys.

    Such a line may also stand inside a long string or array.
    """
    position = 0
    for line in _lines(source):
        if line.lstrip(" \t").startswith("["):
            name = _header_keys(line)
            if name:
                yield position, name
        position += len(line)


def _header_keys(line: str) -> tuple[str, ...]:
    try:
        value: Any = tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return ()
    names: list[str] = []
    while value:
        if isinstance(value, list):
            value = value[0]
        else:
            [(name, value)] = value.items()
            names.append(name)
    return tuple(names)


def _is_whole(part: str) -> bool:
    """Whether a part of a valid file ends between two statements, and not inside a value."""
    try:
        tomllib.loads(part)
    except tomllib.TOMLDecodeError:
        return False
    return True


def _own_lines(body: str) -> str:
    """A body without the comments and empty lines at its end: they belong to the next table."""
    lines = _lines(body)
    while lines and lines[-1].lstrip()[:1] in ("", "#"):
        lines.pop()
    return "".join(lines)


def _lines(text: str) -> list[str]:
    # Not `splitlines`: a TOML string may hold characters that Python takes for a line end.
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _refuse_other_change(
    before: str, after: str, keys: Sequence[str], table: Mapping[str, Any] | None
) -> None:
    """Refuses an edit that changed anything else: two ways to write a table can exclude each other.

    Checked with Python's own parser, which shares no code with the editing one.
    """
    try:
        only_ours = table_at(after, keys) == table and _others(after, keys) == _others(before, keys)
    except TomlError:
        only_ours = False
    if not only_ours:
        name = ".".join(keys)
        raise TomlError(
            f"[{name}] cannot be edited in this file: {keys[0]} is written in another form.",
            hint=f"Write {keys[0]} as tables of their own, [{keys[0]}.NAME].",
        )


def _others(text: str, keys: Sequence[str]) -> object:
    """The file without that table, and without tables around it that hold nothing else."""
    root = _read(text)
    tables: list[Any] = [root]
    for key in keys[:-1]:
        tables.append(tables[-1].get(key, {}) if isinstance(tables[-1], dict) else {})
    for table, key in zip(reversed(tables), reversed(keys), strict=True):
        if isinstance(table, dict) and (key == keys[-1] or not table.get(key)):
            table.pop(key, None)
    return root
