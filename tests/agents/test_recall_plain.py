"""What is not plain is asked about, and leaves memory as it is: a wrong edit is worse than a question."""

from datetime import timedelta

import pytest

from clawgit.agents.contract import Call
from clawgit.domain.chat import told
from clawgit.domain.corrections import CONFIRMED, OPEN
from clawgit.domain.triage import surest, triage
from tests.agents.recalling import NOW, call, memory, validate

NOT_PLAIN = (
    # The opposite of what an entry denies or affirms.
    ("Anna does not speak Spanish.", "Don't you remember? Anna speaks Portuguese."),
    ("Anna does not speak Spanish.", "I already told you: Anna speaks Portuguese."),
    ("The server room is not on floor 4.", "No, the server room is on floor 5."),
    ("Ben doesn't eat meat.", "No, Ben eats fish."),
    ("We never deploy on Fridays.", "No, we deploy on Thursdays."),
    ("The key is under the mat.", "No, the key is not under the mat, and not in the pot either."),
    ("Olga does not work on Mondays.", "No, Olga works on Tuesdays."),
    # Supposed, hoped for, or in jest.
    ("Our office is in Hamburg.", "If the office were in Munich, I'd be happier. No, really."),
    ("The server room is on floor 4.", "Imagine the server room was on floor 9. Wrong, right?"),
    ("The VPN port is 1194.", "That's wrong. Suppose the VPN port is 9999, then nothing would work."),
    ("The studio is in Leeds.", "Wrong. What if the studio is in York?"),
    ("The cat is called Miso.", "No, the cat is called Miso Soup on Sundays, haha just kidding."),
    ("Rosa lives in Porto.", "No, Rosa lives in Atlantis, only joking."),
    # Unsure, or what others say.
    ("Tom is allergic to peanuts.", "No, Tom is allergic to nuts, I think, but I am not sure."),
    ("Our office is in Hamburg.", "That's wrong. Everybody thinks the office is in Munich."),
    ("Our office is in Hamburg.", "No, the office should be in Munich, if you ask me."),
    ("The cat is called Miso.", "No, my sister says the cat is called Nori, but she's wrong."),
    ("The gate code is 4411.", "No, the gate code is probably 4412."),
    ("The train leaves at 7:10.", "Wrong, the train leaves at 7:40, if I remember correctly."),
    # One or the other, several, bounds and conditions.
    ("The server room is on floor 4.", "No, the server room is on floor 5 or 6."),
    ("The match is on Friday.", "No, the match is either on Saturday or on Sunday."),
    ("The dose is 5 mg.", "No, the dose is at most 2 mg."),
    ("The dose is 5 mg.", "No, the dose is between 5 and 10 mg."),
    ("Standup is at 9:30.", "No, the standup is at 9:30 on Mondays and at 10:00 on all other days."),
    ("Pia is 35 years old.", "No, Pia is 36 years old. Sorry, I mean 37."),
    ("The limit is 5 GB.", "No, the limit is 5 TB."),
    ("The belt is 20 cm wide.", "No, the belt is 20 mm wide."),
    # What was, and what will be.
    ("Our office is in Hamburg.", "No, the office used to be in Munich."),
    ("Our office is in Hamburg.", "No, the office will be in Rome from 2027."),
    ("Backups run at 02:00.", "No, Backups run at 04:00 was the old value; 02:00 is right."),
    ("The van is white.", "No, the van was never white."),
    ("The intern is Leo.", "That's wrong. Leo was the intern. Now it's Mia."),
    # No day, or a day that nobody said.
    ("The demo is on 2026-02-20.", "No, the demo is at the end of March."),
    ("The invoice is due on 2026-02-20.", "No, the invoice is due on the 45th of May."),
    ("The call is at 9:00.", "No, the call is at 25:99."),
    # More than would be written.
    ("We meet on Mondays.", "No, we meet on Mondays and Thursdays."),
    ("We ship to Spain.", "No, we ship to Spain, Italy and Malta."),
    ("The pump needs oil.", "No, the pump also needs water."),
    ("The invoice is due on 2026-02-20.", "No, the invoice is due on the last Friday of February."),
    ("The demo is on 2026-02-20.", "No, the demo is on the first Monday in March."),
    ("The demo is on 2026-02-20.", "No, the demo is not on 2026-02-20 but on the last Friday of March."),
    # Of the same kinds, in other words.
    ("The wifi password hint is blue.", "No, I guess the wifi password hint is green."),
    ("Lunch is at 12:30.", "Wrong, lunch is at 12:30 or 13:00."),
    ("Lunch is at 12:30.", "No, lunch is around 13:00."),
    ("Karl never drinks coffee.", "No, Karl drinks tea."),
    ("The heater is not in room 3.", "No, it's in room 4."),
    ("The price is 20 euros.", "No, the price is 20 dollars."),
    ("The trip takes 3 hours.", "No, the trip takes 3 days."),
    ("The server is in Frankfurt.", "No, the server was in Paris until last year."),
    ("The server is in Frankfurt.", "No, as of next month the server is in Paris."),
    ("The server is in Frankfurt.", "That's wrong, I wish the server was in Paris."),
    ("Mia works at Bosch.", "No, Mia might work at Siemens."),
    ("Mia works at Bosch.", "Wrong. Rumour has it Mia works at Siemens."),
    ("The pool opens at 8:00.", "No, the pool opens at 9:00, or was it 10:00?"),
    ("The pool opens at 8:00.", "No, the pool opens at 9:00 except on Sundays."),
    ("The pool opens at 8:00.", "No, the pool opens at 7:00 in summer and at 9:00 in winter."),
    ("The pool opens at 8:00.", "No, the pool opens at 9. No wait, 10."),
    ("The dog is called Rex.", "No, the dog was called Rex. Now he's Bruno."),
    ("The party is on 2026-05-02.", "No, the party is in the middle of June."),
    ("The party is on 2026-05-02.", "No, the party is on the second Saturday of June."),
    ("The party is on 2026-05-02.", "No, the party is on the 31st of June."),
    ("Our bank is Postbank.", "No, if I had to choose, our bank would be Sparkasse."),
    ("Our bank is Postbank.", "No, our bank is Sparkasse. Just kidding!"),
    ("Max's birthday is June 14.", "No, not Max's birthday is June 14, but Lea's."),
    ("The meeting room is Fuji.", "No, the meeting room is Etna from Monday on."),
    ("Rent is 900 euros.", "No, rent is 950 euros plus 100 for heating."),
    ("Eva likes jazz.", "No, Eva hates jazz."),
    ("The backup runs weekly.", "No, the backup should run daily."),
    ("The van is white.", "No, the van is said to be red."),
    ("The deadline is 2026-03-01.", "No, the deadline is 2026-03-01 for Anna and 2026-04-01 for Ben."),
)
LEFT_ALONE = (
    ("The contract ends on 2026-12-31.", "No, it's garage C and it ends in November."),
    ("The budget is 400 euros.", "No, let's say the budget is 900 euros."),
    ("We use Teams for chat.", "No, we use Slack only at night; during the day Teams."),
    ("Rent is 1.350 EUR a month.", "No, the van isn't white. It's a rental."),
)
PLAIN = (
    ("The price of the flat is 395,000.", "No, the price of the flat was lowered to 379,000.", "is 379,000."),
    ("Nina is vegan.", "No, Nina isn't vegan.", "Nina is not vegan."),
    ("Nina is vegan.", "No, Nina is not vegan but vegetarian.", "Nina is vegetarian."),
    ("The plumber is Mr. Otto.", "No, the plumber is Mr. Otto Brandt.", "is Mr. Otto Brandt."),
    ("The office is in Berlin.", "No, until yesterday the office was in Berlin, now it's in Kiel.", "is in Kiel."),
    ("Tom is allergic to peanuts.", "Tom isn't allergic to peanuts, he's allergic to shellfish.", "to shellfish."),
    ("Sam speaks French.", "No, Sam speaks French and German.", "French and German."),
    ("The client is called Acme.", "No, the client is called Acme Holdings Ltd.", "called Acme Holdings Ltd."),
    ("The cat is called Miso.", "No, the cat is called Miso Soup.", "called Miso Soup."),
    ("The gate code is known to Rita.", "No, the gate code is known to Rita and Tim.", "known to Rita and Tim."),
    ("The office is in Hamburg.", "No, the office is in Hamburg and Bremen.", "in Hamburg and Bremen."),
    (
        "Our landlord is Mr. Weber.",
        "That's not right: our landlord isn't Mr. Weber, it's Mrs. Kowalczyk since January.",
        "is Mrs. Kowalczyk.",
    ),
    ("The server room is on floor 4.", "No, the server room is on floor 5.", "on floor 5."),
    ("The limit is 5 GB.", "No, the limit is 8 GB.", "is 8 GB."),
    ("Standup is at 9:30.", "Wrong. Standup is at 10:00, not 9:30.", "at 10:00."),
    ("The demo is on 2026-02-20.", "No, the demo is on 2026-03-06.", "on 2026-03-06."),
    ("The intern is Leo.", "That's wrong, the intern is Mia.", "is Mia."),
    ("Anna does not speak Spanish.", "No, Anna speaks Spanish.", "speaks Spanish."),
    ("The dentist is in Kreuzberg.", "No, it isn't in Kreuzberg, the dentist is in Mitte.", "in Mitte."),
    ("The gate code is 4411.", "I told you before: the gate code is 4412!", "is 4412."),
    ("Rosa lives in Porto.", "Rosa no longer lives in Porto, she lives in Braga now.", "in Braga"),
)


