"""Loads the settings. The first source wins: env, CONFIG.md, OpenClaw's config, default. The flags
of a command go before all of these, and never come here.

CONFIG.md is prose with blocks of `key: value`; one setting in it can be changed.

A block is YAML, in which only a key knows what its value means. What is plain, or JSON as we write
it, is read without a parser of YAML, which takes 20 ms to load.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from clawgit.core import NamedTuple
from clawgit.core.config.kinds import Sourced, Value, Written, WrongValueError, as_written, shown
from clawgit.core.config.settings import ALIASES, KEYS, Key, Settings, key_named, nearest
from clawgit.core.doors import json, yaml
from clawgit.core.errors import ConfigError
from clawgit.language.lazily import lazily

if TYPE_CHECKING:
    from clawgit.core.config.trust import PendingSetting

CONFIG_FILE = "CONFIG.md"

_BLOCK = lazily(
    r"\A\ufeff?---[ \t]*\r?\n(?P<front>.*?)^---[ \t]*\r?$"
    # A comment without an end goes on to the end of the file, as in Markdown.
    r"|^\ufeff? {0,3}<!--.*?(?:-->|\Z)"
    r"|^\ufeff? {0,3}(?P<fence>`{3,}|~{3,})[ \t]*(?P<word>[\w+-]*)[^`\n]*\n(?P<body>.*?)"
    # The end of a fence has as many signs as its beginning, or more.
    r"(?:^ {0,3}(?P=fence)[`~]*[ \t]*\r?$|\Z)",
    re.DOTALL | re.MULTILINE,
)

_ENTRY = lazily(
    r"^[ \t]*(?:#[^\n]*|---[ \t]*)?\r?(?:\n|\Z)"
    r"|^(?P<indent> *)(?P<name>[^\s#:][^:\n]*):(?P<value>[ \t][^\n]*)?\r?(?:\n|\Z)"
    # What stands deeper belongs to the key, and so do items below it, with comments in between.
    r"(?P<below>(?:(?:[ \t]*(?:#[^\n]*)?\r?\n)*(?P=indent)(?:[ \t]+[^\s#]|-[ \t])[^\n]*(?:\n|\Z))*)"
    r"|^(?P<other>[^\n]+)",
    re.MULTILINE,
)

_COMMENT = lazily(r"(?:^|[ \t])#[^\n]*$")
_UNPRINTABLE = lazily(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_MARK = "\ue000"
_LONGEST_VALUE = 50_000
_ALIAS = lazily(r"(?:^|[\s\[{,:-])[&*]\w")
_AFTER = lazily(r"(?:[ \t]+#[^\n]*)?\s*\Z")
_SPECIAL = ('"', "'", "[", "{", "&", "!", "|", ">", "- ", "? ")
"""How a value begins that is no plain text in YAML."""

_HINTED = 20
"""How many unknown names get a hint: each is compared with all names that there are."""


class SettingEntry(NamedTuple):
    """A known key and its value, which is text[start:end]; `below`: the lines of its items."""

    name: str
    value: Written
    line: int
    start: int
    end: int
    below: tuple[int, int]


class ConfigProblem(NamedTuple):
    """One thing that is wrong. `where` is what to open: `CONFIG.md:14`, `env CLAWGIT_MIN_SCORE`."""

    where: str
    line: int
    key: str
    message: str
    hint: str = ""


class WrittenConfig(NamedTuple):
    """What CONFIG.md says. A line that cannot be read is a problem, and the others count."""

    entries: tuple[SettingEntry, ...]
    problems: tuple[ConfigProblem, ...]


def read_written(text: str, file: str = CONFIG_FILE) -> WrittenConfig:
    """The settings in the front matter and in every fence marked yaml. Never raises."""
    entries: list[SettingEntry] = []
    problems: list[ConfigProblem] = []
    line, at = 1, 0
    for start, end, _ in _blocks(text):
        seen = set[str]()
        for match in _ENTRY.finditer(text, start, end):
            if match["name"] is None and match["other"] is None:
                continue
            # Counted on from the last one: a file may have a hundred thousand lines.
            line, at = line + text.count("\n", at, match.start()), match.start()
            read = _entry(match, line)
            if isinstance(read, SettingEntry):
                entries.append(read)
                if read.name not in seen:
                    seen.add(read.name)
                    continue
                read = read.name, f"{read.name} is there twice; this one counts", ""
            elif not read[2] and len(problems) < _HINTED:
                read = *read[:2], nearest(read[0])
            problems.append(ConfigProblem(f"{file}:{line}", line, *read))
    return WrittenConfig(tuple(entries), tuple(problems))


def typed_list(text: str) -> Written:
    """A list as it is typed: in brackets, or with commas between its items. ValueError if it is in
    brackets and cannot be read.
    """
    if text.lstrip().startswith("["):
        return _structured(text)[0]
    return [part.strip() for part in text.split(",") if part.strip()]


def set_value(text: str, key: str, value: str) -> str:
    """The text with `key` set to `value`, one line of YAML as `shown` writes it. Everything else
    stays byte for byte.

    If the key is there, it is changed in place; the last one counts if it is there twice. Else it
    is added below its commented default, to the last fence, or in a new one.
    """
    name = key_named(key).name
    before = read_written(text)
    present = [entry for entry in before.entries if entry.name == name]
    after = _replaced(text, present[-1], value) if present else _added(text, name, value)
    then = read_written(after)
    # A proof: a commented default may stand in the middle of another setting's lines.
    if _values(then) != {**_values(before), name: _value(value)[0]}:
        raise ConfigError(
            f"{name} cannot be set without changing the text around it", hint="Edit it by hand."
        )
    return after


def _blocks(text: str) -> Iterator[tuple[int, int, bool]]:
    """Where the lines with settings are, and whether in a fence. Fences in comments or in other
    fences are prose.
    """
    for match in _BLOCK.finditer(text):
        if match["front"] is not None:
            yield *match.span("front"), False
        elif match["word"] and match["word"].lower() in ("yaml", "yml"):
            yield *match.span("body"), True


def _entry(match: re.Match[str], line: int) -> SettingEntry | tuple[str, str, str]:
    """The setting of a line, or its problem: the key, what is wrong, what to do."""
    if match["other"] is not None:
        hint = "Write one `key: value` per line, or remove the word yaml from the fence."
        return "", "this line is not `key: value`", hint
    name = match["name"].strip()[:60]
    known = ALIASES.get(name, name)
    if known not in KEYS:
        return name, f"there is no setting {name}", ""
    try:
        return _read_entry(match, known, line)
    except ValueError:
        hint = "Close each bracket and quote, and put quotes around a text with signs in it."
        return known, f"the value of {known} cannot be read", hint


def _read_entry(match: re.Match[str], name: str, line: int) -> SettingEntry:
    written = match["value"] or ""
    colon, below = match.end("name") + 1, match.span("below")
    start = colon + len(written) - len(written.lstrip())
    value, length = _value(match.string[start : below[1]])
    if not _COMMENT.sub("", written.strip()):
        return SettingEntry(name, value, line, colon, colon, below)
    return SettingEntry(name, value, line, start, start + length, (below[1], below[1]))


def _value(text: str) -> tuple[Written, int]:
    """The value that a line and those below it have, and its length without the comment behind it.

    ValueError if it cannot be read.
    """
    line, _, below = text.partition("\n")
    bare = _COMMENT.sub("", line.rstrip()).rstrip()
    value: Written = "" if bare in ("~", "null", "Null", "NULL") else bare
    length = len(bare)
    if below.strip() or bare.startswith(_SPECIAL):
        value, length = _structured(text)
    written = json.dumps(value, ensure_ascii=False)
    # Half a character cannot be encoded, which is a ValueError as well.
    if _UNPRINTABLE.search(written.encode().decode()):
        raise ValueError("a sign that nobody sees")
    return value, length


def _structured(text: str) -> tuple[Written, int]:
    with suppress(ValueError, RecursionError):
        found, end = json.JSONDecoder().raw_decode(text)
        if _AFTER.match(text, end):
            return as_written(found), end
    # Of aliases a few lines can make a text without end, and PyYAML is slow.
    if len(text) > _LONGEST_VALUE or _ALIAS.search(text):
        raise ValueError("too much")
    try:
        # PyYAML lets no `?` stand in a text in brackets, as a pattern of a trigger may.
        read = yaml.load(f"x: {text.replace('?', _MARK)}", Loader=yaml.BaseLoader)["x"]
        value: Written = json.loads(json.dumps(read, ensure_ascii=False).replace(_MARK, "?"))
    except (yaml.YAMLError, RecursionError, OverflowError) as error:
        raise ValueError("no YAML") from error
    return value, len(text.rstrip())


def _values(written: WrittenConfig) -> dict[str, Written]:
    return {entry.name: entry.value for entry in written.entries}


def _replaced(text: str, entry: SettingEntry, value: str) -> str:
    """A list's own lines go, a comment beside the key stays."""
    gap = "" if text[entry.start - 1].isspace() else " "
    first, last = entry.below
    return f"{text[: entry.start]}{gap}{value}{text[entry.end : first]}{text[last:]}"


