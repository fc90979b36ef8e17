"""What we put into a file of another program, and how it is taken out again.

Doing either a second time changes nothing. A file that nobody else edited gets its old bytes back
instead (see `ops/clients/connect.py`).
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from clawgit.domain.clients.json5text import (
    MISSING,
    is_blank,
    value_at,
    with_item,
    with_value,
    without,
    without_items,
)
from clawgit.domain.clients.toml_tables import table_at, with_table, without_table

_HOOKS = ("hooks", "internal")


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
    return is_blank(text) or text.strip("\ufeff \t\r\n") == "{}"


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
