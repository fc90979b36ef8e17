"""One value exchanged for another: what is certain enough to be written, and the proof of it."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from operator import attrgetter

from clawgit.domain.change.common_ends import common_ends
from clawgit.domain.corrections.doubts import ASKS, doubt
from clawgit.language.corrective import first as first_word
from clawgit.language.corrective import words as corrective_words
from clawgit.language.lexicon import Lexicon, lexicons_for
from clawgit.language.negation import negations
from clawgit.language.sentences import sentences
from clawgit.language.spans import Span
from clawgit.language.stems import content_words, stem
from clawgit.language.tokens import is_cjk, tokens
from clawgit.language.values import Value, values_and_codes
from clawgit.values import NamedTuple

_NUMERIC = ("number", "money", "percent", "measure")
_DIGITS = re.compile(r"\d+(?:[.,:]\d+)*")
_LONGEST = 1000
_SMALL = (
    "negations", "first_person", "second_person", "pronouns", "function_words", "auxiliaries",
    "lead_ins", "lead_outs", "greetings",
)  # fmt: skip
_LABELLED = re.compile(r"[^\s:：][^:：]{0,30}[:：]\s*([^\s:：,;()、，][^:：,;()、，]{0,40}?)[.。]?")
_NEAR = 16
"""The most characters between a denial and the value that it denies."""

_STOP = re.compile(r"[.!?;。！？]")
_COMMA = re.compile(r"[,，、]")


class Exchange(NamedTuple):
    """`new` stands at `at` in the message. In the statement it replaces `old`, from `start` to
    `end`.
    """

    start: int
    end: int
    old: str
    new: str
    at: int

    def applied(self, statement: str) -> str:
        return statement[: self.start] + self.new + statement[self.end :]


class Unplain(NamedTuple):
    """Why a message does not change an entry by itself."""

    why: str


class _NotPlainError(Exception):
    """Why a message is not a plain exchange; `exchange` returns the reason as a value."""


class _Said(NamedTuple):
    """The exact values in the part of a message that is about the entry."""

    text: str
    offset: int
    values: tuple[Value, ...]
    denied: tuple[Value, ...]


def exchange(message: str, before: str, statement: str, headings: str = "") -> Exchange | Unplain:
    """The one value of a statement that a message exchanges. `before` is the turn before it."""
    try:
        return _exchange(message, before, statement, headings)
    except _NotPlainError as error:
        return Unplain(str(error))


def _exchange(message: str, before: str, statement: str, headings: str) -> Exchange:
    must(
        len(message) <= _LONGEST and "\n" not in message.strip(),
        "the message is long, or has several lines",
    )
    # The words that open a message (“No, actually …”) only set the tone. `skipped` keeps the
    # places in the rest valid for the whole message.
    skipped, opened = _opened(message)
    heard = _said(opened, statement, headings)
    theirs = _held(statement)
    value = _new_value(heard, theirs, statement)
    _must_deny_what_memory_says(heard, theirs, statement, before)
    old = _replaced(value, theirs, heard, statement)
    must(not _answers(value, old, before), "it answers a question of the agent")
    left = _left_over(heard, value, old, statement, headings)
    must(not left, f"it says more than that one value ({', '.join(left)})")
    start, end, text = _fitted(value, old)
    must(statement.count(statement[start:end]) == 1, "the entry has the old value twice")
    about = content_words(f"{opened} {before}") - content_words(text)
    must(bool(about & content_words(f"{statement} {headings}")), "it does not say about what")
    must(
        old.kind != "name" or len(old.text.split()) <= len(text.split()),
        "it may be a part of that name",
    )
    must(
        statement[end : end + 1] not in {*text[-1:]} or not is_cjk(text[-1:]),
        "the unit would be there twice",
    )
    at = skipped + opened.find(text, heard.offset + value.start)
    change = Exchange(start, end, statement[start:end], text, at)
    # The last step proves the result from the texts alone, whatever the steps above concluded.
    must(
        proven(statement, change.applied(statement), message, change),
        "the value is a part of a longer one",
    )
    return change


def _new_value(heard: _Said, theirs: Iterable[Value], statement: str) -> Value:
    """The one value that the message gives and the entry lacks."""
    known = {value.key for value in theirs}
    new = {
        value.key: value
        for value in heard.values
        if value.key not in known
        and value not in heard.denied
        and not _is_its_own_word(value, statement)
    }
    must(bool(new), "it gives no new value")
    must(len(new) == 1, "it gives more than one new value")
    [value] = new.values()
    return value


def _must_deny_what_memory_says(
    heard: _Said, theirs: Iterable[Value], statement: str, before: str
) -> None:
    known = {*(value.key for value in theirs), *_keys(before)}
    strange = any(
        value.key not in known and _whole(statement, value.text) is None for value in heard.denied
    )
    must(not strange, "what it denies is not what memory says")


def _answers(value: Value, old: Value, before: str) -> bool:
    """Whether a value may only answer what the agent asked.

    It does if the agent named it, or did not name the old value: then it did not know. If it named
    the old value alone, the agent was wrong, and the message corrects it.
    """
    if not before.rstrip(' \n"”»」)*_').endswith(("?", "？")):
        return False
    named = {*_keys(before)}
    return value.key in named or old.key not in named


def must(is_plain: bool, why: str) -> None:
    if not is_plain:
        raise _NotPlainError(why)


def proven(before: str, after: str, message: str, change: Exchange) -> bool:
    """Whether the new text is the old one with one whole span replaced by a whole span of the
    message.
    """
    if not change.new or message[change.at : change.at + len(change.new)] != change.new:
        return False
    if before[change.start : change.end] != change.old or after != change.applied(before):
        return False
    in_message = (change.at, change.at + len(change.new))
    if any(_is_cut(message, edge) for edge in in_message):
        return False
    return not any(_is_cut(before, edge) for edge in (change.start, change.end))


def is_of_another(message: str, statement: str) -> bool:
    """Whether a message says the same of another thing: it differs by one word and by a value."""
    mine, theirs = _by_key(message), _by_key(statement)
    new_kinds = {value.kind for key, value in mine.items() if key not in theirs}
    if new_kinds.isdisjoint(value.kind for value in theirs.values()):
        return False
    small = corrective(message)
    message_words = _words_beside_values(message) - small - _words_of(mine.values())
    entry_words = _words_beside_values(statement) - small - _words_of(theirs.values())
    return (
        len(message_words - entry_words) == 1
        and len(entry_words - message_words) == 1
        and len(message_words & entry_words) > 1
    )


def is_told_of_another(message: str, before: str, statement: str) -> bool:
    """Whether a message that names no subject follows a turn about another thing.

    A sentence of the turn is then the statement with another subject, whatever the values are.
    """
    # “Not” has the stem of “note”, and names nothing.
    theirs, said = _plain_stems(statement), content_words(message) - corrective(message)
    entry_words = content_words(statement)
    for sentence in sentences(before):
        mine = _plain_stems(sentence.text)
        head, tail = common_ends(mine, theirs)
        alike = {*mine[:head], *mine[len(mine) - tail :]}
        own, other = {*mine[head : len(mine) - tail]}, {*theirs[head : len(theirs) - tail]}
        words = content_words(sentence.text)
        only_theirs = (other - own) & entry_words
        if alike & words and (own - other) & words and only_theirs and not only_theirs & said:
            return True
    return False


def _plain_stems(text: str) -> list[str]:
    """The stems of a text outside its exact values; none if it has no value."""
    exact, outside = _exact(text), bytearray(b"1" * len(text))
    if not exact:
        return []
    for value in exact:
        outside[value.start : value.end] = b"0" * (value.end - value.start)
    return [
        stem(token.text) for token in tokens(text) if b"0" not in outside[token.start : token.end]
    ]


def _by_key(text: str) -> dict[str, Value]:
    return {value.key: value for value in _exact(text)}


def _words_beside_values(text: str) -> frozenset[str]:
    """The words of a text without its exact values. Without blanks between words, as in Japanese,
    a pair of signs could otherwise be half of a value: “毎週木曜日” would hold “週木”.
    """
    for value in _exact(text):
        text = f"{text[: value.start]}{' ' * len(value.text)}{text[value.end :]}"
    return content_words(text)


def _words_of(values: Iterable[Value]) -> frozenset[str]:
    return frozenset().union(*(content_words(value.text) for value in values))


def names_its_subject(message: str, change: Exchange, statement: str) -> bool:
    """Whether a word of the message besides the value says which statement it is about."""
    own = content_words(message) - content_words(change.new)
    return not own.isdisjoint(content_words(statement))


def agrees(message: str, statement: str, headings: str = "") -> bool:
    """Whether a statement already holds all values and words of a message."""
    theirs = {value.key for value in _exact(statement)}
    exact = _exact(message)
    denied = frozenset(_denied(message, exact))
    mine = [value for value in exact if value not in denied]
    words = content_words(message) - content_words(f"{statement} {headings}") - corrective(message)
    return all(value.key in theirs for value in mine) and not words


def contrasts(message: str, statement: str) -> bool:
    """Whether a message plainly denies a value of a statement and names another one.

    An example: `Berlin, not Paris`.
    """
    _, text = _opened(message)
    exact = _exact(text)
    denied = frozenset(_denied(text, exact))
    denies_it = any(_whole(statement, value.text) is not None for value in denied)
    names_other = any(value not in denied and value.text not in statement for value in exact)
    if not denies_it or not names_other:
        return False
    return not any(doubt(sentence.text) for sentence in sentences(message))


def _denied(text: str, exact: Iterable[Value]) -> tuple[Value, ...]:
    """The values right after a denial, with nothing but small words between."""
    found = sorted(negations(text), key=attrgetter("end"))
    ends = [negation.end for negation in found]

    def near(value: Value) -> Sequence[Span]:
        return found[bisect_left(ends, value.start - _NEAR) : bisect_right(ends, value.start)]

    return tuple(
        value for value in exact if any(_denies(text, negation, value) for negation in near(value))
    )


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
    """The words of a text's languages that only say that something is corrected, or by whom."""
    return _small_words(lexicons_for(text))


