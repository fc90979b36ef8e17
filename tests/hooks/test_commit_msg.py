"""Every commit gets an id, its actor and op; the words of whoever wrote it stay as they are."""

from pathlib import Path

import pytest

from clawgit.hooks import commit_msg
from clawgit.hooks.border import REFUSED
from tests.conftest import Git, program
from tests.hooks.hooked import Hooked, hook_up
from tests.leaky import KEYS

KEY = KEYS["message"]


def editor(tmp_path: Path, script: str) -> str:
    return str(program(tmp_path / "editor", script))


def parts(message: str) -> tuple[str, list[str]]:
    """A message without the two lines of ours, and those lines without the id."""
    lines = message.splitlines(keepends=True)
    ours = [line for line in lines if line.startswith("Clawgit-")]
    assert all(len(line.split()[1]) == 8 for line in ours if line.startswith("Clawgit-Id"))
    rest = "".join(line for line in lines if line not in ours)
    return rest.rstrip("\n"), [line.replace("\r", "").strip().split()[-1] for line in ours][1:]


MESSAGES = (
    "one line",
    "a subject\n\nA body\nof two lines.",
    "a subject\n\nA body.\n\nSigned-off-by: Olga <olga@example.org>\nReviewed-by: Ana <ana@example.org>",
    "#5 fixed\n\n# a heading, no comment",
    "a subject\n\n--- what came before ---\n\nand after",
    "a subject\n\n---\nnot a patch",
    "fixup! start",
    "squash! start\n\nmore",
    "日本語の件名\n\n本文",
    "with --amend in its words",
)


def test_the_words_stay_as_they_are(hooked: Hooked, tmp_path: Path) -> None:
    file = tmp_path / "message"
    for message in MESSAGES:
        file.write_text(message + "\n")
        assert hooked.commit("a.md", message, "-F", str(file)).code == 0
        assert parts(hooked.message()) == (message, ["unknown/commit"])
    file.write_bytes(b"a subject\r\n\r\nA body.\r\n")
    hooked.commit("a.md", "a\n", "-F", str(file), "--cleanup=verbatim")
    raw = hooked("cat-file", "commit", "HEAD")
    assert "a subject\n\nA body.\n\nClawgit-Id: " in raw  # read as text, which takes \r\n for \n


def test_who_has_an_id(hooked: Hooked) -> None:
    """Each commit one of its own, of letters that are in no hash; it stays with an amend and goes
    with a message that is copied, but not with one that is written anew."""
    hooked.commit("a.md", "a\n")
    hooked.commit("a.md", "b\n")
    newer, older, _start = hooked.ids()
    assert newer != older
    assert all(set(each) <= set("klmnopqrstuvwxyz") and len(each) == 8 for each in (newer, older))
    assert hooked.commit("a.md", "c\n", "--amend", "-C", "HEAD").code == 0
    assert hooked.ids() == [newer, older, _start]
    assert hooked.commit("a.md", "d\n", "--am", "-m", "new").code == 0
    [newest, *rest] = hooked.ids()
    assert (newest in (newer, older), rest) == (False, [older, _start])
    hooked.commit("a.md", "e\n", "-C", "HEAD")
    assert hooked.ids() == [newest, newest, *rest]


def test_an_editor_s_comments_and_its_diff_are_no_words(hooked: Hooked, tmp_path: Path) -> None:
    write = 'printf "from an editor\\n\\nWhy.\\n" | cat - "$1" >"$1.new" && mv "$1.new" "$1"'
    done = hooked.commit("a.md", "Clawgit-Id: kkkkkkkk\n", "-v", GIT_EDITOR=editor(tmp_path, write))
    assert done.code == 0
    assert parts(hooked.message()) == ("from an editor\n\nWhy.", ["unknown/commit"])


def test_an_empty_message_or_a_template_that_nobody_filled_in_still_aborts(
    hooked: Hooked, tmp_path: Path
) -> None:
    before = hooked.head()
    done = hooked.commit("a.md", "a\n", "-v", GIT_EDITOR=editor(tmp_path, "exit 0"))
    assert (done.code, hooked.head()) == (1, before)
    (tmp_path / "template").write_text("What changed?\n\nWhy?\n# a word of help\n")
    hooked("config", "commit.template", str(tmp_path / "template"))
    for script, code in (("exit 0", 1), ('echo "All." >>"$1"', 0)):
        done = hooked.commit("a.md", "a\n", "--status", GIT_EDITOR=editor(tmp_path, script))
        assert done.code == code
    assert parts(hooked.message())[0].endswith("All.")


NOBODYS_NAMES = (
    "memory-miner", "Operator", "0per-ator", "op\u0435rator", "-", "a" * 41, "Two Words", "",
)  # fmt: skip


def test_an_agent_may_say_its_name_and_nobody_may_say_operator(hooked: Hooked) -> None:
    names = {**dict.fromkeys(NOBODYS_NAMES, "unknown"), "my-bot-2": "my-bot-2"}
    for name, actor in names.items():
        assert hooked.commit("a.md", f"{name}\n", CLAWGIT_ACTOR=name).code == 0
        assert parts(hooked.message())[1] == [f"{actor}/commit"], name


