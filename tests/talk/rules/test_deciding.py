"""What one message does to memory. Each row is a class: what may be put right, and what may not."""

import os
import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from clawgit.core.markdown.entry import Entry, entries
from clawgit.talk.rules.corrections import statement
from clawgit.talk.rules.deciding import (
    ASKED,
    LEFT,
    NOTED,
    PUT_RIGHT,
    QUOTED,
    Decision,
    decide,
)
from tests.each import for_each

FURTHER = ("The boat is red.", "Tea comes from Assam.")


def places(*items: str, path: str = "MEMORY.md") -> list[Entry]:
    text = "".join(f"- {item}\n" for item in items)
    return [*entries(text, path)]


def decided(message: str, turn: str, *items: str, path: str = "MEMORY.md") -> Decision:
    held = [*places(*items, path=path), *places(*FURTHER)]
    return decide(message, turn, held, called=True, corrects=1.0)


def after(found: Decision) -> str:
    """What the entry says then; "" if it stays as it is."""
    return found.change.applied(statement(found.place)) if found.change and found.place else ""


def test_headings_above_an_entry_are_no_part_of_what_the_agent_repeats() -> None:
    turn = "The dentist is on Tuesday."
    text = f"# What you carry in your head\n\n## Knowledge and skills\n\n- {turn}\n"
    held = [*entries(text, "MEMORY.md")]
    found = decide("That's wrong. It's on Thursday.", turn, held, called=True, corrects=1.0)
    assert (found.kind, found.place) == (QUOTED, held[0])


NAMED = [
    ("Actually Ingrid opens the shop at 5:00, not 5:30", "", "Ingrid opens the shop at 5:30.",
        "Ingrid opens the shop at 5:00."),
("It's not Bengt, it's Lars.", "Bengt is the plumber.", "Bengt is the plumber.",
        "Lars is the plumber."),
("No, it's Redis, not Memcached.", "Caching is done by Memcached.",
        "Caching is done by Memcached.", "Caching is done by Redis."),
("Priya's birthday is 5 March, not 3 May.", "", "Priya's birthday is 3 May.",
        "Priya's birthday is 5 March."),
("Der Termin ist nicht am 3. Mai, sondern am 5. Mai.", "", "Der Termin ist am 3. Mai.",
        "Der Termin ist am 5. Mai."),
("负责人不是王芳，是李明。", "", "负责人是王芳。", "负责人是李明。"),
("No, the vet is Novak, not Chen.", "", "The vet is Chen.", "The vet is Novak."),
("회의는 3월 5일이 아니라 5월 3일이에요.", "", "회의는 3월 5일입니다.", "회의는 5월 3일입니다."),
]  # fmt: skip
ONE_VALUE = [
    ("No, the office is on the fourth floor.", "", "The office is on the third floor.",
        "The office is on the fourth floor."),
("No, the sync is at 9:45", "", "Sync is at 9:15.", "Sync is at 9:45."),
("No, Harbor runs on v2.2.0", "", "Harbor runs on v2.1.0.", "Harbor runs on v2.2.0."),
("No, la cita es a las 19:00", "", "La cita es a las 18:00.", "La cita es a las 19:00."),
("不对，办公室在四楼", "", "办公室在三楼。", "办公室在四楼。"),
("いいえ、事務所は4階です", "", "事務所は3階です。", "事務所は4階です。"),
]  # fmt: skip
RESTATED = [
    ("No, Bo leads Harbor.", "Ana leads Harbor.", "Ana leads Harbor.", "Bo leads Harbor."),
    ("No, invoices go to Bo.", "", "Invoices go to Jan.", "Invoices go to Bo."),
    ("That's wrong, the importer runs on poplar.", "", "The importer runs on larch.",
        "The importer runs on poplar."),
    ("No, the call is on Friday at 9.", "", "The call is on Monday at 9.",
        "The call is on Friday at 9."),
]  # fmt: skip


