"""Whether a sentence says I, we or you, so that it means nothing without who said it."""

import re
from collections.abc import Sequence
from functools import cache

from clawgit.language.lexicon import Lexicon, lexicons_for
from clawgit.language.tokens import Token, tokens

_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_SIGNS = re.compile(r"\s*[=<>+*\[\](){}/;^%\\]|[-./_]\w")
"""What stands behind a letter in a formula, in code or in an abbreviation."""
_SIGNS_BEFORE = "=<>+*[](){}/;^%\\-._"
_ROMAN = re.compile(r"(?:[\s,&]|and|or|to|–|-)*[IVX]{2,}\b|(?:[\s,&]|and|or|to|–|-)*[VX]\b")
_MARGIN = 8
_PREPOSITIONS = frozenset(
    (
        "for",
        "with",
        "of",
        "to",
        "from",
        "by",
        "int",
        "let",
        "var",
        "const",
        "the",
        "a",
        "an",
        "each",
    )
)


def needs_speaker(text: str) -> bool:
    """Whether the words mean somebody only who said them. In doubt they do: a quotation is never
    wrong.
    """
    if "`" in text:
        text = _CODE.sub(lambda code: " " * len(code[0]), text)
    among = tokens(text)
    shouted = text.isupper()
    return any(
        _is_listed(text, among, language, shouted=shouted) or _has_letter(text, among, language)
        for language in lexicons_for(text)
    )


def _is_listed(text: str, among: Sequence[Token], language: Lexicon, *, shouted: bool) -> bool:
    """Whether a pronoun of the lists is in it, or a verb with the ending of one."""
    if language.script != "latin":
        classes = ("first_person", "second_person")
        return any(next(language.exact(name).every(text, among), None) for name in classes)
    lower, capital = _lower(language), _capital(language)
    for token in among:
        word = token.folded.partition("'")[0]
        # `US` is a country, unless all is in capitals.
        if (
            word in lower
            and (shouted or len(token.text) == 1 or not token.text.isupper())
            and not _is_compound(text, token)
        ):
            return True
        if token.text in capital and not _opens(text, token):
            return True
        if _ends_personally(token.folded, language):
            return True
    return False


def _has_letter(text: str, among: Sequence[Token], language: Lexicon) -> bool:
    """The English `I`, alone or with a verb behind an apostrophe."""
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
    """`forget-me-nots`."""
    before, behind = text[max(0, token.start - 2) : token.start], text[token.end : token.end + 2]
    return (
        before[-1:] == "-" and behind[:1] == "-" and before[:1].isalpha() and behind[1:].isalpha()
    )


def _is_pronoun(
    text: str, among: Sequence[Token], index: int, language: Lexicon, *, is_english: bool
) -> bool:
    """A lone letter i is a pronoun unless its place says that it is a numeral, a variable or
    another tongue's word.
    """
    token = among[index]
    if _is_sign(text, token):
        return False
    before = (
        among[index - 1] if index and text[among[index - 1].end : token.start].isspace() else None
    )
    after = among[index + 1] if index + 1 < len(among) else None
    helps = after is not None and after.folded in language.words("auxiliaries")
    if before and before.folded in language.words("numbered"):
        return helps and before.text.islower() and token.text == "I"
    if token.text == "I":
        return not _is_numeral(text, before, token, language)
    if before and before.folded in _PREPOSITIONS:
        return False
    if helps:
        return True
    return after is not None and not after.text[:1].isupper() and (before is None or is_english)


def _is_sign(text: str, token: Token) -> bool:
    """A letter of a formula, of code or of an abbreviation; emphasis round it is neither."""
    if text.startswith(("*", "_"), token.end) and text[max(0, token.start - 1) : token.start] in (
        "*",
        "_",
    ):
        return False
    before = text[max(0, token.start - 1) : token.start]
    opens = not text[: token.start - 1].strip() if token.start < _MARGIN else False
    return (before in _SIGNS_BEFORE and bool(before) and not opens) or _SIGNS.match(
        text, token.end
    ) is not None


def _is_numeral(text: str, before: Token | None, token: Token, language: Lexicon) -> bool:
    """`World War I.`, `Elizabeth I of England`, `I, II and III`, `I. Introduction`."""
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
    listed = language.words("not_first_person") | language.function_words
    return (
        bool(endings)
        and word.endswith(endings)
        and len(word) > len("amos") - 1
        and word not in listed
    )


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