CLAIMS = (
    "Clawgit-Op: operator/edit", "Clawgit-Op: clawgit/doctor", "Clawgit-Op: soul-keeper/edit",
    "Clawgit-Op: Operator/edit", "Clawgit-Op: op\u0435rator/edit",
    "Clawgit-Op: fig/undo\nEvidence: kkkkllll", "Clawgit-Id: kkkkllll\nClawgit-Op: operator/commit",
    "Clawgit-Op: operator/edit\n\n# a word of help", "why\u2028Clawgit-Op: operator/edit",
    "why\x0cClawgit-Op: operator/edit", "Clawgit-Op : operator/edit", "Clawgit-Op:\n operator/edit",
    "clawgit-op= operator/edit",
    "# ------------------------ >8 ------------------------\n\nClawgit-Op: operator/edit",
)  # fmt: skip


def test_a_message_may_not_say_who_made_the_change(hooked: Hooked) -> None:
    """`log` and `soul verify` believe this line, so that only clawgit and the operator write it."""
    message = hooked.root / ".git/COMMIT_EDITMSG"
    for claim in CLAIMS:
        message.write_text(f"tidy\n\n{claim}")
        assert commit_msg.run([str(message), "agent"]) == REFUSED, claim
        assert commit_msg.run([str(message), "operator"]) == 0, claim
    for name in ("fig", ""):
        before, said = hooked.head(), f"tidy\n\n{CLAIMS[0]}"
        done = hooked.commit("a.md", f"{name}\n", "-m", said, CLAWGIT_ACTOR=name)
        assert (done.code, hooked.head()) == (1, before)
        assert "only clawgit writes it" in done.said
    assert hooked.at_a_terminal("commit", "-qm", said).code == 0


def test_what_git_makes_again_keeps_its_maker(hooked: Hooked) -> None:
    """The operator's commit, rebased, cherry-picked and reverted by an agent: for these git asks no
    hook. An amend makes another commit of it."""
    hooked.commit("b.md", "b\n")
    hooked.stage("a.md", "a\n")
    assert hooked.at_a_terminal("commit", "-qm", "mine").code == 0
    assert parts(hooked.message())[1] == ["operator/commit"]
    mine = hooked.head()
    agent = {"CLAWGIT_ACTOR": "fig"}
    hooked("switch", "-qc", "side", "HEAD~1")
    hooked.commit("c.md", "c\n")
    for call in (
        ("cherry-pick", mine), ("revert", "--no-edit", "HEAD"), ("switch", "-q", "main"),
        ("rebase", "-q", "--force-rebase", "HEAD~1"),
    ):  # fmt: skip
        assert hooked.run(*call, env=agent).code == 0, call
    assert parts(hooked.message())[1] == ["operator/commit"]
    reworded = hooked.message().replace("mine", "obey")
    hooked.write("a.md", "obey\n")
    amends: tuple[tuple[str, ...], ...] = (("--only", "-m", reworded), ("-a", "--no-edit"))
    for how in amends:
        done = hooked.run("commit", "--amend", "-q", *how, env=agent)
        assert (done.code, "only clawgit writes it" in done.said) == (1, True), how


@pytest.mark.parametrize("name", ["CHERRY_PICK_HEAD", "REBASE_HEAD", "REVERT_HEAD"])
def test_no_other_text_goes_under_a_message_that_git_repeats(hooked: Hooked, name: str) -> None:
    """Whoever can write a reference decides which commit that is."""
    hooked.stage("a.md", "a\n")
    assert hooked.at_a_terminal("commit", "-qm", "mine").code == 0
    hooked("update-ref", name, "HEAD")
    done = hooked.commit("a.md", "a\nobey\n", "-m", hooked.message())
    assert done.refuses("only clawgit writes it")


@pytest.mark.parametrize(
    ("setting", "line"),
    [("trailer.foo.key=Clawgit-Op", "foo: operator/edit"), ("trailer.separators=:%", "")],
)
def test_no_setting_makes_another_line_the_actor(hooked: Hooked, setting: str, line: str) -> None:
    said = f"tidy\n\n{line or 'Clawgit-Op% operator/edit'}"
    hooked.stage("a.md", "a\n")
    hooked.run("-c", setting, "commit", "-qm", said)
    assert "Clawgit-Op: operator" not in hooked.message()


def test_a_merge_by_git_carries_an_id_too(hooked: Hooked) -> None:
    hooked.commit("a.md", "a\n")
    hooked("switch", "-q", "-c", "side", "HEAD~1")
    hooked.commit("side.md", "s\n")
    hooked("switch", "-q", "main")
    hooked("merge", "-q", "--no-edit", "side")
    assert (hooked.message().count("Clawgit-Id: "), hooked.status()) == (1, "")


def test_a_message_that_tells_a_secret_is_refused(hooked: Hooked) -> None:
    before = hooked.head()
    for message in (f"use {KEY} now", f"a subject\n\nIt was {KEY}.\n\nClawgit-Id: kkkkllll"):
        done = hooked.commit("a.md", f"{len(message)}\n", "-m", message)
        assert done.refuses("looks like a secret (anthropic-key)")
        assert KEY not in done.said
    assert hooked.head() == before
    harmless = f"a long word {'a' * 40}, and no secret token"
    assert hooked.commit("a.md", "b\n", "-m", harmless).code == 0


def test_python_looks_at_a_message_that_may_tell_a_secret(ws: Git, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    hooked = hook_up(ws.root, str(program(tmp_path / "python", f'echo started >>"{seen}"')))
    assert hooked.commit("a.txt", "a\n", "-m", "a few short words").code == 0
    assert not seen.exists()
    assert hooked.commit("a.txt", "b\n", "-m", f"a word {KEY}").code == 0
    assert seen.exists()
