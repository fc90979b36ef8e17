"""Splits a text into the words of the search index, folded: SQLite only stems them."""

import unicodedata
from collections.abc import Callable, Iterator
from itertools import chain

from clawgit.language.lazily import lazily
from clawgit.language.tokens import has_signs, pairs, simplified

_ASCII_WORD = lazily("[a-z0-9]+")

_ASCII_RUN = lazily("[A-Za-z0-9_]+")

_CAMEL = lazily("[A-Z](?:(?<=[a-z].)|[A-Z][a-z])")
"""Written so that the engine tries a match only at a capital: it runs over every indexed text."""

_PARTS = lazily("[A-Z]+(?![a-z])|[A-Z]?[^A-Z_]+|[A-Z]")

_PICTURES = "\u231a-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff"

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
"""Scripts without spaces (Thai, Lao, Burmese, Khmer, Chinese, Japanese), and Korean, whose words
have particles attached.
"""

# Each is compiled when a text needs it; those of the unspaced scripts take 5 ms.
_LETTER = r"[\w\u0900-\u0963\u0966-\u109f\u1780-\u17ff]"
"""From Devanagari to Khmer, Python does not count vowel signs as letters of a word."""
_WORD = lazily(rf"{_LETTER}+|[{_PICTURES}]")
_ONE = lazily(f"[{_UNSPACED}]")
_RUNS = lazily(f"[{_UNSPACED}]+|[^{_UNSPACED}]+")
_BORDER = lazily(rf"(?<=[{_UNSPACED}])(?=[^\W{_UNSPACED}])|(?<=[^\W{_UNSPACED}])(?=[{_UNSPACED}])")
_ACCENTS = lazily("[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]")

_THING = lazily(rf"{_LETTER}+(?:[.@:]{_LETTER}+)*")
"""What is written in one."""

Cut = Callable[[str], Iterator[str]]
"""Gives the words of a run of characters without spaces."""


def words(text: str) -> list[str]:
    """The folded words of a text, in order, as often as they stand there.

    An identifier (getUserName, get_user_name) is one word, followed by each of its parts. In a
    script without spaces, every two neighbouring characters are a word, and so is the last
    character of a run. An emoji is a word.
    """
    return [*_words(text, _all_pairs)]


def indexed(text: str) -> str:
    """The text as the index stores it: SQLite's `ascii` tokenizer splits it into its `words`, in
    simplified characters.
    """
    return text if _is_plain(text) else " ".join(words(simplified(text)))


def held(text: str) -> frozenset[str]:
    """The words that the index has of a text."""
    return frozenset(words(simplified(text)))


def queried(text: str, cut: "Cut | None" = None) -> tuple[str, ...]:
    """The words of a question, each once.

    A run without spaces gives its pairs, or what `cut` makes of it. If it is a single character,
    that finds every word that begins with it.
    """
    return tuple(dict.fromkeys(_words(text, cut or pairs)))


def in_order(text: str) -> list[str]:
    """The words of a name or of a question as they follow each other, whatever their case.

    Identifiers are not split: `TypeScript` is one word here.
    """
    return [*_words(text.casefold(), pairs)]


def as_written(text: str) -> Iterator[tuple[str, list[str]]]:
    """What a text has in one, as it stands there, with its words: identifiers, names of files, and
    all other words.
    """
    return ((thing, words(thing)) for thing in _THING.findall(spaced(text)))


def is_word(text: str) -> bool:
    """Whether a text can be a word of the index: one token for SQLite, and no query syntax."""
    return text != "" and all(map(_is_letter, text))


def is_lone(word: str) -> bool:
    """Whether a word is one character of a script without spaces: only the start of other words."""
    return len(word) == 1 and is_unspaced(word)


def is_unspaced(sign: str) -> bool:
    """Whether a character is of a script without spaces, or of Korean."""
    return has_signs(sign[:1], _UNSPACED)


def spaced(text: str) -> str:
    """The text with a space where an unspaced script meets another: `Anna는` has the word Anna."""
    return _BORDER.sub(" ", text) if has_signs(text, _UNSPACED) else text


def _is_letter(sign: str) -> bool:
    return sign.isalnum() if sign.isascii() else not "\ud800" <= sign <= "\udfff"


def _is_plain(text: str) -> bool:
    return text.isascii() and "_" not in text and not _CAMEL.search(text)


def _unaccented(text: str) -> str:
    if text.isascii():
        return text
    bare = _ACCENTS.sub("", unicodedata.normalize("NFKD", text))
    # Composed again, since decomposing also splits a Korean syllable into its letters.
    return unicodedata.normalize("NFC", bare)


def _words(text: str, cut: Cut) -> Iterator[str]:
    if _is_plain(text):
        return iter(_ASCII_WORD.findall(text.lower()))
    text = _unaccented(text)
    found = (_ASCII_RUN if text.isascii() else _WORD).findall(text)
    if not has_signs(text, _UNSPACED):
        return chain.from_iterable(map(_parts, found))
    runs = chain.from_iterable(_RUNS.findall(word) for word in found)
    return chain.from_iterable(cut(run) if _ONE.match(run) else _parts(run) for run in runs)


def _parts(word: str) -> Iterator[str]:
    parts = _PARTS.findall(word) if "_" in word or _CAMEL.search(word) else [word]
    # Accents go again here: lower case turns a few letters into two, the second an accent.
    folded = [_unaccented(part.casefold()) for part in parts if part]
    if len(folded) > 1:
        yield "".join(folded)
    yield from folded


def _all_pairs(run: str) -> Iterator[str]:
    yield from (run[at : at + 2] for at in range(len(run)))


def folded(word: str) -> str:
    """A word without accents and capitals."""
    return _unaccented(word.casefold())
