"""Corpora in memory, searched by the same pure functions as clawgit's own search: for measuring
what ranks best."""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime
from functools import cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from clawgit.config.settings import Settings
from clawgit.domain.markdown.item import Item, items
from clawgit.domain.search.bonds import bonds
from clawgit.domain.search.fitting import is_likely, near_passing
from clawgit.domain.search.headed import headed
from clawgit.domain.search.kindred import known_of, terms_of
from clawgit.domain.search.lexicon import Words, near_words, telling
from clawgit.domain.search.names import (
    MARKERS,
    Name,
    NameBook,
    book_of,
    named,
    names_of,
    naming,
    other_names,
    spoken,
)
from clawgit.domain.search.passage import passage
from clawgit.domain.search.postings import (
    DatedItems,
    Postings,
    RankingLayout,
    as_one,
    rare_first,
    selects,
    weight,
)
from clawgit.domain.search.question import SearchQuestion, is_read, read_question
from clawgit.domain.search.ranking import QueryLikeness, Scored, gather, rank
from clawgit.domain.search.ranking_weights import (
    WEIGHTS,
    Weights,
)
from clawgit.domain.search.slips import repairs
from clawgit.domain.search.snippet import FRONT
from clawgit.domain.search.terms import indexed, is_lone, queried, words
from clawgit.domain.search.wording import AlikeWords, reworded
from clawgit.domain.workspace.tiers import dated
from clawgit.ops.search.asking import looked_at
from clawgit.stores.index.reading import stems_by
from clawgit.stores.lexicon import Lexicon
from clawgit.stores.nearness import FEW

Vectors = Any
"""A numpy array, one row a text."""

Embed = Callable[[Sequence[str], bool], Vectors]
"""Texts to vectors of length one; the flag says that they are questions."""

Comparer = Callable[[str], AlikeWords | None]
"""What compares single words for a question; None where nothing can."""


def no_words(_question: str) -> AlikeWords | None:
    return None


class Model(NamedTuple):
    """An embedder, what compares single words for it, and whether it reads texts as a whole, and
    with the headings above them.
    """

    embed: Embed
    comparer: Comparer = no_words
    reads: bool = True
    headed: bool = False


KINDS = ("shared", "some", "none")
"""How many words a question shares with its answer; of one that is "absent" there is no answer."""

FORMS, STOP_WORDS, REPAIR, LEXICON = (
    "other forms of words",
    "stop words",
    "typo repair",
    "near and common words",
)
"""What can be left out when a question is read, to see what it brings."""

_LEXICON = Lexicon()
_LEAST = 1e-6
_NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
_MOST_HITS = 60
"""The most hits that recall is measured on: enough for 1,500 tokens."""

MIN_SCORE = Settings().min_score
SHOWN = Settings().max_results


class Asked(NamedTuple):
    """A question of a set; `kind` says how many words it shares with its answer, `part` what it may
    be used for. Nothing answers one that expects no line."""

    text: str
    expect: frozenset[tuple[str, int]]
    kind: str = ""
    part: str = "tune"
    exact: bool = False
    """Whether an answer is right only if it is all of these lines and nothing else."""


class Hit(NamedTuple):
    path: str
    item: Item
    scored: Scored


class Bearing(NamedTuple):
    """An item of a corpus."""

    id: int
    text: str
    kind: str
    headings: tuple[str, ...]