def _exact(text: str) -> tuple[Value, ...]:
    return tuple(value for value in values_and_codes(text) if value.kind != "word")


def _held(statement: str) -> tuple[Value, ...]:
    """The values of an entry. The text after a short label is one, whatever it looks like."""
    exact = _exact(statement)
    label = _LABELLED.fullmatch(statement)
    if label is None or any(value.start >= label.start(1) for value in exact):
        return exact
    return (*exact, Value(*label.span(1), label[1], "name", label[1].casefold()))


def _opened(message: str) -> tuple[int, str]:
    """How many characters at the beginning only set the tone, and the message after them."""
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
    """The sentences that are about the entry. The others must have nothing to do with it."""
    known = content_words(f"{statement} {headings}")
    about: list[Span] = []
    for sentence in sentences(message):
        if _exact(sentence.text) or content_words(sentence.text) & known:
            about.append(sentence)
        else:
            must(not (why := _beside(sentence.text)), why)
    must(bool(about), "it names no value")
    must(all(doubt(sentence.text) != ASKS for sentence in about), ASKS)
    near = all(later.start - first.end <= _NEAR for first, later in pairwise(about))
    must(near, "it mentions the entry in several places")
    text = message[about[0].start : about[-1].end]
    # The reason for a change says nothing about the entry.
    reason = first_word(text, lexicons_for(text), "reasons")
    if reason:
        text = text[:reason].rstrip(" ,;")
    must(not (why := doubt(text)), why)
    exact = _exact(text)
    denied = _denied(text, exact)
    must(len(_negations(text)) <= len(denied), "it denies something, and it is not certain what")
    return _Said(text, about[0].start, exact, denied)


