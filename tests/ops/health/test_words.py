"""`doctor` on old memory that says what nobody said: listed, mended in one commit, and that
undone."""

import re
from datetime import timedelta

import pytest

from clawgit.domain.change.history import Intent
from clawgit.domain.corrections.corrections import Correction, corrections, render
from clawgit.errors import BusyError
from clawgit.ops.change.undo import undo
from clawgit.ops.conversation.chat import log
from clawgit.ops.health import words
from clawgit.ops.health.finding import Finding, Site
from clawgit.ops.health.words import look_at_words, plan_of
from clawgit.stores.git.transaction import Outcome
from tests.conftest import NOW, Git
from tests.ops.chatting import at_a_terminal, opened
from tests.trusting import accept_settings

SAID = "Remember that the Type I error rate is 5%. And my wife's birthday is March 3."
WORDS = "No, I said the weekly call is on Thursday at 10:00."


def memory(evidence: str) -> str:
    facts = "conf=0.95 n=1 first=2026-02-10 last=2026-02-10 src=explicit"
    return (
        "# Memory\n\nWritten by hand.\n\n"
        f"- The Type Marta errors rate is 5% #knowledge <!-- claw:maaaaa {facts} ev={evidence} "
        "-->\n"
        f"- Marta's wife's birthday is 2027-03-03 #event <!-- claw:mbbbbb {facts} ev={evidence} "
        "-->\n"
        f"- The moon is full. #event <!-- claw:mccccc {facts} ev=chat:gone/1 -->\n"
        "- The weekly call is on Tuesday at 10:00 #event <!-- claw:mddddd conf=1.0 src=correction "
        "-->\n"
    )


@pytest.fixture
def old(ws: Git) -> Git:
    """A workspace of an earlier version, and the message that two of its lines cite."""
    space = opened(ws.root)
    told = log(space, SAID, ident="m1", time=(NOW - timedelta(days=4)).isoformat())
    wrong = Correction(
        "kkkkllll", NOW, "No,", "high", "", "The weekly call is on Tuesday at 10:00",
        "mddddd The weekly call is on Thursday at 10:00", True, "confirmed", words=WORDS,
        source="chat:main/m9",
    )  # fmt: skip
    ws.write("USER.md", "# User\n\n- **Name:** Marta\n")
    ws.write("MEMORY.md", memory(f"chat:{told.messages[0].key}"))
    ws.write("CORRECTIONS.md", f"# CORRECTIONS.md\n\n{render(wrong)}")
    ws.commit_all("an earlier version")
    return ws


def looked(ws: Git) -> Finding:
    return look_at_words(Site(opened(ws.root)))


def mend(finding: Finding) -> Outcome:
    [one] = finding.mends
    outcome = one.do()
    assert outcome is not None
    return outcome


def test_what_nobody_said_is_listed(old: Git) -> None:
    finding = looked(old)
    assert not finding.ok
    assert finding.detail.startswith(
        "3 lines from an earlier version with words that nobody said: MEMORY.md maaaaa: The Type"
    )
    assert "The moon" not in finding.detail, "its message is gone"
    assert "doctor --fix" in finding.fix


def test_one_commit_puts_the_words_back_and_undo_takes_it_back(old: Git) -> None:
    before, head = (
        {path: (old.root / path).read_bytes() for path in ("MEMORY.md", "CORRECTIONS.md")},
        old.head(),
    )
    mend(looked(old))
    text = (old.root / "MEMORY.md").read_text()
    assert re.search(
        r"^- (?:the )?Type I error rate is 5%\.? #knowledge <!-- claw:maaaaa", text, re.MULTILINE
    ), text
    assert re.search(
        r"^- Marta: “.*my wife's birthday is March 3\.?” #event <!-- claw:mbbbbb",
        text,
        re.MULTILINE,
    ), text
    assert [line for line in text.splitlines() if "claw:mccccc" in line] == memory("").splitlines()[
        6:7
    ]
    assert f"  - Marta: “{WORDS}” #correction" in text
    assert "claw:mddddd c=1 src=correction status=disputed" in text
    [one] = corrections((old.root / "CORRECTIONS.md").read_text())
    assert (one.correct, one.status) == (WORDS, "quoted")
    assert old("rev-list", "--count", f"{head}..HEAD").strip() == "1"
    assert looked(old).ok
    assert not looked(old).mends
    undo(at_a_terminal(old.root), "HEAD")
    assert {path: (old.root / path).read_bytes() for path in before} == before


def test_what_others_write_between_plan_and_commit_stays(
    old: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = old.root / "MEMORY.md"
    finding = looked(old)

    def meanwhile(*args: object) -> Intent:
        file.write_text(f"{file.read_text()}- Written meanwhile. #knowledge\n")
        old.commit_all("meanwhile")
        return Intent(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(words, "Intent", meanwhile)
    with pytest.raises(BusyError, match="changed meanwhile"):
        mend(finding)
    assert "- Written meanwhile." in file.read_text()
    assert old.status() == ""
    monkeypatch.undo()
    mend(looked(old))
    assert "- Written meanwhile." in file.read_text()


def test_what_a_model_may_have_worded_is_not_judged(old: Git) -> None:
    old.write("CONFIG.md", "```yaml\nllm_model: command:claude -p\n```\n")
    accept_settings(old.root)
    assert [one.name for one in plan_of(Site(opened(old.root))).found] == [
        "maaaaa",
        "mbbbbb",
        "kkkkllll",
    ]
    space = opened(old.root, NOW + timedelta(days=2))
    told = log(
        space, "The parrot is green.", ident="m2", time=(NOW + timedelta(days=1)).isoformat()
    )
    later = (
        "- A parrot has green feathers. #event <!-- claw:meeeee src=inferred "
        f"ev=chat:{told.messages[0].key} -->\n"
    )
    file = old.root / "MEMORY.md"
    file.write_text(file.read_text() + later)
    assert "meeeee" not in str(plan_of(Site(space)).found)


def test_a_workspace_without_such_lines_is_well(ws: Git) -> None:
    assert looked(ws) == Finding(True, "every line that cites a message says what was said there")


def test_where_no_sentence_fits_it_is_only_told(old: Git) -> None:
    file = old.root / "MEMORY.md"
    text = file.read_text().replace("The Type Marta errors rate is 5%", "Parrots are green")
    file.write_text(text)
    mend(looked(old))
    finding = looked(old)
    assert (finding.ok, finding.mends) == (True, ())
    assert "1 line from an earlier version" in finding.detail
    assert "Parrots are green" in file.read_text()