@for_each("message, turn, old, right", [*NAMED, *ONE_VALUE, *RESTATED])
def test_what_the_texts_prove_is_put_right(message: str, turn: str, old: str, right: str) -> None:
    found = decided(message, turn, old)
    assert after(found) == right, found


FRIDAY = "The flight is on Friday."


@for_each(
    "message, turn, kind",
    [
        ("No, the flight is on Thursday.", FRIDAY, PUT_RIGHT),
        ("No, Thursday.", FRIDAY, QUOTED),
        ("Nope, Thursday", FRIDAY, QUOTED),
        ("Wrong, it's Thursday.", FRIDAY, QUOTED),
        ("You're wrong, it's Thursday.", FRIDAY, QUOTED),
        ("No, Thursday.", "Your flight is on Friday. The taxi comes on Monday.", QUOTED),
        ("No, Thursday.", "Is the flight on Friday?", LEFT),
        ("No, thanks.", FRIDAY, LEFT),
        ("No problem, Thursday is free.", FRIDAY, LEFT),
        ("The flight on Friday was cancelled.", FRIDAY, LEFT),
        ("I already told you that I'm allergic to peanuts!", "Which one?", LEFT),
    ],
)
def test_what_begins_with_no_is_a_correction_of_what_the_agent_has_just_said(
    message: str, turn: str, kind: str
) -> None:
    held = places(FRIDAY, *FURTHER)
    assert decide(message, turn, held, called=False, corrects=0.01).kind == kind


@for_each(
    "message, turn, kind",
    [
        ("Non, mercredi.", "Le dentiste est mardi.", QUOTED),
        ("Non, peut-être mercredi.", "Le dentiste est mardi.", ASKED),
        ("Não, é na quinta.", "A consulta é na terça.", QUOTED),
        ("いや、木曜日だよ。", "歯医者は火曜日です。", QUOTED),
        ("说错了，是11点。", "会议是10点。", QUOTED),
    ],
)
def test_so_it_is_in_other_languages(message: str, turn: str, kind: str) -> None:
    assert decide(message, turn, places(turn), called=False, corrects=0.01).kind == kind


def test_to_correct_a_note_is_no_wish_for_a_text() -> None:
    message = "Please correct the note: the dentist is on Friday, not Thursday."
    assert decided(message, "", "The dentist is on Thursday.").kind == PUT_RIGHT


def test_a_sentence_that_denies_an_entry_is_heard_whatever_its_chance() -> None:
    denied = "The vet is Chen and Wu, not Novak."
    found = decide(denied, "", places("The vet is Novak."), called=False, corrects=0.01)
    assert found.kind == QUOTED


def test_what_was_said_before_is_told_or_noted_not_dropped() -> None:
    assert decided("I already told you that I'm allergic to peanuts!", "", FRIDAY).kind == NOTED
    assert decided("9:00 is wrong!", "The standup is at 9:00.", "The standup is at 9:00.").why != (
        "memory already says so"
    )
    gone = "The flight on Friday was cancelled."
    assert decided(gone, FRIDAY, FRIDAY).kind == QUOTED


@for_each(
    "message, entry",
    [
        ("No, the server is down.", "The server is castor."),
        ("No, the cat is hungry.", "The cat is black."),
    ],
)
def test_a_state_renames_nothing(message: str, entry: str) -> None:
    assert decided(message, entry, entry).kind == QUOTED


