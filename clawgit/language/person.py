"""Whether a sentence says I, we or you, so that it means nothing without its speaker."""

import re
from collections.abc import Sequence
from functools import cache

from clawgit.language.lexicon import Lexicon, lexicons_for
from clawgit.language.tokens import Token, tokens

_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_REST_OF_CODE = re.compile(r"(?:-[a-z]{1,20}){0,4}-\d")
_REST_OF_NUMERAL = re.compile(r"[/=^_-]|\.\s+\S|(?:,|,? and| or| to|[–-]) ?[IVX]+\b| of\b")
"""What stands after a capital I that is a numeral or a sign: `I. Start`, `I of England`, `I/O`."""
_BEFORE_VARIABLES = frozenset(
    ("for", "with", "of", "to", "from", "by", "int", "let", "var", "const", "the", "a", "an")
)


def needs_speaker(text: str) -> bool:
    """Whether words need their speaker to be understood. In doubt they do: a quotation is never
    wrong.
    """
    # Blanks of the same length keep the places of the words.
    if "`" in text:
        text = _CODE.sub(lambda code: " " * len(code[0]), text)
    among = tokens(text)
    return any(
        _is_listed(text, among, language) or _has_letter(text, among, language)
        for language in lexicons_for(text)
    )


def _is_listed(text: str, among: Sequence[Token], language: Lexicon) -> bool:
    """Whether a text has a listed pronoun, or a verb with the ending of one."""
    if language.script != "latin":
        classes = ("first_person", "second_person")
        return any(next(language.exact(name).every(text, among), None) for name in classes)
    is_shouted = text.isupper()
    return any(_is_personal(text, token, language, is_shouted=is_shouted) for token in among)


def _is_personal(text: str, token: Token, language: Lexicon, *, is_shouted: bool) -> bool:
    word, mark, _ = token.folded.partition("'")
    if not _lower(language).isdisjoint((word, word + mark)):
        # `US` is a country, unless the whole text is in capitals.
        is_acronym = len(token.text) > 1 and token.text.isupper() and not is_shouted
        if not is_acronym and not _is_compound(text, token):
            return True
    if token.text in _capital(language) and not _opens(text, token):
        return True
    return _ends_personally(token.folded, language)


def _ends_personally(word: str, language: Lexicon) -> bool:
    endings = language.rows("first_person_endings")
    if not endings or not word.endswith(endings) or len(word) < len("amos"):
        return False
    return word not in language.words("not_first_person") | language.words("function_words")


def _is_compound(text: str, token: Token) -> bool:
    """Whether a word is inside a compound: `forget-me-nots`, or of a code: `eu-west-3`."""
    if _REST_OF_CODE.match(text, token.end):
        return True
    before, behind = text[max(0, token.start - 2) : token.start], text[token.end : token.end + 2]
    is_between = before[-1:] == behind[:1] == "-"
    return is_between and before[:1].isalpha() and behind[1:].isalpha()


def _has_letter(text: str, among: Sequence[Token], language: Lexicon) -> bool:
    """The English `I`, alone or with a verb after an apostrophe."""
    letter = language.data.get("capital_i")
    if not letter:
        return False
    return any(
        token.folded.startswith(f"{letter}'")
        or (token.folded == letter and _is_pronoun(text, among, index, language))
        for index, token in enumerate(among)
    )


def _is_pronoun(text: str, among: Sequence[Token], index: int, language: Lexicon) -> bool:
    """Whether a lone letter i is a pronoun, and no numeral, variable or word of another language.

    Its place decides.
    """
    token = among[index]
    before = among[index - 1].text if index else ""
    if before.casefold() in language.words("numbered"):
        # `Phase I will end` has a numeral, `the phase I will end` has a pronoun.
        is_small = before.islower() and token.text == "I"
        return is_small and _is_helped(among, index, language)
    if token.text == "I":
        return not _REST_OF_NUMERAL.match(text, token.end)
    if before.casefold() in _BEFORE_VARIABLES or not text[token.end : token.end + 1].isspace():
        return False
    if _is_helped(among, index, language):
        return True
    is_verb = text[token.end :].lstrip()[:1].islower()
    return is_verb and (not before or _is_english(among, language))


def _is_english(among: Sequence[Token], language: Lexicon) -> bool:
    """Whether a text has a known word of English besides the letter."""
    letter = language.data["capital_i"]
    return any(token.folded != letter and token.folded in language.known for token in among)


def _is_helped(among: Sequence[Token], index: int, language: Lexicon) -> bool:
    """Whether an auxiliary verb follows a token."""
    after = among[index + 1 : index + 2]
    return bool(after) and after[0].folded in language.words("auxiliaries")


def _opens(text: str, token: Token) -> bool:
    """Whether a word stands where every word has a capital."""
    before = text[: token.start].rstrip(' \t*_`"“„(-')
    return not before or before[-1] in ".!?:\n"


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
