"""Where the right value goes that the operator tells: into which place of which entry, or into a question."""

import pytest

from clawgit.agents.contract import Snapshot
from clawgit.agents.recall_validator import Told, correct
from clawgit.config.settings import Settings
from clawgit.domain.corrections import CONFIRMED, OPEN
from tests.agents.recalling import NOW, Came, landed, memory, said


def came_to(came: Came) -> list[str]:
    return [text.removesuffix(" #knowledge #correction").removesuffix(" #knowledge") for text in came.texts]


@pytest.mark.parametrize(
    "doing",
    ["leads Quarry", "owns the ferry", "handles refunds", "manages Tavira", "runs the kiosk", "pays the gardener",
     "teaches Welsh"],
)  # fmt: skip
@pytest.mark.parametrize(
    "told", ["I already told you: Ida {}.", "That's wrong, Ida {}.", "No, it's Ida. I told you so.", "Wrong, it's Ida."]
)
def test_who_is_a_person_takes_the_place_of_a_person(doing: str, told: str) -> None:
    came = said(told.format(doing), f"Nils {doing}. #knowledge", turn=f"Nils {doing}.")
    assert came_to(came) == [f"Ida {doing}."]
    assert [(one.status, one.correct, one.said) for one in came.log] == [
        (CONFIRMED, f"Ida {doing}.", f"Nils {doing}."),
    ]


@pytest.mark.parametrize(
    ("text", "turn", "right"),
    [
        ("No, it's Oporto.", "Ida lives in Faro.", "Ida lives in Oporto."),
        ("No, it's Emil.", "Ida lives in Faro.", "Emil lives in Faro."),
        ("No, it's Emil.", "Ida reports to Nils.", "Ida reports to Emil."),
        ("No, it's Emil.", "The plumber is Nils.", "The plumber is Emil."),
        ("No, it's Paddle.", "Klarna handles refunds.", "Paddle handles refunds."),
        ("No, it's Dr. Sommer.", "Dr. Lang leads the ward.", "Dr. Sommer leads the ward."),
        ("That's not right. Emil leads it.", "Ida leads Quarry.", "Emil leads Quarry."),
        ("Wrong. Emil teaches it now.", "Ida teaches weaving on Mondays.", "Emil teaches weaving on Mondays."),
    ],
)
def test_a_name_alone_goes_where_its_kind_stands(text: str, turn: str, right: str) -> None:
    assert came_to(said(text, turn, turn=turn)) == [right]


@pytest.mark.parametrize(
    ("text", "turn", "asked"),
    [
        ("No, it's Saturn.", "Ida leads Quarry.", "Saturn"),
        ("No, it's Emil.", "Ida manages Nils.", "Emil"),
        ("That's wrong, she teaches it.", "Nils teaches weaving.", "teaches it"),
        ("No.", "Ida leads Quarry.", ""),
    ],
)
def test_where_its_place_cannot_be_told_it_is_asked(text: str, turn: str, asked: str) -> None:
    came = said(text, turn, turn=turn)
    assert came.texts == [turn]
    assert [(one.status, one.correct) for one in came.log] == [(OPEN, asked)]


@pytest.mark.parametrize(
    "text", ["No, it's fine.", "No, it's broken.", "No, thanks.", "No problem, Emil has a draft.", "No rush."]
)
def test_what_denies_nothing_is_left(text: str) -> None:
    came = said(text, "The harbour report is ready.", turn="The harbour report is ready.")
    assert (came.texts, came.log) == (["The harbour report is ready."], ())


def test_who_is_right_already_is_confirmed_and_written_once() -> None:
    came = said("No, it's Ida. I told you.", "Ida leads Quarry. #knowledge", turn="Nils leads Quarry.")
    assert came_to(came) == ["Ida leads Quarry."]
    assert [(one.correct, one.said) for one in came.log] == [("Ida leads Quarry.", "Nils leads Quarry.")]


@pytest.mark.parametrize(
    "text",
    ["No, it's plum, I've told you twice.", "No. It's plum.", "No, it's plum. And the gate is number 7712.",
     "No, it's plum."],
)  # fmt: skip
def test_a_plain_word_is_heard_as_a_value(text: str) -> None:
    came = said(text, "The safe word is cherry.", "The dessert is cherry.", turn="The safe word is cherry.")
    assert came_to(came) == ["The safe word is plum.", "The dessert is cherry."]


@pytest.mark.parametrize(
    ("text", "turn", "right"),
    [
        ("No, it's 45 EUR per year.", "The domain costs 30 EUR.", "The domain costs 45 EUR per year."),
        ("No, it's 45 EUR a year.", "The domain costs 30 EUR a month.", "The domain costs 45 EUR a year."),
        ("No, it's 45 EUR.", "The domain costs 30 EUR a month.", "The domain costs 45 EUR a month."),
        ("No, it's at 8:30, not 8.", "The ferry leaves at 8:00.", "The ferry leaves at 8:30."),
        ("Hmm no, 20:30 says the timetable.", "The ferry leaves at 19:45.", "The ferry leaves at 20:30."),
        (
            "No, it's not Ulm, it's from a dealer in Bonn.",
            "The organ came from the workshop of Ede in Ulm.",
            "The organ came from a dealer in Bonn.",
        ),
    ],
)
def test_no_part_of_a_value_is_lost(text: str, turn: str, right: str) -> None:
    assert came_to(said(text, turn, turn=turn)) == [right]


