"""What the words of a clause name: which of them say something, and who is called by name."""

from clawgit.domain.quantity import Token
from clawgit.domain.statement_phrases import ENDED, INSTEAD
from clawgit.domain.statement_words import PREPOSITIONS, STOP, word_set
from clawgit.domain.stems import stem


def is_certain(token: Token) -> bool:
    """Whether it speaks of one certain thing: by a name or by the word before it."""
    return token.word in _CERTAIN or token.named


def doer(subject: list[Token], verb: str) -> frozenset[str]:
    """The name that a sentence begins with; `Marta chairs` has one, `the choir sings` and `cats sleep` have none."""
    opening = [token for token in subject if token.word not in _TITLED]
    named = all(token.named for token in opening[1:]) and all(map(says, opening))
    return labels(opening) if named and (verb.endswith("s") or verb in _ONCE) else frozenset()


def called(subject: list[Token]) -> list[Token]:
    """`Our dog Bruno` is Bruno."""
    near = next((at for at, token in enumerate(subject) if token.word in NEAREST), len(subject))
    name = subject[near + 1 :]
    return name if name and all(token.named for token in name) and subject[0].word in _OWNERS else subject


def labels(found: list[Token]) -> frozenset[str]:
    return frozenset(map(_label, found)) - {""}


def _label(token: Token) -> str:
    if token.amount is None:
        return stem(token.word) if says(token) else ""
    return f"{token.amount.kind} {token.amount.value}"


def says(token: Token) -> bool:
    return (
        token.amount is None and token.word not in STOP and token.word not in PREPOSITIONS and token.word not in SIGNS
    )


def is_name(token: Token) -> bool:
    return token.named or not token.word.isalpha()


ROLE = word_set("the our my their her his a an")
"""What stands before a noun, so that no verb can."""

SIGNS = frozenset((",", "(", ")", ENDED, INSTEAD))
_CERTAIN = word_set("the our my their his her all every each")
_TITLED = word_set("dr mr mrs ms prof now")
_ONCE = word_set("won founded invented designed wrote directed painted discovered")
_OWNERS = word_set("our my their his her")
NEAREST = word_set("""
    dog cat rabbit hamster horse pony son daughter wife husband brother sister cousin uncle aunt nephew niece
    friend neighbour neighbor colleague boss intern grandson granddaughter
    """)
"""Whom a name may stand behind; one can have several of them."""
