"""Triage of one message: the built-in patterns, and those of the operator within a limit of
time.
"""

import re
from collections.abc import Iterable
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.domain.conversation.triage import (
    Reading,
    Trigger,
    custom,
    has_priority,
    read,
    triggers,
)

if TYPE_CHECKING:
    from clawgit.config import CustomPattern
    from clawgit.ops.workspace.workspace import Workspace

_KEY = "heartbeat_custom_patterns"
_SET = re.compile(rb"heartbeat_custom_patterns(?![\"']?\s*:\s*\[\s*\])")
_SECONDS = 0.005
_SEARCHED = 8192
"""How long a pattern of the operator may take, and how much of a message it sees."""


class Triaged(NamedTuple):
    """`elapsed_ms` leaves out the start of the process. `cut_off` names patterns of CONFIG.md that
    took too long here, and `notes` those that cannot be used.
    """

    priority: bool
    triggers: tuple[Trigger, ...]
    elapsed_ms: float
    cut_off: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Patterns(NamedTuple):
    """The operator's own patterns, and what is wrong with what CONFIG.md says of them."""

    usable: tuple["CustomPattern", ...] = ()
    notes: tuple[str, ...] = ()


def patterns_of(workspace: "Workspace") -> Patterns:
    """Those of the settings. One mistake in CONFIG.md keeps no message from being triaged."""
    if not _sets_some(workspace):
        return Patterns()
    loaded = workspace.config
    wrong = (
        f"{problem.where}: {problem.message}" for problem in loaded.problems if problem.key == _KEY
    )
    return Patterns(loaded.settings.heartbeat_custom_patterns, tuple(wrong))


def _sets_some(workspace: "Workspace") -> bool:
    """Most workspaces set none, and need not wait until all settings are read."""
    try:
        written = (workspace.root / workspace.config_file).read_bytes()
    except OSError:
        written = b""
    return bool(workspace.caller.env.get(f"CLAWGIT_{_KEY.upper()}") or _SET.search(written))


def triage(text: str, patterns: Patterns | None = None) -> Triaged:
    """Which agents a message calls, and by which of its words. Nothing is kept."""
    begun = perf_counter()
    own = patterns or Patterns()
    reading = read(text)
    found = triggers(reading)
    if own.usable:
        added, cut_off, notes = _custom(own.usable, reading)
    else:
        added, cut_off, notes = [], [], []
    found += added
    elapsed = round((perf_counter() - begun) * 1000, 3)
    return Triaged(has_priority(found), tuple(found), elapsed, tuple(cut_off), (*own.notes, *notes))


def _custom(
    patterns: Iterable["CustomPattern"], reading: Reading
) -> tuple[list[Trigger], list[str], list[str]]:
    """What the operator's patterns find, which of them took too long, and which mean nothing to
    this machine.
    """
    import regex  # noqa: PLC0415 - only who has patterns of his own pays for it; `re` knows no limit of time

    found, cut_off, notes = list[Trigger](), list[str](), list[str]()
    for pattern, route, confidence in patterns:
        try:
            match = _compiled(pattern).search(reading.plain, endpos=_SEARCHED, timeout=_SECONDS)
        except TimeoutError:
            cut_off.append(pattern)
        except regex.error as error:
            notes.append(f"{pattern} is not used: {error}")
        else:
            found += (
                [custom(reading, pattern, match.span(), route, confidence)]
                if match and match[0]
                else []
            )
    return found, cut_off, notes


def _compiled(pattern: str) -> Any:
    import warnings  # noqa: PLC0415 - only where patterns are set

    import regex  # noqa: PLC0415

    body, _, flags = pattern[1:].rpartition("/")
    known = {"i": regex.IGNORECASE, "m": regex.MULTILINE, "s": regex.DOTALL, "u": regex.UNICODE}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return regex.compile(body, sum(known[flag] for flag in set(flags)))
