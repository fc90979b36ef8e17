"""Reads CONFIG.md: prose with yaml blocks, as entries with their positions."""

import re
from typing import NamedTuple

from clawgit.config.kinds import UnreadableYamlError, YamlNode
from clawgit.config.settings import ALIASES, KEYS, nearest
from clawgit.config.tree import roots

CONFIG_FILE = "CONFIG.md"

# Compiled where they are used: most processes only need the settings class, not the patterns.
_FRONT = r"(?ms)\A\ufeff?---[ \t]*\r?\n(?P<body>.*?)^---[ \t]*\r?$"
_OPENING = r"(?m)^\ufeff? {0,3}(?:<!--|(`{3,}(?=[^`\n]*$)|~{3,})[ \t]*([\w+-]*)[^\n]*)"
_LARGEST = 64 * 1024
"""The most bytes of YAML that are read, because each command waits for it."""


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
    if not blocks:
        return WrittenConfig()
    if sum(block.end - block.start for block in blocks) > _LARGEST:
        problem = ConfigProblem(
            CONFIG_FILE,
            1,
            "",
            "more than 64 KiB of YAML is not a configuration",
            "Keep prose out of the fences.",
        )
        return WrittenConfig(problems=(problem,), unreadable=problem)
    entries: list[SettingEntry] = []
    problems: list[ConfigProblem] = []
    unreadable = None
    for block in blocks:
        trouble = _read_block(text, block, entries, problems)
        unreadable = unreadable or trouble
    return WrittenConfig(tuple(entries), tuple(problems), unreadable)


def _read_block(
    text: str, block: YamlBlock, entries: list[SettingEntry], problems: list[ConfigProblem]
) -> ConfigProblem | None:
    seen: dict[str, int] = {}
    try:
        for root in roots(text, block.start, block.end):
            for key, value in _pairs(root, problems):
                _read_pair(key, value, seen, entries, problems)
    except UnreadableYamlError as error:
        line = text.count("\n", 0, error.at) + 1
        hint = "Quote a value that holds : or #, and indent with spaces."
        problems.append(ConfigProblem(f"{CONFIG_FILE}:{line}", line, "", error.message, hint))
        return problems[-1]
    return None


def _pairs(root: YamlNode, problems: list[ConfigProblem]) -> tuple[tuple[YamlNode, YamlNode], ...]:
    if root.pairs is None and (root.items is not None or root.text):
        hint = "Write one `key: value` per line, or remove the word yaml from the fence."
        problems.append(_problem(root, "", "this yaml block holds no keys", hint))
    return root.pairs or ()


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
