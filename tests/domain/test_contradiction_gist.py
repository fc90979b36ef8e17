"""What two notes in quite other words contradict each other in, kind by kind, and beside it what only looks so."""

import pytest

from clawgit.domain.contradiction import contradiction, keys

OTHER_VALUE = [
    ("The bakery shuts at 18:00.", "Closing time of the bakery is half past five."),
    ("The newsletter is sent out on Mondays.", "Subscribers get the newsletter every Thursday."),
    ("Milo has football on Mondays.", "Milo's football training is on Wednesdays at 5."),
    ("The build server has 16 GB of memory.", "There are 32 GB of RAM in the build server."),
    ("Physio is twice a week.", "Physio is only once a week."),
    ("The boiler is serviced every year.", "The boiler gets serviced every other year."),
    ("Support tickets are answered within 24 hours.", "Tickets get a reply within 2 working days."),
    ("The choir has 24 members.", "There are 31 people in the choir."),
    ("The workshop has room for 15 people.", "At most 12 people fit in the workshop."),
    ("The hotline is 030 5551200.", "You reach the hotline at 030 5551300."),
    ("The grant runs until December 2027.", "The funding ends in June 2027."),
    ("The greenhouse is heated to 18 degrees.", "Keep the greenhouse at 15 °C."),
    ("The plumber comes on Wednesday at 10.", "The plumber is here on Thursday at 2."),
    ("The exam is in room B.", "The exam takes place in room C."),
    ("The ring size is 6.", "Her ring has size 5.5."),
    ("The fund has 3 lakh left.", "There are 5 lakh in the fund."),
    ("The hall will be painted yellow.", "The hall gets a coat of matte blue."),
    ("이발 요금은 만오천 원이다.", "이번 달부터 이발 요금은 이만 원이다."),
    ("运动会在5月9日。", "全校运动会定在5月16日上午。"),
    ("小明的教练是王老师。", "刘老师是小明的教练。"),
    ("The lectures begin in March 2031.", "The start of every lecture is 2032-01-07."),
]
SAID_AND_DENIED = [
    ("Tomatoes go in the greenhouse.", "No tomatoes in the greenhouse this year, only cucumbers."),
    ("Our courier ships to Norway.", "No parcels go to Norway any more."),
    ("Dogs are welcome in the cabin.", "The cabin does not take pets."),
    ("Muffins are baked for the club each week.", "Keep muffins out of the club."),
    ("The kids have chess on Fridays.", "The kids have judo on Fridays, chess is off the plan."),
    ("Guests may park in any yard.", "Guests park in the yard only when the barn is full."),
    ("Ines is allergic to penicillin.", "Ines can take penicillin."),
    ("The staging site runs around the clock.", "Staging is switched off at night."),
    ("The position of office manager is open.", "The office manager job has been filled."),
    ("The scooter is for sale.", "The scooter was sold to a student."),
    ("The roof is leaking.", "The roof has been repaired."),
    ("We still wait for the permit of the harbour office.", "The harbour office granted us the permit."),
    ("Club membership may be ended at any time.", "Club members must not end it in the weeks before the cup."),
    ("The audit includes the Riga plant.", "We leave Riga untouched in the audit."),
    ("Nadia is vegan.", "Nadia eats fish."),
    ("Oak 7 is the tallest tree.", "Oak 7 died in the drought."),
    ("学校午餐提供牛奶。", "学校午餐不提供牛奶。"),
]
CALLED_PAST = [
    ("The bins are emptied on Tuesdays.", "The bins are emptied on Mondays, no longer on Tuesdays."),
    ("Loans are approved in Lille.", "Loans are approved in Metz instead of Lille."),
    ("Ticks are treated with neem oil.", "Ruben treats ticks with lavender oil, no longer with neem."),
    ("Greta looks after the archive.", "Henk has taken over the archive from Greta."),
    ("배추는 한솔에서 주문한다.", "배추 거래처를 한솔에서 두레로 바꿨다."),
]
ANOTHER_NAME = [
    ("Sofia is Karin's midwife.", "Helga looks after Karin as midwife."),
    ("The team uses Trello for tasks.", "Tasks are tracked in Notion since April."),
    ("Tariq is in Hull.", "Tariq moved to the Leeds branch."),
    ("Ravi does the payroll.", "Payroll is handled by Simone."),
    ("Emergency calls go through the Athlone ward.", "Emergency calls go through Galway."),
    ("Order flour from Mill & Sons.", "Flour is ordered from Weber's."),
    ("Emma's recital is in the town hall.", "The recital of Emma takes place in the school."),
]


@pytest.mark.parametrize(("one", "other"), [*OTHER_VALUE, *SAID_AND_DENIED, *CALLED_PAST, *ANOTHER_NAME])
def test_notes_in_other_words_contradict_and_are_found_by_a_word_in_common(one: str, other: str) -> None:
    assert contradiction(one, other) is not None
    assert contradiction(other, one) is not None
    assert keys(one) & keys(other)


@pytest.mark.parametrize(("current", "told"), CALLED_PAST)
def test_what_the_other_side_calls_past_is_outdated(current: str, told: str) -> None:
    found, turned = contradiction(current, told), contradiction(told, current)
    assert (found and found.outdated, turned and turned.outdated) == ("one", "other")


