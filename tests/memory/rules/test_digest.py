"""The growth digest: what is left of a week of commits, and two pages that hostile lines cannot
break."""

from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from clawgit.memory.rules.conflict_log import conflicts
from clawgit.memory.upkeep import DigestSection
from clawgit.run.digest import MOST, Digest, learned, markdown
from clawgit.soul.rules.changelog import IdentityChange
from clawgit.soul.rules.soul import section_changes
from clawgit.talk.rules.corrections import corrections

BEGIN = datetime(2026, 2, 9, tzinfo=UTC)
END = BEGIN + timedelta(days=7)
_HEAD = "# Memory\n\n"
_PARIS = (
    "- The office is in Paris. #knowledge <!-- claw:m7k2q9 conf=0.60 n=1 first=2026-02-01 "
    "last=2026-02-01 -->\n"
)
_HOSTILE = (
    "<script>alert(1)</script> [x](javascript:alert(1)) ![](http://e.org/p) `</style>` "
    "<!-- hi --> \u202etxt.exe"
)


def told(before: str = "", after: str = "", **more: Any) -> Digest:
    empty: dict[str, Any] = {"soul": (), "corrections": (), "open_conflicts": ()}
    found = learned([("MEMORY.md", before)], [("MEMORY.md", after)])
    return Digest(agent="main", since=BEGIN, until=END, **{**empty, "learned": found, **more})


def rows(before: str, after: str) -> list[tuple[str, str, str]]:
    """Kind, text and former text of each entry that is not as it was."""
    found = told(_HEAD + before, _HEAD + after).learned
    return [(one.kind, one.text.partition(" #")[0], one.was) for one in found]


def test_what_is_new_and_what_is_gone_is_told_and_a_mention_is_not() -> None:
    added = [("added", "The office is in Paris.", "")]
    assert rows("", _PARIS) == added
    assert rows(_PARIS, _PARIS.replace("n=1", "n=2")) == []
    assert rows("- Met Bob. #event\n", _PARIS) == [*added, ("removed", "Met Bob.", "")]


def test_a_correction_a_status_and_new_words_have_their_kinds_and_say_what_stood_there() -> None:
    was = "The office is in Paris."
    berlin = _PARIS.replace("Paris. #knowledge", f"Berlin. #correction <!-- was: {was} -->")
    assert rows(_PARIS, berlin) == [("corrected", "The office is in Berlin.", was)]
    old = _PARIS.replace("n=1", "status=superseded n=1")
    assert [kind for kind, *_ in rows(_PARIS, old)] == ["superseded"]
    lyon = _PARIS.replace("Paris", "Lyon")
    assert rows(_PARIS, lyon) == [("added", "The office is in Lyon.", "The office is in Paris.")]


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002 - no tag has any
        self.seen.add(tag)


def _hostile(text: str) -> Digest:
    """One that says `text` wherever somebody else's words can stand."""
    soul = section_changes("# Soul\n\n- a b c d\n", f"# Soul\n\n- a b c {text}\n")
    change = IdentityChange("k1", BEGIN, text, text, (("SOUL.md", soul),), text, (text,))
    corrected = f"## c1 · x\n\n- Agent said: {text}\n- Correct: {text}\n"
    disputed = f"## k1 · x\n\n- A: {text}\n- B: {text}\n- Outcome: flagged {text}\n"
    found = told(
        learned=learned([], [(f"memory/{text}.md", f"{_HEAD}- {text}\n")]),
        soul=(change,),
        corrections=tuple(corrections(corrected)),
        open_conflicts=tuple(conflicts(disputed)),
        sections=(DigestSection(text, (text,)),),
    )
    return found._replace(agent=text)


_AROUND = st.text(max_size=60).map(lambda text: f"{text} {_HOSTILE[:60]}")


@given(st.one_of(st.just(_HOSTILE), _AROUND))
def test_nothing_that_a_file_says_becomes_markup(text: str) -> None:
    rendered = _Tags()
    rendered.feed(MarkdownIt("commonmark").render(markdown(_hostile(text))))
    assert rendered.seen <= {"h1", "h2", "h3", "p", "ul", "li", "code", "strong"}


def test_a_digest_shows_so_many_rows_and_says_how_many_more_there_are() -> None:
    found = told(after="".join(f"- Fact {n}. #event\n" for n in range(MOST + 3)))
    assert markdown(found).count("- Fact ") == MOST
    assert "and 3 more" in markdown(found)
    assert len(found.learned) == MOST + 3
