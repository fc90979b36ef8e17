"""What we put into a file of another program, and how it is taken out again.

Doing either a second time changes nothing. A file that nobody else edited gets its old bytes back
instead (see `ops/clients/connect.py`). A config with comments is never written, since they would be
lost: the error says what to put in by hand, and then there is nothing left to write.
"""

import json
import re
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from typing import Any, NamedTuple, Protocol

import tomlkit
from tomlkit.exceptions import TOMLKitError

from clawgit.doors import json5, tomllib
from clawgit.errors import ConfigError
from clawgit.language.lazily import lazily

_HOOKS = ("hooks", "internal")
_BOM = "\ufeff"
_INDENT = lazily(r'^([ \t]+)"', re.MULTILINE)
_STEP = "  "
_FIX = "Correct it, then run the command again."

Keys = Sequence[str]
Test = Callable[[object], bool]

MISSING = object()
"""What a place without a value holds; null would be a value."""


class CommentsError(ConfigError):
    """A config with comments would have to be written."""

    kind = "comments"


class Insertion(Protocol):
    """A text is None if there is no file; `ours` says that the file is just as we left it."""

    @property
    def shared(self) -> bool:
        """Whether other workspaces rely on it, so that it goes with the last of them."""

    def added(self, text: str | None, *, ours: bool) -> str | None:
        """The text with it."""

    def taken(self, text: str, before: str | None) -> str | None:
        """The text without it; `before` is how the file was, None if unknown."""


class JsonValue(NamedTuple):
    """A value at a place of a JSON5 file."""

    keys: Sequence[str]
    value: object
    shared: bool = False

    def added(self, text: str | None, *, ours: bool) -> str | None:  # noqa: ARG002 - one shape for all of them
        text = text or ""
        if _holds(value_at(text, self.keys), self.value):
            return text
        return with_value(text, self.keys, self.value)

    def taken(self, text: str, before: str | None) -> str | None:  # noqa: ARG002 - see above
        return without(text, self.keys)


class JsonHook(NamedTuple):
    """A hook of Claude Code: an item of a list, known by the words that its command holds."""

    keys: Sequence[str]
    item: Mapping[str, object]
    words: Sequence[str]
    shared: bool = False

    def added(self, text: str | None, *, ours: bool) -> str | None:  # noqa: ARG002 - one shape for all of them
        return with_item(text or "", self.keys, self.item, self._is_it)

    def taken(self, text: str, before: str | None) -> str | None:  # noqa: ARG002 - see above
        return without_items(text, self.keys, self._is_it)

    def _is_it(self, item: object) -> bool:
        rows = item.get("hooks") if isinstance(item, Mapping) else None
        commands = (
            [str(row.get("command")) for row in rows if isinstance(row, Mapping)]
            if isinstance(rows, list)
            else []
        )
        return len(commands) == 1 and all(word in commands[0] for word in self.words)


class EnabledHook(NamedTuple):
    """A hook of OpenClaw, enabled by name as OpenClaw's own command does it. As soon as one hook is
    named, only named ones run. So if none is named and all run, ours is left unnamed: it runs too,
    and naming it would turn the others off.
    """

    name: str
    shared: bool = True

    def added(self, text: str | None, *, ours: bool) -> str | None:  # noqa: ARG002 - one shape for all of them
        text = text or ""
        if runs_all_hooks(text) or hooks_are_off(text):
            return text
        text = with_value(text, (*_HOOKS, "enabled"), value=True)
        return with_value(text, (*_HOOKS, "entries", self.name, "enabled"), value=True)

    def taken(self, text: str, before: str | None) -> str | None:
        entry = (*_HOOKS, "entries", self.name)
        was_named = value_at(text, entry) is not MISSING
        text = without(text, entry)
        # With our hook gone, the switch alone would turn on every hook. It stays if other hooks
        # were named since, because they need it.
        is_ours = value_at(before or "", (*_HOOKS, "enabled")) is MISSING
        if was_named and is_ours and _entries(text) in ({}, _entries(before or "")):
            text = without(text, (*_HOOKS, "enabled"))
        return text


