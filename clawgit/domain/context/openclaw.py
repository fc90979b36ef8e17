"""What OpenClaw itself puts before a conversation: whole files, and of one that is too long its
head and its tail.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from clawgit.domain.safety import masks

_HEAD = 0.7
_TAIL = 0.2


class Injected(NamedTuple):
    """A file as it is injected; `cut` says what became of it, "" where it is whole."""

    path: str
    text: str
    cut: str = ""


def injected(files: Iterable[tuple[str, str]], each: int, together: int) -> Iterator[Injected]:
    """The files in their order, with so many characters each and together. Those that are not there
    are left out.
    """
    left = together
    for path, text in files:
        if not text.strip():
            continue
        one = _fitted(path, text.rstrip(), each, left)
        left -= len(one.text)
        yield one


def _fitted(path: str, text: str, each: int, left: int) -> Injected:
    most = min(each, left)
    if len(text) <= most:
        return Injected(path, text)
    why = "characters a file" if each <= left else "characters that were left for all files"
    note = f"\n\n[… the middle of {path} is cut out here: it has {len(text):,} characters …]\n\n"
    head, tail = int(most * _HEAD), int(most * _TAIL)
    if most < head + tail + len(note):
        return Injected(path, "", f"left out: {len(text):,} characters, {most:,} {why}")
    told = f"{len(text):,} characters, cut to its first {head:,} and last {tail:,}: {most:,} {why}"
    return Injected(path, f"{masks.head(text, head)}{note}{masks.tail(text, tail)}", told)


def is_shared(session: str) -> bool:
    """Whether others than the operator read a session along, by its key:
    `agent:main:telegram:group:-100`.
    """
    parts = session.lower().split(":")
    return parts[0] == "agent" and any(
        part in ("group", "channel", "room", "guild") for part in parts[2:-1]
    )
