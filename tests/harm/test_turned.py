"""What a message denies, takes back or says of something else is never written as a memory."""

from tests.agents.recalling import said
from tests.each import for_each

_RENT, _DEPLOY = "Rent is 900 euros a month.", "The deploy takes 9 minutes."
_CACHE, _GYM = "Caching is done by Memcached.", "The gym closes at 22:00."

DENIED = [
    (_RENT, "Rent is no longer 950 euros a month."),
    (_RENT, "Rent is not 950 euros a month anymore."),
    (_RENT, "No rent of 950 euros a month!"),
    (_RENT, "Your rent is 950 euros a month."),
    ("The meeting is at 9:00.", "The meeting is no longer at 10:00."),
    ("Die Miete beträgt 900 Euro.", "Die Miete beträgt keine 950 Euro."),
    ("Die Miete beträgt 900 Euro.", "Nein, es sind 950 Euro mehr."),
    ("La renta es de 900 euros.", "La renta no es de 950 euros."),
    ("La renta es de 900 euros.", "No, no son 950 euros."),
    ("월세는 90만원입니다.", "아니요, 95만원은 아니에요."),
    ("会议在周二。", "会议不是在周三。"),
    (_CACHE, "We have not changed from Memcached to Redis."),
    (_CACHE, "It was Redis, not Memcached."),
    (_CACHE, "You changed from Memcached to Redis, and that was a mistake."),
    ("Das Caching macht Memcached.", "Wir haben nicht von Memcached auf Redis gewechselt."),
    ("缓存用Memcached。", "不是把Memcached换成Redis。"),
]

TAKEN_BACK = [
    (_DEPLOY, "No, the deploy takes 12 minutes. Oh sorry, you are right"),
    (_DEPLOY, "No, the deploy takes 12 minutes. Oh wait, that's wrong."),
    (_DEPLOY, "No, the deploy takes 12 minutes. Wait, no."),
    (_DEPLOY, "It's wrong that it's 12 minutes now"),
    (_DEPLOY, "It's wrong, it's 12 minutes now?!"),
    (_DEPLOY, "No, the deploy takes no longer 12 minutes."),
    (_DEPLOY, "No, the deploy takes 12 minutes by mistake."),
    (_DEPLOY, "No, the deploy takes 12 minutes there."),
    (_DEPLOY, "No, the deploy takes 12 minutes with you."),
    ("Der Termin ist um 9 Uhr.", "Nein, der Termin ist um 10 Uhr. Ach nein, es stimmt."),
    ("La cena es a las 19:00.", "No, la cena es a las 20:00. No, perdona, bien."),
    ("The train leaves at 8:04.", "No, the train leaves at 8:30 already"),
    ("The invoice is due on March 14.", "It's March 4 now"),
    ("团队会议在上午9点。", "不对，现在是10点。"),
]

OF_ANOTHER = [
    (_GYM, "The gym closes at 22:00. It is 21:30.", "No, it's 21:00, not 22:00."),
    (_GYM, "The gym closes at 22:00, and it is 21:30 now.", "No, it's 21:00, not 22:00."),
    (_GYM, "I booked the table for 19:00. The gym closes at 22:00.", "No, it's 20:00, not 22:00."),
    (_GYM, "Does the gym close at 22:00?", "No, it's 21:00, not 22:00."),
    ("The invoice is due on March 14.", "It is due on March 14. Today is March 3.", "No, it's March 4, not March 14."),
    ("We use Postgres for billing.", "We use Postgres for billing and for search.",
     "No, it's Elastic, not Postgres."),
    ("Bo cooks.", "Bo cooks. Bo is the backup for Ana.", "No, it's Cy, not Bo."),
    ("El gimnasio cierra a las 22:00.", "El gimnasio cierra a las 22:00. Son las 21:30.",
     "No, son las 21:00, no las 22:00."),
]  # fmt: skip


ALONE = [
    ("Lukas is allergic to peanuts.", "It's walnuts, not peanuts."),
    ("Lukas is allergic to peanuts.", "We replaced peanuts with walnuts"),
    ("Insulin: 10 units in the evening.", "It's 12 units, not 10 units."),
    ("Ole lives in Oslo.", "We moved from Oslo to Bergen."),
    ("Kim works at Holm.", "I switched from Holm to Berg"),
    ("Ana leads Harbor.", "This is Bo, not Ana."),
    ("Ole was born in 1980.", "It's 2026, not 1980!"),
    ("Die Tablette ist am Montag.", "Es ist Dienstag, nicht Montag!"),
    ("奶奶住在北京。", "我从北京搬到了上海。"),
    ("Dinner is at 19:00.", "We're at dinner, it's 20:30"),
]
"""Said of something else, where nobody knows what the agent had said."""

SECOND = [
    ("The trash is collected on Mondays.", "The trash is collected on Thursdays."),
    ("Ana is free on Monday.", "Ana is free on Friday."),
    ("The flight to Rome is on March 3.", "The flight to Rome is on May 9."),
    ("Server oak has a 500 GB disk.", "Server oak has a 900 GB disk."),
    ("The medicine is at 8:00.", "The medicine is at 20:00."),
    ("Der Müll wird am Montag abgeholt.", "Der Müll wird am Freitag abgeholt."),
    ("The bakery closes at 18:00.", "No, the bakery closed at 17:00."),
    ("My lesson is at 4:00.", "No, a lesson is at 5:00"),
    ("My rent is 900 euros.", "No, the rent is 1200 euros"),
    ("Our lesson is at 4:00.", "No, my lesson is at 5:00"),
    ("The server has 32 GB.", "No, we have a server with 64 GB."),
]
"""It may hold beside the first, or it is of another's or of another time."""

