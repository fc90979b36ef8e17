"""What a message may change in an entry: one span for another, where the texts alone prove it.

Three proofs, and nothing else. The message names the old value and the new one; or it gives the one
value of a type of which the entry has one; or it says the entry again with one span changed. Each
condition below was switched off in turn, and each cost a wrong change (tests/harm).
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from clawgit.git.rules.common_ends import common_ends
from clawgit.talk.rules.wording import (
    PROTECTED,
    RUN,
    TOKEN,
    TypedValue,
    are_alike,
    doubt,
    filler_pieces,
    fold,
    is_article,
    is_filler,
    is_negated,
    is_value,
    limits,
    pattern,
    spaced_words,
    stem,
    table,
    typed_values,
    without,
    without_fillers,
    words,
)

_MOST_WORDS = 4
"""In one name. Where nothing parts words, twice as many characters."""
_LONGEST = 1000
_LEAST_TELLING, _LEAST_KEPT, _LEAST_SIGNS = 2, 3, 4
"""What a sentence must repeat of an entry to say it again: telling words, or one of them and
others, or characters."""

# What a piece of a frame may hold: no end of a sentence, but a stop in a number or an address.
# Its length is bounded, or each word of a long text without a stop would be read on to the end.
_PART = r"(?:[^,;!?。！？，、\n.]|[.](?=\S)|(?<=\d)[.](?= [^\W\d])){1,80}?"
_PART_ENDS = r"(?=[,;!?。！？，、\n]|(?<!\d)[.](?!\S)|[.]?$)"
_RANGE = "(?:[-–~〜]|to|and|bis|und|al?|y|から|到|至|에서|부터)"
_RANGE_BEFORE = re.compile(rf"\d\S*\s*{_RANGE}\s*$")
_RANGE_AFTER = re.compile(rf"\s*{_RANGE}\s*\S?\d")


class Exchange(NamedTuple):
    """`new`, a span of the message, replaces `old` in the statement, from `start` to `end`. `why`
    is the proof.
    """

    start: int
    end: int
    old: str
    new: str
    why: str

    def applied(self, statement: str) -> str:
        return statement[: self.start] + self.new + statement[self.end :]


class Subject(NamedTuple):
    """An entry that may be changed: what it says, its headings, what all entries say, and the
    sentences of the agent's last turn. `called`: the message is a correction by its own pattern.
    """

    statement: str
    headings: str
    every: Sequence[str]
    turn: Sequence[str]
    called: bool

    @property
    def known(self) -> frozenset[str]:
        return words(f"{self.statement}\n{self.headings}", fillers=True)

    def is_meant(self, message: str, old: str, spoken_of: Sequence[str]) -> bool:
        """Whether the message is about this entry and no other. `spoken_of` are the sentences in
        which the agent spoke of the value that is wrong.

        “The pool closes at 20:00” is not about a library that closes at 18:00.
        """
        own = self._without(old)
        if spoken_of:
            return any(own <= words(message) | words(said) for said in spoken_of)
        return bool(own & words(message)) or not self.turn

    def is_the_one(self, message: str, old: str) -> bool:
        """Whether the old value is this entry's: its whole subject is named, or no other has it."""
        own = self._without(old)
        if own and own <= words(message):
            return True
        held = sum(old.casefold() in text.casefold() for text in self.every)
        return held == 1 and self.is_meant(message, old, self._spoken(old))

    def is_denied(self, old: str) -> bool:
        """Whether the agent said what a sentence says otherwise: “Bo owns a cat” may only add to
        what memory holds of Ana. Without a turn of the agent, the message must be a correction by
        its own pattern.
        """
        return bool(self._spoken(old)) if self.turn else self.called

    def _spoken(self, old: str) -> list[str]:
        return [said for said in self.turn if old.casefold() in said.casefold()]

    def _without(self, old: str) -> set[str]:
        return {word for word in words(self.statement) - words(old) if not is_value(word)}


