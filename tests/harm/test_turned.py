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
    (_DEPLOY, "No, it's 12 minutes. Oh sorry, you are right"),
    (_DEPLOY, "No, it's 12 minutes. Oh wait, that's wrong."),
    (_DEPLOY, "No, it's 12 minutes. Wait, no."),
    (_DEPLOY, "It's wrong that it's 12 minutes now"),
    (_DEPLOY, "It's wrong, it's 12 minutes now?!"),
    (_DEPLOY, "No, it's no longer 12 minutes."),
    (_DEPLOY, "No, it's 12 minutes by mistake."),
    (_DEPLOY, "No, it's 12 minutes there."),
    (_DEPLOY, "No, it's 12 minutes with you."),
    ("Der Termin ist um 9 Uhr.", "Nein, es ist um 10 Uhr. Ach nein, es stimmt."),
    ("La cena es a las 19:00.", "No, es a las 20:00. No, perdona, bien."),
    ("The train leaves at 8:04.", "No, it's 8:30 already"),
    ("The invoice is due on March 14.", "It's March 4 now"),
    ("团队会议在上午9点。", "不对，现在是10点。"),
]

OF_ANOTHER = [
    (_GYM, "The gym closes at 22:00. It is 21:30.", "No, it's 21:00."),
    (_GYM, "The gym closes at 22:00, and it is 21:30 now.", "No, it's 21:00."),
    (_GYM, "I booked the table for 19:00. The gym closes at 22:00.", "No, it's 20:00."),
    (_GYM, "Does the gym close at 22:00?", "No, it's 21:00."),
    ("The invoice is due on March 14.", "It is due on March 14. Today is March 3.", "No, it's March 4."),
    ("We use Postgres for billing.", "We use Postgres for billing and for search.",
     "No, it's Elastic, not Postgres."),
    ("Bo cooks.", "Bo cooks. Bo is the backup for Ana.", "No, it's Cy, not Bo."),
    ("El gimnasio cierra a las 22:00.", "El gimnasio cierra a las 22:00. Son las 21:30.",
     "No, son las 21:00."),
]  # fmt: skip


@for_each("entry, message", [*DENIED, *TAKEN_BACK])
def test_what_is_denied_or_taken_back_changes_no_entry(entry: str, message: str) -> None:
    for turn in ("", entry):
        assert _held(entry, turn, message) == entry


@for_each("entry, turn, message", OF_ANOTHER)
def test_an_answer_to_an_agent_that_said_more_changes_no_entry(
    entry: str, turn: str, message: str
) -> None:
    assert _held(entry, turn, message) == entry


def test_a_denial_of_what_memory_holds_is_no_repetition() -> None:
    for message in ("No, it's not 900 euros.", "That's wrong, rent is never 900 euros a month."):
        [logged] = said(message, _RENT, turn=_RENT).log
        assert logged.status in ("quoted", "open")


def _held(entry: str, turn: str, message: str) -> str:
    """What the entry says after a message, without what is quoted under it."""
    text = said(message, entry, turn=turn).memory[0].text
    return text.partition("\n")[0].partition(" #")[0]


def test_the_same_said_plainly_does() -> None:
    assert _held(_DEPLOY, _DEPLOY, "No, it's 12 minutes.") == "The deploy takes 12 minutes."
    assert _held(_CACHE, "", "We have changed from Memcached to Redis.").endswith("by Redis.")
