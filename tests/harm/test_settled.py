"""No agent supersedes what may be true beside its rival, however much newer that is."""

from datetime import UTC, datetime

from clawgit.agents.conflict_detector import propose
from clawgit.agents.contract import Snapshot
from clawgit.core.config.settings import Settings
from clawgit.core.markdown.entry import entries
from clawgit.talk.rules.corrections import CORRECTIONS, Correction, added
from tests.agents.applied import applied
from tests.each import for_each

NOW = datetime(2026, 6, 1, 7, tzinfo=UTC)


AGE, CORRECTED = ("", "explicit"), (" #correction", "correction")


def superseded(
    first: str,
    second: str,
    *rules: tuple[str, str],
    paths: tuple[str, str] = ("MEMORY.md",) * 2,
) -> bool:
    """Whether an agent settles it for a side, by its age or since it is a correction."""
    done = False
    for tag, src in rules or (AGE, CORRECTED):
        files = dict.fromkeys(("CONFLICTS.md", *paths), "")
        for path, text, last, mark, source in (
            (paths[0], first, "2026-01-01", "", "explicit"),
            (paths[1], second, "2026-05-30", tag, src),
        ):
            if mark:
                right = Correction("mright", NOW, correct=text, status="confirmed")
                files[CORRECTIONS] = added("", right)
            files[path] += (
                f"- {text} #knowledge{mark} <!-- claw:m{last[6]}{last[8:]}aa conf=.95 n=1 "
                f"first={last} last={last} src={source} ev=chat:main/{last} -->\n"
            )
        after = applied(files, propose(Snapshot(NOW, Settings(), files, run="r")))
        done |= any(
            each.facts.status != "active" for path in paths for each in entries(after[path])
        )
    return done


@for_each(
    "first, second",
    [
        ("One of Marta's sisters is Ewa.", "One of Marta's sisters is Kasia."),
        ("Kim paid us 200 euros for the boat.", "Kim paid us 300 euros for the boat."),
        ("There is a pharmacy on Main Street.", "There is a bakery on Main Street."),
        ("Ana is good at painting.", "Ana is good at cooking."),
        ("A favourite film is Alien.", "A favourite film is Heat."),
        ("Mia is allergic to Nuts.", "Mia is allergic to Milk."),
        ("My brother is called Tom.", "My brother is called Tim."),
        ("The spare key is with Ana.", "The spare key is with Bo."),
        ("The bus to Oslo leaves at 9:00 daily.", "The bus to Oslo leaves at 11:00 daily."),
        ("Backup of web runs at 2:00.", "Backup of web runs at 14:00."),
        ("The trash is collected on Mondays.", "The trash is collected on Thursdays."),
        ("The choir is on Monday.", "The choir is on Thursday."),
        ("The review is in May.", "The review is in November."),
        ("Room 4 is reserved for Kim on Monday.", "Room 4 is reserved for Kim on Friday."),
        ("In Berlin the shop opens at 9:00.", "In Berlin the shop opens at 10:00."),
        ("Client A pays 500 euros a month.", "Client A pays 600 euros a month."),
        ("Payment of 200 euros received from Kim.", "Payment of 300 euros received from Kim."),
        ("Do not call Ana after 20:00.", "Call Ana after 20:00."),
        ("The fee is at least 40 EUR.", "The fee is at least 50 EUR."),
        ("The fee is about 40 EUR.", "The fee is about 50 EUR."),
        ("The tickets are 40 EUR.", "The tickets are 60 EUR."),
        ("The pill is at 8:00 for Kim.", "The pill is at 20:00 for Kim."),
        ("The office is not open today.", "The office is open today."),
        ("The boss of Lena is not Kim.", "The boss of Kim is Lena."),
        ("A friend of Ana is not vegan.", "A friend of Ana is vegan."),
        ("She is not allergic to nuts.", "He is allergic to nuts."),
        ("The cat of my aunt is not deaf.", "The cat of her aunt is deaf."),
        ("If it rains, the start is at 9:00.", "If it rains, the start is at 10:00."),
        ("Eine Tante von Lena heißt Ewa.", "Eine Tante von Lena heißt Kasia."),
        ("Die Karten sind 40 EUR.", "Die Karten sind 60 EUR."),
        ("Der Bus fährt um 9:00 Uhr.", "Der Bus fährt um 11:00 Uhr."),
        ("Eine der Allergien von Mia ist Nuss.", "Eine der Allergien von Mia ist Milch."),
        ("Una de sus hermanas es Ewa.", "Una de sus hermanas es Kasia."),
        ("El tren sale a las 9:00.", "El tren sale a las 11:00."),
        ("La clase es el martes.", "La clase es el jueves."),
        ("妈妈喜欢喝绿茶。", "妈妈喜欢喝红茶。"),
        ("バスは9時に出ます。", "バスは11時に出ます。"),
        ("버스는 9시에 출발합니다.", "버스는 11시에 출발합니다."),
        ("The match is on 3 June.", "The match is on 9 July."),
        ("The next exam is at 9:00.", "The next exam is at 10:00."),
        ("The bill is 20 EUR.", "The bill is 30 EUR."),
        ("The walk is 5 km.", "The walk is 7 km."),
        ("The other office is not in Rome.", "The other office is in Rome."),
        ("The train that Bo takes is at 9:00.", "The train that Bo takes is at 10:00."),
        ("The bus to Oslo is at 9:00.", "The bus to Oslo is at 11:00."),
        ("Der Zug nach Rom ist um 9:00.", "Der Zug nach Rom ist um 11:00."),
        ("El pago es de 200 euros.", "El pago es de 300 euros."),
        ("Mira: “The desk is not free.”", "Ole: “The desk is free.”"),
    ],
)
def test_what_may_both_be_true_is_at_most_asked(first: str, second: str) -> None:
    assert not superseded(first, second)
    assert not superseded(second, first)


def test_the_same_words_in_two_files_may_be_about_two_things() -> None:
    open_or_not = "The gate is not open.", "The gate is open."
    assert superseded(*open_or_not, AGE)
    assert not superseded(*open_or_not, paths=("memory/ana.md", "memory/bo.md"))


@for_each(
    "first, second",
    [
        ("The medicine is at 8:00.", "The medicine is at 20:00."),
        ("The tax is 7 %.", "The tax is 19 %."),
        ("Die Tablette ist um 8:00.", "Die Tablette ist um 20:00."),
    ],
)
def test_only_a_correction_settles_a_time_or_a_share(first: str, second: str) -> None:
    assert not superseded(first, second, AGE)
    assert superseded(first, second, CORRECTED)


@for_each(
    "first, second",
    [
        ("The office is not in Paris.", "The office is in Paris."),
        ("Das Büro ist nicht in Paris.", "Das Büro ist in Paris."),
    ],
)
def test_of_the_one_thing_that_is_or_is_not_the_newer_holds(first: str, second: str) -> None:
    assert superseded(first, second, AGE)