def _added(text: str, name: str, value: str) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    line = f"{name}: {value}{newline}"
    fences = [(start, end) for start, end, is_fence in _blocks(text) if is_fence]
    # Below a line such as `# min_score: 0.35`.
    commented = re.compile(rf"^([ \t]*)#[ \t]*{name}[ \t]*:[^\n]*\n?", re.MULTILINE)
    found = (commented.search(text, start, end) for start, end in reversed(fences))
    titled = f"# {KEYS[name].group}{newline}{line}"
    if match := next(filter(None, found), None):
        at, lines = match.end(), match[1] + line
    elif fences:
        at, lines = fences[-1][1], titled
    else:
        gap = newline if text.strip() else ""
        at, lines = len(text), f"{gap}```yaml{newline}{titled}```{newline}"
    head = text[:at]
    return head + (newline if head and not head.endswith("\n") else "") + lines + text[at:]


# All sources

NOTHING: Mapping[str, Any] = MappingProxyType({})

VARIABLES = {f"CLAWGIT_{name.upper()}": ALIASES.get(name, name) for name in (*ALIASES, *KEYS)}
"""What each variable sets; of two names of one key the key's own counts."""
_LONGEST = 60


class Loaded(NamedTuple):
    """The settings that could be read. A wrong value is a problem, and the next source wins.

    From `load`, they are as written. From a workspace, they are those in force; `pending` has the
    others.
    """

    settings: Settings
    origins: Mapping[str, str]
    problems: tuple[ConfigProblem, ...]
    notes: tuple[str, ...]
    pending: "tuple[PendingSetting, ...]" = ()

    def origin(self, key: str) -> str:
        """Where the value of `key` comes from, for instance `CONFIG.md:14`."""
        return self.origins.get(key, "default")


