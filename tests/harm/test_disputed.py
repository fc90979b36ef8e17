"""No true entry is disputed by a message that is about something else."""

from datetime import timedelta

from clawgit.agents.contract import Call, Snapshot
from clawgit.agents.correcting_typed import ToldCorrection, correct
from clawgit.core.config.settings import Settings
from clawgit.core.markdown.entry import entries
from clawgit.talk.rules.chat import Message, told
from clawgit.talk.rules.corrections import statement
from clawgit.talk.rules.deciding import LEFT, decide
from clawgit.talk.rules.triage import surest, triage
from tests.agents.recalling import NOW, Came, call, landed, memory, said, validate
from tests.each import for_each

PURPOSE = "**Purpose:** DaVinci Resolve video editing for Lofi Shaman YouTube channel"
DENTIST, PLUMBER = "The dentist is on Tuesday at 9:00.", "The plumber comes on Monday."
WEDDING, VENUE = "The wedding is on 12 June 2027.", "The wedding venue is the Old Mill."
CATERER = "The caterer comes on 11 June 2027."


def disputed(came: Came) -> list[str]:
    marked = (entry for entry in came.memory if entry.status == "disputed")
    return [statement(entry).splitlines()[0] for entry in marked]


@for_each(
    "turn, message",
    [
        ("Video 2 is 58m 40s.", "No, video 2 is 62 minutes."),
        ("The video was uploaded on Monday.", "No, the video was uploaded on Tuesday."),
        ("The video is about trains.", "No, the video is about boats."),
    ],
)
def test_what_is_put_right_stands_alone_where_no_entry_holds_it(turn: str, message: str) -> None:
    came = said(message, PURPOSE, turn=turn)
    assert disputed(came) == []
    assert [(each.status, each.correct) for each in came.log] == [("confirmed", message)]
    assert came.log[0].said == turn


@for_each(
    "turn, message, items, meant",
    [
        ("The wedding is on 12 June 2027 at the Old Mill.", "No, it's the 19th of June!",
            (WEDDING, VENUE), [WEDDING]),
        ("The wedding is on 12 June 2027 at the Old Mill.", "No, it's the 19th of June!",
            (VENUE,), []),
        (CATERER[:-1] + ", and the wedding is on 12 June 2027.", "No, it's on the 19th!",
            (CATERER, WEDDING), []),
        (CATERER[:-1] + ", and the wedding is on 12 June 2027.", "No, the wedding is on the 19th!",
            (CATERER, WEDDING), [WEDDING]),
        (DENTIST, "no, Wednesday, the plumber", (DENTIST, PLUMBER), [PLUMBER]),
    ],
)  # fmt: skip
def test_of_two_entries_that_the_agent_repeats_the_value_and_the_message_decide(
    turn: str, message: str, items: tuple[str, ...], meant: list[str]
) -> None:
    came = said(message, *items, turn=turn)
    assert disputed(came) == meant
    assert came.log


@for_each(
    "message, item",
    [
        ("The Berlin office got new chairs", "The Berlin office has 12 desks."),
        ("The lofi shaman video got 12k views in two days", PURPOSE),
        ("Peter moved from Oslo to Bergen… nice flat", "Peter's office is in Oslo."),
        ("My neighbour's dog is called Bruno, not Rufus", "My dog is called Rufus."),
        (
            "Sofía ha terminado Derecho y empieza el máster en enero, en Salamanca también.",
            "Mi hija Sofía estudia en Salamanca.",
        ),
    ],
)
def test_news_disputes_nothing(message: str, item: str) -> None:
    came = said(message, item)
    assert disputed(came) == []
    assert {each.status for each in came.log} <= {"dismissed"}


