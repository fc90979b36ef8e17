"""Changes one setting in the text of CONFIG.md; everything else stays byte for byte."""

import re
from collections.abc import Iterator

from clawgit.config.kinds import YamlNode
from clawgit.config.settings import KEYS, key_named
from clawgit.config.written import (
    CONFIG_FILE,
    SettingEntry,
    WrittenConfig,
    YamlBlock,
    read_blocks,
    read_written,
)
from clawgit.errors import ConfigError


def set_value(text: str, key: str, value: str) -> str:
    """The text with `key` set to `value`, one line of YAML as `shown` writes it.

    If the key is there, it is changed in place; the last one counts if it is there twice. Else it
    is added below its commented default, after the last key of its group, to the last fence, or in
    a new fence, whichever works first.
    """
    name = key_named(key).name
    before = read_written(text)
    if before.unreadable:
        trouble = before.unreadable
        raise ConfigError(
            f"{trouble.where}: {trouble.message}", hint=trouble.hint, line=trouble.line
        )
    present = [entry for entry in before.entries if entry.name == name]
    tries = [_replaced(text, present[-1], value)] if present else _added(text, before, name, value)
    for after in tries:
        if _is_only_change(before, read_written(after), name, value):
            return after
    where = f"{CONFIG_FILE}:{present[-1].key.line}" if present else CONFIG_FILE
    raise ConfigError(
        f"{where}: {name} cannot be set without changing the text around it",
        hint="Edit it by hand.",
    )


def _replaced(text: str, entry: SettingEntry, value: str) -> str:
    old = entry.value
    colon = text.index(":", entry.key.end) + 1
    if "\n" not in text[colon : old.start]:
        gap = "" if text[colon : old.start] else " "
        return text[: old.start] + gap + value + text[old.end :]
    # A block list or mapping: its lines go, a comment beside the key stays.
    first = text.rindex("\n", 0, old.start) + 1
    return f"{text[:colon]} {value}{text[colon:first]}{text[_line_end(text, old.end) :]}"


def _added(text: str, before: WrittenConfig, name: str, value: str) -> Iterator[str]:
    newline = "\r\n" if "\r\n" in text else "\n"
    line = f"{name}: {value}{newline}"
    fences = [block for block in read_blocks(text) if block.fenced]
    for at, indent in (*_beside_comment(text, fences, name), *_after_group(text, before, name)):
        yield _inserted(text, at, indent + line, newline)
    titled = f"# {KEYS[name].group.title}{newline}{line}"
    if fences:
        yield _inserted(text, fences[-1].end, titled, newline)
    gap = newline if text.strip() else ""
    yield _inserted(text, len(text), f"{gap}```yaml{newline}{titled}```{newline}", newline)


def _beside_comment(text: str, fences: list[YamlBlock], name: str) -> Iterator[tuple[int, str]]:
    """Below a line such as `# min_score: 0.35`."""
    commented = re.compile(rf"^([ \t]*)#[ \t]*{name}[ \t]*:.*$", re.MULTILINE)
    for block in reversed(fences):
        if match := commented.search(text, block.start, block.end):
            yield _line_end(text, match.end()), match[1]


def _after_group(text: str, before: WrittenConfig, name: str) -> Iterator[tuple[int, str]]:
    relatives = [entry for entry in before.entries if KEYS[entry.name].group == KEYS[name].group]
    for entry in relatives[-1:]:
        indent = text[text.rfind("\n", 0, entry.key.start) + 1 : entry.key.start]
        if not indent.strip():
            yield _line_end(text, max(entry.key.end, entry.value.end)), indent


def _inserted(text: str, at: int, lines: str, newline: str) -> str:
    head = text[:at]
    return head + (newline if head and not head.endswith("\n") else "") + lines + text[at:]


def _line_end(text: str, at: int) -> int:
    """Where the line after the one of `at` begins."""
    newline = text.find("\n", at)
    return newline + 1 if newline >= 0 else len(text)


def _is_only_change(before: WrittenConfig, after: WrittenConfig, name: str, value: str) -> bool:
    """Whether `name` now has `value`, and all other keys and problems are as before."""
    mine = [entry for entry in after.entries if entry.name == name]
    wanted = read_written(f"```yaml\n{name}: {value}\n```\n").entries
    if (
        after.unreadable
        or not mine
        or len(wanted) != 1
        or _bare(mine[-1].value) != _bare(wanted[0].value)
    ):
        return False
    return _others(before, name) == _others(after, name) and len(after.problems) == len(
        before.problems
    )


def _others(written: WrittenConfig, name: str) -> list[tuple[str, YamlNode]]:
    last = max((at for at, entry in enumerate(written.entries) if entry.name == name), default=-1)
    return [
        (entry.name, _bare(entry.value)) for at, entry in enumerate(written.entries) if at != last
    ]


def _bare(node: YamlNode) -> YamlNode:
    """The node without its position, to compare values."""
    items = None if node.items is None else tuple(map(_bare, node.items))
    pairs = (
        None
        if node.pairs is None
        else tuple((_bare(key), _bare(value)) for key, value in node.pairs)
    )
    return YamlNode(node.text, items, pairs)
