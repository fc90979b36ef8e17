"""What the numbers of a clause say: a value of a kind, or which of several alike is meant."""

from clawgit.domain.quantity import Amount, Token
from clawgit.domain.statement_concepts import STATES, concept, is_thing
from clawgit.domain.statement_verbs import VERBS
from clawgit.domain.statement_words import COUNTED_BEFORE, PREPOSITIONS, STOP, word_set

Label = tuple[str, str]
"""A noun, and the number or letter by which it is told from its like: hive 4, revision C."""


def values(found: list[Token], gone: frozenset[int], verb: int) -> tuple[list[Amount], list[Label]]:
    """The values and the labels of a clause with its verb at `verb`, but for those at the places that are `gone`."""
    amounts: list[Amount] = []
    labels: list[Label] = []
    for at, token in enumerate(found):
        if at in gone:
            continue
        one = (
            (_which(found, at, verb) or _value(found, at)) if token.amount else code(token.word) or _lettered(found, at)
        )
        if isinstance(one, Amount):
            amounts.append(one)
        elif one or _is_letter(found, at):
            labels.append(one or (concept(found[at - 1].word), token.word))
    return amounts, labels


def _which(found: list[Token], at: int, verb: int) -> Label | None:
    """The label that a day, a month, a number of the subject is: `the tickets for Friday`, `the beamer in room 3`."""
    amount, before, behind = found[at].amount, _beside(found, at - 1), _beside(found, at + 1)
    if amount is None or not at < verb < len(found):
        return None
    if amount.kind == "number" and at > 1 and found[at - 2].word in PREPOSITIONS and _may_be_called(before):
        return concept(before.word), amount.said
    if amount.kind not in _WHICH:
        return None
    if (at + 1 < verb or is_thing(behind.word)) and _counts(behind) and before.word not in PREPOSITIONS:
        return concept(behind.word), amount.said
    if at > 1 and before.word in ("for", "of"):
        return concept(found[at - 2].word), amount.said
    return None


def code(word: str) -> Amount | None:
    """A number that a letter begins: A440."""
    digits = word[1:]
    begun = digits.isdecimal() and word[0].isalpha()
    return Amount(f"code {word[0]}", (float(digits),), word) if begun else None


def _value(found: list[Token], at: int) -> Amount | Label | None:
    """The value of an amount, or the label that it is."""
    one, before, behind = found[at].amount, _beside(found, at - 1), _beside(found, at + 1)
    if one is None or one.kind != "number":
        return one
    if one.said.endswith(_ORDINAL) and one.said[0].isdigit():
        return concept(behind.word), one.said
    if before.word.rpartition(" ")[2] in _AT and one.value[0] <= _HOURS and not _counts(behind):
        return one._replace(kind="clock", value=(one.value[0] * 60,))
    if before.word in COUNTED_BEFORE or _is_place(found, at):
        return one._replace(kind=f"number {concept(before.word)}")
    called = (before.named or at == 1) and _is_told(behind.word)
    if not called and _counts(behind) and not behind.word.startswith("each-"):
        return one._replace(kind=f"number {'people' if behind.word in _PEOPLE else concept(behind.word)}")
    return (concept(before.word), found[at].word) if called or _may_be_called(before) else one


def _may_be_called(noun: Token) -> bool:
    return noun.amount is None and noun.word not in _NO_LABEL


def _beside(found: list[Token], at: int) -> Token:
    return found[at] if 0 <= at < len(found) else Token("")


def _lettered(found: list[Token], at: int) -> Amount | None:
    """A place by its letter: `in room C`."""
    word, before = found[at].word, _beside(found, at - 1).word
    place = _is_letter(found, at) and _is_place(found, at)
    return Amount(f"number {concept(before)}", (float(ord(word[0])),), f"{before} {word}") if place else None


def _is_letter(found: list[Token], at: int) -> bool:
    word, before = found[at].word, _beside(found, at - 1)
    return len(word) == 1 and word.isalpha() and word not in STOP and before.amount is None and found[at].amount is None


def _is_place(found: list[Token], at: int) -> bool:
    """Whether a number tells in which of several it is: `in hall 4`."""
    behind = _beside(found, at + 1).word
    return at > 1 and found[at - 2].word in PREPOSITIONS and behind in PREPOSITIONS | {"", ","}


def _is_told(word: str) -> bool:
    """Whether a number before it is no count: of a verb, or of a state."""
    return word in VERBS or word in STATES or word.endswith("ed")


def _counts(token: Token) -> bool:
    return token.amount is None and token.word not in PREPOSITIONS | STOP and token.word not in ("", ",", "(", ")")


_ORDINAL = ("st", "nd", "rd", "th")
_WHICH = frozenset(("weekday", "month", "year"))
_HOURS = 24
_AT = word_set("at until till by before after")
_PEOPLE = word_set("people persons members guests participants attendees visitors employees staff singers")
_NO_LABEL = PREPOSITIONS | STOP | VERBS.keys() | {"", ",", "("}
