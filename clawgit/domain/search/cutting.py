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

_HAN = lazily("[\u3400-\u9fff\uf900-\ufaff々]+")

_ROWS = (
    *("かきくけこ", "がぎぐげご", "さしすせそ", "ざじずぜぞ", "たちつてと"),
    *("ばびぶべぼ", "まみむめも", "らりるれろ", "わいうえお"),
)
"""A verb changes the sound after its Han character within one of these: 直す, 直し, 直さない."""

_ROW_OF = {sound: row for row in _ROWS for sound in row}

_PREFIXES = frozenset("未不非無再")
"""They turn the meaning of the word behind them. Other single characters beside a word are mostly
words themselves: 醤油 屋, 変更 後.
"""

_CONTRACTED = "っいん"
"""What stands instead of that sound before た and て, whatever the verb: 書いた, 買った, 読んだ."""

_STEM_ENDS = "きぎちびみりけげせめれえべ"
"""The last sound of a verb in front of another word: かけ算, はみ出す. None is a particle."""

_STEM_ENDS_AFTER_HAN = "いし"
"""The same, if a Han character is before it: 使い方, but 新しい 車."""

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


def sought(
    run: str, known: WordLookup, *, is_japanese: bool = False
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The words of a question's run, each with its terms: the pairs within it, none across its
    edge.

    Single characters side by side may be a name, so their pairs are looked for, too.
    """

    def is_empty(word: str) -> bool:
        return is_grammar(known(word))

    words: Iterable[str] = cut(run, lambda word: known(word) is not None)
    words = _without_endings(words, is_empty)
    for word in _joined(_grown(words, is_empty) if is_japanese else words, is_empty):
        yield word, terms(word, bends=is_japanese)


def _grown(words: Iterable[str], is_empty: IsWord) -> Iterator[str]:
    """The words of Japanese, where some single Han characters are part of one beside them: 未検証,
    再利用, かけ算, はみ出す.
    """
    prefix, before = "", ""
    for word in words:
        is_prefix = word in _PREFIXES
        if prefix and not _HAN.fullmatch(word):
            yield prefix
            prefix = ""
        is_inside = not is_empty(word) and _is_inside(word, before)
        if not is_prefix:
            yield (before[-1] if is_inside else prefix) + word
        prefix = prefix + word if is_prefix else ""
        before += word
    yield from filter(None, [prefix])


def _is_inside(word: str, before: str) -> bool:
    """Whether the last sound of a verb before a single Han character belongs to it."""
    if not before or not _HAN.match(word) or _HAN.match(word[1:]):
        return False
    last, is_after_han = before[-1], _HAN.match(before[-2:-1]) is not None
    if is_after_han and len(word) > 1:
        return False  # both are verbs, which are looked for one by one: 送り迎え
    return last in _STEM_ENDS or (is_after_han and last in _STEM_ENDS_AFTER_HAN)


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


def terms(word: str, *, bends: bool = False) -> tuple[str, ...]:
    """The terms of the index that a word has, whatever its ending. If it `bends`, a single Han
    character keeps the next one: 直す has forms, and 直 alone is in too many words.
    """
    stem = _STEM.match(word)
    if bends and stem and len(stem[0]) == 1 and forms_of(simplified(word[:2])):
        return (simplified(word[:2]),)
    return queried(simplified(stem[0] if stem else word))


def forms_of(term: str) -> tuple[str, ...]:
    """The other forms of a Japanese verb, by its Han character and what follows it: 直し, 直さ and
    so on for 直す; none if that tells nothing.
    """
    row = _ROW_OF.get(term[1:], "")
    if not row or not _HAN.match(term):
        return ()
    return tuple(term[0] + sound for sound in (*row, *_CONTRACTED) if sound != term[1])


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