def settings_in(file: bytes | None) -> Settings:
    """What a CONFIG.md says by itself."""
    return load((file or b"").decode("utf-8", "replace")).settings


def load(
    text: str = "",
    *,
    env: Mapping[str, str] = NOTHING,
    openclaw: Mapping[str, Sourced] = NOTHING,
    file: str = CONFIG_FILE,
) -> Loaded:
    """Merges the text of CONFIG.md and the other sources. An empty env variable counts as unset."""
    written = read_written(text, file)
    values: dict[str, Value] = {}
    origins: dict[str, str] = {}
    problems, notes = [*written.problems], list[str]()
    # From the weakest source to the strongest: each overwrites what came before it. A wrong value
    # overwrites nothing.
    for name, sourced in openclaw.items():
        try:
            values[name] = KEYS[name].kind.read(as_written(sourced.value))
            origins[name] = sourced.origin
        except WrongValueError as error:
            # Not the value itself: somebody else's config may hold a key or a password.
            notes.append(f"{sourced.origin} is ignored: {name} must be {error.expected}")
    for entry in written.entries:
        try:
            values[entry.name] = KEYS[entry.name].kind.read(entry.value)
            origins[entry.name] = f"{file}:{entry.line}"
        except WrongValueError as error:
            where = f"{file}:{entry.line}"
            problems.append(_problem(where, entry.line, entry.name, entry.value, error))
    problems.sort(key=lambda problem: problem.line)
    for variable, name in set_in(env):
        try:
            values[name] = read_value(KEYS[name], env[variable])
            origins[name] = f"env {variable}"
        except WrongValueError as error:
            problems.append(_problem(f"env {variable}", 0, name, env[variable], error))
    settings = Settings(**values)  # type: ignore[arg-type] # each kind reads the type of its own field
    return Loaded(settings, origins, tuple(problems), tuple(notes))


def read_value(key: Key, text: str) -> Value:
    """The value of a text that was typed; WrongValueError if `key` does not allow it."""
    try:
        written = typed_list(text) if key.kind.many else text
    except ValueError as error:
        raise WrongValueError(key.kind.allowed) from error
    return key.kind.read(written)


def set_by_env(env: Mapping[str, str]) -> frozenset[str]:
    """The keys that the environment sets."""
    return frozenset(name for _, name in set_in(env))


def set_in(env: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    return ((variable, name) for variable, name in VARIABLES.items() if env.get(variable))


def _problem(
    where: str, line: int, name: str, written: Written, error: WrongValueError
) -> ConfigProblem:
    message = f"{name} must be {error.expected}"
    # The wrong value, if it is short and cannot be an address with a password in it.
    wrong = shown(written)
    if len(wrong) <= _LONGEST and "://" not in wrong:
        message += f", not {wrong}" if written else ", and has no value"
    return ConfigProblem(where, line, name, message, error.hint)
