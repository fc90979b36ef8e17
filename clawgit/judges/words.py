"""What is known about single words: their classes in any language.

models/training/train_judges.py compiles it from the language files, so that judging a message reads
none of them.
"""

import struct
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple
from zlib import crc32

from clawgit.judges.weights import head
from clawgit.language.tokens import Token, is_cjk, is_hangul

LONGEST_CLASS = 4
"""The longest word that is looked up where no space parts words."""


class Words(NamedTuple):
    classes: tuple[str, ...]
    masks: dict[int, int]

    def of(self, tokens: tuple[Token, ...]) -> list[str]:
        """The classes of these words, each once."""
        mask = 0
        for word in _words(tokens):
            mask |= self.masks.get(crc32(word.encode("utf-8", "surrogatepass")), 0)
        return [name for bit, name in enumerate(self.classes) if mask >> bit & 1]


@cache
def known_words() -> Words:
    learned = head("words")
    count = learned.more["count"]
    numbers = struct.unpack(f"<{2 * count}I", bytes(learned.raw))
    return Words(
        learned.classes,
        dict(zip(numbers[:count], numbers[count:], strict=True)),
    )


def _words(tokens: tuple[Token, ...]) -> Iterator[str]:
    """Words. In a script without spaces, every run of up to four characters; in Hangul, every part
    of a word.
    """
    run: list[Token] = []
    for token in tokens:
        if is_cjk(token.text):
            if run and run[-1].end != token.start:
                run = []
            run = [*run[1 - LONGEST_CLASS :], token]
            for first in range(len(run)):
                yield "".join(sign.folded for sign in run[first:])
        elif is_hangul(token.text):
            word = token.folded[:16]
            for first in range(len(word)):
                for last in range(first + 1, min(len(word), first + LONGEST_CLASS) + 1):
                    yield word[first:last]
        else:
            yield token.folded
