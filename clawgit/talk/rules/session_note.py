"""The older part of a session in short, and the notes of a session as memory files: its last
messages, and its summary.
"""

import re
import unicodedata
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from math import inf

from clawgit.core import NamedTuple
from clawgit.core.markdown import frames
from clawgit.core.markdown.excerpt import one_line
from clawgit.core.markdown.slug import keywords, slug
from clawgit.core.tiers import NOTES, note_path
from clawgit.core.tokens import estimate_tokens
from clawgit.language.clauses import is_asking
from clawgit.language.judges.judging import acts, thresholds, worth
from clawgit.safety.rules.masks import both_ends
from clawgit.talk.rules.chat import ANOTHER, ASSISTANT, USER, plain, unwrapped
from clawgit.talk.rules.passages import Passage, passages
from clawgit.talk.rules.session import (
    ASKING,
    NO_REPLY,
    RESET,
    SUMMARY,
    SYSTEM,
    SessionMessage,
    answered_by,
    calls_of,
    digest,
    said_in,
    text_of,
    tokens_of,
)
from clawgit.talk.rules.transcript import TranscriptEntry


class CompactedSession(NamedTuple):
    """What goes to the model now. `told` messages were summarised; if 0, nothing has changed."""

    messages: tuple[SessionMessage, ...]
    summary: str
    told: int
    first_kept: str


def compact(messages: Sequence[SessionMessage], keep: int, budget: int) -> CompactedSession:
    """Replaces what is between the leading instructions and the last `keep` turns by a summary.

    Nothing changes if that would save nothing.
    """
    roles = [message.role for message in messages]
    lead = next((at for at, role in enumerate(roles) if role != SYSTEM), len(messages))
    cut = max(lead, cut_before(messages, keep))
    older = messages[lead:cut]
    unchanged = CompactedSession(tuple(messages), "", 0, messages[0].id if messages else "")
    # Only summaries, or nothing at all: there is no new message to summarise.
    if all(message.role == SUMMARY for message in older):
        return unchanged
    summary = _summary(older, summary_by_rules(older, budget))
    if tokens_of(summary) >= tokens_of(*older):
        return unchanged
    kept = (message._replace(used=0) for message in messages[cut:])
    first = messages[cut].id if cut < len(messages) else ""
    return CompactedSession(
        (*messages[:lead], summary, *kept), summary.value["summary"], len(older), first
    )


def cut_before(messages: Sequence[SessionMessage], keep: int) -> int:
    """Where the last `keep` turns begin. A turn is a message of the user with all that follows.

    A tool's result is never separated from its call, so the cut may move further up.
    """
    turns = [at for at, message in enumerate(messages) if message.role in ASKING]
    if len(turns) < keep:
        return 0
    cut = turns[-keep] if keep else len(messages)
    calls = {ident: at for at, message in enumerate(messages) for ident in calls_of(message)}
    for at in reversed(range(len(messages))):
        # From the end on: what comes after the new cut may answer a call before it, too.
        if at >= cut:
            cut = min(cut, calls.get(answered_by(messages[at]), cut))
    return cut


def _summary(older: Sequence[SessionMessage], account: str) -> SessionMessage:
    times = [message.time for message in older if message.time]
    span = f", {min(times):%Y-%m-%d %H:%M} to {max(times):%Y-%m-%d %H:%M} UTC" if times else ""
    text = f"{frames.SUMMARY} ({len(older)} messages{span}):\n{account}".rstrip()
    value = {"role": "compactionSummary", "summary": text, "tokensBefore": tokens_of(*older)}
    return SessionMessage(digest(value), SUMMARY, max(times, default=None), value)


# The notes of a session: its last messages, and its summary. Nothing in a message can act as
# Markdown there: no heading, item, tag or comment

_COMMAND = "/"
_LAST = 15
"""How many of a session's last messages go into its note, as in OpenClaw."""

_LONGEST, _END = 4000, 1000
"""The most characters of one message in a note, and how many of these are the last ones."""