NOW = [
    (_DEPLOY, "Not now. We have 12 minutes."),
    ("The budget is 200 euros.", "No, I have 300 euros."),
    ("Das Treffen ist am Dienstag.", "Nein, wir haben Mittwoch."),
    ("The meeting is at 9:00.", "No, it's 10:00 now."),
    ("会议在周二。", "不对，现在是周三了。"),
    ("La cena es a las 19:00.", "No, ahora son las 20:00."),
    ("회의는 9시입니다.", "아니요, 지금은 10시예요."),
]
"""What the clock says, or what somebody has, is no answer to the agent."""

_DENTIST, _ZAHNARZT = (
    "The dentist is on Tuesday, 24 November at 9:00.",
    "Dienstag, 24.11., um 9:00.",
)

BOUND = [
    (_DENTIST, "no, the dentist is on Thursday"),
    (_DENTIST, "No, the 24th is wrong: it's Thursday."),
    (_DENTIST, "No, the dentist is on 26 November."),
    ("The dentist is on 24 November (Tuesday).", "No, the dentist is on 26 November."),
    ("The dentist is on Tuesday (2026-11-24).", "No, the dentist is on Thursday."),
    ("The dentist is on Tuesday (said 2026-02-12).", "No, the dentist is on Thursday."),
    ("The dentist is on Tuesday the 24th.", "No, the dentist is on Thursday."),
    ("The dentist is on Tuesday, 24/11.", "No, the dentist is on Thursday."),
    (f"Der Zahnarzt ist am {_ZAHNARZT}", "Nein, der Zahnarzt ist am Donnerstag."),
    (f"Der Zahnarzt ist am {_ZAHNARZT}", "Der Zahnarzt ist am 26.11., nicht am 24.11."),
    ("La cita es el martes, 24 de noviembre.", "No, la cita es el jueves."),
    ("La cita es el martes 24.", "No, la cita es el jueves."),
    ("Le rendez-vous est mardi 24 novembre.", "Non, le rendez-vous est jeudi."),
    ("A consulta é terça, 24 de novembro.", "A consulta mudou de terça a quinta"),
    ("牙医预约是11月24日（周二）。", "不对，牙医预约是周四。"),
    ("歯医者は11月24日（火曜日）です。", "違います、歯医者は木曜日です。"),
    ("치과는 11월 24일(화요일)입니다.", "아니요, 치과는 목요일이에요."),
    ("The run is 10 km (6 miles).", "No, the run is 12 km."),
    ("The run is 10 km (6 miles).", "The run is 7 miles, not 6 miles."),
]
"""The other value, which follows from the one that is put right, would be left."""


@for_each("entry, message", [*DENIED, *TAKEN_BACK, *SECOND, *NOW, *BOUND])
def test_what_is_denied_taken_back_or_of_something_else_changes_no_entry(
    entry: str, message: str
) -> None:
    for turn in ("", entry):
        assert _held(entry, turn, message) == entry


@for_each("entry, message", ALONE)
def test_without_the_subject_it_must_answer_an_agent(entry: str, message: str) -> None:
    assert _held(entry, "", message) == entry


@for_each("entry, turn, message", OF_ANOTHER)
def test_an_answer_to_an_agent_that_said_more_changes_no_entry(
    entry: str, turn: str, message: str
) -> None:
    assert _held(entry, turn, message) == entry


@for_each(
    "entry, message",
    [
        ("My pill is 5 mg.", "no, 10 mg"),
        ("The bus leaves at 7:35.", "No, it's 7:25."),
        ("Parking costs 2 euros an hour.", "No, 15 euros."),
        ("The office is on the third floor.", "No, it's the fourth."),
        ("Der Zug geht um 18:50.", "Nein, um 7:10."),
        ("会议是10点。", "不对，是11点。"),
    ],
)
def test_a_value_alone_is_quoted_for_nobody_knows_whose_it_is(entry: str, message: str) -> None:
    """“Mom's is 10, mine really is 5”, “only in winter” and “a day” came after it."""
    came = said(message, entry, turn=entry)
    assert [each.status for each in came.log] == ["quoted"]
    assert _held(entry, entry, message) == entry


def test_a_denial_of_what_memory_holds_is_no_repetition() -> None:
    for message in ("No, it's not 900 euros.", "That's wrong, rent is never 900 euros a month."):
        [logged] = said(message, _RENT, turn=_RENT).log
        assert logged.status in ("quoted", "open")


def _held(entry: str, turn: str, message: str) -> str:
    """What the entry says after a message, without what is quoted under it."""
    text = said(message, entry, turn=turn).memory[0].text
    return text.partition("\n")[0].partition(" #")[0]


def test_the_same_said_plainly_does() -> None:
    for message in ("No, the deploy takes 12 minutes.", "No, it's 12 minutes, not 9 minutes."):
        assert _held(_DEPLOY, _DEPLOY, message) == "The deploy takes 12 minutes."
    assert _held(_CACHE, _CACHE, "No, it changed from Memcached to Redis.").endswith("Redis.")


def test_a_weekday_without_a_date_and_a_date_that_is_said_with_it_are_put_right() -> None:
    for entry, message, now in (
        (
            "The dentist is on Tuesday at 9:00.",
            "no, the dentist is on Thursday",
            "Thursday at 9:00.",
        ),
        ("The dentist is on Tuesday at 9.", "no, the dentist is on Thursday", "Thursday at 9."),
        (_DENTIST, "No, the dentist is at 10:00.", "Tuesday, 24 November at 10:00."),
        (_DENTIST, f"No, {_DENTIST.replace('Tues', 'Thurs')}", "Thursday, 24 November at 9:00."),
    ):
        assert _held(entry, entry, message).endswith(now)