NONE = [
    ("The pharmacy closes at six.", "The bakery closes at seven."),
    ("The pool opens at 8.", "The pool closes at 20."),
    ("The museum ticket is 12 euros.", "The museum guide is 6 euros."),
    ("Hive 3 has 6 frames.", "Hive 5 has 4 frames."),
    ("The asking price on Elm Street is 289,000.", "The asking price on Oak Street is 342,000."),
    ("The pass is $15 monthly.", "The pass is $150 a year."),
    ("The old printer prints 8 pages a minute.", "The new printer prints 32 pages a minute."),
    ("The sauna is open from 14 to 22 on weekdays.", "The sauna is open from 10 to 20 in July."),
    ("Yoga is on Mondays at 9.", "Yoga is on Thursdays at 18."),
    ("Tea for adults costs 4 euros.", "Tea for children costs 2 euros."),
    ("Stock of rings: at the minimum 250.", "There are 350 rings in stock."),
    ("The pond had 6 carp on January 14.", "The pond has 9 carp."),
    ("Guests pay for parking.", "Staff do not pay for parking."),
    ("The shop takes American Express.", "The shop takes no cheques."),
    ("The archive has no heating.", "The archive of the museum has none of the maps."),
    ("After 22:00 the gate does not open for badges.", "The gate opens with a badge."),
    ("No new orders go to Halden.", "The orders already at Halden stay there."),
    ("Cards do not help Aino with speaking.", "Aino uses cards for spelling."),
    ("The lift works again.", "The lift was out of order in May."),
    ("Ivo plans to take the tram to Linz on July 17.", "Ivo took the tram to Linz a day later, on July 18."),
    ("Eli is off on April 2.", "Eli works on April 4."),
    ("Nadia is vegan.", "Nadia's brother eats fish."),
    ("We use Slack for chat.", "We also use Zulip for chat since May."),
    ("Noor takes hearings in Haarlem.", "Noor takes hearings in Zaandam."),
    ("The shop ships to Ghana.", "The shop ships to Kenya."),
    ("Our server is hosted at Hetzner.", "Our server is hosted in Finland."),
    ("Ivo uses the red board.", "Bread is cut on the green board."),
    ("Lunch with Mia on 3 March.", "Lunch with Mia on 17 March."),
    ("Karin's midwife is in Oslo.", "Karin's midwife is from Bergen."),
    ("大教室在12楼。", "小教室在9楼。"),
    ("Pottery classes are Tuesday and Friday.", "On public holidays pottery classes are cancelled."),
    ("Bikes may be left in the hall.", "Scooters may not be left in the hall."),
    ("Mr Okafor can be reached at extension 310.", "Mr Okafor is only in on Mondays."),
    ("Ms Lund sits on the fourth floor.", "Ms Lund is there in the afternoons."),
    ("The exhibition opens in Lyon.", "The exhibition opens in Turin."),
    ("The film comes out in Japan.", "The film comes out in Brazil."),
    ("Our lead engineer is from Cork.", "Our lead engineer lives in Bath."),
    ("Berta is team lead in Oslo.", "Berta comes from Bergen."),
    ("The morning train leaves at 7:10.", "The evening train leaves at 18:40."),
    ("Anna takes 5 mg in the morning.", "Anna takes 10 mg in the evening."),
    ("The bus to the museum leaves at 9.", "The museum opens at 10."),
    ("The reviews of the draft are due on 20 May.", "The draft is due on 3 May."),
    ("The apprentice's school starts on 15 August.", "The apprentice starts on 1 August."),
    ("The inspection is on 8 May.", "The report about the inspection is due on 22 May."),
    ("The café at the museum is closed.", "The museum is open."),
    ("Pavel's brother drinks wine.", "Pavel does not drink wine."),
    ("The February report is done.", "The March report is pending."),
    ("The Tuesday class starts at 18:00.", "The Thursday class starts at 19:30."),
    ("The tickets for Friday are sold out.", "The tickets for Saturday are still available."),
    ("The beamer in room 3 is defective.", "The beamer in room 5 works."),
    ("The bees at the mill are fed in autumn.", "The bees at the orchard are not fed."),
    ("The grant pays for equipment.", "The grant does not pay for salaries."),
    ("Cleo likes the blue tent.", "Cleo does not like the blue boots."),
    ("Theo is allergic to penicillin.", "Theo can take ibuprofen."),
    ("The lodge is booked for May.", "The lodge is free in June."),
    ("Interns work 20 hours a week.", "Staff work 38 hours a week."),
    ("The server in Frankfurt has 64 GB of memory.", "The server in Helsinki has 128 GB of memory."),
    ("The team runs on Tuesdays.", "The team swims on Thursdays."),
    ("Grandma goes to the market on Tuesdays.", "Grandma goes to the market on Fridays."),
    ("The band plays on 3 May.", "The band plays on 17 May."),
    ("Stack the crates by the wall, never in the aisle.", "The crates are stacked by the wall."),
    ("No dogs at the camp, neither on a leash nor on site.", "The camp kitchen is on site."),
    ("There is no night shift, paid or not.", "No night shift, not even paid."),
    ("The rev 2 board runs at 2 MHz at most, at 8 MHz it fails.", "The rev 2 board runs only up to 2 MHz."),
    ("김 선생님은 향 없는 비누만 쓴다.", "김 선생님은 화요일 오전을 좋아하신다."),
]


@pytest.mark.parametrize(("one", "other"), NONE)
def test_what_a_scope_a_time_another_subject_or_a_list_explains_is_none(one: str, other: str) -> None:
    assert contradiction(one, other) is None
    assert contradiction(other, one) is None


def test_things_meet_by_what_they_are_called_in_other_words_or_are_one_of() -> None:
    assert "database" in keys("The db is slow.") & keys("Databases are slow.")
    assert "pet" in keys("Our dog sleeps.") & keys("Pets sleep.")
