"""One table of a TOML file, added and taken out again by tomlkit, which keeps the other text."""

from collections.abc import Mapping, Sequence
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

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
    if current is not None:
        text = without_table(text, keys)
    written: Any = table
    for key in reversed(keys):
        written = {key: written}
    newline = "\r\n" if "\r\n" in text else "\n"
    gap = "" if not text else newline if text.endswith("\n") else newline * 2
    after = text + gap + tomlkit.dumps(written).replace("\n", newline)
    _refuse_other_change(text, after, keys, table)
    return after


def without_table(text: str, keys: Sequence[str]) -> str:
    """The text without that table, and without tables around it that hold nothing else."""
    if table_at(text, keys) is None:
        return text
    bom = _BOM if text.startswith(_BOM) else ""
    document = tomlkit.parse(text.removeprefix(_BOM))
    tables: list[Any] = [document]
    for key in keys[:-1]:
        tables.append(tables[-1][key])
    try:
        for above, key in zip(reversed(tables), reversed(keys), strict=True):
            if key == keys[-1] or not above[key]:
                above.remove(key)
        after = bom + tomlkit.dumps(document)
    except TOMLKitError:
        after = text
    _refuse_other_change(text, after, keys, None)
    return after


def _read(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text.removeprefix(_BOM))
    except tomllib.TOMLDecodeError as error:
        raise TomlError(
            f"The file is not valid TOML: {error}.",
            hint="Correct it, then run the command again.",
        ) from error


def _refuse_other_change(
    before: str, after: str, keys: Sequence[str], table: Mapping[str, Any] | None
) -> None:
    """Refuses an edit that changed anything else: two ways to write a table can exclude each other.

    Checked with Python's own parser, which shares no code with the editing one.
    """
    try:
        if table_at(after, keys) == table and _others(after, keys) == _others(before, keys):
            return
    except TomlError:
        pass
    raise TomlError(
        f"[{'.'.join(keys)}] cannot be edited in this file: {keys[0]} is written in another form.",
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
