"""What a judge sees of a text: hashed words, characters, shape and place, and what it shares with the turn before."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from zlib import crc32

SLOTS = 1 << 16
LONGEST, LONGEST_BEFORE = 3000, 400
"""So many characters are read: of a message its beginning, of the turn before its end."""

_WORD = re.compile(
    r"[぀-ヿ㐀-鿿豈-﫿]|[가-힣]+|[^\W\d_぀-ヿ㐀-鿿가-힣]+(?:['’][^\W\d_]+)*|\d+(?:[.:,/-]\d+)*|[^\w\s]"
)
_CJK = re.compile(r"[぀-ヿ㐀-鿿豈-﫿가-힣]")
_MASKED = 12
"""A longer word says what the talk is about, not what the message does."""


def slot(feature: str) -> int:
    return crc32(feature.encode("utf-8", "surrogatepass")) % SLOTS


def hashed(groups: Sequence[Iterable[str]]) -> list[list[int]]:
    return [[slot(f"{number}{feature}") for feature in dict.fromkeys(group)] for number, group in enumerate(groups)]


def words(text: str) -> list[str]:
    return _WORD.findall(text)


def of_message(message: str, before: str) -> list[list[str]]:
    """The features of a message and of the turn before it, in groups."""
    message, before = message[:LONGEST], before[-LONGEST_BEFORE:]
    raw = words(message)
    folded = [_folded(word) for word in raw]
    earlier = [_folded(word) for word in words(before)]
    return [
        folded,
        list(_pairs(folded)),
        [piece for word in set(folded) for piece in pieces(word)] + list(_runs(message)),
        list(_edges(folded)),
        list(_shape(message, raw)),
        [*earlier[-60:], *_before(before, earlier)],
        list(_shared(folded, earlier)),
    ]


def _folded(word: str) -> str:
    if word[0].isdigit():
        return re.sub(r"\d", "9", word)[:6]
    return word.casefold().replace("’", "'")


def _pairs(folded: Sequence[str]) -> Iterator[str]:
    padded = ["^", *folded, "$"]
    for first, second in zip(padded, padded[1:], strict=False):
        yield f"{first} {second}"
    for first, second, third in zip(padded, padded[1:], padded[2:], strict=False):
        yield f"{first} {second} {third}"


@lru_cache(8192)
def pieces(word: str) -> tuple[str, ...]:
    """Beginnings and endings: a typing error or an ending leaves most of them as they are."""
    if len(word) < 4 or not word[0].isalpha():
        return ()
    whole = f"<{word}>"
    return tuple({*(whole[:n] for n in (4, 5, 6)), *(whole[-n:] for n in (4, 5))})


def _runs(text: str) -> Iterator[str]:
    """Runs of two and three characters where a script has no spaces."""
    if not _CJK.search(text):
        return
    for n in (2, 3):
        for at in range(len(text) - n + 1):
            run = text[at : at + n]
            if _CJK.match(run) and not run.isspace():
                yield run


def _edges(folded: Sequence[str]) -> Iterator[str]:
    if not folded:
        return
    for place, word in enumerate(folded[:4]):
        yield f"first{place} {word}"
    yield f"begins {' '.join(folded[:2])}"
    yield f"ends {folded[-1]}"
    yield f"end {' '.join(folded[-2:])}"


def _shape(text: str, raw: Sequence[str]) -> Iterator[str]:
    yield "always"
    yield f"length {len(text).bit_length()}"
    yield f"words {min(len(raw), 60).bit_length()}"
    for mark in "?!:;`\"“”()/\\{}=<>|#*@…-,.'？！。，、：":
        if mark in text:
            yield f"mark {mark}"
    yield f"question at end {text.rstrip().endswith(('?', '？'))}"
    lines = text.count("\n")
    yield f"lines {min(lines, 40).bit_length()}"
    numbers = [word for word in raw if word[0].isdigit()]
    yield f"numbers {min(len(numbers), 9).bit_length()}"
    if any(":" in number for number in numbers):
        yield "a time"
    if "http" in text or "www." in text:
        yield "address"
    if re.search(r"^\s*[-*•]\s", text, re.MULTILINE):
        yield "bullet"
    yield f"capital {text[:1].isupper()} {any(word[0].isupper() for word in raw[1:])}"
    if text.isupper():
        yield "shouted"
    yield f"stops {min(len(re.findall(r'[.!?。！？]', text)), 8).bit_length()}"


def _before(before: str, earlier: Sequence[str]) -> Iterator[str]:
    if not before:
        yield "= nothing before"
        return
    yield f"= asks {before.rstrip().endswith(('?', '？'))}"
    yield f"= length {len(before).bit_length()}"
    yield f"= numbers {any(word[0].isdigit() for word in earlier)}"


def _shared(folded: Sequence[str], earlier: Sequence[str]) -> Iterator[str]:
    mine, theirs = set(folded), set(earlier)
    shared = {word for word in mine & theirs if word[0].isalnum()}
    long = {word for word in shared if len(word) > 3}
    yield f"shared {min(len(shared), 7)}"
    yield f"shared long {min(len(long), 5)}"
    mine_numbers = {word for word in mine if word[0].isdigit()}
    their_numbers = {word for word in theirs if word[0].isdigit()}
    yield f"numbers {bool(mine_numbers)} {bool(their_numbers)} {bool(mine_numbers & their_numbers)}"
    yield from (f"both {word}" for word in shared if len(word) < _MASKED)