@pytest.mark.parametrize(
    "text",
    [
        "That's wrong. I'll have to ask Emil first.",
        "That isn't right, and I don't have the date here.",
        "That's not it. It'll come to me.",
        "No no, that's wrong, you can't just tell him that.",
        "What you have as the date is not correct.",
        "That's wrong, how does that even happen",
    ],
)
def test_what_says_that_something_is_wrong_and_no_more_is_asked_about(text: str) -> None:
    came = said(text, "The regatta is on June 12.", turn="The regatta is on June 12.")
    assert came.texts == ["The regatta is on June 12."]
    assert [(one.status, one.correct) for one in came.log] == [(OPEN, "")]


@pytest.mark.parametrize(
    ("text", "items", "turn", "right"),
    [
        ("I told you I put it up to 110.", ("The day rate is $95.",), "Done: 3 days at $95.", "The day rate is $110."),
        (
            "You forgot that we settled on 0.45 after the trial.",
            ("Seeds are counted with a threshold of 0.6.",),
            "Shall I count the seeds with the threshold 0.6?",
            "Seeds are counted with a threshold of 0.45.",
        ),
        (
            "I told you we went with amber for the logo.",
            ("The logo is teal.",),
            "The logo is teal.",
            "The logo is amber.",
        ),
        ("No, Emil said the fee is 40.", ("The fee is 30 euros.",), "The fee is 30 euros.", "The fee is 40 euros."),
        (
            "I told you, they have a new vet, Mrs. Lang.",
            ("Their vet is Mr. Sommer.",),
            "Their vet is Mr. Sommer.",
            "Their vet is Mrs. Lang.",
        ),
        (
            "We've been over this, it's Wren. The Finch contract expired in May.",
            ("Parcels are sent by Finch.",),
            "I'll send the parcels by Finch.",
            "Parcels are sent by Wren.",
        ),
        ("No, it's Emil who has the spare key.", ("Nils has the spare key.",), "Nils has the spare key.",
         "Emil has the spare key."),
        ("nope, Emil owns the intake", ("Nils owns the intake form.",), "Who owns the intake form, Nils?",
         "Emil owns the intake form."),
    ],
)  # fmt: skip
def test_how_people_tell_what_is_right(text: str, items: tuple[str, ...], turn: str, right: str) -> None:
    assert came_to(said(text, *items, turn=turn)) == [right]


@pytest.mark.parametrize(
    ("text", "turn"),
    [
        ("You forgot that Emil has it.", "The key is with Nils."),
        ("I told you I put it in the drawer.", "The key is in the safe."),
        ("No, it's a nightmare.", "The safe word is cherry."),
    ],
)
def test_no_sentence_is_written_that_says_nothing_or_something_else(text: str, turn: str) -> None:
    came = said(text, turn, turn=turn)
    assert came.texts == [turn]
    assert [one.status for one in came.log] == [OPEN]


def test_what_the_operator_quotes_of_the_agent_is_what_it_said() -> None:
    came = said(
        "In the mail you wrote the fee is 60 euros. No, it's 72 euros.", "The club's fee is 60 euros. #knowledge"
    )
    assert came_to(came) == ["The club's fee is 72 euros."]


def superseded(came: Came) -> list[str]:
    return [entry.text for entry in came.memory if entry.meta and entry.meta.status == "superseded"]


def test_a_new_entry_leaves_nothing_active_that_plainly_says_otherwise() -> None:
    came = said("I told you: Ida leads Quarry.", "Nils leads Quarry. #knowledge", "Nils leads the choir. #knowledge")
    assert superseded(came) == ["Nils leads Quarry. #knowledge"]
    assert came.memory[-1].text.startswith("Ida leads Quarry.")
    assert came.memory[0].meta is not None
    assert came.memory[0].meta.by == came.memory[-1].key


def test_a_typed_correction_that_finds_no_sure_place_leaves_nothing_active_against_it() -> None:
    files = memory("Nils leads Quarry. #knowledge", "Nils leads the choir. #knowledge")
    seen = Snapshot(NOW, Settings(), files, run="r1")
    came = landed(files, correct(seen, Told("Ida leads Quarry.", sure=True)))
    assert superseded(came) == ["Nils leads Quarry. #knowledge"]
    assert came.memory[-1].text.startswith("Ida leads Quarry.")


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("I told you, coach Ida trains the under 14s.", ("Coach Nils trains the under 12s.",)),
        ("By the way, Ida leads Quarry.", ("Nils leads Quarry.",)),
        ("I told you, they have a new vet, Mrs. Lang.", ("Their vet is Mr. Sommer.", "Our vet is Mr. Sommer.")),
        ("School starts at 8:30, not 8:00.", ("Mia's school starts at 8:00.", "The ferry leaves at 8:00.")),
        ("We moved the mails from Rabbit to Kafka.", ("Mails go through Rabbit.", "Videos go through Rabbit.")),
    ],
)
def test_another_thing_with_the_same_value_is_never_superseded(text: str, items: tuple[str, ...]) -> None:
    came = said(text, *items, turn=items[0])
    assert superseded(came) == []
    assert set(items[1:]) <= set(came.texts)
