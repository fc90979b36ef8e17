"""What a question asks: the words to look for, whom and which days it speaks of, and what kind of
answer it wants.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, tzinfo
from functools import cache
from typing import NamedTuple

from clawgit.domain.search.question_days import Days, days_in
from clawgit.domain.search.question_words import ASKING, FORMS, STOP
from clawgit.domain.search.terms import is_picture, queried

_LONGEST = 2000

_MOST_WORDS = 40

_SHORTEST = 5

_ENDING = 6

_STEMMED = re.compile("(?:ations?|ions?|ments?|ing|ed|es|e|s)$")
"""What a stemmer takes away, roughly: slips are counted in what is left."""

_LATIN_END = "\u0250"

_DAYS_AND_TIMES = frozenset(
    {"date", "dates", "day", "days", "weekday", "weekdays", "time", "times"}
)

_QUOTED = re.compile(r"[\"“„«「『](\S[^\"“”„«»「」『』]{0,199})[\"”“»」』]")

_WHEN = re.compile(
    r"^\W*(?:when|(?:(?:in|on|at|by|since|until|from) )?(?:what|which) "
    r"(?:date|day|weekday|month|year|time)s?)\b"
    r"|\bhow long\b"
    "|什么时候|几点|언제|몇 시|いつ|何時",
    re.IGNORECASE,
)


class Question(NamedTuple):
    """`words` are those to look for, each with the other forms that mean it, itself first. `names`
    are all of them that could name a speaker; `quoted` are phrases that count as they stand;
    `when`: an answer should tell a time.
    """

    text: str
    words: tuple[tuple[str, ...], ...]
    names: frozenset[str]
    quoted: tuple[str, ...] = ()
    days: Days | None = None
    when: bool = False

    def repaired(self, other: Mapping[str, str]) -> "Question":
        """With words that stand nowhere looked for as they were most likely meant."""
        words = tuple(
            (*forms, other[forms[0]]) if forms[0] in other else forms for forms in self.words
        )
        return self._replace(
            words=words, names=self.names | {other[name] for name in self.names & other.keys()}
        )


def read_question(
    text: str,
    now: datetime,
    zone: tzinfo | None = None,
    aliases: Mapping[str, tuple[str, ...]] | None = None,
) -> Question:
    """Reads at most the first 2,000 characters. Where nothing but stop words and emoji is asked,
    they are what is looked for; a question that names only days has no words. `aliases` are other
    names of a word.
    """
    text = text[:_LONGEST]
    dated = days_in(text, now, zone)
    rest = text.replace(dated[1], " ") if dated else text
    asked = queried(rest if rest.isascii() else _asking().sub(" ", rest))
    telling = [word for word in asked if word not in STOP and not is_picture(word)]
    when = _WHEN.search(text)
    if when:
        telling = [word for word in telling if word not in _wanted(when[0])] or telling
    sought = telling or ([] if dated else [*(asked or queried(text))])
    others = aliases or {}
    return Question(
        text=text,
        words=_each_once(_forms(word, others) for word in sought[:_MOST_WORDS]),
        names=frozenset(name for word in asked for name in (word, *others.get(word, ()))),
        quoted=tuple(" ".join(found.split()).casefold() for found in _QUOTED.findall(text)),
        days=dated[0] if dated else None,
        when=when is not None,
    )


def _wanted(asking: str) -> frozenset[str]:
    """What “on which day” asks for: an answer names a day, but not by that word."""
    return _DAYS_AND_TIMES.intersection(asking.casefold().split())


def in_latin(text: str) -> bool:
    """Whether a text is mostly in Latin letters, the only ones that an English model of meaning has
    learnt.
    """
    letters = [sign for sign in text if sign.isalpha()]
    return 2 * sum(sign < _LATIN_END for sign in letters) >= len(letters)


def repairs(missing: Iterable[str], vocabulary: Callable[[], Iterable[str]]) -> dict[str, str]:
    """For words that stand nowhere, the word of the index that was most likely meant: one slip of
    the finger away.

    Most words that stand nowhere are right, and another word is close to them: the likelier a slip
    makes a word out of another, the longer both must be. The vocabulary, as stems, is asked for
    only when there is something to repair.
    """
    wrong = [
        word for word in missing if len(word) >= _SHORTEST and word.isalpha() and word.isascii()
    ]
    if not wrong:
        return {}
    from rapidfuzz.distance import OSA  # noqa: PLC0415 (17 ms, for questions with a word that stands nowhere)

    words = sorted(word for word in vocabulary() if len(word) >= _SHORTEST)
    found = {}
    for word in wrong:
        alike = [
            other
            for other in words
            if other[0] == word[0] and abs(len(other) - len(word)) <= _ENDING
        ]
        ends = {word, _STEMMED.sub("", word), re.sub("y$", "i", word)}
        near = [
            (OSA.distance(end, other, score_cutoff=1), other, end)
            for end in ends
            for other in alike
        ]
        likely = [
            match for match in near if match[0] <= 1 and len(match[2]) >= _least(match[2], match[1])
        ]
        if likely:
            found[word] = min(likely)[1]
    return found


def _least(word: str, other: str) -> int:
    """How long a word must be for this slip: letters in each other's place, one more or less, one
    for another.
    """
    if len(word) != len(other):
        return 6
    return _SHORTEST if sorted(word) == sorted(other) else 9


def _each_once(words: Iterable[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """Without words that are only another form of one before."""
    kept: dict[str, tuple[str, ...]] = {}
    for forms in words:
        if forms[0] not in kept:
            kept |= dict.fromkeys(forms, forms)
    return tuple(dict.fromkeys(kept.values()))


def _forms(word: str, aliases: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*FORMS.get(word, (word,)), *aliases.get(word, ()))))


@cache
def _asking() -> re.Pattern[str]:
    return re.compile("|".join(sorted(ASKING, key=len, reverse=True)))
