"""Messages that ask and tell nothing: they greet, thank, agree, decline or say goodbye."""

from collections.abc import Iterator

from clawgit.language.lexicon import lexicons_for
from clawgit.language.tokens import Token, tokens

_LONGEST = 80
_CLASSES = ("greetings", "agreements", "courtesies", "lead_outs", "negations")


def is_small_talk(message: str) -> bool:
    """Whether a short message has no words but such. A question is none: “ok?”."""
    if len(message) > _LONGEST or message.rstrip().endswith(("?", "？")):
        return False
    among = tokens(message)
    return bool(among) and len(set(_polite(message, among))) == len(among)


def _polite(message: str, among: tuple[Token, ...]) -> Iterator[int]:
    """The places of the tokens that belong to a listed word."""
    for language in lexicons_for(message):
        for name in _CLASSES:
            for match in language.exact(name).every(message, among):
                yield from range(match.first, match.after)