UNPROVEN = {
    "a name alone": ("No, it's Bo.", "Ana leads Harbor.", "Ana leads Harbor."),
    "a name alone, of two names": ("No, it's Sam.", "Dana runs the Felix project.",
        "Dana runs the Felix project."),
    "a value in a quotation": ("No, it's 2026-12-19.", "",
        "Kim: “We agreed that the freeze starts on 2026-12-12.”"),
    "a value in code": ("make check, not make test", "", "Run `make test` before a push."),
    "a value in a link": ("No, the guide is 2.2.0", "", "The guide is [2.1.0](https://x.org/2.1.0)."),
    "the old value twice": ("The call is at 3:30, not 3:00", "",
        "The call is at 3:00, and 3:00 it stays."),
    "two values of that type": ("No, the gym closes at 21:00.", "",
        "The gym opens at 7:00 and closes at 22:00."),
    "a part of a name": ("It's Lars, not Bengt.", "", "Our landlord is Bengt Olsson."),
    "a name without the title that memory has": ("Novak, not Chen", "",
        "The vet is Doctor Chen."),
    "a title that ends with a stop": ("Dr. Novak, not Dr. Chen", "", "The vet is Dr. Chen."),
    "a place with a stop in its name": ("It's St. Gallen, not St. Moritz", "",
        "The office is in St. Moritz."),
    "a title that the old name has, too": ("No, the vet is Doctor Novak, not Doctor Chen.", "",
        "The vet is Doctor Chen."),
    "a name behind a word that may belong to it": ("It's Orleans, not York.",
        "The New York office has 30 desks.", "The New York office has 30 desks."),
    "a lesson of somebody else": ("No, my lesson is at 17:00.", "Mia's lesson is at 16:00.",
        "Mia's lesson is at 16:00."),
    "somebody else's lesson, by a word for her": ("No, her lesson is at 17:00.", "",
        "My lesson is at 16:00."),
    "what somebody else does": ("No, I start at 9:30.", "Ana starts at 9:00.",
        "Ana starts at 9:00."),
    "others who do the same": ("No, they meet on Wednesdays.", "We meet on Tuesdays.",
        "We meet on Tuesdays."),
    "another barn": ("No, the new barn opens at 9:00.", "The old barn opens at 8:00.",
        "The old barn opens at 8:00."),
    "somebody else's lesson, in Chinese": ("不对，我的课在五点。", "米娅的课在四点。", "米娅的课在四点。"),
    "somebody else's lesson, in Spanish": ("No, mi clase es a las 17:00.",
        "La clase de Mía es a las 16:00.", "La clase de Mía es a las 16:00."),
    "a denial of a value that no entry has": ("So it's not 21:00.", "The gym closes at 22:00.",
        "The gym closes at 22:00."),
    "another value beside the old one": ("21:00 or so instead of 22:00 if you ask Kim",
        "The gym closes at 22:00.", "The gym closes at 22:00."),
    "an answer to a question that says the old value": ("No, 19:00.",
        "When shall I call you back, before the vet closes at 18:00?", "The vet closes at 18:00."),
    "one value of another kind of a pair": ("No, it's 22.", "We use Python 3.11 and Node 20.",
        "We use Python 3.11 and Node 20."),
    "what a denied entry says": ("No, it's on Mondays.", "Deploys are not allowed on Fridays.",
        "Deploys are not allowed on Fridays."),
    "a word with a capital for one without": ("Write to him, not fiona",
        "", "Appraisal with Todd (fiona moved)."),
    "a name of which the entry knows a part": ("Ana Novak, not Bo Chen", "",
        "Bo Chen is Ana's vet."),
    "a name of which the entry knows the end": ("Team Blue Harbor, not Team Red", "",
        "Harbor is run by Team Red."),
    "a name with a version": ("The backend is in Rust, not Go.", "", "The backend is in Go 1.20."),
    "one end of a range": ("No, the fair is on 16 June.", "", "The fair runs from 12 to 14 June."),
    "a limit that the entry has not": ("The gym closes at 21:00 before holidays.", "",
        "The gym closes at 22:00."),
    "a limit that the message has not": ("Nein, um 19 Uhr.", "Die Praxis ist bis 18 Uhr offen.",
        "Die Praxis ist bis 18 Uhr offen."),
    "another way": ("The train from Rome leaves at 10:00.", "", "The train to Rome leaves at 9:00."),
    "another way, in Chinese": ("北京到上海的火车10点开。", "", "上海到北京的火车9点开。"),
    "the review of another shop": ("I already told you, the daisy review is on Mondays.",
        "The daisy review is on Fridays.", "The coral review is on Mondays."),
    "who leads another project, as far as the texts say": ("No, Bo leads Harbor.", "Good morning.",
        "Ana leads Harbor."),
    "who owes whom": ("Bo owes Ana 20 euros.", "", "Ana owes Bo 10 euros."),
    "what was once": ("The rent was 700 euros.", "", "The rent is 900 euros."),
    "what was once, in German": ("Die Miete war 700 Euro.", "", "Die Miete ist 900 Euro."),
    "another office": ("The US office opens at 9:00.", "", "The office opens at 8:00."),
    "another institute": ("The MIT office opens at 9:00.", "", "The office opens at 8:00."),
    "somebody's, by a name that is an article elsewhere": ("Al has a lesson at 18:00.", "",
        "Piano lesson at 17:00."),
    "another shop": ("The hat shop opens at 9:00.", "", "The shop opens at 8:00."),
    "a lesson of the son's": ("My son has a piano lesson at 18:00.", "", "Piano lesson at 17:00."),
    "a question without its sign": ("is the sync on tuesday", "", "The sync is on Monday."),
    "another unit": ("No, it's 30 weeks.", "Snapshots are kept for 30 days.", "Snapshots are kept for 30 days."),
    "one day for a rule": ("No, deploys happen on Tuesday.", "", "Deploys happen on Thursdays."),
    "an addition": ("Bo owns a cat, too.", "", "Ana owns a cat."),
    "a denial without a value": ("No, she doesn't lead Harbor.", "", "Ana leads Harbor."),
    "a word that only opens the sentence": ("Ask Bo, not Ana", "", "Our accountant is Ana."),
    "a phrase for a name": ("Trag Okan als PO ein statt Svenja", "", "Product Owner ist Svenja."),
    "another subject": ("It closes at 21:00.", "The pool closes at 20:00.",
        "The library closes at 18:00."),
    "another subject with the old value": ("No, it's in Oslo, not in Brno.",
        "The audit workshop is in Brno.", "The library workshop is in Brno."),
    "an answer to another question": ("9:45", "Sync is at 9:15. When do you see the dentist?",
        "Sync is at 9:15."),
    "a limit in another sentence": ("The gym closes at 21:00. On Sundays, I mean.", "",
        "The gym closes at 22:00."),
    "more in another sentence": ("It's Redis, not Memcached. In staging that is.", "",
        "Caching is done by Memcached."),
    "a thing that moved": ("I moved the meeting notes to the wiki", "",
        "Meeting notes are taken by Sue."),
    "a thing that moved, in Chinese": ("我们把会议搬到上海了", "", "会议在北京。"),
    "a message with a paste": ("No, it's the fourth floor.\n\n> see the plan of the house",
        "The office is on the third floor.", "The office is on the third floor."),
    "memory is right, and the agent was not": ("No, it's 21:30.", "The gym closes at 21:00.",
        "The gym closes at 22:00."),
}  # fmt: skip


