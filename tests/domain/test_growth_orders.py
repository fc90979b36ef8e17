"""How two orders to an agent stand to each other, in the words of many people; the older of each pair comes first."""

import pytest
from hypothesis import given

from clawgit.domain.growth_order_words import CONTRARY, EXACTER, EXCEPTION, NARROWER, OTHER, SAME, VALUE, WIDER
from clawgit.domain.growth_orders import permits, same, stands
from tests.domain.strategies import ANY_TEXT

_PAIRS = {
    SAME: [
        ("Ask before you delete files.", "Always ask before deleting files."),
        ("Do not use emojis.", "Never use emojis."),
        ("Do not use emojis.", "Avoid smileys."),
        ("Always write mails in German.", "Write emails in German."),
        ("Answer in German.", "Always reply in German."),
        ("Answer in German.", "Use German."),
        ("Ask before you restart the server.", "Never restart the server without asking."),
        ("Keep answers short.", "Be brief."),
        ("Keep your answers under 100 words.", "Answer in fewer than 100 words."),
        ("Use metric units.", "Always use the metric units."),
        ("Run the tests before you push.", "Always run the tests before pushing."),
        ("No deployments on Fridays.", "Do not deploy on Fridays."),
        ("Check the disk space before each backup.", "Always check the disk space before a backup."),
        ("Answer in German.", "Answer in German instead of English."),
        ("Call your human Olga.", "Always call your human Olga."),
        ("用英语回答。", "请都用英文回答。"),
        ("항상 영어로 답해 줘.", "영어로 답변해 주세요."),
        ("Do not call your human after 22:00.", "Never call your human after 10 pm."),
        ("Summarise long threads first.", "Always summarize long threads first."),
        ("Show your human the plan before you start.", "Before you start, show your human the plan."),
        ("Never merge without a review.", "Do not merge without review."),
        ("Do not apologise.", "Stop apologising."),
        ("Cite your sources.", "Always name your sources."),
        ("Check the calendar before you book.", "Always check your human's calendar before booking."),
        ("Always double-check the numbers.", "Check the numbers."),
        ("回答要简短。", "请简短回答。"),
        ("Read the whole thread before you answer.", "Always read the entire thread before answering."),
    ],
    VALUE: [
        ("Always write mails in German.", "Write mails in English."),
        ("Answer in German.", "Answer in English."),
        ("Always use metric units.", "Always use imperial units."),
        ("Never book flights before 9.", "Never book flights before 11."),
        ("Never book flights before 9.", "Never book flights before 10:30."),
        ("Use tabs for indentation.", "Use spaces for indentation."),
        ("Use Firefox for screenshots.", "Use Chrome for screenshots."),
        ("Call your human Olga.", "Call your human Olya."),
        ("Sign your human's mails with Cheers.", "Sign your human's mails with Best regards."),
        ("Tell your human the news at 8.", "Tell your human the news at 9."),
        ("Keep answers under 100 words.", "Keep answers under 50 words."),
        ("Use British spelling.", "Use American spelling."),
        ("Use Celsius.", "Use Fahrenheit."),
        ("Address clients formally.", "Address customers informally."),
        ("Summarise in three bullets.", "Summarise in five bullets."),
        ("Keep answers short.", "Give long answers."),
        ("Answer in German.", "Answer in English, not in German."),
        ("用德语回答。", "用英文回答。"),
        ("영어로 대답해 줘.", "독일어로 대답해 줘."),
        ("Begin mails with Hello.", "Begin mails with Dear colleagues."),
        ("Keep a formal tone.", "Keep a casual tone."),
        ("Reply within two hours.", "Reply within one hour."),
        ("Use the 24-hour clock.", "Use the 12-hour clock."),
        ("Order tea for meetings.", "Order coffee for meetings."),
        ("Write headings in lowercase.", "Write headings in uppercase."),
        ("Use light mode.", "Use dark mode."),
        ("Write the report in Markdown.", "Write the report in HTML."),
        ("Back up every day.", "Back up every week."),
        ("Wait 5 minutes before you retry.", "Wait 10 minutes before you retry."),
        ("Do not send more than three mails.", "Do not send more than five mails."),
        ("Post the summary on Mondays.", "Post the summary on Fridays."),
        ("Answer in the first person.", "Answer in the third person."),
        ("Address your human as Dr. Weber.", "Address your human as Ms. Weber."),
        ("Prefer trains to flights.", "Prefer flights to trains."),
        ("반말로 답해 줘.", "존댓말로 답해 줘."),
        ("用公制单位。", "用英制单位。"),
        ("Call the project Apollo.", "Call the project Zeus."),
        ("Begin answers with the result.", "Begin answers with a joke."),
        ("Always book window seats.", "Always book aisle seats."),
        ("Reply to your human's wife in Polish.", "Reply to your human's wife in English."),
        ("Give your human three options.", "Give your human two options."),
        ("Use your human's work calendar for meetings.", "Use your human's private calendar for meetings."),
    ],
    CONTRARY: [
        ("Do not use emojis.", "Use emojis."),
        ("Never use emoji.", "Use emoji in every message."),
        ("Do not use emojis.", "Use emojis everywhere."),
        ("Answer in German.", "Do not answer in German."),
        ("Always show the diff first.", "Do not show the diff."),
        ("Do not use emojis.", "You may use emojis."),
        ("Do not use emojis in mails.", "You may use emojis."),
        ("Show the diff first.", "You need not show the diff."),
        ("You may use emojis.", "Do not use emojis."),
        ("Use bullet points for lists.", "Do not use bullet points."),
        ("Write your answers as tables.", "Do not write your answers as tables."),
        ("用英文回答。", "不要再用英文回答了。"),
        ("不要用表情符号。", "你可以再用表情符号了。"),
        ("이모지 쓰지 마.", "이모지 써도 돼."),
        ("Use bullet points.", "Do not use bullet points."),
        ("Never use the passive voice.", "Use the passive voice."),
        ("Deploy on Fridays.", "Do not deploy on Fridays."),
        ("No deployments on Fridays.", "You may deploy on Fridays."),
        ("Do not wake your human before 8.", "You may wake your human before 8."),
        ("Explain every step.", "You need not explain every step."),
        ("每次先跑测试。", "不要跑测试。"),
        ("Number your suggestions.", "Do not number the suggestions."),
        ("Do not send mails before 9 am.", "Send mails at 8 am."),
        ("Never mention your human's salary.", "You may mention your human's salary."),
    ],
    NARROWER: [
        ("Do not use emojis.", "Stop using emojis in mails."),
        ("Never wake your human.", "Never wake your human before 8."),
        ("Ask before you delete anything.", "Ask before you delete files."),
        ("Never push to main.", "Never push to main on Fridays."),
        ("Do not log passwords.", "Do not log passwords in tests."),
        ("Never swear.", "Never swear at customers."),
        ("Do not use jargon.", "Do not use jargon in mails to Ana."),
    ],
    WIDER: [
        ("Do not use emojis in mails.", "Do not use emojis."),
        ("Ask before you delete mails.", "Ask before you delete anything."),
        ("Never call before 8.", "Never call."),
        ("Keep mails short.", "Keep answers short."),
        ("Do not quote the whole mail.", "Do not quote mails."),
    ],
    EXACTER: [
        ("Keep answers short.", "Keep your answers under 100 words."),
        ("Check the invoices.", "Always check the invoices twice."),
        ("Review the pull requests.", "Review the pull requests within 24 hours."),
    ],
    EXCEPTION: [
        ("Do not use emojis.", "Use emojis in mails to friends."),
        ("Do not use emojis.", "You may use emojis in chats."),
        ("Answer in German.", "Do not answer in German in mails to Ana."),
        ("Do not answer in German.", "Answer in German when your human writes in German."),
    ],
    OTHER: [
        ("Always check the invoices twice.", "Always check the backups twice."),
        ("Write mails in German.", "Write invoices in English."),
        ("Do not write mails on Sundays.", "Write mails in German."),
        ("Never answer in French.", "Never answer in Spanish."),
        ("Use Firefox for screenshots.", "Use Firefox for videos."),
        ("Ask before you delete mails.", "Ask before you delete files."),
        ("Ask before you delete files.", "Delete files before you ask."),
        ("Never push to main.", "Never push to main without a review."),
        ("Never book flights before 9.", "Book flights with Lufthansa."),
        ("Do not send mails before 9 am.", "Send mails at 11 am."),
        ("Send mails at 11 am.", "Do not send mails before 9 am."),
        ("Do not send mails after 22:00.", "Send mails at 21:00."),
        ("Never answer in German.", "Answer in English."),
        ("Answer in German.", "Answer in English when they write in English."),
        ("Keep answers short.", "Write short commit messages."),
        ("Be kind.", "Be brief."),
        ("Translate from German to English.", "Translate from English to German."),
        ("Call the project Apollo.", "Call the dog Rex."),
        ("Run the unit tests before you push.", "Run the linter before you push."),
        ("Check the weather before a trip.", "Check the traffic before a trip."),
        ("Cite your sources.", "Check your sources."),
        ("Show the diff first.", "Show the plan first."),
        ("先给我看差异再改。", "先跑测试再改。"),
        ("Use short sentences.", "Write short sentences."),
        ("Water the plants.", "Water the garden."),
        ("Save invoices to the archive.", "Save receipts to the archive."),
        ("Tell Ana when the build fails.", "Tell Ben when the build fails."),
        ("Never email Ana on weekends.", "Never email Ben on weekends."),
        ("Ask before you book a hotel.", "Ask before you book a flight."),
        ("Read the docs before you answer.", "Read the logs before you answer."),
        ("Do not use tables.", "Do not use bullet points."),
        ("Do not deploy on Fridays.", "Do not deploy on Mondays."),
        ("Use German in mails.", "Use English in code."),
        ("Do not use emojis.", "Use bullet points."),
        ("Say so when you are unsure.", "Say so when you are late."),
        ("Summarise mails in one sentence.", "Summarise meetings in one sentence."),
        ("Always greet Ana with Hi.", "Always greet Ben with Hi."),
        ("Ask Ana before you order.", "Ask Ben before you order."),
        ("Keep the tests green.", "Keep the docs up to date."),
        ("Never share the budget with Ana.", "Share the budget with Ben."),
        ("不要打扰我。", "不要打扰我的家人。"),
        ("먼저 물어봐 줘.", "먼저 테스트를 돌려 줘."),
        ("Call Ana about invoices.", "Call Ana about taxes."),
        ("Call Ana at 9.", "Call Ben at 9."),
        ("Sign mails with Cheers.", "Sign letters with Best wishes."),
        ("Start the server before you test.", "Start the client before you test."),
        ("End the day with a summary.", "End the week with a summary."),
        ("Reply to your human's wife in Polish.", "Reply to your human's brother in English."),
        ("Never use the word leverage.", "Never use the word synergy."),
        ("Check with Ana before you book travel.", "Check with Ben before you book travel."),
        ("Double-check names.", "Double-check numbers."),
        ("Never discuss politics with your human.", "Never discuss religion with your human."),
    ],
}


@pytest.mark.parametrize(
    ("line", "rule", "how"), [(line, rule, how) for how, pairs in _PAIRS.items() for line, rule in pairs]
)
def test_how_a_newer_order_stands_to_an_older_one(line: str, rule: str, how: str) -> None:
    assert stands(rule, line) == how


@pytest.mark.parametrize(("line", "rule"), [pair for how in (SAME, VALUE) for pair in _PAIRS[how]])
def test_to_say_the_same_or_to_have_another_value_goes_both_ways(line: str, rule: str) -> None:
    assert stands(line, rule) == stands(rule, line)


@given(ANY_TEXT)
def test_any_order_says_the_same_as_itself(text: str) -> None:
    assert stands(text, text) == SAME
    assert same(text, text)


def test_what_is_allowed_orders_nothing() -> None:
    assert all(
        map(permits, ("You may use emojis.", "You need not show the diff.", "可以用表情符号。", "이모지 써도 돼."))
    )
    assert not any(map(permits, ("Use emojis.", "Do not use emojis.", "不可以用表情符号。", "이모지 쓰지 마.")))
