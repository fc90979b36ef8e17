"""A workspace that somebody has lived in for a week, and what each command is called with there.

The sentences and names are as long as people's are, so that what does not fit a terminal shows.
"""

import io
import json
import re
import shlex
from collections import Counter
from datetime import datetime
from typing import NamedTuple
from unittest.mock import patch

from clawgit.cli.root import run
from clawgit.cli.text import ESCAPE
from clawgit.ops.conversation.heartbeat import heartbeat
from tests.conftest import NOW, Git
from tests.ops.chatting import at_a_terminal

_LONG = 30
"""Characters of a line from which on it may not be printed twice."""

NOTES = "memory/projects/letterpress-museum-demo.md"
_SOUL = """\
# Soul

## Principles

- I help Ana run her small studio for letterpress prints, and I keep track of what she promised to \
whom and until when. <!-- protected -->
- I answer in one paragraph.
- I never send a message, an invoice or an offer to anybody before Ana has read it and said yes.

## Tone

- Warm, and short. No exclamation marks, no flattery, no apologies that nobody asked for.
"""
_MEMORY = f"""\
# Memory

- Ana drinks coffee in the morning, and likes nobody to talk to her before the first cup. #preference
- The museum pays within thirty days of the invoice, never earlier, and asks for a purchase order \
number on each of them. #knowledge
- More on the demo: {NOTES}
"""
_DAY = """\
# 2026-02-23

- Ana prepares the demo for the museum with the large Heidelberg press, which needs new rollers \
before the end of the month.
- The paper comes from Porto, from the mill behind the station that also made the paper of 2024.
- Decided: we print the six posters for the museum on 300 g cotton paper, in two colours.
"""


class Step(NamedTuple):
    """What is written, called or said at a time; `by` is the caller, the operator if it is
    empty."""

    when: str
    words: str = ""
    said: str = ""
    path: str = ""
    text: str = ""
    by: str = ""


_CHAT = (
    "Remember that the museum wants the six posters by Thursday, March 5, at ten in the morning.",
    "You forgot that I told you the rollers cost 480 euros, not 380. Please never forget prices.",
    "From now on, please ask me before you order any paper that costs more than fifty euros.",
)
LIFE = (
    Step("02-23T09:00", path="SOUL.md", text=_SOUL),
    Step("02-23T09:00", path="MEMORY.md", text=_MEMORY),
    Step("02-23T09:00", path=NOTES, text="# The demo\n\n- The demo is on Wednesday, March 4.\n"),
    Step("02-23T09:00", path="memory/2026-02-23.md", text=_DAY),
    Step("02-23T09:00", "init ."),
    Step("02-24T09:00", "memory add 'The rollers for the large Heidelberg press cost 380 euros and"
         " come from a dealer in Braga.' --tag knowledge"),
    Step("02-24T10:00", "memory add 'The opening of the museum is on Saturday, March 7, at six in"
         " the evening, and Ana will give a speech.' --tag event", by="studio-assistant"),
    *(Step(f"02-25T1{at}:00", said=text) for at, text in enumerate(_CHAT)),
    Step("02-25T20:00", "agent run memory-miner"),
    Step("02-25T20:05", "agent run recall-validator"),
    Step("02-26T09:00", path="SOUL.md", text=_SOUL.replace("one paragraph", "three sentences")),
    Step("02-26T09:01", "snapshot -m 'Shorter answers, as Ana asked for on the phone this morning"
         " before she left for the mill in Porto'"),
    Step("02-26T11:00", "corrections add 'Ana drinks green tea in the morning, and never coffee.'"
         " --was 'Ana drinks coffee in the morning, and likes nobody to talk to her before the"
         " first cup.'"),
    Step("02-26T12:00", "memory add 'The museum pays within ten days of the invoice.' --tag"
         " knowledge", by="studio-assistant"),
    Step("02-26T13:00", "agent run conflict-detector"),
    Step("02-27T09:00", path="memory/2026-02-27.md", text=_DAY.replace("02-23", "02-27")),
    Step("02-27T09:30", "snapshot"),
    Step("02-27T10:00", "memory add 'Ana is allergic to nuts.' --tag knowledge"),
    Step("02-27T10:01", "undo"),
    Step("02-28T09:00", path="questions.jsonl", text=json.dumps(
        {"query": "when is the demo for the museum", "expect": [{"path": NOTES, "line": 3}]})),
    Step("02-28T09:00", path="talk.jsonl", text=json.dumps(
        {"type": "message", "id": "m1", "timestamp": NOW.isoformat(), "message": {
            "role": "user", "content": [{"type": "text", "text": _CHAT[0]}]}})),
    Step("02-28T09:00", path="said.jsonl", text=json.dumps(
        {"role": "user", "text": _CHAT[1], "time": NOW.isoformat()})),
    Step("02-28T10:00", path="memory/2026-02-28.md", text="# 2026-02-28\n\n- Not yet kept.\n"),
)  # fmt: skip

