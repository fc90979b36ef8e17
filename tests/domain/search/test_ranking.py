"""Ranking: what counts in a score, what it means, and what comes after it."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.config.settings import Settings
from clawgit.domain.corrections.corrections import Correction
from clawgit.domain.corrections.pairs import CorrectedPairs, corrected_pairs, overtaken
from clawgit.domain.markdown.comment import Meta
from clawgit.domain.markdown.entry import content_key
from clawgit.domain.markdown.item import items
from clawgit.domain.search.bonds import bonds, unpacked
from clawgit.domain.search.fitting import is_likely, likely, passing, reaching
from clawgit.domain.search.folding import once
from clawgit.domain.search.postings import (
    Postings,
    RankingLayout,
    rare_first,
    share_nowhere,
    weight,
)
from clawgit.domain.search.question import SearchQuestion, read_question
from clawgit.domain.search.ranking import (
    GatheredMatches,
    QueryLikeness,
    Scored,
    gather,
    rank,
)
from clawgit.domain.search.ranking_standing import (
    Stood,
    behind_corrections,
    reordered,
    stood,
)
from clawgit.domain.search.ranking_weights import (
    WEIGHTS,
    Weights,
)
from clawgit.domain.search.terms import words
from tests.each import for_each

NOW = datetime(2026, 3, 18, 10, tzinfo=UTC)
TODAY = NOW.date()


class Row(NamedTuple):
    id: int
    text: str
    path: str = "memory/notes.md"
    headings: tuple[str, ...] = ()
    source: str = "memory"
    key: str = ""
    meta: Meta | None = None
    led: tuple[str, ...] = ()


class Notes:
    """Files of lines, and where their words stand."""

    def __init__(self, **files: Sequence[str]) -> None:
        self.lines = [line for lines in files.values() for line in lines]
        lengths = [len(words(line)) for line in self.lines]
        together: list[int] = []
        for lines in files.values():
            found = items("memory/x.md", "\n".join(f"- {line}" for line in lines))
            # A line without a word is no item.
            together += [*bonds(found), *[0] * (len(lines) - len(found))]
        self.layout = RankingLayout(
            lengths,
            sum(lengths) / max(len(lengths), 1),
            together,
        )

    def find(self, question: SearchQuestion) -> list[Postings]:
        found = []
        for forms in question.words:
            ids = [
                at for at, line in enumerate(self.lines) if not set(words(line)).isdisjoint(forms)
            ]
            found.append(Postings(forms[0], weight(forms[0], len(ids), len(self.lines)), ids))
        return found

    def gathered(self, text: str, weights: Weights = WEIGHTS) -> GatheredMatches:
        question = read_question(text)
        return gather(question, self.find(question), self.layout, weights)

    def ask(
        self,
        text: str,
        cosines: Mapping[int, float] | None = None,
        weights: Weights = WEIGHTS,
        mean: float = 0.0,
    ) -> list[Scored]:
        gathered = self.gathered(text, weights)
        pool = dict.fromkeys([*gathered.best(50), *(cosines or {})])
        likeness = QueryLikeness(cosines, mean) if cosines is not None else None
        texts = {item: self.lines[item] for item in pool}
        return rank(read_question(text), gathered, texts, likeness, weights)

    def order(
        self, text: str, cosines: Mapping[int, float] | None = None, weights: Weights = WEIGHTS
    ) -> list[str]:
        return [self.lines[one.id] for one in self.ask(text, cosines, weights)]


FILLER = [f"nothing of note on shelf {number}" for number in range(40)]


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    assert weight("a", 1, 1000) > weight("b", 50, 1000) > weight("c", 1000, 1000) >= 0
    assert weight("d", 0, 1000) > weight("a", 1, 1000)
    assert weight("橘橘", 0, 1000) == weight("dd", 0, 1000) / 2


def test_a_word_that_stands_nowhere_takes_as_much_of_a_question_as_the_rarest_that_does() -> None:
    for count in (4, 1000):
        once, never = weight("a", 1, count), weight("b", 0, count)
        found = [Postings("a", once, [0]), Postings("b", never)]
        assert share_nowhere(found, {"b"}, once + never, count) == pytest.approx(0.5)
        assert share_nowhere(found, (), once + never, count) == 0


def test_a_word_that_means_nearly_the_same_counts_less_than_the_word_itself() -> None:
    notes = Notes(a=["the bride left"], b=["the wedding left"], c=["the vows left"], d=FILLER)
    question = read_question("wedding")
    [found] = notes.find(question)
    near = found._replace(near=((0.9, [0]), (0.5, [2])))
    gathered = gather(question, [near], notes.layout)
    assert gathered.best(3) == [1, 0, 2]
    assert gathered.holding == {0, 1, 2}
    assert gathered.exact == {1}


def test_words_too_common_do_not_select_unless_there_are_no_others() -> None:
    assert rare_first({"a": 3, "b": 5000, "c": 0, "d": 2}) == (["d", "a"], ["b"])
    assert rare_first({"a": 7000, "b": 5000}) == (["b"], ["a"])
    assert rare_first({"a": 0}) == ([], [])


def test_the_line_with_all_words_comes_first_and_scores_near_one() -> None:
    notes = Notes(a=["the kiln burnt out"], b=["a kiln is hot"], c=["burnt toast"], d=FILLER)
    [best, *rest] = notes.ask("Which kiln burnt out?")
    assert notes.lines[best.id] == "the kiln burnt out"
    assert best.score > 0.85
    assert best.exact
    assert len(rest) == 2
    assert all(one.score < 0.75 and not one.exact for one in rest)


def test_a_turn_is_close_to_what_is_said_beside_it_and_not_across_files() -> None:
    notes = Notes(
        a=["**Bo:** who feeds the parrot?", "**Ana:** Ana does", "**Bo:** and pays"],
        b=["Ana rests"],
        c=FILLER,
    )
    assert sorted(notes.order("the parrot")) == sorted(notes.lines[:3])
    closeness = [one.parts.near[0][1] for one in sorted(notes.ask("the parrot"))]
    assert closeness == sorted(closeness, reverse=True)


def test_notes_are_independent_of_what_stands_beside_them() -> None:
    notes = Notes(a=["the crane comes", "bring a permit"], b=FILLER)
    assert notes.order("crane") == ["the crane comes"]
    labelled = Notes(a=["**Owner:** Ana has a crane", "**Due:** in May"], c=FILLER)
    assert labelled.order("crane") == ["**Owner:** Ana has a crane"]


@for_each(
    "text, is_talk",
    [
        ("- **Ready:** yes?\n", False),
        ("**Error:** no route\n**Fix:** a gateway\n**Tested:** yes\n", False),
        ("**Ana:** who has it?\n**Bo:** I have\n**Ana:** fine\n", True),
        ("- **Bo:** who pays?\n- **Bo:** and when?\n", True),
        ("user: who pays?\n", True),
    ],
)
def test_labels_are_no_talk_and_a_question_is_if_somebody_else_speaks(
    text: str, is_talk: bool
) -> None:
    assert {unpacked(bond).is_turn for bond in bonds(items("a.md", text))} == {is_talk}


def test_meaning_finds_what_shares_no_word() -> None:
    notes = Notes(a=["the dog may run again", *FILLER])
    [best, *_] = notes.ask("Is Pepper allowed exercise?", {0: 0.7, 1: 0.1, 2: 0.1}, mean=0.1)
    assert best.id == 0
    assert best.score > 0.35
    assert best.parts.cosine == 0.7


def test_the_mix_is_never_below_its_better_half() -> None:
    notes = Notes(a=["user: the kiln burnt out", "user: another oven broke"], b=FILLER)
    alone = {one.id: one.score for one in notes.ask("kiln burnt")}
    mixed = {one.id: one.score for one in notes.ask("kiln burnt", {0: -0.2, 1: 0.6})}
    assert mixed[0] == pytest.approx(alone[0])
    assert mixed[1] > alone[1]


@given(
    st.lists(
        st.lists(
            st.sampled_from(["kiln oven", "oven", "a lamp", "lamp kiln ill?", ""]), max_size=6
        ),
        max_size=4,
    ),
    st.lists(
        st.sampled_from(["kiln", "oven", "lamp", "ghost", "yesterday"]), min_size=1, max_size=4
    ),
    st.lists(st.floats(-1, 1), max_size=5),
)
def test_scores_are_shares_and_fall(
    files: list[list[str]], asked: list[str], cosines: list[float]
) -> None:
    notes = Notes(**{f"f{number}": lines for number, lines in enumerate(files)})
    like = dict(enumerate(cosines[: len(notes.lines)]))
    ranked = notes.ask(" ".join(asked), like or None)
    assert [one.score for one in ranked] == sorted((one.score for one in ranked), reverse=True)
    assert all(0 <= one.base <= 1 for one in ranked)
    assert {one.id for one in ranked} >= set(like)


# What comes after ranking.


def scored(item: int, score: float, *, exact: bool = False) -> Scored:
    return Scored(item, score, score, exact, Notes(a=["x"]).ask("x")[0].parts)


DEFAULTS = Settings()


def stand(
    rows: Sequence[Row], scores: Sequence[float], settings: Settings = DEFAULTS
) -> list[Stood]:
    return stood(
        [scored(row.id, score) for row, score in zip(rows, scores, strict=True)],
        by_id(rows),
        settings,
        TODAY,
        log_of(rows),
    )


def log_of(rows: Sequence[Row]) -> CorrectedPairs:
    """A log that has all these lines."""
    texts = [row.text.removesuffix("#correction") for row in rows]
    return corrected_pairs(
        Correction(f"k{at}", None, correct=text, status="confirmed")
        for at, text in enumerate(texts)
    )


def by_id(rows: Sequence[Row]) -> dict[int, Row]:
    return {row.id: row for row in rows}


def ids(found: Sequence[Stood]) -> list[int]:
    return [one.scored.id for one in found]


def meta(**facts: str) -> Meta:
    return Meta("kqrxpt", tuple(f"{key}={value}" for key, value in facts.items()))


def test_only_what_fits_passes_and_an_exact_hit_always() -> None:
    given_ = [
        scored(1, 0.5),
        scored(2, 0.34),
        scored(3, 0.2, exact=True),
        scored(4, 0.0, exact=True),
    ]
    assert [one.id for one in passing(given_, 0.35)] == [1, 3]
    assert passing([scored(2, 0.34)], 0.35) == []


def test_nothing_decays_unless_it_is_set_to() -> None:
    rows = [Row(1, "x", "memory/2020-01-01.md")]
    assert stand(rows, [0.5]) == [Stood(scored(1, 0.5), 0.5, ())]


def test_dated_files_fade_and_evergreen_ones_do_not() -> None:
    rows = [
        Row(1, "x", "memory/2026-02-16.md"),
        Row(2, "y", "MEMORY.md"),
        Row(3, "z", "memory/2026-03-18.md"),
    ]
    found = stand(rows, [0.8, 0.6, 0.7], Settings(half_life_days=30))
    assert [(one.scored.id, round(one.score, 3)) for one in found] == [(3, 0.7), (2, 0.6), (1, 0.4)]


def test_confidence_counts_as_of_the_day() -> None:
    rows = [
        Row(1, "x", meta=meta(conf="0.95", last="2026-03-18")),
        Row(2, "y", meta=meta(conf="0.60", last="2026-03-18")),
        Row(3, "z", meta=meta(conf="0.95", last="2024-03-18")),
        Row(4, "w"),
    ]
    scores = {one.scored.id: one.score for one in stand(rows, [0.5] * 4)}
    assert scores[1] == scores[4] == 0.5
    assert 0.4 < scores[3] < scores[2] < 0.5


def test_a_correction_counts_half_again_and_never_more_than_one() -> None:
    rows = [
        Row(1, "x", "CORRECTIONS.md", source="corrections"),
        Row(2, "y", meta=meta(src="correction")),
        Row(3, "z #correction"),
        Row(4, "w"),
    ]
    found = stand(rows, [0.4, 0.4, 0.9, 0.4], Settings(correction_relevance_boost=1.5))
    assert [round(one.score, 3) for one in found] == [1.0, 0.607, 0.6, 0.4]


@pytest.mark.parametrize("line", ["y #correction", "  Ana: “y” #correction"])
def test_a_line_that_calls_itself_a_correction_is_one_if_the_log_has_it(line: str) -> None:
    rows = {1: Row(1, line, meta=meta(src="correction"))}
    for said, earned in (("y", ["correction"]), ("x", [])):
        known = corrected_pairs([Correction("kkaaaa", None, correct=said, status="confirmed")])
        [only] = stood([scored(1, 0.4)], rows, Settings(), TODAY, known)
        assert [name for name, _ in only.standing if name == "correction"] == earned


def test_a_correction_beside_the_answer_is_no_better_for_that() -> None:
    notes = Notes(
        a=[
            "user: The office plant is a monstera #correction",
            "user: The cactus stands at home",
            "user: Nothing else",
        ]
    )
    rows = [Row(at, line) for at, line in enumerate(notes.lines)]
    found = stood(notes.ask("cactus"), by_id(rows), Settings(), TODAY, log_of(rows))
    assert ids(found)[0] == 1
    assert {one.scored.id: one.standing for one in found}[0] == ()
    [best, *_] = stood(notes.ask("monstera"), by_id(rows), Settings(), TODAY, log_of(rows))
    assert (best.scored.id, [name for name, _ in best.standing]) == (0, ["correction"])


def test_what_was_replaced_comes_after_what_replaced_it() -> None:
    rows = [
        Row(1, "old", key="aaaaaa", meta=meta(status="superseded", by="bbbbbb")),
        Row(2, "new", key="bbbbbb"),
        Row(3, "older", key="cccccc", meta=meta(status="corrected", by="aaaaaa")),
        Row(4, "else"),
    ]
    found = stand(rows, [0.9, 0.2, 1.0, 0.3])
    assert ids(found) == [4, 2, 1, 3]
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


def test_a_line_and_its_copy_in_an_archive_are_one_hit_and_the_original_is_shown() -> None:
    rows = [
        Row(1, "the  kiln", "memory/archive/2025-Q1.md", source="archive"),
        Row(2, "the kiln", "memory/2025-01-02.md"),
        Row(3, "the oven"),
    ]
    [first, second] = once(stand(rows, [0.9, 0.7, 0.8]), by_id(rows)).hits
    assert (first.scored.id, round(first.score, 2)) == (2, 0.9)
    assert second.scored.id == 3


def test_the_log_of_a_correction_gives_way_to_the_entry_that_says_so() -> None:
    rows = [
        Row(1, "Correct: Caching is done by Redis.", "CORRECTIONS.md", source="corrections"),
        Row(2, "Caching is done by Redis. #decision #correction", meta=meta(src="correction")),
    ]
    for scores in ([0.9, 0.8], [0.8, 0.9]):
        hits, under = once(stand(rows, scores), by_id(rows))
        assert ids(hits) == [2]
        assert not any(under.values()), "the log says nothing more of it"


def test_a_reranker_counts_beside_the_scores_of_the_first_and_scores_still_fall() -> None:
    found = stand([Row(number, str(number)) for number in range(4)], [0.9, 0.8, 0.7, 0.6])
    assert ids(reordered(found, [0.1, 0.2, 0.15])) == [0, 1, 2, 3]
    again = reordered(found, [0.1, 0.9, 0.9])
    assert ids(again) == [1, 2, 0, 3]
    assert [one.score for one in again] == [0.9, 0.8, 0.7, 0.6]
    assert reordered([], []) == []


def test_what_a_reranker_does_not_believe_in_or_did_not_read_is_not_likely() -> None:
    found = stand([Row(number, str(number)) for number in range(4)], [0.9, 0.8, 0.7, 0.6])
    assert likely(found, 0.35) == 4
    assert likely(reordered(found, [0.0, 0.9, 0.0]), 0.35) == 1
    assert likely(reordered(found, [0.0, 0.0, 0.0]), 0.35) == 0


@pytest.mark.parametrize(("chance", "count"), [(0.4, 0), (0.5, 1)])
def test_what_a_reranker_believes_in_is_likely_where_words_stand_nowhere(
    chance: float, count: int
) -> None:
    found = stand([Row(number, str(number)) for number in range(3)], [0.9, 0.8, 0.3])
    unsure = [hit._replace(scored=hit.scored._replace(sure=0.0)) for hit in found]
    assert likely(reordered(unsure, [chance, 0.2, 0.2]), 0.35) == count
    assert likely(reordered(unsure[2:], [chance]), 0.35) == count


def test_what_no_comment_marks_comes_behind_what_the_operator_set_right() -> None:
    told = Correction(
        "kkaaaa",
        None,
        said="The office is in Paris.",
        correct="The office is in Berlin.",
        status="confirmed",
    )
    rows = [
        Row(1, "We sat in the Paris office all day", "memory/2026-02-10.md"),
        Row(2, "The office is in Berlin. #correction", "MEMORY.md"),
        Row(3, "Correct: The office is in Berlin.", "CORRECTIONS.md", source="corrections"),
        Row(4, "Agent said: The office is in Paris.", "CORRECTIONS.md", source="corrections"),
        Row(5, "Paris is nice", "MEMORY.md"),
    ]
    found = behind_corrections(
        stand(rows, [0.9, 0.5, 0.5, 0.8, 0.2]), by_id(rows), corrected_pairs([told])
    )
    assert ids(found) == [2, 3, 1, 4, 5]
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


def test_a_fact_that_was_set_right_is_no_copy_of_the_line_that_it_was_made_of() -> None:
    made_of = f"of={content_key('The plan costs 12 euros.')}"
    rows = [
        Row(
            1, "The plan costs 15 euros.", "memory/structured/work.md", meta=meta(src="correction")
        ),
        Row(2, "The plan costs 12 euros.", "memory/2026-02-10.md", meta=meta(status="superseded")),
        Row(3, "A plan of 12 euros", "memory/structured/work.md", meta=meta()),
    ]
    facts = [
        row._replace(meta=Meta("kkaaaa", (*row.meta.facts, made_of))) if row.meta else row
        for row in rows
    ]
    assert ids(once(stand([facts[0], rows[1]], [0.9, 0.9]), by_id([facts[0], rows[1]])).hits) == [
        1,
        2,
    ]
    assert ids(once(stand([facts[2], rows[1]], [0.9, 0.9]), by_id([facts[2], rows[1]])).hits) == [2]


def test_a_correction_that_a_later_one_has_put_right_counts_for_less_than_any_line() -> None:
    first = Correction(
        "kkaaaa",
        datetime(2026, 2, 9, tzinfo=UTC),
        was="eeeeee The cache is Redis.",
        correct="The cache is Lava.",
        status="confirmed",
    )
    second = Correction(
        "kkbbbb",
        datetime(2026, 2, 10, tzinfo=UTC),
        said="The cache is Lava.",
        correct="The cache is Redis.",
        status="confirmed",
    )
    same_entry = Correction(
        "kkcccc",
        datetime(2026, 2, 11, tzinfo=UTC),
        was="eeeeee The pot is Lava.",
        correct="The pot is Tin.",
        status="confirmed",
    )
    assert overtaken([first, second]) == {"kkaaaa"}
    assert overtaken([first, same_entry]) == {"kkaaaa"}
    assert overtaken([second]) == overtaken([first, second._replace(status="open")]) == frozenset()


def test_a_correction_that_waits_counts_for_less_than_any_line() -> None:
    waits = Correction("kkaaaa", None, correct="The office is in Rome.", status="open")
    row = Row(1, "Correct: The office is in Rome.", "CORRECTIONS.md", source="corrections")
    row = row._replace(headings=("CORRECTIONS.md", "kkaaaa · 2026-02-14"))
    stood_so = stand([row], [0.4], Settings(correction_relevance_boost=1.5))
    assert stood_so[0].score == pytest.approx(0.6)
    assert behind_corrections(stood_so, by_id([row]), corrected_pairs([waits]))[
        0
    ].score == pytest.approx(0.2)


def test_the_log_of_a_correction_that_a_later_quote_disputes_counts_for_less() -> None:
    right = "The office is in Rome."
    first = Correction(
        "kkaaaa", datetime(2026, 2, 3, tzinfo=UTC), correct=right, status="confirmed"
    )
    quote = Correction(
        "kkbbbb",
        datetime(2026, 2, 9, tzinfo=UTC),
        correct="That is wrong, we are somewhere else.",
        was=f"eeeeee {right}",
        status="quoted",
    )
    assert corrected_pairs([first]).void == frozenset()
    assert corrected_pairs([first, quote]).void == {"kkaaaa", "kkbbbb"}
    confirmed_later = first._replace(time=datetime(2026, 2, 10, tzinfo=UTC))
    assert "kkaaaa" not in corrected_pairs([confirmed_later, quote]).void


def test_a_note_with_none_of_the_words_must_come_nearer_to_be_certain() -> None:
    talk = ["**Bo:** eviction", "**Bo:** what now?"]
    notes = Notes(a=["eviction policy", *FILLER], b=[*talk, *FILLER])
    found = [Postings("landlord", 3.0, [], near=[(0.9, [0, 41])])]
    question = read_question("landlord")
    ranked = rank(question, gather(question, found, notes.layout), dict(enumerate(notes.lines)))
    sure = {notes.lines[hit.id]: hit.sure for hit in ranked}
    assert sure["eviction policy"] == WEIGHTS.unsaid
    assert sure["**Bo:** eviction"] == 1.0, "the turns around it say what it is about"
    has_word = [Postings("landlord", 3.0, [0])]
    for likeness, left in ((None, 1.0), (QueryLikeness({0: 0.4}), WEIGHTS.unsaid)):
        gathered = gather(question, has_word, notes.layout)
        (said, *_) = rank(question, gathered, {0: notes.lines[0]}, likeness)
        assert said.sure == left, "meaning adds to every score, so it has to be higher"
    hit = scored(0, 0.4)._replace(sure=WEIGHTS.unsaid)
    assert passing([hit], 0.35) == [hit], "it is shown"
    assert not is_likely(hit, 0.35)
    assert likely([Stood(hit, 0.4)], 0.35) == 0
    assert reaching([Stood(hit, 0.4)], 0.35) == 1