class Corpus:
    """The items of a workspace's memory, and where their words stand."""

    def __init__(self, root: Path) -> None:
        self.name = root.name
        self.files = {
            str(path.relative_to(root)): path.read_text("utf-8")
            for path in sorted(root.rglob("*.md"))
        }
        searched = [path for path in self.files if path.startswith(("memory/", "MEMORY.md"))]
        self.places: list[tuple[str, Item]] = []
        days: list[DatedItems] = []
        bonded: list[int] = []
        for path in searched:
            found, first = items(path, self.files[path]), len(self.places)
            self.places += [(path, item) for item in found]
            bonded += bonds(found)
            if day := dated(path):
                days.append(DatedItems(day, first, len(self.places)))
        lengths = [len(words(item.text)) for _, item in self.places]
        average = sum(lengths) / max(len(lengths), 1)
        opens = {at: item.opens for at, (_, item) in enumerate(self.places) if item.opens}
        self.layout = RankingLayout(lengths, average, bonded, opens, days)
        self.lines = {path: text.split("\n") for path, text in self.files.items()}
        self.texts = [item.text for _, item in self.places]
        self._index()

    def _index(self) -> None:
        self._db = sqlite3.connect(":memory:")
        self._db.execute(
            "CREATE VIRTUAL TABLE t USING fts5(x, tokenize='porter ascii', detail=none)"
        )
        self._db.execute("CREATE VIRTUAL TABLE v USING fts5vocab(t, 'row')")
        rows = (
            (number, indexed(" ".join((*item.opens, item.text))))
            for number, (_, item) in enumerate(self.places)
        )
        self._db.executemany("INSERT INTO t(rowid, x) VALUES (?, ?)", rows)

    def has_as_written(self, word: str) -> bool:
        return any(word in words(self.texts[at]) for at in self.postings(word))

    def postings(self, word: str) -> list[int]:
        found = self._db.execute(
            "SELECT rowid FROM t WHERE t MATCH ? ORDER BY rowid",
            (" AND ".join(f'"{part}"{"*" * is_lone(part)}' for part in word.split(" ")),),
        )
        return [row for (row,) in found]

    @cached_property
    def vocabulary(self) -> list[str]:
        return [word for (word,) in self._db.execute("SELECT term FROM v")]

    @cached_property
    def book(self) -> NameBook:
        """The names that the memory gives."""
        found = (self.postings(word) for word in MARKERS)
        giving = {at for some in found if selects(len(some)) for at in some}
        noted = naming(*(self.files.get(name, "") for name in ("USER.md", "MEMORY.md")))
        return book_of(map(self._bearing, sorted(giving)), noted)

    def names(self, ids: Iterable[int]) -> dict[int, tuple[Name, ...]]:
        """The names of these items, and of all in the book."""
        fronts = (at for at in ids if self.places[at][1].kind == FRONT)
        return {
            **self.book.names,
            **{at: own for at in fronts if (own := names_of(self._bearing(at)))},
        }

    def _bearing(self, at: int) -> Bearing:
        item = self.places[at][1]
        return Bearing(at, item.text, item.kind, item.path)

    def read(self, text: str, without: str = "") -> tuple[SearchQuestion, tuple[Postings, ...]]:
        """A question, and where its words stand."""
        words_of = _LEXICON.for_text(text) if without != LEXICON else Words()
        lexicon = words_of.known
        others = other_names(text, self.book.groups)
        question = read_question(text, _NOW, None, others, words_of)
        if without == STOP_WORDS:
            question = question._replace(words=tuple((word,) for word in queried(text)))
        if without == FORMS:
            question = question._replace(words=tuple(forms[:1] for forms in question.words))
        where = {form: self.postings(form) for forms in question.words for form in forms}
        missing = [
            forms[0]
            for forms in question.words
            if not any(where[form] for form in forms) and not lexicon(forms[0])
        ]
        unknown = frozenset(
            forms[0] for forms in question.words if not any(where[form] for form in forms)
        )
        question = question._replace(unknown=unknown)
        stems = partial(stems_by, self._db)
        spelled = partial(repairs, missing, lambda: self.vocabulary, stems, self.has_as_written)
        if without != REPAIR and (other := spelled()):
            question = question.repaired(other)
            where |= {word: self.postings(word) for word in other.values()}
        ids = {
            forms[0]: sorted({one for form in forms for one in where[form]})
            for forms in question.words
        }
        _rare, common = rare_first({word: len(found) for word, found in ids.items()})
        known = known_of(question, words_of, lambda: terms_of(self.vocabulary))
        near = near_words({word: known[word] for word in ids if word not in common}, {*where})
        count = len(self.places)
        found = (
            Postings(
                word := forms[0],
                weight(word, len(ids[word]), count, telling(known[word])),
                ids[word],
                word in common,
                forms,
                tuple(
                    (cosine, found)
                    for other, cosine in near.get(word, ())
                    if selects(len(found := self.postings(other)))
                ),
            )
            for forms in question.words
        )
        return question, as_one(found, question.things())


