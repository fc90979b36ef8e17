"""The note of a session that ends: its last messages as a file of memory, in which whatever was
said is only text.
"""

import re
import unicodedata
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from clawgit.domain.conversation.chat import plain, unwrapped
from clawgit.domain.conversation.session import (
    ASSISTANT,
    NO_REPLY,
    USER,
    SessionMessage,
    said_in,
    text_of,
)
from clawgit.domain.conversation.transcript import TranscriptEntry
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.slug import keywords, slug
from clawgit.domain.safety import masks
from clawgit.domain.workspace.tiers import dated

_RESET = "reset"
_COMMAND = "/"
_LONGEST = 4000
_MOST = 400_000
"""Characters of one message, and of all that go into a note."""

_HEAD_LINES = 20
_TITLE = frames.SESSION
_NAME = re.compile(r"\d{4}-\d{2}-\d{2}-.+\.md")
_LABEL = re.compile(r"(?:[-*+] +)?\**(?:Session Key|Session ID|Source)\b\**:", re.IGNORECASE)
_ID = re.compile(r"\s*[-*][ \t]+\**Session ID\**:\**[ \t]*(.*\S)\s*", re.IGNORECASE)
_WEIGHTS = {USER: 2, ASSISTANT: 1}

_SPEAKER = re.compile(r"([^\W\d_]+):")
_NUMBERED = re.compile(r"(\d{1,9})([.)])")
_MARKUP = re.compile(r"(\\*)<(?=[A-Za-z/])")
_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


SlugOf = Callable[[Sequence[SessionMessage]], str]
"""Names what was talked about in one or two words, "" where it cannot: by rules, or by a model."""


class Ending(NamedTuple):
    """The last things said in a session by the user and the assistant; `mark` tells apart what a
    reset divided.
    """

    said: tuple[SessionMessage, ...]
    mark: str = ""


class About(NamedTuple):
    """What the head of a note tells. `ended` is in the operator's zone."""

    key: str
    id: str
    source: str
    ended: datetime


def ending(entries: Iterable[TranscriptEntry], count: int) -> Ending:
    """The last `count` messages since the last reset after which anything was said: no commands, no
    tools.
    """
    said: deque[SessionMessage] = deque(maxlen=count)
    mark = coming = ""
    for entry in entries:
        if entry.type == _RESET:
            coming = entry.id
        elif (one := said_in(entry)) and _is_spoken(one):
            if coming:
                said.clear()
                mark, coming = coming, ""
            said.append(one)
    return Ending(tuple(said), mark)


def slug_by_rules(said: Sequence[SessionMessage]) -> str:
    """The words that come up most, those of the user before those of the assistant."""
    return keywords((_WEIGHTS[one.role], _words(one)) for one in said)


def note_name(said: Sequence[SessionMessage], ended: datetime, slug_of: SlugOf) -> str:
    """The path of a note, by its day and what was talked about; by its time where that has no
    name.
    """
    return f"memory/{ended:%Y-%m-%d}-{slug(slug_of(said)) or ended.strftime('%H%M')}.md"


def note(about: About, said: Sequence[SessionMessage]) -> str:
    """The file: a head as OpenClaw's session memory writes it, then one paragraph for each
    message.
    """
    head = (("Session Key", about.key), ("Session ID", about.id), ("Source", about.source))
    zone = about.ended.strftime("%z")
    title = f"{_TITLE} {about.ended:%Y-%m-%d %H:%M} {zone[:3]}:{zone[3:]}"
    facts = "\n".join(f"- **{name}**: {in_line(value) or 'unknown'}" for name, value in head)
    longest = min(_LONGEST, _MOST // max(len(said), 1))
    turns = [f"{one.role}: {as_text(_clipped(_words(one), longest))}" for one in said]
    return "\n\n".join([title, facts, frames.TALK, *turns]) + "\n"


def is_label(line: str) -> bool:
    """Whether a list item is one of the head's, which say something about their session alone."""
    return _LABEL.match(line) is not None


def is_note_of(text: str, ident: str) -> bool:
    """Whether a file is the note of the session with that id, be it OpenClaw's or ours."""
    lines = text.removeprefix("\ufeff").lstrip().split("\n", _HEAD_LINES)[:_HEAD_LINES]
    found = next(filter(None, map(_ID.fullmatch, lines)), None)
    return lines[0].startswith(_TITLE) and found is not None and found[1] in (ident, in_line(ident))


def may_be_note(name: str, ended: datetime) -> bool:
    """Whether a file below memory/ may be the note of a session that ended then: OpenClaw's days
    are those of UTC.
    """
    day = dated(name) if _NAME.fullmatch(name) else None
    return day is not None and (ended.date() - day).days <= 1


def in_line(text: str) -> str:
    """A value as one line in which nothing is markup, a tag or a comment."""
    text = " ".join(_printable(text).split())
    return _inert(re.sub(r"([\\`*#\[\]])", r"\\\1", text))


def as_text(text: str) -> str:
    """Lines as one paragraph: what would be a heading, item, fence, table, quote or another speaker
    is only text.
    """
    lines = (" ".join(line.split()) for line in _printable(text).split("\n"))
    first, *rest = filter(None, lines)
    return "\n".join([_inert(first), *(_inert(_unstructured(line)) for line in rest)])


def _words(said: SessionMessage) -> str:
    """What was typed, without what OpenClaw tells its model about who typed it."""
    return unwrapped(text_of(said)) if said.role == USER else text_of(said)


def _is_spoken(said: SessionMessage) -> bool:
    text = _printable(_words(said)).strip()
    is_talk = said.role in _WEIGHTS and text != NO_REPLY
    return is_talk and bool(text) and not text.startswith(_COMMAND)


def _unstructured(line: str) -> str:
    """Any sign of punctuation may be escaped, so one rule serves for all that Markdown begins a
    block with.
    """
    if line[0] in _PUNCTUATION:
        return f"\\{line}"
    line = _SPEAKER.sub(r"\1\\:", line, count=1) if _SPEAKER.match(line) else line
    return _NUMBERED.sub(r"\1\\\2", line, count=1) if _NUMBERED.match(line) else line


def _inert(line: str) -> str:
    """A comment is broken up rather than escaped: who looks for one need not know of
    backslashes.
    """
    line = line.replace("<!", "<\\!").replace("<?", "<\\?")
    return _MARKUP.sub(r"\1\1\\<", line)


def _clipped(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    tail = longest // 4
    between = frames.LEFT_OUT.format(count=len(text) - longest)
    return f"{masks.head(text, longest - tail)}\n{between}\n{masks.tail(text, tail)}"


def _printable(text: str) -> str:
    return "".join(
        sign for sign in plain(text) if sign.isspace() or unicodedata.category(sign) != "Cc"
    )
