"""What each slot is made of, and in which order it wants it."""

from datetime import UTC, date, datetime

from clawgit.core.tokens import estimate_tokens
from clawgit.talk.rules.context import ContextPiece, Slot, Want, assemble
from clawgit.talk.rules.corrections import CONFIRMED, Correction
from clawgit.talk.rules.passage import ContextPassage, passages
from clawgit.talk.rules.slots import SLOTS, corrections_pieces, identity_pieces, recent_pieces

TODAY = date(2026, 2, 14)


def read(path: str, text: str) -> tuple[ContextPassage, ...]:
    return passages(path, text, TODAY)


def texts(pieces: list[ContextPiece]) -> list[str]:
    return [piece.text for piece in pieces if not piece.unfit]


def correction(ident: str, day: int, said: str, correct: str, **fields: object) -> Correction:
    time = datetime(2026, 2, day, 9, tzinfo=UTC)
    made = Correction(ident, time, said=said, correct=correct, status=CONFIRMED)
    return made._replace(**fields)  # type: ignore[arg-type]


def test_what_is_protected_comes_first_then_what_forbids_and_both_are_firm() -> None:
    soul = read(
        "SOUL.md",
        "# Soul\n\n- Be kind.\n- Never lie.\n- Ask Olga. <!-- x -->\n\n## Law (Protected)\n\n- Be brief.\n"
        "\n## Never\n\n- Swear.\n",
    )
    card = read("IDENTITY.md", "- **Name:** Rivet\n")
    pieces = identity_pieces(soul, card, frozenset(["- Ask Olga."]))
    assert [(piece.text, piece.want is Want.FIRM, piece.why) for piece in pieces] == [
        ("- Ask Olga.", True, "protected"),
        ("- Be brief.", True, "protected"),
        ("- Never lie.", True, "forbids something"),
        ("- Swear.", True, "forbids something"),
        ("- **Name:** Rivet", False, "who the agent is"),
        ("- Be kind.", False, "who the agent is"),
    ]


def test_corrections_that_are_not_taken_in_come_first_then_the_newest_then_archived_ones() -> None:
    known = [
        correction("old", 1, "a1", "a2", re_embedded=True),
        correction("fresh", 2, "b1", "b2"),
        correction("new", 9, "c1", "c2", re_embedded=True),
        correction("fresher", 5, "d1", "d2"),
    ]
    pieces = corrections_pieces(known, [correction("shelved", 10, "e1", "e2", re_embedded=True)])
    assert [piece.source for piece in pieces] == [
        f"CORRECTIONS.md#{name}" for name in ("fresher", "fresh", "new", "old", "shelved")
    ]
    pieces = corrections_pieces(known, (), newest_first=True)
    assert [piece.source for piece in pieces] == [
        f"CORRECTIONS.md#{name}" for name in ("new", "fresher", "fresh", "old")
    ]


DAYS = [*read("memory/2026-02-12.md", "- Old and dull.\n- Old and vital. <!-- importance: 9 -->\n"),
        *read("memory/2026-02-13.md", "- New and dull.\n- The boiler broke.\n")]  # fmt: skip


def test_of_the_last_days_what_matters_comes_first_then_what_is_new() -> None:
    pieces = recent_pieces(DAYS)
    assert texts(pieces) == [
        "- Old and vital.",
        "- The boiler broke.",
        "- New and dull.",
        "- Old and dull.",
    ]
    shown = sorted(pieces, key=lambda piece: piece.place)
    assert [piece.source for piece in shown] == [one.source for one in DAYS]


def test_a_correction_is_shown_however_small_the_whole_and_however_large_the_soul() -> None:
    lines = "".join(f"- Never lie about tea {number}.\n" for number in range(90))
    soul = identity_pieces(read("SOUL.md", lines), (), frozenset())
    wrong = corrections_pieces([correction("new", 9, "tea", "Ana likes coffee.")], ())
    held = {"identity": soul, "corrections": wrong}
    slots = [Slot(kind, 1000, held.get(kind.name, [])) for kind in SLOTS]
    assert "Ana likes coffee." in assemble(slots, 60, estimate_tokens).text
