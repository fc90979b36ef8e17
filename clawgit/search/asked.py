"""What a question asks of a memory: its telling words, and the terms that stand for each there.

The index has words as they are written, without accents and capitals. All that is known of
a language is applied here, to the few terms that a question may mean.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import takewhile
from math import inf, log
from mmap import ACCESS_READ, mmap
from operator import eq
from pathlib import Path

from clawgit.core import NamedTuple
from clawgit.core.doors import rapidfuzz
from clawgit.core.markdown.excerpt import in_a_line
from clawgit.language.files import LAST_RESORT, SEARCH, codes, listed, small_words
from clawgit.language.lazily import lazily
from clawgit.language.lexicon import stemmed
from clawgit.language.terms import as_written, folded, is_lone, is_unspaced, queried
from clawgit.language.tokens import half_width, has_kana, pairs, simplified
from clawgit.search.index.index import Index
from clawgit.search.rules.question import Asked, Word

_LONGEST, _MOST = 2000, 40
"""Characters of a question that are read, and words that are looked for."""

ENGLISH = "en"
_ALGORITHMS = {
    ENGLISH: "porter",
    "de": "german",
    "es": "spanish",
    "fr": "french",
    "it": "italian",
    "nl": "dutch",
    "pt": "portuguese",
    "ru": "russian",
}
_UNSPACED = ("zh", "ja", "ko")
_JOINING = ("de", "nl")
"""Languages that write two words as one: “Physiotherapie”."""

_NEAR, _PART = 0.6, 0.5
"""What a word that means nearly the same counts, and one that has the asked one within it."""

_SAME = 75
"""The cosine, in hundredths, from which a near word says the same: “physician”, not “medical”."""

_COMMON, _RARE = 0.4, 8000
"""What the commonest word counts at least, and the rank from which a word counts full."""

_GRAMMAR = 0.2
_GRAMMATICAL = lazily("^[\u3040-\u309f]+$|[的了是吗呢么哪谁吧啊在我你他她们几个何誰]")
"""Pairs of characters that are grammar."""

_SHORTEST = 3
"""Letters of a word that may have other forms; what one begins with has as many."""

_LEAST = 5
"""Letters of a word that may be a slip, or a part of another one."""

_ALIKE = 0.8
"""How alike a slip is by what has to be changed in it."""

_LEAST_REST = 2
"""Letters of what a joined word has besides a part of it."""

_LONGEST_NAMED = 60
"""At most this many characters of a word are shown."""

_END = "\U0010ffff"
_WORD = lazily(r"\w+")
_STEMS = lazily("[\u30a1-\u30ff]+|[\u3400-\u9fff\uf900-\ufaff々]+|[\u3041-\u309f]{3,}")


class Known(NamedTuple):
    """A word's place by how common it is, from 0, and its nearest words, each with its cosine in
    hundredths.
    """

    rank: int
    near: Mapping[str, int]


def read(question: str, memory: Index) -> Asked:
    text = half_width(question[:_LONGEST])
    language = language_of(text, memory)
    words = tuple(_word(word, language, memory) for word in _telling(text, language))
    # A pair of characters may be no word at all.
    nowhere = (word.word for word in words if not (word.is_said or is_unspaced(word.word)))
    return Asked(text, words, tuple(dict.fromkeys(_written(word, text) for word in nowhere)))


def _telling(text: str, language: str) -> Sequence[str]:
    """The words of a question that say something; all, if none does."""
    every = queried(simplified(text), _cut) or queried(text)
    telling = [word for word in every if not _is_grammar(word, language)]
    return (telling or every)[:_MOST]


def _written(word: str, text: str) -> str:
    """A word as it was typed, or what it is part of: `CONTEXT_WINDOW.md` for `window`."""
    typed = next((typed for typed, words in as_written(text) if word in words), word)
    return in_a_line(typed, _LONGEST_NAMED)


def telling(question: str) -> Sequence[str]:
    """The words of a question that say something, whatever a memory has."""
    return _telling(half_width(question[:_LONGEST]), ENGLISH)


def _word(word: str, language: str, memory: Index) -> Word:
    language = _UNSPACED[0] if is_unspaced(word) else language
    listing = known(word, language) or known(_stem(word, language), language)
    weight = _weight(word, listing)
    own = {word: 0} | _forms_of(word, language, memory)
    if not (any(own.values()) or listing):
        own |= _meant(word, memory)
    forms, is_said = _valued(own, weight, memory), any(own.values())
    # What only stands for a word is never worth more than the word itself, however rare it is.
    most = forms[word] if is_said else inf
    for terms, share, as_good in _others(word, listing, language, memory):
        is_said |= as_good and any(terms.values())
        for term, value in _valued(terms, weight * share, memory).items():
            forms.setdefault(term, min(value, most * share))
    return Word(word, forms, is_said)


def _others(
    word: str, listing: Known | None, language: str, memory: Index
) -> Iterator[tuple[Mapping[str, int], float, bool]]:
    """The forms of each near word, and the terms that share a part with a word, with their share
    of it, and whether they say it as well.
    """
    for near, cosine in listing.near.items() if listing else ():
        yield _forms_of(near, language, memory), _NEAR, cosine >= _SAME
    if language in _JOINING and len(word) >= _LEAST:
        for term, count in _joined_with(word, language, memory).items():
            yield {term: count}, _PART, True


def _joined_with(word: str, language: str, memory: Index) -> dict[str, int]:
    """The terms with a word within them, and those of which it begins or ends with one."""
    ends = range(_LEAST, len(word) - _LEAST_REST)
    parts = memory.counts([*(word[:at] for at in ends), *(word[-at:] for at in ends)])
    return memory.holding(_stem(word, language)) | {
        part: count for part, count in parts.items() if count
    }


def _valued(terms: Mapping[str, int], share: float, memory: Index) -> dict[str, float]:
    """Forms of one word, each worth as much as is rare what they are in together."""
    count = sum(terms.values())
    rarity = log(1 + (max(memory.count - count, 0) + 0.5) / (count + 0.5))
    return dict.fromkeys(terms, share * rarity)


def _forms_of(word: str, language: str, memory: Index) -> dict[str, int]:
    """The terms that are a word or another form of it."""
    if is_lone(word):
        return memory.terms(word, word + _END)
    if is_unspaced(word) or len(word) < _SHORTEST or not word.isalpha():
        return memory.counts([word])
    stem = _stem(word, language)
    start = word[: max(len(root(word, language)) - 1, _SHORTEST)]
    found = memory.terms(start, start + _END)
    return {term: count for term, count in found.items() if _stem(term, language) == stem}


def _meant(word: str, memory: Index) -> dict[str, int]:
    """The term that a misspelled word means: people rarely miss the first letter."""
    if len(word) < _LEAST or not word.isalpha() or is_unspaced(word):
        return {}
    terms = memory.terms(word[0], word[0] + _END)
    scorer = rapidfuzz.distance.OSA.normalized_similarity
    alike = rapidfuzz.process.extractOne(word, [*terms], scorer=scorer, score_cutoff=_ALIKE)
    return {alike[0]: terms[alike[0]]} if alike else {}


def _weight(word: str, listing: Known | None) -> float:
    """A word that is common in its language tells little, though it be rare in the memory."""
    if is_unspaced(word) and _GRAMMATICAL.search(word):
        return _GRAMMAR
    if listing is None:
        return 1.0
    return max(_COMMON, min(1.0, log(listing.rank + 2) / log(_RARE)))


def root(word: str, language: str = ENGLISH) -> str:
    """What a word and its stem both begin with: `happ` of `happy`, whose stem is `happi`."""
    return word[: sum(1 for _ in takewhile(bool, map(eq, word, _stem(word, language))))]


def _stem(word: str, language: str) -> str:
    return stemmed(word, _ALGORITHMS.get(language, "porter"))


def language_of(text: str, memory: Index) -> str:
    """The language of the words of a text; where they do not tell, that of the memory."""
    said = _WORD.findall(text.casefold())
    marks = _marks()
    shown = {code: sum(word in words for word in said) for code, words in marks.items()}
    if not any(shown.values()):
        terms = {code: [*map(folded, words)] for code, words in marks.items()}
        shown = {code: sum(memory.counts(words).values()) for code, words in terms.items()}
    return max(shown, key=shown.__getitem__)


@cache
def _marks() -> Mapping[str, frozenset[str]]:
    """The words by which a text shows its language, of those that stems are known for."""
    return {code: frozenset(listed(SEARCH, f"telling_{code}")) for code in _ALGORITHMS}


@cache
def _grammar(language: str) -> frozenset[str]:
    """The words of a language that are little but grammar, as the index has them."""
    if language == ENGLISH:
        return small_words()
    kit = language if language in codes() else LAST_RESORT
    words = (
        *listed(kit, "function_words"),
        *listed(kit, "first_person"),
        *listed(SEARCH, f"asking_{language}"),
        *listed(SEARCH, f"telling_{language}"),
    )
    return frozenset(term for word in words for term in queried(word))


def _is_grammar(word: str, language: str) -> bool:
    languages = _UNSPACED if is_unspaced(word) else (language,)
    return any(word in _grammar(one) for one in languages)


def _cut(run: str) -> Iterator[str]:
    """The terms of a run without blanks. What Japanese adds to a word says nothing of its own: 鍵の
    and 鍵は have the key alone in common.
    """
    parts = _STEMS.findall(run) if has_kana(run) else [run]
    for part in parts or [run]:
        yield from pairs(part)


# The table of words.

LEXICON = Path(__file__).parent / "stores/words/near_words.txt"
"""The words that come with clawgit, each with how common it is and its nearest ones: sorted lines,
searched by halving, so that opening them costs nothing. `ORIGIN.md` says what they were made of."""

_OTHER = "~"
"""Begins what a line says of a word of other languages; what it says of English comes before."""


@lru_cache(4096)  # a question asks for each word several times
def known(word: str, language: str) -> Known | None:
    """None for a word that is not in the table: a name, a slip, another language."""
    english, _, other = _line_of(_opened(), word).partition(_OTHER)
    said = (english if language == "en" else other).split()
    if not said:
        return None
    nearest = (near.rpartition(":") for near in said[1:])
    return Known(int(said[0]), {near: int(cosine) for near, _, cosine in nearest})


@cache
def _opened() -> mmap:
    """The lines of the table."""
    with LEXICON.open("rb") as file:
        return mmap(file.fileno(), 0, access=ACCESS_READ)


def _line_of(data: mmap, word: str) -> str:
    if not word.isalnum():
        return ""
    low, high, wanted = 0, len(data), word.encode("utf-8", "replace")
    while low < high:
        begin = data.rfind(b"\n", low, (low + high) // 2) + 1 or low
        end = data.find(b"\n", begin, high)
        name, _, rest = data[begin:end].partition(b" ")
        if name == wanted:
            return rest.decode()
        if name < wanted:
            low = end + 1
        else:
            high = begin
    return ""
