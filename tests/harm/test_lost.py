"""No correction is lost: each message has a section of its own, whose words stay for ever."""

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from clawgit.agents.contract import Snapshot
from clawgit.agents.correcting_typed import ToldCorrection, correct
from clawgit.agents.frame.agents import run_agent
from clawgit.agents.frame.corrections import add, archive, settle
from clawgit.core.config.settings import Settings
from clawgit.core.errors import ClawgitError, UsageError
from clawgit.git.rules.actors import AGENT, OPERATOR, Actor
from clawgit.history.undo import redo, undo
from clawgit.run.heartbeat import heartbeat
from clawgit.talk.chat import log
from clawgit.talk.rules.chat import told
from clawgit.talk.rules.corrections import (
    ARCHIVE,
    CORRECTIONS,
    Correction,
    added,
    archived,
    corrections,
)
from clawgit.workspace.workspace import Workspace
from tests.agents.recalling import NOW, call, landed, memory, validate
from tests.conftest import Git
from tests.making import space_of

DENTIST = "No, the call is on Friday, I think"
CALL = "The weekly call is on Monday at 3:00."
HELD = (CALL, "The office is in Paris.", "Ingrid opens the shop at 5:30.")


def asked(words: str, correct: str = "") -> dict[str, str]:
    """A memory about which the operator has said something that is still open."""
    waiting = Correction(
        "aaaaaa", NOW, correct=correct, words=words, status="open", source="chat:main/m1"
    )
    return {**memory(*HELD), CORRECTIONS: added("", waiting)}


@pytest.mark.parametrize("passed", [timedelta(minutes=1), timedelta(days=2)])
@pytest.mark.parametrize(
    "later",
    ["No, the office is in Berlin, not in Paris.", "Actually Ingrid opens at 5:00, not 5:30"],
)
def test_an_open_correction_outlives_whatever_is_said_next(later: str, passed: timedelta) -> None:
    before = told("main", "user", DENTIST, NOW, "m1")
    message = told("main", "user", later, NOW + passed, "m2")
    next_one = call(later, ident="m2")._replace(message=message, exchange=(before,))
    first, second = validate(asked(DENTIST), next_one).log
    assert (first.id, first.words, first.source) == ("aaaaaa", DENTIST, "chat:main/m1")
    assert (second.words, second.source) == (later, "chat:main/m2")
    assert first.status == "open"


def test_what_a_message_says_has_one_section_whoever_reads_it() -> None:
    """An agent that brings the same message again fills in the section that it has."""
    answer = "The dentist is on Friday at 3:30."

    def brought(files: Mapping[str, str], source: str, words: str) -> tuple[Correction, ...]:
        seen = Snapshot(NOW, Settings(), files, run="r2")
        typed = ToldCorrection(answer, closes="aaaaaa", source=source, words=words)
        return landed(files, correct(seen, typed)).log

    # Another message answers it, in a section of its own.
    first, second = brought(asked(DENTIST), "chat:main/m2", answer)
    assert (first.words, first.status, first.why) == (
        DENTIST, "settled", f"answered by {second.id}",
    )  # fmt: skip
    assert (second.words, second.status, second.source) == (answer, "confirmed", "chat:main/m2")
    # The same one, read better.
    [same] = brought(asked(f"No. {answer}"), "chat:main/m1", f"No. {answer}")
    assert (same.id, same.words, same.correct, same.status) == (
        "aaaaaa", f"No. {answer}", answer, "confirmed",
    )  # fmt: skip


def test_two_machines_that_hear_one_message_write_one_section() -> None:
    heard = call("No, the office is in Berlin, not in Paris.", ident="m1")
    here, there = (
        validate(memory(*HELD, *more), heard).log[0].id for more in ((), ("The cat is Momo.",))
    )
    assert here == there


def test_an_id_in_the_archive_is_given_to_no_other_correction() -> None:
    heard = call("No, the office is in Berlin, not in Paris.", ident="m1")
    [first] = validate(memory(*HELD), heard).log
    other = first._replace(words="Something else.", source="chat:main/m0", status="archived")
    book = f"{ARCHIVE}2026-January.md"
    [again] = validate({**memory(*HELD), book: added("", other)}, heard).log
    assert again.id != first.id


def test_the_archive_takes_a_correction_whose_id_another_one_has_there() -> None:
    one = Correction(
        "aaaaaa", NOW, correct="Right.", words="No, right.", status="kept", source="chat:main/m1"
    )
    other = one._replace(words="Something else.", source="chat:main/m2")
    files = {CORRECTIONS: added("", one), f"{ARCHIVE}2026-February.md": added("", other)}
    after = {**files, **archived(files, NOW.date() + timedelta(days=20), 14).files}
    assert {words for _, words in held(after)} == {"No, right.", "Something else."}


def held(files: Mapping[str, str]) -> Counter[tuple[str, str]]:
    """What the log and its archive hold: ids, with the operator's words."""
    books = [text for path, text in files.items() if path == CORRECTIONS or ARCHIVE in path]
    return Counter(
        (one.id, one.words or one.correct) for text in books for one in corrections(text)
    )