class TomlTable(NamedTuple):
    """A table of a TOML file."""

    keys: Sequence[str]
    table: Mapping[str, str | list[str]]
    shared: bool = False

    def added(self, text: str | None, *, ours: bool) -> str | None:  # noqa: ARG002 - one shape for all of them
        text = text or ""
        if _holds(table_at(text, self.keys), self.table):
            return text
        return with_table(text, self.keys, self.table)

    def taken(self, text: str, before: str | None) -> str | None:  # noqa: ARG002 - see above
        return without_table(text, self.keys)


class WholeFile(NamedTuple):
    """A file that is ours. One that somebody edited is neither replaced nor removed."""

    text: str
    shared: bool = False

    def added(self, text: str | None, *, ours: bool) -> str | None:
        return self.text if text is None or ours else text

    def taken(self, text: str, before: str | None) -> str | None:  # noqa: ARG002 - see above
        return None if text == self.text else text


def runs_all_hooks(text: str) -> bool:
    """Whether OpenClaw runs every hook under this config, because none is named."""
    return value_at(text, (*_HOOKS, "enabled")) is True and not _entries(text)


def hooks_are_off(text: str) -> bool:
    return value_at(text, (*_HOOKS, "enabled")) is False


def is_empty(text: str) -> bool:
    """Whether nothing is left in a file."""
    return text.removeprefix(_BOM).strip() in ("", "{}")


def served_by(entry: object) -> str:
    """The workspace that an MCP entry names, "" if it names none."""
    if not isinstance(entry, Mapping):
        return ""
    arguments = entry.get("args")
    words = [str(argument) for argument in arguments] if isinstance(arguments, list) else []
    # As the last word, `-C` has no folder after it.
    if "-C" in words[:-1]:
        return words[words.index("-C") + 1]
    return str(entry.get("cwd") or "")


def _holds(there: object, wanted: object) -> bool:
    """Whether all that is wanted is there; other keys that the user added, such as a time limit,
    are no reason to write.
    """
    if not isinstance(there, Mapping) or not isinstance(wanted, Mapping):
        return there == wanted
    return all(key in there and there[key] == value for key, value in wanted.items())


def _entries(text: str) -> Mapping[str, object]:
    entries = value_at(text, (*_HOOKS, "entries"))
    return entries if isinstance(entries, Mapping) else {}


# JSON


def value_at(text: str, keys: Keys) -> object:
    """The value there, or `MISSING`. Comments are read over."""
    value = _loaded(text)
    for key in keys:
        if not isinstance(value, Mapping) or key not in value:
            return MISSING
        value = value[key]
    return value


def with_value(text: str, keys: Keys, value: object) -> str:
    """The text with that value there. Objects on the way are made."""
    # Equal as a value, however it is written: the user's spelling stays.
    if value_at(text, keys) == value:
        return text
    root = _editable(text)
    *above, last = keys
    place = root
    for key in above:
        place = place.setdefault(key, {})
        if not isinstance(place, dict):
            raise ConfigError(f"{key} is not an object, as it should be.", hint=_FIX)
    place[last] = value
    return _written(text, root)


def without(text: str, keys: Keys) -> str:
    """The text without that value, and without the objects around it that are empty then."""
    if value_at(text, keys) is MISSING:
        return text
    root = _editable(text)
    _drop(root, keys)
    return _written(text, root)


def with_item(text: str, keys: Keys, item: object, matches: Test) -> str:
    """The text with the item in the list there, in the place of one that `matches` accepts, else at
    its end.
    """
    there = value_at(text, keys)
    if there is MISSING:
        return with_value(text, keys, [item])
    if not isinstance(there, list):
        raise ConfigError(f"{'.'.join(keys)} is not a list, as it should be.", hint=_FIX)
    items = [item if matches(other) else other for other in there]
    return with_value(text, keys, items if item in items else [*items, item])


