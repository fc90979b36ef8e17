"""Part 9: lessons are written once, with the messages that show them; a model may see more, and prove it."""

from datetime import UTC, datetime

from clawgit.agents.lesson_desk import Comparison
from clawgit.agents.lesson_extractor import AT_ONCE, propose
from clawgit.agents.lesson_mind import Drawn
from clawgit.domain.lesson import lessons_in
from clawgit.domain.lesson_commands import read_command
from clawgit.domain.lesson_tried import Attempt, Recovery, Tried
from clawgit.errors import NoAnswerError
from tests.agents.organizing import Answering, Desk, kinds

LESSONS = "memory/lessons.md"
WHEN = datetime(2026, 3, 9, 12, tzinfo=UTC)


def attempt(command: str, ident: str, error: str = "") -> Attempt:
    return Attempt("exec", f'{{"command": "{command}"}}', read_command(command), ident, WHEN, error)


def recovery(wrong: str, right: str, error: str, at: int = 1) -> Recovery:
    return Recovery("s1", (attempt(wrong, f"r{at}", error),), attempt(right, f"r{at + 1}"))


PUSH = recovery("git push", "git push -u origin main", "fatal: The current branch has no upstream branch.")


def desk(*found: Recovery) -> Desk:
    here = Desk({"MEMORY.md": "# Memory\n"})
    here.tried = Tried(found, "0123456789")
    return here


def test_a_lesson_is_an_entry_with_its_evidence() -> None:
    here = desk(PUSH)
    done = here.run(propose)
    meta = next(lessons_in(here.files[LESSONS])).meta
    assert here.files[LESSONS].partition("\n\n## ")[2].splitlines()[2:] == [
        f"- When `git push` says “fatal: The current branch has no upstream branch.” #skill {meta}",
        "  - Wrong: `git push`",
        "  - Right: `git push -u origin main`",
        "  - Why: it said “fatal: The current branch has no upstream branch.”; put otherwise, it worked",
    ]
    assert meta.evidence == ("chat:s1/r1", "chat:s1/r2")
    assert done.steps[0].evidence == ("chat:s1/r1", "chat:s1/r2")
    assert here.run(propose).steps == ()
    here.forget()
    assert here.run(propose).steps == ()


def test_the_same_lesson_from_another_day_is_a_mention() -> None:
    here = desk(PUSH)
    here.run(propose)
    here.tried = Tried((PUSH._replace(session="s2"),), "x")
    assert kinds(here.run(propose)) == ["mentioned"]
    [kept] = lessons_in(here.files[LESSONS])
    assert kept.meta.n == 2


def test_a_model_says_whether_two_that_are_alike_are_one() -> None:
    here = desk(PUSH)
    here.run(propose)
    here.tried = Tried((PUSH._replace(session="s2"),), "x")
    drawn = Drawn(
        True, "When git push says fatal: The current branch has no upstream branch", "git push",
        "git push -u origin main", "the branch has no upstream branch",
    )  # fmt: skip
    here.mind = Answering(drawn, Comparison("NOVEL"))
    assert kinds(here.run(propose)) == ["added"]
    here.tried = Tried((PUSH._replace(session="s3"),), "y")
    here.mind = Answering(drawn, Comparison("DUPLICATE"))
    assert kinds(here.run(propose)) == ["mentioned"]


def test_a_model_may_find_that_nothing_is_learned_and_may_invent_nothing() -> None:
    here = desk(PUSH, recovery("apt install x", "sudo apt install x", "Permission denied", 5))
    here.mind = Answering(Drawn(False), Drawn(True, "When apt fails", "no", "wait 45 minutes", "luck"))
    done = here.run(propose)
    assert (done.steps, [one.why for one in done.skipped]) == (
        (),
        ["a model says that it teaches nothing", "45 was not shown"],
    )
    assert here.run(propose).skipped == ()  # judged once


def test_without_an_answer_rules_read() -> None:
    here = desk(PUSH)
    here.mind = Answering(NoAnswerError("asleep"))
    assert kinds(here.run(propose)) == ["added"]


def test_many_are_judged_in_several_runs() -> None:
    many = [recovery(f"tool{at} a{at}", f"tool{at} b{at}", f"error: e{at}", 10 * at) for at in range(AT_ONCE + 3)]
    here = desk(*many)
    assert len(kinds(here.run(propose))) == AT_ONCE
    assert len(kinds(here.run(propose))) == 3
    assert here.run(propose).steps == ()