@for_each(
    "item, message",
    [
        ("Our dog Rex is allergic to chicken.", "our electrician is now called Sven"),
        ("My sister Ana is a dentist in Porto.", "we got a second dog, his name is Bo"),
        ("We use PostgreSQL for billing.", "we opened an office in Berlin too"),
        ("Grandma likes roses.", "mum switched to decaf"),
        ("The car insurance is 400 a year.", "Rent went up to 950."),
        ("Lunch with Olaf is on Friday.", "The gym is closed on Friday."),
        ("Der Kurs ist am Montag um 18 Uhr.", "Die Miete ist auf 950 gestiegen."),
    ],
)
def test_news_of_another_matter_disputes_nothing_that_the_agent_has_just_said(
    item: str, message: str
) -> None:
    for path in ("MEMORY.md", "memory/2026-02-10.md"):
        files = {**memory(), path: f"# Notes\n\n- {item}\n"}
        assert validate(files, call(message, turn=item)).files == files


@for_each(
    "items, turn, message",
    [
        (("The mill opens at 9.", "The barn opens at 9."), "The mill and the barn open at 9.",
            "that one opens at 10 since the renovation"),
        (("The dentist is Dr. Weiss on Elm Street.", "My dad's dentist is Dr. Weiss."),
            "Your dentist is Dr. Weiss.", "we switched to Dr. Braun in January, he is much better"),
        (("Invoices of Norway go to Mina.", "Invoices of Sweden go to Mina."),
            "The invoices go to Mina.", "Mina left in March, Sven does the invoices now"),
    ],
)  # fmt: skip
def test_which_of_two_that_fit_is_meant_is_asked_in_whatever_order_they_stand(
    items: tuple[str, str], turn: str, message: str
) -> None:
    for order in (items, items[::-1]):
        came = said(message, *order, turn=turn)
        assert disputed(came) == []
        assert [each.status for each in came.log] == ["open"]


@for_each(
    "turn, message, item, right, after",
    [
        # An entry that holds the words by chance stays, and so does one that was quoted under.
        ("", "You got it wrong, the lofi shaman video is 62 minutes", PURPOSE,
            "Video 2 is 62 minutes.", [PURPOSE, "Video 2 is 62 minutes."]),
        (DENTIST, "no, Wednesday, but 10:00 may be", DENTIST, "Wednesday at 10:00.",
            ["Wednesday at 10:00."]),
        (DENTIST, "No, it's the day after, Dr. Chen", DENTIST, "Dr. Chen is there on Wednesday.",
            ["Dr. Chen is there on Wednesday."]),
    ],
)  # fmt: skip
def test_what_settles_a_guess_replaces_only_the_entry_that_it_is_about(
    turn: str, message: str, item: str, right: str, after: list[str]
) -> None:
    quoted = said(message, item, turn=turn)
    [asked] = quoted.log
    assert asked.waits
    typed = ToldCorrection(right, closes=asked.id, sure=True)
    came = landed(quoted.files, correct(Snapshot(NOW, Settings(), quoted.files, run="r2"), typed))
    assert [statement(entry) for entry in came.memory] == after
    assert disputed(came) == []


def talked(item: str, *turns: str) -> Came:
    """What comes of a talk in which the operator writes first, and every other time."""
    files, before = memory(item), list[Message]()
    came = said("", item)
    for number, text in enumerate(turns):
        role = "assistant" if number % 2 else "user"
        before.append(told("main", role, text, NOW + timedelta(minutes=number), f"m{number}"))
        if role == "user":
            found = tuple(triage(text))
            heard = Call(before[-1], found, tuple(before[:-1]), surest(found))
            came = validate(files, heard, run=f"r{number}")
            files = dict(came.files)
    return came


@for_each(
    "item, message, reassured",
    [
        ("会议在周一。", "不对，会议在周二。", "不用担心，没事。"),
        ("会議は月曜日です。", "会議は月曜日ではなく、火曜日です。", "心配しないで、大丈夫。"),
    ],
)
def test_do_not_worry_takes_nothing_back(item: str, message: str, reassured: str) -> None:
    one = talked(item, message)
    assert len(one.log) == 1
    assert talked(item, message, "！", reassured).memory == one.memory