class Case(NamedTuple):
    """A corpus with its questions, read once, and the vectors of both where there is a model."""

    corpus: Corpus
    asked: tuple[Asked, ...]
    read: tuple[tuple[SearchQuestion, tuple[Postings, ...]], ...]
    cosines: Vectors = None
    comparer: Comparer = no_words
    reads: bool = False

    def reading(self, without: str) -> "Case":
        """The same, its questions read without one of the things that reading does."""
        return self._replace(read=tuple(self.corpus.read(one.text, without) for one in self.asked))

    def mistyped(self) -> "Case":
        """The same, each question with a slip of the finger in its longest word."""
        return self._replace(
            read=tuple(self.corpus.read(_mistyped(one.text)) for one in self.asked)
        )

    def hits(
        self,
        number: int,
        weights: Weights = WEIGHTS,
        without: AbstractSet[int] = frozenset(),
        most: int = SHOWN,
    ) -> list[Hit]:
        """What comes nearest, best first, of a search that is to show `most`; `without` some items
        of the corpus.
        """
        question, found = self.read[number]
        count = len(self.corpus.places)
        if without:
            found = tuple(_without(postings, without, count) for postings in found)
        gathered = gather(question, found, self.corpus.layout, weights)
        names = self.corpus.book.names
        wanted = looked_at(most) + len(without)
        pool = dict.fromkeys([*gathered.best(wanted), *spoken(question, names)])
        likeness = None
        if self.cosines is not None and is_read(question.text, "han"):
            row = self.cosines[number]
            pool |= dict.fromkeys(row.argsort()[::-1][:wanted].tolist())
            cosines = dict(zip(pool, row[list(pool)].tolist(), strict=True))
            likeness = QueryLikeness(cosines, float(row.mean()), "han", self.reads)
        texts = {item: self.corpus.texts[item] for item in pool if item not in without}
        names = self.corpus.names(texts)
        called = named(question, spoken(question, names), names, texts)
        places = {item: self.corpus.places[item][1] for item in texts}
        headings = {item: (*place.path, *place.led) for item, place in places.items()}
        ranking = headed(question, gathered, headings, weights)
        if likeness and (alike := self.comparer(question.text)):
            ranking = reworded(ranking, texts, alike, weights)
        ranked = rank(question, ranking, texts, likeness, weights, called)[:_MOST_HITS]
        return [Hit(*self.corpus.places[one.id], one) for one in ranked]

    def shown(self, number: int, weights: Weights = WEIGHTS) -> list[Hit]:
        """The hits that a search shows, whether likely or not."""
        hits = self.hits(number, weights)
        scored = [hit.scored for hit in hits]
        passed = {one.id for one in near_passing(scored, MIN_SCORE, SHOWN)}
        return [hit for hit in hits if hit.scored.id in passed]

    def likely(self, number: int, weights: Weights = WEIGHTS) -> list[Hit]:
        """Those of them that reach the least score."""
        return [hit for hit in self.shown(number, weights) if is_likely(hit.scored, MIN_SCORE)]


class Figures(NamedTuple):
    """Recall in the first 400 and 1,500 tokens of hits and in the first ten lines of hits, and
    whether one of the first five was right, or the first."""

    recall_400: float
    recall_1500: float
    recall_10: float
    any_5: float
    first: float


def _without(found: Postings, gone: AbstractSet[int], count: int) -> Postings:
    """Where a word stands but for some items, with the weight that it would have without them."""
    ids = [item for item in found.ids if item not in gone]
    before = weight(found.word, len(found.ids), count)
    after = weight(found.word, len(ids), count)
    near = tuple((one, [item for item in where if item not in gone]) for one, where in found.near)
    return found._replace(ids=ids, near=near, weight=found.weight * after / max(before, _LEAST))