HERE = ""
"""`clawgit` alone."""

WORDS = {
    HERE: "",
    "status": "--all",
    "doctor": "",
    "snapshot": "--dry-run",
    "log": "",
    "show": "HEAD",
    "diff": "yesterday",
    "why": "MEMORY.md:3",
    "undo": "HEAD --dry-run",
    "restore": f"{NOTES} --at HEAD~3 --dry-run",
    "soul log": "",
    "soul diff": "HEAD~9 HEAD",
    "soul blame": "",
    "memory add": "'The mill in Porto closes for the whole of August, so order the paper in July.'",
    "memory edit": "MEMORY.md:3 'Ana drinks mint tea.' --dry-run",
    "memory list": "",
    "memory search": "'when is the demo for the museum'",
    "memory status": "",
    "chat search": "rollers",
    "context": "--message 'When is the demo?'",
    "conflicts list": "",
    "corrections list": "",
    "corrections add": "'The rollers cost 480 euros.' --was 'The rollers cost 380 euros.' --dry-run",
    "heartbeat": "'You forgot again that the rollers cost 480 euros, as I told you twice.' --dry-run",
    "digest": "--since 2000-01-01",
    "agent list": "",
    "schedule show": "",
    "trust": "--dry-run",
}
"""Commands for people, and their arguments."""


def live(ws: Git) -> None:
    """Lives the week in an empty repository or folder, in this process."""
    for step in LIFE:
        if step.path:
            ws.write(step.path, step.text)
        elif step.said:
            # `clawgit heartbeat` would start the agents, and they would not end with the test.
            now = datetime.fromisoformat(f"2026-{step.when}:00+00:00")
            heartbeat(at_a_terminal(ws.root, now), step.said, session="studio-chat")
        else:
            answer(step.words, at=step.when, by=step.by)


class _Terminal(io.StringIO):
    """What is typed and printed at a terminal."""

    def isatty(self) -> bool:
        return True


class _Program(io.TextIOWrapper):
    """What a program writes to a command."""

    def __init__(self, text: str) -> None:
        super().__init__(io.BytesIO(text.encode()))


def answer(words: str, *, at: str = "02-28T12:00", by: str = "", given: str = "") -> str:
    """What a command prints at a terminal, of as many columns as COLUMNS says."""
    split = shlex.split(words)
    options = ["--now", f"2026-{at}:00+00:00", *(["--actor", by] if by else [])]
    terminal = _Terminal()
    with (
        patch.dict("os.environ", EDITOR="true", VISUAL="true"),
        patch("sys.stdin", _Program(given) if given or by else _Terminal()),
        patch("sys.stdout", terminal),
        patch("sys.stderr", terminal),
        patch("click.echo_via_pager", lambda text, **_: terminal.write(text)),
    ):
        run([*split, *(options if split else [])])
    return terminal.getvalue()


def screen_of(path: str) -> str:
    """What a command prints."""
    return unstyled(answer(f"{path} {WORDS[path]}"))


def unstyled(text: str) -> str:
    """A text as the terminal leaves it: without colours, and without what was overwritten."""
    return re.sub(r"[^\n]*\r(?=[^\n])", "", ESCAPE.sub("", text)).replace("\r", "")


def doubled(text: str) -> list[str]:
    """The sentences that stand twice; lines of a diff may."""
    rows = [line.strip() for line in text.splitlines() if line[:1] not in "+- @"]
    return [line for line, count in Counter(rows).items() if count > 1 and len(line) > _LONG]
