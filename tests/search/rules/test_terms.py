import sqlite3

from hypothesis import given
from hypothesis import strategies as st

from clawgit.language.tokens import simplified
from clawgit.search.rules.terms import indexed, is_word, words
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
