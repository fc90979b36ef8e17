"""What `memory promote` moves without asking was said, and MEMORY.md does not say otherwise."""

from datetime import UTC, datetime

from clawgit.memory.rules.promotion import MOVED, SURE, Terms, plan, units, weigh
from tests.each import for_each

KNOWN = (
    "# Memory\n\n- API tokens rotate every 30 days. #decision\n"
    "- Standup is at 9:00 in room two. #knowledge\n- The shop is closed on Mondays. #knowledge\n"
)
NOTE, LATER = "memory/2026-02-10.md", "memory/2026-02-12.md"


def is_moved(line: str, *, same_day: str = "", later: str = "") -> bool:
    notes = {NOTE: f"# Day\n\n- {line}\n{same_day}", LATER: f"# Day\n\n{later}"}
    weighed = (weigh(unit) for path, text in notes.items() for unit in units(path, text))
    terms = Terms(datetime(2026, 3, 1, tzinfo=UTC), sure=SURE)
    made = plan({"MEMORY.md": KNOWN, **notes}, ["MEMORY.md"], filter(None, weighed), terms)
    return any(one.text == line and one.action == MOVED for one in made.decided)


@for_each(
    "line",
    [
        "Decision: API tokens rotate every 60 days.",
        "API tokens rotate every 60 days. #decision",
        "IMPORTANT: Standup is at 10:00 in room two.",
        "★ Standup is at 10:00 in room two.",
        "Remember: the shop is closed on Tuesdays.",
        "I dreamt that we decided to sell the house.",
        "I dreamt we decided to sell the house.",
        "If we had decided to sell the house, Kim would be happy.",
        "Wenn der Vorstand beschlossen hätte, das Haus zu verkaufen.",
        "Rumour: the board decided to sell the house.",
        "Decision: TBD",
        "Decision: still open",
        "Decision: to be discussed",
        "Entscheidung: offen",
        "Entscheidung: noch offen",
        "决定：待定",
        "Das wurde so beschlossen.",
        "This was decided.",
        "That is agreed on with Kim and Ole.",
        "IMPORTANT: user said ignore",
        "IMPORTANT: Kim says the boat is sold.",
        "Decision: maybe we use Redis for the queue.",
        "Entscheidung: vielleicht nehmen wir Redis für die Schlange.",
        "Kim thinks the team agreed on Redis queues.",
        "Perhaps we decided to print in Graz.",
        "Wichtig: laut Ole ist das Büro in Bonn.",
        "Decisión: quizá usamos Redis para la cola.",
        "Ole hopes that the board decided to sell the house.",
        "We have not decided on Redis for the queue.",
        "Nobody decided to sell the boat house.",
        "Decision: none",
        "Decision: (rejected) use Redis for the queue.",
        "Decision: rejected: use Redis for the queue.",
        "Decision: host the wiki on Netlify — cancelled",
        "Decision: rename the boat to Heron. Rejected.",
        "Decision (draft): host the wiki on Netlify.",
        "~~Decision: use Redis for the queue.~~",
        "Suppose we decided to print in Graz.",
        "Kim träumte, dass sie beschlossen haben, das Haus zu verkaufen.",
        "Ole espera que la junta haya decidido vender la casa.",
        "회의에서 매각을 결정했다는 꿈을 꾸었다.",
        "家を売ると決めた夢を見た。",
        "We decided to print the catalogue in Graz.",
        "La junta no decidió vender la fábrica.",
        "Soñé que decidimos vender la casa.",
        "夢で家を売ると決めた。",
        "In the novel the king decided to attack.",
        "The board almost decided to sell the house.",
        "Whether the board decided to sell is unknown.",
        "We decided to use Kafka. UPDATE: cancelled.",
        "TODO: decide on a registry for images. #decision",
        "We rename the company to Banana, lol. #decision",
        "We rename the company to Banana (just kidding). #decision",
        "Joke of the day: we move the office to the Moon. #decision",
        "Decision: rename the boat to Heron. No, keep the name.",
    ],
)
def test_what_is_dreamt_supposed_told_by_others_open_or_said_otherwise_stays(line: str) -> None:
    assert not is_moved(line)


@for_each(
    "line",
    [
        "Decision: use Postgres for the queue.",
        "IMPORTANT: the boat key is in the red box.",
        "Decision: roll back if the error rate is over five.",
        "Entscheidung: Redis für die Warteschlange.",
        "Decision: deploys are on Thursdays.",
        "决定：队列使用Redis。",
    ],
)
def test_what_was_decided_is_moved(line: str) -> None:
    assert is_moved(line)


HARBOR = "We decided on Harbor. #decision"


@for_each(
    "line, later",
    [
        (HARBOR, "Scrapped Harbor, we go with Dock. #decision"),
        (HARBOR, "Scrapped Harbor."),
        (HARBOR, "No, not Harbor after all."),
        (HARBOR, "We use Dock instead of Harbor."),
        ("Wir nehmen Harbor. #decision", "Harbor ist verworfen, wir nehmen Dock."),
        ("Decision: the app key rotates every 30 days.", "The app key rotates every 60 days."),
    ],
)
def test_what_a_later_line_takes_back_stays(line: str, later: str) -> None:
    assert not is_moved(line, later=f"- {later}\n")
    assert not is_moved(line, same_day=f"- {later}\n")


def test_of_two_decisions_on_one_matter_the_earlier_one_stays() -> None:
    first = "We decided on Harbor for the registry. #decision"
    then = first.replace("Harbor", "Dock")
    assert not is_moved(first, later=f"- {then}\n")
    assert is_moved(then, same_day=f"- {first}\n")


@for_each(
    "then",
    [
        "Harbor runs on port 8080.",
        "Scrapped the old logo. We decided on a heron. #decision",
        "We decided on tea for the office. #decision",
    ],
)
def test_what_later_lines_do_not_turn_round_is_moved(then: str) -> None:
    assert is_moved(HARBOR, same_day=f"- {then}\n", later=f"- {then}\n")


def test_the_lines_of_one_note_are_about_several_things() -> None:
    assert is_moved("IMPORTANT: Mia pays 20 euros.", same_day="- IMPORTANT: Tom pays 20 euros.\n")
