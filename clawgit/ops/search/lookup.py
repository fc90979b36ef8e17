"""Looks up where the words of a question stand in an index."""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from itertools import chain, islice
from typing import NamedTuple

from clawgit.domain.search.clock_times import (
    ClockTime,
    clock_times,
    only_time,
    same_times,
    ways_of_time,
)
from clawgit.domain.search.lexicon import Known, Words, near_words, telling
from clawgit.domain.search.names import PROFILE
from clawgit.domain.search.own_forms import BENT, OWN, meant_exactly, nearness
from clawgit.domain.search.parted import Parts, halves, in_one, phone, phones, runs, spans
from clawgit.domain.search.postings import (
    COMMON,
    DatedItems,
    Postings,
    RankingLayout,
    as_one,
    items_of,
    rare_first,
    selects,
    weight,
)
from clawgit.domain.search.question import SearchQuestion, bare
from clawgit.domain.search.ranking_marks import stands_in
from clawgit.domain.search.ranking_weights import WEIGHTS
from clawgit.domain.search.terms import are_words, queried
from clawgit.domain.search.terms import words as words_of
from clawgit.domain.search.titles import section_from
from clawgit.domain.search.tongue import ENGLISH, Home
from clawgit.domain.search.written_days import is_named_by, says_day
from clawgit.domain.workspace.tiers import dated, tier
from clawgit.language.files import LAST_RESORT, SEARCH, codes, listed
from clawgit.stores.index.live import File
from clawgit.stores.index.reading import IndexReader, ItemRow

_MOST_READ = 2000
"""So many items are read at most to see how they write something."""

Near = tuple[tuple[float, Sequence[int]], ...]
"""Items with words that are near to one, with the cosines of these."""


class WrittenItems(NamedTuple):
    """The items that have a word as the question writes it, and those with other words of its stem,
    by how near they are.
    """

    ids: Sequence[int]
    near: Near = ()
    stems: AbstractSet[str] = frozenset()


Written = Mapping[str, WrittenItems]
"""Of the words that do not tell by themselves where they stand."""


def found_quoted(index: IndexReader, question: SearchQuestion) -> list[int]:
    """The items that hold a phrase which the question quotes, as it stands there, or a phone number
    or a time of the clock as it may stand there.
    """
    found: list[int] = []
    left = _MOST_READ
    for phrase in question.quoted:
        if left > 0:
            rows = index.rows(index.postings(" ".join(queried(phrase)))[:COMMON])
            left -= len(rows)
            numbers = [*phones(phrase)]
            found += (row.id for row in rows if stands_in(phrase, row.text) or _spans(row, numbers))
            in_one_word = (number for parts in numbers for number in in_one(parts))
            found += chain.from_iterable(map(index.postings, in_one_word))
            found += _at_time(index, only_time(phrase))
    return found


def found_times(index: IndexReader, question: SearchQuestion, found: Written) -> Written:
    """Where the words of the times of the clock stand that a question names: also where the memory
    writes the same time in another way. `found`: where words stand already.
    """
    every = {forms[0]: forms for forms in question.words}
    added: dict[str, WrittenItems] = {}
    for time, (start, end) in clock_times(question.text):
        items = _at_time(index, time)
        for word in words_of(question.text[start:end]) if items else ():
            if word in every:
                known = added.get(word) or found.get(word)
                known = known or WrittenItems(_standing(index, every[word]))
                added[word] = known._replace(ids=sorted({*known.ids, *items}))
    return {**found, **added}


def _at_time(index: IndexReader, time: ClockTime | None) -> list[int]:
    """The items that name a time of the clock, or open a heading that does."""
    if time is None:
        return []
    items = sorted({item for way in ways_of_time(time) for item in index.postings(way)})
    asked = f"{time.hour}:{time.minute:02}"
    return [
        row.id
        for row in index.rows(items[:_MOST_READ])
        if any(any(same_times(asked, text)) for text in (row.text, *row.opens))
    ]


def found_written(index: IndexReader, question: SearchQuestion) -> Written:
    """Where the numbers stand that have a # in front of them, if they do so anywhere."""
    found: dict[str, WrittenItems] = {}
    left = _MOST_READ
    for number, written in question.numbered().items():
        items = index.postings(number) if left > 0 else ()
        left -= len(items)
        # All of them are read, or none: the word alone finds those that were not.
        rows = index.rows(items) if left >= 0 else ()
        if own := [row.id for row in rows if _writes(row, written)]:
            found[number] = WrittenItems(own)
    return found