def without_items(text: str, keys: Keys, matches: Test) -> str:
    """The text without the items that `matches` accepts, and without an empty list they leave."""
    there = value_at(text, keys)
    if not isinstance(there, list):
        return text
    left = [item for item in there if not matches(item)]
    return with_value(text, keys, left) if left else without(text, keys)


def _loaded(text: str) -> object:
    text = text.removeprefix(_BOM)
    if not text.strip():
        return {}
    for read in (json.loads, json5.loads):
        try:
            return read(text)
        except (ValueError, RecursionError):
            continue
    # Nothing of the text itself: such files hold keys and tokens.
    raise ConfigError("It is not JSON.", hint=_FIX)


def _editable(text: str) -> dict[str, Any]:
    """What a config without comments holds, to be changed and written again."""
    root = _loaded(text)
    if root and not _is_json(text) and ("//" in text or "/*" in text):
        what = "It has comments, which would be lost, so clawgit does not write into it."
        raise CommentsError(what, hint="Take out by hand what has to do with clawgit.")
    if not isinstance(root, dict):
        raise ConfigError("It is not an object, as it should be.", hint=_FIX)
    return root


def _is_json(text: str) -> bool:
    try:
        json.loads(text.removeprefix(_BOM))
    except ValueError:
        return False
    return True


def _written(before: str, root: object) -> str:
    """The config, indented as it was."""
    bom = _BOM if before.startswith(_BOM) else ""
    indent = _INDENT.search(before)
    step = indent[1] if indent else _STEP
    text = json.dumps(root, ensure_ascii=False, indent=step)
    end = before[len(before.rstrip()) :] if before.strip() else "\n"
    newline = "\r\n" if "\r\n" in before else "\n"
    return bom + text.replace("\n", newline) + end


def _nested(keys: Keys, value: object) -> Any:
    for key in reversed(keys):
        value = {key: value}
    return value


def _drop(root: MutableMapping[str, Any], keys: Keys) -> None:
    """Takes a value out, and the tables around it that are empty then."""
    places = [root]
    for key in keys[:-1]:
        places.append(places[-1][key])
    for place, key in zip(reversed(places), reversed(keys), strict=True):
        place.pop(key)
        if place:
            break


# TOML


def table_at(text: str, keys: Keys) -> Mapping[str, Any] | None:
    """The table of that name, or None."""
    value: Any = _toml(text)
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else None


def with_table(text: str, keys: Keys, table: Mapping[str, str | list[str]]) -> str:
    """The text with exactly these keys in that table. A new table goes to the end of the file."""
    if table_at(text, keys) == table:
        return text
    text = without_table(text, keys)
    newline = "\r\n" if "\r\n" in text else "\n"
    gap = "" if not text else newline if text.endswith("\n") else newline * 2
    added = tomlkit.dumps(_nested(keys, table)).replace("\n", newline)
    expected = place = _toml(text)
    for key in keys[:-1]:
        place = place.setdefault(key, {})
    place[keys[-1]] = table
    return _proven(text + gap + added, expected, keys)


def without_table(text: str, keys: Keys) -> str:
    """The text without that table, and without tables around it that hold nothing else."""
    if table_at(text, keys) is None:
        return text
    bom = _BOM if text.startswith(_BOM) else ""
    document, expected = tomlkit.parse(text.removeprefix(_BOM)), _toml(text)
    _drop(expected, keys)
    try:
        _drop(document, keys)
        after = bom + tomlkit.dumps(document)
    except TOMLKitError:
        after = text
    return _proven(after, expected, keys)


def _proven(after: str, expected: object, keys: Keys) -> str:
    """The text, if it says what it should: two ways to write a table can exclude each other.

    Read with Python's own parser, which shares no code with the editing one.
    """
    try:
        if _toml(after) == expected:
            return after
    except ConfigError:
        pass
    raise ConfigError(
        f"[{'.'.join(keys)}] cannot be edited in this file: {keys[0]} is written in another form.",
        hint=f"Write {keys[0]} as tables of their own, [{keys[0]}.NAME].",
    )


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text.removeprefix(_BOM))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"The file is not valid TOML: {error}.", hint=_FIX) from error
