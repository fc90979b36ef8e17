"""What a message may change in an entry: one word or value for another, where the texts alone prove
it.

The message has exactly one word or value that the entry has not. What it stands for is proven in
one of three ways: the message names the old one, too; or the new one is the only value, and the
entry has one of that type; or the message says the entry again. Each condition below was switched
off in turn, and each cost a wrong change (tests/harm).
"""

import re
from collections.abc import Container, Iterable, Sequence
from functools import cache, lru_cache
from itertools import chain, takewhile

from clawgit.core import NamedTuple
from clawgit.language.clauses import is_asking, is_small_talk
from clawgit.language.judges.judging import thresholds, undoes
from clawgit.language.lazily import lazily
from clawgit.language.lexicon import begins_with, content_words, has_any, number_of
from clawgit.talk.rules.chat import ASSISTANT, USER, Message, unwrapped
from clawgit.talk.rules.kept_line import bears
from clawgit.talk.rules.passages import MOST, own, typed
from clawgit.talk.rules.wording import (
    PROTECTED,
    RUN,
    TOKEN,
    TypedValue,
    are_alike,
    doubt,
    fillers_of,
    fold,
    is_article,
    is_negated,
    is_plain,
    is_value,
    limits,
    pattern,
    sentences,
    stem,
    table,
    typed_values,
    unopened,
    without,
    without_fillers,
    words,
)

# The type of a unit that is no value.
WORD = "word"

NAMED = "it names the old and the new one"
"""The proof that changes an entry also where its subject is what changes."""

AGAIN = "it says the entry again, but for that"
"""The proof that leaves nothing of an entry unsaid."""

_STOPS = ".。!！"
_STOP = re.compile(r"[.!?…;]\s+|[。！？\n]")
# So many messages after one may take it back.
_REACH = 100
# In this many characters, words that take something back are about what was said before.
_OPENING = 60

# What a piece of a frame may hold: no end of a sentence, but a stop in a number or an address.
# Its length is bounded, or each word of a long text without a stop would be read on to the end.
_PART = r"(?:[^,;!?。！？，、\n.]|[.](?=\S)|(?<=\d)[.](?= [^\W\d])){1,80}?"
_PART_ENDS = r"(?=[,;!?。！？，、\n]|(?<!\d)[.](?!\S)|[.]?$)"
_RANGE = "(?:[-–~〜]|to|and|bis|und|al?|y|から|到|至|에서|부터)"
_RANGE_BEFORE = re.compile(rf"\d\S*\s*{_RANGE}\s*$")
_RANGE_AFTER = re.compile(rf"\s*{_RANGE}\s*\S?\d")
_WORD_BEFORE = re.compile(r"([^\W_]\S*)\s*$")
# A stop behind a word may be that of a title: “Dr. Chen”.
_NAME_AFTER = re.compile(r"[.]?\s+([^\W_])")
_CODE = re.compile(r"[^\W_]-+")
_PIECE = lazily(f"{RUN.pattern}|{TOKEN.pattern}")

_CALENDAR = ("weekday", "date", "ordinal", "number")
# “24th”, “24.11.”, “24/11”, and behind a weekday a number that is no time.
_DATE = re.compile(r"\d{1,2}(?:st|nd|rd|th|[./]\d{1,2})\b")
_DAY = re.compile(
    r"[\s,(]*(?:(?:the|de[rn]|el) )?\d{1,2}\b(?!:| ?(?:[ap]m|uhr|h)\b)", re.IGNORECASE
)
# A value that is given again: “10 km (6 miles)”.
_TWICE = re.compile(r"\d\S{0,20}(?: [^\W\d]{1,20})?\s?[(（][^()（）]{0,20}\d[^()（）]{0,80}[)）]")


class Exchange(NamedTuple):
    """`new`, a word or value of the message, replaces `old` in the statement. `why` is the
    proof.
    """

    old: TypedValue
    new: TypedValue
    why: str

    def applied(self, statement: str) -> str:
        return f"{statement[: self.old.start]}{self.new.text}{statement[self.old.end :]}"


