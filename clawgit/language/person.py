"""Whether a sentence says I, we or you, so that it means nothing without its speaker."""

import re
from collections.abc import Sequence
from functools import cache

from clawgit.language.lexicon import Lexicon, lexicons_for
from clawgit.language.tokens import Token, tokens

_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_OTHER_LETTER = re.compile(r"\s?[/=^_\])+-]|\.\s*\S| of\b")
"""What stands after an I that is a sign or a numeral: `I/O`, `i = 0`, `I of England`."""


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
        # `US` is a country, unless the whole text is in capitals; in `eu-west-3` nobody speaks.
        is_acronym = len(token.text) > 1 and token.text.isupper() and not is_shouted
        if not is_acronym and text[token.end : token.end + 1] != "-":
            return True
    if token.text in _capital(language) and not _opens(text, token):
        return True
    return _ends_personally(token.folded, language)


def _ends_personally(word: str, language: Lexicon) -> bool:
    endings = language.rows("first_person_endings")
    if not endings or not word.endswith(endings) or len(word) < len("amos"):
        return False
    return word not in language.words("not_first_person") | language.words("function_words")


def _has_letter(text: str, among: Sequence[Token], language: Lexicon) -> bool:
    """The English `I`, alone or with a verb after an apostrophe."""
    letter = language.data.get("capital_i")
    return bool(letter) and any(
        token.folded.startswith(f"{letter}'")
        or (token.folded == letter and _is_pronoun(text, among, index, language))
        for index, token in enumerate(among)
    )


def _is_pronoun(text: str, among: Sequence[Token], index: int, language: Lexicon) -> bool:
    """Whether a lone letter i is one. A small one is another word, or a variable, where no usual
    word of English stands beside it.
    """
    token, after = among[index], among[index + 1 : index + 2]
    # `Phase I ended` has a numeral, `the phase I am in` has a pronoun.
    if index and among[index - 1].folded in language.words("numbered"):
        return bool(after) and after[0].folded in language.words("auxiliaries")
    if _OTHER_LETTER.match(text, token.end):
        return False
    is_english = any(other.folded in language.known - {token.folded} for other in among)
    return token.text == "I" or (is_english and text[token.end : token.end + 2].strip().islower())


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
