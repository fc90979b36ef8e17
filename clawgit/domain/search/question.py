"""Reads a question: the words to look for, and what kind of answer it wants."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import dropwhile, groupby
from typing import NamedTuple

from clawgit.domain.markdown.excerpt import in_a_line
from clawgit.domain.search.lexicon import WordLookup, Words, is_grammar
from clawgit.domain.search.question_words import ASKING, FORMS, STOP
from clawgit.domain.search.terms import (
    as_written,
    is_picture,
    is_unspaced,
    joined,
    queried,
    spaced,
)
from clawgit.domain.search.wanted import WHEN, wanted
from clawgit.language.lazily import lazily
from clawgit.language.simplified import simplified
from clawgit.language.tokens import half_width, is_cjk

_LONGEST = 2000
"""At most this many characters of a question are read."""

_MOST_WORDS = 40
"""At most this many words of a question are looked for."""

_MOST_BRIEF = 3
"""Words of a brief question."""

_SIGNS_A_WORD = 2
"""About so many signs are a word where nothing parts words."""

_LONGEST_NAMED = 60
"""At most this many characters of a word are shown."""

_DAYS_AND_TIMES = frozenset(
    ["date", "dates", "day", "days", "weekday", "weekdays", "time", "times"]
)

_LONGEST_WORD = 6
"""Characters of a word."""

_STEM = lazily("[\u30a1-\u30ff\u3400-\u9fff\uf900-\ufaff々]+")
"""What a word of Japanese has before its ending in hiragana: Han characters, or katakana."""


class SearchQuestion(NamedTuple):
    """`words`: those to look for, each with its other forms, the word itself first.

    `cut`: the words of text without spaces, each with the pairs by which it is looked up.
    `wanted`: what the answer should give (`wanted.py`). `unknown`: the words that stand nowhere in
    the memory. `near`: of each word that is known, those of nearly the same meaning.
    """

    text: str
    words: tuple[tuple[str, ...], ...]
    wanted: tuple[str, ...] = ()
    unknown: frozenset[str] = frozenset()
    near: tuple[tuple[str, ...], ...] = ()
    cut: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def whole(self, words: Iterable[str]) -> dict[str, str]:
        """For each of these, what it was cut out of, or itself."""
        cut = {term: word for word, terms in reversed(self.cut) for term in terms}
        return {word: cut.get(word, word) for word in words}

    @property
    def is_brief(self) -> bool:
        """Whether it is of so few words that each is meant as it is written, or looks up one."""
        is_short = sum(map(_words_in, spaced(self.text).split())) <= _MOST_BRIEF
        return is_short or (len(self.words) == 1 and not self.wanted)

    def written(self, word: str) -> str:
        """A word as the user typed it, or what it is part of: `CONTEXT_WINDOW.md` for `window`.
        Without spaces, it is looked up in simplified characters.
        """
        if is_unspaced(word):
            at = simplified(self.text).find(word)
            return word if at < 0 else self.text[at : at + len(word)]
        typed = next((typed for typed, words in as_written(self.text) if word in words), word)
        return in_a_line(typed, _LONGEST_NAMED)

    def repaired(self, other: Mapping[str, str]) -> "SearchQuestion":
        """The question with the words from `repairs` looked for as well."""
        words = tuple(
            (*forms, other[forms[0]]) if forms[0] in other else forms for forms in self.words
        )
        return self._replace(words=words)


def read_question(
    text: str,
    listed: Words = Words(),  # noqa: B008 - an immutable value
) -> SearchQuestion:
    """Reads the first 2,000 characters of a question, full-width letters as others. `listed`
    are the words of its language.

    If a question consists of stop words and emoji only, these are looked for.
    """
    text = half_width(text[:_LONGEST])
    rest = _without_asking(text)
    asked = queried(rest)
    cut: list[tuple[str, tuple[str, ...]]] = []

    def terms_of(run: str) -> Iterator[str]:
        for word, terms in sought(run, listed.known):
            cut.append((word, terms))
            yield from terms

    when = WHEN.search(text)
    sought_in = asked if rest.isascii() else queried(rest, terms_of)
    telling = _sought(sought_in, when[0] if when else "") or [*(asked or queried(text))]
    return SearchQuestion(
        text=text,
        words=_each_once(_forms(word) for word in telling[:_MOST_WORDS]),
        wanted=wanted(text),
        cut=tuple(cut),
    )


def _words_in(part: str) -> int:
    """About how many words a part of a question in one script is."""
    return -(-len(part) // _SIGNS_A_WORD) if is_cjk(part) else 1


def bare(name: str) -> str:
    """What is written in one, without the signs around it."""
    return name.strip("`'\"“”„‘’«»()[]<>,;:?!")


def _without_asking(text: str) -> str:
    """A question without the words of scripts without blanks that only ask."""
    rest = simplified(joined(text))
    return rest if rest.isascii() else _asking().sub(" ", rest)


def _sought(asked: Iterable[str], when: str) -> list[str]:
    """The words that say what is asked for. An answer to “on which day” names a day, but not by
    that word, so it is not looked for unless it is the only one.
    """
    telling = [word for word in asked if word not in STOP and not is_picture(word)]
    time_words = _DAYS_AND_TIMES.intersection(when.casefold().split())
    return [word for word in telling if word not in time_words] or telling


def _each_once(words: Iterable[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """The words without those that are another form of an earlier one."""
    kept: dict[str, tuple[str, ...]] = {}
    for forms in words:
        if forms[0] not in kept:
            kept |= dict.fromkeys(forms, forms)
    return tuple(dict.fromkeys(kept.values()))


def _forms(word: str) -> tuple[str, ...]:
    return tuple(FORMS.get(word, (word,)))


@cache
def _asking() -> re.Pattern[str]:
    return re.compile("|".join(sorted(ASKING, key=len, reverse=True)))


def cut(run: str, is_word: Callable[[str], bool]) -> Iterator[str]:
    """The longest words from the left on; a character that belongs to none stands by itself."""
    start = 0
    while start < len(run):
        ends = range(min(len(run), start + _LONGEST_WORD), start + 1, -1)
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


def _joined(words: Iterable[str], is_empty: Callable[[str], bool]) -> Iterator[str]:
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
