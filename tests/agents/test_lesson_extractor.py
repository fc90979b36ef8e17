"""Part 9: lessons are written once, with the messages that show them; a model may see more, and
prove it."""

from datetime import UTC, datetime

from clawgit.agents.choosing import Choice, Choices
from clawgit.agents.contract import TriedTools
from clawgit.agents.lesson_extractor import AT_ONCE, propose
from clawgit.memory.rules.lessons import TRANSCRIPTS, Attempt, ToolRecovery, attempted, lessons_in
from tests.agents.organizing import Answering, Desk, kinds

LESSONS = "memory/lessons.md"
WHEN = datetime(2026, 3, 9, 12, tzinfo=UTC)


def attempt(command: str, ident: str, error: str = "") -> Attempt:
    return attempted("exec", {"command": command}, ident, WHEN, error)


def recovery(wrong: str, right: str, error: str, at: int = 1) -> ToolRecovery:
    return ToolRecovery("s1", (attempt(wrong, f"r{at}", error),), attempt(right, f"r{at + 1}"))


PUSH = recovery(
    "git push", "git push -u origin main", "fatal: The current branch has no upstream branch."
)


def desk(*found: ToolRecovery) -> Desk:
    here = Desk({"MEMORY.md": "# Memory\n"})
    here.tried = TriedTools(found, "0123456789")
    return here


def test_a_lesson_is_an_entry_with_its_evidence() -> None:
    here = desk(PUSH)
    done = here.run(propose)
    meta = next(lessons_in(here.files[LESSONS]))[0].facts
    assert here.files[LESSONS].partition("\n\n## ")[2].splitlines()[2:] == [
        f"- When `git push` says “fatal: The current branch has no upstream branch.” #skill {meta}",
        "  - Wrong: `git push`",
        "  - Right: `git push -u origin main`",
        (
            "  - Why: it said “fatal: The current branch has no upstream branch.”; put otherwise, "
            "it "
            "worked"
        ),
    ]
    assert meta.evidence == ("chat:s1/r1", "chat:s1/r2")
    assert done.steps[0].evidence == ("chat:s1/r1", "chat:s1/r2")
    assert here.run(propose).steps == ()
    here.forget()
    assert here.run(propose).steps == ()


def test_the_same_lesson_from_another_day_is_a_mention() -> None:
    here = desk(PUSH)
    here.run(propose)
    here.tried = TriedTools((PUSH._replace(session="s2"),), "x")
    assert kinds(here.run(propose)) == ["mentioned"]
    [(kept, _)] = lessons_in(here.files[LESSONS])
    assert kept.facts.n == 2


def test_a_model_may_find_that_nothing_is_learned() -> None:
    here = desk(PUSH)
    here.mind = Answering(Choices([]))
    done = here.run(propose)
    assert done.steps == ()
    assert [one.why for one in done.skipped] == ["a model says that it teaches nothing"]
    assert here.run(propose).skipped == ()  # judged once


def test_what_a_model_chooses_is_learned_though_it_quotes_the_call_in_other_words() -> None:
    here = desk(PUSH)
    here.mind = Answering(Choices([Choice(1, "pushing with an upstream")]))
    assert len(here.run(propose).steps) == 1


def test_what_people_mark_as_a_lesson_is_kept_in_their_words_once() -> None:
    here = Desk({
        "memory/2026-03-08.md": (
            "# 2026-03-08\n\n- **Lesson:** Never push on a Friday, the pipeline is slow.\n- Rain, "
            "mostly.\n"
            "- [lesson] The scanner only reads labels that are dry.\n- 教训：部署之前必须先备份数据库，不然会丢数据\n"
            "- Lektion: Die Pumpe braucht vor dem Start immer Wasser.\n"
            "- Lección: nunca borrar la base antes del respaldo.\n"
            "- Learned: the printer needs the old driver on the Mac.\n- Lesson 3 was about verbs.\n"
            "- Lesson: the database password is correct-horse-7788-battery\n- The ferry is late. "
            "#correction\n"
        ),
        "LEARNINGS.md": "# Learnings\n\n- Status: pending\n- Never trust the exit code of the old "
                        "scanner.\n",
    })  # fmt: skip
    done = here.run(propose)
    assert kinds(done) == ["added"] * (6 + ("exit code" in here.files[LESSONS]))
    told = here.files[LESSONS]
    for words in (
        "- Never push on a Friday, the pipeline is slow. #skill <!--",
        ("- The scanner only reads labels that are "
                                                                       "dry."),
        "- 部署之前必须先备份数据库，不然会丢数据 #skill", "- Die Pumpe braucht vor dem Start immer Wasser.",
        "- nunca borrar la base antes del respaldo.", ("- the printer needs the old driver on the "
                                                      "Mac."),
    ):  # fmt: skip
        assert words in told
    assert not any(words in told for words in ("Rain", "verbs", "password", "ferry", "pending"))
    assert "ev=memory/2026-03-08.md#L3" in told
    here.files["memory/2026-03-08.md"] = here.files["memory/2026-03-08.md"].replace(
        "- Rain, mostly.\n", ""
    )
    assert here.run(propose).steps == ()
    here.forget()
    here.run(propose)
    assert here.files[LESSONS].count("Never push on a Friday") == 1


def test_a_model_says_whether_two_that_are_alike_are_one() -> None:
    here = desk(PUSH)
    here.run(propose)
    teaches, same = Choice(1, "git push -u origin main"), Choice(1, "When `git push` says")
    here.tried = TriedTools((PUSH._replace(session="s2"),), "x")
    here.mind = Answering(Choices([teaches]), Choices([]))
    assert kinds(here.run(propose)) == ["added"]
    here.tried = TriedTools((PUSH._replace(session="s3"),), "y")
    here.mind = Answering(Choices([teaches]), Choices([same]))
    assert kinds(here.run(propose)) == ["mentioned"]


def test_one_run_asks_a_model_about_so_many_recoveries_and_the_next_goes_on() -> None:
    many = (PUSH._replace(session=f"s{number}") for number in range(AT_ONCE + 2))
    here = desk(*many)
    here.mind = Answering(Choices([]))
    first = here.run(propose)
    assert (len(first.skipped), TRANSCRIPTS in first.marks) == (AT_ONCE, False)
    here.mind = Answering(Choices([]))
    second = here.run(propose)
    assert (len(second.skipped), TRANSCRIPTS in second.marks) == (2, True)
