"""What makes a sentence less than a plain statement, by the word lists of the languages."""

import re
from datetime import datetime

from clawgit.language.days import whens
from clawgit.language.lexicon import lexicons_for
from clawgit.language.tokens import is_cjk, tokens

_QUESTION = re.compile(r"[?？]|(?:吗|嗎|呢|か|까요|나요)\s*[。.]?\s*$")
_QUOTES = re.compile(
    r"[“„«「『][^”“»」』]{0,400}[”“»」』]|(?<!\w)[\"'][^\"'\n]{2,400}[\"'](?!\w)|`[^`\n]+`|```"
)
ASKS = "it asks"
_CLASSES = (
    ("hedges", "the speaker is not sure"),
    ("conditions", "it is limited by a condition or an exception"),
    ("vague", "it may hold only for a while"),
    ("future", "it is about the future"),
)
_ANY_DAY = datetime(2000, 1, 3)  # noqa: DTZ001 - only the kinds of days are read


def doubt(sentence: str) -> str:
    """Why a sentence is not a plain statement of a fact, "" if it is."""
    # The regular expressions come first, because they are cheap.
    if _QUESTION.search(sentence):
        return ASKS
    if _QUOTES.search(sentence):
        return "it quotes or shows code"
    for name, why in _CLASSES:
        if has(sentence, name):
            return why
    if _reports(sentence):
        return "it is what somebody says or thinks"
    if any(when.kind == "relative" for when in whens(sentence, _ANY_DAY)):
        return "it may hold for one day only"
    return ""


def _reports(sentence: str) -> bool:
    """Whether somebody else says so. `I said` is no report."""
    among = tokens(sentence)
    for language in lexicons_for(sentence):
        own = language.words("first_person")
        for match in language.exact("reports").every(sentence, among):
            before = among[max(0, match.first - 2) : match.first]
            if not any(token.folded in own for token in before):
                return True
    return False


def has(text: str, name: str) -> bool:
    """Whether a text has a word of a class, in one of its languages."""
    among = tokens(text)
    for language in lexicons_for(text):
        for match in language.exact(name).every(text, among):
            # A single Chinese character for the future is often a part of a word: 会 in 周会.
            is_part = name == "future" and len(match.value) <= 1 and is_cjk(match.value)
            if not is_part:
                return True
    return False
