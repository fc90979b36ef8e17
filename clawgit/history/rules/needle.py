"""Words that are to be forgotten: found in texts and in raw bytes, however they are written there.

Case, punctuation, line ends and Markdown between the words do not count. In a text the words are
whole words. In raw bytes, where fields of a database stand side by side, only short ones must be.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import pairwise

from clawgit.core.errors import UsageError
from clawgit.language.lazily import lazily
from clawgit.safety.rules.visible import escaped

FORGOTTEN = "[forgotten]"
"""What stands where words were taken out of a line that stays."""

_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Scripts that put no blanks between words: each letter counts as a word."""

_WORD = lazily(rf"[{_UNSPACED}]|(?:(?![{_UNSPACED}])[^\W_])+")
_IS_UNSPACED = lazily(rf"[{_UNSPACED}]")
_GAP = r"(?:[\W_]|\\[nrt]|\\u[0-9a-f]{4}){1,24}"
"""What may stand between two words. In JSON and in logs a line end is written as two signs."""

_WIDE = ("utf-16-le", "utf-16-be")

_FEWEST_SIGNS = 4
_SURE_SIGNS = 8
"""A single word of this many characters is hardly ever a part of another one."""


class Needle(tuple[str, ...]):
    """Words in their order, in lower case."""

    __slots__ = ()

    @property
    def is_sure(self) -> bool:
        """Whether a match in raw bytes is sure not to be a part of a longer word."""
        return len(self) > 1 or len(self[0]) >= _SURE_SIGNS


def words_of(text: str) -> list[str]:
    return [match[0] for match in spans_of(unicodedata.normalize("NFC", text).lower())]


def spans_of(text: str) -> Iterator[re.Match[str]]:
    """The words of a text where they stand."""
    return _WORD.finditer(text)


def needle_of(text: str) -> Needle:
    """UsageError if a text is so short that it stands in many others."""
    words = tuple(words_of(text))
    # A letter of a script without blanks says as much as two.
    signs = sum(len(word) * (2 if _IS_UNSPACED.match(word) else 1) for word in words)
    if signs < _FEWEST_SIGNS or words == ("forgotten",):
        raise UsageError(
            "Too short to be found without also finding other text: at least four letters or "
            "digits are needed.",
            hint="Name the whole sentence, or the id of the entry (`clawgit memory list`).",
        )
    return Needle(words)


class Matcher:
    """Finds any of some needles."""

    def __init__(self, needles: Iterable[Needle]) -> None:
        self.needles = tuple(sorted(set(needles)))

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Where the words stand."""
        return sorted(self._matches(text))

    def is_in(self, text: str) -> bool:
        return any(True for _ in self._matches(text))

    def without(self, text: str, instead: str = FORGOTTEN) -> str:
        """A text with the words taken out, and nothing else changed."""
        return without(text, self.spans(text), instead)

    def _matches(self, text: str) -> Iterator[tuple[int, int]]:
        if self._may_be_in(text.lower()):
            for pattern in self._patterns:
                yield from (match.span() for match in pattern.finditer(text))

    def is_in_bytes(self, data: bytes) -> bool:
        """Whether bytes hold the words in UTF-8, UTF-16, Latin-1 or as JSON writes them."""
        # Plain letters in UTF-16 have a zero beside them.
        packed = data.replace(b"\0", b"").lower()
        if not self._may_be_in(packed.decode("latin-1")):
            return False
        return any(pattern.search(text) for text in _readings(data) for pattern in self._raw)

    def _may_be_in(self, lowered: str) -> bool:
        hints = self._hints
        return not hints or any(all(word in lowered for word in words) for words in hints)

    @cached_property
    def _hints(self) -> list[list[str]]:
        """The plain words of each needle: searching for them is far quicker than the pattern.

        Empty if a needle has no plain word.
        """
        plain = [[word for word in needle if word.isascii()] for needle in self.needles]
        return plain if all(plain) else []

    @cached_property
    def _patterns(self) -> list[re.Pattern[str]]:
        return [re.compile(_pattern(one), re.IGNORECASE) for one in self.needles]

    @cached_property
    def _raw(self) -> list[re.Pattern[str]]:
        found = (_pattern(one, is_whole=not one.is_sure) for one in self.needles)
        return [re.compile(pattern, re.IGNORECASE) for pattern in found]


def without(text: str, spans: Iterable[tuple[int, int]], instead: str = FORGOTTEN) -> str:
    """A text with some places taken out, of which some may overlap."""
    parts, at = list[str](), 0
    for start, end in sorted(spans):
        if end > at:
            parts += [text[at:start], instead] if start >= at else []
            at = end
    return "".join([*parts, text[at:]])


def _readings(data: bytes) -> Iterator[str]:
    """Bytes as text, in each way in which text may be written there."""
    text = data.decode("utf-8", "replace")
    yield text
    if "\0" in text or "\ufffd" in text:
        yield data.decode("latin-1")
        yield from (data[at:].decode(wide, "replace") for at in (0, 1) for wide in _WIDE)


def _pattern(needle: Needle, *, is_whole: bool = True) -> str:
    """How the words may be written; as whole words, or also as a part of longer ones."""
    first, last = needle[0], needle[-1]
    after = rf"(?!(?![{_UNSPACED}])[^\W_])"
    after = after if is_whole and not _IS_UNSPACED.match(last) else ""
    parts = [_begun(first) if is_whole and not _IS_UNSPACED.match(first) else _either(first)]
    for left, right in pairwise(needle):
        loose = _IS_UNSPACED.match(left) or _IS_UNSPACED.match(right)
        parts += [f"(?:{_GAP})?" if loose else _GAP, _either(right)]
    return "".join([*parts, after])


def _begun(word: str) -> str:
    """A word that no other letter stands before."""
    # Looking back is slow: from behind the first letter it is done only where that letter stands.
    first, seen = (word[0], ".") if word[0].isascii() else ("", "")
    look = rf"(?:(?<=\\[nrt]{seen})|(?<!(?![{_UNSPACED}])[^\W_]{seen}))"
    return f"{first}{look}{_either(word.removeprefix(first))}"


def _either(word: str) -> str:
    """A word, its accents within its letters or after them, or as JSON writes it."""
    if word.isascii():
        return re.escape(word)
    forms = dict.fromkeys((word, unicodedata.normalize("NFD", word)))
    return f"(?:{'|'.join(''.join(map(_letter, form)) for form in forms)})"


def _letter(letter: str) -> str:
    if letter.isascii():
        return re.escape(letter)
    escapes = (re.escape(escaped(form)) for form in dict.fromkeys((letter, letter.upper())))
    return f"(?:{letter}|{'|'.join(escapes)})"
