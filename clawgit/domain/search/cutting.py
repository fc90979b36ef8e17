"""Cuts text without spaces into the words of a list, and says by which terms the index has them."""

from collections.abc import Callable, Iterable, Iterator
from itertools import dropwhile, groupby, pairwise

from clawgit.domain.search.lexicon import WordLookup, is_grammar
from clawgit.domain.search.terms import queried
from clawgit.language.lazily import lazily
from clawgit.language.simplified import simplified

_LONGEST = 6
"""Characters of a word."""

_STEM = lazily("[\u30a1-\u30ff\u3400-\u9fff\uf900-\ufaff々]+")
"""What a word of Japanese has before its ending in hiragana: Han characters, or katakana."""

_KATAKANA = lazily("[\u30a1-\u30fa][\u30a1-\u30fa\u30fc-\u30ff]*")

_HIRAGANA = lazily("[\u3041-\u309f]")

_SURE = 4
"""A katakana word of at least so many characters does not match by chance."""

_ENDING = 2
"""Length of what is taken for an ending: a longer word is seldom made of grammar by chance."""

IsWord = Callable[[str], bool]


def cut(run: str, is_word: IsWord) -> Iterator[str]:
    """The longest words from the left on; a character that belongs to none stands by itself.

    A name or loanword in katakana is not cut at a short word: オークション (auction) has no orc in
    it.
    """
    start = 0
    while start < len(run):
        end = _end_of_word(run, start, is_word)
        loan = _KATAKANA.match(run, start)
        if loan and end < loan.end():
            end = loan.end()
            yield from _filling(loan[0], is_word)
        else:
            yield run[start:end]
        start = end


def _end_of_word(run: str, start: int, is_word: IsWord) -> int:
    ends = range(min(len(run), start + _LONGEST), start + 1, -1)
    return next((end for end in ends if is_word(run[start:end])), start + 1)


def _filling(loan: str, is_word: IsWord) -> Iterator[str]:
    """The words that make up a run of katakana. What is left beside a long one is a word, too."""
    ends = [0]
    while ends[-1] < len(loan):
        ends.append(_end_of_word(loan, ends[-1], is_word))
    words = [loan[start:end] for start, end in pairwise(ends)]
    if is_word(loan):
        yield loan
    elif all(map(is_word, words)):
        yield from words
    else:
        for is_sure, some in groupby(words, lambda word: len(word) >= _SURE and is_word(word)):
            if is_sure:
                yield from some
            else:
                yield "".join(some)


def sought(run: str, known: WordLookup) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The words of a question's run, each with its terms: the pairs within it, none across its
    edge.

    Single characters side by side may be a name, so their pairs are looked for, too.
    """

    def is_empty(word: str) -> bool:
        return is_grammar(known(word))

    words = cut(run, lambda word: known(word) is not None)
    for word in _joined(_without_endings(words, is_empty), is_empty):
        yield word, terms(word)


def _without_endings(words: Iterable[str], is_empty: IsWord) -> Iterator[str]:
    """The words without those that are part of an inflected one: 買っていい has no 帝 (てい) in it.

    Such a word has two characters, each a word of grammar by itself, and follows hiragana other
    than a particle.
    """
    before = ""
    for word in words:
        is_inside = _HIRAGANA.match(before[-1:]) and not (len(before) == 1 and is_empty(before))
        if not (is_inside and len(word) == _ENDING and all(map(is_empty, word))):
            yield word
        before = word


def terms(word: str) -> tuple[str, ...]:
    """The terms of the index that a word has, whatever its ending."""
    stem = _STEM.match(word)
    return queried(simplified(stem[0] if stem else word))


def _joined(words: Iterable[str], is_empty: IsWord) -> Iterator[str]:
    """The words that say something; single characters that follow each other are one, those of
    Han or katakana by themselves: 畑の鍵 are a field and a key.

    Grammar goes; in a name in hiragana, only from its ends.
    """

    def is_edge(word: str) -> bool:
        return len(word) > 1 or (is_empty(word) and _STEM.match(word) is not None)

    for at_edge, some in groupby(words, is_edge):
        if at_edge:
            yield from (word for word in some if not is_empty(word))
            continue
        single = [*dropwhile(is_empty, some)]
        while single and is_empty(single[-1]):
            single.pop()
        together = "".join(single)
        yield from _STEM.findall(together) or filter(None, [together])
