"""What contradicts what, rule by rule, and beside each rule what only looks so."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.contradiction import contradiction

VALUES = [
    ("The office is in Paris.", "The office is in Berlin."),
    ("Billing uses PostgreSQL.", "Billing uses MySQL."),
    ("We use MySQL for billing.", "Billing uses Postgres"),
    ("Ana's favourite colour is blue.", "Ana's favorite color is green."),
    ("My dentist is Dr. Weber.", "My dentist is Dr. Kim."),
    ("The wifi password hint is Oma's cat", "The wifi password hint is the old street"),
    ("The operator prefers tea.", "The operator prefers coffee."),
    ("Ana lives in Porto.", "Ana lives in Lisbon."),
    ("The project's name is Atlas.", "The project is called Borealis."),
    ("The docs are stored in Notion.", "The docs are stored in Confluence."),
    ("The API is written in Rust.", "The API is written in Go."),
    ("Backups live on the NAS.", "Backups live in Backblaze."),
    ("The lead of billing is Ana.", "Ben leads billing."),
    ("The config file is /etc/app/app.toml.", "The config file is /opt/app/app.toml."),
    ("The default branch is main.", "The default branch is develop."),
    ("The car is insured with Allianz.", "The car is insured with Ergo."),
    ("We use Mailgun for newsletters.", "We use Postmark for newsletters."),
    ("The landlord is Mr. Hofer.", "The landlord is Mrs. Lang."),
    ("The operator prefers tabs over spaces.", "The operator prefers spaces."),
    ("数据库的主机是 db1。", "数据库的主机是 db2。"),
    ("사무실은 서울에 있다.", "사무실은 부산에 있다."),
]
NEGATIONS = [
    ("Deploys go out on Fridays.", "Deploys never go out on Fridays."),
    ("The operator eats meat.", "The operator does not eat meat."),
    ("Ana has a car.", "Ana doesn't have a car."),
    ("The staging server needs a VPN.", "The staging server doesn't need a VPN."),
    ("The script is idempotent.", "The script isn't idempotent."),
    ("Bob can approve invoices.", "Bob can't approve invoices."),
    ("小李吃肉。", "小李不吃肉。"),
    ("민수는 고기를 먹는다.", "민수는 고기를 안 먹는다."),
]
NUMBERS = [
    ("The shop is open from 9 to 17.", "The shop is open from 10 to 18."),
    ("The train to Graz leaves from platform 3.", "The train to Graz leaves from platform 7."),
    ("Staging runs on port 5432.", "The staging server listens on port 5433."),
    ("The port of staging is 8080.", "Staging runs on port 8081."),
    ("The API timeout is 30 seconds.", "The API timeout is 2 minutes."),
    ("The budget is $5,000.", "The budget is $7.5k."),
    ("The team has five developers.", "The team has 7 developers."),
    ("The server has 16 GB of RAM.", "The server has 32 GB RAM."),
    ("Rent is 900 euros.", "Rent is 950 euros a month."),
    ("The backend runs on Python 3.11.", "The backend runs on Python 3.12."),
    ("Sessions expire after 30 minutes.", "Sessions expire after 60 minutes."),
    ("Logs are kept for 30 days.", "Logs are kept for 90 days."),
    ("The discount is 10%.", "The discount is 15 percent."),
    ("The meeting is in room 4.", "The meeting is in room 12."),
    ("服务器的端口是 5432。", "服务器的端口是 5433。"),
]
DATES = [
    ("The launch is on March 5.", "The launch is on March 12."),
    ("The deadline is 2026-03-05.", "The report is done and the deadline is 2026-03-09."),
    ("The standup is at 9:30.", "The standup is at 10am."),
    ("Trash day is Tuesday.", "Trash day is Thursday."),
    ("Ana's birthday is 4 May.", "Ana's birthday is on 5 May."),
    ("The tax return is due on May 31.", "The tax return is due on July 31."),
    ("The lease ends in June.", "The lease ends in September."),
    ("Backups run daily.", "Backups run every week."),
    ("The company was founded in 1998.", "The company was founded in 2001."),
    ("We moved the standup to 10:00.", "The standup is at 9:30."),
    ("The demo will be on April 2.", "The demo is on April 9."),
]
ANTONYMS = [
    ("The operator prefers short answers.", "The operator prefers detailed answers."),
    ("Backups are enabled.", "Backups are disabled."),
    ("The repo is public.", "The repo is private."),
    ("Deploys are manual.", "Deploys are fully automatic."),
    ("The operator likes cilantro.", "The operator hates cilantro."),
    ("The invoice is paid.", "The invoice is unpaid."),
    ("The job is fully remote.", "The job is onsite."),
    ("Code review is mandatory.", "Code review is optional."),
    ("The window seat is free.", "The window seat is paid."),
]
ENDED = [
    ("We use Jenkins.", "We no longer use Jenkins."),
    ("We use Jenkins for CI.", "We don't use Jenkins anymore."),
    ("Ana works at Siemens.", "Ana no longer works at Siemens."),
    ("The operator drinks coffee.", "The operator stopped drinking coffee."),
    ("小李用微信。", "小李不再用微信。"),
]
SWITCHED = [
    ("CI runs on Jenkins.", "CI switched from Jenkins to GitHub Actions."),
    ("Staging runs on Heroku.", "Staging moved from Heroku to Hetzner."),
    ("We use Slack.", "We switched from Slack to Zulip."),
    ("The team uses Asana.", "We migrated from Asana to Linear."),
    ("Billing uses MySQL.", "We replaced MySQL with Postgres."),
    ("Billing uses MySQL.", "Billing uses Postgres instead of MySQL."),
    ("我们用 Jenkins。", "我们从 Jenkins 换成了 GitLab。"),
]

EVERYDAY = [
    ("160 people are confirmed for the dinner.", "174 people are confirmed for the dinner."),
    ("The spinning class is taught by Marcus.", "Tina teaches the spinning class."),
    ("Leo bakes a cake on Fridays.", "Leo stopped baking the cake."),
    ("Grandpa eats meat.", "Grandpa is vegan."),
    ("证书每六十天更新一次。", "证书每九十天更新一次。"),
    ("제출은 5월 8일까지이다.", "제출은 5월 15일까지이다."),
    ("Choir practice is on Wednesdays at 19:00.", "Choir practice is on Thursdays."),
    ("The bakery opens at 6.", "The bakery opens at 7."),
    ("The cat's name is Miso.", "The cat's name is Mochi."),
    ("The vet is Dr. Alvarez.", "The vet is Dr. Brandt."),
    ("Grandma's recipe uses 200 g of flour.", "Grandma's recipe uses 250 g of flour."),
    ("The wedding is in Tuscany.", "The wedding is in Provence."),
    ("The flight to Oslo departs at 7:45.", "The flight to Oslo departs at 9:15."),
    ("The thesis has four chapters.", "The thesis has five chapters."),
    ("The gym membership costs 39 euros a month.", "The gym membership costs 45 euros a month."),
    ("Mira is allergic to peanuts.", "Mira is not allergic to peanuts."),
    ("Visitors need a badge.", "Visitors don't need a badge."),
    ("The kids may use tablets on weekdays.", "The kids may not use tablets on weekdays."),
    ("The store accepts credit cards.", "The store does not accept credit cards."),
    ("The garden is watered every two days.", "The garden is watered daily."),
    ("Leo plays the piano.", "Leo no longer plays the piano."),
    ("The dosage is 20 mg.", "The dosage is 40 mg."),
    ("The heating is set to 21 degrees.", "The heating is set to 19 degrees."),
    ("The newsletter is sent with Mailchimp.", "The newsletter is sent with Buttondown."),
    ("The workshop takes place in Vienna.", "The workshop takes place in Graz."),
    ("The wall is painted green.", "The wall is painted white."),
    ("Invoices are sent by email.", "Invoices are sent by post."),
    ("The podcast is recorded with Riverside.", "The podcast is recorded with Zencastr."),
    ("The class starts at 18:00.", "The class begins at 18:30."),
    ("The project is on hold.", "The project is active."),
    ("The contract is signed.", "The contract is not signed yet."),
    ("Payment is due within 14 days.", "Payment is due within 30 days."),
    ("Our accountant is Berger & Partner.", "Our accountant is Steuerhaus Nord."),
    ("The cabin sleeps six people.", "The cabin sleeps eight people."),
    ("The release is scheduled for Monday.", "The release is scheduled for Wednesday."),
    ("The dog weighs 12 kg.", "The dog weighs 15 kg."),
    ("The hotel is booked for May 3 to May 7.", "The hotel is booked for May 4 to May 8."),
    ("Backups go to S3.", "Backups go to Backblaze."),
    ("The printer is on the second floor.", "The printer is on the third floor."),
    ("Exam is on 12 June.", "Exam was moved to 19 June."),
    ("Nina's husband is Paul.", "Nina's husband is Peter."),
    ("The meeting with the bank is on Tuesday.", "The meeting with the bank is on Friday."),
    ("The primary contact is Julia.", "The primary contact is Sandro."),
    ("Lena starts her new job in April.", "Lena starts her new job in May."),
    ("We ship with DHL.", "We switched from DHL to UPS."),
    ("The lease runs until 2027.", "The lease runs until 2029."),
    ("The API uses REST.", "The API uses GraphQL instead of REST."),
    ("The default currency is EUR.", "The default currency is USD."),
    ("The sourdough proofs for 12 hours.", "The sourdough proofs for 18 hours."),
    ("会议在星期三。", "会议在星期四。"),
    ("我的生日是5月4日。", "我的生日是5月9日。"),
    ("公司在上海。", "公司在北京。"),
    ("회의는 3시에 시작한다.", "회의는 4시에 시작한다."),
    ("배포는 금요일에 한다.", "배포는 목요일에 한다."),
    ("서버는 AWS를 사용한다.", "서버는 GCP를 사용한다."),
    ("我住在深圳。", "我不住在深圳。"),
]


WORDED_ANOTHER_WAY = [
    ("The rate limit of the API is 60 requests a minute.", "The API allows 100 requests a minute."),
    ("Uploads are capped at 25 MB.", "The upload limit is 50 MB."),
    ("The retention of audit logs is 90 days.", "Audit logs are kept for one year."),
    ("Imran takes atorvastatin 20 mg.", "The dose of atorvastatin is 40 mg."),
    ("We keep the photos in iCloud.", "Photos are stored on the Synology."),
    ("We ship our logs to Loki.", "Logs are shipped to Elasticsearch."),
    ("The landlord does not allow dogs in the flat.", "Dogs are allowed in the flat."),
    ("The nightly job sends a report by mail.", "The nightly job sends no report."),
    ("The sealing rings come from Bosshard.", "Kramer supplies the sealing rings."),
    ("The apprentice is supervised by Mr. Kaya.", "Mrs. Bohn supervises the apprentice."),
    ("Garbage collection is on Mondays.", "The garbage is collected on Tuesdays."),
    ("Start of the audit: September 11.", "The audit begins on 4 September."),
    ("Hannah is married to Oliver.", "Hannah's husband is called Simon."),
    ("Rent is due on the 3rd.", "Rent must be paid by the 1st of the month."),
    ("The passport is valid until March 2028.", "The passport expires in November 2027."),
    ("The shed key is on the hook.", "The shed key is under the blue pot."),
    ("Carla takes the minutes.", "Ben takes the minutes now."),
    ("The path is lit at night.", "The path is unlit at night."),
    ("小陈负责前端。", "前端由小刘负责。"),
    ("周末可以加班。", "周末不可以加班。"),
    ("房租每个月三千五。", "房租是每个月四千元。"),
    ("프론트엔드는 지훈이 담당한다.", "프론트엔드 담당자는 수아이다."),
    ("우리는 젠킨스를 쓴다.", "우리는 더 이상 젠킨스를 쓰지 않는다."),
]

DONE_BY_ONE = [
    ("Marta chairs the works council.", "Jonas chairs the works council."),
    ("Helen captains the second team.", "The second team's captain is Ruth."),
    ("Samir umpires the home games.", "Kate umpires the home games."),
    ("Anna plays bass in our band.", "Leo plays bass in our band."),
    ("Edda feeds the chickens.", "Bert feeds the chickens."),
    ("The bass line on Harbour is played by Tess.", "Rob plays the bass line on Harbour."),
    ("The marathon was won by Okoye.", "Lindgren won the marathon."),
    ("Yara is the scrum master.", "The scrum master is Devon."),
    ("The on-call engineer this week is Ravi.", "Sofia is on call this week."),
    ("Priya signs off the release notes.", "The release notes are signed off by Tomas."),
    ("The kids see our dentist, Dr. Patel, in June.", "Our dentist is Dr. Moser."),
]
OF_ONE_KIND = [
    ("Our dog Bruno is a labrador mix.", "Bruno is a beagle mix."),
    ("Uncle Rolf is a carpenter.", "Uncle Rolf works as an electrician."),
    ("Greta sings alto.", "Greta sings soprano."),
    ("Noah plays goalkeeper for the under-tens.", "Noah plays striker for the under-tens."),
    ("The primary keys are UUIDs.", "The primary keys are integers."),
    ("The API returns dates in UTC.", "The API returns dates in local time."),
    ("Dad takes half a tablet of bisoprolol.", "Dad takes a whole tablet of bisoprolol."),
]
BY_VERB_AND_NOUN = [
    ("The tutor of Ada is Mr. Lund.", "Ada is tutored by Mrs. Keller."),
    ("Tickets are refundable.", "Tickets are non-refundable."),
    ("The choir rehearses in the parish hall.", "Choir rehearsals are in the school gym."),
    ("We fly to Lisbon on the 14th.", "The flight to Lisbon is on the 16th."),
    ("We invoice in dollars.", "Invoices are issued in euros."),
    ("The wedding photographer is Finn Larsen.", "The wedding is photographed by Ada Moretti."),
    ("The electricity comes from Vattenfall.", "Our electricity provider is EON."),
    ("The savings account is at ING.", "Our savings account is with Commerzbank."),
    ("Our daughter goes to Lindenhof school.", "Our daughter attends the Montessori school."),
    ("The parcel was sent with DPD.", "The parcel was sent with GLS."),
    ("The dishwasher was 549 euros.", "The dishwasher cost 599 euros."),
    ("Breakfast is included in the price.", "Breakfast is not included."),
]


def _rules(*groups: tuple[str, list[tuple[str, str]]]) -> list[tuple[str, str, str]]:
    return [(rule, one, other) for rule, pairs in groups for one, other in pairs]


@pytest.mark.parametrize(
    ("rule", "one", "other"),
    _rules(
        ("value", VALUES), ("negation", NEGATIONS), ("number", NUMBERS), ("date", DATES), ("antonym", ANTONYMS),
        ("no longer", ENDED), ("switched", SWITCHED),
    ),
)  # fmt: skip
def test_the_same_of_the_same_thing_and_yet_another(rule: str, one: str, other: str) -> None:
    found, turned = contradiction(one, other), contradiction(other, one)
    assert found is not None
    assert turned is not None
    assert (found.rule, turned.rule) == (rule, rule)


@pytest.mark.parametrize(
    ("one", "other"), [*EVERYDAY, *WORDED_ANOTHER_WAY, *DONE_BY_ONE, *OF_ONE_KIND, *BY_VERB_AND_NOUN]
)
def test_it_is_found_in_whatever_people_keep(one: str, other: str) -> None:
    assert contradiction(one, other) is not None
    assert contradiction(other, one) is not None


NONE = [
    ("Production uses three replicas.", "The production URL is acme.dev."),
    ("Pia sings in the jazz band.", "Pia sings in the church choir."),
    ("The campsite charges 32 euros.", "The campsite charges 24 euros in October."),
    ("The API allows 100 requests a minute.", "The API returns at most 50 rows."),
    ("The upload limit is 50 MB.", "The download limit is 200 MB."),
    ("Pull requests from forks are blocked.", "Pull requests from the team are allowed."),
    ("The mortgage has a term of 30 years.", "The term of the mortgage is 360 months."),
    ("The mortgage starts in 2 years.", "The mortgage ends in 30 years."),
    ("The subscription is $15 monthly.", "The subscription is $150 a year."),
    ("Yusuf coaches the under-12s.", "The under-14s are coached by Ellen."),
    ("Ana sends postcards to Bob.", "Ana sends postcards to Carla."),
    ("The API listens on port 8080.", "The admin panel listens on port 9090."),
    ("Billing uses Postgres.", "Billing uses Redis for caching."),
    ("The team uses Postgres.", "The team uses Redis."),
    ("Met Ana on March 3.", "Met Ana on March 10."),
    ("We plan to move to Hetzner.", "We run on AWS."),
    ("The launch is planned for March 5.", "The launch took place on March 6."),
    ("Maybe we should use Rust.", "The API is written in Go."),
    ("The API timeout is 1 hour.", "The API timeout is 60 minutes."),
    ("The disk has 1 TB.", "The disk has 1000 GB."),
    ("The backend runs Python 3.11.", "The frontend runs Node 20."),
    ("The backend runs Python 3.11.", "The backend runs Python 3.11.4."),
    ("Ana is vegetarian.", "Ana is a designer."),
    ("Ana likes tea.", "Ana likes coffee."),
    ("Ana speaks German.", "Ana speaks Spanish."),
    ("Ana has a cat.", "Ana has a dog."),
    ("The API timeout is 30 seconds.", "The API timeout for uploads is 5 minutes."),
    ("The office was in Paris.", "The office is in Berlin."),
    ("We used to use Jenkins.", "CI runs on GitHub Actions."),
    ("In 2024 the budget was $5,000.", "In 2025 the budget was $7,000."),
    ("Server 1 has 16 GB of RAM.", "Server 2 has 32 GB of RAM."),
    ("Is the office in Paris?", "The office is in Berlin."),
    ("The office is in Berlin.", "Our office is in Berlin, near the river."),
    ("The standup is at 9:30.", "The retro is at 15:00."),
    ("The build takes 10 minutes.", "The build starts at 02:00."),
    ("The build takes about 10 minutes.", "The build takes 11 minutes."),
    ("The operator prefers tea in the morning.", "The operator prefers coffee after lunch."),
    ("The operator prefers dark mode.", "The operator prefers Vim."),
    ("Deploys go out on Tuesdays.", "Deploys go out at 14:00."),
    ("The office is not in Paris.", "The office is in Berlin."),
    ("We switched from Jenkins to GitHub Actions.", "CI runs on GitHub Actions."),
    ("Tim said the budget is $9,000.", "The budget is $5,000."),
    ("Ben's birthday is May 4.", "Ana's birthday is May 9."),
    ("The farm has nine goats.", "The farm has two dogs."),
    ("Tickets cost 20 euros for adults.", "Tickets cost 10 euros for children."),
    ("Yoga is on Mondays at 9.", "Yoga is on Thursdays at 18."),
    ("The flat has three rooms.", "The flat has 80 m2."),
    ("Ana is from Porto.", "Ana is in Berlin."),
    ("Nightly builds run at 2:00.", "Weekly builds run at 4:00."),
    ("The staging database is on port 5432.", "The staging cache is on port 6379."),
    ("Ana paid 20 euros.", "Ana paid 35 euros."),
    ("Ran 10 km on Monday.", "Ran 12 km on Friday."),
    ("Choir practice is on Wednesdays.", "Band practice is on Thursdays."),
    ("The cat's name is Miso.", "The dog's name is Mochi."),
    ("Grandma's recipe uses 200 g of flour.", "Grandma's recipe uses 250 g of sugar."),
    ("Lea plays the violin.", "Lea plays tennis."),
    ("Tom bought a bike.", "Tom bought a tent."),
    ("Paid the plumber 180 euros on January 4.", "Paid the plumber 95 euros on March 9."),
    ("The hotel has a pool.", "The hotel has free parking."),
    ("The flight to Oslo departs at 7:45.", "The flight to Bergen departs at 9:15."),
    ("The flight departs at 7:45.", "The flight arrives at 9:15."),
    ("We might move to Lisbon.", "We live in Graz."),
    ("The plan is to launch in May.", "The launch was in June."),
    ("Visited the dentist on Monday.", "Visited the dentist in October."),
    ("The summer rent is 900 euros.", "The winter rent is 700 euros."),
    ("The kids like pasta.", "The kids like rice."),
    ("The store opens at 9 on weekdays.", "The store opens at 10 on Sundays."),
    ("Anna is a nurse.", "Anna is a mother of two."),
    ("The report is 12 pages long.", "The report is due on Friday."),
    ("The project uses React.", "The project uses Postgres."),
    ("The project uses pytest.", "The project uses mypy."),
    ("Always run tests before deploying.", "Never deploy without a backup."),
    ("The operator likes hiking.", "The operator likes quiet mornings."),
    ("In 2023 we had 12 clients.", "In 2024 we had 20 clients."),
    ("The old laptop has 8 GB of RAM.", "The new laptop has 32 GB of RAM."),
    ("The train takes 2 hours.", "The train takes 120 minutes."),
    ("Meeting with Ben at 10.", "Meeting with Carla at 14:00."),
    ("Ben prefers email.", "Carla prefers calls."),
    ("The trial lasts 14 days.", "The trial lasts two weeks."),
    ("Version 2 supports Linux.", "Version 3 supports Windows."),
    ("The first draft is due in May.", "The final draft is due in July."),
    ("The red folder is for invoices.", "The blue folder is for contracts."),
    ("The budget for food is 400 euros.", "The budget for travel is 900 euros."),
    ("Milk is in the fridge.", "Bread is in the pantry."),
    ("Room A is on the first floor.", "Room B is on the second floor."),
    ("The team meets on Mondays.", "The team meets in room 4."),
    ("The car is a Skoda.", "The car is parked in the garage."),
    ("The doctor said to rest for three days.", "The doctor is Dr. Koch."),
    ("Ana works from home on Fridays.", "Ana works at Siemens."),
    ("The book has 320 pages.", "The book costs 18 euros."),
    ("The cake needs 3 eggs.", "The bread needs 2 eggs."),
    ("The deploy took 12 minutes on Monday.", "The deploy took 30 minutes on Friday."),
    ("The office is open Monday to Friday.", "The office is closed on Sunday."),
    ("Decided to use Tailwind.", "Decided to use TypeScript."),
    ("Use British spelling.", "Use short sentences."),
    ("Tests run on every push.", "Tests run nightly as well."),
    ("She speaks French.", "She speaks Italian."),
    ("Lunch with Mia on 3 March.", "Lunch with Mia on 17 March."),
    ("The blog is written in English.", "The blog is written by Tom."),
    ("The server is hosted at Hetzner.", "The server is hosted in Finland."),
    ("Kim's number is 555-1234.", "Kim's office is in Leeds."),
    ("The garden gate code is for guests only.", "The alarm is set at night."),
    ("小王喜欢爬山。", "小王喜欢游泳。"),
    ("北京的办公室在三楼。", "上海的办公室在五楼。"),
    ("지수는 커피를 좋아한다.", "지수는 차를 좋아한다."),
    ("개발 서버는 8080 포트를 쓴다.", "운영 서버는 443 포트를 쓴다."),
    ("小李喜欢茶。", "小李喜欢咖啡。"),
    ("小李是医生。", "小李是上海人。"),
    ("민수는 의사이다.", "민수는 채식주의자이다."),
    ("There is a row of Laura potatoes.", "There are two rows of Linda potatoes."),
    ("Samir watches the home games.", "Kate watches the home games."),
    ("Anna plays the piano.", "Leo plays the piano."),
    ("Edda feeds the chickens on weekdays.", "Bert feeds the chickens at weekends."),
    ("Maria drives the bus.", "Karl drives the bus."),
    ("Marlowe pays on the spot.", "Brightside pays on the spot."),
    ("Okoye ran the marathon.", "Lindgren ran the marathon."),
    ("Mia is the sister of Tom.", "Lea is the sister of Tom."),
    ("Yara is the scrum master of Atlas.", "Devon is the scrum master of Borealis."),
    ("My brother Jan is a nurse.", "My brother Ole is a teacher."),
    ("Anna knows a nurse.", "Anna knows a teacher."),
    ("The vet checked the dog.", "The vet checked the cat."),
    ("Anna works with Terraform.", "Anna works with Ansible."),
    ("The frontend is tested with Vitest.", "The frontend is tested with Playwright."),
    ("Tariq owes me 50 euros.", "I owe Tariq 80 euros."),
    ("We fly to Rome on the 3rd.", "We fly back on the 9th."),
    ("We cook on Mondays.", "We bake on Sundays."),
    ("The supplier of the paper is Nordwind.", "The supplier of the ink is Falk."),
]


@pytest.mark.parametrize(("one", "other"), NONE)
def test_two_facts_that_can_both_be_true_are_no_contradiction(one: str, other: str) -> None:
    assert contradiction(one, other) is None
    assert contradiction(other, one) is None


@pytest.mark.parametrize(("current", "told"), [*SWITCHED, *ENDED])
def test_the_entry_that_still_says_the_old_is_outdated(current: str, told: str) -> None:
    found, turned = contradiction(current, told), contradiction(told, current)
    assert found is not None
    assert turned is not None
    assert (found.outdated, turned.outdated) == ("one", "other")


@given(st.text(), st.text())
def test_any_two_texts_can_be_compared_and_a_text_never_contradicts_itself(one: str, other: str) -> None:
    assert contradiction(one, one) is None
    found, turned = contradiction(one, other), contradiction(other, one)
    assert (found is None) == (turned is None)
