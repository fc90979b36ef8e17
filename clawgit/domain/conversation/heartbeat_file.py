"""HEARTBEAT.md, as OpenClaw reads it: what the agent is to look after between conversations."""

import re

PATH = "HEARTBEAT.md"
OK = "HEARTBEAT_OK"
"""The answer by which an agent tells OpenClaw that nothing needs the human."""

_EMPTY = re.compile(r"#+(?:\s.*)?|[-*+]\s*(?:\[[ xX]?\]\s*)?|")
_BOX = re.compile(r"[-*+]\s+(?:\[[ xX]?\]\s*)?")


def asked(text: str) -> tuple[str, ...]:
    """What the file asks for, line by line.

    Headings, blank lines and empty boxes are nothing: a file of these alone costs no model call.
    """
    lines = (line.strip() for line in text.splitlines())
    return tuple(_BOX.sub("", line, count=1) for line in lines if not _EMPTY.fullmatch(line))