def found_own(index: IndexReader, question: SearchQuestion, words: Words) -> Written:
    """Where words stand that are meant as they are written, if others have the same stem."""
    found: dict[str, WrittenItems] = {}
    left = _MOST_READ
    for forms in meant_exactly(question, words):
        items = _standing(index, forms)
        if len(items) > left:
            continue
        left -= len(items)
        by_nearness: dict[float, list[int]] = {}
        for row in index.rows(items):
            near = nearness("\n".join((row.text, *row.opens)), forms, words)
            by_nearness.setdefault(near, []).append(row.id)
        own = by_nearness.pop(OWN, []) or by_nearness.pop(BENT, [])
        if own and by_nearness:
            stems = frozenset(index.stems(forms).values())
            found[forms[0]] = WrittenItems(own, tuple(by_nearness.items()), stems)
    return found


def found_parted(
    index: IndexReader, question: SearchQuestion, words: Words
) -> tuple[SearchQuestion, Written]:
    """Where words of letters and digits stand, in one or in parts, and so words of letters that are
    in no list. The question with these parts.
    """
    found: dict[str, WrittenItems] = {}
    parted: list[Parts] = []
    left = _MOST_READ
    for forms, parts in _ways(index, question, words):
        items = index.postings(" ".join(parts)) if left > 0 else ()
        rows = index.rows(items) if selects(len(items)) else ()
        left -= len(rows)
        if apart := [row.id for row in rows if _spans(row, [parts])]:
            before = found[forms[0]].ids if forms[0] in found else _standing(index, forms)
            found[forms[0]] = WrittenItems(sorted({*before, *apart}))
            parted.append(parts)
    return question._replace(parted=tuple(parted)), found


def _ways(
    index: IndexReader, question: SearchQuestion, words: Words
) -> Iterator[tuple[Sequence[str], Parts]]:
    """The ways to part words that the memory may have, each with the forms of the word."""
    for forms in question.words:
        word = forms[0]
        if parts := runs(word) or phone(word):
            yield forms, parts
        elif not words.known(word):
            ways = [*halves(word)]
            counts = index.frequencies(chain.from_iterable(ways))
            yield from ((forms, way) for way in ways if all(map(counts.get, way)))


def _spans(row: ItemRow, parted: Sequence[Parts]) -> bool:
    """Whether an item, or a heading that it opens, has one of some words in parts."""
    return any(any(spans(text, parted)) for text in (row.text, *row.opens))


def _writes(row: ItemRow, written: str) -> bool:
    """Whether an item, or a heading that it opens, has something as it is written."""
    return any(stands_in(written, text) for text in (row.text, *row.opens))


def counted(index: IndexReader, question: SearchQuestion, written: Written) -> dict[str, int]:
    """In about how many items each word of the question is, in any of its forms."""
    counts = index.frequencies(form for forms in question.words for form in forms)
    every = {forms[0]: sum(counts.get(form, 0) for form in forms) for forms in question.words}
    return every | {word: len(written[word].ids) for word in every.keys() & written.keys()}


def home(index: IndexReader) -> Home:
    """In how many items the commonest words of each language stand."""
    marks = {code: listed(SEARCH, f"telling_{code}") for code in codes()}
    counts = index.frequencies(chain(*marks.values()))
    return {
        ENGLISH if code == LAST_RESORT else code: sum(counts.get(word, 0) for word in words)
        for code, words in marks.items()
    }


def _found_days(index: IndexReader, spelled: Sequence[str]) -> tuple[list[int], list[int]]:
    """The items that name days in one of these ways, and those that open a section whose heading
    does.
    """
    says = partial(says_day, ways=spelled)
    rows = index.rows(sorted(_with_words_of(index, spelled)))
    saying = [row.id for row in rows if says(row.text)]
    opening = [row.id for row in rows if any(map(says, row.opens))]
    return saying, opening


def _with_words_of(index: IndexReader, spelled: Sequence[str]) -> set[int]:
    """The items with all words of one of these ways. Found too often, it tells nothing."""
    found = (index.postings(way) for way in spelled if are_words(way))
    return {item for items in found if selects(len(items)) for item in items}


