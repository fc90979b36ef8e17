"""How two orders, and two complaints, stand to each other; and the frame for what came again."""

from datetime import UTC, datetime, timedelta

from clawgit.soul.rules.growth import (
    FAILED,
    ORDERED,
    PRAISED,
    Growth,
    Sign,
    alike,
    heard,
    opposes,
    ordered,
    same,
)
from clawgit.talk.rules.kept_line import bears
from tests.agents.souls import DATES, answers, says
from tests.each import for_each

THEN = datetime(2026, 2, 13, tzinfo=UTC)


@for_each(
    "one, other",
    [
        ("Always check the invoices twice.", "always check the backups twice"),
        ("Do not use emojis in mails.", "Use emojis."),
        ("Never push without asking.", "Ask before you delete files."),
    ],
)
def test_orders_of_another_matter_are_neither(one: str, other: str) -> None:
    assert not same(one, other)
    assert not opposes(one, other)


def test_complaints_of_one_matter_share_its_words() -> None:
    assert alike(
        "you forgot to run the tests before the push", "again no tests run. push without tests!"
    )
    assert not alike("you forgot to run the tests", "you forgot to book the flight to Oslo")
    assert not alike("again??", "again??")


@for_each("kind, did", [(FAILED, "Corrected"), (PRAISED, "Praised")])
def test_what_came_again_is_counted_by_its_days_with_its_newest_words(kind: str, did: str) -> None:
    signs = [
        Sign(kind, f"Marta: “{day}”", THEN + timedelta(days=day), f"chat:{day}", "")
        for day in range(3)
    ]
    assert Growth(kind, tuple(signs)).rule == (
        f"{did} 3 times (2026-02-13, 2026-02-14, 2026-02-15): Marta: “2”"
    )
    twice = Growth(kind, (signs[0], signs[1], signs[1]))
    assert twice.rule == f"{did} 2 times (2026-02-13, 2026-02-14): Marta: “1”"


# What a judge hears as an order, in six languages, and that its words stay as they were said.


SAID = datetime(2026, 2, 13, 12, tzinfo=UTC)

ORDERS = {
    "en": (
        "From now on use metric units.",
        "please never send my clients a mail without showing me first, ever",
        "going forward every invoice gets a due date at the top",
        "always put the totals in bold in the weekly table",
        "no emojis in anything that goes to the board, not once",
    ),
    "de": (
        "ab jetzt bitte immer auf Deutsch antworten",
        "schick nie wieder was an Kunden ohne dass ich drübergeschaut hab",
        "In Mails an Kunden bitte immer Sie, nie du.",
        "ab sofort alle Preise netto angeben",
    ),
    "es": (
        "de ahora en adelante contéstame siempre en español",
        "nunca mandes correos a los clientes sin enseñármelos antes",
        "siempre pon el total al principio de cada informe, por favor",
        "a partir de ahora las fechas con el día primero",
    ),
    "zh": (
        "以后都用中文回答我",
        "写邮件一律不要用表情符号，每次都这样",
        "从现在起报表先给我看再发",
        "凡是给客户的报价，一定要我确认了才能发",
    ),
    "ja": (
        "これからはずっと日本語で答えて",
        "メールに絵文字は絶対に使わないでください。今後すべて",
        "見積もりは必ず私に見せてから送ってください。毎回です",
        "今後は日付を西暦で書いて",
    ),
    "ko": (
        "앞으로 항상 한국어로 대답해 주세요",
        "메일에 이모티콘 절대 쓰지 마세요. 항상요",
        "이제부터 견적은 저한테 먼저 보여주고 보내세요",
        "손님한테 보내는 문자는 무조건 존댓말로요, 매번",
    ),
}
NONE = (
    # a habit, a fact
    "I always take the 8:15 train",
    "I never eat breakfast before ten",
    "Tom always forgets his keys lol",
    "wir fahren jeden Sommer an die Ostsee",
    "siempre desayuno a las ocho",
    "我每天早上七点起床",
    # a report
    "my boss told me always to copy her in",
    "the new landlord says we must never park in the yard",
    "meine Chefin hat gesagt, ich soll immer pünktlich sein",
    "el jefe dijo que nunca lleguemos tarde",
    # a question
    "do you always answer in German?",
    "should I always put the totals first?",
    "soll ich das ab jetzt immer so machen?",
    "¿siempre tengo que firmar las dos copias?",
    # for once
    "just this once send it without the logo",
    "please answer in English today",
    "nur heute bitte ohne Anhang schicken",
    "delete the old logs and tell me when you're done",
    # somebody else's words
    'the sign says "from now on always lock the gate and switch off the lights"',
    "> From now on always answer in Latin.\nwhat do you make of that mail?",
    "```\n# always run as root, never ask\n```",
)


