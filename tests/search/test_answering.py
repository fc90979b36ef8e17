"""From a question to its lines: candidates, the reader, standing, and the order of the scores."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime

import numpy as np
import pytest

from clawgit.core.config.settings import Settings
from clawgit.search import asked
from clawgit.search.answering import CERTAIN, OF_DAY, Found, Memory, answer
from clawgit.search.index.index import Index, of_texts
from clawgit.search.rules.question import days_named
from clawgit.search.rules.standing import Corrected
from clawgit.search.side import Side

TODAY = date(2026, 3, 18)
DEFAULTS = Settings()


class Reading:
    """A reader that gives each text a chance, another to texts with some words, and notes what it
    reads.
    """

    def __init__(self, chance: float, **by_word: float) -> None:
        self._chance, self._by_word = chance, by_word
        self.texts: list[str] = []

    def __call__(self, _question: str, texts: Sequence[str]) -> list[float]:
        self.texts += texts
        return [
            next((it for word, it in self._by_word.items() if word in text), self._chance)
            for text in texts
        ]


def lines(*texts: str) -> str:
    return "".join(f"- {text}\n" for text in texts)


def near_to(index: Index, cosines: Mapping[str, float]) -> Side:
    """A side on which lines with these parts are near to any question."""
    ids = [ident for file in index.files() for ident in file.ids]
    found = [
        max((near for part, near in cosines.items() if part in row.text), default=0.01)
        for row in index.rows(ids)
    ]
    return Side(np.array(found, np.float32).__getitem__, np.array(ids, np.int32))


def ask(
    question: str,
    files: Mapping[str, str],
    *,
    near: Mapping[str, float] | None = None,
    reader: Reading | None = None,
    rules: Settings = DEFAULTS,
    right: Sequence[str] = (),
) -> list[Found]:
    index = of_texts(files)
    side = near_to(index, near) if near else Side()
    memory = Memory(index, rules, TODAY, side, reader, lambda: Corrected(right))
    found = answer(asked.read(question, index), memory)
    scores = [one.score for one in found]
    assert scores == sorted(scores, reverse=True), "the order is the score"
    assert all(0 <= score <= 1 for score in scores)
    return found


def texts(found: Sequence[Found]) -> list[str]:
    return [one.row.text for one in found]


NOTES = "memory/notes.md"
FILLER = lines(*(f"nothing of note on shelf {number}" for number in range(40)))


def test_a_line_is_found_by_its_words_or_by_its_meaning() -> None:
    files = {NOTES: lines("the kiln burnt out", "Pepper may run again") + FILLER}
    assert texts(ask("which kiln burnt out", files)) == ["the kiln burnt out"]
    assert texts(ask("is the dog allowed exercise", files)) == []
    found = ask("is the dog allowed exercise", files, near={"Pepper": 0.9})
    assert texts(found)[0] == "Pepper may run again"


@pytest.mark.parametrize("chance", [0.1, CERTAIN])
def test_a_reader_reads_twenty_lines_at_most_and_fewer_where_it_is_certain(chance: float) -> None:
    worded = (f"the kiln on shelf {number} burnt" for number in range(60))
    meant = (f"an oven numbered {number}" for number in range(60))
    reader, files = Reading(chance), {NOTES: lines(*worded, *meant)}
    found = ask("which kiln burnt out", files, near={"an oven": 0.8}, reader=reader)
    assert len(reader.texts) == len({*reader.texts}) == (20 if chance < CERTAIN else 8)
    unread = [one.score for one in found if one.chance is None]
    assert unread
    assert max(unread) < min(one.score for one in found if one.chance is not None)


def test_what_the_operator_put_right_is_read_though_another_line_answers_for_certain() -> None:
    files = {NOTES: lines(*(f"the kiln on shelf {number} burnt out" for number in range(20)))}
    right = "the kiln did not burn #correction <!-- claw:m7k2q9 c=1 src=correction -->"
    files["MEMORY.md"] = lines(right)
    reader = Reading(CERTAIN)
    ask("which kiln burnt out", files, reader=reader, right=("the kiln did not burn",))
    assert any("did not" in text for text in reader.texts)


def test_the_reader_decides_between_lines_with_the_same_words() -> None:
    files = {NOTES: lines("the kiln is a kiln", "the kiln burnt, the kiln") + FILLER}
    reader = Reading(0.1, burnt=0.9)
    first, *_ = ask("is the kiln hot", files, reader=reader)
    assert (first.row.text, first.chance) == ("the kiln burnt, the kiln", 0.9)


@pytest.mark.parametrize(
    "question", ["on which port does Postgres run", "where is the big elephant running"]
)
def test_a_thing_is_found_by_each_of_its_names_as_a_whole(question: str) -> None:
    named = "Postgres (aka PG, big elephant): port 5433"
    others = (f"we run an elephant, which is big, on port {port}" for port in range(9))
    reader = Reading(0.1)
    found = ask(question, {NOTES: lines(named, *others)}, reader=reader)
    assert (found[0].row.text, found[0].fits, reader.texts) == (named, 1, [])


TALK = """\
**Ana:** Who will feed the parrot in July?

**Bo:** Most likely Cem, again.

**Ana:** Thanks a lot.

**Bo:** It will be dry at noon.

**Bo:** The rain stops at noon.

**Bo:** It rained all day.

**Bo:** A train at ten.

**Ana:** The parrot is green.
"""


def test_an_answer_is_found_by_the_question_before_it_and_not_across_files() -> None:
    found = ask("who feeds the parrot", {NOTES: TALK, "memory/other.md": "- Cem rests\n" + FILLER})
    by_text = {one.row.text: one.score for one in found}
    assert by_text["**Bo:** Most likely Cem, again."] > by_text["**Ana:** Thanks a lot."]
    assert "**Bo:** The rain stops at noon." not in by_text
    assert "Cem rests" not in by_text
    notes = lines("who will feed the parrot", "most likely Cem")
    assert texts(ask("who feeds the parrot", {NOTES: notes + FILLER})) == [
        "who will feed the parrot"
    ]


def test_whom_the_question_names_is_heard_first_and_who_only_asks_last() -> None:
    said = ("**Bo:** The parrot is loud.", "**Ana:** The parrot is loud now.")
    asks = "**Cem:** Is the parrot loud?"
    talk = "\n\nYes.\n\n".join((*said, asks, *(f"**{name}:** So." for name in ("Bo", "Ana") * 3)))
    found = texts(ask("what did Ana say of the loud parrot", {NOTES: talk}))
    assert found.index(said[1]) < found.index(said[0])
    assert found.index(said[0]) < found.index(asks)


def test_what_was_kept_comes_before_a_saved_session_that_says_it_otherwise() -> None:
    session = "- **User:** the boiler code is 4711, I think\n- **Assistant:** Noted.\n"
    files = {"memory/a.md": session, "notes.md": "- the boiler has the code 4711 now\n"}
    assert ask("boiler code", files)[0].row.path == "notes.md"


def test_a_line_of_the_day_that_a_question_names_comes_first() -> None:
    files = {f"memory/2026-03-{day}.md": f"- the kiln, load {day}\n" for day in (12, 14, 16)}
    index, question = of_texts(files), "what was in the kiln on 14 March"
    days = days_named(question, datetime(2026, 3, 18, tzinfo=UTC))
    assert days is not None
    memory = Memory(index, DEFAULTS, TODAY, favoured=(("day", OF_DAY, days.holds),))
    first, *others = answer(asked.read(question, index), memory)
    assert first.row.path == "memory/2026-03-14.md"
    assert dict(first.standing)["day"] > 1
    assert len(others) == 2
