"""One table of a TOML file, added and taken out again; the rest of the file keeps its bytes.

tomlkit writes our table. The text around it is copied: tomlkit would render some files in another
order, and counts a comment above the next table as part of the table before it.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import tomlkit

from clawgit.doors import tomllib
from clawgit.errors import ConfigError

_BOM = "\ufeff"

_BEFORE_HEADER = re.compile(r"^\ufeff?(?=[ \t]*\[)", re.MULTILINE)
"""Where a line may be the header of a table."""


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
    """Where the table is written: from its header to the last row, sub-tables included.

    Lines that read as headers may be part of a long string or array. So a part is only taken if the
    file without it is TOML that lacks this table and nothing else.
    """
    edges = [match.end() for match in _BEFORE_HEADER.finditer(text)] + [len(text)]
    for number, start in enumerate(edges):
        if keys[-1] not in text[start:].partition("\n")[0]:
            continue
        for end in edges[number + 1 :]:
            if _changes_only(keys, text, text[:start] + text[end:], None):
                return start, start + len(_own_lines(text[start:end]))
    # It is an inline table (`a = {…}`) or written as dotted keys (`a.b = 1`), or another table
    # stands between it and a sub-table.
    name = ".".join(keys)
    raise TomlError(
        f"{name} is written in a form that cannot be edited.",
        hint=f"Write it as a table [{name}].",
    )


def _own_lines(body: str) -> str:
    """A body without the comments and empty lines at its end: they belong to the next table."""
    # Not `splitlines`: a TOML string may hold characters that Python takes for a line end.
    lines = re.findall(r"[^\n]*\n|[^\n]+", body)
    while lines and lines[-1].lstrip()[:1] in ("", "#"):
        lines.pop()
    return "".join(lines)


def _refuse_other_change(
    before: str, after: str, keys: Sequence[str], table: Mapping[str, Any] | None
) -> None:
    """Refuses an edit that changed anything else: two ways to write a table can exclude each other.

    Checked with Python's own parser, which shares no code with the editing one.
    """
    if not _changes_only(keys, before, after, table):
        name = ".".join(keys)
        raise TomlError(
            f"[{name}] cannot be edited in this file: {keys[0]} is written in another form.",
            hint=f"Write {keys[0]} as tables of their own, [{keys[0]}.NAME].",
        )


def _changes_only(
    keys: Sequence[str], before: str, after: str, table: Mapping[str, Any] | None
) -> bool:
    """Whether the table is this one afterwards, and all else is as it was."""
    try:
        return table_at(after, keys) == table and _others(after, keys) == _others(before, keys)
    except TomlError:
        return False


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
