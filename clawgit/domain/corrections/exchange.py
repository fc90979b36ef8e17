"""One value for another: what is certain enough to be put right, and the proof that nothing else
was written.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from clawgit.domain.corrections.doubts import ASKS, doubt
from clawgit.language.corrective import first as first_word
from clawgit.language.corrective import words as corrective_words
from clawgit.language.lexicon import Lexicon, lexicons_for
from clawgit.language.negation import negations
from clawgit.language.sentences import sentences
from clawgit.language.spans import Span
from clawgit.language.stems import content_words
from clawgit.language.tokens import is_cjk, tokens
from clawgit.language.values import Value, values

_NUMERIC = ("number", "money", "percent", "measure")
_DIGITS = re.compile(r"\d+(?:[.,:]\d+)*")
_LONGEST = 1000
_SMALL = (
    "negations", "first_person", "second_person", "pronouns", "function_words", "auxiliaries",
    "lead_ins", "lead_outs", "greetings",
)  # fmt: skip
_LABELLED = re.compile(r"[^\s:：][^:：]{0,30}[:：]\s*([^\s:：,;()、，][^:：,;()、，]{0,40}?)[.。]?")
_NEAR = 16
"""So many characters stand at most between a denial and the value that it denies."""


class Exchange(NamedTuple):
    """`new` stands at `at` in the message, and shall stand in the statement from `start` to `end`
    instead of `old`.
    """

    start: int
    end: int
    old: str
    new: str
    at: int

    def applied(self, statement: str) -> str:
        return statement[: self.start] + self.new + statement[self.end :]


class Unplain(NamedTuple):
    """Why a message is not put right by itself."""

    why: str


class _NotPlainError(Exception):
    """Why a message is no plain exchange; `exchange` tells it as a value."""


class _Said(NamedTuple):
    """What the part of a message that speaks of the entry says in exact terms."""

    text: str
    offset: int
    values: tuple[Value, ...]
    denied: tuple[Value, ...]


def exchange(message: str, before: str, statement: str, headings: str = "") -> Exchange | Unplain:
    """The one value of the statement that the message exchanges. `before` is the turn before it."""
    try:
        return _exchange(message, before, statement, headings)
    except _NotPlainError as error:
        return Unplain(str(error))


def _exchange(message: str, before: str, statement: str, headings: str) -> Exchange:
    must(
        len(message) <= _LONGEST and "\n" not in message.strip(),
        "the message is long, or has several lines",
    )
    whole, (skipped, message) = message, _opened(message)
    said = _said(message, statement, headings)
    theirs = _held(statement)
    keys = {value.key for value in theirs}
    new = {one.key: one for one in said.values if one.key not in keys and one not in said.denied}
    new = {key: one for key, one in new.items() if not _is_its_own_word(one, statement)}
    must(bool(new), "it gives no new value")
    must(len(new) == 1, "it gives more than one new value")
    [value] = new.values()
    known = {*keys, *_keys(before)}
    strange = [
        one for one in said.denied if one.key not in known and _whole(statement, one.text) is None
    ]
    must(not strange, "what it denies is not what memory says")
    old = _replaced(value, theirs, said, statement)
    must(not _answers(value, old, before), "it answers a question of the agent")
    left = _left_over(said, value, old, statement, headings)
    must(not left, f"it says more than that one value ({', '.join(left)})")
    start, end, text = _fitted(value, old)
    must(statement.count(statement[start:end]) == 1, "the entry has the old value twice")
    about = content_words(f"{message} {before}") - content_words(text)
    must(bool(about & content_words(f"{statement} {headings}")), "it does not say what of")
    must(
        old.kind != "name" or len(old.text.split()) <= len(text.split()),
        "it may be a part of that name",
    )
    must(
        statement[end : end + 1] not in {*text[-1:]} or not is_cjk(text[-1:]),
        "its unit would stand there twice",
    )
    found = Exchange(
        start,
        end,
        statement[start:end],
        text,
        skipped + message.find(text, said.offset + value.start),
    )
    must(
        proven(statement, found.applied(statement), whole, found),
        "the value is a part of a longer one",
    )
    return found


def _answers(value: Value, old: Value, before: str) -> bool:
    """Whether a value may only answer what the agent asked: it is one of those that it named, or
    what it did not know. Where it named the old one alone, it was wrong.
    """
    if not before.rstrip(' \n"”»」)*_').endswith(("?", "？")):
        return False
    named = {*_keys(before)}
    return value.key in named or old.key not in named


def must(is_plain: bool, why: str) -> None:
    if not is_plain:
        raise _NotPlainError(why)


def proven(before: str, after: str, message: str, change: Exchange) -> bool:
    """Whether the new text is the old one with one whole span of the message in the place of one
    whole span of it.
    """
    whole = message[change.at : change.at + len(change.new)] == change.new != ""
    return (
        whole
        and before[change.start : change.end] == change.old
        and after == change.applied(before)
        and not (_is_cut(message, change.at) or _is_cut(message, change.at + len(change.new)))
        and not (_is_cut(before, change.start) or _is_cut(before, change.end))
    )


def is_of_another(message: str, statement: str) -> bool:
    """Whether a message says the like of another thing: it differs from the statement by one word
    and by a value.
    """
    mine, theirs = ({v.key: v for v in _exact(text)} for text in (message, statement))
    kinds = {v.kind for key, v in mine.items() if key not in theirs} & {
        v.kind for v in theirs.values()
    }
    said, held = (
        content_words(text)
        - corrective(message)
        - {word for v in found.values() for word in content_words(v.text)}
        for text, found in ((message, mine), (statement, theirs))
    )
    return bool(kinds) and len(said - held) == 1 == len(held - said) and len(said & held) > 1


def names_its_subject(message: str, change: Exchange, statement: str) -> bool:
    """Whether a message says by a word of its own, besides the value, what of the statement it
    speaks.
    """
    return bool((content_words(message) - content_words(change.new)) & content_words(statement))


def agrees(message: str, statement: str, headings: str = "") -> bool:
    """Whether a statement says already what a message says in exact terms."""
    theirs = {value.key for value in _exact(statement)}
    mine = [value for value in _exact(message) if not _is_denied(message, value)]
    words = content_words(message) - content_words(f"{statement} {headings}") - corrective(message)
    return all(value.key in theirs for value in mine) and not words


def contrasts(message: str, statement: str) -> bool:
    """Whether a message plainly denies a value of a statement, and names another: `Berlin, not
    Paris`.
    """
    text = _opened(message)[1]
    denied = [value for value in _exact(text) if _is_denied(text, value)]
    others = [
        value for value in _exact(text) if value not in denied and value.text not in statement
    ]
    held = any(_whole(statement, value.text) is not None for value in denied)
    return held and bool(others) and not any(doubt(one.text) for one in sentences(message))


@cache
def _small_words(languages: tuple[Lexicon, ...]) -> frozenset[str]:
    listed = corrective_words(languages, "corrective") | corrective_words(languages, "openers")
    words = {*listed, *content_words(" ".join(sorted(listed)))}
    for language in languages:
        for name in _SMALL:
            words |= language.words(name)
            words |= content_words(" ".join(language.rows(name)))
    return frozenset(words)


def corrective(text: str) -> frozenset[str]:
    """The words of a text's languages that say that something is set right, or who speaks, and
    nothing of what.
    """
    return _small_words(lexicons_for(text))


def _exact(text: str) -> tuple[Value, ...]:
    return tuple(value for value in values(text) if value.kind != "word")


def _held(statement: str) -> tuple[Value, ...]:
    """The values of an entry; what stands behind a short label is one, whatever it looks like."""
    found = _exact(statement)
    label = _LABELLED.fullmatch(statement)
    if label and not any(value.start >= label.start(1) for value in found):
        found = (*found, Value(label.start(1), label.end(1), label[1], "name", label[1].casefold()))
    return found


def _opened(message: str) -> tuple[int, str]:
    """A message without the words that open it and set nothing but the tone, and how many signs
    these are.
    """
    rows = corrective_words(lexicons_for(message), "openers")
    at = 0
    for token in tokens(message[:200]):
        if token.folded not in rows or message[at : token.start].strip(" ,.!;:-–—，。！"):
            break
        at = token.end
    while at < len(message) and not message[at].isalnum():
        at += 1
    return at, message[at:]


def _said(message: str, statement: str, headings: str) -> _Said:
    """The sentences that speak of the entry; what else is said must have nothing to do with it."""
    known = content_words(f"{statement} {headings}")
    about: list[Span] = []
    for one in sentences(message):
        if _exact(one.text) or content_words(one.text) & known:
            about.append(one)
        else:
            must(not (why := _beside(one.text)), why)
    must(bool(about), "it names no value")
    must(all(doubt(one.text) != ASKS for one in about), ASKS)
    near = all(later.start - first.end <= _NEAR for first, later in pairwise(about))
    must(near, "it speaks of the entry here and there")
    text = message[about[0].start : about[-1].end]
    reason = first_word(text, lexicons_for(text), "reasons")
    text = (
        text[:reason].rstrip(" ,;") if reason else text
    )  # why it is so is nothing about the entry
    must(not (why := doubt(text)), why)
    found = _exact(text)
    denied = tuple(value for value in found if _is_denied(text, value))
    must(len(_negations(text)) <= len(denied), "it denies something, and it is not certain what")
    return _Said(text, about[0].start, found, denied)


def _beside(sentence: str) -> str:
    """Why a sentence without a value may still speak of the entry, "" where it does not."""
    words = {token.folded for token in tokens(sentence)}
    if any(words & language.pronouns for language in lexicons_for(sentence)):
        return "another sentence may speak of it, too"
    return "another sentence is not certain" if doubt(sentence) not in ("", ASKS) else ""


def _replaced(value: Value, theirs: Sequence[Value], said: _Said, statement: str) -> Value:
    """The value of the entry in whose place the new one stands."""
    for one in said.denied:
        place = _whole(statement, one.text)
        if one.kind == value.kind and place is not None:
            end = place + len(one.text)
            must(
                one.kind != "name" or not _is_within(theirs, place, end),
                "it may be a part of that name",
            )
            return Value(place, end, statement[place:end], one.kind, one.key)
    same = [
        one for one in theirs if one.kind == value.kind or {one.kind, value.kind} <= {*_NUMERIC}
    ]
    denied, named = {one.key for one in said.denied}, {one.key for one in said.values}
    wrong = (
        [one for one in same if one.key in denied]
        or [one for one in same if one.key not in named]
        or same
    )
    must(bool(wrong), "the entry has no value of that kind")
    must(len(wrong) == 1, "the entry has more than one value of that kind")
    numbers = sum(one.kind in _NUMERIC for one in theirs)
    must(wrong[0].kind == value.kind or numbers == 1, "the entry has more than one number")
    return wrong[0]


def _is_within(values: Sequence[Value], start: int, end: int) -> bool:
    """Whether a place is a part of a longer value."""
    return any(
        one.start <= start and end <= one.end and (one.start, one.end) != (start, end)
        for one in values
    )


def _is_its_own_word(value: Value, statement: str) -> bool:
    """Whether what looks like a name is a word of the statement, which is written large where it
    begins a sentence.
    """
    return value.kind == "name" and content_words(value.text) <= content_words(statement)


def _left_over(said: _Said, value: Value, old: Value, statement: str, around: str) -> list[str]:
    known = content_words(f"{statement} {around}") | corrective(said.text)
    known |= content_words(value.text) | content_words(old.text)
    rest = said.text[: value.start] + " " + said.text[value.end :]
    more = {
        one.text
        for one in said.values
        if one.key not in {value.key, old.key, *_keys(f"{statement} {around}")}
    }
    small = corrective(said.text)
    signs = {sign for sign in f"{statement} {' '.join(small)}" if is_cjk(sign)}
    words = {
        word
        for word in content_words(rest)
        if word.replace("’", "'").partition("'")[0] not in small
    }
    words = {word for word in words if not (is_cjk(word) and set(word) <= signs)}
    return sorted(more | (words - known))


def _keys(text: str) -> Iterable[str]:
    return (value.key for value in _exact(text))


def _fitted(value: Value, old: Value) -> tuple[int, int, str]:
    """Where the new value goes: a bare number takes the digits' place, and the unit stays."""
    if value.kind == "number" and old.kind in _NUMERIC and old.kind != value.kind:
        found = [*_DIGITS.finditer(old.text)]
        must(len(found) == 1, "the entry has more than one number")
        return old.start + found[0].start(), old.start + found[0].end(), value.text
    return old.start, old.end, value.text


