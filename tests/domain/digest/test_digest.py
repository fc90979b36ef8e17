"""The growth digest: what is left of a week of commits, and two pages that hostile lines cannot
break."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from itertools import count
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from clawgit.domain.change.history import Commit, parse_message
from clawgit.domain.claims.conflicts import conflicts
from clawgit.domain.corrections.corrections import corrections
from clawgit.domain.digest.digest import (
    Digest,
    DigestCommit,
    DigestSection,
    learned,
)
from clawgit.domain.digest.words import MOST, markdown
from clawgit.domain.soul.changelog import IdentityChange
from clawgit.domain.soul.soul import section_changes

BEGIN = datetime(2026, 2, 9, tzinfo=UTC)
END = BEGIN + timedelta(days=7)
_NUMBERS = count(1)
_HEAD = "# Memory\n\n"
_PARIS = (
    "- The office is in Paris. #knowledge <!-- claw:m7k2q9 conf=0.60 n=1 first=2026-02-01 "
    "last=2026-02-01 -->\n"
)
_HOSTILE = (
    "<script>alert(1)</script> [x](javascript:alert(1)) ![](http://e.org/p) `</style>` "
    "<!-- hi --> \u202etxt.exe"
)


def step(
    *changes: tuple[str, str, str], op: str = "memory-miner/mine", day: int = 1
) -> DigestCommit:
    """A commit that turns each file from one text into another."""
    number = next(_NUMBERS)
    ident = "".join("klmnopqrstuvwxyz"[number >> shift & 15] for shift in range(28, -4, -4))
    trailers = (
        f"Clawgit-Id: {ident}\nClawgit-Op: {op}\nEvidence: chat:main/m1\n"
        if op
        else "Nothing: else\n"
    )
    message = parse_message(f"do something\n\nIt was said.\n\n{trailers}")
    commit = Commit(f"{number:040x}", ("0" * 40,), BEGIN + timedelta(days=day), "Olga", message)
    before, after = ([(path, texts[side]) for path, *texts in changes] for side in (0, 1))
    return DigestCommit(commit, tuple(before), tuple(after))


def told(*steps: DigestCommit, **more: Any) -> Digest:
    empty: dict[str, Any] = {"soul": (), "corrections": (), "open_conflicts": ()}
    made = {**empty, "learned": learned(steps), **more}
    return Digest(agent="main", since=BEGIN, until=END, **made)


def rows(*steps: DigestCommit) -> list[tuple[str, str, str]]:
    """Kind, text and former text of each entry that is not as it was."""
    return [(one.kind, one.text.partition(" #")[0], one.was) for one in learned(steps)]


def note(before: str, after: str, path: str = "MEMORY.md", **more: object) -> DigestCommit:
    return step((path, _HEAD + before, _HEAD + after), **more)  # type: ignore[arg-type]


def test_an_entry_is_told_once_however_often_it_changed() -> None:
    more = _PARIS.replace("n=1", "n=2")
    most = _PARIS.replace("n=1", "n=3")
    assert rows(note("", _PARIS), note(_PARIS, more), note(more, most)) == [
        ("added", "The office is in Paris.", "")
    ]
    assert rows(note(_PARIS, more), note(more, most)) == []


def test_what_came_and_went_or_was_undone_is_left_out() -> None:
    assert rows(note("", _PARIS), note(_PARIS, "- Met Bob. #event\n")) == [
        ("added", "Met Bob.", "")
    ]
    lyon = _PARIS.replace("Paris", "Lyon")
    assert rows(note(_PARIS, lyon), note(lyon, _PARIS, op="operator/undo")) == []
    assert rows(note(_PARIS, ""), note("", _PARIS, op="operator/undo")) == []


def test_a_correction_says_what_stood_there_before() -> None:
    berlin = _PARIS.replace(
        "Paris. #knowledge", "Berlin. #knowledge #correction <!-- was: The office is in Paris. -->"
    )
    assert rows(note(_PARIS, berlin)) == [
        ("corrected", "The office is in Berlin.", "The office is in Paris.")
    ]


def test_status_new_words_and_removal_have_their_kinds() -> None:
    old = _PARIS.replace("n=1", "status=superseded n=1")
    lyon = _PARIS.replace("Paris", "Lyon")
    assert [kind for kind, *_ in rows(note(_PARIS, old))] == ["superseded"]
    assert rows(note(_PARIS, lyon))[0][0::2] == (
        "added",
        "The office is in Paris. #knowledge",
    )
    assert [kind for kind, *_ in rows(note(_PARIS, ""))] == ["removed"]


def test_a_fact_that_goes_to_another_file_or_is_given_an_id_is_no_news() -> None:
    away, there = (
        ("memory/2026-02-10.md", _HEAD + _PARIS, _HEAD),
        ("MEMORY.md", _HEAD, _HEAD + _PARIS),
    )
    assert rows(step(away, there)) == rows(step(away), step(there)) == []
    assert rows(note("- The office is in Paris. #knowledge\n", _PARIS)) == []


def test_what_the_compactor_takes_away_is_not_gone() -> None:
    day = ("memory/2026-01-02.md", _HEAD + _PARIS + "- Met Bob. #event\n", "")
    assert told(step(day, op="memory-compactor/compact")).is_quiet


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, tuple[str | None, ...]]] = []
        self.words = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(
            (tag, tuple(value for name, value in attrs if name in ("href", "src", "onclick")))
        )

    def handle_data(self, data: str) -> None:
        self.words += data


def _hostile(text: str) -> Digest:
    """One that says `text` wherever somebody else's words can stand."""
    soul = section_changes("# Soul\n\n- a b c d\n", f"# Soul\n\n- a b c {text}\n")
    change = IdentityChange("k1", BEGIN, text, text, (("SOUL.md", soul),), text, (text,))
    found = told(
        step((f"memory/{text}.md", _HEAD, f"{_HEAD}- {text}\n")),
        note("", f"- {text}\n", op=""),
        soul=(change,),
        corrections=tuple(corrections(f"## c1 · x\n\n- Agent said: {text}\n- Correct: {text}\n")),
        open_conflicts=tuple(
            conflicts(f"## k1 · x\n\n- A: {text}\n- B: {text}\n- Outcome: flagged {text}\n")
        ),
        sections=(DigestSection(text, (text,)),),
    )
    return replace(found, agent=text)


@given(
    st.one_of(st.just(_HOSTILE), st.text(max_size=60).map(lambda text: f"{text} {_HOSTILE[:60]}"))
)
def test_nothing_that_a_file_says_becomes_markup(text: str) -> None:
    rendered = _Tags()
    rendered.feed(MarkdownIt("commonmark").render(markdown(_hostile(text))))
    assert {tag for tag, _ in rendered.seen} <= {
        "h1",
        "h2",
        "h3",
        "p",
        "ul",
        "li",
        "code",
        "strong",
    }


def test_a_digest_shows_so_many_rows_and_says_how_many_more_there_are() -> None:
    found = told(note("", "".join(f"- Fact {n}. #event\n" for n in range(MOST + 3))))
    assert markdown(found).count("- Fact ") == MOST
    assert "and 3 more" in markdown(found)
    assert len(found.learned) == MOST + 3


def test_a_quiet_week_says_so() -> None:
    assert "Nothing was learned" in markdown(told())
    assert told().is_quiet
