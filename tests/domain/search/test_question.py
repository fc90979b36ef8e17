"""What a question asks for: its words, its days, and what kind of answer."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.search.lexicon import Words
from clawgit.domain.search.periods import Days
from clawgit.domain.search.question import Scripts, SearchQuestion, is_read, read_question
from clawgit.domain.search.question_days import days_in, every_day
from clawgit.domain.search.written_days import says_day
from tests.each import for_each

NOW = datetime(2026, 3, 18, 10, tzinfo=UTC)  # a Wednesday


def read(text: str) -> SearchQuestion:
    return read_question(text, NOW)


def asked(text: str) -> list[str]:
    return [forms[0] for forms in read(text).words]


@for_each(
    "text, is_brief",
    [
        ("kiln batch number", True),
        ("what is the kiln's batch", False),
        ("代理 密码", True),
        ("代理服务器的密码是什么", False),
        ("Kubernetes密码", True),
        ("プロキシのパスワードは何ですか", False),
        ("프록시 비밀번호 뭐야", True),
    ],
)
def test_a_question_of_three_words_is_brief_also_where_no_spaces_part_them(
    text: str, is_brief: bool
) -> None:
    assert read(text).is_brief == is_brief


@for_each(
    "text, words",
    [
        ("Where did we order the stoneware clay?", ["order", "stoneware", "clay"]),
        ("What is the name of my landlord?", ["landlord"]),
        ("getUserName in user_names.py", ["getusername", "user", "usernames", "names", "py"]),
        ("Café São", ["cafe", "sao"]),
        ("小橘为什么不肯吃饭？", ["小橘", "不肯", "肯吃", "吃饭"]),
        ("고양이는 왜 기침을 했지?", ["고양", "양이", "이는", "기침", "침을"]),
        ('AND NEAR/2 "* OR', ["near", "2"]),
        ("🙂", ["🙂"]),
        ("where is the 🔑 for the kiln? 🙂", ["kiln"]),
        ("ที่ไหน", ["ที", "ี่", "่ไ", "ไห", "หน"]),
        ("", []),
    ],
)
def test_it_looks_for_the_words_that_carry_meaning(text: str, words: list[str]) -> None:
    assert asked(text) == words


def test_a_question_of_stop_words_alone_looks_for_them() -> None:
    assert asked("who am I") == ["who", "am", "i"]
    assert asked("什么？") == ["什么"]


def test_a_question_of_days_alone_has_no_words() -> None:
    question = read("What was there yesterday?")
    assert question.words == ()
    assert question.days == Days(date(2026, 3, 17), date(2026, 3, 17))


def test_a_word_brings_its_irregular_forms_along() -> None:
    [bought, children] = read("Who bought the children?").words
    assert bought == ("bought", "buy")
    assert set(children) == {"children", "child", "kid"}


def test_two_forms_of_a_word_are_one_word() -> None:
    assert asked("buy what she bought, twice, two mugs") == ["buy", "twice", "mugs"]


def test_words_of_a_date_are_not_looked_for() -> None:
    assert asked("Which kiln burnt out on 22 April 2025?") == ["kiln", "burnt"]


def test_only_the_first_words_of_a_very_long_question_count() -> None:
    question = read(" ".join(f"word{number}" for number in range(5000)))
    assert len(question.words) == 40
    assert len(question.text) == 2000


def test_quoted_phrases_are_kept_as_they_stand() -> None:
    assert read('who said "Ask  twice" or “Never Ship”?').quoted == ("ask twice", "never ship")


@for_each(
    "wide, text",
    [
        ("ＣＩが落ちた時", "CIが落ちた時"),
        ("ＷｈａｔｓＡｐｐ", "WhatsApp"),
        ("４月１５日", "4月15日"),
        ("キルン\u3000４２，０００？", "キルン 42,000?"),
        ("＂two words＂", '"two words"'),
    ],
)
def test_full_width_letters_digits_and_signs_are_read_as_others(wide: str, text: str) -> None:
    assert read(wide) == read(text)


@for_each(
    "text, when",
    [
        ("When is the notary appointment?", True),
        ("In which year did we move?", True),
        ("How long did it take?", True),
        ("妈妈的航班是几点到？", True),
        ("언제 출발하나?", True),
        ("How many mugs had pinholes?", False),
        ("On which day is the review?", True),
        ("Who knows when to stop?", False),
    ],
)
def test_a_question_for_a_time_is_known(text: str, when: bool) -> None:
    assert ("time" in read(text).wanted) is when


def test_what_is_asked_for_is_no_word_of_the_answer() -> None:
    assert [forms[0] for forms in read("On which day is the review?").words] == ["review"]
    assert [forms[0] for forms in read("What time is it?").words] == ["time"]


def test_other_names_of_a_word_are_looked_for_too_and_can_name_a_speaker() -> None:
    question = read_question("What did Bob paint?", NOW, aliases={"bob": ("robert",)})
    assert question.words[0] == ("bob", "robert")
    assert {"bob", "robert"} <= question.names


def test_a_repaired_word_is_looked_for_beside_what_was_written() -> None:
    assert read("the notray").repaired({"notray": "notary"}).words == (("notray", "notary"),)


@pytest.mark.parametrize(
    ("text", "readable"),
    [
        ("Wie heißt der Hund?", "latin han all"),
        ("小橘为什么", "han all"),
        ("大阪のカフェ", "han all"),
        ("결제 서버 API", "all"),
        ("42", "latin han all"),
        ("Telegram 流式输出", "han all"),
        ("Привет API", "all"),
        ("the β of a stock is its risk", "latin han all"),
    ],
)
def test_a_model_reads_only_the_scripts_that_it_knows(text: str, readable: str) -> None:
    scripts: tuple[Scripts, ...] = ("latin", "han", "all")
    assert " ".join(known for known in scripts if is_read(text, known)) == readable


@for_each(
    "text, first, last",
    [
        ("on 2025-04-22", "2025-04-22", "2025-04-22"),
        ("on 8 May 2023", "2023-05-08", "2023-05-08"),
        ("on the 3rd of May, 2023", "2023-05-03", "2023-05-03"),
        ("on October 13, 2023", "2023-10-13", "2023-10-13"),
        ("in February 2024", "2024-02-01", "2024-02-29"),
        ("8. April 2025", "2025-04-08", "2025-04-08"),
        ("14.3.2025", "2025-03-14", "2025-03-14"),
        ("am 14.03.2025", "2025-03-14", "2025-03-14"),
        ("2025/10/07", "2025-10-07", "2025-10-07"),
        ("last March", "2025-03-01", "2025-03-31"),
        ("last February", "2026-02-01", "2026-02-28"),
        ("next March", "2027-03-01", "2027-03-31"),
        ("this May", "2026-05-01", "2026-05-31"),
        ("yesterday", "2026-03-17", "2026-03-17"),
        ("today", "2026-03-18", "2026-03-18"),
        ("last Monday", "2026-03-16", "2026-03-16"),
        ("last week", "2026-03-09", "2026-03-15"),
        ("last weekend", "2026-03-14", "2026-03-15"),
        ("this month", "2026-03-01", "2026-03-31"),
        ("last month", "2026-02-01", "2026-02-28"),
        ("last year", "2025-01-01", "2025-12-31"),
        ("in 2024", "2024-01-01", "2024-12-31"),
        ("3 days ago", "2026-03-15", "2026-03-15"),
        ("a few days ago", "2026-03-15", "2026-03-15"),
        ("two weeks ago", "2026-03-01", "2026-03-07"),
        ("the last three days", "2026-03-15", "2026-03-18"),
        ("the past 2 weeks", "2026-03-04", "2026-03-18"),
        ("last night", "2026-03-17", "2026-03-17"),
        ("This morning", "2026-03-18", "2026-03-18"),
        ("the day before yesterday", "2026-03-16", "2026-03-16"),
        ("in the week of March 3", "2026-03-02", "2026-03-08"),
        ("March 3-5", "2026-03-03", "2026-03-05"),
        ("from 3rd to 5th of March", "2026-03-03", "2026-03-05"),
        ("2025-02", "2025-02-01", "2025-02-28"),
        ("02/2025", "2025-02-01", "2025-02-28"),
        ("昨天吃了什么", "2026-03-17", "2026-03-17"),
        ("2025年5月8日", "2025-05-08", "2025-05-08"),
        ("2025년 5월", "2025-05-01", "2025-05-31"),
        ("지난주에", "2026-03-09", "2026-03-15"),
        ("先月の会議", "2026-02-01", "2026-02-28"),
    ],
)
def test_days_are_read_as_they_are_said(text: str, first: str, last: str) -> None:
    found = days_in(text, NOW)
    assert found is not None
    assert found[0] == Days(date.fromisoformat(first), date.fromisoformat(last))


@pytest.mark.parametrize(
    "text",
    [
        "what is tonights dinner",
        "What did we do YESTERDAY?",
        "the Sept 3 invoice",
        "who called on Monday",
        "a week ago",
        "the notes of last weekend",
        "会议在上个月",
        "which decision about the market may be final",
        "how many years is the guarantee",
    ],
)
def test_no_question_that_names_days_is_passed_over(text: str) -> None:
    every = [*every_day(text, NOW)]
    assert (days_in(text, NOW) is None) is (not every)


@for_each(
    "text, language",
    [
        ("Tuesday, May 13", ""),
        ("on Tuesday the 13th of May 2025", ""),
        ("May 13", ""),
        ("am Dienstag, dem 13. Mai", "de"),
    ],
)
def test_the_weekday_of_a_day_is_part_of_its_name(text: str, language: str) -> None:
    question = read_question(text, NOW, listed=Words(language=language))
    assert question.days is not None
    assert question.days.first == date(2025, 5, 13)
    assert question.words == ()


@for_each(
    "text, last, before",
    [
        ("before 2 April", "2025-04-02", "2024-04-02"),
        ("since March 2", "2026-03-02", "2025-03-02"),
        ("October 7", "2025-10-07", "2023-10-07"),
        ("7th of October dentist", "2025-10-07", "2024-10-07"),
        ("on 3/14", "2026-03-14", "2025-03-14"),
        ("on 14/3", "2026-03-14", "2025-03-14"),
        ("on February 29", "2024-02-29", "2025-02-28"),
        ("3月14日の会議", "2026-03-14", "2027-03-14"),
    ],
)
def test_a_day_without_a_year_is_that_of_any_year(text: str, last: str, before: str) -> None:
    found = days_in(text, NOW)
    assert found is not None
    assert found[0].first == date.fromisoformat(last)
    assert found[0].closeness(date.fromisoformat(before)) == 1
    assert found[0].closeness(date.fromisoformat(before) - timedelta(days=20)) < 0.1


@for_each(
    "text, language, last",
    [
        ("reunião dia 05/10", "pt", "2025-10-05"),
        ("10/05 の会議", "ja", "2025-10-05"),
        ("am 29. Februar", "de", "2024-02-29"),
        ("14/04/2025", "pt", "2025-04-14"),
        ("14-04-25", "pt", "2025-04-14"),
        ("31/04/2025", "pt", None),
        ("was war vor 7 Tagen", "de", "2026-03-11"),
        ("vor einer Woche", "de", "2026-03-08"),
        ("há duas semanas", "pt", "2026-03-01"),
        ("letzten Mittwoch", "de", "2026-03-11"),
        ("a segunda passada", "pt", "2026-03-16"),
        ("去年11月の会議", "ja", "2025-11-01"),
        ("24/7", "pt", None),
        ("1/2 Tasse", "de", None),
        ("13/13", "de", None),
    ],
)
def test_a_day_is_read_in_the_order_of_the_language(
    text: str, language: str, last: str | None
) -> None:
    days = read_question(text, NOW, listed=Words(language=language)).days
    assert (days.first.isoformat() if days else None) == last


@for_each(
    "text",
    [
        "what may I do",
        "the march was long",
        "room 7 may be free",
        "what changed in 1.2.",
        "the 2/8/2026 of nobody knows where",
        "whether may 5 people come",
        "on 2025-02-31",
        "on 13/13",
        "ids 2025-02-x and 2025-1304",
        "room 2024",
        "in 0000年",
        "a decision",
    ],
)
def test_what_names_no_day_is_none(text: str) -> None:
    assert days_in(text, NOW) is None


@for_each(
    "text, spelled",
    [
        ("on 2025-04-22", ["2025 04 22", "april 22 2025", "apr 22nd 2025"]),
        ("October 11", ["2025 10 11", "october 11", "oct 11th"]),
        ("yesterday", ["2026 03 17", "march 17"]),
        ("last weekend", ["2026 03 14", "2026 03 15"]),
        ("in February 2024", ["2024 02", "february 2024"]),
        ("in June", ["june"]),
        ("am 3. März 2025", ["2025 03 03", "3 marz 2025"]),
        ("el 3 de marzo", ["2026 03 03", "2025 03 03", "2027 03 03", "3 3", "03 03", "3 marzo"]),
        ("im März", ["march", "marz"]),
        ("en mars 2025", ["2025 3", "2025 03", "march 2025", "mars 2025"]),
        ("3月の予定", ["march", "3 月"]),
        ("2025年5月8日", ["2025 05 08"]),
    ],
)
def test_a_question_knows_how_a_text_may_write_its_days(text: str, spelled: list[str]) -> None:
    question = read_question(text, NOW, listed=Words(language="de"))
    assert {*spelled} <= {*question.spelled}


@for_each(
    "text, spelled",
    [
        # Nobody writes each of these days.
        ("in 2024", {"2024"}),
        ("2 weeks ago", {f"2026 03 0{day}" for day in range(1, 8)}),
        ("in June", {"june"}),
        ("in May", {"may"}),
        ("in Mar", {"march"}),
        ("2 months ago", set()),
    ],
)
def test_of_many_days_only_a_name_is_looked_for(text: str, spelled: set[str]) -> None:
    assert {*read(text).spelled} == spelled


@for_each(
    "text, quoted, looks_up",
    [
        ("price_after_discount?", ("price_after_discount",), True),
        ("`price_after_discount`", ("price_after_discount",), True),
        ("Kiln-V2", ("kiln-v2",), True),
        ("~/notes/cost.md", ("~/notes/cost.md",), True),
        ("“two words” mug", ("two words",), False),
        ("“mug of tea”", ("mug of tea",), True),
        ("kiln", (), True),
        ("anything on the kiln?", (), True),
        ("借書証", (), True),
        ("#17", ("#17",), True),
        ("Issue #17?", ("#17",), False),
        ("#ideas", (), True),
        ("price", (), False),
        ("what does it cost", (), False),
        ("what happened on 8 March 2025", (), False),
        ("", (), False),
    ],
)
def test_what_is_written_in_one_is_looked_up_as_it_stands(
    text: str, quoted: tuple[str, ...], looks_up: bool
) -> None:
    question = read(text)
    assert (question.quoted, question.looks_up) == (quoted, looks_up)


@for_each(
    "text, numbered",
    [
        ("#17", {"17": "#17"}),
        ("PR #17 or #18", {"17": "#17", "18": "#18"}),
        ("the 17 files of #17", {}),
        ("#17a, ##17, a#17", {}),
        ("17", {}),
    ],
)
def test_a_number_with_a_sign_before_it_is_another_than_the_figure(
    text: str, numbered: dict[str, str]
) -> None:
    assert read(text).numbered() == numbered


@for_each(
    "text, says",
    [
        ("14 March 2031: the passport", True),
        ("on March the 14th, 2031", True),
        ("by 2031-03-14T10:00", False),
        ("[2031-03-14] a note", True),
        ("14.03.2031", True),
        ("14.3.2031", True),
        ("am 14. März 2031", False),
        ("by 14.3.", True),
        ("by 14. 03.", True),
        ("on 3/14", True),
        ("on 14/03, not later", True),
        ("3月14日", True),
        ("2030年3月14日", False),
        ("14.3.2030", False),
        ("3/14/2030", False),
        ("version 14.3", False),
        ("at 3:14", False),
        ("14 of 3", False),
        ("April 14, 2031 at 3:00", False),
        ("2031-04-03T11:14:03", False),
        ("31 March, 14 of them in 2031", False),
        ("", False),
    ],
)
def test_a_text_says_a_day_where_its_words_follow_each_other(text: str, says: bool) -> None:
    assert says_day(text, read("14 March 2031").spelled) is says


@for_each(
    "text, says",
    [
        ("5.3. Weighted scoring", False),
        ("Backend:\n5.2. Review cycle\n5.3. Weighted scoring\n5.4. Goals", False),
        ("- 5.3. Weighted scoring", False),
        ("- [ ] **5.3.** Weighted scoring", False),
        ("## 5.3. „Weighted“ scoring", False),
        ("| backend | 5.3. Weighted scoring | done |", False),
        ("• 5.2. Review cycle • 5.3. Weighted scoring", False),
        ("| Elternabend | 5.3. | 9:00 |", True),
        ("5.3 Física da Queda", False),
        ("4.5.3. Weighted", False),
        ("5.3 GB", False),
        ("am 5.3. um 9 ist Elternabend", True),
        ("fällig bis 5.3.", True),
        ("- 5.3.: Elternabend", True),
        ("- 05.03. Elternabend", True),
        ("5.3.", True),
        ("5.3.2026 Elternabend", True),
        ("3/5", True),
        ("2026-03-05 14:19", True),
        ("5/3/2026", True),
        ("3/5/2026", True),
        ("2026-05-03", False),
    ],
)
def test_the_number_of_a_line_is_no_day(text: str, says: bool) -> None:
    assert says_day(text, read("March 5").spelled) is says


@for_each(
    "text, says",
    [
        ("- 14.3. Zahnarzt", True),  # few outlines have as many chapters
        ("Updated: 2026-03-04 14:19", False),
        ("4 March 14:19", False),
        ("4 March 14:19:05, and 15 more", False),
        ("March 14 14:19", True),
        ("2026-03-14 04:19", True),
    ],
)
def test_a_time_is_no_part_of_a_day(text: str, says: bool) -> None:
    assert says_day(text, read("March 14").spelled) is says


def test_the_short_name_of_a_month_is_no_number() -> None:
    german = read_question("am 3. Mai", NOW, listed=Words(language="de"))
    assert says_day("Elternabend am 3. Mai um 19 Uhr", german.spelled)
    assert not says_day("Elternabend um 19 Uhr, Tor 3", german.spelled)


def test_a_month_without_a_year_is_that_of_every_year() -> None:
    found = days_in("in June", NOW)
    assert found is not None
    assert [found[0].closeness(date(year, 6, 20)) for year in (2019, 2023, 2026)] == [1.0, 1.0, 1.0]
    assert found[0].closeness(date(2023, 1, 20)) < 0.01


def test_a_day_is_that_of_the_operators_zone() -> None:
    late = datetime(2026, 3, 18, 23, 30, tzinfo=UTC)
    found = days_in("yesterday", late, ZoneInfo("Asia/Tokyo"))
    assert found is not None
    assert found[0].first == date(2026, 3, 18)


def test_what_is_written_down_a_little_later_is_still_close() -> None:
    days = Days(date(2025, 5, 8), date(2025, 5, 8))
    closeness = [days.closeness(date(2025, 5, 8) + timedelta(days=off)) for off in (-5, 0, 3, 60)]
    assert closeness[1] == 1.0
    assert closeness[2] > 0.6
    assert closeness[0] < 0.1
    assert closeness[3] < 0.001


@given(
    st.text()
    | st.from_regex(r"(no dia|on the|am|in|5/) ?\d{1,2}(\.|th|/\d{1,4})?", fullmatch=True),
    st.datetimes(timezones=st.just(UTC)),
    st.sampled_from(["", "pt", "de", "ja"]),
)
def test_reading_never_fails(text: str, now: datetime, language: str) -> None:
    question = read_question(text, now, listed=Words(language=language))
    assert all(forms[0] for forms in question.words)
    assert not says_day("", question.spelled)
    says_day(text, question.spelled)
    if question.days:
        assert 0 <= question.days.closeness(now.date()) <= 1


@pytest.mark.parametrize(
    ("text", "first", "last", "words"),
    [
        ("Was war am 3. März?", date(2026, 3, 3), date(2026, 3, 3), {"war"}),
        ("letzten Dienstag", date(2026, 11, 17), date(2026, 11, 17), set()),
        ("¿qué compré el 3 de marzo de 2025?", date(2025, 3, 3), date(2025, 3, 3), {"compre"}),
        ("ayer", date(2026, 11, 21), date(2026, 11, 21), set()),
        ("antes de ayer", date(2026, 11, 20), date(2026, 11, 20), set()),
        ("la semana pasada", date(2026, 11, 9), date(2026, 11, 15), set()),
        ("was letzte Woche war", date(2026, 11, 9), date(2026, 11, 15), {"war"}),
        ("o que decidimos semana passada?", date(2026, 11, 9), date(2026, 11, 15), {"decidimos"}),
        ("reunião de 3 de maio", date(2026, 5, 3), date(2026, 5, 3), {"reuniao"}),
        ("o que fiz ontem", date(2026, 11, 21), date(2026, 11, 21), {"fiz"}),
        ("que dit-on le mois dernier ?", date(2026, 10, 1), date(2026, 10, 31), {"dit"}),
        ("la semaine dernière", date(2026, 11, 9), date(2026, 11, 15), set()),
        ("l'année passée", date(2025, 1, 1), date(2025, 12, 31), set()),
        ("vorige Woche", date(2026, 11, 9), date(2026, 11, 15), set()),
        ("vergangene Woche", date(2026, 11, 9), date(2026, 11, 15), set()),
        ("am vorigen Dienstag", date(2026, 11, 17), date(2026, 11, 17), set()),
        ("la réunion du 3 mai", date(2026, 5, 3), date(2026, 5, 3), {"reunion"}),
        ("qui a appelé hier ?", date(2026, 11, 21), date(2026, 11, 21), {"appele"}),
        ("Kosten im Mai", date(2026, 5, 1), date(2026, 5, 31), {"kosten"}),
    ],
)
def test_days_are_read_in_the_language_of_the_question(
    text: str, first: date, last: date, words: set[str]
) -> None:
    now = datetime(2026, 11, 22, 12, tzinfo=UTC)
    question = read_question(text, now, listed=Words(language="de"))
    assert question.days
    assert (question.days.first, question.days.last) == (first, last)
    assert words <= {forms[0] for forms in question.words}
    assert read_question("Kosten um neun Uhr", now, listed=Words(language="de")).days is None


@for_each(
    "text, language, days",
    [
        ("14/03", "", ["2026-03-14"]),
        ("03/14", "", ["2026-03-14"]),
        ("3/14", "", ["2026-03-14"]),
        ("what about 14/03?", "", ["2026-03-14"]),
        ("what about 25/12?", "", ["2025-12-25"]),
        ("05/03", "", ["2025-05-03", "2026-03-05"]),
        ("on 5/3", "", ["2025-05-03", "2026-03-05"]),
        ("on 3/3", "", ["2026-03-03"]),
        ("5/3/2026", "", ["2026-05-03", "2026-03-05"]),
        ("notes of 13/3/2026", "", ["2026-03-13"]),
        ("5/3/2026", "pt", ["2026-03-05"]),
        ("5/3/2026", "ja", ["2026-05-03"]),
        ("did 10/12 tests pass", "", []),
        ("3/14 of them", "", []),
        ("1/2", "", []),
        ("24/7", "", []),
        ("13/13/2026", "", []),
        ("docs/05/03", "", []),
    ],
)
def test_figures_of_which_nothing_tells_the_order_may_be_either_day(
    text: str, language: str, days: list[str]
) -> None:
    question = read_question(text, NOW, listed=Words(language=language))
    found = question.days
    either = [str(day) for day in (found.first, found.other) if day] if found else []
    assert either == days
    for day in map(date.fromisoformat, days):
        assert found
        assert found.closeness(day) == 1
        assert says_day(f"on {day}", question.spelled)
    assert not found or found.closeness(date(2026, 1, 20)) < 0.1


@for_each(
    "text, language, days",
    [
        ("what happened on the 16th?", "", ["2026-03-16"]),
        ("what did we decide on the 16th about billing", "", ["2026-03-16"]),
        ("the dentist on the 25th", "", ["2026-02-25", "2026-03-25"]),
        ("on the 31st", "", ["2026-01-31", "2026-03-31"]),
        ("Friday the 13th", "", ["2026-03-13"]),
        ("on the 16th floor", "", []),
        ("by the 3rd attempt", "", []),
        ("on the 4th of them", "", []),
        ("on the 32nd", "", []),
        ("on the 16th of May", "", ["2025-05-16"]),
        ("o que fizemos no dia 16?", "pt", ["2026-03-16"]),
        ("¿qué pasó el día 16?", "es", ["2026-03-16"]),
        ("el día 16 decidimos algo", "es", ["2026-03-16"]),
        ("no dia 3 do curso", "pt", []),
        ("el día 5 de mayo", "es", ["2025-05-05"]),
        ("no dia 05/03", "pt", ["2026-03-05"]),
        ("was war am 16.?", "de", ["2026-03-16"]),
        ("am 16. besprochen", "de", ["2026-03-16"]),
        ("am 3. Advent", "de", []),
        ("am 16", "de", []),
        ("room 16", "", []),
    ],
)
def test_the_number_of_a_day_is_that_of_this_month_or_of_the_last(
    text: str, language: str, days: list[str]
) -> None:
    question = read_question(text, NOW, listed=Words(language=language))
    found = question.days
    assert ([str(day) for day in (found.first, found.other) if day] if found else []) == days
    if found:
        assert {"dia", "16", "16th", "25th"}.isdisjoint(forms[0] for forms in question.words)


@for_each(
    "text, language, last",
    [
        ("el martes pasado", "es", "2026-03-17"),
        ("el pasado martes", "es", "2026-03-17"),
        ("¿qué hicimos el jueves pasado?", "es", "2026-03-12"),
        ("el miércoles pasado", "es", "2026-03-11"),
        ("na terça passada", "pt", "2026-03-17"),
        ("sexta-feira passada", "pt", "2026-03-13"),
        ("a segunda passada", "pt", "2026-03-16"),
        ("mardi dernier", "fr", "2026-03-17"),
        ("letzten Dienstag", "de", "2026-03-17"),
    ],
)
def test_the_last_one_of_a_weekday_is_part_of_its_name(text: str, language: str, last: str) -> None:
    question = read_question(text, NOW, listed=Words(language=language))
    assert question.days
    assert question.days.first == date.fromisoformat(last)
    said = {forms[0] for forms in question.words}
    assert said.isdisjoint({"pasado", "passada", "dernier", "letzten"})


def test_a_sign_that_only_asks_in_chinese_is_not_cut_out_of_a_word() -> None:
    asked = read_question("レンズ 在庫 完了", NOW)
    assert {"在库", "完了"} <= {forms[0] for forms in asked.words}
