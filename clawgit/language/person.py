"""Whether a sentence says I, we or you, so that it means nothing without who said it."""

import re
from collections.abc import Sequence
from functools import cache

from clawgit.language.lexicon import LAST_RESORT, Lexicon, lexicon, lexicons_for
from clawgit.language.tokens import Token, is_hangul, tokens

_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_SIGNS = re.compile(r"\s*[=<>+*\[\](){}/;^%\\]|[-./_]\w")
"""What stands behind a letter in a formula, in code or in an abbreviation."""
_SIGNS_BEFORE = frozenset("=<>+*[](){}/;^%\\-._")
_ROMAN = re.compile(r"(?:[\s,&]|and|or|to|–|-)*[IVX]{2,}\b|(?:[\s,&]|and|or|to|–|-)*[VX]\b")
_PREPOSITIONS = frozenset(
    ("for", "with", "of", "to", "from", "by", "int", "let", "var", "const", "the", "a", "an", "each")
)


def needs_speaker(text: str) -> bool:
    """Whether the words mean somebody only who said them. In doubt they do: a quotation is never wrong."""
    if "`" in text:
        text = _CODE.sub(lambda code: " " * len(code[0]), text)
    among = tokens(text)
    return any(_is_personal(text, among, language) for language in lexicons_for(text))


def _is_personal(text: str, among: Sequence[Token], language: Lexicon) -> bool:
    if not language.exact("first_person"):
        return False
    if _listed(text, among, language):
        return True
    letter = language.data.get("capital_i")
    return bool(letter) and any(
        token.folded == letter and _is_pronoun(text, among, index, language) for index, token in enumerate(among)
    )


def _listed(text: str, among: Sequence[Token], language: Lexicon) -> bool:
    letter = language.data.get("capital_i")
    for index, token in enumerate(among):
        word = token.folded.partition("'")[0] if language.code == LAST_RESORT else token.folded
        is_contracted = word != token.folded
        if word == letter and not is_contracted:
            continue
        if word in _lower(language) and not _is_shouted(text, token):
            return True
        if token.text in _capital(language) and index and not _opens(text, token):
            return True
        if _ends_personally(token.folded, language):
            return True
    if language.script in ("han", "kana", "hangul"):
        found = (
            *language.exact("first_person").every(text, among),
            *language.exact("second_person").every(text, among),
        )
        return bool(found)
    return False


def _is_shouted(text: str, token: Token) -> bool:
    """`US` is a country, unless all is in capitals."""
    return len(token.text) > 1 and token.text.isupper() and not text.isupper()


def _is_pronoun(text: str, among: Sequence[Token], index: int, language: Lexicon) -> bool:
    """A lone letter i is a pronoun unless its place says that it is a numeral, a variable or another language's word."""
    token = among[index]
    if _is_sign(text, token):
        return False
    before = among[index - 1] if index else None
    after = among[index + 1] if index + 1 < len(among) else None
    beside = before is not None and text[before.end : token.start].isspace()
    helps = after is not None and after.folded in language.words("auxiliaries")
    if before is not None and beside and before.folded in language.words("numbered"):
        return helps and before.text.islower() and token.text == "I"
    if token.text == "I":
        return not _is_numeral(text, before if beside else None, token, language)
    if helps:
        return True
    if after is None or after.text[:1].isupper() or (before is not None and beside and before.folded in _PREPOSITIONS):
        return False
    opens = before is None or not beside
    others = {one.folded for one in among if one is not token} & lexicon(LAST_RESORT).known
    return opens or bool(others)


def _is_sign(text: str, token: Token) -> bool:
    if (
        token.start
        and text[token.start - 1] in _SIGNS_BEFORE
        and not text[: token.start].endswith(("**", "__", " *", " _"))
    ):
        return token.start > 1 or text[0] not in "*_([-"
    return _SIGNS.match(text, token.end) is not None and not text.startswith(("**", "__"), token.end)


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
        and not is_hangul(word)
    )


@cache
def _lower(language: Lexicon) -> frozenset[str]:
    rows = (*language.rows("first_person"), *language.rows("second_person"))
    return frozenset(row for row in rows if row[:1].islower() and "*" not in row)


@cache
def _capital(language: Lexicon) -> frozenset[str]:
    """Words that address somebody only where they have a capital inside a sentence."""
    rows = (*language.rows("first_person"), *language.rows("second_person"))
    return frozenset(row for row in rows if row[:1].isupper())
