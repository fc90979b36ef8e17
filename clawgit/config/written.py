"""Reads CONFIG.md, which is prose with blocks of YAML, and changes one setting in it."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.config.kinds import UnreadableYamlError, YamlNode
from clawgit.config.settings import ALIASES, KEYS, key_named, nearest
from clawgit.doors import yaml
from clawgit.errors import ConfigError

if TYPE_CHECKING:
    from yaml.events import Event

CONFIG_FILE = "CONFIG.md"

# Compiled where they are used: most processes only need the settings class, not the patterns.
_FRONT = r"(?ms)\A\ufeff?---[ \t]*\r?\n(?P<body>.*?)^---[ \t]*\r?$"
_OPENING = r"(?m)^\ufeff? {0,3}(?:<!--|(`{3,}(?=[^`\n]*$)|~{3,})[ \t]*([\w+-]*)[^\n]*)"
_LARGEST = 64 * 1024
"""The most bytes of YAML that are read, because each command waits for it."""

_DEEPEST = 6
_NULLS = ("~", "null", "Null", "NULL")


class YamlBlock(NamedTuple):
    """The place of YAML in the text. `fenced` is false for front matter."""

    start: int
    end: int
    fenced: bool = True


class SettingEntry(NamedTuple):
    name: str
    key: YamlNode
    value: YamlNode


class ConfigProblem(NamedTuple):
    """One thing that is wrong. `where` is what to open: `CONFIG.md:14`, `env CLAWGIT_MIN_SCORE`."""

    where: str
    line: int
    key: str
    message: str
    hint: str = ""


class WrittenConfig(NamedTuple):
    """What CONFIG.md says. Entries have known keys. `unreadable`: a block could not be read."""

    entries: tuple[SettingEntry, ...] = ()
    problems: tuple[ConfigProblem, ...] = ()
    unreadable: ConfigProblem | None = None


def read_blocks(text: str) -> list[YamlBlock]:
    """The YAML of front matter and of every fence marked yaml. Fences in other fences or in
    comments are prose.
    """
    blocks: list[YamlBlock] = []
    at = 0
    if front := re.match(_FRONT, text):
        blocks.append(YamlBlock(*front.span("body"), fenced=False))
        at = front.end()
    opening_of = re.compile(_OPENING)
    while opening := opening_of.search(text, at):
        if opening[1] is None:
            closed = text.find("-->", opening.end())
            # A comment without an end goes on to the end of the file, as in Markdown.
            at = closed if closed >= 0 else len(text)
            continue
        start = min(opening.end() + 1, len(text))
        # The end of a fence has as many signs as its beginning, or more.
        closing = re.compile(
            rf"^ {{0,3}}{opening[1]}{opening[1][0]}*[ \t]*\r?$", re.MULTILINE
        ).search(text, start)
        end, at = closing.span() if closing else (len(text), len(text))
        if opening[2].lower() in {"yaml", "yml"}:
            blocks.append(YamlBlock(start, end))
    return blocks


def read_written(text: str) -> WrittenConfig:
    """Never raises: what cannot be read becomes a problem with its line."""
    blocks = read_blocks(text)
    if sum(block.end - block.start for block in blocks) > _LARGEST:
        message = "more than 64 KiB of YAML is not a configuration"
        problem = ConfigProblem(CONFIG_FILE, 1, "", message, "Keep prose out of the fences.")
        return WrittenConfig(problems=(problem,), unreadable=problem)
    entries: list[SettingEntry] = []
    problems: list[ConfigProblem] = []
    unreadable = None
    for block in blocks:
        unreadable = _read_block(text, block, entries, problems) or unreadable
    return WrittenConfig(tuple(entries), tuple(problems), unreadable)


def set_value(text: str, key: str, value: str) -> str:
    """The text with `key` set to `value`, one line of YAML as `shown` writes it. Everything else
    stays byte for byte.

    If the key is there, it is changed in place; the last one counts if it is there twice. Else it
    is added below its commented default, to the last fence, or in a new one.
    """
    name = key_named(key).name
    before = read_written(text)
    if before.unreadable:
        trouble = before.unreadable
        raise ConfigError(
            f"{trouble.where}: {trouble.message}", hint=trouble.hint, line=trouble.line
        )
    present = [entry for entry in before.entries if entry.name == name]
    tries = [_replaced(text, present[-1], value)] if present else _added(text, name, value)
    for after in tries:
        if _is_only_change(before, read_written(after), name, value):
            return after
    where = f"{CONFIG_FILE}:{present[-1].key.line}" if present else CONFIG_FILE
    raise ConfigError(
        f"{where}: {name} cannot be set without changing the text around it",
        hint="Edit it by hand.",
    )


def roots(text: str, start: int, end: int) -> Iterator[YamlNode]:
    """The top-level values of the YAML in text[start:end], with lines and offsets of `text`.

    Only events are read, so a file cannot construct objects, expand aliases or recurse deeply.
    """
    source = text[start:end]
    if bad := yaml.reader.Reader.NON_PRINTABLE.search(source):
        raise UnreadableYamlError(
            f"the character {bad[0]!a} is not allowed in YAML", start + bad.start()
        )
    events = yaml.parse(source, Loader=_loader())
    try:
        for event in events:
            if isinstance(event, yaml.NodeEvent):
                yield _node(events, event, text, start, 0)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise UnreadableYamlError(
            f"this is not YAML: {error.problem}", start + (mark.index if mark else 0)
        ) from error
    except (OverflowError, ValueError) as error:
        if isinstance(error, UnreadableYamlError):
            raise
        raise UnreadableYamlError("an escape in quotes is not a valid character", start) from error


def _read_block(
    text: str, block: YamlBlock, entries: list[SettingEntry], problems: list[ConfigProblem]
) -> ConfigProblem | None:
    seen: dict[str, int] = {}
    try:
        for root in roots(text, block.start, block.end):
            if root.pairs is None and (root.items is not None or root.text):
                hint = "Write one `key: value` per line, or remove the word yaml from the fence."
                problems.append(_problem(root, "", "this yaml block holds no keys", hint))
            for key, value in root.pairs or ():
                _read_pair(key, value, seen, entries, problems)
    except UnreadableYamlError as error:
        line = text.count("\n", 0, error.at) + 1
        hint = "Quote a value that holds : or #, and indent with spaces."
        problems.append(ConfigProblem(f"{CONFIG_FILE}:{line}", line, "", error.message, hint))
        return problems[-1]
    return None


def _read_pair(
    key: YamlNode,
    value: YamlNode,
    seen: dict[str, int],
    entries: list[SettingEntry],
    problems: list[ConfigProblem],
) -> None:
    name = ALIASES.get(key.text, key.text)
    if not key.is_scalar or name not in KEYS:
        shown = key.text[:60] if key.is_scalar else "a list"
        problems.append(_problem(key, shown, f"there is no setting {shown}", nearest(shown)))
        return
    if name in seen:
        message = f"{key.text} is there twice in one block, first on line {seen[name]}"
        problems.append(_problem(key, name, message, "Keep one of the two."))
    seen[name] = key.line
    entries.append(SettingEntry(name, key, value))


def _problem(node: YamlNode, key: str, message: str, hint: str) -> ConfigProblem:
    return ConfigProblem(f"{CONFIG_FILE}:{node.line}", node.line, key, message, hint)


def _loader() -> Any:
    """The C loader is fifteen times faster. Only events are used, which are the same in both."""
    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _node(
    events: "Iterator[Event]", event: "Event", text: str, offset: int, depth: int
) -> YamlNode:
    start, end = (offset + at for at in _span(event))
    line = text.count("\n", 0, start) + 1
    if isinstance(event, yaml.AliasEvent):
        raise UnreadableYamlError(
            "an alias (*name) is not supported here: write the value out", start
        )
    if isinstance(event, yaml.ScalarEvent):
        word = "" if event.implicit[0] and event.value in _NULLS else event.value
        return YamlNode(word, line=line, start=start, end=start + len(text[start:end].rstrip()))
    if depth == _DEEPEST:
        raise UnreadableYamlError("this is nested deeper than any setting", start)
    children, end = _children(events, text, offset, depth)
    end = max([end, *(child.end for child in children)])
    if isinstance(event, yaml.SequenceStartEvent):
        return YamlNode(items=children, line=line, start=start, end=end)
    pairs = tuple(zip(children[::2], children[1::2], strict=True))
    return YamlNode(pairs=pairs, line=line, start=start, end=end)


def _children(
    events: "Iterator[Event]", text: str, offset: int, depth: int
) -> tuple[tuple[YamlNode, ...], int]:
    """The nodes of a collection, and the end of its closing bracket; 0 for a block, whose end yaml
    reports too far down.
    """
    children: list[YamlNode] = []
    for event in events:
        if isinstance(event, yaml.CollectionEndEvent):
            start, end = _span(event)
            return tuple(children), offset + end if end > start else 0
        children.append(_node(events, event, text, offset, depth + 1))
    raise UnreadableYamlError("this ends too early", len(text))


def _span(event: "Event") -> tuple[int, int]:
    if event.start_mark is None or event.end_mark is None:
        raise UnreadableYamlError("this cannot be located", 0)
    return event.start_mark.index, event.end_mark.index


def _replaced(text: str, entry: SettingEntry, value: str) -> str:
    old = entry.value
    colon = text.index(":", entry.key.end) + 1
    if "\n" not in text[colon : old.start]:
        gap = "" if text[colon : old.start] else " "
        return text[: old.start] + gap + value + text[old.end :]
    # A block list or mapping: its lines go, a comment beside the key stays.
    first = text.rindex("\n", 0, old.start) + 1
    return f"{text[:colon]} {value}{text[colon:first]}{text[_line_end(text, old.end) :]}"


def _added(text: str, name: str, value: str) -> Iterator[str]:
    newline = "\r\n" if "\r\n" in text else "\n"
    line = f"{name}: {value}{newline}"
    fences = [block for block in read_blocks(text) if block.fenced]
    # Below a line such as `# min_score: 0.35`.
    commented = re.compile(rf"^([ \t]*)#[ \t]*{name}[ \t]*:.*$", re.MULTILINE)
    for block in reversed(fences):
        if match := commented.search(text, block.start, block.end):
            yield _inserted(text, _line_end(text, match.end()), match[1] + line, newline)
    titled = f"# {KEYS[name].group}{newline}{line}"
    if fences:
        yield _inserted(text, fences[-1].end, titled, newline)
    gap = newline if text.strip() else ""
    yield _inserted(text, len(text), f"{gap}```yaml{newline}{titled}```{newline}", newline)


def _inserted(text: str, at: int, lines: str, newline: str) -> str:
    head = text[:at]
    return head + (newline if head and not head.endswith("\n") else "") + lines + text[at:]


def _line_end(text: str, at: int) -> int:
    """Where the line after the one of `at` begins."""
    newline = text.find("\n", at)
    return newline + 1 if newline >= 0 else len(text)


def _is_only_change(before: WrittenConfig, after: WrittenConfig, name: str, value: str) -> bool:
    """Whether `name` now has `value`, and all other keys and problems are as before."""
    wanted = read_written(f"```yaml\n{name}: {value}\n```\n").entries
    (old, _), (new, mine) = _parted(before, name), _parted(after, name)
    return (
        not after.unreadable
        and mine == [entry.value for entry in wanted]
        and old == new
        and len(after.problems) == len(before.problems)
    )


def _parted(written: WrittenConfig, name: str) -> tuple[list[tuple[str, YamlNode]], list[YamlNode]]:
    """All values but the last of `name`, and that one."""
    others = [(entry.name, entry.value) for entry in written.entries]
    last = max((at for at, (key, _) in enumerate(others) if key == name), default=-1)
    return others, [others.pop(last)[1]] if last >= 0 else []
