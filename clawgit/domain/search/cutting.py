"""Cuts text without spaces into the words of a list, and says by which terms the index has them."""

from collections.abc import Callable, Iterable, Iterator
from itertools import dropwhile, groupby

from clawgit.domain.search.lexicon import WordLookup, is_grammar
from clawgit.domain.search.terms import queried
from clawgit.language.lazily import lazily
from clawgit.language.simplified import simplified

_LONGEST = 6
"""Characters of a word."""

_STEM = lazily("[\u30a1-\u30ff\u3400-\u9fff\uf900-\ufaff々]+")
"""What a word of Japanese has before its ending in hiragana: Han characters, or katakana."""

IsWord = Callable[[str], bool]


def cut(run: str, is_word: IsWord) -> Iterator[str]:
    """The longest words from the left on; a character that belongs to none stands by itself."""
    start = 0
    while start < len(run):
        ends = range(min(len(run), start + _LONGEST), start + 1, -1)
        end = next((end for end in ends if is_word(run[start:end])), start + 1)
        yield run[start:end]
        start = end


def sought(run: str, known: WordLookup) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The words of a question's run, each with its terms: the pairs within it, none across its
    edge.

    Single characters side by side may be a name, so their pairs are looked for, too.
    """

    def is_empty(word: str) -> bool:
        return is_grammar(known(word))

    for word in _joined(cut(run, lambda word: known(word) is not None), is_empty):
        yield word, terms(word)


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