def exchange(message: str, parts: Sequence[str], entry: Subject) -> Exchange | None:
    """The one change that is proven; None if nothing is, or if two proofs differ. `parts` are the
    sentences of the message: what proves a change stands in one of them, and the others say nothing
    more: “The gym closes at 21:00. On Sundays, I mean.”
    """
    if len(entry.statement) > _LONGEST or limits(message) - limits(entry.statement):
        return None
    proofs = [_by_value(message, entry)]
    more = [part for part in parts if _says_more(part, entry)]
    for part in (more or parts) if len(more) <= 1 else ():
        proofs += [_by_frame(part, message, entry), _by_restating(part, entry)]
    return _only(proofs, entry)


def _only(proofs: Iterable[Exchange | None], entry: Subject) -> Exchange | None:
    found = {proof.applied(entry.statement): proof for proof in proofs if proof}
    return found.popitem()[1] if len(found) == 1 else None


def denies(message: str, statement: str) -> bool:
    """Whether a message names something of a statement as the old value of a change."""
    own = words(statement)
    return any(not own.isdisjoint(words(old)) for old, _ in _named_changes(message))


def is_worded_as_a_change(message: str) -> bool:
    """Whether a message has a sentence that names an old and a new value."""
    return bool(_named_changes(message))


# Asked again for each entry that a message may mean.
@lru_cache(maxsize=64)
def _named_changes(text: str) -> tuple[tuple[str, str], ...]:
    """The old and the new value of each change that a text names."""
    found = (at for frame in _frames() for at in frame.finditer(text))
    return tuple((at["old"], at["new"]) for at in found)


@cache
def _frames() -> tuple[re.Pattern[str], ...]:
    rows = (row for listed in table("frames").values() for row in listed)
    return tuple(
        re.compile(
            row.replace("OLD", f"(?P<old>{_PART})").replace("NEW", f"(?P<new>{_PART})")
            + _PART_ENDS,
            re.IGNORECASE,
        )
        for row in rows
    )


# ---- where a piece stands


def _once(text: str, piece: str) -> int | None:
    """Where a piece stands, if it does exactly once, outside of quotations, code and links, and is
    no part of a longer word, name or number.
    """
    places = [at.start() for at in re.finditer(re.escape(piece), text, re.IGNORECASE)]
    if len(places) != 1:
        return None
    start, end = places[0], places[0] + len(piece)
    guarded = PROTECTED.sub(lambda at: "\0" * len(at[0]), text)[start:end]
    if "\0" in guarded or _is_part(text, piece, start, end):
        return None
    return start


def _is_part(text: str, piece: str, start: int, end: int) -> bool:
    before = None if RUN.match(piece[0]) else re.search(r"[^\W_][-–/.:'’]?$", text[:start])
    after = None if RUN.match(piece[-1]) else re.match(r"[-–/.:'’]?[^\W_]", text[end:])
    return any(joined and not RUN.search(joined[0]) for joined in (before, after))


def _is_a_whole_word(statement: str, start: int, end: int) -> bool:
    """Whether a piece is a whole name, and no part of a value."""
    values = typed_values(statement)
    if any(value.start < end and start < value.end for value in values):
        return False
    return _is_whole_name(statement, start, end)


def _is_whole_name(text: str, start: int, end: int) -> bool:
    """Whether no number, capital or Chinese character beside a piece may belong to its name."""
    before, after = text[:start].rstrip(), text[end:].lstrip()
    if RUN.search(text[start:end]):
        return _is_parted(before, after)
    # A stop behind it may be that of a title: “Dr. Chen”.
    first, last = re.match(r"(?:[.]\s+)?([^\W_])", after), re.search(r"[^\W_]\S*$", before)
    if first and _begins_a_name(first[1]):
        return False
    # A capital before it may only open the sentence, if that word says nothing.
    return last is None or is_filler(last[0]) or not _begins_a_name(last[0])


def _is_parted(before: str, after: str) -> bool:
    """Whether fillers part a piece from what stands beside it, in a script without blanks."""
    filler = filler_pieces()
    if RUN.search(before[-1:]) and not re.search(f"(?:{filler.pattern})$", before):
        return False
    return not RUN.match(after) or filler.match(after) is not None


def _begins_a_name(word: str) -> bool:
    return word[0].isdigit() or word[0].isupper()