def exchange(
    message: str, statement: str, headings: str = "", turn: Sequence[str] = (), *, called: bool
) -> Exchange | None:
    """The one change that is proven; None if nothing is. `turn` are the sentences of the agent's
    last turn. `called`: the message is a correction by its own pattern, or was typed as one.
    """
    said, held = unopened(message), units(statement)
    more = _new_in(said, (*held, *units(headings)))
    if len(more) != 1 or limits(said) != limits(statement) or is_negated(statement):
        return None
    new = more[0]
    proofs = _named(said, new, held)
    # Without a word of objection, a second lesson, price or day may stand beside the first.
    if called and is_plain(said) and _is_in_order(said, held):
        proofs |= _of_type(said, new, held) | _said_again(said, new, statement, held)
    if len(proofs) != 1:
        return None
    [(old, why)] = proofs.items()
    is_named = why == NAMED
    if (
        _may_stand(statement, old, new, why)
        and (is_named or _is_of_the_same(statement, old, turn))
        and _is_meant(message, statement, old, turn, is_named=is_named)
    ):
        return Exchange(old, new, why)
    return None


def certain(message: str) -> str:
    """The operator's own words in a message, "" if one of its sentences is in doubt."""
    mine = typed(message)
    return "" if any(map(doubt, sentences(mine))) else mine


def says(message: str, text: str) -> bool:
    """Whether a sentence of a message says just this, and none denies it or takes it back: “It is
    not true that …”.
    """
    rest = unopened(message)
    is_denied = is_negated(rest) > is_negated(text) or has_any(rest, "withdrawals")
    is_whole = words(text) in map(words, sentences(rest))
    return is_whole and bears(message, text) and not is_denied


def _is_of_the_same(statement: str, old: TypedValue, turn: Sequence[str]) -> bool:
    """Whether a change leaves what an entry is about, though that is not named: it changes a value,
    its end, or what the agent said last. “The barn opens at 9” says nothing of the mill that does.
    """
    word = old.text.casefold()
    if number_of(word, word) or old.type != WORD or not any(map(str.isalnum, statement[old.end :])):
        return True
    return any(word in said.casefold() for said in turn)


def _is_in_order(message: str, held: Sequence[TypedValue]) -> bool:
    """Whether a message has the words of an entry in their order. What Bo owes Ana is not what Ana
    owes Bo.
    """
    own = [each.key for each in held if each.type == WORD]
    said = [each.key for each in units(message) if each.key in own]
    return said == [key for key in own if key in said]


def _new_in(message: str, held: Iterable[TypedValue]) -> list[TypedValue]:
    known = {each.key for each in held}
    return [each for each in units(message) if each.key not in known]


def _named(message: str, new: TypedValue, held: Sequence[TypedValue]) -> dict[TypedValue, str]:
    """What the message names as the old value of a change to the new one."""
    named = set[str]()
    for change in _changes(message):
        # The frame around the old and the new one does not count as a denial.
        before, after = message[: change.start()], message[change.end() :]
        if is_plain(f"{before} {change['old']} {change['new']} {after}"):
            named.add(_old_one(change, new, held))
    return {each: NAMED for each in held if each.key in named}


def _old_one(change: re.Match[str], new: TypedValue, held: Sequence[TypedValue]) -> str:
    """The key of what a change replaces by the new one, "" if it is another change."""
    olds = [each.key for each in units(change["old"]) if each.type == new.type]
    if len(olds) != 1 or {each.key for each in _new_in(change["new"], held)} != {new.key}:
        return ""
    return olds[0]


def _of_type(message: str, new: TypedValue, held: Sequence[TypedValue]) -> dict[TypedValue, str]:
    """The one value of the entry that is of the type of the one value of the message."""
    alike = [each for each in held if each.type == new.type]
    values = [each for each in units(message) if each.type != WORD]
    if new.type == "number" or len(alike) != 1 or values != [new]:
        return {}
    return {alike[0]: "it gives the one value of that type"}


def _said_again(
    message: str, new: TypedValue, statement: str, held: Sequence[TypedValue]
) -> dict[TypedValue, str]:
    """In whose place the new one makes the entry what the message says word for word. A state is no
    name: “The server is down” renames no castor.
    """
    said = message.casefold()
    made = {
        each: f"{statement[: each.start]}{new.text}{statement[each.end :]}".casefold()
        for each in held
        if _begins_a_name(new.text) or not _is_state(each, statement)
    }
    return {each: AGAIN for each, text in made.items() if text.rstrip(_STOPS) in said}


def _is_state(held: TypedValue, statement: str) -> bool:
    """Whether a word may tell how something is, not what it is called: “The cat is black.”"""
    before = _WORD_BEFORE.search(statement[: held.start])
    return bool(held.type == WORD and before and pattern("copulas").fullmatch(before[1]))


