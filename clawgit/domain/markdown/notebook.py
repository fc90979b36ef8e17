"""How much MEMORY.md may hold, and how a list item in it begins."""

import re

from clawgit.language.lazily import lazily

NOTEBOOK_CHARACTERS = 20_000
NOTEBOOK_LINES = 200
"""The limits of MEMORY.md. OpenClaw cuts the middle out of a longer file."""

BULLET = lazily(r" {0,3}(?:[-+*]|[0-9]{1,9}[.)])(?:[ \t]+|$)(?:\[[xX]\][ \t]+)?", re.MULTILINE)
"""How a list item begins, with the tick of a task that is done."""


def fits(text: str) -> bool:
    return len(text) <= NOTEBOOK_CHARACTERS and len(text.splitlines()) <= NOTEBOOK_LINES
