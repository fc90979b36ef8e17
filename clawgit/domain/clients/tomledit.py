"""Edits of TOML text: one table set, and taken back; all else stays as it was written."""

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from clawgit.errors import ConfigError

_HEADER = re.compile(r"^[ \t]*\[(\[?)([^\]\r\n]+)\]", re.MULTILINE)


class TomlError(ConfigError):
    """A text that is no TOML, or has the table in a form that is not edited."""

    kind = "toml"


def table_at(text: str, keys: Sequence[str]) -> Mapping[str, Any] | None:
    """The table of that name, None where there is none."""
    found: Any = _read(text)
    for key in keys:
        found = found.get(key) if isinstance(found, Mapping) else None
    return found if isinstance(found, Mapping) else None


def with_table(text: str, keys: Sequence[str], table: Mapping[str, str | Sequence[str]]) -> str:
    """The text with that table. What stands in it beside these keys goes with the old one; other
    tables stay.
    """
    there = table_at(text, keys)
    if there == table:
        return text
    newline = "\r\n" if "\r\n" in text else "\n"
    rows = [
        f"[{'.'.join(map(_key, keys))}]",
        *(f"{_key(key)} = {_written(value)}" for key, value in table.items()),
    ]
    written = "".join(f"{row}{newline}" for row in rows)
    if there is not None:
        start, end = _place(text, keys)
        result = text[:start] + written + text[end:]
    else:
        gap = "" if not text else newline if text.endswith("\n") else 2 * newline
        result = text + gap + written
    _refuse_other_change(text, result, keys, table)
    return result


def table_taken_back(text: str, keys: Sequence[str], before: str | None) -> str:
    """The text with that table as it was written before, or gone together with its sub-tables."""
    if table_at(text, keys) is None:
        return text
    start, end = _place(text, keys)
    if before is not None and table_at(before, keys) is not None:
        first, last = _place(before, keys)
        return text[:start] + before[first:last] + text[end:]
    head, tail = text[:start], text[end:]
    if not tail or head.endswith(("\n\n", "\n\r\n")):
        # The empty line that set it apart goes with it.
        head = re.sub(r"(\n|\A)\r?\n\Z", r"\1", head)
    _refuse_other_change(text, head + tail, keys, None)
    return head + tail


def _read(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        raise TomlError(
            f"It is no TOML: {error}.", hint="Mend that, then run the command again."
        ) from error


def _place(text: str, keys: Sequence[str]) -> tuple[int, int]:
    """From the table's header to the end of its last row; its sub-tables are parts of it."""
    wanted = list(keys)
    headers = [match for match in _HEADER.finditer(text) if _named(match[2])]
    ours = [
        at for at, match in enumerate(headers) if _named(headers[at][2])[: len(wanted)] == wanted
    ]
    together = ours == list(range(ours[0], ours[0] + len(ours))) if ours else False
    if not together or _named(headers[ours[0]][2]) != wanted:
        raise TomlError(
            f"{'.'.join(keys)} stands there in a form that is not edited.",
            hint=f"Write it as a table [{'.'.join(keys)}].",
        )
    following = ours[-1] + 1
    end = headers[following].start() if following < len(headers) else len(text)
    start = headers[ours[0]].start()
    return start, start + len(_own_lines(text[start:end]))


def _own_lines(body: str) -> str:
    """Without the comments and empty lines at its end: they belong to the next table."""
    lines = body.splitlines(keepends=True)
    while lines and lines[-1].lstrip()[:1] in ("", "#"):
        lines.pop()
    return "".join(lines)


def _named(header: str) -> list[str]:
    """The keys that a header names, [] where it names none: then it is part of a longer string."""
    try:
        found: Any = tomllib.loads(f"[{header}]")
    except tomllib.TOMLDecodeError:
        return []
    keys = []
    while found:
        key, found = next(iter(found.items()))
        keys.append(key)
    return keys


def _refuse_other_change(
    before: str, after: str, keys: Sequence[str], table: Mapping[str, Any] | None
) -> None:
    """What looks like a table may be part of a long string, and two ways to write a table may
    exclude each other.
    """
    try:
        only_ours = table_at(after, keys) == table and _others(after, keys) == _others(before, keys)
    except TomlError:
        only_ours = False
    if not only_ours:
        name = ".".join(keys)
        raise TomlError(
            f"[{name}] cannot be edited in this file: another form of it is in the way.",
            hint=f"Write {keys[0]} as tables of their own, [{keys[0]}.NAME].",
        )


def _others(text: str, keys: Sequence[str]) -> object:
    """All but that table, and the tables around it that hold nothing else."""
    root = _read(text)
    around: list[Any] = [root]
    for key in keys[:-1]:
        around.append(around[-1].get(key, {}) if isinstance(around[-1], dict) else {})
    for table, key in zip(reversed(around), reversed(keys), strict=True):
        if isinstance(table, dict) and (key == keys[-1] or not table.get(key)):
            table.pop(key, None)
    return root


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key)


def _written(value: str | Sequence[str]) -> str:
    """JSON's strings are TOML's, but for the one character that TOML wants escaped."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return f"[{', '.join(map(_written, value))}]"
