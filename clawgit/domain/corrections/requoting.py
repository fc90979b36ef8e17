"""Puts old lines and corrections back into the words that were really said.

Earlier versions of clawgit rewrote first persons, dates and values in a line. Now a line is a span
of its evidence, so lines that no message holds are replaced or reported.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import tzinfo

from clawgit.domain.change.common_ends import common_ends
from clawgit.domain.conversation.chat import Message, unwrapped
from clawgit.domain.corrections.corrections import (
    CORRECT,
    CORRECTIONS,
    STATUS,
    Correction,
    read_old_value,
    with_fields,
)
from clawgit.domain.corrections.disputed import with_quote
from clawgit.domain.corrections.statuses import CONFIRMED, QUOTED
from clawgit.domain.extraction.quoting import bears, kept, line, read
from clawgit.domain.facts.confidence import EXPLICIT, INFERRED
from clawgit.domain.facts.past import NO_PAST, Past, recalled
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.comment import split
from clawgit.domain.markdown.entry import Entry, entries, replaced, with_words
from clawgit.domain.markdown.statuses import ACTIVE, DISPUTED
from clawgit.domain.safety.injection import findings as poison
from clawgit.domain.safety.masks import is_sensitive
from clawgit.language.sentences import sentences
from clawgit.language.stems import content_words
from clawgit.language.tokens import tokens
from clawgit.values import NamedTuple

LONGEST = 300
_SHARED = 0.5
"""This share of a line's words must be in the sentence that replaces it. With fewer, the sentence
may be about something else."""

_CHAT = "chat:"


class Requoted(NamedTuple):
    """A line or a correction, and its new words. `after` is None if nothing that was said fits."""

    path: str
    name: str
    before: str
    after: str | None
    evidence: tuple[str, ...]


class CitedMessages(NamedTuple):
    """The messages that entries cite, by their evidence, and the name of who speaks in them."""

    messages: Mapping[str, Message]
    speaker: str
    zone: tzinfo | None = None
    past: Past = NO_PAST
    """What has left the comments of entries, messages among it."""


def cited(text: str, past: Past = NO_PAST) -> set[str]:
    """The messages on which the lines of a file rest, as evidence names them."""
    return {
        message
        for entry in entries(text)
        if _is_judged(entry, past)
        for message in _chats(_evidence(entry, past))
    }


def requoted_lines(path: str, text: str, heard: CitedMessages) -> tuple[str, list[Requoted]]:
    """A file with each line that no message holds replaced by what a message says.

    Tag, comment and id of each entry stay.
    """
    done: list[Requoted] = []
    # From the end, because each replacement moves the lines after it.
    for entry in reversed(entries(text)):
        if not _is_judged(entry, heard.past) or not _is_unsaid(entry, heard):
            continue
        words = _words_for(entry, heard)
        if words is not None:
            tagged = " ".join([words, *(f"#{tag}" for tag in entry.tags)])
            text = with_words(text, entry, tagged, entry.meta)
        evidence = _evidence(entry, heard.past)
        done.append(Requoted(path, entry.key, read(entry.text).words, words, evidence))
    return text, done[::-1]


def is_unsaid(correction: Correction) -> bool:
    """Whether a confirmed correction says what the operator did not say.

    It should be a span of the operator's words, or the old entry with one span exchanged for one
    of theirs. A correction without a trigger was typed in, and stays as it was typed.
    """
    if correction.status != CONFIRMED:
        return False
    if not (correction.trigger.strip() and correction.words.strip() and correction.correct.strip()):
        return False
    if bears(correction.words, correction.correct):
        return False
    return not (
        correction.old and _is_exchange(correction.old, correction.correct, correction.words)
    )


def requoted_corrections(
    text: str, files: Mapping[str, str], wrong: Sequence[Correction], speaker: str
) -> tuple[dict[str, str], list[Requoted]]:
    """CORRECTIONS.md and the entries' files with the operator's words instead of conclusions.

    Such a correction is quoted from then on: its words stand under its entry, which is disputed.
    """
    after: dict[str, str] = {}
    done = []
    for correction in wrong:
        words = _sentence(correction)
        done.append(
            Requoted(CORRECTIONS, correction.id, correction.correct, words, (correction.evidence,))
        )
        if words is None:
            continue
        text = with_fields(text, correction.id, {CORRECT: words, STATUS: QUOTED})
        for path in files:
            fresh = _disputed(after.get(path, files[path]), correction, speaker, words)
            if fresh is not None:
                after[path] = fresh
                break
    return {CORRECTIONS: text, **after}, done


def _is_judged(entry: Entry, past: Past) -> bool:
    """Whether an entry is one plain line that an agent wrote from a conversation."""
    meta = entry.meta
    if meta is None or meta.src not in (EXPLICIT, INFERRED) or meta.status != ACTIVE:
        return False
    is_plain = "\n" not in entry.raw.strip("\r\n") and read_old_value(entry.raw) is None
    return is_plain and bool(entry.text.strip()) and bool(_chats(_evidence(entry, past)))


def _evidence(entry: Entry, past: Past) -> tuple[str, ...]:
    return recalled(entry.meta, past).evidence if entry.meta else ()


def _chats(evidence: Iterable[str]) -> tuple[str, ...]:
    return tuple(piece for piece in evidence if piece.startswith(_CHAT))


def _is_unsaid(entry: Entry, heard: CitedMessages) -> bool:
    """Whether no message that an entry cites has its words.

    False as well if that is unknown: a message is missing, or the entry cites something else.
    """
    evidence = _evidence(entry, heard.past)
    if _cites_others(evidence):
        return False
    messages = [heard.messages.get(piece) for piece in _chats(evidence)]
    texts = [unwrapped(message.text) for message in messages if message]
    if any(_holds(text, entry.text) for text in texts):
        return False
    return len(texts) == len(messages)


def _cites_others(evidence: Iterable[str]) -> bool:
    """Whether an entry cites something that is neither a message nor a correction."""
    return not all(piece.startswith((_CHAT, f"{CORRECTIONS}#")) for piece in evidence)


def _holds(evidence: str, text: str) -> bool:
    """Whether a text has a line's words, with or without the headings that it stood under."""
    if bears(evidence, text):
        return True
    path, _, words = read(text).words.partition(": ")
    if not words or not bears(evidence, words):
        return False
    return all(bears(evidence, heading) for heading in path.split(frames.HEADINGS))