@pytest.mark.parametrize(("entry", "said"), NOT_PLAIN)
def test_what_is_not_plain_is_asked_and_memory_stays(entry: str, said: str) -> None:
    came = validate(memory(entry), call(said))
    assert came.texts == [entry]
    assert [one.status for one in came.log] == [OPEN]


@pytest.mark.parametrize(("entry", "said"), LEFT_ALONE)
def test_what_is_not_of_an_entry_never_changes_it(entry: str, said: str) -> None:
    came = validate(memory(entry), call(said))
    assert came.texts == [entry]
    assert CONFIRMED not in [one.status for one in came.log]


@pytest.mark.parametrize(("entry", "said", "right"), PLAIN)
def test_what_is_plain_is_written_whole(entry: str, said: str, right: str) -> None:
    came = validate(memory(entry), call(said))
    assert right in came.texts[0]
    assert [one.status for one in came.log] == [CONFIRMED]


def _next(first: Call, text: str, turn: str = "") -> Call:
    """What the operator says next in the talk of a call."""
    before = (*first.exchange, first.message)
    if turn:
        before = (*before, told("main", "assistant", turn, NOW + timedelta(minutes=1), "m4"))
    found = tuple(triage(text))
    return Call(told("main", "user", text, NOW + timedelta(minutes=2), "m5"), found, before, surest(found))


