"""Part 9: facts that ran out are archived; none is lost, and the second run finds
nothing."""

from clawgit.agents import organizer
from clawgit.agents.decay_engine import propose
from tests.agents.organizing import NOTE, Desk, kinds

TASKS, BOOK = "memory/structured/tasks.md", "Archive/Facts/2026-March.md"
DAY = """- [ ] Renew the staging certificate
- [ ] Call the plumber about the sink
- Ana likes tea #knowledge
"""


def organized(text: str = DAY) -> Desk:
    here = Desk({NOTE: text})
    here.later(-5)  # while the tasks of the note are not over
    here.run(organizer.propose)
    here.later(5)
    return here


def test_what_holds_stays_and_what_ran_out_is_archived_whole() -> None:
    here = organized()
    here.now = here.now.replace(day=8)
    assert propose_steps(here) == 0  # a task of the first holds to the end of the eighth
    here.later(1)
    before = here.files[TASKS].splitlines()[-1]
    assert kinds(here.run(propose)) == ["archived", "archived"]
    assert (here.lines(TASKS), len(here.lines("memory/structured/general.md"))) == ([], 1)
    assert here.files[BOOK].splitlines()[-1] == before.replace(" class=", " status=archived class=")
    assert propose_steps(here) == 0
    assert here.run(organizer.propose).steps == ()  # the index went along


def propose_steps(here: Desk) -> int:
    return len(here.run(propose).steps)


def test_a_fact_that_must_stay_keeps_no_other_of_its_page() -> None:
    here = organized()
    ours = here.files[TASKS].splitlines(keepends=True)
    here.files[TASKS] = "".join([*ours[:-1], "\n> one\n", ours[-1], "> two\n"])
    here.later(9)
    done = here.run(propose)
    assert (kinds(done), [each.what for each in done.skipped]) == (["archived"], [TASKS])
    assert (len(here.lines(BOOK)), len(here.lines(TASKS))) == (1, 1)


def test_a_task_that_is_told_again_comes_back() -> None:
    here = organized()
    here.run(propose)
    here.files["memory/2026-03-12.md"] = "- [ ] Renew the staging certificate\n"
    here.later(3)
    here.run(organizer.propose)
    assert here.lines(TASKS) == ["- Renew the staging certificate #knowledge"]
    assert here.lines(BOOK)[0] == "- Renew the staging certificate #knowledge"


def test_what_was_withdrawn_is_archived() -> None:
    here = organized("- Ana likes tea #knowledge\n")
    here.files[NOTE] = "- Ana likes coffee #knowledge\n"
    here.run(organizer.propose)
    here.later(1)
    assert kinds(here.run(propose)) == ["archived"]
    assert "status=superseded" in here.files[BOOK]