def _words_for(entry: Entry, heard: CitedMessages) -> str | None:
    """The sentence of its messages that shares most words with the line, as it is kept now."""
    telling = _telling_words(entry, heard)
    best_share, best_words = 0.0, ""
    for message in (heard.messages[piece] for piece in _chats(_evidence(entry, heard.past))):
        when = message.time.astimezone(heard.zone) if heard.zone else message.time
        text = unwrapped(message.text)
        for span in sentences(text):
            share = _share(telling, span.text)
            if share <= best_share:
                continue
            words = line(kept(span.text, heard.speaker, when))
            if _may_be_kept(words) and bears(text, words):
                best_share, best_words = share, words
    return best_words if best_share >= _SHARED else None


def _share(telling: frozenset[str], sentence: str) -> float:
    if not telling:
        return 0.0
    return len(telling & content_words(sentence)) / len(telling)


def _telling_words(entry: Entry, heard: CitedMessages) -> frozenset[str]:
    """The words of a line that show which sentence it comes from.

    Names and figures are what earlier versions put in, so they show little.
    """
    words = content_words(read(entry.text).words)
    own = words - content_words(heard.speaker)
    return frozenset(word for word in own if not word[:1].isdigit()) or words


def _may_be_kept(words: str) -> bool:
    if not words.strip() or len(words) > LONGEST or "<!--" in words:
        return False
    return not is_sensitive(words) and not any(finding.hold for finding in poison("", words))


def _is_exchange(old: str, new: str, words: str) -> bool:
    """Whether a text is the old one with one span exchanged for a span of the operator's words."""
    before, after = (_pieces(read(text).words) for text in (old, new))
    start, end = common_ends(before, after)
    fresh = read(new).words
    spans = list(tokens(fresh))[start : len(after) - end]
    return bool(spans) and bears(words, fresh[spans[0].start : spans[-1].end])


def _pieces(text: str) -> list[str]:
    return [token.text for token in tokens(text)]


def _sentence(correction: Correction) -> str | None:
    """The operator's words, or the sentence that is most about the correction if they are long.

    None if they must not be kept.
    """
    words = " ".join(correction.words.split())
    if len(words) > LONGEST:
        about = content_words(f"{correction.correct} {correction.was}")
        parts = [span.text for span in sentences(correction.words) if len(span.text) <= LONGEST]
        best = max(parts, key=lambda part: len(about & content_words(part)), default="")
        words = " ".join(best.split())
    return words if _may_be_kept(words) else None


def _disputed(text: str, correction: Correction, speaker: str, words: str) -> str | None:
    """A file with the quote under the entry that was corrected; None if the entry is not there."""
    entry = next(_about(text, correction), None)
    if entry is None or entry.meta is None:
        return None
    parts = split(entry.raw)
    marked = f"{parts.before} {entry.meta.having('status', DISPUTED)}{parts.after}"
    return replaced(text, entry, with_quote(marked, speaker or frames.OPERATOR, words))


def _about(text: str, correction: Correction) -> Iterator[Entry]:
    key = correction.was.partition(" ")[0]
    for entry in entries(text):
        if entry.meta and entry.meta.status == ACTIVE and key and entry.meta.id == key:
            yield entry
