"""Which of a few texts have the words of a question, best first, by SQLite in memory."""

from collections.abc import Sequence
from contextlib import closing

from clawgit.domain.search.terms import indexed, is_word, joined, queried
from clawgit.stores.database import opened

_MOST_WORDS = 40


def ranked(texts: Sequence[str], query: str) -> list[int]:
    """The places of the texts with any of the words; none if the question has no word."""
    words = [word for word in queried(joined(query)) if is_word(word)][:_MOST_WORDS]
    if not words:
        return []
    rows = enumerate(map(indexed, texts))
    match = " OR ".join(f'"{word}"' for word in words)
    with closing(opened(":memory:")) as db:
        db.execute("CREATE VIRTUAL TABLE t USING fts5 (words, tokenize = 'porter ascii')")
        db.executemany("INSERT INTO t (rowid, words) VALUES (?, ?)", rows)
        found = db.execute("SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank, rowid", (match,))
        return [at for (at,) in found]
