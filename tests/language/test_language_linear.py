"""Whatever the text, each reader passes it once: sizes here would not end if one of them looked
back each time."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime

import pytest

from clawgit.language.clauses import core, needs_speaker, negations, sentences
from clawgit.language.days import bracket
from clawgit.language.lexicon import content_words
from clawgit.language.tokens import tokens
from clawgit.talk.rules.kept_line import bears, kept, line
from tests.each import for_each
from tests.long_form import LONG_FORM

SAID = datetime(2026, 11, 18, 10, tzinfo=UTC)
SIZES = [1_600, pytest.param(100_000, marks=LONG_FORM)]
PIECES = {
    "no punctuation": "then the red van of lars drove up to malmö ",
    "mixed scripts": "the 会议 ist mañana で 내일 i guess ",
    "all code": "for (int i = 0; i < n; i++) { a[i] = b.c(i); } ",
    "ticks": "`a ``b ```c ",
    "stops": "....!!!???",
    "one word": "a",
    "groups": "1,000,",
    "han": "一二三万会议",
    "hangul": "월요일에",
    "months": "3 March 4 May 2026 ",
    "bullets": "- > # 1. * ",
    "comments": "<!-- a -->",
    "opened comments": "<!-- ",
    "addresses": "a@a.b/c@d ",
    "tags": " #event",
    "brackets": " (2026-11-18)",
    "lead-ins": "please, remember that, ",
    "apostrophes": "a'",
    "rows": "| a | b |\n",
    "fences": "```\n",
    "honorifics": "さん",
    "one code": "a-1-",
}
END = "\n\nmy aunt, Ingrid Berg of Malmö, does not owe 17 euros tomorrow.\n"
"""Each reader finds something in it, whatever stands before it."""

READERS: tuple[Callable[[str], object], ...] = (
    tokens, sentences, negations, core, content_words,
)  # fmt: skip


@pytest.mark.parametrize("size", SIZES)
@for_each("piece", PIECES.values())
def test_a_long_text_is_passed_once(piece: str, size: int) -> None:
    before = piece * (size // len(piece))
    text = before + END
    for read in READERS:
        assert _all(read(text)) != _all(read(before)), read
    assert needs_speaker(text)
    assert bracket(text, SAID) != ""
    assert bears(text, line(kept(text, "Marta", SAID)))


def _all(found: object) -> list[object]:
    return [*found] if isinstance(found, Iterable) else [found]
