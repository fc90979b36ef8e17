"""What OpenClaw itself puts before a conversation: files, cut in the middle if too long."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from clawgit.domain.safety import masks

_HEAD = 0.7
_TAIL = 0.2
"""The shares of the limit that the start and the end of a cut file get; the rest is for the
note.
"""


class Injected(NamedTuple):
    """A file as OpenClaw would inject it; `cut` says how it was cut, "" if it is whole."""

    path: str
    text: str
    cut: str = ""


def injected(files: Iterable[tuple[str, str]], each: int, together: int) -> Iterator[Injected]:
    """The files in their order, with at most `each` characters each and `together` in all.

    Empty files are left out.
    """
    left = together
    for path, text in files:
        if not text.strip():
            continue
        fitted = _fitted(path, text.rstrip(), each, left)
        left -= len(fitted.text)
        yield fitted


def _fitted(path: str, text: str, each: int, left: int) -> Injected:
    most = min(each, left)
    if len(text) <= most:
        return Injected(path, text)
    why = "characters a file" if each <= left else "characters that were left for all files"
    note = f"\n\n[… the middle of {path} is cut out here: it has {len(text):,} characters …]\n\n"
    head, tail = int(most * _HEAD), int(most * _TAIL)
    if most < head + tail + len(note):
        return Injected(path, "", f"left out: {len(text):,} characters, {most:,} {why}")
    cut = f"{len(text):,} characters, cut to its first {head:,} and last {tail:,}: {most:,} {why}"
    return Injected(path, f"{masks.head(text, head)}{note}{masks.tail(text, tail)}", cut)


def is_shared(session: str) -> bool:
    """Whether others can read a session, by its key, such as `agent:main:telegram:group:-100`."""
    parts = session.lower().split(":")
    return parts[0] == "agent" and any(
        part in ("group", "channel", "room", "guild") for part in parts[2:-1]
    )
