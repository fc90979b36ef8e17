"""Where a sentence begins and ends, and what is none of the writer's."""

import pytest

from clawgit.domain.extract.sentences import sentences


def split(text: str) -> list[str]:
    return [sentence.text for sentence in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("Version 3.5 of app.py is out. Good.", ["Version 3.5 of app.py is out.", "Good."]),
        ("Ask Dr. Bauer, e.g. on Monday. Then call.", ["Ask Dr. Bauer, e.g. on Monday.", "Then call."]),
        ("J. Smith came at 5 p.m. on the 3. floor", ["J. Smith came at 5 p.m. on the 3. floor"]),
        ("好的。我们用橡木!行吗?", ["好的。", "我们用橡木!", "行吗?"]),
        ("a line\nthat goes on\n\nand another", ["a line that goes on", "and another"]),
        ("wait… what", ["wait…", "what"]),
        ("passed today!! 2 mistakes", ["passed today!!", "2 mistakes"]),
        ("Launch is Friday at 10. I prefer tea.", ["Launch is Friday at 10.", "I prefer tea."]),
        (
            "Come on the 3. March. We wait 5 min. Then we go.",
            ["Come on the 3. March.", "We wait 5 min.", "Then we go."],
        ),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, expected: list[str]) -> None:
    assert split(text) == expected


def test_items_of_a_list_are_sentences_with_what_leads_to_them() -> None:
    found = sentences("For the shop:\n- port 5433\n2. red logo\n\nBye now.")
    assert [(one.text, one.lead) for one in found] == [
        ("port 5433", "For the shop"),
        ("red logo", "For the shop"),
        ("Bye now.", ""),
    ]


@pytest.mark.parametrize(
    "foreign",
    [
        "```\nuse port 1\n```",
        "> he said so",
        "2026-02-14 10:22:01 started",
        'File "app.py", line 12',
        "KeyError: 'user_id'",
        "npm ERR! missing script",
        "$ make deploy",
    ],
)
def test_code_quotations_and_the_lines_of_programs_are_left_out(foreign: str) -> None:
    assert split(f"Look here\n\n{foreign}\n\nIt broke") == ["Look here", "It broke"]


def test_behind_a_forwarded_message_nothing_is_the_writers() -> None:
    assert split("See below\n\n---------- Forwarded message\nWe agreed on 5.") == ["See below"]


@pytest.mark.parametrize("opening", ["fwd from HR:", "Fwd:", "fw: the landlord"])
def test_what_is_said_to_be_forwarded_is_nobodys(opening: str) -> None:
    assert split(f"See below\n\n{opening}\nWe agreed on 5.") in (
        ["See below"],
        ["See below", "fw: the landlord We agreed on 5."],
    )


def test_what_is_said_in_one_breath_is_taken_apart_where_a_new_subject_begins() -> None:
    spoken = (
        "so i talked with the landlord today and long story short the rent goes up to 980 from march on, he wanted 1050"
        " first but i showed him the letter and then he folded, and the contract runs till the end of 2028 now"
    )
    assert split(spoken) == [
        "so i talked with the landlord today",
        "the rent goes up to 980 from march on",
        "he wanted 1050 first",
        "i showed him the letter",
        "he folded",
        "the contract runs till the end of 2028 now",
    ]


def test_a_run_on_that_is_too_long_is_split_and_never_dropped() -> None:
    assert "".join(split("we need the red ones, " * 40)).count("red ones") == 40


def test_code_within_a_sentence_stays() -> None:
    assert split("Run `make ship. now` first. Then wait.") == ["Run `make ship. now` first.", "Then wait."]