def layout_of(
    index: IndexReader, question: SearchQuestion, found: Sequence[Postings]
) -> RankingLayout:
    """Where what was found stands."""
    saying, opening = _found_days(index, question.spelled)
    items = items_of(found) | {*saying, *opening}
    extents = index.extents(items)
    opens = {item: extents.opens[item] for item in items & extents.opens.keys()}
    days = [*_days_of(index.files(), question)] if question.days else []
    layout = RankingLayout(extents.lengths, index.average, extents.bonds, opens, days)
    below = chain(*(section_from(at, layout) for at in opening))
    return layout._replace(dated=[*saying, *below], naming=saying)


def _days_of(files: Sequence[File], question: SearchQuestion) -> Iterator[DatedItems]:
    """The items of the files with a day in their names, and of those named by the year or the month
    that is meant.
    """
    days = question.days
    for file in files:
        end = file.first + file.items
        if day := dated(file.path):
            yield DatedItems(day, file.first, end, bool(tier(file.path)))
        elif days and is_named_by(file.path, days, question.spelled):
            yield DatedItems(days.first, file.first, end, is_note=False)


def found_words(
    index: IndexReader,
    question: SearchQuestion,
    counts: Mapping[str, int],
    known: Mapping[str, Known | None],
    written: Written,
    operator: AbstractSet[str] = frozenset(),
) -> tuple[Postings, ...]:
    """The items with the words. Those of the `operator`'s name count for all of USER.md.

    Rare words are looked up everywhere, common ones only near these.
    """
    rare, common = rare_first(counts)
    forms = {words[0]: words for words in question.words}
    own = {word: written[word] for word in forms.keys() & written.keys()}
    where = _where(index, forms, rare, common) | {word: one.ids for word, one in own.items()}
    asked = {form for words in question.words for form in words}
    asked |= {stem for one in own.values() for stem in one.stems}
    near = _near(index, {word: known[word] for word in forms if word not in common}, asked)
    found = (
        Postings(
            word,
            weight(word, counts[word], index.of_all_sources, telling(known[word])),
            where.get(word, ()),
            word in common,
            forms[word],
            near.get(word, ()) + (own[word].near if word in own else ()),
            _named(index, forms[word], operator),
        )
        for word in forms
    )
    return as_one((*found, *_called(index, question)), question.things())


def _called(index: IndexReader, question: SearchQuestion) -> Iterator[Postings]:
    """The first items of each file that the question names, as one more word that tells no less
    than a day does.
    """
    heavy = max(WEIGHTS.days, weight("", 1, index.of_all_sources))
    for name in dict.fromkeys(map(bare, question.text.split())):
        if files := index.called(name):
            items = [*islice(chain.from_iterable(files), COMMON)]
            yield Postings(name, heavy, items, is_file=True)


def _named(index: IndexReader, forms: Sequence[str], operator: AbstractSet[str]) -> Sequence[int]:
    """The items of files whose names have a word, unless it names too much to tell anything."""
    profiles = [] if operator.isdisjoint(forms) else index.called(PROFILE)
    files = [*index.named(forms), *profiles]
    return [*chain.from_iterable(files)] if selects(sum(map(len, files))) else ()


def _where(
    index: IndexReader,
    forms: Mapping[str, Sequence[str]],
    rare: Sequence[str],
    common: Sequence[str],
) -> dict[str, Sequence[int]]:
    among = [form for word in rare for form in forms[word]]
    where: dict[str, Sequence[int]] = {word: _standing(index, forms[word]) for word in rare}
    return where | {word: _standing(index, forms[word], among) for word in common}


def _near(
    index: IndexReader, known: Mapping[str, Known | None], asked: AbstractSet[str]
) -> dict[str, Near]:
    """For each word, the items with words of nearly the same meaning, with their cosines."""
    near = near_words(known, asked)
    counts = index.frequencies({other for others in near.values() for other, _ in others})
    where = {other: index.postings(other) for other, count in counts.items() if selects(count)}
    return {
        word: tuple((cosine, where[other]) for other, cosine in others if other in where)
        for word, others in near.items()
    }


def _standing(index: IndexReader, forms: Sequence[str], among: Sequence[str] = ()) -> list[int]:
    if len(forms) == 1:
        return index.postings(forms[0], among)
    return sorted({item for form in forms for item in index.postings(form, among)})