@lru_cache(maxsize=1 << 12)
def units(text: str) -> tuple[TypedValue, ...]:
    """The values and the telling words of a text, in their order; where nothing parts words, what
    stands between fillers is one.
    """
    # What begins behind a word and a hyphen is the end of that, such as 3 of `castor-3`.
    begun = {at.end() for at in _CODE.finditer(text)}
    values = [each for each in typed_values(text) if each.start not in begun]
    rest = without_fillers(without(text, values))
    fillers = fillers_of(text)
    telling = (
        TypedValue(*at.span(), WORD, stem(at[0]), at[0])
        for at in _PIECE.finditer(rest)
        # “US” and “IT” are no fillers.
        if fold(at[0]) not in fillers or (at[0].isupper() and at[0][1:])
    )
    return tuple(sorted((*values, *telling)))


def _are_alike(old: TypedValue, new: TypedValue) -> bool:
    """Whether both are values of one type, or words in one script, both with a capital or none."""
    if WORD not in (old.type, new.type):
        return are_alike(old, new)
    are_names = old.text[0].isupper() == new.text[0].isupper()
    # Where nothing parts words, a piece may be more than a name: “王芳负责采购”, “李明负责销售”.
    is_run = bool(RUN.match(old.text))
    is_piece = is_run and not set(old.text).isdisjoint(new.text)
    return (
        old.type == new.type and are_names and is_run == bool(RUN.match(new.text)) and not is_piece
    )


def _may_stand(statement: str, old: TypedValue, new: TypedValue, why: str) -> bool:
    """Whether the new one is of a kind with the old one, which stands outside of quotations and
    code, has nothing that follows from it, and is neither a part of a name nor one end of a range.
    """
    if not _are_alike(old, new) or _is_within(PROTECTED, statement, old):
        return False
    if old.type == WORD:
        return not _is_of_a_name(statement[: old.start], statement[old.end :])
    before, after = statement[: old.start], statement[old.end :]
    is_ranged = _RANGE_BEFORE.search(before) or _RANGE_AFTER.match(after)
    return not (is_ranged or _is_bound(statement, old, why))


def _is_within(pieces: re.Pattern[str], statement: str, old: TypedValue) -> bool:
    spans = (at.span() for at in pieces.finditer(statement))
    return any(start < old.end and old.start < end for start, end in spans)


def _is_bound(statement: str, old: TypedValue, why: str) -> bool:
    """Whether a value would be left that follows from one: the weekday of a date, or its date, or
    what says the same in brackets.
    """
    if _is_within(_TWICE, statement, old):
        return True
    if why == AGAIN or not old.type.startswith(_CALENDAR):
        return False
    values = typed_values(statement)
    has_weekday = any(each.type.startswith("weekday") for each in values)
    return has_weekday and any(_is_date(each, statement) for each in values)


def _is_date(value: TypedValue, statement: str) -> bool:
    """Whether a value is a date, or a weekday with the number of its day."""
    if value.type.startswith("weekday"):
        return bool(_DAY.match(statement, value.end))
    is_figured = value.type.startswith(_CALENDAR) and _DATE.match(statement, value.start)
    return value.type == "date" or bool(is_figured)


def _is_of_a_name(before: str, after: str) -> bool:
    """Whether a number or a capital beside a word may belong to its name."""
    last, first = _WORD_BEFORE.search(before), _NAME_AFTER.match(after)
    if first and _begins_a_name(first[1]):
        return True
    # A capital before it may only open the sentence.
    return last is not None and not is_article(last[1]) and _begins_a_name(last[1])


def _begins_a_name(word: str) -> bool:
    return word[0].isdigit() or word[0].isupper()


def _is_meant(
    message: str, statement: str, old: TypedValue, turn: Sequence[str], *, is_named: bool
) -> bool:
    """Whether the message is about this entry: it names its whole subject, or nothing of it and
    answers an agent that just said the entry.

    “The pool closes at 20:00” is not about a library that closes at 18:00, nor “my lesson is at 5”
    about Mia's lesson.
    """
    subject = {word for word in words(statement) - words(old.text) if not is_value(word)}
    if shared := subject & words(message):
        return shared == subject
    # A value alone does not say whose it is: “No, 10 mg” may be mom's.
    if not (turn and is_named):
        return False
    # If it said more, the message may be about that; if it asked, it is the answer.
    [said, *more] = turn
    return not more and words(said) == words(statement) and doubt(said) != "asks"


def telling(spoken: Iterable[str]) -> frozenset[str]:
    """The words that tell what a text is about: no values, and none that any text may have."""
    plain = (word for word in sorted(spoken) if not is_value(word))
    return content_words(" ".join(plain), "first_person")


def denies(message: str, statement: str) -> bool:
    """Whether a message names something of a statement as the old value of a change."""
    own = words(statement)
    return any(not own.isdisjoint(words(at["old"])) for at in _changes(message))


