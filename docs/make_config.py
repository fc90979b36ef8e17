# ruff: noqa: INP001 - a script, no package
"""Writes docs/config.md from the settings class; `--check` only says whether it is up to date."""

import sys
from itertools import groupby
from pathlib import Path

from clawgit.core.config.kinds import Guard, shown
from clawgit.core.config.settings import ALIASES, GUARDS, KEYS, Key

PAGE = Path(__file__).with_name("config.md")

INTRO = """\
# Settings

<!-- Made by docs/make_config.py from clawgit/core/config/settings.py. Edit those, then run it. -->

To change a setting, type `clawgit config set KEY VALUE`, or write `key: value` into the workspace's CONFIG.md, in a fenced
block marked `yaml` or in its front matter. If a key is there twice, the later one counts. An unknown key or a wrong value
is an error that names its line, and the other lines count. A text may be in quotes, and must where it begins with a bracket or
holds ` #`, which begins a comment. A list is written `[a, b]`, or as lines of `- a` below its key, or `a,b` on the command line
and in the environment.

The value comes from the first of these places that has one. `clawgit config` shows what differs from the defaults and
where it comes from, `clawgit config --all` shows every setting:

1. the option of a command
2. the environment: `CLAWGIT_` and the key in capitals, such as `CLAWGIT_MIN_SCORE`; an empty value counts as unset
3. CONFIG.md
4. the config of the OpenClaw whose agent uses this workspace, `openclaw.json`
5. the default

A setting with a † is the operator's: only a value that the operator accepted on this machine is in force. Any other value
waits, and `clawgit status` says so. [The last table](#the-operators-settings) lists these settings, and
[safety.md](safety.md#settings-that-can-do-harm) says how to accept them.
"""

GROUPS = {
    "Scope": "Which files are clawgit's. It neither reads nor commits any other.",
    "Context Assembler": "What a new conversation starts with: a limit for all of it, and one for "
    "each slot.",
    "Memory": "How long memories stay as they are, and how their confidence changes.",
    "Soul Keeper": "How the soul may change, and who may change it.",
    "Schedule": "When each job of the runner starts, in the operator's time zone; `off`: never.",
    "Extension Points": "Where your own programs and files connect.",
    "Search": "How a search finds and ranks lines.",
    "Conversations": "What happens to messages and sessions.",
    "Language Model": "Optional: without a model, agents work by rules.",
    "Sharing and Safety": "What may leave this workspace, and what may enter it.",
}
"""What each group of settings is about."""

FREE = {"heartbeat_custom_patterns": "a pattern that calls no script", "chroma": "`embedded`"}
"""What is always harmless."""

GUARDED = """\
## The operator's settings

However a value arrives (by an edit, a merge, a clone, an undo, the environment of an
agent or the config of another program), the last column says what is in force until it is accepted on this machine.
Anybody may set a key that is not in this table.
"""


def page() -> str:
    """The whole text of docs/config.md."""
    groups = groupby(KEYS.values(), lambda key: key.group)
    sections = [f"## {group}\n\n{GROUPS[group]}\n\n{_table(list(keys))}" for group, keys in groups]
    aliases = ", ".join(f"`{alias}` is `{name}`" for alias, name in ALIASES.items())
    return "\n".join([INTRO, *sections, f"Other names: {aliases}.\n", guarded()]) + "\n"


def guarded() -> str:
    """Each setting that is the operator's: what it could do, who may set it, and what holds until
    it is accepted.
    """
    rows = [
        f"| `{name}` | {', '.join(guard.harms)} | {_who(name, guard)} | {_untrusted(name)} |"
        for name, guard in GUARDS.items()
    ]
    return "\n".join(
        [
            GUARDED,
            "| key | in the wrong hands it | who may set it | until it is accepted |",
            "| --- | --- | --- | --- |",
            *rows,
        ]
    )


def _who(name: str, guard: Guard) -> str:
    if guard.rank:
        return "stricter than what is in force: anybody; else the operator"
    if guard.inside:
        return "a path inside the workspace: anybody, but agents by an edit only; else the operator"
    if guard.free:
        return f"{FREE[name]}: anybody, but agents by an edit only; else the operator"
    return "the operator"


def _untrusted(name: str) -> str:
    guard, default = GUARDS[name], KEYS[name].default
    if guard.each:
        return "the accepted items"
    is_off = default == "" or default is False
    return f"the last accepted value, else {'off' if is_off else f'`{shown(default)}`'}"


def _table(keys: list[Key]) -> str:
    rows = [
        f"| {_named(key)} | `{shown(key.default)}` | {key.kind.allowed} | {key.meaning} |"
        for key in keys
    ]
    return "\n".join(
        ["| key | default | it must be | meaning |", "| --- | --- | --- | --- |", *rows, ""]
    )


def _named(key: Key) -> str:
    return f"`{key.name}`{' †' if key.name in GUARDS else ''}"


def main() -> int:
    """1 where the page was asked for with `--check` and is not what it should be."""
    if "--check" not in sys.argv:
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == page():
        return 0
    print("docs/config.md is out of date: run python docs/make_config.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