def _beside(sentence: str) -> str:
    """Why a sentence without a value may still be about the entry, "" if it is not."""
    words = {token.folded for token in tokens(sentence)}
    if any(words & language.words("pronouns") for language in lexicons_for(sentence)):
        return "another sentence may be about the entry as well"
    return "another sentence is not certain" if doubt(sentence) not in ("", ASKS) else ""


def _replaced(value: Value, theirs: Sequence[Value], heard: _Said, statement: str) -> Value:
    """The value of the entry that the new one replaces."""
    denied = _denied_here(value, theirs, heard, statement)
    if denied:
        return denied
    wrong = _wrong([held for held in theirs if _may_replace(value, held)], heard)
    must(bool(wrong), "the entry has no value of that kind")
    must(len(wrong) == 1, "the entry has more than one value of that kind")
    [old] = wrong
    numbers = sum(held.kind in _NUMERIC for held in theirs)
    must(old.kind == value.kind or numbers == 1, "the entry has more than one number")
    return old


def _wrong(same: Sequence[Value], heard: _Said) -> Sequence[Value]:
    """Those of an entry's values that the message may call wrong, the surest ones."""
    denied_keys = _key_set(heard.denied)
    denied = [held for held in same if held.key in denied_keys]
    if denied:
        return denied
    # A value that the message names and does not deny is right, so another one is meant.
    named_keys = _key_set(heard.values)
    unnamed = [held for held in same if held.key not in named_keys]
    return unnamed or same


