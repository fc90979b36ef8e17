"""Needles in a year: single facts, written by hand, among notes made up by dice.

`bench/needles/dev.tsv` may be read and chosen by. `kept.tsv` beside it is to be written by somebody
who has seen neither the ranking nor the other file, in the same three columns (day, note, question;
an empty day and “-” where nothing answers), and only its totals are printed.
"""

import json
import random
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

_HERE = Path(__file__).parent / "needles"
_YEAR = 2025
_DAYS = 330
_A_DAY = (8, 16)

_PEOPLE = [
    "Oskar",
    "Lena",
    "Priya",
    "Tom",
    "Ines",
    "Mila",
    "Amara",
    "Jonas",
    "Kenji",
    "Farid",
    "Elif",
    "Anselm",
    "Sofia",
    "Ruben",
    "Halvorsen",
    "Marta",
]
_PLACES = [
    "kitchen",
    "attic",
    "garden",
    "office",
    "cellar",
    "studio",
    "workshop",
    "school",
    "station",
    "library",
]
_THINGS = [
    "the boiler",
    "the export",
    "the dishwasher",
    "the greenhouse",
    "the invoice",
    "the piano",
    "the cargo bike",
    "the login page",
    "the windows",
    "the release",
    "the backup",
    "the freezer",
    "the camera",
    "the tent",
    "the contract",
    "the printer",
    "the door",
    "the database",
    "the lease",
    "the budget",
    "the passport form",
    "the grinder",
    "the website",
]
_WORK = [
    "tests",
    "drafts",
    "orders",
    "letters",
    "tickets",
    "forms",
    "parcels",
    "photos",
    "logs",
    "offers",
    "minutes",
    "seeds",
]
_STATES = [
    "fine",
    "slow",
    "late",
    "noisy",
    "finished",
    "half done",
    "better than last week",
    "as before",
    "unclear",
]
_MEALS = [
    "soup",
    "rice and beans",
    "pancakes",
    "a salad",
    "dumplings",
    "pasta",
    "fish",
    "bread and cheese",
    "curry",
]
_TEMPLATES = (
    "Talked with {person} about {thing}, {state}.",
    "{person} came by in the {part} and looked at {thing}.",
    "Sorted {work} in the {place} for {count} minutes.",
    "Cooked {meal} with {person}.",
    "{person} asked when {thing} will be ready.",
    "Cleaned the {place}, {thing} is {state}.",
    "Sent {count} {work} to {person}.",
    "Called about {thing}; they ring back on {day}.",
    "Walked to the {place} with {person}, {weather}.",
    "{weather_top}, stayed in and read about {thing}.",
    "Meeting with {person} moved to {day}.",
    "{thing_top} is {state}, look at it again on {day}.",
    "Paid {count} euros for {work}.",
    "Checked {thing} twice, {state}.",
    "{person} is ill, so {work} wait until {day}.",
    "Wrote {count} lines of the report, {state}.",
    "Ran {count} minutes in the {part}, {weather}.",
    "Lunch with {person}: {meal}.",
    "Read {count} pages, {person} recommended the book.",
    "Ordered {work} for the {place}.",
    "Deployed {thing} in the {part}, {state}.",
    "Reviewed {work} of {person}: {state}.",
    "Took the train with {person}, {count} minutes late.",
    "Bought {meal} and {work} on the way home.",
    "{person} and {other} disagree about {thing}.",
    "Slept {state}, up at six.",
)
_WEATHER = [
    "rain all day",
    "dry and cold",
    "windy",
    "sun at last",
    "fog until noon",
    "warm for the season",
]
_WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]


def plant(out: Path) -> Iterator[str]:
    """Writes a workspace and its questions for each file of needles that is there; its name."""
    for name in ("dev", "kept"):
        needles = _HERE / f"{name}.tsv"
        if needles.is_file():
            rows = [line.split("\t") for line in needles.read_text("utf-8").splitlines()]
            _plant(out / name, [(day, note, question) for day, note, question in rows])
            yield name


def _plant(out: Path, rows: list[tuple[str, str, str]]) -> None:
    dice = random.Random(f"needles of {out.name}")
    root = out / "year"
    notes = {day: note for day, note, _ in rows if day}
    questions = []
    places = {}
    (root / "memory").mkdir(parents=True)
    (root / "MEMORY.md").write_text("# Memory\n", "utf-8")
    for number in range(_DAYS):
        day = date(_YEAR, 1, 1) + timedelta(days=number)
        lines = [_note(dice) for _ in range(dice.randint(*_A_DAY))]
        if needle := notes.get(f"{day:%m-%d}"):
            at = dice.randint(0, len(lines))
            lines.insert(at, needle)
            places[f"{day:%m-%d}"] = {"path": f"memory/{day}.md", "line": at + 3}
        text = "\n".join((f"# {day}", "", *(f"- {line}" for line in lines)))
        (root / "memory" / f"{day}.md").write_text(f"{text}\n", "utf-8")
    for when, _, question in rows:
        expect = [places[when]] if when else []
        questions.append(json.dumps({"query": question, "expect": expect}))
    (out / "year.queries.jsonl").write_text("\n".join(questions) + "\n", "utf-8")


def _note(dice: random.Random) -> str:
    thing, weather = dice.choice(_THINGS), dice.choice(_WEATHER)
    return dice.choice(_TEMPLATES).format(
        person=dice.choice(_PEOPLE),
        other=dice.choice(_PEOPLE),
        thing=thing,
        thing_top=thing.capitalize(),
        place=dice.choice(_PLACES),
        work=dice.choice(_WORK),
        state=dice.choice(_STATES),
        meal=dice.choice(_MEALS),
        count=dice.randint(5, 90),
        part=dice.choice(("morning", "afternoon", "evening")),
        day=dice.choice(_WEEKDAYS),
        weather=weather,
        weather_top=weather.capitalize(),
    )
