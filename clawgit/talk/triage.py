"""Triage of one message: the built-in patterns, and the operator's own within a time limit."""

import re
import warnings
from time import perf_counter
from typing import TYPE_CHECKING, Any

from clawgit.core import NamedTuple
from clawgit.core.disk.plainfile import read_plain
from clawgit.core.doors import regex
from clawgit.talk.rules.triage import Trigger, has_priority, read, triggers

if TYPE_CHECKING:
    from clawgit.core.config.kinds import CustomPattern
    from clawgit.workspace.workspace import Workspace

_KEY = "heartbeat_custom_patterns"
_SET = re.compile(rb"heartbeat_custom_patterns(?![\"']?\s*:\s*\[\s*\])")
_SECONDS = 0.005
"""How long a pattern of the operator may take."""

_SEARCHED = 8192
"""How many characters of a message it sees."""


class Triaged(NamedTuple):
    """`elapsed_ms` excludes the start of the process.

    `cut_off` names patterns of CONFIG.md that took too long here; `notes` those that are invalid.
    """

    priority: bool
    triggers: tuple[Trigger, ...]
    elapsed_ms: float
    cut_off: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Patterns(NamedTuple):
    """The operator's own patterns, and what is wrong with others in CONFIG.md."""

    usable: tuple["CustomPattern", ...] = ()
    notes: tuple[str, ...] = ()


def patterns_of(workspace: "Workspace") -> Patterns:
    """The patterns of the settings. A mistake in CONFIG.md stops no message from being triaged."""
    try:
        written = read_plain(workspace.root / workspace.config_file)
    except OSError:
        written = b""
    # Most set none, and then the settings need not be parsed.
    if not (workspace.env.get(f"CLAWGIT_{_KEY.upper()}") or _SET.search(written)):
        return Patterns()
    loaded = workspace.config
    wrong = (
        f"{problem.where}: {problem.message}" for problem in loaded.problems if problem.key == _KEY
    )
    return Patterns(loaded.settings.heartbeat_custom_patterns, tuple(wrong))


def triage(text: str, patterns: Patterns) -> Triaged:
    """Which agents a message calls, and by which of its words. Nothing is stored."""
    begun = perf_counter()
    reading, cut_off = read(text), list[str]()
    hits = triggers(reading)
    for pattern, route, confidence in patterns.usable:
        try:
            match = _compiled(pattern).search(reading.plain, endpos=_SEARCHED, timeout=_SECONDS)
        except (TimeoutError, regex.error):
            cut_off.append(pattern)  # or it is invalid here
        else:
            # A pattern that matches an empty text matches everywhere, so it is ignored.
            if match and match[0]:
                said = reading.text[slice(*match.span())]
                hits.append(Trigger("custom", confidence, pattern, said, route))
    elapsed = round((perf_counter() - begun) * 1000, 3)
    return Triaged(has_priority(hits), tuple(hits), elapsed, tuple(cut_off), patterns.notes)


def _compiled(pattern: str) -> Any:
    body, _, flags = pattern[1:].rpartition("/")
    known = {"i": regex.IGNORECASE, "m": regex.MULTILINE, "s": regex.DOTALL, "u": regex.UNICODE}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return regex.compile(body, sum(known[flag] for flag in set(flags)))
