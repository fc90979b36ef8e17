"""Old memory in its own words: lines and corrections of earlier versions that say what nobody said,
and what takes their place. Earlier versions put first persons, dates and values into a line; now a
line is a span of its evidence.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import tzinfo
from typing import NamedTuple

from clawgit.domain.conversation.chat import Message, unwrapped
from clawgit.domain.corrections.corrections import (
    CONFIRMED,
    CORRECT,
    CORRECTIONS,
    QUOTED,
    STATUS,
    Correction,
    read_old_value,
    with_fields,
)
from clawgit.domain.corrections.disputed import BULLET, with_quote
from clawgit.domain.extraction.quoting import bears, kept, line, read
from clawgit.domain.facts.confidence import EXPLICIT, INFERRED
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.comment import ACTIVE, DISPUTED, split
from clawgit.domain.markdown.entry import Entry, entries, replaced
from clawgit.domain.safety.injection import findings as poison
from clawgit.domain.safety.masks import is_sensitive
from clawgit.language.sentences import sentences
from clawgit.language.stems import content_words
from clawgit.language.tokens import tokens

LONGEST = 300
_SHARED = 0.5
"""So much of what a line says must be in a sentence that takes its place, else it may be another
matter."""

_CHAT = "chat:"


class Requoted(NamedTuple):
    """A line, or a correction, and what takes its place: `after` is None where nothing that was
    said fits.
    """

    path: str
    name: str
    before: str
    after: str | None
    evidence: tuple[str, ...]


class Heard(NamedTuple):
    """The messages that entries cite, by their evidence, and who says I in them."""

    messages: Mapping[str, Message]
    speaker: str
    zone: tzinfo | None = None


def cited(text: str) -> set[str]:
    """The messages on which the lines of a file rest, as evidence names them."""
    return {one for entry in entries(text) if _is_judged(entry) for one in _chats(entry)}


def requoted_lines(path: str, text: str, heard: Heard) -> tuple[str, list[Requoted]]:
    """A file with the words of its messages in place of those that they lack; tag, comment and id
    stay.
    """
    found: list[Requoted] = []
    for entry in reversed(entries(text)):  # from the end, so that the places of the others stay
        if not _is_judged(entry) or not _is_unsaid(entry, heard):
            continue
        words = _words_for(entry, heard)
        if words is not None:
            text = replaced(text, entry, _with_words(entry, words))
        found.append(
            Requoted(
                path,
                entry.key,
                read(entry.text).words,
                words,
                entry.meta.evidence if entry.meta else (),
            )
        )
    return text, found[::-1]


def is_unsaid(one: Correction) -> bool:
    """Whether a confirmed correction says what its operator did not: it is neither a span of his
    words nor the old entry with one span exchanged for one of his. One that was typed in has no
    trigger: it stands as it was typed.
    """
    if one.status != CONFIRMED or not (
        one.trigger.strip() and one.words.strip() and one.correct.strip()
    ):
        return False
    old = one.was.partition(" ")[2]
    return not (
        bears(one.words, one.correct) or (old and _is_exchange(old, one.correct, one.words))
    )


def requoted_corrections(
    text: str, files: Mapping[str, str], wrong: Sequence[Correction], speaker: str
) -> tuple[dict[str, str], list[Requoted]]:
    """CORRECTIONS.md and the files of the entries with the operator's words in place of what was
    concluded from them: the correction is quoted from then on, and its words stand under its entry,
    which is disputed.
    """
    after: dict[str, str] = {}
    found = []
    for one in wrong:
        words = _sentence(one)
        if words is None:
            found.append(Requoted("CORRECTIONS.md", one.id, one.correct, None, (one.evidence,)))
            continue
        text = with_fields(text, one.id, {CORRECT: words, STATUS: QUOTED})
        for path in files:
            fresh = _disputed(after.get(path, files[path]), one, speaker, words)
            if fresh is not None:
                after[path] = fresh
                break
        found.append(Requoted("CORRECTIONS.md", one.id, one.correct, words, (one.evidence,)))
    return {"CORRECTIONS.md": text, **after}, found


def _is_judged(entry: Entry) -> bool:
    """One plain line that an agent wrote from a conversation."""
    meta = entry.meta
    if meta is None or meta.src not in (EXPLICIT, INFERRED) or meta.status != ACTIVE:
        return False
    is_plain = "\n" not in entry.raw.strip("\r\n") and read_old_value(entry.raw) is None
    return is_plain and bool(entry.text.strip()) and bool(_chats(entry))


def _chats(entry: Entry) -> tuple[str, ...]:
    return tuple(one for one in entry.meta.evidence if one.startswith(_CHAT)) if entry.meta else ()


def _is_unsaid(entry: Entry, heard: Heard) -> bool:
    """Whether no message that it cites has its words. Where one of them is missing, or something
    else than a message is cited, nobody can tell.
    """
    if entry.meta and any(
        not one.startswith((_CHAT, f"{CORRECTIONS}#")) for one in entry.meta.evidence
    ):
        return False
    messages = [heard.messages.get(one) for one in _chats(entry)]
    there = [unwrapped(one.text) for one in messages if one]
    if any(_holds(text, entry.text) for text in there):
        return False
    return len(there) == len(messages)


def _holds(evidence: str, text: str) -> bool:
    """As it was said, or under the headings that it stood under."""
    if bears(evidence, text):
        return True
    path, _, words = read(text).words.partition(": ")
    return (
        bool(words)
        and bears(evidence, words)
        and all(bears(evidence, one) for one in path.split(frames.HEADINGS))
    )


def _words_for(entry: Entry, heard: Heard) -> str | None:
    """The sentence of its messages that shares most words with the line, as it is kept now."""
    # Names and figures are what earlier versions put in: they say little of where a line comes
    # from.
    said = content_words(read(entry.text).words)
    wanted = {
        word for word in said - content_words(heard.speaker) if not word[:1].isdigit()
    } or said
    best: tuple[float, str] = (0.0, "")
    for message in (heard.messages[one] for one in _chats(entry)):
        when = message.time.astimezone(heard.zone) if heard.zone else message.time
        for span in sentences(unwrapped(message.text)):
            shared = len(wanted & content_words(span.text)) / len(wanted) if wanted else 0.0
            if shared <= best[0]:
                continue
            words = line(kept(span.text, heard.speaker, when))
            if _may_be_kept(words) and bears(unwrapped(message.text), words):
                best = shared, words
    return best[1] if best[0] >= _SHARED else None


def _may_be_kept(words: str) -> bool:
    if not words.strip() or len(words) > LONGEST or "<!--" in words:
        return False
    return not is_sensitive(words) and not any(one.hold for one in poison("", words))


def _with_words(entry: Entry, words: str) -> str:
    parts = split(entry.raw)
    bullet = BULLET.match(parts.before)
    tags = "".join(f" #{tag}" for tag in entry.tags)
    return f"{bullet[0] if bullet else '- '}{words}{tags}{parts.comment}{parts.after}"


def _is_exchange(old: str, new: str, words: str) -> bool:
    """Whether it is the old text with one span of words exchanged for a span of what the operator
    said.
    """
    before, after = (_pieces(read(text).words) for text in (old, new))
    start = _common(before, after)
    end = _common(before[start:][::-1], after[start:][::-1])
    fresh = read(new).words
    spans = list(tokens(fresh))[start : len(after) - end]
    return bool(spans) and bears(words, fresh[spans[0].start : spans[-1].end])


def _pieces(text: str) -> list[str]:
    return [token.text for token in tokens(text)]


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def _sentence(one: Correction) -> str | None:
    """The operator's words, or the sentence of them that is most about it; None where they are not
    to be kept.
    """
    words = " ".join(one.words.split())
    if len(words) > LONGEST:
        about = content_words(f"{one.correct} {one.was}")
        parts = [span.text for span in sentences(one.words) if len(span.text) <= LONGEST]
        words = " ".join(
            max(parts, key=lambda part: len(about & content_words(part)), default="").split()
        )
    return words if _may_be_kept(words) else None


def _disputed(text: str, one: Correction, speaker: str, words: str) -> str | None:
    """A file with the quote under the entry that was corrected; None where it does not stand
    there.
    """
    entry = next(_about(text, one), None)
    if entry is None or entry.meta is None:
        return None
    parts = split(entry.raw)
    marked = f"{parts.before} {entry.meta.having('status', DISPUTED)}{parts.after}"
    return replaced(text, entry, with_quote(marked, speaker or frames.OPERATOR, words))


def _about(text: str, one: Correction) -> Iterator[Entry]:
    key = one.was.partition(" ")[0]
    for entry in entries(text):
        if entry.meta and entry.meta.status == ACTIVE and key and entry.meta.id == key:
            yield entry