@for_each(
    "message",
    [
        'Te pego lo que ha escrito Rosa: "No, el equipo se reúne los martes"',
        "Das kam von Tom:\n> Nein, das Team trifft sich dienstags",
        "my boss just mailed: no, the team meets on Tuesdays, not Mondays",
    ],
)
def test_what_others_wrote_is_not_the_operators_correction(message: str) -> None:
    [held] = entries("- The dentist is on Friday.\n", "MEMORY.md")
    assert decide(message, "", [held], called=True, corrects=1.0).kind == LEFT


@for_each(
    "wish, status",
    [
        ("can you move the dentist to Wednesday?", "open"),
        ("I want the dentist on Wednesday", "open"),
        ("when is the dentist?", "quoted"),
    ],
)
def test_a_wish_puts_nothing_right(wish: str, status: str) -> None:
    came = talked(DENTIST, wish, DENTIST, "No, Wednesday.")
    assert [each.status for each in came.log] == [status]
    assert bool(disputed(came)) == (status == "quoted")


def test_what_says_a_question_again_disputes_nothing() -> None:
    came = talked(
        PLUMBER, "is the plumber coming on Wednesday?", DENTIST, "no, Wednesday, the plumber"
    )
    assert [each.status for each in came.log] == ["open"]
    assert (
        talked(PLUMBER, "is the plumber coming on Monday?", PLUMBER, "Monday, the plumber").log
        == ()
    )


FLIGHT, HOTEL = "The flight to Oslo leaves at 7.", "The hotel in Oslo is the Hilton."


@for_each(
    "message, meant",
    [
        ("No, the flight to Oslo leaves at 9. And the hotel in Oslo is the Ritz, not the Hilton.",
            [FLIGHT, HOTEL]),
        ("No, the flight to Oslo leaves at 9. My mother's hotel in Oslo is the Ritz, not the Hilton.",
            [FLIGHT]),
        ("No, the flight to Oslo leaves at 9, I called the hotel.", [FLIGHT]),
    ],
)  # fmt: skip
def test_each_entry_that_a_message_denies_has_its_quote(message: str, meant: list[str]) -> None:
    others = ("Ana works at the Hilton.", "The spa is the Hilton, in Oslo.")
    came = said(message, FLIGHT, HOTEL, *others, turn=f"{FLIGHT[:-1]}, and {HOTEL.lower()}")
    assert disputed(came) == meant
    assert [each.status for each in came.log] == ["quoted"] * len(meant)
    assert len({each.id for each in came.log}) == len(meant)
    assert {each.source for each in came.log} == {"chat:main/m3"}


@for_each(
    "item, message",
    [
        (
            "My daughter is allergic to eggs, my son to milk.",
            "Other way round: my daughter is allergic to milk, my son to eggs",
        ),
        ("我女儿对鸡蛋过敏，儿子对牛奶过敏", "说反了，女儿对牛奶过敏，儿子对鸡蛋过敏"),
    ],
)
def test_what_was_said_the_wrong_way_round_does_not_stand_unmarked(item: str, message: str) -> None:
    came = talked(item, "What's for lunch?", "Soup.", message)
    assert [each.status for each in came.log] == ["open"] or disputed(came)


@for_each(
    "message",
    [
        "nope, my clock was wrong",
        "no wait I'm reading my own bottle",
        "wait, wrong timetable",
    ],
)
def test_a_second_thought_disputes_what_was_put_right(message: str) -> None:
    item = "The bus to the station leaves at 7:35."
    right = "No, the bus to the station leaves at 7:25."
    assert disputed(talked(item, "my bus?", item, right, "OK, 7:25.", message))
    assert not disputed(talked(item, "my bus?", item, right, "OK, 7:25.", "Thanks!"))