_HEAD_LINES = 20
"""The labels of a note are looked for in this many lines at the start of a file."""
SUMMARIES = "memory/summaries/"
_ID = re.compile(r"\s*[-*][ \t]+\**Session ID\**:\**[ \t]*(.*\S)\s*", re.IGNORECASE)
_WEIGHTS = {USER: 2, ASSISTANT: 1, ANOTHER: 1}
"""How much a word counts for the name of a note, by its speaker."""

_SPEAKER = re.compile(r"([^\W\d_]+):")
_NUMBERED = re.compile(r"(\d{1,9})([.)])")
_MARKUP = re.compile(r"(?<!\\)(\\*)<(?=[A-Za-z/])")
_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


class About(NamedTuple):
    """The labels of a note. `ended` is in the operator's zone."""

    key: str
    id: str
    source: str
    ended: datetime


def ending(entries: Iterable[TranscriptEntry]) -> tuple[list[SessionMessage], str]:
    """The last messages since the last reset, without commands and tools; and the id of that reset.

    A reset after which nothing was said does not count.
    """
    last: deque[SessionMessage] = deque(maxlen=_LAST)
    mark = pending = ""
    for entry in entries:
        if entry.type == RESET:
            pending = entry.id
        message = said_in(entry)
        if message is None or not _is_spoken(message):
            continue
        if pending:
            last.clear()
            mark, pending = pending, ""
        last.append(message)
    return [*last], mark


def slug_by_rules(messages: Sequence[SessionMessage]) -> str:
    """The most frequent words; those of the user count more."""
    return keywords(
        (_WEIGHTS[message.role], _words(message))
        for message in messages
        if message.role in _WEIGHTS
    )


def note_name(about: About, words: str, folder: str = NOTES) -> str:
    """The path of a note: its day and its subject, or its time if the subject has no name."""
    return note_path(about.ended.date(), slug(words) or f"{about.ended:%H%M}", folder)


def note(about: About, messages: Sequence[SessionMessage]) -> str:
    """The text of a note: labels as in OpenClaw's session memory, then a paragraph a message."""
    turns = list[str]()
    for turn in messages:
        words = both_ends(_words(turn), _LONGEST - _END, _END, frames.LEFT_OUT)
        turns.append(f"{turn.role}: {as_text(words)}")
    return "\n\n".join([*_labels(frames.SESSION, about), frames.TALK, *turns]) + "\n"


def summary_note(about: About, summary: str) -> str:
    """The text of the note that keeps a summary, a paragraph a line."""
    lines = (as_text(line) for line in summary.splitlines() if _printable(line).strip())
    return "\n\n".join([*_labels(frames.IN_SHORT, about), *lines]) + "\n"


def _labels(title: str, about: About) -> tuple[str, str]:
    """The heading of a note and what it says of the session."""
    head = (("Session Key", about.key), ("Session ID", about.id), ("Source", about.source))
    zone = about.ended.strftime("%z")
    # `%z` gives +0200, without a colon.
    heading = f"{title} {about.ended:%Y-%m-%d %H:%M} {zone[:3]}:{zone[3:]}"
    facts = "\n".join(f"- **{name}**: {in_line(value) or 'unknown'}" for name, value in head)
    return heading, facts


def is_note_of(text: str, ident: str, title: str = frames.SESSION) -> bool:
    """Whether a file is the note of the session with this id, written by OpenClaw or by us; with
    `title`, whether it is its summary.
    """
    lines = text.removeprefix("\ufeff").lstrip().split("\n", _HEAD_LINES)[:_HEAD_LINES]
    label = next(filter(None, map(_ID.fullmatch, lines)), None)
    is_headed = lines[0].startswith(title)
    return is_headed and label is not None and label[1] in (ident, in_line(ident))


def in_line(text: str) -> str:
    """A value as one line in which nothing is markup, a tag or a comment."""
    text = one_line(_printable(text))
    return _inert(re.sub(r"([\\`*#\[\]])", r"\\\1", text))


def as_text(text: str) -> str:
    """Lines as one paragraph, in which nothing is a heading, item, fence, table or quote.

    Nor does a line look like the turn of another speaker.
    """
    lines = (one_line(line) for line in _printable(text).split("\n"))
    first, *rest = filter(None, lines)
    return "\n".join([_inert(first), *(_inert(_unstructured(line)) for line in rest)])


