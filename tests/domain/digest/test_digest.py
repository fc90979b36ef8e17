"""The growth digest: what is left of a week of commits, and two pages that hostile lines cannot
break."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from clawgit.domain.change.history import Commit, parse_message
from clawgit.domain.digest.digest import (
    Digest,
    DigestCommit,
    DigestSection,
    FileChange,
    digest,
)
from clawgit.domain.digest.words import MOST, markdown

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
    *changes: tuple[str, str, str], op: str = "memory-miner/mine", parents: int = 1, day: int = 1
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
    commit = Commit(
        f"{number:040x}", ("0" * 40,) * parents, BEGIN + timedelta(days=day), "Olga", message
    )
    return DigestCommit(commit, tuple(FileChange(*one) for one in changes))


def told(
    *steps: DigestCommit, flagged: str = "", sections: tuple[DigestSection, ...] = ()
) -> Digest:
    return digest("main", steps, BEGIN, END, flagged, sections)


def learned(*steps: DigestCommit) -> list[tuple[str, str, str]]:
    """Kind, text and former text of each entry that is not as it was."""
    found = told(*steps)
    return [(one.kind, one.text.partition(" #")[0], one.was) for one in found.learned]


def note(before: str, after: str, path: str = "MEMORY.md", **more: object) -> DigestCommit:
    return step((path, _HEAD + before, _HEAD + after), **more)  # type: ignore[arg-type]


def test_an_entry_is_told_once_however_often_it_changed() -> None:
    more = _PARIS.replace("n=1", "n=2")
    most = _PARIS.replace("n=1", "n=3")
    assert learned(note("", _PARIS), note(_PARIS, more), note(more, most)) == [
        ("added", "The office is in Paris.", "")
    ]
    assert learned(note(_PARIS, more), note(more, most)) == [
        ("merged", "The office is in Paris.", "")
    ]


def test_what_came_and_went_or_was_undone_is_left_out() -> None:
    assert learned(note("", _PARIS), note(_PARIS, "- Met Bob. #event\n")) == [
        ("added", "Met Bob.", "")
    ]
    lyon = _PARIS.replace("Paris", "Lyon")
    assert learned(note(_PARIS, lyon), note(lyon, _PARIS, op="operator/undo")) == []
    assert learned(note(_PARIS, ""), note("", _PARIS, op="operator/undo")) == []


def test_a_correction_says_what_stood_there_before() -> None:
    berlin = _PARIS.replace(
        "Paris. #knowledge", "Berlin. #knowledge #correction <!-- was: The office is in Paris. -->"
    )
    assert learned(note(_PARIS, berlin)) == [
        ("corrected", "The office is in Berlin.", "The office is in Paris.")
    ]


def test_status_rewording_and_removal_have_their_kinds() -> None:
    old = _PARIS.replace("n=1", "status=superseded n=1")
    lyon = _PARIS.replace("Paris", "Lyon")
    assert [kind for kind, *_ in learned(note(_PARIS, old))] == ["superseded"]
    assert learned(note(_PARIS, lyon))[0][0::2] == (
        "reworded",
        "The office is in Paris. #knowledge",
    )
    assert [kind for kind, *_ in learned(note(_PARIS, ""))] == ["removed"]


def test_a_fact_that_goes_to_another_file_was_moved_by_one_commit_or_by_two() -> None:
    away, there = (
        ("memory/2026-02-10.md", _HEAD + _PARIS, _HEAD),
        ("MEMORY.md", _HEAD, _HEAD + _PARIS),
    )
    assert [kind for kind, *_ in learned(step(away, there))] == ["moved"]
    assert [kind for kind, *_ in learned(step(away), step(there))] == ["moved"]


def test_what_the_compactor_takes_away_is_not_gone() -> None:
    log = ("COMPACTION_LOG.md", "", "# COMPACTION_LOG.md\n\n## kx · now\n\n- gone\n")
    day = ("memory/2026-01-02.md", _HEAD + _PARIS + "- Met Bob. #event\n", "")
    assert told(step(day, log, op="memory-compactor/compact")).is_quiet


def test_the_beginning_of_history_and_merges_are_nothing_new() -> None:
    assert learned(note("", _PARIS, parents=0), note("", _PARIS, parents=2)) == []


def test_a_soul_change_says_why_and_how_to_take_it_back() -> None:
    [change] = told(
        step(("SOUL.md", "# Soul\n\n- Be kind.\n", "# Soul\n\n- Be kind.\n- Be brief.\n"))
    ).soul
    assert change.what == ("added: Be brief.",)
    assert (change.why, change.evidence) == ("It was said.", ("chat:main/m1",))
    assert change.take_back == f"clawgit soul revert {change.commit}"


def test_corrections_and_conflicts_are_told_when_they_come_and_end() -> None:
    section = (
        "## c1 · 2026-02-10T09:00:00+00:00\n\n- Agent said: Paris\n- Correct: Berlin\n- "
        "Status: applied\n"
    )
    flagged = (
        "## kx2 · 2026-02-10T09:00:00+00:00\n\n- A: Paris.\n- B: Lyon.\n- Rule: newer\n- "
        "Outcome: flagged\n"
    )
    ended = flagged.replace("flagged", "A wins")
    found = told(
        step(("CORRECTIONS.md", "", section)),
        step(("CONFLICTS.md", flagged, ended)),
        flagged=flagged.replace("kx2", "kx3"),
    )
    assert [(one.said, one.correct) for one in found.corrections] == [("Paris", "Berlin")]
    assert [one.id for one in found.open_conflicts] == ["kx3"]


@pytest.mark.parametrize("status", ["open", "quoted"])
def test_what_is_not_settled_is_no_correction_until_it_is_answered(status: str) -> None:
    asked = (
        "## c1 · 2026-02-10T09:00:00+00:00\n\n- Agent said: Paris\n- Correct: Berlin\n"
        f"- Status: {status}\n"
    )
    answered = asked.replace(status, "confirmed")
    found = told(step(("CORRECTIONS.md", "", asked)))
    assert (len(found.asked), found.set_right) == (1, ())
    page = markdown(told(step(("CORRECTIONS.md", "", asked))))
    assert "Corrected by the operator" not in page
    assert "1 open question" in page
    assert "“Berlin”, or “Paris” (c1)" in page
    for steps in (
        [step(("CORRECTIONS.md", "", asked)), step(("CORRECTIONS.md", asked, answered))],
        [step(("CORRECTIONS.md", asked, answered))],
    ):
        found = told(*steps)
        assert [one.status for one in found.set_right] == ["confirmed"]
        assert found.asked == ()


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
    found = told(
        step((f"memory/{text}.md", _HEAD, f"{_HEAD}- {text}\n")),
        step(("SOUL.md", "# Soul\n\n- a b c d\n", f"# Soul\n\n- a b c {text}\n")),
        step(("CORRECTIONS.md", "", f"## c1 · x\n\n- Agent said: {text}\n- Correct: {text}\n")),
        note("", f"- {text}\n", op=""),
        flagged=f"## k1 · x\n\n- A: {text}\n- B: {text}\n- Outcome: flagged {text}\n",
        sections=(DigestSection(text, (text,)),),
    )
    return replace(found, agent=text)


@given(
    st.one_of(st.just(_HOSTILE), st.text(max_size=60).map(lambda text: f"{text} {_HOSTILE[:60]}"))
)
def test_nothing_that_a_file_says_becomes_markup(text: str) -> None:
    rendered = _Tags()
    rendered.feed(MarkdownIt("commonmark").render(markdown(_hostile(text))))
    assert {tag for tag, _ in rendered.seen} <= {"h1", "h2", "h3", "p", "ul", "li", "code"}


def test_a_digest_shows_so_many_rows_and_says_how_many_more_there_are() -> None:
    found = told(note("", "".join(f"- Fact {n}. #event\n" for n in range(MOST + 3))))
    assert markdown(found).count("- Fact ") == MOST
    assert "and 3 more" in markdown(found)
    assert len(found.learned) == MOST + 3


def test_a_quiet_week_says_so() -> None:
    assert "Nothing was learned" in markdown(told())
    assert told().is_quiet