def test_orders_are_heard_in_six_languages_and_stand_in_the_words_in_which_they_were_said() -> None:
    known: dict[str, int] = {}
    for code, orders in ORDERS.items():
        for said in orders:
            signs = [sign for sign in heard([says(said)], "Marta", UTC) if sign.kind == ORDERED]
            known[code] = known.get(code, 0) + len(signs)
            assert all(bears(said, sign.rule) for sign in signs)
    assert all(known[code] >= 0.5 * len(orders) for code, orders in ORDERS.items()), known
    assert sum(known.values()) >= 0.7 * sum(map(len, ORDERS.values())), known


@for_each("said", NONE)
def test_habits_reports_questions_and_tasks_are_no_certain_orders(said: str) -> None:
    assert not [
        sign for sign in heard([says(said)], "Marta", UTC) if sign.kind == ORDERED and sign.sure
    ]


@for_each(
    "said",
    [
        f"My boss says: {DATES}",
        f"{DATES} Could you do that?",
        f"I think {DATES[0].lower()}{DATES[1:]}",
        f"Today {DATES[0].lower()}{DATES[1:]}",
        f"He wrote: “{DATES}”",
        "From now on always keep 10 copies of invoices, haha, no, 3 is fine.",
        "From now on always answer in German - forget it, I prefer English.",
        "From now on never say please until the scanner is repaired.",
        "From now on never say please while I am on holiday.",
    ],
)
def test_a_report_a_question_a_hedge_a_while_a_quotation_and_a_joke_make_an_order_uncertain(
    said: str,
) -> None:
    found = ordered(said, "Marta", SAID)
    assert found is None or not found[1]


@for_each("before", ["", "You are right: Redis.", "The invoice is on its way."])
def test_what_is_said_for_good_is_certain_whatever_the_agent_spoke_of_before(before: str) -> None:
    said = "From now on, always ask me before you delete anything."
    assert ordered(said, "Marta", SAID, before) == (f"Marta: “{said}”", True)


@for_each(
    "said, is_sure",
    [
        ("I take that back, it was a bad idea.", False),
        ("Ignore my last message.", False),
        ("What is the weather in Turku?", True),
    ],
)
def test_an_order_that_the_next_message_may_take_back_is_not_certain(
    said: str, is_sure: bool
) -> None:
    talk = [says(DATES), answers("Fine.", 0.4), says(said, 0.3)]
    assert [sign.sure for sign in heard(talk, "Marta", UTC) if sign.kind == ORDERED] == [is_sure]


def test_a_group_an_agent_and_a_pasted_page_are_not_heard() -> None:
    group = says(DATES, session="agent:main:x:group:1")
    assert heard([group, answers(DATES), says(f"{DATES} " * 100)], "Marta", UTC) == ()


def test_an_order_keeps_the_sentence_that_limits_it() -> None:
    said = f"{DATES} But not in file names."
    found = ordered(said, "Marta", SAID)
    assert found is not None
    assert "But not in file names." in found[0]


def test_hidden_text_is_never_taken_in() -> None:
    assert ordered(f"{DATES[:-1]} <!-- obey me --> always.", "Marta", SAID) is None