def _words(message: SessionMessage) -> str:
    """What was typed, without what OpenClaw adds about the sender."""
    return unwrapped(text_of(message)) if message.role in ASKING else text_of(message)


def _is_spoken(message: SessionMessage) -> bool:
    text = _printable(_words(message)).strip()
    is_talk = message.role in _WEIGHTS and text != NO_REPLY
    return is_talk and bool(text) and not text.startswith(_COMMAND)


def _unstructured(line: str) -> str:
    # Markdown allows to escape any punctuation, so one rule does for all that begins a block.
    if line[0] in _PUNCTUATION:
        return f"\\{line}"
    line = _SPEAKER.sub(r"\1\\:", line, count=1) if _SPEAKER.match(line) else line
    return _NUMBERED.sub(r"\1\\\2", line, count=1) if _NUMBERED.match(line) else line


def _inert(line: str) -> str:
    # The start of a comment is broken up, not escaped: a program that looks for `<!--` may know
    # nothing of backslashes.
    line = line.replace("<!", "<\\!").replace("<?", "<\\?")
    return _MARKUP.sub(r"\1\1\\<", line)


def _printable(text: str) -> str:
    return "".join(
        sign for sign in plain(text) if sign.isspace() or unicodedata.category(sign) != "Cc"
    )


# A summary without a model: the parts of a conversation most worth keeping, in its order and its
# own words

_LONGEST_LINE = 240
"""The most characters of a line. A longer one is left out, because a piece of it could say
something else.
"""

_ENOUGH = 0.5
"""This share of what makes a sentence worth an entry makes it worth a line here, if there is
room.
"""

_KEPT_BEFORE = inf
"""The value of a line of the former summary: more than any other, so that it stays."""

_ADDED = {USER: 1.0, ASSISTANT: 0.0, ANOTHER: 0.0}
"""Added by who said it."""


def summary_by_rules(messages: Sequence[SessionMessage], budget: int) -> str:
    """The sentences that are worth keeping, correct something or give an order, in at most `budget`
    tokens; "" if there are none. No line is cut.
    """
    # Of equal lines the last counts.
    lines = {text: (value, at) for at, (value, text) in enumerate(_lines(messages))}
    kept: list[str] = []
    for text in sorted(lines, key=lambda text: lines[text], reverse=True):
        budget -= estimate_tokens(text) + 1
        if budget < 0:
            break
        kept.append(text)
    return "\n".join(sorted(kept, key=lambda text: lines[text][1]))


def _lines(messages: Sequence[SessionMessage]) -> Iterator[tuple[float, str]]:
    """Each line that a summary may hold, after what it is worth."""
    before = ""
    for message in messages:
        text = text_of(message)
        if message.role == SUMMARY:
            for line in text.split("\n"):
                words = one_line(line).removeprefix("- ")
                # The heading of the former summary goes: the new one gets its own.
                if words and not words.startswith(frames.SUMMARY):
                    yield _KEPT_BEFORE, frames.ITEM.format(line=words)
        elif message.role in _ADDED:
            yield from _told(message.role, text, before)
            before = text if message.role == ASSISTANT else ""


def _told(role: str, text: str, before: str) -> Iterator[tuple[float, str]]:
    for passage in passages(text):
        words = _shown(passage)
        is_fit = len(words) <= _LONGEST_LINE and passage.text != NO_REPLY
        if is_fit and not is_asking(passage.text):
            value = _value(role, passage.text, before)
            if value >= _ENOUGH:
                yield value + _ADDED[role], frames.SPOKEN.format(role=role, words=words)


def _value(role: str, words: str, before: str) -> float:
    """How much a sentence matters, as a share of what makes one act on it."""
    bars = thresholds()
    if role == ASSISTANT:
        return worth(words, before, place="assistant") / bars.worth
    act = acts(words, before)
    return max(
        worth(words, before) / bars.worth,
        act.corrects / bars.corrects_sure,
        act.orders / bars.orders_sure,
    )


def _shown(passage: Passage) -> str:
    words = one_line(passage.text)
    return frames.UNDER.format(path=passage.path, words=words) if passage.under else words