@for_each("message, turn, old", UNPROVEN.values())
def test_nothing_else_is(message: str, turn: str, old: str) -> None:
    assert decided(message, turn, old).kind != PUT_RIGHT


@for_each(
    "message, turn, corrects",
    [
        ("It's 8:30 now.", "The sync is at 9:00.", 1),
        ("Please tell me again at 8:50.", "The sync is at 9:00.", 1),
        ("jetzt ist es 8:50 Uhr", "Das Treffen ist um 9:00.", 1),
        ("现在是8点", "晚饭是9点。", 1),
        ("もう18時だ", "夕食は19時です。", 1),
        ("I have 500 euros.", "The rent is 900 euros.", 1),
        ("The dog eats fish.", "The cat eats fish.", 0.5),  # what only adds to memory
    ],
)
def test_a_value_alone_puts_right_what_the_agent_said_only_if_it_objects(
    message: str, turn: str, corrects: float
) -> None:
    held = places(turn, *FURTHER)
    assert decide(message, turn, held, called=False, corrects=corrects).kind != PUT_RIGHT


def test_what_would_change_two_entries_changes_none() -> None:
    message, turn = "No, it's the fourth floor", "Their desks are on the third floor."
    held = ("Ana's desk is on the third floor.", "Bo's desk is on the third floor.")
    assert decided(message, turn, *held).kind != PUT_RIGHT


