"""`crm_source`, and a file of another system."""

import os
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import example, given

from clawgit.core.disk.program import Limits
from clawgit.core.errors import ClawgitError
from clawgit.talk.context.asking import ContextRequest
from clawgit.talk.context.fetching import (
    HINT,
    LARGEST,
    Outside,
    compact,
    fetch,
    harmless,
    profiles,
    profiles_in,
)
from clawgit.workspace.workspace import Workspace
from tests.conftest import NOW, Git, program
from tests.strategies import ANY_TEXT
from tests.talk.context.test_context import configured

BY_HAND = "Try it by hand; it must be quick and brief."
LONG, SHORT = Limits(seconds=20), Limits(seconds=0.3)
_SCRIPT = """#!/usr/bin/env python3
import json, sys
asked = json.load(sys.stdin)
rows = [{"name": name, "text": f"{name} was asked about in {asked['session']}."} for name in asked["names"]]
print(json.dumps({"profiles": rows}))
"""


def asked(ws: Workspace, message: str) -> Outside:
    return fetch(ws, ContextRequest(message, "agent:main:main"))


def test_a_program_is_told_the_message_and_its_names(git: Git) -> None:
    git.write("bin/crm", _SCRIPT).chmod(0o755)
    ws = configured(git, "crm_source: 'command: bin/crm --json'")
    [one] = profiles(ws, ContextRequest("did Ana Lopez call", "agent:main:main"), LONG)
    told = "Ana Lopez was asked about in agent:main:main."
    assert (one.heads[0], one.text) == ("## Ana Lopez", told)
    # Of the past nothing else is asked.
    git.commit_all("then")
    then = fetch(ws, ContextRequest("Ana", at="HEAD"))
    assert then.profiles == ()
    assert then.notes == ("other systems have no past, so none of them was asked",)


@pytest.mark.parametrize(
    ("source", "note"),
    [
        ("bin/crm", f"{{root}}/bin/crm took longer than 0.3 s. {BY_HAND}"),
        ("bin/none", f"{{root}}/bin/none cannot be run: No such file or directory. {BY_HAND}"),
        ("""'"bin/crm'""", f"""crm_source '"bin/crm' is not a command. {HINT}"""),
    ],
)
def test_what_goes_wrong_is_a_note(git: Git, source: str, note: str) -> None:
    program(git.root / "bin/crm", "exec sleep 5")
    ws = configured(git, f"crm_source: {source}")
    with pytest.raises(ClawgitError) as caught:
        profiles(ws, ContextRequest("Ana"), SHORT)
    assert f"{caught.value.message} {caught.value.hint}" == note.format(root=git.root)


def test_nobody_is_asked_without_a_slot_a_source_or_a_message(git: Git) -> None:
    program(git.root / "bin/crm", "touch asked")
    for lines, message in (
        (("crm_source: bin/crm", "crm_tokens: 0"), "Ana"),
        ((), "Ana"),
        (("crm_source: bin/crm",), " "),
    ):
        assert asked(configured(git, *lines), message) == Outside()
    assert not (git.root / "asked").exists()
    # And where nobody is there to be asked, that is a note.
    [note] = asked(configured(git, "crm_source: bin/none"), "Ana").notes
    assert note.startswith("no profiles: ")


def read(git: Git, source: str, *, budget: int = 100) -> tuple[list[tuple[str, str, str]], str]:
    ws = configured(git, f"external_context_budget: {budget}", f"external_context_source: {source}")
    brought = fetch(ws, ContextRequest())
    shown = [(one.source, one.text, one.why) for one in brought.external]
    return shown, "".join(brought.notes)


def touched(file: Path, hours: float) -> Path:
    when = (NOW - timedelta(hours=hours)).timestamp()
    os.utime(file, (when, when))
    return file


def test_a_file_is_read_wherever_it_was_named(git: Git) -> None:
    touched(git.write("recipe.json", "Step 3."), 1)
    when = "written 2026-02-14 08:00"
    shown = [("recipe.json[0]", "Step 3.", when)]
    assert read(git, "recipe.json") == read(git, "./recipe.json") == (shown, "")
    elsewhere = touched(git.write("../elsewhere.txt", "Step 4.").resolve(), 1)
    assert read(git, str(elsewhere))[0] == [(f"{elsewhere}[0]", "Step 4.", when)]
    touched(git.write(f"{os.environ['HOME']}/r.txt", "Step 5."), 1)
    assert read(git, "'~/r.txt'")[0][0][1] == "Step 5."
    assert read(git, "recipe.json", budget=0) == ([], "")
    # What is stale is shown, and told.
    touched(git.root / "recipe.json", 49)
    found, note = read(git, "recipe.json")
    assert found[0][1] == "Step 3."
    assert note == "recipe.json is stale: written 2026-02-12 08:00, more than 48 hours ago"


def test_what_cannot_be_shown_is_a_note(git: Git) -> None:
    git.write("huge.txt", "x" * (LARGEST + 1))
    (git.root / "binary").write_bytes(b"a\0b")
    (git.root / "latin").write_bytes(b"caf\xe9")
    (git.root / "link").symlink_to("huge.txt")
    os.mkfifo(git.root / "pipe")
    git.write("../outside.txt", "x")
    notes = {
        "none": "none cannot be read: No such file or directory",
        "huge.txt": "huge.txt has 1,048,577 bytes; at most 1,048,576 are read",
        "binary": "binary is not text",
        "latin": "latin is not text",
        "link": "link is not a regular file",
        "pipe": "pipe is not a regular file",
        "../outside.txt": "../outside.txt leads out of the workspace; name it by its absolute path",
        ".": ". is not a regular file",
        "/dev/zero": "/dev/zero is not a regular file",
        str(git.root / "latin"): f"{git.root}/latin is not text",
    }
    told = {name: read(git, name)[1].removeprefix("no external context: ") for name in notes}
    assert told == notes


# What comes from systems of the operator's own: whom a message names, and how data becomes text.


@given(ANY_TEXT)
@example('[{"name": "Ana", "deals": 3}]')
def test_any_text_from_outside_can_be_shown(text: str) -> None:
    for part in compact(text):
        assert "<!--" not in part or "-->" not in part.partition("<!--")[2] or "`" in part
    profiles_in(text, "x")
    # Signs that nobody sees go.
    assert harmless("a\u200bb\x1b[0m\u202ec\n\td") == "ab[0mc\n\td"