MESSAGES = st.sampled_from([
    DENTIST, "That's wrong.", "No, the office is in Berlin, not in Paris.", "No, it's Lars.",
    "No, at 3:30, and it's on host hermes now.", "Actually Ingrid opens at 5:00, not 5:30",
    "The weekly call is on Tuesday at 3:00.", "no, that is not right at all",
])  # fmt: skip
ACTS = st.sampled_from([
    "hear", "hear", "hear", "settle", "keep", "dismiss", "accept", "bring", "cite", "archive",
    "undo", "undo", "redo", "wait",
])  # fmt: skip
STEPS = st.lists(st.tuples(ACTS, MESSAGES, st.integers(0, 5)), min_size=4, max_size=9)


class Talk:
    """A workspace in which an operator corrects, answers, archives and takes back."""

    def __init__(self, root: Path) -> None:
        git = Git(root)
        git("init", "-q", "-b", "main")
        git.write("MEMORY.md", "# Memory\n\n" + "".join(f"- {item} #knowledge\n" for item in HELD))
        git.write("CONFIG.md", "# Config\n")
        git.commit_all("start")
        self.git, self.now, self.heard = git, NOW, 0

    def space(self, **passed: float) -> Workspace:
        self.now += timedelta(**passed or {"minutes": 1})
        return self.opened(OPERATOR)

    def opened(self, actor: Actor) -> Workspace:
        return space_of(self.git, actor, self.now)

    def files(self) -> dict[str, str]:
        paths = [self.git.root / CORRECTIONS, *self.git.root.glob(f"{ARCHIVE}*.md")]
        return {
            str(path.relative_to(self.git.root)): path.read_text()
            for path in paths
            if path.exists()
        }

    def waiting(self, at: int) -> str:
        known = corrections(self.files().get(CORRECTIONS, ""))
        return known[at % len(known)].id if known else "kmnpqr"

    def do(self, step: str, text: str, at: int) -> None:
        ident = self.waiting(at)
        if step == "hear":
            heartbeat(self.space(), text, session="main")
            run_agent(self.space(), "recall-validator", clock=lambda: self.now)
        elif step in ("settle", "keep", "dismiss", "accept"):
            how = {"text": text} if step == "settle" else {step: True}
            settle(self.space(), ident, **how)
        elif step == "bring":
            add(self.opened(AGENT), text, closes=ident if at else "")
        elif step == "cite":
            sources = [one.source for one in corrections(self.files().get(CORRECTIONS, ""))]
            add(self.opened(AGENT), text, evidence=tuple(sources[at : at + 1]))
        elif step == "archive":
            archive(self.space())
        elif step == "undo":
            undo(self.space())
        elif step == "redo":
            redo(self.space())
        else:
            self.space(days=9)


@settings(phases=[Phase.generate])  # each step is a process of git: shrinking takes minutes
@given(steps=STEPS)
def test_what_the_log_ever_held_is_there_or_in_its_archive(
    steps: list[tuple[str, str, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    talk = Talk(tmp_path_factory.mktemp("talk"))
    ever: set[tuple[str, str]] = set()
    for step in steps:
        # What cannot be done (nothing to redo, no such question) is refused.
        with suppress(ClawgitError):
            talk.do(*step)
        now = held(talk.files())
        assert ever <= now.keys()
        assert set(now.values()) <= {1}
        ever |= now.keys()
        sources = [one.source for text in talk.files().values() for one in corrections(text)]
        assert max(Counter(filter(None, sources)).values(), default=1) == 1


NOTE = "memory/2026-02-10.md"
TEAM = "memory/team.md"
LONG = "The standup is at 9:30. Ana leads it."


@pytest.fixture
def talk(git: Git) -> Talk:
    return Talk(git.root)


def test_what_is_settled_against_a_note_leaves_the_detector_at_work(talk: Talk) -> None:
    """Day after day: an entry written by hand has no evidence of its own."""
    other = LONG.replace("9:30", "9:45")
    talk.git.write(NOTE, f"# Day\n\n- {LONG} #knowledge\n- {other} #knowledge\n")
    talk.git.write(TEAM, f"# Team\n\n- {other} #knowledge\n")
    talk.git.commit_all("pages")
    offered = add(talk.opened(AGENT), LONG.replace("9:30", "10:00"), was=LONG)
    assert offered.correction is not None
    assert offered.status == "open"
    done = settle(talk.space(), offered.correction.id, accept=True)
    assert done.status == "settled"
    for _ in range(6):
        talk.space(days=1)
        run_agent(talk.space(), "conflict-detector", clock=lambda: talk.now)
    assert all(words in (talk.git.root / NOTE).read_text() for words in (LONG, other))
    assert f"- {other} " in (talk.git.root / TEAM).read_text()
    raised = (talk.git.root / "CONFLICTS.md").read_text()
    assert raised.count("flagged: the operator decides") == 1


def test_settling_names_the_entry_or_takes_what_is_offered(talk: Talk) -> None:
    log(talk.space(), DENTIST, session="main", ident="m1")
    talk.git.commit_file(CORRECTIONS, asked(DENTIST)[CORRECTIONS], "asked")
    with pytest.raises(UsageError, match="offers no sentence"):
        settle(talk.space(), "aaaaaa", accept=True)
    settle(talk.space(), "aaaaaa", "The office is in Rome.", was=HELD[1])
    first, second = corrections(talk.files()[CORRECTIONS])
    assert (first.words, first.status) == (DENTIST, "settled")
    assert (second.old, second.correct) == (HELD[1], "The office is in Rome.")
    memory = (talk.git.root / "MEMORY.md").read_text()
    assert "- The office is in Rome. #knowledge" in memory
    assert HELD[1] not in memory
