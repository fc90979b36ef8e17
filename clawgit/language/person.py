"""Whether a sentence says I, we or you, so that it means nothing without its speaker."""

import re
from collections.abc import Sequence
from functools import cache

from clawgit.language.lexicon import Lexicon, lexicons_for
from clawgit.language.tokens import Token, tokens

_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_SIGNS = re.compile(r"\s*[=<>+*\[\](){}/;^%\\]|[-./_]\w")
"""What stands after a letter in a formula, in code or in an abbreviation."""
_REST_OF_CODE = re.compile(r"(?:-[a-z]{1,20}){0,4}-\d")
_SIGNS_BEFORE = "=<>+*[](){}/;^%\\-._"
_ROMAN = re.compile(r"(?:[\s,&]|and|or|to|–|-)*[IVX]{2,}\b|(?:[\s,&]|and|or|to|–|-)*[VX]\b")
_MARGIN = 8
_BEFORE = "for with of to from by int let var const the a an each"
_WORDS_BEFORE_VARIABLES = frozenset(_BEFORE.split())


def needs_speaker(text: str) -> bool:
    """Whether words need their speaker to be understood. In doubt they do: a quotation is never
    wrong.
    """
    # Blanks of the same length keep the places of the words.
    if "`" in text:
        text = _CODE.sub(lambda code: " " * len(code[0]), text)
    among = tokens(text)
    shouted = text.isupper()
    return any(
        _is_listed(text, among, language, shouted=shouted) or _has_letter(text, among, language)
        for language in lexicons_for(text)
    )


def _is_listed(text: str, among: Sequence[Token], language: Lexicon, *, shouted: bool) -> bool:
    """Whether a text has a listed pronoun, or a verb with the ending of one."""
    if language.script != "latin":
        classes = ("first_person", "second_person")
        return any(next(language.exact(name).every(text, among), None) for name in classes)
    return any(_is_personal(text, token, language, shouted=shouted) for token in among)


def _is_personal(text: str, token: Token, language: Lexicon, *, shouted: bool) -> bool:
    word, mark, _ = token.folded.partition("'")
    if not _lower(language).isdisjoint((word, word + mark)):
        # `US` is a country, unless the whole text is in capitals.
        is_acronym = len(token.text) > 1 and token.text.isupper() and not shouted
        if not is_acronym and not _is_compound(text, token):
            return True
    if token.text in _capital(language) and not _opens(text, token):
        return True
    return _ends_personally(token.folded, language)


def _has_letter(text: str, among: Sequence[Token], language: Lexicon) -> bool:
    """The English `I`, alone or with a verb after an apostrophe."""
    letter = language.data.get("capital_i")
    if not letter:
        return False
    is_english = any(token.folded != letter and token.folded in language.known for token in among)
    return any(
        token.folded.startswith(f"{letter}'")
        or (
            token.folded == letter
            and _is_pronoun(text, among, index, language, is_english=is_english)
        )
        for index, token in enumerate(among)
    )


def _is_compound(text: str, token: Token) -> bool:
    """Whether a word is inside a compound: `forget-me-nots`, or of a code: `eu-west-3`."""
    if _REST_OF_CODE.match(text, token.end):
        return True
    before = text[max(0, token.start - 2) : token.start]
    behind = text[token.end : token.end + 2]
    if before[-1:] != "-" or behind[:1] != "-":
        return False
    return before[:1].isalpha() and behind[1:].isalpha()


def _is_pronoun(
    text: str, among: Sequence[Token], index: int, language: Lexicon, *, is_english: bool
) -> bool:
    """Whether a lone letter i is a pronoun, and no numeral, variable or word of another language.

    Its place decides.
    """
    token = among[index]
    if _is_sign(text, token):
        return False
    before = _word_before(text, among, index)
    after = next(iter(among[index + 1 : index + 2]), None)
    helps = _is_auxiliary(after, language)
    if before and before.folded in language.words("numbered"):
        # `Phase I will end` has a numeral, `the phase I will end` has a pronoun.
        return helps and before.text.islower() and token.text == "I"
    if token.text == "I":
        return not _is_numeral(text, before, token, language)
    if before and before.folded in _WORDS_BEFORE_VARIABLES:
        return False
    return helps or (_begins_clause(after) and (before is None or is_english))


def _begins_clause(after: Token | None) -> bool:
    """Whether a word after a letter may be a verb. A name would have a capital."""
    return after is not None and not after.text[:1].isupper()


def _is_auxiliary(token: Token | None, language: Lexicon) -> bool:
    return token is not None and token.folded in language.words("auxiliaries")


def _word_before(text: str, among: Sequence[Token], index: int) -> Token | None:
    """The token before another one, if only white space is between them."""
    if not index:
        return None
    before = among[index - 1]
    return before if text[before.end : among[index].start].isspace() else None


def _is_sign(text: str, token: Token) -> bool:
    """Whether a letter is one of a formula, of code or of an abbreviation. Emphasis is not one."""
    before = text[max(0, token.start - 1) : token.start]
    if before in ("*", "_") and text.startswith(("*", "_"), token.end):
        return False
    if _SIGNS.match(text, token.end):
        return True
    # At the beginning, the sign is a bullet or the like.
    opens = token.start < _MARGIN and not text[: token.start - 1].strip()
    return bool(before) and before in _SIGNS_BEFORE and not opens


def _is_numeral(text: str, before: Token | None, token: Token, language: Lexicon) -> bool:
    """Whether it is as in `World War I.`, `Elizabeth I of England`, `I, II and III`, `I. Start`."""
    if _ROMAN.match(text, token.end) or re.match(r"\.\s+\S", text[token.end : token.end + 4]):
        return True
    if before is None or not before.text[:1].isupper() or before.folded in language.known:
        return False
    rest = text[token.end : token.end + 4]
    return not rest.strip() or rest.strip()[0] in '.,;:!?)”"' or rest.startswith(" of ")


def _opens(text: str, token: Token) -> bool:
    """Whether a word stands where every word has a capital."""
    before = text[: token.start].rstrip(' \t"“„*_(-')
    return not before or before[-1] in ".!?:\n"


def _ends_personally(word: str, language: Lexicon) -> bool:
    endings = language.rows("first_person_endings")
    if not endings or not word.endswith(endings) or len(word) < len("amos"):
        return False
    return word not in language.words("not_first_person") | language.words("function_words")


@cache
def _lower(language: Lexicon) -> frozenset[str]:
    rows = (*language.rows("first_person"), *language.rows("second_person"))
    return frozenset(
        row for row in rows if row[:1].islower() and row != language.data.get("capital_i")
    )


@cache
def _capital(language: Lexicon) -> frozenset[str]:
    """Words that address somebody only where they have a capital inside a sentence."""
    rows = (*language.rows("first_person"), *language.rows("second_person"))
    return frozenset(row for row in rows if row[:1].isupper())