def _is_foreign(text: str, entry: Subject) -> bool:
    """Whether a text has a telling word, values aside, that the entry does not have."""
    rest = without(text, typed_values(text))
    held = f"{entry.statement}\n{entry.headings}"
    new_run = any(run not in held for run in RUN.findall(without_fillers(rest)))
    return new_run or bool(spaced_words(rest) - entry.known)


# ---- (a) the message names the old value and the new one


def _by_frame(sentence: str, message: str, entry: Subject) -> Exchange | None:
    named = _named_changes(sentence)
    changes = (_framed(sentence, old, new, entry) for old, new in named)
    return _only((one for one in changes if one and entry.is_the_one(message, one.old)), entry)


def _framed(sentence: str, old: str, new: str, entry: Subject) -> Exchange | None:
    olds, news = typed_values(old), typed_values(new)
    if not olds and not news:
        return _name_in_frame(sentence, old, new, entry)
    if len(olds) != 1 or len(news) != 1 or _is_foreign(sentence, entry):
        return None
    held = [value for value in _of_type(olds[0].type, entry.statement) if value.key == olds[0].key]
    return _of_value(entry, held, news[0], "it names the old value and the new one")


def _of_type(type_: str, text: str) -> list[TypedValue]:
    return [value for value in typed_values(text) if value.type == type_]


def _name_in_frame(sentence: str, old: str, new: str, entry: Subject) -> Exchange | None:
    old, region = _core(old, frozenset()), new
    # A name is whole: “Doctor Novak, not Doctor Chen” does not leave the vet without a title.
    new = _core(region, entry.known - words(old, fillers=True))
    start = _once(entry.statement, old) if old else None
    if start is None or not _may_be_a_name(new, entry) or not _look_alike(old, new):
        return None
    # A first word may only open the sentence: “Ask Bo, not Ana”.
    opens = not any(map(str.isalnum, sentence[: sentence.find(new)]))
    if opens and len(TOKEN.findall(new)) > len(TOKEN.findall(old)):
        return None
    at = region.find(new)
    if not _is_whole_name(region, at, at + len(new)):
        return None
    end = start + len(old)
    rest = sentence.replace(new, " ", 1).replace(old, " ", 1)
    if not _is_a_whole_word(entry.statement, start, end) or _says_more(rest, entry):
        return None
    held = entry.statement[start:end]
    return Exchange(start, end, held, new, "it names the old word and the new one")


def _says_more(rest: str, entry: Subject) -> bool:
    return _is_foreign(rest, entry) or bool(typed_values(rest))


def _may_be_a_name(text: str, entry: Subject) -> bool:
    tokens = TOKEN.findall(text)
    most = 2 * _MOST_WORDS if RUN.search(text) else _MOST_WORDS
    if not tokens or len(tokens) > most or _has_filler(text):
        return False
    return text.casefold() not in entry.statement.casefold()


def _look_alike(old: str, new: str) -> bool:
    """Whether two pieces are in one script, and all words of both have a capital, or none has."""
    if bool(RUN.match(old)) != bool(RUN.match(new)):
        return False
    return len({word[0].isupper() for word in TOKEN.findall(f"{old} {new}")}) == 1


def _core(region: str, known: frozenset[str]) -> str:
    """A region without the fillers, and the words that are known, at its edges."""
    tokens = TOKEN.finditer(without_fillers(region))
    telling = [at for at in tokens if not is_filler(at[0]) and stem(at[0]) not in known]
    return region[telling[0].start() : telling[-1].end()] if telling else ""


# ---- (b) the message gives the one value of a type of which the entry has one


def _by_value(message: str, entry: Subject) -> Exchange | None:
    given = typed_values(message)
    if len(given) != 1 or given[0].type == "number" or _is_foreign(message, entry):
        return None
    if not _is_plain(message, entry.statement):
        return None
    held = _of_type(given[0].type, entry.statement)
    if len(held) != 1 or not _is_said_wrongly(message, held[0], entry):
        return None
    return _of_value(entry, held, given[0], "it gives the one value of that type")


