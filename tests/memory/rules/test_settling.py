"""Which side stands: the auto-resolution rules of the spec, each with a test named after it."""

from clawgit.core.markdown.entry import Entry, entries
from clawgit.memory.rules.contradicting import Settlement, settle, with_decision
from clawgit.talk.rules.corrections import CONFIRMED, OPEN, Correction
from tests.each import for_each


def places(text: str, path: str = "MEMORY.md") -> list[Entry]:
    return [*entries(text, path)]


def side(day: str, tag: str = "knowledge", meta: str = "src=explicit ev=chat:s/1") -> Entry:
    when = f"first={day} last={day} " if day else ""
    return places(f"- The desk of {day} #{tag} <!-- claw:maaaaa {when}{meta} -->")[0]


OLD, NEW = side("2026-01-01"), side("2026-02-14")
NOTED = side("2026-02-14", meta="src=inferred ev=chat:s/1")


@for_each("tag", ["event", "knowledge", "decision"])
def test_newer_by_30_days_from_direct_conversation_and_tagged_wins(tag: str) -> None:
    old, new = side("2026-01-15", tag), side("2026-02-14", "decision")
    assert settle((old, new), ()) == Settlement(1, "newer by 30 days, said in direct conversation")
    assert settle((new, old), ()).winner == 0


@for_each("new", [NOTED, side("2026-02-14", "skill")])
def test_where_no_rule_fits_it_is_flagged(new: Entry) -> None:
    assert settle((OLD, new), ()).winner is None
    assert settle((new, OLD), ()).winner is None


def test_what_the_operator_set_right_is_known_by_its_mark_and_by_the_log() -> None:
    told = Correction(
        "k3x9ab", None, said="Office is in Paris", correct="Office is in Berlin", status=CONFIRMED
    )
    paris, berlin, marked, plain = places(
        "- Office is in Paris.\n- Office is in Berlin.\n- x #correction\n- y\n"
    )
    assert settle((paris, plain), [told]).winner == 1
    assert settle((berlin, plain), [told]).winner == 0
    assert settle((berlin, plain), [told._replace(status=OPEN)]).winner is None
    assert settle((plain, marked), ()).winner == 1
    assert settle((berlin, marked), [told]).why == "the operator corrected both sides"


TEXT = "# M\r\n\r\n- one\r\n  - nested\r\n- two <!-- claw:mbbbbb n=2 -->\r\n"


def decided(text: str, winner: int | None) -> str:
    one, two = places(text)
    ids = ("maaaaa", "mccccc")
    return with_decision(lambda _: text, (one, two), winner, ids)["MEMORY.md"]


def test_a_loser_names_its_winner_and_keeps_its_words() -> None:
    assert decided(TEXT, 1) == TEXT.replace(
        "- one\r", "- one <!-- claw:maaaaa status=superseded by=mbbbbb -->\r"
    )