TOM = "Tom is allergic to cashews."


@pytest.mark.parametrize(
    ("entry", "said", "turn"),
    [
        ("Backups run at 02:00.", "That's wrong, backups probably run at 04:00 on Sundays.", ""),
        ("Backups run at 02:00.", "That's wrong.", "Backups run at 02:00."),
        ("The VPN port is 1194.", "No, the VPN port is 1195 or 1196.", "The VPN port is 1194."),
    ],
)
def test_a_correction_of_another_matter_never_takes_an_open_question(entry: str, said: str, turn: str) -> None:
    files = memory(entry, TOM)
    asked = call(said, turn)
    before = validate(files, asked)
    after = validate(before.files, _next(asked, "I told you Tom is allergic to peanuts!"))
    assert [one.status for one in before.log] == [OPEN]
    assert after.log[0] == before.log[0]
    assert [one.status for one in after.log] == [OPEN, CONFIRMED]


def test_what_follows_at_once_and_names_the_same_thing_closes_the_question() -> None:
    asked = call("That's wrong.", "Backups run at 02:00.")
    before = validate(memory("Backups run at 02:00.", TOM), asked)
    after = validate(before.files, _next(asked, "No, backups run at 04:00.", "When do they run?"))
    assert [(one.id, one.status) for one in after.log] == [(before.log[0].id, CONFIRMED)]
    assert "Backups run at 04:00." in after.texts[0]


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("Karl drinks coffee.", "No, Karl never drinks coffee."),
        ("The budget is 400 euros.", "No, let's say the budget is 900 euros."),
        ("The dog is called Rex.", "That's wrong, not Rex."),
    ],
)
def test_what_denies_what_was_just_said_is_never_passed_over(entry: str, said: str) -> None:
    came = validate(memory(entry), call(said, entry))
    assert came.texts == [entry]
    assert [one.status for one in came.log] == [OPEN]