def test_the_note_of_a_day_is_never_changed_and_what_was_said_is_noted() -> None:
    found = decided("No, the board meeting is on Thursday.", "", "The board meeting is on Friday.",
        path="memory/2026-05-03.md")  # fmt: skip
    assert (found.kind, found.words) == (NOTED, "No, the board meeting is on Thursday.")
    assert found.place is not None


TELLS = [
    ("The designer is Kim. She wants 2,300.", "April 7.", "The launch is on April 7."),
    ("Marcos no come gluten desde enero.", "Lucía es vegetariana.", "Lucía es vegetariana."),
    ("Unser Nachbar holt am 3. März das Sofa ab.", "Unser Auto ist ein Golf.",
        "Unser Auto ist ein Golf."),
    ("设计师是林晓，她要价2300元。", "会议在周三上午十点。", "会议在周三上午十点。"),
    ("Station 9 is at 42 m depth.", "Station 9.", "The boat is at the quay."),
]  # fmt: skip


@for_each("message, turn, entry", TELLS)
def test_what_only_tells_something_is_no_verdict_on_what_was_said_before_it(
    message: str, turn: str, entry: str
) -> None:
    found = decide(message, turn, places(entry, *FURTHER), called=False, corrects=0.9)
    assert (found.kind, found.place) == (LEFT, None)


def test_what_is_told_about_the_subject_of_a_note_does_not_call_the_note_wrong() -> None:
    note = places("The shop opens on Tuesdays.", path="memory/2026-05-03.md")
    message = "We decided to open on Mondays from April on."
    found = decide(message, "Will do.", note, called=False, corrects=0.9)
    assert (found.kind, found.place) == (LEFT, None)
    found = decide("I moved the bookcase to the shop.", "", note, called=True, corrects=0.9)
    assert (found.kind, found.place) == (NOTED, None)


def test_a_change_of_something_else_disputes_no_entry_with_the_same_value() -> None:
    message, turn = "Mia's lesson moved from Friday to Thursday.", "Lunch with Olaf is on Friday."
    found = decide(message, turn, places(turn, *FURTHER), called=False, corrects=0.9)
    assert (found.kind, found.place) == (NOTED, None)


REPEATED = [
    ("As always, the dog gets fed at 18:00.", "The dog gets fed at 18:00."),
    ("No, 9:40 on zoom, as ever", "Standup is at 9:40 on Zoom."),
    ("Yes, the gym closes at 22:00.", "The gym closes at 22:00."),
    ("Stimmt, wie immer am 3. Mai.", "Das Treffen ist am 3. Mai."),
    ("会议还是3月5日。", "会议在3月5日。"),
]


@for_each("message, entry", REPEATED)
def test_a_repetition_is_no_dispute(message: str, entry: str) -> None:
    assert decided(message, entry, entry).kind == LEFT


IN_DOUBT = {
    "asks": "Wasn't the sync at 9:45? I'd have to look.",
    "reports": "Apparently the sync is at 9:45, says Petra.",
    "supposes": "If the sync is at 9:45 I will miss the bus.",
    "hedges": "Maybe the sync is at 9:45.",
    "holds once": "Today the sync is at 10:00.",
}


