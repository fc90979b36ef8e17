import sqlite3
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from clawgit.core.markdown.item import items
from clawgit.language.terms import indexed, is_word, words
from clawgit.language.tokens import simplified
from clawgit.search.rules.row import as_corrections, as_talk, correction_of, speaker
from tests.each import for_each
from tests.strategies import ANY_TEXT

TEXT = st.one_of(
    ANY_TEXT, st.text(max_size=40), st.text(st.sampled_from("aZ9_ é記가ก'\"*-"), max_size=20)
)


def by_sqlite(text: str) -> list[str]:
    with sqlite3.connect(":memory:") as db:
        db.execute("CREATE VIRTUAL TABLE found USING fts5(words, tokenize='ascii')")
        db.execute("CREATE VIRTUAL TABLE tokens USING fts5vocab('found', 'instance')")
        db.execute("INSERT INTO found VALUES (?)", (text,))
        tokens = [row[0] for row in db.execute("SELECT term FROM tokens ORDER BY offset")]
    db.close()
    return tokens


@given(TEXT)
def test_sqlite_cuts_what_is_indexed_into_the_very_words(text: str) -> None:
    assert by_sqlite(indexed(text)) == words(simplified(text))


@for_each("text", ["", 'quo"te', "star*", "("])
def test_what_could_mean_more_than_itself_is_no_word(text: str) -> None:
    assert not is_word(text)


# Which lines are turns of a conversation, and who says them.


@for_each(
    "text, is_talk",
    [
        ("- **Ready:** yes?\n", False),
        ("**Error:** no route\n\n**Fix:** a gateway\n\n**Tested:** yes\n", False),
        ("**Ana:** who has it?\n\n**Bo:** I have\n\n**Ana:** fine\n\n**Ana:** so\n", True),
        ("**Ana:** a plumber\n\n**Ana:** a painter\n\n" + "Costs.\n\n" * 9, False),
        ("user: who pays?\n", True),
        ("**Assistant**: Bo pays.\n", True),
    ],
)
def test_names_are_speakers_where_most_lines_have_them_and_roles_everywhere(
    text: str, is_talk: bool
) -> None:
    found = [*as_talk(items("memory/a.md", text))]
    assert any(item.kind == "turn" for item in found) == is_talk


@for_each(
    "text, name",
    [
        ("**Ana:** yes", "Ana"),
        ("- **Ana Ruiz**: yes", "Ana Ruiz"),
        ("user: yes", "user"),
        ("Assistant: yes", "Assistant"),
        ("note: yes", ""),
        ("**bold** yes", ""),
        ("", ""),
        ("*" * 9_999, ""),
    ],
)
def test_the_speaker_is_the_name_before_a_turn(text: str, name: str) -> None:
    assert speaker(text) == name


# Of the log of corrections only what is right is searched, and what somebody else has in it.


LOG = """\
# Corrections

## kkaaaa · 2026-02-12T10:00:00+00:00

- Trigger: judge
- Operator said: No, the ferry costs nine.
- Agent said: As I have it:
  - The ferry costs eight euros.
  - Correct: so it was noted.
- **Correct:** The ferry costs
  nine euros.
- Was: e1 The boat costs eight.
- Status: confirmed

## kkaaaa · 2026-02-13T10:00:00+00:00

- Operator said: The ferry is late.
- Correct:
- Status: open

## kkbbbb · 2026-02-14

Operator said: It is red.
Correct: The ferry is red.
Status: confirmed

## kkcccc · 2026-02-15

### By hand

- Correct: The buoy is green.
- Status: confirmed

## kkdddd · 2026-02-16

- Operator said: The ferry is pink.
- Correct: The ferry is pink.
- Status: dismissed

## kkeeee · 2026-02-17

Ask Bo about this one.

- Correct: The ferry is black, an agent says.
- Was: e2 The ferry is red.
- Status: quoted

## Lessons · from May

- Read the timetable.
"""


@for_each("newline", ["\n", "\r\n"])
def test_of_a_correction_only_what_is_right_is_searched(newline: str) -> None:
    text = LOG.replace("\n", newline)
    found = [*as_corrections(as_talk(items("CORRECTIONS.md", text)), text)]
    assert [(item.line, item.end_line, " ".join(item.text.split())) for item in found] == [
        (10, 11, "The ferry costs nine euros."),
        (17, 17, "The ferry is late."),
        (23, 25, "The ferry is red."),
        (31, 31, "The buoy is green."),
        (50, 50, "Read the timetable."),
    ]
    # It is found by what it is said instead of; what is above it ends with the correction.
    assert found[0].headings[1] == "not: The boat costs eight."
    assert correction_of(found[3]) == "kkcccc"


def test_a_correction_is_found_by_all_that_was_once_right_in_its_place() -> None:
    # The fourth is right again; what the fifth says of it binds nobody.
    values = ["Lyon", "Nice", "Cannes", "Lyon", "Rome"]
    text = "".join(
        f"## kk{at} · 2026-02-1{at}\n\n- Correct: She is in {new}.\n- Was: e1 She is in {old}.\n"
        f"- Status: {'quoted' if new == 'Rome' else 'confirmed'}\n- Operator said: {new}\n\n"
        for at, (old, new) in enumerate(pairwise(values))
    )
    found = as_corrections(items("CORRECTIONS.md", text), text)
    assert [item.headings[:-1] for item in found] == [
        ("not: She is in Lyon.",),
        ("not: She is in Nice. / She is in Lyon.",),
        ("not: She is in Cannes. / She is in Nice.",),
        (),
    ]