def _key_set(values: Iterable[Value]) -> frozenset[str]:
    return frozenset(value.key for value in values)


def _denied_here(
    value: Value, theirs: Sequence[Value], heard: _Said, statement: str
) -> Value | None:
    """The first value of the kind that the message denies and the entry holds."""
    for denied in heard.denied:
        place = _whole(statement, denied.text)
        if denied.kind == value.kind and place is not None:
            end = place + len(denied.text)
            must(
                denied.kind != "name" or not _is_within(theirs, place, end),
                "it may be a part of that name",
            )
            # As the entry writes it, whose capitals may differ from the message's.
            return Value(place, end, statement[place:end], denied.kind, denied.key)
    return None


def _may_replace(value: Value, held: Value) -> bool:
    return held.kind == value.kind or (held.kind in _NUMERIC and value.kind in _NUMERIC)


def _is_within(values: Sequence[Value], start: int, end: int) -> bool:
    """Whether a place is a part of a longer value."""
    return any(
        value.start <= start and end <= value.end and (value.start, value.end) != (start, end)
        for value in values
    )


def _is_its_own_word(value: Value, statement: str) -> bool:
    """Whether what looks like a name is a word of the statement: each word that begins a sentence
    has a capital.
    """
    return value.kind == "name" and content_words(value.text) <= content_words(statement)


def _left_over(heard: _Said, value: Value, old: Value, statement: str, around: str) -> list[str]:
    """The values and words of a message that neither value explains, nor anything in the entry."""
    small = corrective(heard.text)
    known_keys = {value.key, old.key, *_keys(f"{statement} {around}")}
    more = {other.text for other in heard.values if other.key not in known_keys}
    rest = heard.text[: value.start] + " " + heard.text[value.end :]
    signs = {sign for sign in f"{statement} {' '.join(small)}" if is_cjk(sign)}
    # `it's` is as small a word as `it`. In a script without blanks, a word may be made of several
    # that are known.
    words = {
        word
        for word in content_words(rest)
        if word.replace("’", "'").partition("'")[0] not in small
        and not (is_cjk(word) and set(word) <= signs)
    }
    known = content_words(f"{statement} {around}") | small
    known |= content_words(value.text) | content_words(old.text)
    return sorted(more | (words - known))


def _keys(text: str) -> Iterable[str]:
    return (value.key for value in _exact(text))


def _fitted(value: Value, old: Value) -> tuple[int, int, str]:
    """Where the new value goes. A bare number replaces the digits, and the unit stays."""
    if value.kind == "number" and old.kind in _NUMERIC and old.kind != value.kind:
        numbers = [*_DIGITS.finditer(old.text)]
        must(len(numbers) == 1, "the entry has more than one number")
        [digits] = numbers
        return old.start + digits.start(), old.start + digits.end(), value.text
    return old.start, old.end, value.text


def _negations(text: str) -> tuple[Span, ...]:
    """The negations that deny something in the sentence, not all that was said before: `No, …`."""
    return tuple(negation for negation in negations(text) if not _opens(text, negation))


def _opens(text: str, negation: Span) -> bool:
    """Whether a negation only answers what was said before: it opens its sentence, and a pause
    follows.
    """
    before, after = text[: negation.start].rstrip(), text[negation.end :].lstrip(" ")
    opens = not before or before[-1] in ".!?,。！，、"
    return opens and (after[:1] in ",.!;:-–—，。！、" or not after)


def _denies(text: str, negation: Span, value: Value) -> bool:
    between = text[negation.end : value.start]
    if _STOP.search(between):
        return False
    if _opens(text, negation) and _COMMA.search(between):
        return False
    return not content_words(between) and not _COMMA.search(between.strip())


def _whole(text: str, words: str) -> int | None:
    """Where words stand in a text, in whatever case; None unless once, as whole words."""
    folded, folded_words = text.casefold(), words.casefold()
    at = folded.find(folded_words)
    # `ß` and its like change the length when folded: then the places would be wrong.
    if at < 0 or folded.count(folded_words) != 1 or len(folded) != len(text):
        return None
    return None if _is_cut(text, at) or _is_cut(text, at + len(words)) else at


def _is_cut(text: str, at: int) -> bool:
    """Whether a place is within a word or a number."""
    if not 0 < at < len(text):
        return False
    return _joins(text[at - 1]) and _joins(text[at])


def _joins(sign: str) -> bool:
    return sign.isalnum() and not is_cjk(sign)