@for_each("message", IN_DOUBT.values())
def test_in_doubt_the_operator_is_asked_only_after_a_pattern_of_the_specification(
    message: str,
) -> None:
    held = places("Sync is at 9:15.", *FURTHER)
    assert decided(message, "Sync is at 9:15.", "Sync is at 9:15.").kind == ASKED
    judged = decide(message, "Sync is at 9:15.", held, called=False, corrects=0.9)
    assert judged.kind == LEFT


def test_nobody_is_asked_about_what_no_entry_holds() -> None:
    found = decided("You forgot: Mbali's birthday is on 14 May.", "", "The cat is called Milo.")
    assert (found.kind, found.place) == (NOTED, None)
    assert found.words == "You forgot: Mbali's birthday is on 14 May."
    assert decided("No, nope.", "", "The cat is called Milo.").kind == LEFT


def test_what_is_certain_to_be_wrong_and_not_what_is_right_is_quoted() -> None:
    entry = "The weekly call is on Monday at 3:00."
    assert decided("No, at 3:30, and it's on hermes.", entry, entry).kind == QUOTED
    assert decided("That's wrong.", entry, entry).kind == QUOTED


def test_a_letter_that_names_all_that_an_entry_does_is_no_call_by_its_length() -> None:
    entry = "Frau Brandes is the contact at Elbkinder and reads no mail after 18:00."
    said = "Frau Brandes, contact at Elbkinder, reads mail in the mornings only."
    letter = f"{said} {'We thank you for the plans, which we have looked at with joy. ' * 5}"
    for message, kind in ((said, QUOTED), (letter, LEFT)):
        found = decide(message, entry, places(entry, *FURTHER), called=False, corrects=0.2)
        assert found.kind == kind


def test_what_somebody_else_wrote_is_left() -> None:
    entry = "The launch is on 4 June."
    for message in (
        "> The launch is on 9 June\n\nWhat do you make of that",
        "```\nlaunch: 9 June\n```",
        "the press wrote “the launch is on 9 June”",
        "メールが来た。「発売日は6月9日に変更となりましたのでお知らせします。」",
    ):
        held = places(entry, *FURTHER)
        found = decide(message, entry, held, called=False, corrects=0.9)
        assert found.kind == LEFT, message


PIECES = st.lists(
    st.sampled_from(
        ["No, ", "it's ", "not ", "at 3:30", "at 3:00", "on Friday", "Berlin", "Paris", "the call ",
            ", ", ". ", "“x” ", "`y` ", "不，", "改到四点", "是", "3 May", "12 €", "Lars ", "until ",
            "the third floor", "Bo ", "Ana ", "leads "]
    ),
    min_size=1,
    max_size=9,
).map("".join)  # fmt: skip


@given(message=PIECES, turn=PIECES, entry=PIECES)
def test_whatever_is_put_right_is_one_span_of_the_message_in_place_of_one_of_the_entry(
    message: str, turn: str, entry: str
) -> None:
    found = decided(message, turn, entry)
    if found.change and found.place:
        assert found.change.new.text in message
        assert "“" not in found.change.old.text


SCORES = """
from clawgit.core.markdown.entry import entries
from clawgit.talk.rules.deciding import targets
words = "harbour lantern copper winter ferry barley saddle violet anchor meadow timber walnut".split()
items = (f"- The {' '.join(words[at:] + words[: at % 3])} is here." for at in range(9))
held = entries("\\n".join(items), "MEMORY.md")
print([target.score for target in targets(" ".join(words), "", held)])
"""


def test_what_a_message_is_about_is_the_same_in_every_process() -> None:
    """Two entries that tie would else be one that wins, by the order of a set of words."""
    told = {
        subprocess.run(
            [sys.executable, "-c", SCORES], env={**os.environ, "PYTHONHASHSEED": seed},
            check=True, capture_output=True,
        ).stdout
        for seed in "123"
    }  # fmt: skip
    assert len(told) == 1