def _is_plain(message: str, statement: str) -> bool:
    """Whether neither denies, and both have the same limits: “until 18:00” is not put right by “at
    19:00”.
    """
    is_denied = is_negated(statement) or bool(pattern("denials").search(message))
    return not is_denied and limits(message) == limits(statement)


def _is_said_wrongly(message: str, held: TypedValue, entry: Subject) -> bool:
    """Whether the value of the entry is what the agent said, if it said one of that type."""
    spoken_of = [said for said in entry.turn if _of_type(held.type, said)]
    if not entry.is_meant(message, held.text, spoken_of):
        return False
    # The agent said another value than memory, and memory may be right.
    if spoken_of and f"={held.key}" not in words(" ".join(spoken_of)):
        return False
    # The message may only answer what the agent asked at its end.
    last = entry.turn[-1] if entry.turn else ""
    return last in spoken_of or doubt(last) != "asks"


def _of_value(
    entry: Subject, held: Sequence[TypedValue], new: TypedValue, why: str
) -> Exchange | None:
    start = _once(entry.statement, held[0].text) if len(held) == 1 else None
    if start is None or held[0].key == new.key or not are_alike(held[0], new):
        return None
    end = start + len(held[0].text)
    before, after = entry.statement[:start], entry.statement[end:]
    if _RANGE_BEFORE.search(before) or _RANGE_AFTER.match(after):
        return None  # one end of a range
    return Exchange(start, end, held[0].text, new.text, why)


# ---- (c) the message says the entry again with one span changed


def _by_restating(sentence: str, entry: Subject) -> Exchange | None:
    held, said = [*TOKEN.finditer(entry.statement)], [*TOKEN.finditer(sentence)]
    last = _sign(held[-1]) if held else ""
    while said and is_filler(said[-1][0]) and _sign(said[-1]) != last:
        said.pop()
    # Words that open the message, such as “no, actually”, are left out one by one.
    for first, token in enumerate(said):
        if change := _one_span(sentence, said[first:], held, entry):
            return change
        if not is_filler(token[0]):
            break
    return None


def _one_span(
    sentence: str, said: Sequence[re.Match[str]], held: Sequence[re.Match[str]], entry: Subject
) -> Exchange | None:
    head, tail = common_ends([*map(_sign, said)], [*map(_sign, held)])
    olds, news = held[head : len(held) - tail], said[head : len(said) - tail]
    kept = [token[0] for token in (*held[:head], *held[len(held) - tail :])]
    if not olds or not news or max(len(olds), len(news)) > _MOST_WORDS or not _says_again(kept):
        return None
    old = entry.statement[olds[0].start() : olds[-1].end()]
    new = sentence[news[0].start() : news[-1].end()]
    start = _once(entry.statement, old)
    if start is None or not _are_rivals(old, new, entry):
        return None
    return Exchange(start, start + len(old), old, new, "it says the entry again, but for one span")


def _says_again(kept: Sequence[str]) -> bool:
    telling = [word for word in kept if not is_filler(word)]
    if telling and RUN.match(telling[0]):
        return len(kept) >= _LEAST_SIGNS
    return len(telling) >= _LEAST_TELLING or (len(telling) == 1 and len(kept) >= _LEAST_KEPT)


def _sign(token: re.Match[str]) -> str:
    return "the" if is_article(token[0]) else fold(token[0])


def _are_rivals(old: str, new: str, entry: Subject) -> bool:
    """Whether two spans are one value each, and nothing else; or two names, one of them denied."""
    both = f"{old} {new}"
    if limits(new) or is_negated(both) or _has_filler(both):
        return False
    values = [*_whole_values(old), *_whole_values(new)]
    if values:
        return _texts(values) == [old, new] and are_alike(*values)
    return _look_alike(old, new) and entry.is_denied(old)


def _texts(values: Iterable[TypedValue]) -> list[str]:
    return [value.text for value in values]


def _has_filler(text: str) -> bool:
    return any(map(is_filler, TOKEN.findall(text)))


def _whole_values(span: str) -> list[TypedValue]:
    """The values of a span that are no part of a code, such as 3 of `castor-3`."""
    values = typed_values(span)
    return [each for each in values if not _is_part(span, each.text, each.start, each.end)]
