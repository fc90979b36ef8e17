"""What leaves the comments of entries when a change touches them, and what history has of it."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.change.actors import AGENT
from clawgit.domain.change.history import Intent, parse_message, render_message
from clawgit.domain.facts.past import (
    EntryPast,
    Shortener,
    gathered,
    recalled,
    shortened,
)
from clawgit.domain.markdown.comment import Meta
from clawgit.domain.markdown.entry import entries
from tests.domain.markdown.test_comment import facts, in_full, told
from tests.each import for_each

LONG = "conf=0.95 n=2 first=2026-02-14 last=2026-03-01 src=explicit ev=chat:1 ev=memory/a.md#L9"
TEA = f"- Tea at five. #event <!-- claw:m7k2q9 {LONG} -->\n"
COFFEE = TEA.replace("Tea", "Coffee").replace("m7k2q9", "abc234")


def short(before: str, after: str) -> tuple[str, tuple[str, ...]]:
    done = Shortener().shorten([("MEMORY.md", before, after)])
    return done.texts["MEMORY.md"], done.left


def test_an_entry_that_is_touched_is_written_short_and_all_others_stay() -> None:
    after, left = short(TEA + COFFEE, TEA + COFFEE.replace("five", "six"))
    assert after == TEA + (
        "- Coffee at six. #event <!-- claw:abc234 c=.95 n=2 last=2026-03-01 -->\n"
    )
    assert left == ("abc234 first=2026-02-14 ev=chat:1 ev=memory/a.md#L9",)
    assert short(after, after) == (after, ())


def test_a_new_entry_leaves_its_day_unsaid_and_its_evidence_to_the_commit() -> None:
    new = in_full(
        "m7k2q9", ("conf=0.60", "n=1", "first=2026-02-14", "last=2026-02-14", "ev=chat:1")
    )
    after, left = short("", f"# Memory\n\n{new}\n")
    assert after.endswith(" <!-- claw:m7k2q9 c=.6 last=2026-02-14 src=hand -->\n")
    assert left == ("m7k2q9 ev=chat:1",)


def test_an_entry_that_only_moves_is_not_touched() -> None:
    edits = [("MEMORY.md", TEA + COFFEE, COFFEE), ("memory/tea.md", None, f"# Tea\n\n{TEA}")]
    done = Shortener().shorten(edits)
    assert done.texts == {"MEMORY.md": COFFEE, "memory/tea.md": f"# Tea\n\n{TEA}"}
    assert done.left == ()


@for_each(
    "facts",
    [
        # What disputes an entry was not counted, and goes with the dispute.
        "conf=.95 last=2026-03-01 ev=chat:1 status=disputed",
        # By this the log of corrections finds its entry.
        "conf=1 last=2026-03-01 src=correction ev=CORRECTIONS.md#kkm2p9",
        # Only by the last of several.
        "conf=1 last=2026-03-01 src=correction ev=CORRECTIONS.md#kkm2p9",
        # A fact made of notes is withdrawn with them.
        "conf=.95 first=2026-02-14 last=2026-03-01 ev=memory/a.md#L1 class=tasks of=h1a2b3c4",
        # No last day could stand for the first.
        "conf=.95 first=2026-02-14",
    ],
)
def test_what_is_still_needed_stays(facts: str) -> None:
    meta = Meta("m7k2q9", tuple(facts.split()))
    assert shortened(meta) == meta


def test_of_several_corrections_the_last_stays() -> None:
    meta = Meta("m7k2q9", ("ev=CORRECTIONS.md#kkm2p9", "ev=chat:1", "ev=CORRECTIONS.md#kkm2p8"))
    assert shortened(meta).facts == ("ev=CORRECTIONS.md#kkm2p8",)


def test_without_an_id_history_could_not_be_asked() -> None:
    meta = Meta("M7", ("last=2026-03-01", "ev=chat:1"))
    assert shortened(meta) == meta


@given(facts(), st.booleans())
def test_a_touched_entry_loses_nothing(written: tuple[str, ...], crlf: bool) -> None:
    """Comment and commit together say what the comment said, whatever it was."""
    text = f"# Memory\n\n{in_full('m7k2q9', written)}\n- By hand.\n"
    if crlf:
        text = text.replace("\n", "\r\n")
    before = text.replace("A fact", "Something else")
    after, left = short(before, text)
    intent = Intent(AGENT, "note", "a fact", entries=left)
    past = gathered(parse_message(render_message(intent, "kkkkkkkk")).entries)
    [old, hand], [new, stayed] = entries(text), entries(after)
    assert (new.text, stayed.raw) == (old.text, hand.raw)
    assert old.meta
    assert new.meta
    again = recalled(new.meta, past)
    assert {*again.evidence} == {*old.meta.evidence}
    assert told(again.resting_on(())) == told(old.meta.resting_on(()))
    # And whatever is asked without history is in the comment.
    for name in ("conf", "n", "last", "src", "status", "by", "class_", "expires"):
        assert getattr(new.meta, name) == getattr(old.meta, name)
    assert short(after, after) == (after, ())


def test_of_several_edits_each_is_shortened_once() -> None:
    shortener = Shortener()
    first = shortener.shorten([("MEMORY.md", "", TEA)])
    assert shortener.as_landed(TEA) == first.texts["MEMORY.md"]
    second = shortener.shorten([("MEMORY.md", TEA, TEA + COFFEE)])
    assert second.texts["MEMORY.md"].startswith(first.texts["MEMORY.md"])
    assert [line.split()[0] for line in (*first.left, *second.left)] == ["m7k2q9", "abc234"]


def test_an_example_in_code_is_no_entry() -> None:
    text = f"Like this:\n\n```\n{TEA}```\n"
    assert short("", text) == (text, ())


def test_the_past_of_an_entry_is_gathered_from_all_commits() -> None:
    past = gathered(
        ["abc234 ev=a", "m7k2q9 first=2026-02-14 ev=b", "abc234 first=2026-02-01 ev=a ev=c"]
    )
    assert past == {
        "abc234": EntryPast(date(2026, 2, 1), ("a", "c")),
        "m7k2q9": EntryPast(date(2026, 2, 14), ("b",)),
    }
    meta = recalled(Meta("abc234", ("n=4", "last=2026-03-01", "ev=d")), past)
    assert (meta.first, meta.evidence) == (date(2026, 2, 1), ("a", "c", "d"))
    unknown = Meta("k2k2k2", ("n=4", "last=2026-03-01"))
    assert recalled(unknown, past) == unknown
    assert unknown.first is None