def retracts(message: str, statement: str) -> bool:
    """Whether a sentence begins with the whole subject of a statement and denies something of it:
    “My neighbour's dog is Bruno, not Rufus” is not about my dog, Rufus.
    """
    held = _unit_keys(statement)
    return any(
        held & old and _subject(part, held) >= held - old
        for part in _STOP.split(message)
        for old in (_unit_keys(at["old"]) for at in _changes(part))
    )


def _subject(sentence: str, held: Container[str]) -> set[str]:
    """The words of a statement with which a sentence begins, but for “and” and “I”."""
    telling = (
        each.key
        for each in units(sentence)
        if each.key in held or content_words(each.text, "first_person")
    )
    return {*takewhile(held.__contains__, telling)}


def _unit_keys(text: str) -> set[str]:
    return {each.key for each in units(text)}


def taken_back(
    text: str, message: Message, talk: Sequence[Message], *, judged: bool = False
) -> Message | None:
    """The message that may take back what the operator says in one: the next one of his session
    that is more than small talk, or a later one that names something of it. `judged`: or the next
    one, if it limits the text, or a judge says that it changes it.
    """
    there = [*filter(lambda each: each.session == message.session, talk)]
    after, before, is_next = there.index(message) + 1, "", True
    for each in there[after : after + _REACH]:
        said = unwrapped(each.text)[:MOST]
        if each.role == USER:
            is_meant = is_next or words(text) & words(said)
            is_off = is_meant and takes_back(text, said, before)
            altered = judged and is_next and _alters(text, said)
            if (is_off or altered) and not _is_of_another(text, said, there[:after]):
                return each
            is_next = is_next and is_small_talk(said)
        before = said if each.role == ASSISTANT else ""
    return None


def _alters(text: str, later: str) -> bool:
    """Whether what is said next limits a text, or a judge says that it changes it."""
    return begins_with(later, "exceptions") or undoes(later, text) >= thresholds().undone


def _is_of_another(text: str, said: str, talk: Iterable[Message]) -> bool:
    """Whether what is taken back is named, and the text lacks what he spoke of elsewhere: “I was
    kidding about the cat.”
    """
    at = pattern("topics").search(said)
    matter = content_words(_STOP.split(said[at.end() :])[0]) if at else frozenset()
    spoken = " ".join(unwrapped(each.text) for each in talk if each.role == USER)
    return frozenset() < matter <= content_words(spoken) - content_words(text)


def takes_back(text: str, later: str, before: str) -> bool:
    """Whether what its writer says next may take back a text: it denies something of it, begins
    with “No, …”, or says so. `before`: what the agent said between; a “no” answers a question.
    """
    later, is_answer = later[:MOST], is_asking(before)
    # “Hold on, the phone.” changes nothing.
    is_again = begins_with(later, "afterthoughts")
    says_more = has_any(later, "objections") or typed_values(later)
    return bool(is_again and says_more) or _turns_back(later, is_answer) or denies(later, text)


# A message is asked for all that was said before it.
@lru_cache(maxsize=256)
def _turns_back(later: str, is_answer: bool) -> bool:
    """The same of a message whatever was said before it."""
    opening = own(later).strip()[:_OPENING]
    no = re.findall(r"\A(?:\w{1,8}(?:[,.!。，、！]+\s*|\Z)){1,2}", opening)
    # In “心配しないで” (don't worry), a word that denies is a part of another one.
    polite = filter(is_small_talk, re.findall(r"\w+", "".join(no)))
    is_no = has_any(" ".join(polite), "negations") or has_any("".join(no), "objections")
    # “Don't forget the milk” asks to keep something.
    said = pattern("requests").sub(lambda at: "" if is_negated(at[0]) else at[0], opening)
    is_said = has_any(said, "withdrawals") and "?" not in opening
    return is_said or (is_no and not is_answer) or begins_with(opening, "reversals")


# Asked again for each entry that a message may mean.
@lru_cache(maxsize=256)
def _changes(text: str) -> tuple[re.Match[str], ...]:
    """Each change that a text names, with the old and the new one."""
    return tuple(at for frame in _frames() for at in frame.finditer(text))


@cache
def _frames() -> tuple[re.Pattern[str], ...]:
    return tuple(
        re.compile(
            row.replace("OLD", f"(?P<old>{_PART})").replace("NEW", f"(?P<new>{_PART})")
            + _PART_ENDS,
            re.IGNORECASE,
        )
        for row in chain(*table("frames").values())
    )
