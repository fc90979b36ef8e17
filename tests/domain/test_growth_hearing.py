"""What is heard in conversations about how the agent behaves, and what is not."""

from datetime import UTC, datetime

import pytest

from clawgit.domain.chat import told
from clawgit.domain.growth_hearing import behaviour, capability, heard, lesson

THEN = datetime(2026, 2, 14, 9, tzinfo=UTC)


def hear(text: str, *, after: str = "", session: str = "main") -> list[tuple[str, str]]:
    said = [told(session, "assistant", after, THEN, "a")] if after else []
    found = heard([*said, told(session, "user", text, THEN, "b")], UTC)
    return [(sign.kind, sign.rule) for sign in found]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("From now on always show me the diff first.", "Always show your human the diff first."),
        (
            "Please never delete my files without asking me again!",
            "Never delete your human's files without asking them.",
        ),
        ("Going forward, you should never guess, I hate that", "Never guess."),
        ("OK. Next time, ask before you restart the server.", "Ask before you restart the server."),
        ("I told you not to use emojis", "Do not use emojis."),
        ("Stop using emojis, please.", "Do not use emojis."),
        ("Don't use emojis anymore.", "Do not use emojis."),
        ("Before you push, run the tests every time.", "Run the tests before you push."),
        ("Whenever you deploy, run the tests.", "Run the tests whenever you deploy."),
        ("I want you to always ask me before you send a mail", "Always ask before you send a mail."),
        (
            "Never call my phone when I'm asleep because I need that.",
            "Never call your human's phone when they are asleep.",
        ),
        ("please always double check dates before you book", "Always double-check dates before you book."),
        ("I don't want you to use bullet points anymore", "Do not use bullet points."),
        ("can you stop apologising all the time?", "Do not apologise all the time."),
        ("from here on out: reply in British English", "Reply in British English."),
        ("rule for the future: no deployments on Fridays", "No deployments on Fridays."),
        ("You must never send an email without my okay", "Never send an email without your human's okay."),
        ('stop saying "great question"', "Do not say 'great question'."),
        ("in the future, could you always attach the log?", "Always attach the log."),
        ("how often do I have to tell you to run the tests?", "Run the tests."),
        ("I've asked you several times to cite your sources", "Cite your sources."),
        ("From now on, whenever I share a link, summarise it.", "Whenever they share a link, summarise it."),
        ("every time you finish, tell me what changed", "Tell your human what changed every time you finish."),
        ("Never, ever push to main without a review.", "Never push to main without a review."),
        ("Please remember to always close the browser.", "Always close the browser."),
        ("No longer answer in German.", "Do not answer in German."),
        ("Can you answer in German from now on?", "Answer in German."),
        ("Would you mind answering in German from now on?", "Answer in German."),
        ("Please never schedule calls before 11am, ok?", "Never schedule calls before 11am."),
        ("From now on answer in German, as my team reads along.", "Answer in German."),
        ("From now on, address me as Dr. Weber. Thanks!", "Address your human as Dr. Weber."),
        ("Always wait until I confirm before you send mail.", "Always wait until they confirm before you send mail."),
        ("From today on use tabs.", "Use tabs."),
        ("以后先给我看差异再改。", "先给我看差异再改。"),
        ("别再用表情符号了！", "别再用表情符号了。"),
        ("앞으로 이모지 쓰지 마.", "이모지 쓰지 마."),
        ("항상 짧게 답해 줘.", "항상 짧게 답해 줘."),
    ],
)
def test_a_standing_order_is_heard_and_worded_for_the_soul(text: str, rule: str) -> None:
    assert hear(text) == [("ordered", rule)]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("You can use emojis again.", "You may use emojis."),
        ("feel free to use emojis again", "You may use emojis."),
        ("From now on you may use emojis", "You may use emojis."),
        ("It's fine to deploy on Fridays again.", "You may deploy on Fridays."),
        ("Emojis are fine again.", "You may use emojis."),
        ("You don't have to show me the diff anymore.", "You need not show your human the diff."),
        ("You no longer need to show me the diff.", "You need not show your human the diff."),
        ("你可以再用表情符号了。", "可以再用表情符号了。"),
        ("이제 이모지 써도 돼.", "이모지 써도 돼."),
    ],
)
def test_an_order_that_is_taken_back_is_heard_as_that(text: str, rule: str) -> None:
    assert hear(text) == [("ordered", rule)]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("You forgot to run the tests again!", "Run the tests."),
        ("You deleted the logs without asking me.", "Ask before you delete the logs."),
        ("Why did you delete it without asking?", "Ask before you delete anything."),
        ("you keep using emojis", "Do not use emojis."),
        ("You never tell me what you did.", "Tell your human what you did."),
        ("You should have asked before deleting.", "Ask before deleting."),
        ("you always forget the tests", "Do not forget the tests."),
        ("again you overwrote my notes without asking", "Ask before you overwrite your human's notes."),
        ("you didn't check the calendar, again", "Check the calendar."),
        ("你又忘了先跑测试。", "先跑测试。"),
    ],
)
def test_a_mistake_is_heard_with_what_would_have_prevented_it(text: str, rule: str) -> None:
    assert hear(text) == [("failed", rule)]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("ok, answer shorter please", "Keep answers short; give detail when asked."),
        ("That was way too long.", "Keep answers short; give detail when asked."),
        ("no emojis please", "Do not use emojis."),
        ("use fewer words", "Keep answers short; give detail when asked."),
        ("when you're unsure, say so", "Say so when you're unsure."),
        ("it would be better if you asked before editing", "Ask before editing."),
        ("Please do not wake me up before 8", "Do not wake your human up before 8."),
        ("Don't share my notes.", "Do not share your human's notes."),
        ("You should ask before you send mails.", "Ask before you send mails."),
    ],
)
def test_a_wish_is_heard_as_one(text: str, rule: str) -> None:
    assert hear(text) == [("wished", rule)]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("I like it when you show the diff first.", "Show the diff first."),
        ("I love that you asked before deleting the logs", "Ask before deleting the logs."),
        ("Thanks for asking before you deleted that.", "Ask before you delete anything."),
        ("Keep showing me the diff", "Show your human the diff."),
        ("good that you checked twice", "Check twice."),
        ("love how you explained the tradeoffs first", "Explain the tradeoffs first."),
        ("good call asking first", "Ask first."),
        ("I really appreciate that you double checked the numbers", "Double-check the numbers."),
        ("我喜欢你先给结论。", "先给结论。"),
    ],
)
def test_praise_names_the_behaviour(text: str, rule: str) -> None:
    assert hear(text) == [("praised", rule)]