def _negations(text: str) -> tuple[Span, ...]:
    """Those that deny something in the sentence, and not the whole that was said before it: `No,
    it's …`.
    """
    return tuple(one for one in negations(text) if not _opens(text, one))


def _opens(text: str, negation: Span) -> bool:
    """Whether it only says no to what was said before: it opens its sentence, and a pause
    follows.
    """
    before, after = text[: negation.start].rstrip(), text[negation.end :].lstrip(" ")
    opens = not before or before[-1] in ".!?,。！，、"
    return opens and (after[:1] in ",.!;:-–—，。！、" or not after)


def _is_denied(text: str, value: Value) -> bool:
    """Whether a denial stands right before a value, with nothing but small words between."""
    for one in negations(text):
        between = text[one.end : value.start]
        if (
            one.end <= value.start
            and len(between) <= _NEAR
            and not re.search(r"[.!?;。！？]", between)
        ):
            if _opens(text, one) and re.search(r"[,，、]", between):
                continue
            if not content_words(between) and not re.search(r"[,，、]", between.strip()):
                return True
    return False


def _whole(text: str, words: str) -> int | None:
    """Where words stand in a text, if they do so once, whole, and in whatever case."""
    folded, wanted = text.casefold(), words.casefold()
    at = folded.find(wanted)
    if at < 0 or folded.count(wanted) != 1 or len(folded) != len(text):
        return None
    return None if _is_cut(text, at) or _is_cut(text, at + len(words)) else at


def _is_cut(text: str, at: int) -> bool:
    """Whether a word or a number goes on over this place."""
    if not 0 < at < len(text):
        return False
    one, two = text[at - 1], text[at]
    return one.isalnum() and two.isalnum() and not is_cjk(one) and not is_cjk(two)
