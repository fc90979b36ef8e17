"""What a sentence does: it asks, greets, passes on, denies, or tells something worth keeping in a frame of its own."""

from datetime import UTC, date, datetime

import pytest

from clawgit.domain.extract.memory import Memory
from clawgit.domain.extract.reading import memories

SAID = datetime(2026, 2, 14, 9, 0, tzinfo=UTC)


def kept(text: str) -> tuple[Memory, ...]:
    return memories(text, SAID, "Mira")


def texts(text: str) -> list[str]:
    return [memory.text for memory in kept(text)]


@pytest.mark.parametrize(
    "text",
    [
        "The spreadsheet you made is wrong.",
        "The total in your sheet is off.",
        "No no, the heron has not nested here.",
        "Those prices in the table are not correct at all",
    ],
)
def test_what_only_denies_is_no_memory(text: str) -> None:
    assert texts(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "The plumber reckons the whole street has bad pipes.",
        "My mother in law says you should wash mushrooms.",
        "A woman at the market told me the mill runs on gold.",
        "Our curate maintains that the bells ring flat.",
        "There is a man on the ferry saying that the harbour closes.",
        "有人说桥要拆了",
    ],
)
def test_what_others_say_is_not_what_is_so(text: str) -> None:
    assert texts(text) == []


def test_who_knows_is_believed_and_so_is_what_is_exact() -> None:
    assert texts("The vet says the goat needs two tablets a day.") != []
    assert texts("The baker says the oven runs 15 degrees too hot.") != []


@pytest.mark.parametrize(
    "text",
    [
        "Off the boat at last, could you print the chart of the harbour",
        "Need a list of herbs for the west wall, nothing fancy.",
        "Need you to cut the essay to one page of 300 words.",
        "Morning love, the dog has the new slippers.",
        "No need, Ines has a copy on the shelf.",
        "I'm between two ferries and the signal is bad.",
        "My hands are covered in the new clay.",
        "I have been up since five with the goats.",
        "Traffic is backed up to the ring road.",
        "If the mill was a goat we would feed it.",
        "My grandfather would have sold the mill.",
        "Five goats, two of them on the roof.",
        "Three changes for you.",
        "Now the same for March.",
        "The goat on page 3 is upside down.",
        "The talk about the mill went on and nobody decided anything.",
        "You have written the name of the mill wrongly.",
        "I have the talk with Ines in a bit, give me the points of the last one",
        "Ines from the mill asks whether goats like rain.",
        "I can't tell till Ines has her list.",
        "I must look at the shelf when it is light.",
        "The mill has the wrong sacks again.",
        "I sometimes wonder whether the mill runs on hope.",
    ],
)
def test_requests_moments_and_musings_are_no_memories(text: str) -> None:
    assert texts(text) == []


@pytest.mark.parametrize(
    "text", ["Since March.", "Found at the third try.", "Everyone agreed at breakfast.", "Only the rooms on the left.",
             "On Friday, hall B.", "Each goat gets one."],
)  # fmt: skip
def test_what_leans_on_a_sentence_says_nothing_alone(text: str) -> None:
    assert texts(text) == []
    assert texts(f"We decided to move the goats to the west field. {text}") == [
        f"We decided to move the goats to the west field; {_dated(text)}"
    ]


def _dated(text: str) -> str:
    return text.replace("On Friday", "On 2026-02-20").replace("March", "March 2025")


def test_what_a_lesson_brought_goes_with_it() -> None:
    found = kept("What really worked is salting the steps at dusk. Falls went from 9 to 1.")
    assert [(one.text, one.tag) for one in found] == [
        ("What really worked is salting the steps at dusk; Falls went from 9 to 1.", "skill")
    ]


def test_what_is_told_of_a_day_goes_with_it_unless_it_turns_to_something_else() -> None:
    assert texts("The recital is on 3 March at six. The hall wants 40 chairs.") == [
        "The recital is on 2026-03-03 at six; The hall wants 40 chairs."
    ]
    assert len(texts("The recital is on 3 March at six. Also the hall wants 40 chairs.")) == 2


@pytest.mark.parametrize(
    ("text", "tag", "day"),
    [
        ("put in the vet for both goats on the 24th 9.20", "event", "2026-02-24"),
        ("pencil in the tuner for March 3", "event", "2026-03-03"),
        ("the boiler man is the 3rd of March at 5, in the annex", "event", "2026-03-03"),
        ("fitting session w/ Ines, sat 28 feb, 10ish", "event", "2026-02-28"),
        ("I'm singing on the 22nd after all", "event", "2026-02-22"),
        ("I promised the twins a day on the mill on the 22nd", "decision", "2026-02-22"),
        ("From March we bake only rye", "decision", "2026-03-01"),
    ],
)
def test_what_has_its_day_is_kept_with_it(text: str, tag: str, day: str) -> None:
    found = kept(text)
    assert [(one.tag, one.when) for one in found] == [(tag, date.fromisoformat(day))]


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("what we saw on the roof is that the tar has to cool for a day", "skill"),
        ("Walking the scales is what finally moved my singing.", "skill"),
        ("Something that clicked and that I don't want to lose: tune the low string first", "skill"),
        ("We have found, incidentally, that letters by post are read.", "skill"),
        ("We tried the blue primer and it peels, the grey one holds.", "skill"),
        ("Worth noting: the west gate sticks in frost", "knowledge"),
        ("porridge with salt = no cramps on the hill", "knowledge"),
        ("Ravi does nights now and Lena does the mornings", "knowledge"),
        ("the goats are on hay, always hay in winter", "knowledge"),
        ("And while I think of it, I have made up my mind to sell the mill", "decision"),
        ("The choir has moved to the west hall, na Ines dey there now", "knowledge"),
        ("Don't ever send the quotes as Word files", "knowledge"),
        ("What fixed the squeak was soap on the hinge.", "skill"),
        ("You need both keys for the cellar, the top one turns left.", "knowledge"),
        ("Use the side gate, the bell is broken.", "knowledge"),
        ("if the bell rings twice it's the freezer", "skill"),
        ("晚上先泡豆子最管用", "skill"),
        ("염소 사료는 이제 귀리 말고 보리로 사", "decision"),
    ],
)
def test_frames_tell_what_is_worth_keeping(text: str, tag: str) -> None:
    assert [one.tag for one in kept(text)] == [tag]


def test_who_asks_to_keep_what_says_nothing_alone_means_what_stands_before_it() -> None:
    assert texts("Swan is what they call that tar. It's the matt one, don't let me forget.") == [
        "Swan is what they call that tar; It's the matt one."
    ]


def test_asides_and_openers_are_left_out_of_the_words() -> None:
    assert texts("Oh and before I forget, the tuner, by the way, comes on 3 March at nine.") == [
        "The tuner comes on 2026-03-03 at nine."
    ]


def test_what_is_dictated_without_a_comma_is_taken_apart() -> None:
    said = "what was I saying the roof yes the roof is done and we use the grey tar now so the ladder goes to Ines"
    assert "We use the grey tar now." in texts(said)


def test_what_a_machine_reports_is_none_of_the_operators_words() -> None:
    assert texts("on watch.\nALARM 04:41 PORT PUMP LOW\nNOTE replace the seal at 300 h") == []
    assert texts("paste from the app:\nseal replaced at 300 h") == []
