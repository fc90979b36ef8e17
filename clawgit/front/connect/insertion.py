"""What we put into a config of another program, and how it is taken out again.

Doing either a second time changes nothing. JSON with comments is never written, since they would be
lost: the error says what to put in by hand, and then there is nothing left to write.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import Any

from clawgit.core import NamedTuple
from clawgit.core.doors import json5, tomllib
from clawgit.core.errors import ClawgitError, ConfigError, ConflictError
from clawgit.language.lazily import lazily
from clawgit.workspace.stores.openclaw import at

_INDENT = lazily(r'^([ \t]+)"', re.MULTILINE)
_MARK = "\ufeff"
_FIX = "Correct it, then run the command again."

Root = dict[str, Any]
Keys = Sequence[str]


class Entry(NamedTuple):
    """A value at a place; of an object, other keys that the user added stay.

    With `is_other`, which says whether a folder is another workspace, it is our MCP server. One of
    its name that serves another workspace, or names none and so is the user's own, is left alone.
    """

    keys: Keys
    value: Any
    is_other: Callable[[str], bool] | None = None

    def put(self, root: Root) -> None:
        # A name or a folder that is not UTF-8 is refused: no other program could read it.
        json.dumps([self.keys, self.value], ensure_ascii=False).encode()
        there = at(root, self.keys)
        if there is not None and not self._is_ours(there):
            served = served_by(there)
            whose = f"serves another workspace, {served}" if served else "is yours"
            raise ConflictError(f"{self.keys[-1]} {whose}.", hint="--name OTHER-NAME")
        is_object = isinstance(there, Mapping) and isinstance(self.value, Mapping)
        _set(root, self.keys, {**there, **self.value} if is_object else self.value)

    def take(self, root: Root) -> None:
        if self._is_ours(at(root, self.keys)):
            _drop(root, self.keys)

    def _is_ours(self, there: object) -> bool:
        folder = served_by(there)
        return self.is_other is None or (bool(folder) and not self.is_other(folder))


class JsonHook(NamedTuple):
    """A hook of Claude Code: an item of a list, known by the words that its command holds."""

    keys: Keys
    item: Mapping[str, object]
    words: Sequence[str]

    def put(self, root: Root) -> None:
        there = at(root, self.keys, [])
        if not isinstance(there, list):
            raise ConfigError(f"{'.'.join(self.keys)} is not a list, as it should be.", hint=_FIX)
        items = [self.item if self._is_it(item) else item for item in there]
        _set(root, self.keys, items if self.item in items else [*items, self.item])

    def take(self, root: Root) -> None:
        there = at(root, self.keys)
        if isinstance(there, list):
            there[:] = [item for item in there if not self._is_it(item)]
            if not there:
                _drop(root, self.keys)

    def _is_it(self, item: object) -> bool:
        rows = item.get("hooks") if isinstance(item, Mapping) else None
        if not isinstance(rows, list) or len(rows) != 1 or not isinstance(rows[0], Mapping):
            return False
        return all(word in str(rows[0].get("command")) for word in self.words)


Edit = Entry | JsonHook
"""A change of a config that was read, made in place: `put`, and `take`, which undoes it."""


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


def config_in(path: Path, text: str) -> Root:
    """What a config holds. Comments are read over."""
    with _naming(path):
        return _read(path, text)


def edited(path: Path, text: str, edits: Sequence[Edit], *, removing: bool = False) -> str:
    """The text of a config after its edits were put in, or taken out."""
    with _naming(path):
        root = _read(path, text)
        after = deepcopy(root)
        for edit in reversed(edits) if removing else edits:
            (edit.take if removing else edit.put)(after)
        if after == root:
            return text
        mark = _MARK if text.startswith(_MARK) else ""
        before = text.removeprefix(_MARK)
        if path.suffix == ".toml":
            return mark + _with_table(path, before, (root, after), edits[0].keys)
        if _json_in(before) is None and ("//" in before or "/*" in before):
            by_hand = "Take out by hand what has to do with clawgit."
            if not removing:
                by_hand = f"Put this in by hand:\n{edited(path, '', edits)}"
            what = "It has comments, which would be lost, so clawgit does not write into it."
            raise ConfigError(what, hint=by_hand)
        return mark + _with_json(before, after)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Puts the path in front of the message of an error."""
    try:
        yield
    except ClawgitError as error:
        error.message = f"{path}: {error.message}"
        error.args = (error.message,)
        raise


def _read(path: Path, text: str) -> Root:
    text = text.removeprefix(_MARK)
    if path.suffix == ".toml":
        try:
            return tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise ConfigError(f"The file is not valid TOML: {error}.", hint=_FIX) from error
    root = _json_in(text)
    if root is None:
        with suppress(ValueError, RecursionError):
            root = json5.loads(text)
    if not isinstance(root, dict):
        # Nothing of the text itself: such files hold keys and tokens.
        raise ConfigError("It is not an object of JSON.", hint=_FIX)
    return root


def _json_in(text: str) -> object:
    """What stands in a file of plain JSON, None where it is none."""
    with suppress(ValueError, RecursionError):
        return json.loads(text) if text.strip() else {}
    return None


def _set(root: Root, keys: Keys, value: object) -> None:
    """Puts a value there. Objects on the way are made."""
    *above, last = keys
    for key in above:
        root = root.setdefault(key, {})
        if not isinstance(root, dict):
            raise ConfigError(f"{key} is not an object, as it should be.", hint=_FIX)
    root[last] = value


def _drop(root: Root, keys: Keys) -> None:
    """Takes a value out, and the objects around it that are empty then."""
    places: list[Any] = [at(root, keys[:end]) for end in range(len(keys))]
    if not isinstance(places[-1], dict) or keys[-1] not in places[-1]:
        return
    for place, key in zip(reversed(places), reversed(keys), strict=True):
        del place[key]
        if place:
            break


def _with_json(before: str, root: Root) -> str:
    """The config, indented as it was."""
    indent = _INDENT.search(before)
    text = json.dumps(root, ensure_ascii=False, indent=indent[1] if indent else 2)
    # Half a character is an escape there, too.
    text = text.encode("utf-8", "backslashreplace").decode()
    end = before[len(before.rstrip()) :] if before.strip() else "\n"
    return text.replace("\n", _newline(before)) + end


def _with_table(path: Path, before: str, roots: tuple[Root, Root], keys: Keys) -> str:
    """A TOML file with our table at its end, or without it if nobody wrote it in another form."""
    was, root = roots
    after = before.replace(_table(was, keys, before), "", 1)
    if added := _table(root, keys, before):
        after += ("" if after.endswith("\n") else _newline(before)) + added
    # Two ways to write a table can exclude each other, so it is read again.
    with suppress(ConfigError):
        if _read(path, after) == root:
            return after
    name = ".".join(keys)
    raise ConfigError(
        f"[{name}] cannot be edited in this file: it is written in another form.",
        hint=f"Take {name} out by hand; to connect, run this again then.",
    )


def _table(root: Root, keys: Keys, text: str) -> str:
    """Our table as we write it, "" where there is none."""
    table = at(root, keys)
    if not isinstance(table, Mapping):
        return ""
    # Texts, and lists of texts, are written in TOML as in JSON.
    written = partial(json.dumps, default=str, ensure_ascii=False)  # TOML has no escape by halves
    rows = [f"{key} = {written(value)}" for key, value in table.items()]
    name = ".".join([*keys[:-1], written(keys[-1])])
    return _newline(text).join(["", f"[{name}]", *rows, ""])


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