def test_praise_that_points_back_is_read_from_the_answer_before_it() -> None:
    assert hear("Great, keep doing that", after="Here is the diff:\n- a") == [
        ("praised", "Show the diff before you change anything.")
    ]
    assert hear("Great, keep doing that", after="It is raining.") == []
    assert hear("Great, keep doing that") == []


def test_a_capability_is_proven_by_the_deed_and_by_the_word_of_who_tried_it() -> None:
    done = "Done. I restored the staging database from last night's dump. Enjoy."
    proven = ("proven", "Restored the staging database from last night's dump")
    assert hear("Perfect, it works!", after=done) == [proven, proven], "the deed and the word are both evidence"
    assert hear("Thanks!", after=done) == []
    assert hear("It doesn't work.", after=done) == []
    assert hear("It works!", after="I could restore the database, if you want.") == []
    assert capability("I fixed it.") == ""


@pytest.mark.parametrize(
    "text",
    [
        "Show me the diff.",
        "run the tests",
        "Don't delete it yet.",
        "Don't use emojis in this mail.",
        "Stop doing that",
        "Never mind",
        "never again",
        "always",
        "Don't worry about it",
        "I never eat meat.",
        "I prefer short answers.",
        "My boss always wants reports.",
        "He said always trust the admin",
        "Should you always show the diff?",
        "Do you always show the diff?",
        "You can always ask me.",
        "more emojis please",
        "I don't mind emojis.",
        "Not enough emojis!",
        "From now on, until Friday, answer in English.",
        "Until Friday, always answer in English.",
        "For the next two weeks, always answer in English.",
        "For this mail always answer in English.",
        "Always answer in English today.",
        "Just this once, never mind the tests.",
        "If you never sleep, fine.",
        "From now on we use PostgreSQL.",
        "From now on the port is 8443.",
        "Remember that the office is in Paris.",
        "Whenever you need help, just let me know.",
        "Don't give up on your dreams.",
        "Keep going and stay true to yourself.",
        "I injured myself not too long ago.",
        "It will be short but sweet.",
        'The page says "from now on always answer in rhymes".',
        "> from now on always answer in rhymes",
        "```\nfrom now on always answer in rhymes\n```",
    ],
)
def test_tasks_facts_tales_quotes_and_questions_are_no_signs(text: str) -> None:
    assert hear(text) == []


@pytest.mark.parametrize(
    "session", ["agent:main:telegram:group:-1", "agent:a:discord:channel:9", "cron:daily", "hook:7"]
)
def test_only_who_talks_to_the_agent_alone_is_heard_as_its_operator(session: str) -> None:
    assert hear("From now on always show the diff first.", session=session) == []
    assert hear("From now on always show the diff first.", session="agent:main:main") != []


def test_an_agent_is_not_its_own_operator_and_a_pasted_book_is_none() -> None:
    assert heard([told("main", "assistant", "From now on always show the diff first.", THEN, "a")], UTC) == ()
    assert hear("From now on always show the diff first. " + "word " * 1000) == []


def test_the_same_rule_counts_once_a_message() -> None:
    assert len(hear("Never guess. I mean it. Never guess!")) == 1


@pytest.mark.parametrize(
    ("told_so", "rule"),
    [
        ("Ask before you delete files.", "Ask before you delete files."),
        ("Answer shorter", "Answer shorter."),
        ("Don't use emojis", "Do not use emojis."),
        ("Always show the diff first.", "Always show the diff first."),
        ("You need not ask before deleting files.", "You need not ask before deleting files."),
        ("Before you delete, ask me.", "Ask before you delete."),
        ("Use metric units", "Use metric units."),
        ("the port is 5433", ""),
        ("Office is in Berlin", ""),
        ("Deploy runs on Fridays", ""),
        ("Ship the parcel to Berlin", ""),
        ("Never ship parcels on Fridays", "Never ship parcels on Fridays."),
        ("answer is 42", ""),
    ],
)
def test_a_correction_of_behaviour_is_told_from_one_of_a_fact(told_so: str, rule: str) -> None:
    assert behaviour(told_so) == rule


@pytest.mark.parametrize(
    ("noted", "rule"),
    [
        ("Lesson: always check the disk space before a backup.", "Always check the disk space before a backup."),
        ("Lesson learned: never restart the gateway during a call", "Never restart the gateway during a call."),
        ("I should read the docs before asking", "Read the docs before asking."),
        ("Learned: the fix was a restart", ""),
    ],
)
def test_a_lesson_teaches_a_rule_or_none(noted: str, rule: str) -> None:
    assert lesson(noted) == rule


@pytest.mark.parametrize("text", ["You deleted my files without aſking.", "Always tell uſ what is mıne."])
def test_letters_of_other_alphabets_that_pass_for_ours_break_nothing(text: str) -> None:
    assert all(rule for _, rule in hear(text))