def open_case(root: Path, questions: Path, model: Model | None = None) -> Case:
    corpus = Corpus(root)
    asked = tuple(_asked(json.loads(line)) for line in questions.read_text("utf-8").splitlines())
    read = tuple(corpus.read(one.text) for one in asked)
    if model is None:
        return Case(corpus, asked, read)
    passages = (passage(item.text, item.path, item.led) for _, item in corpus.places)
    texts = model.embed([*passages] if model.headed else corpus.texts, False)
    questions = model.embed([one.text for one in asked], True)
    cosines = _cosines(questions, texts)
    return Case(corpus, asked, read, cosines, model.comparer, model.reads)


def _cosines(questions: Vectors, texts: Vectors) -> Vectors:
    """As `stores/nearness.py` measures them: from the middle of all texts."""
    middle = texts.mean(axis=0) * len(texts) / (len(texts) + FEW)
    return _directions(questions - middle) @ _directions(texts - middle).T


def _directions(vectors: Vectors) -> Vectors:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), _LEAST)


def measured(case: Case, number: int, weights: Weights) -> Figures:
    """How much of what a question expects its hits cover, by the text that they cost: four signs a
    token."""
    expect, lines = case.asked[number].expect, case.corpus.lines
    spent, seen = 0, set[tuple[str, int]]()
    at: list[int] = []
    places: list[int] = []
    for hit in case.hits(number, weights, most=_MOST_HITS):
        for line in range(hit.item.line, hit.item.end_line + 1):
            spot = (hit.path, line)
            if spot in seen:
                continue
            seen.add(spot)
            spent += len(lines[hit.path][line - 1]) + 1
            if spot in expect:
                at.append(spent)
                places.append(len(seen))
    near, far = (sum(cost <= budget * 4 for cost in at) / len(expect) for budget in (400, 1500))
    within_ten = sum(place <= _TEN for place in places) / len(expect)
    found = place_of_answer(case, number, weights)
    place = found[0] if found else _MOST_HITS
    return Figures(near, far, within_ten, float(place <= _FIRST), float(place == 1))


def is_answered(case: Case, number: int, weights: Weights = WEIGHTS) -> bool:
    """Whether anything reaches the default least score."""
    return any(case.likely(number, weights))


def is_shown(case: Case, number: int, weights: Weights = WEIGHTS) -> bool:
    """Whether a right line is among what is shown, likely or not."""
    shown = case.shown(number, weights)[:SHOWN]
    return any(is_right(hit.path, hit.item, case.asked[number].expect) for hit in shown)


def is_right(path: str, item: Item, expect: frozenset[tuple[str, int]]) -> bool:
    lines = range(item.line, item.end_line + 1)
    return not expect.isdisjoint((path, line) for line in lines)


def is_exact(case: Case, number: int, weights: Weights = WEIGHTS) -> bool:
    """Whether what is likely is what is expected, and nothing else."""
    got = {(hit.path, hit.item.line) for hit in case.likely(number, weights)}
    return got == case.asked[number].expect


def place_of_answer(case: Case, number: int, weights: Weights = WEIGHTS) -> tuple[int, Hit] | None:
    """Where among the hits the first right one stands, from 1."""
    expect = case.asked[number].expect
    for place, hit in enumerate(case.hits(number, weights), 1):
        if is_right(hit.path, hit.item, expect):
            return place, hit
    return None


def numbers(case: Case, kind: str, part: str) -> Iterator[int]:
    return (at for at, one in enumerate(case.asked) if one.kind == kind and part in (one.part, ""))


def _asked(row: Mapping[str, Any]) -> Asked:
    expect = frozenset((one["path"], one["line"]) for one in row["expect"])
    kind = row.get("kind", row.get("category", ""))
    return Asked(row["query"], expect, kind, row.get("part", "tune"), row.get("exact", False))


def _mistyped(text: str) -> str:
    """With two letters of the longest word in each other's place, or, where its length is odd, one
    left out."""
    longest = max(text.split(), key=len)
    middle = len(longest) // 2
    swapped = longest[middle] + longest[middle - 1] if len(longest) % 2 == 0 else longest[middle]
    return text.replace(longest, longest[: middle - 1] + swapped + longest[middle + 1 :])


_FIRST = 5
_TEN = 10
